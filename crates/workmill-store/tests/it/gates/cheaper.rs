//! What an attempt has cost leaves its task less to spend, however it ended: an agent that could not
//! afford the task before can do so then.

use anyhow::Result;
use futures_util::try_join;
use workmill_core::failure::Reason;
use workmill_core::gate::{Gate, Purse};
use workmill_core::ids::TaskId;
use workmill_core::money::Micros;
use workmill_core::task::NewTask;
use workmill_store::intake::TaskDraft;
use workmill_store::intake::spawn::Spawn;
use workmill_store::intake::spawning::SpawnLimits;
use workmill_store::settlement::dead_letters::{Redraft, Resolution};
use workmill_store::settlement::{Ending, Refusal};
use workmill_testkit::factory::{draft, task};

use super::spent;
use crate::actors::{KEY, Queue};

const DOLLAR: i64 = 1_000_000;

/// A task for eight dollars, an agent that has one dollar, and one that has any.
async fn queue_of_one() -> Result<(Queue, TaskId)> {
    let queue = Queue::new().await?;
    let budget = Gate::Budget(Purse::Agent("poor".to_owned()));
    queue.set_gate(budget, DOLLAR).await?;
    let mut asked = task("work");
    asked.spec.constraints.max_cost_usd = Some(Micros(8 * DOLLAR));
    let id = queue.submit_task(&asked).await?;
    let poor = queue.agent("poor").await?;
    assert!(poor.take(1).await?.is_empty(), "it is too dear");
    Ok((queue, id))
}

/// Ends an attempt that has cost 7.50 dollars.
async fn end(queue: &Queue, ending: Ending) -> Result<()> {
    let lease = queue.agent("rich").await?.take_one().await?.lease;
    let spent = spent(7 * DOLLAR + DOLLAR / 2);
    let settled = queue.settle_with(KEY, lease, ending, spent).await?;
    settled.expect("it is alive");
    Ok(())
}

fn failed(reason: Reason) -> Ending {
    Ending::Fail {
        reason,
        message: "it broke".to_owned(),
        details: None,
        retry_after_ms: None,
    }
}

async fn is_affordable(queue: &Queue, id: TaskId) -> Result<()> {
    let poor = queue.agent("poor").await?;
    assert_eq!(poor.take_one().await?.lease.task, id);
    assert_eq!(queue.keep_gates().await?.mended, 0);
    Ok(())
}

/// F-18 (part): after a release.
#[tokio::test]
async fn a_released_attempt_has_cost_something_too() -> Result<()> {
    let (queue, id) = queue_of_one().await?;
    end(&queue, Ending::Release).await?;
    is_affordable(&queue, id).await
}

/// A submission that adds the same lane may hold it and wait for the gates: they would wait for each
/// other.
#[tokio::test]
async fn a_settlement_that_waits_for_a_lane_does_not_hold_the_gates() -> Result<()> {
    let (queue, id) = queue_of_one().await?;
    end(&queue, Ending::Release).await?;
    let client = queue.test.database.client().await?;
    let cheaper = "select l.lane, l.asks::text from workmill.state s
        join workmill.lane l on l.ns = s.ns and l.lane = s.lane where s.ns = $1 and s.task = $2";
    let cheaper = client.query_one(cheaper, &[&queue.ns.0, &id.0]).await?;
    let (lane, asks): (i64, String) = (cheaper.get(0), cheaper.get(1));

    let (queue, _) = queue_of_one().await?;
    let client = queue.test.database.client().await?;
    client.batch_execute("begin").await?;
    let insert = "insert into workmill.lane (ns, lane, asks, seen_at)
        values ($1, $2, $3::text::jsonb, now())";
    client.execute(insert, &[&queue.ns.0, &lane, &asks]).await?;
    let gates = async {
        queue.lock_is_waited_for().await?;
        let other = queue.test.database.client().await?;
        let lock = "select from workmill.anchor where ns = $1 for update nowait";
        let locked = other.query(lock, &[&queue.ns.0]).await;
        client.batch_execute("rollback").await?;
        assert_eq!(locked?.len(), 1, "the settlement does not hold them");
        Ok(())
    };
    try_join!(end(&queue, Ending::Release), gates).map(drop)
}

/// F-18 (part): an agent whose lease was lost tells late what it has spent.
#[tokio::test]
async fn what_is_told_late_of_a_ready_task_counts() -> Result<()> {
    let (queue, id) = queue_of_one().await?;
    let lease = queue.agent("rich").await?.take_one().await?.lease;
    queue.pass(86_400);
    assert_eq!(queue.reap().await?.len(), 1);
    queue.pass(86_400);
    queue.promote().await?;
    let poor = queue.agent("poor").await?;
    assert!(poor.take(1).await?.is_empty(), "it is too dear yet");
    let spent = spent(7 * DOLLAR + DOLLAR / 2);
    let late = queue.settle_with(KEY, lease, failed(Reason::Network), spent);
    assert_eq!(late.await?, Err(Refusal::TooLate));
    is_affordable(&queue, id).await
}

/// F-18 (part), F-26 (part): a dead letter that is sent round again.
#[tokio::test]
async fn a_dead_letter_has_less_to_spend_when_it_goes_round_again() -> Result<()> {
    for resolution in [Resolution::Retry, Resolution::ModifyAndRetry(&AsItWas)] {
        let (queue, id) = queue_of_one().await?;
        end(&queue, failed(Reason::InvalidInput)).await?;
        let resolved = queue.resolve(id, resolution).await?;
        resolved.expect("it is a dead letter");
        is_affordable(&queue, id).await?;
    }
    Ok(())
}

/// F-18 (part): the budgets of spawned tasks come out of the budget of the task that spawned them.
#[tokio::test]
async fn a_task_that_gave_its_budget_to_another_moves_to_a_cheaper_lane() -> Result<()> {
    let (queue, id) = queue_of_one().await?;
    let rich = queue.agent("rich").await?;
    let lease = rich.take_one().await?.lease;
    let mut child = task("child");
    child.spec.constraints.max_cost_usd = Some(Micros(7 * DOLLAR + DOLLAR / 2));
    let spawn = Spawn {
        ns: queue.ns,
        key: KEY,
        lease,
        created_by: "agent",
        tasks: &[draft(&child)],
        wait: true,
        idempotency: None,
        limits: SpawnLimits::Limited {
            per_lease: 10,
            per_graph: 10,
        },
    };
    let spawned = queue.store.run(&spawn).await?.0;
    let spawned = spawned.expect("spawned").tasks;
    let of_child = rich.take_one().await?.lease;
    assert_eq!(vec![of_child.task], spawned);
    rich.complete(of_child, 1.into()).await?.expect("completed");
    is_affordable(&queue, id).await
}

/// Writes a task again as it was asked for.
#[derive(Debug)]
struct AsItWas;

impl Redraft for AsItWas {
    fn redraft(&self, asked: NewTask) -> Result<TaskDraft, String> {
        Ok(draft(&asked))
    }
}
