//! What the `task` command builds on: one plan with blockers, claims that take over, leases that
//! only their holder renews.

use std::time::Duration;

use anyhow::Result;
use serde_json::json;
use tokio::time::timeout;
use workmill_core::ids::TaskId;
use workmill_core::json_text::JsonText;
use workmill_core::lifecycle::State;
use workmill_core::policy::Profile;
use workmill_core::task::NewTask;
use workmill_store::intake::edges::EdgeRefusal;
use workmill_store::intake::{Dependency, NewGraph, Submission, TaskDraft};
use workmill_store::settlement::Refusal;
use workmill_testkit::factory::{draft, task};

use crate::actors::{Agent, OTHER_KEY, Queue};

/// Far longer than a claim takes that waits for nobody.
const LONG: Duration = Duration::from_secs(30);

fn step(title: &str) -> NewTask {
    NewTask {
        profile: Profile::Task,
        ..task(title)
    }
}

/// The tasks of one plan, each with the places of its blockers.
async fn plan(queue: &Queue, steps: &[(&str, &[usize])]) -> Result<Vec<TaskId>> {
    let drafts = steps.iter().map(|(title, blockers)| TaskDraft {
        depends_on: blockers.iter().copied().map(Dependency::New).collect(),
        ..draft(&step(title))
    });
    let submission = Submission {
        created_by: "planner".to_owned(),
        key: None,
        graph: Some(NewGraph {
            title: "plan".to_owned(),
            is_draft: false,
            budget: None,
            project: None,
        }),
        idempotency: None,
        tasks: drafts.collect(),
    };
    Ok(queue.submit(submission).await?.tasks)
}

/// T-3: everything a claim says and does is one transaction.
#[tokio::test]
async fn a_claim_assigns_leases_and_hands_over_what_the_blockers_put_out_at_once() -> Result<()> {
    let queue = Queue::new().await?;
    let (gone, next) = (queue.agent("gone").await?, queue.agent("next").await?);
    let blockers: &[usize] = &[0, 1];
    let ids = plan(&queue, &[("a", &[]), ("b", &[]), ("c", blockers)]).await?;
    for blocker in gone.take(2).await? {
        let output = json!({"built": blocker.lease.task});
        gone.complete(blocker.lease, output).await?.expect("done");
    }
    let client = queue.test.database.client().await?;
    let transactions = "select count(*) from workmill.event";
    let before: i64 = client.query_one(transactions, &[]).await?.get(0);
    let claim = gone
        .try_claim(1, false)
        .await?
        .expect("may claim")
        .remove(0);
    let after: i64 = client.query_one(transactions, &[]).await?.get(0);
    assert_eq!(after - before, 1, "one transaction tells all of it");

    assert_eq!((claim.lease.task, claim.state), (ids[2], State::Running));
    assert_eq!((claim.ttl_ms, claim.attempt), (600_000, 1));
    let row: NewTask = serde_json::from_str(claim.body.get())?;
    assert_eq!(row, step("c"), "the full row");
    let handed: Vec<_> = claim
        .dependencies
        .iter()
        .map(|blocker| (blocker.task, blocker.output.as_ref().map(JsonText::value)))
        .collect();
    let built = |id: TaskId| (id, Some(json!({"built": id})));
    assert_eq!(handed, [built(ids[0]), built(ids[1])]);
    let holder = queue.task(ids[2]).await?.running.expect("leased");
    assert_eq!((holder.agent.as_str(), holder.epoch), ("gone", 1));

    queue.pass(600);
    queue.reap().await?;
    let taken_over = next.take_one().await?;
    assert_eq!(taken_over.lease.task, ids[2]);
    assert_eq!(taken_over.attempt, 2, "taking over counts a retry");
    assert_eq!(taken_over.dependencies.len(), 2);
    Ok(())
}

/// T-3 F-16: what somebody else has in hand is passed over, not waited for.
#[tokio::test]
async fn a_claim_takes_the_next_task_while_another_transaction_holds_the_first() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let ids = plan(&queue, &[("first", &[]), ("second", &[])]).await?;
    let mut client = queue.test.database.client().await?;
    let holding = client.transaction().await?;
    let hold = "select 1 from workmill.state where task = $1 for update";
    holding.query_one(hold, &[&ids[0].0]).await?;
    let claim = timeout(LONG, agent.take_one()).await??;
    assert_eq!(claim.lease.task, ids[1]);
    assert!(timeout(LONG, agent.take(1)).await??.is_empty());
    holding.rollback().await?;
    assert_eq!(agent.take_one().await?.lease.task, ids[0]);
    Ok(())
}

