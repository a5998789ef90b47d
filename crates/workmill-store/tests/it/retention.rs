//! Finished tasks go when they have been kept long enough, with everything that belongs to them,
//! and nothing else ever goes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use serde_json::json;
use workmill_core::edition::Expected;
use workmill_core::failure::Reason;
use workmill_core::ids::TaskId;
use workmill_core::lifecycle::State;
use workmill_core::retention::Retention;
use workmill_core::task::NewTask;
use workmill_store::execution::{Beat, Heartbeat};
use workmill_store::intake::grow::GrowGraph;
use workmill_store::settlement::cancel::CancelMode;
use workmill_store::settlement::dead_letters::Resolution;
use workmill_store::upkeep::consistency::Place;
use workmill_store::upkeep::retention::removal::{RemoveFinished, Removed};
use workmill_store::upkeep::retention::{Position, SetRetention};
use workmill_testkit::factory::{draft, graph, task};
use workmill_testkit::invariants::violations;

use crate::actors::Queue;

const HOUR: i64 = 3600;

const AN_HOUR: Option<Duration> = Some(Duration::from_hours(1));

fn everything_after_an_hour() -> Retention {
    Retention {
        completed: AN_HOUR,
        cancelled: AN_HOUR,
        stale: AN_HOUR,
    }
}

impl Queue {
    async fn keep(&self, retention: Retention) -> Result<()> {
        let operation = SetRetention {
            ns: self.ns,
            retention,
            expected: Expected::Any,
        };
        self.run_by("ada", &operation)
            .await?
            .map_err(|refusal| anyhow::anyhow!("{refusal:?}"))?;
        Ok(())
    }

    async fn remove_page(&self, after: Position, most: i64) -> Result<Removed> {
        let ns = self.ns;
        Ok(self.store.run(&RemoveFinished { ns, after, most }).await?.0)
    }

    /// What the task pruner does, with small pages; answers how many tasks and graphs went.
    async fn remove(&self) -> Result<(usize, usize)> {
        let (mut tasks, mut graphs, mut after) = (0, 0, Position::FIRST);
        loop {
            let page = self.remove_page(after, 2).await?;
            tasks += page.tasks;
            graphs += page.graphs;
            match page.next {
                Some(next) => after = next,
                None => break,
            }
        }
        let client = self.test.database.client().await?;
        let wrong = violations(&client, self.ns.0).await?;
        assert_eq!(wrong, Vec::<String>::new());
        let sweep = self.store.find_disagreements(Place::FIRST, 1000);
        assert_eq!(sweep.await?.suspects, BTreeMap::new());
        Ok((tasks, graphs))
    }

    /// Rows about tasks, by table; empty tables are left out.
    async fn rows(&self) -> Result<BTreeMap<&'static str, i64>> {
        const TABLES: [&str; 17] = [
            "state",
            "spec",
            "edge",
            "finished",
            "attempt",
            "result",
            "late_result",
            "answer",
            "checkpoint",
            "revival",
            "resolution",
            "gated",
            "hold",
            "task_key",
            "graph",
            "lease",
            "deadline",
        ];
        let client = self.test.database.client().await?;
        let mut rows = BTreeMap::new();
        for table in TABLES {
            let count = format!("select count(*) from workmill.{table} where ns = $1");
            let count: i64 = client.query_one(&count, &[&self.ns.0]).await?.get(0);
            if count > 0 {
                rows.insert(table, count);
            }
        }
        Ok(rows)
    }

    async fn is_there(&self, task: TaskId) -> Result<bool> {
        Ok(self.store.find_task(self.ns, task).await?.is_some())
    }
}

