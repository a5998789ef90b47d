//! Gates that are set while claims run: no claim exceeds them from the moment that they are answered.

use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::json;
use serde_json::value::to_raw_value;
use tokio::time::timeout;
use workmill_core::gate::{Gate, Limited, Paused, Purse};
use workmill_core::money::Micros;
use workmill_core::task::NewTask;
use workmill_store::clock::Clock;
use workmill_store::dispatch::claim::{ClaimAnswer, ClaimRequest};
use workmill_store::dispatch::hand_over::HandOver;
use workmill_store::gates::change::{ChangeGates, GateChange, PATIENCE};
use workmill_store::intake::{NewGraph, Submission};
use workmill_store::settlement::{Ending, Settler};
use workmill_store::{Store, StoreError};
use workmill_testkit::factory::{singles, task};

use super::spent;
use crate::actors::{KEY, Queue, SOON};

const ONE: i64 = 1_000_000;

fn limit() -> Gate {
    Gate::Limit(Limited::Type("code".to_owned()))
}

fn set(gate: Gate, cap: i64) -> GateChange {
    GateChange::Set {
        gate,
        cap,
        note: None,
        time_zone: None,
    }
}

fn costing(most: i64) -> NewTask {
    let mut task = task("work");
    task.spec.constraints.max_cost_usd = Some(Micros(most));
    task
}

fn with_budget(budget: i64, tasks: &[NewTask]) -> Submission {
    Submission {
        graph: Some(NewGraph {
            title: "graph".to_owned(),
            is_draft: false,
            budget: Some(Micros(budget)),
            project: None,
        }),
        ..singles(tasks)
    }
}

fn request(agent: &str, most: i32) -> ClaimRequest {
    ClaimRequest {
        key: KEY,
        agent: agent.to_owned(),
        most,
        start: true,
        request: None,
        selection: workmill_core::lane::Selection::default(),
        lease_ms: None,
    }
}

impl Queue {
    /// Another server on the same database.
    fn another_server(&self) -> Result<Store> {
        let clock = Clock::Manual(self.test.clock.clone());
        Ok(Store::with_clock(self.test.database.url(), 4, clock)?)
    }

    fn change<'a>(&self, changes: &'a [GateChange], patience: Duration) -> ChangeGates<'a> {
        ChangeGates {
            ns: self.ns,
            by: "operator",
            changes,
            patience,
        }
    }

    /// Submits and claims in one transaction.
    async fn hand_over(
        &self,
        submission: &Submission,
        requests: &[ClaimRequest],
    ) -> Result<Vec<ClaimAnswer>, StoreError> {
        let operation = HandOver {
            ns: self.ns,
            submission,
            requests,
        };
        let ((entered, claimed), _) = self.store.run(&operation).await?;
        entered.expect("it breaks no rule");
        Ok(claimed)
    }
}

/// Sets a gate while a claim has found that there is none, and expects that what this claim gets counts.
async fn what_a_claim_gets_meanwhile_counts(change: GateChange, used: i64) -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.submit(singles(&[costing(ONE), costing(ONE)])).await?;
    let other = queue.another_server()?;
    let mut picked = queue.store.test_points.pause_at("claim.picked");
    let gates = [change];
    let operation = queue.change(&gates, PATIENCE);
    let (claimed, changed) = tokio::join!(agent.take(1), async {
        let paused = picked.arrival().await;
        drop(picked);
        let setting = other.change_gates(None, &operation);
        let (changed, waited) = tokio::join!(setting, async {
            let waited = queue.lock_is_waited_for().await;
            paused.go_on();
            waited
        });
        waited?;
        anyhow::Ok(changed?.0.expect("the gate is there"))
    });
    let (claimed, changed) = (claimed?, changed?);
    assert_eq!(claimed.len(), 1);
    assert_eq!(changed[0].after.as_ref().expect("it is set").used, used);
    assert!(agent.take(1).await?.is_empty(), "there is no room");
    assert_eq!(queue.keep_gates().await?.mended, 0);
    Ok(())
}

/// H-8 (part), A-11
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_limit_counts_what_a_claim_gets_while_it_is_set() -> Result<()> {
    what_a_claim_gets_meanwhile_counts(set(limit(), 1), 1).await
}

/// F-18, F-37
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_budget_counts_what_a_claim_gets_while_it_is_set() -> Result<()> {
    what_a_claim_gets_meanwhile_counts(set(Gate::Budget(Purse::Namespace), ONE), ONE).await
}

