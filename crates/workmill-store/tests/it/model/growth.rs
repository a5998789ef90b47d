//! Big graphs that grow, are tied anew and cancelled: what a call costs follows from what it
//! changes, not from the square of the graph.

use anyhow::Result;
use workmill_core::graph::GraphStatus;
use workmill_core::ids::TaskId;
use workmill_store::intake::edges::{AddEdge, Edge, EdgeRefusal, RemoveEdge};
use workmill_store::intake::grow::GrowGraph;
use workmill_store::intake::spawn::Spawn;
use workmill_store::intake::spawning::SpawnLimits;
use workmill_store::intake::{Dependency, TaskDraft};
use workmill_testkit::factory::{draft, task};

use super::arena::{Arena, KEY, Server};
use super::shapes::{shape, size};

impl Server {
    async fn add_edge(
        &self,
        task: TaskId,
        depends_on: TaskId,
    ) -> Result<Result<bool, EdgeRefusal>> {
        let operation = AddEdge {
            ns: self.ns,
            edge: Edge { task, depends_on },
        };
        Ok(self.store.run(&operation).await?.0)
    }
}

/// F-12: the check goes along the whole chain, in one look.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_edge_at_the_end_of_a_long_chain_is_checked_against_all_of_it() -> Result<()> {
    let arena = Arena::new(1, None).await?;
    let server = arena.server(0);
    // The links, and one task beside them.
    let links = size();
    let chain = shape(links + 1, |place| {
        let above = place.checked_sub(1).filter(|_| place < links);
        above.into_iter().collect()
    });
    let ids = server.submit(chain).await?.tasks;
    let (first, last, beside) = (ids[0], ids[links - 1], ids[links]);
    let Err(EdgeRefusal::Cycle(way)) = server.add_edge(first, last).await? else {
        anyhow::bail!("the chain was closed");
    };
    assert_eq!(way.len(), links + 1);
    assert_eq!((way[0], way[1], way[links]), (first, last, first));
    assert_eq!(server.add_edge(beside, last).await?, Ok(true));
    let remove = RemoveEdge {
        ns: arena.ns,
        edge: Edge {
            task: ids[links / 2],
            depends_on: ids[links / 2 - 1],
        },
    };
    assert_eq!(server.store.run(&remove).await?.0, Ok(true));
    assert_eq!(arena.verdict().await?, [""; 0]);
    Ok(())
}

/// Many tasks come in at once, each of them below a task that is there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_graph_doubles_in_one_call() -> Result<()> {
    let arena = Arena::new(1, None).await?;
    let server = arena.server(0);
    let submitted = server.submit(shape(size(), |_| vec![])).await?;
    let graph = submitted.graph.expect("a graph");
    let below = |on: &TaskId| TaskDraft {
        depends_on: vec![Dependency::Existing(*on)],
        ..draft(&task("below"))
    };
    let drafts: Vec<TaskDraft> = submitted.tasks.iter().map(below).collect();
    let operation = GrowGraph {
        ns: arena.ns,
        graph,
        created_by: "growth",
        key: None,
        tasks: &drafts,
        idempotency: None,
    };
    let grown = server.store.run(&operation).await?.0.expect("it may grow");
    assert_eq!(grown.tasks.len(), size());
    let lengthened = "select count(*) from workmill.state where critical_path = 1";
    let client = arena.database.client().await?;
    let lengthened: i64 = client.query_one(lengthened, &[]).await?.get(0);
    assert_eq!(usize::try_from(lengthened)?, size());
    assert_eq!(arena.verdict().await?, [""; 0]);
    Ok(())
}

/// F-11: a running task spawns many that depend on what is there, and waits for all of them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_running_task_waits_for_a_thousand_that_it_spawns() -> Result<()> {
    let arena = Arena::new(1, None).await?;
    let server = arena.server(0);
    server.register("agent", 1).await?;
    let ids = server.submit(shape(size(), |_| vec![])).await?.tasks;
    let lease = server.claim("agent", 1).await?[0];
    let others = ids.iter().filter(|id| **id != lease.task);
    let below = |on: &TaskId| TaskDraft {
        depends_on: vec![Dependency::Existing(*on)],
        ..draft(&task("below"))
    };
    let drafts: Vec<TaskDraft> = others.map(below).collect();
    let operation = Spawn {
        ns: arena.ns,
        key: KEY,
        lease,
        created_by: "growth",
        tasks: &drafts,
        wait: true,
        idempotency: None,
        limits: SpawnLimits::Unlimited,
    };
    let spawned = server.store.run(&operation).await?.0.expect("it may spawn");
    assert_eq!(spawned.tasks.len(), size() - 1);
    assert_eq!(arena.verdict().await?, [""; 0]);
    Ok(())
}

/// What waits below a cancelled task is cancelled with it, however deep.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancelling_the_first_link_cancels_the_whole_chain() -> Result<()> {
    let arena = Arena::new(1, None).await?;
    let server = arena.server(0);
    let chain = shape(size(), |place| place.checked_sub(1).into_iter().collect());
    let submitted = server.submit(chain).await?;
    server.cancel(submitted.tasks[0]).await?.expect("cancelled");
    let graph = submitted.graph.expect("a graph");
    let found = server.store.find_graph(arena.ns, graph).await?;
    let found = found.expect("the graph is there");
    assert_eq!(found.status, GraphStatus::Cancelled);
    assert_eq!(arena.verdict().await?, [""; 0]);
    Ok(())
}
