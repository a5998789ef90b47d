//! Money: reserved with the claim, settled with the outcome.

use anyhow::Result;
use workmill_core::failure::Reason;
use workmill_core::gate::{Gate, Purse};
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;
use workmill_core::task::NewTask;
use workmill_store::Store;
use workmill_store::clock::Clock;
use workmill_store::gates::change::GateChange;
use workmill_store::settlement::{Ending, Settle, Settlement, Settler};
use workmill_testkit::factory::{draft, graph, singles, task};

use super::{spent, tasks_of, used};
use crate::actors::{Agent, Queue};

fn costs(dollars: i64) -> NewTask {
    let mut task = task("costs");
    task.spec.constraints.max_cost_usd = Some(Micros(dollars * 1_000_000));
    task
}

fn dollars(amount: i64) -> i64 {
    amount * 1_000_000
}

async fn complete_for(
    agent: &Agent<'_>,
    lease: workmill_core::ids::LeaseId,
    cost_micros: i64,
) -> Result<()> {
    let ending = Ending::Complete {
        output: serde_json::value::to_raw_value(&1)?,
        artifacts: Vec::new(),
    };
    let spent = spent(cost_micros);
    agent
        .queue
        .settle_with(agent.key, lease, ending, spent)
        .await?
        .expect("accepted");
    Ok(())
}

/// F-18, F-37
#[tokio::test]
async fn no_more_is_reserved_than_the_namespace_may_spend() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let budget = Gate::Budget(Purse::Namespace);
    queue.set_gate(budget.clone(), dollars(10)).await?;
    let ids = queue
        .submit(singles(&[costs(4), costs(5), costs(2), costs(1)]))
        .await?
        .tasks;
    let claimed = agent.take(10).await?;
    assert_eq!(
        tasks_of(&claimed),
        [ids[0], ids[1], ids[3]],
        "two would be too much"
    );
    assert_eq!(queue.gate(&budget).await?.used, dollars(10));

    // Cheaper than it might have been: what is left over is there for the next one.
    complete_for(&agent, claimed[0].lease, dollars(2)).await?;
    assert_eq!(tasks_of(&agent.take(10).await?), [ids[2]]);
    let gate = queue.gate(&budget).await?;
    assert_eq!((gate.used, gate.spent), (dollars(10), dollars(2)));
    assert_eq!(queue.keep_gates().await?.mended, 0);
    Ok(())
}

/// F-37: an exhausted graph waits, and asks; raising its budget is one call.
#[tokio::test]
async fn a_graph_that_is_out_of_money_waits_until_it_is_raised() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let mut submission = graph(&[("a", &[]), ("b", &[]), ("c", &[])]);
    submission.tasks = (0..3).map(|_| draft(&costs(1))).collect();
    let submitted = queue.submit(submission).await?;
    let whole = submitted.graph.expect("a graph");
    let budget = Gate::Budget(Purse::Graph(whole));
    queue.set_gate(budget.clone(), dollars(2)).await?;
    let other = queue.submit_task(&costs(50)).await?;

    let claimed = agent.take(10).await?;
    assert_eq!(claimed.len(), 3, "two of the graph and the other one");
    assert!(tasks_of(&claimed).contains(&other));
    let told: Vec<String> = queue.events_named("budget.").await?;
    assert_eq!(told, ["budget.used_up", "budget.nearly_used_up"]);
    for claim in &claimed[..2] {
        complete_for(&agent, claim.lease, dollars(1)).await?;
    }
    assert!(agent.take(10).await?.is_empty(), "it is spent");
    let raise = GateChange::Raise {
        gate: budget.clone(),
        by: dollars(1),
    };
    queue.change_gates(&[raise]).await?;
    assert_eq!(agent.take(10).await?.len(), 1);
    assert_eq!(queue.gate(&budget).await?.used, dollars(3));
    let told = queue.events_named("budget.").await?;
    assert_eq!(told.len(), 3, "once for each budget: {told:?}");
    Ok(())
}

