//! What it means for tasks and graphs that are there when more comes to depend on them, or less.

use anyhow::Result;
use serde_json::json;
use workmill_core::dependency::OnDependencyFailure;
use workmill_core::failure::Reason;
use workmill_core::graph::GraphStatus;
use workmill_core::lifecycle::State;
use workmill_store::intake::{Dependency, TaskDraft};
use workmill_store::settlement::dead_letters::Resolution;
use workmill_testkit::factory::{draft, graph, task};

use crate::actors::Queue;
use crate::growing::after;

/// F-13
#[tokio::test]
async fn new_work_below_a_task_makes_it_more_urgent() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let submitted = queue
        .submit(graph(&[("first", &[]), ("second", &[])]))
        .await?;
    let (id, ids) = (submitted.graph.expect("a graph"), submitted.tasks);
    let chain = [
        after("x", &[Dependency::Existing(ids[1])]),
        after("y", &[Dependency::New(0)]),
    ];
    let mut chain = chain;
    chain[0].critical_path = 1;
    queue.grow(id, &chain).await?.expect("grown");
    assert_eq!(agent.take_one().await?.lease.task, ids[1]);
    Ok(())
}

/// What goes on below a task that failed is not counted again when that one completes after all,
/// and what comes to depend on it later is not left waiting for a count that never comes.
#[tokio::test]
async fn tasks_that_run_all_the_same_may_come_to_depend_on_what_failed_and_is_revived() -> Result<()>
{
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let submitted = queue
        .submit(graph(&[("fails", &[]), ("other", &[])]))
        .await?;
    let (id, ids) = (submitted.graph.expect("a graph"), submitted.tasks);
    let (fails, other) = (ids[0], ids[1]);
    let lease = agent.take_one().await?.lease;
    let failed = agent.fail(lease, Reason::InvalidInput).await?;
    assert_eq!(failed.expect("failed").state, State::DeadLettered);
    let runs_all_the_same = |title: &str| TaskDraft {
        on_dependency_failure: OnDependencyFailure::Run,
        ..after(title, &[Dependency::Existing(fails)])
    };
    let early = queue.grow(id, &[runs_all_the_same("early")]).await?;
    let early = early.expect("grown")[0];
    assert_eq!(queue.state(early).await?, State::Ready);

    let revived = queue.resolve(fails, Resolution::Retry).await?;
    assert_eq!(revived, Ok(State::Ready));
    let late = queue.grow(id, &[runs_all_the_same("late")]).await?;
    let late = late.expect("grown")[0];
    let claims = agent.take(10).await?;
    assert_eq!(claims.len(), 4, "nobody waits");
    for claim in claims {
        let completed = agent.complete(claim.lease, json!(1)).await?;
        completed.expect("completed");
    }
    for task in [fails, other, early, late] {
        assert_eq!(queue.state(task).await?, State::Completed);
    }
    assert_eq!(queue.graph_status(id).await?, GraphStatus::Completed);
    Ok(())
}

/// F-13
#[tokio::test]
async fn less_work_below_a_task_makes_it_less_urgent() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let mut work = graph(&[("a", &[]), ("b", &[]), ("below b", &[1]), ("end", &[2])]);
    work.tasks[1].critical_path = 2;
    work.tasks[2].critical_path = 1;
    let ids = queue.submit(work).await?.tasks;
    assert_eq!(queue.remove_edge(ids[2], ids[1]).await?, Ok(true));
    let order: Vec<_> = agent.take(3).await?;
    let order: Vec<_> = order.iter().map(|claim| claim.lease.task).collect();
    assert_eq!(order, [ids[2], ids[0], ids[1]]);
    Ok(())
}

/// F-8
#[tokio::test]
async fn roots_leaves_and_status_are_true_however_a_graph_grows() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let submitted = queue.submit(graph(&[("a", &[]), ("b", &[0])])).await?;
    let (id, (a, b)) = (
        submitted.graph.expect("a graph"),
        (submitted.tasks[0], submitted.tasks[1]),
    );
    let look = async || -> Result<_> {
        let found = queue.store.find_graph(queue.ns, id).await?;
        let found = found.expect("the graph is there");
        Ok((found.roots_and_leaves(), found.status))
    };
    assert_eq!(look().await?, ((vec![a], vec![b]), GraphStatus::Running));
    let below = [after("c", &[Dependency::Existing(b)])];
    let c = queue.grow(id, &below).await?.expect("grown")[0];
    let beside = queue.grow(id, &[draft(&task("d"))]).await?;
    let d = beside.expect("grown")[0];
    assert_eq!(look().await?.0, (vec![a, d], vec![c, d]));
    assert_eq!(queue.add_edge(d, c).await?, Ok(true));
    assert_eq!(look().await?.0, (vec![a], vec![d]));
    assert_eq!(queue.remove_edge(b, a).await?, Ok(true));
    assert_eq!(look().await?.0, (vec![a, b], vec![a, d]));
    for _ in 0..4 {
        assert_eq!(look().await?.1, GraphStatus::Running);
        let lease = agent.take_one().await?.lease;
        agent.complete(lease, json!(1)).await?.expect("completed");
    }
    assert_eq!(look().await?.1, GraphStatus::Completed);
    queue.grow(id, &[draft(&task("e"))]).await?.expect("grown");
    assert_eq!(look().await?.1, GraphStatus::Running);
    Ok(())
}