/// A task with a row in every table that tasks have rows in.
async fn live_a_whole_life(queue: &Queue) -> Result<TaskId> {
    let agent = queue.agent("agent").await?;
    let id = queue
        .submit_task(&NewTask {
            key: Some("step-1".to_owned()),
            deadline: Some(queue.store.now().await? + jiff::SignedDuration::from_hours(48)),
            ..task("whole")
        })
        .await?;
    let again = NewTask {
        key: Some("step-1".to_owned()),
        ..task("whole, edited")
    };
    queue.edit(id, 1, &again).await?.expect("edited");
    let lease = agent.take_one().await?.lease;
    agent
        .fail(lease, Reason::AuthFailure)
        .await?
        .expect("failed");
    let revived = queue.resolve(id, Resolution::Retry).await?;
    revived.expect("it is a dead letter");
    let lease = agent.take_one().await?.lease;
    agent.fail(lease, Reason::Crash).await?.expect("failed");
    queue.pass(600);
    queue.promote().await?;
    let lease = agent.take_one().await?.lease;
    agent.block(lease, None).await?.expect("blocked");
    queue.answer(id, json!("so")).await?.expect("it was asked");
    let lease = agent.take_one().await?.lease;
    let beat = Beat {
        key: agent.key,
        lease,
        progress: None,
        checkpoint: Some(json!({"at": 1}).into()),
        usage: None,
    };
    let beats = Heartbeat {
        ns: queue.ns,
        beats: &[beat],
    };
    queue.store.run(&beats).await?.0.remove(0).expect("alive");
    queue.pass(90);
    queue.reap().await?;
    let late = agent.complete(lease, json!(1)).await?;
    late.expect("nobody has claimed it since");
    assert_eq!(queue.state(id).await?, State::Completed);
    Ok(id)
}

#[tokio::test]
async fn a_task_goes_with_everything_that_belongs_to_it_and_its_key_is_free() -> Result<()> {
    let queue = Queue::new().await?;
    let id = live_a_whole_life(&queue).await?;
    let rows = queue.rows().await?;
    for table in [
        "state",
        "spec",
        "finished",
        "attempt",
        "result",
        "late_result",
        "answer",
        "checkpoint",
        "revival",
        "resolution",
        "task_key",
    ] {
        assert!(
            rows.contains_key(table),
            "the test shows nothing of {table}"
        );
    }
    queue.keep(everything_after_an_hour()).await?;
    queue.pass(HOUR - 1);
    assert_eq!(queue.remove().await?, (0, 0));
    queue.pass(1);
    assert_eq!(queue.remove().await?, (1, 0));
    assert_eq!(queue.rows().await?, BTreeMap::new());
    assert!(!queue.is_there(id).await?);
    let anew = NewTask {
        key: Some("step-1".to_owned()),
        ..task("anew")
    };
    queue.submit_task(&anew).await?;
    Ok(())
}

#[tokio::test]
async fn each_final_state_has_its_own_age_and_what_is_alive_or_dead_lettered_never_goes()
-> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let completed = queue.submit_task(&task("completed")).await?;
    let lease = agent.take_one().await?.lease;
    agent.complete(lease, json!(1)).await?.expect("completed");
    let cancelled = queue.submit_task(&task("cancelled")).await?;
    queue.cancel(cancelled).await?.expect("cancelled");
    let once = NewTask {
        max_attempts: Some(1),
        ..task("dead")
    };
    let dead = queue.submit_task(&once).await?;
    let lease = agent.take_one().await?.lease;
    agent.fail(lease, Reason::Crash).await?.expect("failed");
    let ready = queue.submit_task(&task("ready")).await?;
    queue.pass(1000 * HOUR);
    assert_eq!(queue.remove().await?, (0, 0), "by default everything stays");
    queue
        .keep(Retention {
            completed: None,
            cancelled: AN_HOUR,
            stale: AN_HOUR,
        })
        .await?;
    assert_eq!(queue.remove().await?, (1, 0));
    assert!(!queue.is_there(cancelled).await?);
    assert!(queue.is_there(completed).await?);
    queue.keep(everything_after_an_hour()).await?;
    assert_eq!(queue.remove().await?, (1, 0));
    for id in [dead, ready] {
        assert!(queue.is_there(id).await?);
    }
    let actions = queue.audited_actions().await?;
    let set = actions.iter().filter(|action| *action == "retention.set");
    assert_eq!(set.count(), 2);
    Ok(())
}

