//! Edges that together close a cycle, added at one moment on as many servers: the last of them is
//! refused, and what the others tie together is worked through to the end.

use std::sync::Arc;

use anyhow::Result;
use tokio::task::JoinHandle;
use workmill_core::ids::TaskId;
use workmill_store::StoreError;
use workmill_store::intake::edges::{AddEdge, Edge, EdgeRefusal};
use workmill_testkit::factory::graph;

use super::arena::{Arena, Server};
use super::races::{rounds, somebody_waits};

/// How many edges close the cycle.
const EDGES: usize = 3;

/// Every task is to wait for the next one, and the last one for the first. Every other time the
/// first edge is held back with its locks until the second has come as far as it can.
pub async fn edges_that_close_a_cycle(
    rounds: u32,
    fault: Option<&'static str>,
) -> Result<Vec<String>> {
    let arena = Arena::new(EDGES, fault).await?;
    let first = arena.server(0);
    first.register("agent", 10).await?;
    let client = arena.database.client().await?;
    let mut found = Vec::new();
    for round in 0..rounds {
        let tasks = [("a", &[][..]), ("b", &[]), ("c", &[])];
        let ids = first.submit(graph(&tasks)).await?.tasks;
        let points = &first.store.test_points;
        let mut pause = (round % 2 > 0).then(|| points.pause_at("add_edge.locked"));
        let mut adding = vec![add_apart(first, ids[0], ids[1])];
        let paused = match &mut pause {
            None => None,
            Some(pause) => Some(pause.arrival().await),
        };
        points.disarm("add_edge.locked");
        for place in 1..EDGES {
            let (task, on) = (ids[place], ids[(place + 1) % EDGES]);
            adding.push(add_apart(arena.server(place), task, on));
        }
        if let Some(paused) = paused {
            while !adding[1].is_finished() && !somebody_waits(&client).await? {
                tokio::task::yield_now().await;
            }
            paused.go_on();
        }
        let mut refused = 0;
        for one in adding {
            match one.await?? {
                Ok(is_new) => assert!(is_new, "each edge is added once"),
                Err(EdgeRefusal::Cycle(way)) => {
                    assert_eq!(way.first(), way.last(), "the way leads back");
                    refused += 1;
                }
                Err(other) => found.push(format!("refused for another reason: {other:?}")),
            }
        }
        if refused != 1 {
            found.push(format!("{refused} of {EDGES} edges were refused"));
            break;
        }
        for _ in &ids {
            let lease = first.claim("agent", 1).await?;
            first.complete(&lease).await?;
        }
    }
    found.extend(arena.verdict().await?);
    let open = "select count(*) from workmill.graph where status <> 'completed'";
    let open: i64 = client.query_one(open, &[]).await?.get(0);
    if open > 0 {
        found.push(format!("{open} graphs were not completed"));
    }
    Ok(found)
}

fn add_apart(
    server: &Arc<Server>,
    task: TaskId,
    depends_on: TaskId,
) -> JoinHandle<Result<Result<bool, EdgeRefusal>, StoreError>> {
    let server = Arc::clone(server);
    tokio::spawn(async move {
        let operation = AddEdge {
            ns: server.ns,
            edge: Edge { task, depends_on },
        };
        Ok(server.store.run(&operation).await?.0)
    })
}

/// F-12
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_edges_that_together_close_a_cycle_the_last_is_refused() -> Result<()> {
    assert_eq!(edges_that_close_a_cycle(rounds(40), None).await?, [""; 0]);
    Ok(())
}