/// A day's budget begins with what runs.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_budget_of_each_day_counts_what_a_claim_gets_while_it_is_set() -> Result<()> {
    let change = set(Gate::Budget(Purse::EachDay), ONE);
    what_a_claim_gets_meanwhile_counts(change, 0).await
}

/// F-37
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_that_lowers_its_budget_counts_what_it_gets_meanwhile() -> Result<()> {
    let gate = Gate::Budget(Purse::Agent("agent".to_owned()));
    let change = GateChange::Leave {
        gate,
        left: ONE,
        only_lower: true,
    };
    what_a_claim_gets_meanwhile_counts(change, ONE).await
}

/// F-37: what a running attempt has reserved is part of what the agent may spend from now on.
#[tokio::test]
async fn the_remaining_budget_of_an_agent_includes_what_its_attempts_have_reserved() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.submit(singles(&[costing(4 * ONE)])).await?;
    let gate = Gate::Budget(Purse::Agent("agent".to_owned()));
    queue.set_gate(gate.clone(), 20 * ONE).await?;
    let held = agent.take(1).await?[0].lease;
    let leave = |left, only_lower| GateChange::Leave {
        gate: gate.clone(),
        left,
        only_lower,
    };
    for (change, left) in [
        (leave(30 * ONE, true), 20 * ONE),
        (leave(5 * ONE, true), 5 * ONE),
        (leave(7 * ONE, true), 5 * ONE),
        (leave(7 * ONE, false), 7 * ONE),
    ] {
        let gates = [change];
        let operation = queue.change(&gates, PATIENCE);
        let (changed, _) = queue.store.change_gates(None, &operation).await?;
        let after = changed.expect("it is there").remove(0).after.expect("set");
        assert_eq!((after.cap, after.used), (Some(left), 4 * ONE));
    }
    let ending = Ending::Complete {
        output: to_raw_value(&json!(1))?,
        artifacts: Vec::new(),
    };
    let settled = queue.settle_with(KEY, held, ending, spent(ONE)).await?;
    settled.expect("it is alive");
    let row = queue.gate(&gate).await?;
    assert_eq!((row.cap, row.used), (Some(7 * ONE), ONE));
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pause_is_answered_when_earlier_claims_are_over() -> Result<()> {
    let change = GateChange::Pause {
        what: Paused::Namespace,
        note: None,
    };
    what_a_claim_gets_meanwhile_counts(change, 0).await
}

/// Its hold would stay behind, and its cost would count nowhere.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_attempt_that_ends_while_a_gate_is_set_leaves_nothing_behind() -> Result<()> {
    what_is_settled_meanwhile_counts(false).await
}

/// Such a settlement has no lease that could be waited for: the graph is locked instead.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_late_result_that_comes_while_the_budget_of_its_graph_is_set_is_counted() -> Result<()> {
    what_is_settled_meanwhile_counts(true).await
}

async fn what_is_settled_meanwhile_counts(is_late: bool) -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let submission = Submission {
        graph: Some(NewGraph {
            title: "graph".to_owned(),
            is_draft: false,
            budget: None,
            project: None,
        }),
        ..singles(&[costing(ONE), costing(ONE)])
    };
    let graph = queue.submit(submission).await?.graph.expect("a graph");
    let lease = agent.take(1).await?[0].lease;
    if is_late {
        queue.pass(91);
        queue.reap().await?;
    }
    let other = queue.another_server()?;
    let mut locked = queue.store.test_points.pause_at("settle.locked");
    let gates = [
        set(limit(), 1),
        set(Gate::Budget(Purse::Graph(graph)), 2 * ONE),
    ];
    let operation = queue.change(&gates, PATIENCE);
    let ending = Ending::Complete {
        output: to_raw_value(&json!(1))?,
        artifacts: Vec::new(),
    };
    let settling = queue.settle_with(KEY, lease, ending, spent(ONE));
    let (settled, changed) = tokio::join!(settling, async {
        let paused = locked.arrival().await;
        drop(locked);
        let setting = other.change_gates(None, &operation);
        let (changed, waited) = tokio::join!(setting, async {
            let waited = queue.lock_is_waited_for().await;
            paused.go_on();
            waited
        });
        waited?;
        anyhow::Ok(changed?.0.expect("the gate is there"))
    });
    settled?.expect("it is alive");
    let used = changed?
        .into_iter()
        .map(|one| one.after.expect("it is set").used);
    assert_eq!(used.collect::<Vec<_>>(), [0, ONE]);
    assert_eq!(agent.take(1).await?.len(), 1);
    assert_eq!(queue.keep_gates().await?.mended, 0);
    Ok(())
}