/// F-18: what one agent cannot afford another one may.
#[tokio::test]
async fn an_agent_without_the_money_leaves_the_task_to_others() -> Result<()> {
    let queue = Queue::new().await?;
    let (poor, rich) = (queue.agent("poor").await?, queue.agent("rich").await?);
    let budget = Gate::Budget(Purse::Agent("poor".to_owned()));
    queue.set_gate(budget, dollars(3)).await?;
    let ids = queue
        .submit(singles(&[costs(5), costs(2), costs(2)]))
        .await?
        .tasks;
    assert_eq!(tasks_of(&poor.take(10).await?), [ids[1]]);
    assert_eq!(tasks_of(&rich.take(10).await?), [ids[0], ids[2]]);
    Ok(())
}

/// F-37: a day is the one of the claim.
#[tokio::test]
async fn each_day_has_its_budget() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let change = GateChange::Set {
        gate: Gate::Budget(Purse::EachDay),
        cap: dollars(3),
        note: None,
        time_zone: Some("Europe/Berlin".to_owned()),
    };
    queue.change_gates(&[change]).await?;
    let ids = queue
        .submit(singles(&[costs(2), costs(2), costs(2)]))
        .await?
        .tasks;
    let first = agent.take(10).await?;
    assert_eq!(tasks_of(&first), [ids[0]]);
    assert!(agent.take(10).await?.is_empty());
    queue.pass(24 * 3600);
    queue.keep_gates().await?;
    let second = agent.take(10).await?;
    assert_eq!(tasks_of(&second), [ids[1]]);
    // Paid from the day it was claimed on: today's budget is not touched.
    complete_for(&agent, second[0].lease, 0).await?;
    assert_eq!(tasks_of(&agent.take(10).await?), [ids[2]]);
    let days: Vec<i64> = queue
        .store
        .find_gates(queue.ns)
        .await?
        .into_iter()
        .filter(|gate| matches!(gate.gate, Gate::Budget(Purse::Day(_))))
        .map(|gate| gate.used)
        .collect();
    assert_eq!(days, [dollars(2), dollars(2)]);
    Ok(())
}

/// F-37: the cost of failed attempts counts, and an attempt may cost what the ones before it left.
#[tokio::test]
async fn failed_attempts_are_paid_for() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let budget = Gate::Budget(Purse::Namespace);
    queue.set_gate(budget.clone(), dollars(10)).await?;
    let id = queue.submit_task(&costs(4)).await?;
    let first = agent.take_one().await?;
    let ending = Ending::Fail {
        reason: Reason::Crash,
        message: "boom".to_owned(),
        details: None,
        retry_after_ms: None,
    };
    let spent = spent(dollars(1));
    queue
        .settle_with(agent.key, first.lease, ending, spent)
        .await?
        .expect("accepted");
    assert_eq!(queue.gate(&budget).await?.used, dollars(1));
    queue.pass(3600);
    queue.promote().await?;
    assert_eq!(agent.take_one().await?.lease.task, id);
    let gate = queue.gate(&budget).await?;
    assert_eq!(
        (gate.spent, gate.used),
        (dollars(1), dollars(4)),
        "three are left to it"
    );
    Ok(())
}

/// F-37: an attempt that passes what its task may cost is told to stop, and ends so.
#[tokio::test]
async fn an_attempt_that_costs_too_much_is_told_to_stop() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&costs(4)).await?;
    let lease = agent.take_one().await?.lease;
    let beat = agent.heartbeat_with(lease, used(dollars(4))).await?;
    assert_eq!(beat.expect("alive").stop, None);
    let beat = agent.heartbeat_with(lease, used(dollars(4) + 1)).await?;
    assert_eq!(
        beat.expect("alive").stop.as_deref(),
        Some("budget_exceeded")
    );
    agent.fail(lease, Reason::Crash).await?.expect("accepted");
    let task = queue.task(id).await?;
    assert_eq!(task.state, State::DeadLettered);
    assert_eq!(task.attempts[0].reason, Some(Reason::BudgetExceeded));
    Ok(())
}