#[tokio::test]
async fn tasks_of_a_graph_stay_until_it_has_ended_and_its_row_goes_with_the_last() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.keep(everything_after_an_hour()).await?;
    let submitted = queue
        .submit(graph(&[("a", &[]), ("b", &[0]), ("c", &[1])]))
        .await?;
    let (id, tasks) = (submitted.graph.expect("a graph"), submitted.tasks);
    let lease = agent.take_one().await?.lease;
    agent
        .complete(lease, json!("a's"))
        .await?
        .expect("completed");
    queue.pass(10 * HOUR);
    assert_eq!(queue.remove().await?, (0, 0), "b will ask for a's result");
    let claim = agent.take_one().await?;
    assert_eq!(claim.dependencies[0].output, Some(json!("a's").into()));
    agent
        .complete(claim.lease, json!(1))
        .await?
        .expect("completed");
    queue.pass(10 * HOUR);
    let lease = agent.take_one().await?.lease;
    agent.complete(lease, json!(1)).await?.expect("completed");
    assert_eq!(
        queue.remove().await?,
        (2, 0),
        "it has ended: the old ones go"
    );
    let status = queue.graph_status(id).await?;
    assert_eq!(status, workmill_core::graph::GraphStatus::Completed);
    assert!(queue.is_there(tasks[2]).await?);
    queue.pass(HOUR);
    assert_eq!(queue.remove().await?, (1, 1));
    assert_eq!(queue.rows().await?, BTreeMap::new());
    Ok(())
}

#[tokio::test]
async fn a_graph_with_a_dead_letter_has_not_ended() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.keep(everything_after_an_hour()).await?;
    queue
        .submit(graph(&[("a", &[]), ("b", &[0]), ("c", &[1])]))
        .await?;
    let lease = agent.take_one().await?.lease;
    agent.complete(lease, json!(1)).await?.expect("completed");
    let lease = agent.take_one().await?.lease;
    let dead = lease.task;
    agent
        .fail(lease, Reason::InvalidInput)
        .await?
        .expect("failed");
    assert_eq!(queue.state(dead).await?, State::DeadLettered);
    queue.pass(100 * HOUR);
    assert_eq!(queue.remove().await?, (0, 0));
    let resolved = queue.resolve(dead, Resolution::Cancel).await?;
    resolved.expect("it is dead");
    // What waited for it was cancelled with it, and waited for it in vain.
    assert_eq!(queue.remove().await?, (1, 0), "only what ended long ago");
    queue.pass(HOUR);
    assert_eq!(queue.remove().await?, (2, 1));
    assert_eq!(queue.rows().await?, BTreeMap::new());
    Ok(())
}

/// A cancelled task waits in vain for a cancelled one; the counter must stay right when one of
/// them goes.
#[tokio::test]
async fn what_stays_behind_agrees_with_itself() -> Result<()> {
    let queue = Queue::new().await?;
    let submitted = queue
        .submit(graph(&[("a", &[]), ("b", &[0]), ("c", &[1])]))
        .await?;
    let graph = submitted.graph.expect("a graph");
    queue.cancel_graph(graph, CancelMode::Now).await?;
    queue.keep(everything_after_an_hour()).await?;
    queue.pass(HOUR);
    for left in [2, 1, 0] {
        // One by one, in the order in which they wait for each other.
        let page = queue.remove_page(Position::FIRST, 1).await?;
        assert_eq!((page.tasks, page.graphs), (1, usize::from(left == 0)));
        let client = queue.test.database.client().await?;
        let wrong = violations(&client, queue.ns.0).await?;
        assert_eq!(wrong, Vec::<String>::new(), "{left} left");
        let sweep = queue.store.find_disagreements(Place::FIRST, 10);
        assert_eq!(sweep.await?.suspects, BTreeMap::new(), "{left} left");
    }
    Ok(())
}