/// Nothing is changed then, and nothing is in the way of claims; what was announced goes away.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gate_is_not_set_behind_a_claim_that_does_not_end() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let second = queue.agent("second").await?;
    queue
        .submit(singles(&[task("first"), task("second")]))
        .await?;
    let other = queue.another_server()?;
    let mut picked = queue.store.test_points.pause_at("claim.picked");
    let gates = [set(limit(), 0)];
    let operation = queue.change(&gates, Duration::from_millis(50));
    let (claimed, changed) = tokio::join!(agent.take(1), async {
        let paused = picked.arrival().await;
        drop(picked);
        let changed = other.change_gates(None, &operation).await;
        paused.go_on();
        changed
    });
    assert_eq!(claimed?.len(), 1);
    assert!(
        matches!(changed, Err(StoreError::ClaimsUnderWay)),
        "{changed:?}"
    );
    assert!(queue.store.find_gates(queue.ns).await?.is_empty());
    assert_eq!(second.take(1).await?.len(), 1, "it stops nothing");
    let told = queue.events_named("gate.").await?;
    assert!(told.is_empty(), "{told:?}");

    let client = queue.test.database.client().await?;
    let count = "select count(*) from workmill.gate where ns = $1";
    assert_eq!(queue.keep_gates().await?.mended, 0);
    let rows: i64 = client.query_one(count, &[&queue.ns.0]).await?.get(0);
    assert_eq!(rows, 1, "it may still be set");
    queue.pass(61);
    queue.keep_gates().await?;
    let rows: i64 = client.query_one(count, &[&queue.ns.0]).await?.get(0);
    assert_eq!(rows, 0);
    Ok(())
}

/// The claim holds the lock of the gates, too: it has passed one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gate_is_not_set_behind_a_claim_that_holds_the_lock_of_the_gates() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.submit(singles(&[task("first")])).await?;
    let other = queue.another_server()?;
    let there = [set(Gate::Limit(Limited::Namespace), 5)];
    let operation = queue.change(&there, PATIENCE);
    let (set_before, _) = other.change_gates(None, &operation).await?;
    set_before.expect("it is there");
    for gate in [limit(), Gate::Limit(Limited::Namespace)] {
        let mut committing = queue.store.test_points.pause_at("commit");
        let gates = [set(gate, 0)];
        let operation = queue.change(&gates, Duration::from_millis(50));
        let (claimed, changed) = tokio::join!(agent.take(1), async {
            let paused = committing.arrival().await;
            drop(committing);
            let changed = timeout(SOON, other.change_gates(None, &operation)).await;
            paused.go_on();
            changed
        });
        assert_eq!(claimed?.len(), 1);
        assert!(
            matches!(changed, Ok(Err(StoreError::ClaimsUnderWay))),
            "{changed:?}"
        );
        let set_gates = queue.store.find_gates(queue.ns).await?;
        assert_eq!(set_gates.len(), 1, "nothing is changed");
        assert_eq!(set_gates[0].cap, Some(5), "nothing is changed");
        queue.submit(singles(&[task("next")])).await?;
    }
    Ok(())
}

/// Whatever removes the announcement, the gate is announced again before it is set.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gate_whose_announcement_is_gone_is_announced_again() -> Result<()> {
    let queue = Queue::new().await?;
    queue.agent("agent").await?;
    let client = queue.test.database.client().await?;
    let mut announced = queue.store.test_points.pause_at("gates.announced");
    let gates = [set(limit(), 3)];
    let operation = queue.change(&gates, PATIENCE);
    let (changed, times) = tokio::join!(queue.store.change_gates(None, &operation), async {
        let first = announced.arrival().await;
        client.execute("delete from workmill.gate", &[]).await?;
        first.go_on();
        announced.arrival().await.go_on();
        anyhow::Ok(2)
    });
    changed?.0.expect("the gate is there");
    assert_eq!(times?, 2);
    assert_eq!(queue.gate(&limit()).await?.cap, Some(3));
    Ok(())
}