/// F-37: what an attempt costs beyond its reservation is reserved while it runs, as long as there
/// is something left.
#[tokio::test]
async fn an_attempt_without_a_maximum_goes_on_while_there_is_money() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let budget = Gate::Budget(Purse::Namespace);
    queue.set_gate(budget.clone(), dollars(3)).await?;
    let ids = queue
        .submit(singles(&[task("unbounded"), costs(1)]))
        .await?
        .tasks;
    let claimed = agent.take(10).await?;
    assert_eq!(tasks_of(&claimed), ids);
    let lease = claimed[0].lease;
    let beat = agent.heartbeat_with(lease, used(dollars(2))).await?;
    assert_eq!(beat.expect("alive").stop, None);
    assert_eq!(queue.gate(&budget).await?.used, dollars(3));
    let beat = agent.heartbeat_with(lease, used(dollars(2) + 1)).await?;
    assert_eq!(
        beat.expect("alive").stop.as_deref(),
        Some("budget_exceeded")
    );
    agent.release(lease).await?.expect("accepted");
    let gate = queue.gate(&budget).await?;
    assert_eq!(
        (gate.used, gate.spent),
        (dollars(3) + 1, dollars(2) + 1),
        "paid is paid"
    );
    assert_eq!(queue.keep_gates().await?.mended, 0);
    Ok(())
}

/// F-37: whichever server hears of it, and whatever it knows of gates by then.
#[tokio::test]
async fn what_was_spent_counts_where_nobody_has_asked_for_gates_yet() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let budget = Gate::Budget(Purse::Namespace);
    queue.set_gate(budget.clone(), dollars(10)).await?;
    queue.submit_task(&costs(4)).await?;
    let claimed = agent.take_one().await?;
    let (clock, url) = (queue.test.clock.clone(), queue.test.database.url());
    let other = Store::with_clock(url, 1, Clock::Manual(clock))?;
    let settlement = Settlement {
        settler: Settler::Key(agent.key),
        lease: claimed.lease,
        ending: Ending::Release,
        spent: spent(dollars(1)),
        random: 0.5,
    };
    let operation = Settle {
        ns: queue.ns,
        settlements: &[settlement],
    };
    other.run(&operation).await?.0.remove(0).expect("accepted");
    let gate = queue.gate(&budget).await?;
    assert_eq!((gate.used, gate.spent), (dollars(1), dollars(1)));
    Ok(())
}

fn each_day(cap: i64) -> GateChange {
    GateChange::Set {
        gate: Gate::Budget(Purse::EachDay),
        cap,
        note: None,
        time_zone: None,
    }
}

/// F-37: like any other budget, also when it is taken away and comes back.
#[tokio::test]
async fn a_budget_of_each_day_counts_what_runs_when_it_is_set() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.submit(singles(&[costs(2), costs(2)])).await?;
    let first = agent.take_one().await?;
    queue.change_gates(&[each_day(dollars(3))]).await?;
    assert!(agent.take(1).await?.is_empty(), "two are reserved already");

    queue.remove_gate(Gate::Budget(Purse::EachDay)).await?;
    let second = agent.take_one().await?;
    queue.keep_gates().await?;
    queue.change_gates(&[each_day(dollars(3))]).await?;
    for claim in [first, second] {
        complete_for(&agent, claim.lease, dollars(1)).await?;
    }
    let gates = queue.store.find_gates(queue.ns).await?;
    let used: Vec<i64> = gates.iter().map(|gate| gate.used).collect();
    assert_eq!(used, [dollars(2), 0], "today's, and nothing of each day's");
    assert_eq!(queue.keep_gates().await?.mended, 0);
    Ok(())
}

/// A task that has spent all it may asks for no more, and passes where nothing is left.
#[tokio::test]
async fn what_asks_for_nothing_is_let_in_where_all_is_spent() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let budget = Gate::Budget(Purse::Namespace);
    queue.set_gate(budget.clone(), dollars(1)).await?;
    let id = queue.submit_task(&costs(1)).await?;
    let claimed = agent.take_one().await?;
    let spent = spent(dollars(2));
    queue
        .settle_with(agent.key, claimed.lease, Ending::Release, spent)
        .await?
        .expect("accepted");
    assert!(agent.take(1).await?.is_empty(), "it is overdrawn");
    queue.set_gate(budget, dollars(2)).await?;
    queue.keep_gates().await?;
    assert_eq!(tasks_of(&agent.take(1).await?), [id]);
    Ok(())
}