#[tokio::test]
async fn a_cancelled_task_that_an_agent_still_holds_stays() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.keep(everything_after_an_hour()).await?;
    let id = queue.submit_task(&task("a")).await?;
    let lease = agent.take_one().await?.lease;
    queue.cancel(id).await?.expect("cancelled");
    queue.pass(HOUR);
    assert_eq!(queue.remove().await?, (0, 0));
    agent.release(lease).await?.ok();
    queue.reap().await?;
    assert_eq!(queue.remove().await?, (1, 0));
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_graph_that_grows_between_the_look_and_the_lock_stays() -> Result<()> {
    let queue = Arc::new(Queue::new().await?);
    let agent = queue.agent("agent").await?;
    queue.keep(everything_after_an_hour()).await?;
    let submitted = queue.submit(graph(&[("a", &[])])).await?;
    let lease = agent.take_one().await?.lease;
    agent.complete(lease, json!(1)).await?.expect("completed");
    queue.pass(HOUR);
    let mut found = queue.store.test_points.pause_at("retention.found");
    let removing = tokio::spawn({
        let queue = Arc::clone(&queue);
        async move { queue.remove_page(Position::FIRST, 10).await }
    });
    let paused = found.arrival().await;
    queue.store.test_points.disarm("retention.found");
    let grow = GrowGraph {
        ns: queue.ns,
        graph: submitted.graph.expect("a graph"),
        created_by: "test",
        key: None,
        tasks: &[draft(&task("b"))],
        idempotency: None,
    };
    queue.store.run(&grow).await?.0.expect("grown");
    paused.go_on();
    assert_eq!(removing.await??.tasks, 0);
    assert!(queue.is_there(submitted.tasks[0]).await?);
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn overlapping_runs_remove_each_task_once() -> Result<()> {
    const TASKS: usize = 200;
    let queue = Arc::new(Queue::new().await?);
    queue.keep(everything_after_an_hour()).await?;
    let titles = vec![("a", &[][..]); TASKS];
    let submitted = queue.submit(graph(&titles)).await?;
    let graph = submitted.graph.expect("a graph");
    queue.cancel_graph(graph, CancelMode::Now).await?;
    queue.pass(HOUR);
    let runs = (0..4).map(|_| {
        let queue = Arc::clone(&queue);
        tokio::spawn(async move { queue.remove_page(Position::FIRST, 1000).await })
    });
    let (mut tasks, mut graphs) = (0, 0);
    for run in runs.collect::<Vec<_>>() {
        let removed = run.await??;
        tasks += removed.tasks;
        graphs += removed.graphs;
    }
    assert_eq!((tasks, graphs), (TASKS, 1));
    assert_eq!(queue.rows().await?, BTreeMap::new());
    Ok(())
}

#[tokio::test]
async fn a_dry_run_says_what_goes() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    for _ in 0..3 {
        queue.submit_task(&task("a")).await?;
        let lease = agent.take_one().await?.lease;
        agent.complete(lease, json!(1)).await?.expect("completed");
    }
    let cancelled = queue.submit_task(&task("b")).await?;
    queue.cancel(cancelled).await?.expect("cancelled");
    queue.submit(graph(&[("a", &[]), ("b", &[0])])).await?;
    let lease = agent.take_one().await?.lease;
    agent.complete(lease, json!(1)).await?.expect("completed");
    queue.pass(HOUR);
    let (first, retention) = (Position::FIRST, everything_after_an_hour());
    let due = queue
        .store
        .count_due_tasks(queue.ns, &retention, first, 100)
        .await?;
    let expected = BTreeMap::from([(State::Completed, 3), (State::Cancelled, 1)]);
    assert_eq!((due.tasks, due.kept_for_now, due.next), (expected, 1, None));
    assert_eq!(queue.remove().await?, (0, 0), "nothing was set");
    queue.keep(retention).await?;
    assert_eq!(queue.remove().await?, (4, 0));
    Ok(())
}