/// Another change has announced the gate again since: claims that began before that announcement were
/// not waited for by this one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_later_announcement_of_another_change_does_not_serve_an_earlier_one() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.submit(singles(&[task("first")])).await?;
    let (early, late) = (queue.another_server()?, queue.another_server()?);
    let gates = [set(limit(), 1)];
    let operation = queue.change(&gates, PATIENCE);
    let remove = [GateChange::Remove { gate: limit() }];
    let mut waited = early.test_points.pause_at("gates.waited");
    let mut announced_again = late.test_points.pause_at("gates.announced");
    let mut picked = queue.store.test_points.pause_at("claim.picked");
    let (changed, claimed) = tokio::join!(early.change_gates(None, &operation), async {
        let first = waited.arrival().await;
        drop(waited);
        // Another server sets the gate and removes it; then a claim begins.
        let third = queue.another_server()?;
        for changes in [&gates, &remove] {
            let (changed, _) = third
                .change_gates(None, &queue.change(changes, PATIENCE))
                .await?;
            changed.expect("it is there");
        }
        queue.pass(1);
        let (claimed, again) = tokio::join!(agent.take(1), async {
            let paused = picked.arrival().await;
            drop(picked);
            queue.pass(1);
            let (again, waited) = tokio::join!(late.change_gates(None, &operation), async {
                let second = announced_again.arrival().await;
                drop(announced_again);
                first.go_on();
                let waited = queue.lock_is_waited_for().await;
                second.go_on();
                paused.go_on();
                waited
            });
            waited?;
            anyhow::Ok(again)
        });
        again??.0.expect("it is there");
        claimed
    });
    assert_eq!(claimed?.len(), 1);
    let (changed, _) = changed?;
    let after = changed.expect("it is there").remove(0).after.expect("set");
    assert_eq!(after.used, 1, "the claim counts");
    Ok(())
}

/// Late results change what a graph has cost under its lock, so each change of its gates takes it: any
/// may bring back a budget that was put aside.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_of_the_gates_of_a_graph_takes_the_lock_of_the_graph() -> Result<()> {
    let queue = Queue::new().await?;
    let graph = queue.submit(with_budget(ONE, &[costing(ONE)])).await?;
    let graph = graph.graph.expect("a graph");
    let all = [
        GateChange::Pause {
            what: Paused::Graph(graph),
            note: None,
        },
        GateChange::Raise {
            gate: Gate::Budget(Purse::Graph(graph)),
            by: ONE,
        },
        GateChange::Remove {
            gate: Gate::Pause(Paused::Graph(graph)),
        },
    ];
    for change in all {
        let holder = queue.test.database.client().await?;
        let lock = "begin; select from workmill.graph for update";
        holder.batch_execute(lock).await?;
        let gates = [change];
        let operation = queue.change(&gates, PATIENCE);
        let (changed, waited) = tokio::join!(queue.store.change_gates(None, &operation), async {
            let waited = queue.lock_is_waited_for().await;
            holder.batch_execute("rollback").await?;
            waited
        });
        waited?;
        changed?.0.expect("the gate is there");
    }
    Ok(())
}

/// PostgreSQL bounds the wait for each lock; the change bounds their sum.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_waits_of_a_change_of_gates_share_one_bound() -> Result<()> {
    let queue = Queue::new().await?;
    let graph = queue.submit(with_budget(ONE, &[costing(ONE)])).await?;
    let graph = graph.graph.expect("a graph");
    let (of_graph, of_gates) = (
        queue.test.database.client().await?,
        queue.test.database.client().await?,
    );
    of_graph
        .batch_execute("begin; select from workmill.graph for update")
        .await?;
    of_gates
        .batch_execute("begin; select from workmill.anchor for update")
        .await?;
    let gates = [GateChange::Raise {
        gate: Gate::Budget(Purse::Graph(graph)),
        by: ONE,
    }];
    let patience = Duration::from_secs(2);
    let operation = queue.change(&gates, patience);
    let began = Instant::now();
    let (changed, released) = tokio::join!(queue.store.change_gates(None, &operation), async {
        queue.lock_is_waited_for().await?;
        tokio::time::sleep(patience.mul_f64(0.8)).await;
        anyhow::Ok(of_graph.batch_execute("rollback").await?)
    });
    released?;
    assert!(
        matches!(changed, Err(StoreError::ClaimsUnderWay)),
        "{changed:?}"
    );
    let took = began.elapsed();
    assert!(took < patience.mul_f64(1.6), "{took:?}");
    Ok(())
}

/// A dump, or whoever else holds a snapshot, is not waited for.
#[tokio::test]
async fn a_gate_is_set_beside_a_held_snapshot() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.submit(singles(&[task("first")])).await?;
    agent.take(1).await?;
    let dump = queue.test.database.client().await?;
    let read_all = "begin isolation level repeatable read;
        lock table workmill.agent, workmill.lease, workmill.gate in access share mode;
        select * from workmill.agent; select * from workmill.lease";
    dump.batch_execute(read_all).await?;
    let gates = [set(limit(), 1)];
    let operation = queue.change(&gates, Duration::from_millis(500));
    let changed = queue.store.change_gates(None, &operation).await?.0;
    assert_eq!(
        changed.expect("it is set")[0]
            .after
            .as_ref()
            .expect("set")
            .used,
        1
    );
    Ok(())
}