/// T-5: to renew is to send a heartbeat.
#[tokio::test]
async fn only_the_current_holder_renews_a_lease() -> Result<()> {
    let queue = Queue::new().await?;
    let (holder, next) = (queue.agent("holder").await?, queue.agent("next").await?);
    let id = plan(&queue, &[("step", &[])]).await?[0];
    let lease = holder.take_one().await?.lease;
    for _ in 0..3 {
        queue.pass(599);
        let alive = holder.heartbeat(lease).await?.expect("renewed");
        assert_eq!(alive.expires_in_ms, 600_000, "the whole time from now on");
        assert!(queue.reap().await?.is_empty());
    }
    let stranger = Agent {
        queue: &queue,
        name: "holder",
        key: OTHER_KEY,
    };
    queue.pass(300);
    assert!(stranger.heartbeat(lease).await?.is_err());
    queue.pass(300);
    assert_eq!(queue.reap().await?.len(), 1, "a stranger renewed nothing");

    let current = next.take_one().await?.lease;
    assert_eq!(current.task, id);
    queue.pass(599);
    assert_eq!(holder.heartbeat(lease).await?, Err(Refusal::LeaseLost));
    assert_eq!(holder.resume(lease).await?, Err(Refusal::LeaseLost));
    queue.pass(1);
    assert_eq!(queue.reap().await?.len(), 1, "who lost it renewed nothing");
    Ok(())
}

/// T-9
#[tokio::test]
async fn a_blocked_task_is_claimed_when_its_blockers_are_done_or_taken_away() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let ids = plan(&queue, &[("a", &[]), ("b", &[]), ("c", &[])]).await?;
    let (a, b, c) = (ids[0], ids[1], ids[2]);
    assert_eq!(queue.add_edge(a, b).await?, Ok(true));
    assert_eq!(queue.add_edge(a, c).await?, Ok(true));
    let claims = agent.take(3).await?;
    let claimed: Vec<_> = claims.iter().map(|claim| claim.lease.task).collect();
    assert_eq!(claimed, [b, c], "what is blocked is not claimed");
    agent
        .complete(claims[0].lease, json!("b"))
        .await?
        .expect("done");
    assert!(agent.take(1).await?.is_empty(), "one blocker is left");
    assert_eq!(queue.remove_edge(a, c).await?, Ok(true));
    let claim = agent.take_one().await?;
    assert_eq!(claim.lease.task, a);
    let blockers: Vec<_> = claim.dependencies.iter().map(|one| one.task).collect();
    assert_eq!(blockers, [b], "what does not block it is not handed over");
    assert_eq!(
        queue.remove_edge(a, c).await?,
        Ok(false),
        "it is gone already"
    );
    Ok(())
}

/// T-9
#[tokio::test]
async fn done_and_deleted_blockers_do_not_block() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let steps: [(&str, &[usize]); 4] =
        [("done", &[]), ("deleted", &[]), ("new", &[]), ("old", &[1])];
    let ids = plan(&queue, &steps).await?;
    let (done, deleted, new, old) = (ids[0], ids[1], ids[2], ids[3]);
    let lease = agent.take_one().await?.lease;
    assert_eq!(lease.task, done);
    agent.complete(lease, json!(1)).await?.expect("done");
    assert_eq!(queue.state(old).await?, State::Pending);
    queue.cancel(deleted).await?.expect("deleted");
    assert_eq!(
        queue.state(old).await?,
        State::Ready,
        "deleting a blocker frees what it blocked"
    );
    for blocker in [done, deleted] {
        assert_eq!(queue.add_edge(new, blocker).await?, Ok(true));
        assert_eq!(queue.state(new).await?, State::Ready);
    }
    let claims = agent.take(3).await?;
    let claimed: Vec<_> = claims.iter().map(|claim| claim.lease.task).collect();
    assert_eq!(claimed, [new, old]);
    let handed: Vec<_> = claims[0]
        .dependencies
        .iter()
        .map(|one| {
            (
                one.task,
                one.state,
                one.output.as_ref().map(JsonText::value),
            )
        })
        .collect();
    let expected = [
        (done, State::Completed, Some(json!(1))),
        (deleted, State::Cancelled, None),
    ];
    assert_eq!(handed, expected);
    Ok(())
}

/// T-9: blocks that would close a circle are refused, unlike in the source; see the cycle check of
/// every edge.
#[tokio::test]
async fn a_block_that_would_close_a_circle_is_refused_and_changes_nothing() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let ids = plan(&queue, &[("a", &[]), ("b", &[0])]).await?;
    let refused = queue.add_edge(ids[0], ids[1]).await?;
    assert_eq!(
        refused,
        Err(EdgeRefusal::Cycle(vec![ids[0], ids[1], ids[0]]))
    );
    assert_eq!(agent.take_one().await?.lease.task, ids[0]);
    Ok(())
}
