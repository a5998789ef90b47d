//! Graphs of a thousand tasks (`WORKMILL_GRAPH_TASKS` sets how many), worked through to the end by
//! several agents on several servers with batched claims and settlements. Nothing is stranded,
//! nobody waits in a circle.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;
use workmill_core::graph::GraphStatus;
use workmill_store::intake::{Dependency, NewGraph, Submission, TaskDraft};
use workmill_testkit::factory::{draft, task};

use super::arena::Arena;
use super::setting;

pub fn size() -> usize {
    usize::try_from(setting("WORKMILL_GRAPH_TASKS", 1000)).expect("small")
}

/// Every task waits for the places that `depends_on` names.
pub fn shape(tasks: usize, depends_on: impl Fn(usize) -> Vec<usize>) -> Submission {
    let one = draft(&task("node"));
    let drafts = (0..tasks).map(|place| TaskDraft {
        depends_on: depends_on(place).into_iter().map(Dependency::New).collect(),
        ..one.clone()
    });
    Submission {
        created_by: "shapes".to_owned(),
        key: None,
        graph: Some(NewGraph {
            title: "shape".to_owned(),
            is_draft: false,
            budget: None,
            project: None,
        }),
        idempotency: None,
        tasks: drafts.collect(),
    }
}

async fn work_through(submission: Submission, agents: usize, batch: i32) -> Result<()> {
    let arena = Arena::new(2, None).await?;
    let tasks = submission.tasks.len();
    let submitted = arena.server(0).submit(submission).await?;
    let done = Arc::new(AtomicUsize::new(0));
    let mut working = Vec::new();
    for number in 0..agents {
        let (server, done) = (Arc::clone(arena.server(number)), Arc::clone(&done));
        working.push(tokio::spawn(async move {
            let agent = format!("agent {number}");
            server.register(&agent, batch).await?;
            while done.load(Ordering::SeqCst) < tasks {
                let leases = server.claim(&agent, batch).await?;
                if leases.is_empty() {
                    tokio::task::yield_now().await;
                    continue;
                }
                let answers = server.complete(&leases).await?;
                assert!(answers.iter().all(Result::is_ok), "{answers:?}");
                done.fetch_add(answers.len(), Ordering::SeqCst);
            }
            anyhow::Ok(())
        }));
    }
    for one in working {
        one.await??;
    }
    assert_eq!(done.load(Ordering::SeqCst), tasks);
    let id = submitted.graph.expect("a graph");
    let graph = arena.server(0).store.find_graph(arena.ns, id).await?;
    assert_eq!(
        graph.expect("the graph is there").status,
        GraphStatus::Completed
    );
    assert_eq!(arena.verdict().await?, [""; 0]);
    Ok(())
}

/// F-9 (part)
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_chain_is_worked_through_link_by_link() -> Result<()> {
    let chain = shape(size(), |place| place.checked_sub(1).into_iter().collect());
    work_through(chain, 1, 10).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fan_out_is_freed_at_once_by_its_root() -> Result<()> {
    let fan_out = shape(size(), |place| if place == 0 { vec![] } else { vec![0] });
    work_through(fan_out, 4, 50).await
}

/// A thousand parents of one child, at least.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_parents_free_their_one_child_once() -> Result<()> {
    let last = size();
    let fan_in = shape(last + 1, |place| {
        if place == last {
            (0..last).collect()
        } else {
            vec![]
        }
    });
    work_through(fan_in, 4, 20).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_layers_are_worked_through_one_after_the_other() -> Result<()> {
    let width = size() / 20;
    let layers = shape(width * 20, |place| match place.checked_sub(width) {
        None => vec![],
        Some(above) => {
            let first = above - above % width;
            vec![
                above,
                first + (above + 1) % width,
                first + (above + 7) % width,
            ]
        }
    });
    work_through(layers, 4, 25).await
}