/// F-37: while the transaction that creates a graph is at it, another claim of this process looks up the
/// gates, which are other ones as long as the graph is not committed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_claim_beside_a_hand_over_does_not_hide_the_budget_of_its_graph() -> Result<()> {
    let found = graph_handed_over_beside_a_claim(None).await?;
    assert_eq!(found, 1, "the budget is for one task");
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_hand_over_beside_a_claim_catches_uncommitted_gates_that_are_shared() -> Result<()> {
    let found = graph_handed_over_beside_a_claim(Some("uncommitted gates shared")).await?;
    assert_eq!(found, 2);
    Ok(())
}

/// Returns how many tasks of the graph were handed over.
async fn graph_handed_over_beside_a_claim(fault: Option<&'static str>) -> Result<usize> {
    let queue = Queue::new().await?;
    queue.agent("waiting").await?;
    let beside = queue.agent("beside").await?;
    queue
        .submit(singles(&[task("first"), task("second")]))
        .await?;
    assert_eq!(beside.take(1).await?.len(), 1);
    if let Some(fault) = fault {
        queue.store.test_points.switch_on(fault);
    }
    let mut picked = queue.store.test_points.pause_at("claim.picked");
    let submission = with_budget(ONE, &[costing(ONE), costing(ONE)]);
    let requests = [request("waiting", 3)];
    let (claimed, found) = tokio::join!(queue.hand_over(&submission, &requests), async {
        let paused = picked.arrival().await;
        drop(picked);
        // What was ready before is held by the other transaction.
        let found = beside.take(1).await;
        paused.go_on();
        found
    });
    found?;
    let claimed = claimed?.remove(0).expect("the agent may claim");
    Ok(claimed
        .iter()
        .filter(|one| one.graph != one.lease.task.into())
        .count())
}

/// A version of gates that was rolled back is used again by other gates: this process must not take
/// its own for those.
#[tokio::test]
async fn gates_that_were_rolled_back_are_not_remembered() -> Result<()> {
    assert!(claimed_after_a_rollback(None).await?.is_empty());
    let fault = Some("uncommitted gates shared");
    assert_eq!(claimed_after_a_rollback(fault).await?.len(), 1);
    Ok(())
}

async fn claimed_after_a_rollback(
    fault: Option<&'static str>,
) -> Result<Vec<workmill_store::dispatch::claim::Claimed>> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let other = queue.another_server()?;
    // A transaction claims from no lane that it writes itself.
    queue.submit(singles(&[task("first")])).await?;
    agent.take(1).await?;
    if let Some(fault) = fault {
        queue.store.test_points.switch_on(fault);
    }
    queue.store.test_points.fail_at("claim.picked", 100);
    let submission = with_budget(ONE, &[costing(ONE)]);
    let failed = queue.hand_over(&submission, &[request("agent", 1)]).await;
    assert!(failed.is_err(), "it was rolled back");
    queue.store.test_points.disarm("claim.picked");
    // The clock stands still, so this makes the same version.
    other.test_points.switch_on("gates set without waiting");
    let gates = [set(limit(), 0)];
    let operation = queue.change(&gates, PATIENCE);
    other
        .change_gates(None, &operation)
        .await?
        .0
        .expect("it is set");
    queue.submit(singles(&[task("work")])).await?;
    agent.take(1).await
}

/// What an attempt has cost counts, where that is more than would be reserved for it.
#[tokio::test]
async fn a_new_budget_counts_what_running_attempts_have_cost() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.submit(singles(&[task("work")])).await?;
    let lease = agent.take(1).await?[0].lease;
    agent
        .heartbeat_with(lease, super::used(3 * ONE))
        .await?
        .expect("it is alive");
    let changed = queue
        .set_gate(Gate::Budget(Purse::Namespace), 4 * ONE)
        .await?;
    assert_eq!(changed.after.expect("it is set").used, 3 * ONE);
    let settled = queue
        .settle_as(Settler::Key(KEY), lease, Ending::Release)
        .await?;
    settled.expect("it is alive");
    assert_eq!(queue.keep_gates().await?.mended, 0);
    Ok(())
}
