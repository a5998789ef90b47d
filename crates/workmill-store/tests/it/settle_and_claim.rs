//! Settlements that claim the next tasks in the same transaction.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::Result;
use serde_json::json;
use serde_json::value::to_raw_value;
use uuid::Uuid;
use workmill_core::failure::Reason;
use workmill_core::gate::{Gate, Limited};
use workmill_core::ids::{LeaseId, TaskId};
use workmill_core::lane::Selection;
use workmill_core::lifecycle::State;
use workmill_store::dispatch::agents::AgentStatus;
use workmill_store::dispatch::claim::{ClaimRefusal, Claimed};
use workmill_store::operation::Effects;
use workmill_store::settlement::and_claim::{
    NextClaim, SettleAndClaim, SettleRequest, SettledAndClaimed,
};
use workmill_store::settlement::{Ending, Refusal, Settlement, Settler, Spent};
use workmill_store::{Store, StoreError};
use workmill_testkit::factory::{graph, singles, task};

use crate::actors::{KEY, OTHER_KEY, Queue};

fn claim(most: i32) -> NextClaim {
    NextClaim {
        most,
        start: true,
        request: None,
        lease_ms: None,
        selection: Selection::default(),
    }
}

fn completion(lease: LeaseId, next: Option<NextClaim>) -> SettleRequest {
    let ending = Ending::Complete {
        output: to_raw_value(&json!("done")).expect("JSON"),
        artifacts: Vec::new(),
    };
    request(KEY, lease, ending, next)
}

fn request(key: Uuid, lease: LeaseId, ending: Ending, next: Option<NextClaim>) -> SettleRequest {
    let settlement = Settlement {
        settler: Settler::Key(key),
        lease,
        ending,
        spent: Spent::default(),
        random: 0.5,
    };
    SettleRequest { settlement, next }
}

fn tasks_of(claims: &[Claimed]) -> Vec<TaskId> {
    claims.iter().map(|one| one.lease.task).collect()
}

impl Queue {
    async fn settle_and_claim(
        &self,
        requests: &[SettleRequest],
    ) -> Result<(Vec<SettledAndClaimed>, Effects), StoreError> {
        settle_and_claim(&self.store, self, requests).await
    }

    /// Settles one lease; the settlement and the claim are accepted.
    async fn next_of(&self, request: SettleRequest) -> Result<Vec<Claimed>> {
        let answer = self.settle_and_claim(&[request]).await?.0.remove(0);
        answer.settled.expect("accepted");
        Ok(answer.claims.expect("asked for").answer.expect("may claim"))
    }
}

async fn settle_and_claim(
    store: &Store,
    queue: &Queue,
    requests: &[SettleRequest],
) -> Result<(Vec<SettledAndClaimed>, Effects), StoreError> {
    let operation = SettleAndClaim {
        ns: queue.ns,
        requests,
    };
    store.run(&operation).await
}

#[tokio::test]
async fn a_completion_hands_out_the_next_task_in_the_slot_that_it_frees_and_no_more() -> Result<()>
{
    let queue = Queue::new().await?;
    let agent = queue.agent_with("agent", "", &[], 1).await?;
    let tasks = queue
        .submit(singles(&[task("one"), task("two"), task("three")]))
        .await?
        .tasks;
    let mut lease = agent.take_one().await?.lease;
    for task in &tasks[1..] {
        let claims = queue.next_of(completion(lease, Some(claim(5)))).await?;
        assert_eq!(tasks_of(&claims), [*task], "one slot, one task");
        assert_eq!(claims[0].state, State::Running);
        lease = claims[0].lease;
    }
    assert!(
        queue
            .next_of(completion(lease, Some(claim(5))))
            .await?
            .is_empty()
    );
    for id in tasks {
        assert_eq!(queue.state(id).await?, State::Completed);
    }
    Ok(())
}

#[tokio::test]
async fn other_leases_of_the_agent_keep_their_slots() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent_with("agent", "", &[], 2).await?;
    let tasks: Vec<_> = (0..5).map(|_| task("work")).collect();
    queue.submit(singles(&tasks)).await?;
    let held = agent.take(2).await?;
    let claims = queue
        .next_of(completion(held[0].lease, Some(claim(5))))
        .await?;
    assert_eq!(claims.len(), 1);
    let both = [
        completion(held[1].lease, Some(claim(5))),
        completion(claims[0].lease, Some(claim(5))),
    ];
    let answers = queue.settle_and_claim(&both).await?.0;
    let claimed = answers.into_iter().filter_map(|one| one.claims);
    let claimed: usize = claimed
        .map(|one| one.answer.expect("may claim").len())
        .sum();
    assert_eq!(claimed, 2);
    assert!(agent.take(5).await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn a_dependent_of_the_completed_task_is_handed_out_at_once_with_its_output() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let chain = graph(&[("first", &[]), ("second", &[0])]);
    let tasks = queue.submit(chain).await?.tasks;
    let lease = agent.take_one().await?.lease;
    let request = [completion(lease, Some(claim(1)))];
    let (mut answers, effects) = queue.settle_and_claim(&request).await?;
    let claims = answers.remove(0).claims.expect("asked for");
    let claims = claims.answer.expect("may claim");
    assert_eq!(tasks_of(&claims), [tasks[1]]);
    let output = claims[0].dependencies[0].output.as_ref();
    assert_eq!(output.expect("handed over").value(), json!("done"));
    assert!(effects.ready.is_empty(), "no other claim is woken for it");
    Ok(())
}

#[tokio::test]
async fn other_claims_are_woken_for_what_becomes_ready_and_is_not_handed_out() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let fan = graph(&[("first", &[]), ("second", &[0]), ("third", &[0])]);
    queue.submit(fan).await?;
    let lease = agent.take_one().await?.lease;
    let request = [completion(lease, Some(claim(1)))];
    let effects = queue.settle_and_claim(&request).await?.1;
    assert_eq!(effects.ready.values().sum::<usize>(), 1);
    Ok(())
}

#[tokio::test]
async fn a_task_that_waited_at_a_limit_is_handed_out_by_the_settlement_that_lets_it_in()
-> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let limit = Gate::Limit(Limited::Type(task("work").task_type));
    queue.set_gate(limit.clone(), 1).await?;
    let tasks = queue
        .submit(singles(&[task("one"), task("two")]))
        .await?
        .tasks;
    let claimed = agent.take(5).await?;
    assert_eq!(tasks_of(&claimed), [tasks[0]], "the other one is stopped");
    let request = [completion(claimed[0].lease, Some(claim(5)))];
    let (mut answers, effects) = queue.settle_and_claim(&request).await?;
    let claims = answers.remove(0).claims.expect("asked for");
    assert_eq!(tasks_of(&claims.answer.expect("may claim")), [tasks[1]]);
    assert!(effects.ready.is_empty(), "no other claim is woken for it");
    assert_eq!(queue.gate(&limit).await?.used, 1);
    assert_eq!(queue.keep_gates().await?.mended, 0);
    Ok(())
}

#[tokio::test]
async fn a_repeated_call_returns_the_claims_of_the_first_one() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let tasks: Vec<_> = (0..6).map(|_| task("work")).collect();
    queue.submit(singles(&tasks)).await?;
    let held = agent.take(2).await?;
    let own_id = NextClaim {
        request: Some(Uuid::from_u128(7)),
        ..claim(2)
    };
    for (claimed, next) in held.iter().zip([Some(claim(2)), Some(own_id)]) {
        let request = completion(claimed.lease, next);
        let first = queue.next_of(request.clone()).await?;
        assert_eq!(first.len(), 2);
        let elsewhere = queue.on_another_server()?;
        for server in [&queue, &elsewhere] {
            let again = server
                .settle_and_claim(std::slice::from_ref(&request))
                .await?
                .0;
            let again = again.into_iter().next().expect("an answer");
            assert!(again.settled.expect("accepted").is_repeat);
            let again = again.claims.expect("asked for").answer.expect("may claim");
            assert_eq!(tasks_of(&again), tasks_of(&first));
        }
    }
    assert_eq!(agent.take(10).await?.len(), 0, "each was claimed once");
    Ok(())
}

#[tokio::test]
async fn a_lease_that_ends_is_not_returned_for_the_request_id_of_its_own_claim() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let tasks = queue
        .submit(singles(&[task("one"), task("two"), task("three")]))
        .await?
        .tasks;
    let first = agent.take_one().await?.lease;
    let same_id = NextClaim {
        request: Some(Uuid::from_u128(7)),
        ..claim(1)
    };
    let second = queue
        .next_of(completion(first, Some(same_id.clone())))
        .await?;
    let third = queue
        .next_of(completion(second[0].lease, Some(same_id)))
        .await?;
    assert_eq!(tasks_of(&third), [tasks[2]]);
    Ok(())
}

#[tokio::test]
async fn nothing_is_claimed_if_the_settlement_is_rolled_back() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let tasks = queue
        .submit(singles(&[task("one"), task("two")]))
        .await?
        .tasks;
    let lease = agent.take_one().await?.lease;
    for point in ["settle_and_claim.settled", "commit"] {
        queue.store.test_points.fail_at(point, usize::MAX);
        let request = [completion(lease, Some(claim(1)))];
        assert!(queue.settle_and_claim(&request).await.is_err());
        queue.store.test_points.disarm(point);
        assert_eq!(queue.state(tasks[0]).await?, State::Running);
        assert_eq!(queue.state(tasks[1]).await?, State::Ready);
    }
    Ok(())
}

#[tokio::test]
async fn a_settlement_and_its_claim_share_one_commit() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.submit(singles(&[task("one"), task("two")])).await?;
    let lease = agent.take_one().await?.lease;
    let client = queue.test.database.client().await?;
    queue.next_of(completion(lease, Some(claim(1)))).await?;
    let writers = "select count(distinct xmin::text) from (
            select xmin from workmill.attempt where ns = $1
            union all select xmin from workmill.lease where ns = $1
        ) as written";
    let writers: i64 = client.query_one(writers, &[&queue.ns.0]).await?.get(0);
    assert_eq!(writers, 1);
    Ok(())
}

#[tokio::test]
async fn a_refused_settlement_claims_nothing_and_the_others_of_its_batch_do() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let tasks: Vec<_> = (0..5).map(|_| task("work")).collect();
    queue.submit(singles(&tasks)).await?;
    let held = agent.take(2).await?;
    let stale = LeaseId {
        epoch: 9,
        ..held[0].lease
    };
    let batch = [
        completion(stale, Some(claim(1))),
        completion(held[1].lease, Some(claim(1))),
    ];
    let mut answers = queue.settle_and_claim(&batch).await?.0;
    let accepted = answers.pop().expect("an answer");
    assert_eq!(
        accepted
            .claims
            .expect("asked for")
            .answer
            .expect("may")
            .len(),
        1
    );
    let refused = answers.pop().expect("an answer");
    assert_eq!(refused.settled, Err(Refusal::LeaseLost));
    assert!(refused.claims.is_none());
    assert_eq!(agent.take(10).await?.len(), 2, "nothing else was claimed");
    Ok(())
}

#[tokio::test]
async fn a_foreign_key_neither_settles_nor_claims() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let tasks = queue
        .submit(singles(&[task("one"), task("two")]))
        .await?
        .tasks;
    let lease = agent.take_one().await?.lease;
    let ended = agent.complete(lease, json!("done"));
    for is_repeat in [false, true] {
        let stolen = SettleRequest {
            settlement: Settlement {
                settler: Settler::Key(OTHER_KEY),
                ..completion(lease, None).settlement
            },
            next: Some(claim(1)),
        };
        let answer = queue.settle_and_claim(&[stolen]).await?.0.remove(0);
        assert_eq!(answer.settled, Err(Refusal::NotTheHolder), "{is_repeat}");
        assert!(answer.claims.is_none());
        if !is_repeat {
            assert_eq!(queue.state(tasks[0]).await?, State::Running);
        }
    }
    ended.await?.expect("the holder may");
    assert_eq!(queue.state(tasks[1]).await?, State::Ready);
    Ok(())
}

#[tokio::test]
async fn a_draining_agent_settles_and_is_told_that_it_may_not_claim() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.submit(singles(&[task("one"), task("two")])).await?;
    let lease = agent.take_one().await?.lease;
    queue.set_status("agent", AgentStatus::Draining).await?;
    let request = [completion(lease, Some(claim(1)))];
    let answer = queue.settle_and_claim(&request).await?.0.remove(0);
    assert_eq!(answer.settled.expect("accepted").state, State::Completed);
    let refusal = answer
        .claims
        .expect("asked for")
        .answer
        .expect_err("refused");
    assert_eq!(refusal, ClaimRefusal::NotActive);
    Ok(())
}

#[tokio::test]
async fn a_failed_attempt_claims_the_next_task_too() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent_with("agent", "", &[], 1).await?;
    let tasks = queue
        .submit(singles(&[task("one"), task("two")]))
        .await?
        .tasks;
    let lease = agent.take_one().await?.lease;
    let ending = Ending::Fail {
        reason: Reason::Network,
        message: "no route".to_owned(),
        details: None,
        retry_after_ms: None,
    };
    let claims = queue
        .next_of(request(KEY, lease, ending, Some(claim(1))))
        .await?;
    assert_eq!(tasks_of(&claims), [tasks[1]]);
    assert_eq!(queue.state(tasks[0]).await?, State::Retrying);
    Ok(())
}

#[tokio::test]
async fn settlements_with_and_without_a_claim_share_a_batch() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let tasks: Vec<_> = (0..4).map(|_| task("work")).collect();
    queue.submit(singles(&tasks)).await?;
    let held = agent.take(2).await?;
    let batch = [
        completion(held[0].lease, None),
        completion(held[1].lease, Some(claim(1))),
    ];
    let answers = queue.settle_and_claim(&batch).await?.0;
    assert!(answers.iter().all(|one| one.settled.is_ok()));
    assert!(answers[0].claims.is_none());
    let claims = answers[1].claims.as_ref().expect("asked for");
    assert_eq!(claims.answer.as_ref().expect("may claim").len(), 1);
    Ok(())
}

/// Eight agents with one slot each work through graphs whose tasks depend on each other, in batches
/// that name the agents and the graphs in opposite orders, over two servers.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn batches_that_cross_settle_and_claim_every_task_once() -> Result<()> {
    const AGENTS: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let queue = Arc::new(Queue::new().await?);
    let mut all = BTreeSet::new();
    for _ in 0..8 {
        let shape = graph(&[
            ("1", &[]),
            ("2", &[]),
            ("3", &[0, 1]),
            ("4", &[0, 1]),
            ("5", &[2, 3]),
        ]);
        all.extend(queue.submit(shape).await?.tasks);
    }
    let mut held = Vec::new();
    for name in AGENTS {
        held.push(
            queue
                .agent_with(name, "", &[], 1)
                .await?
                .take_one()
                .await?
                .lease,
        );
    }
    let mut done = BTreeSet::new();
    while !held.is_empty() {
        let (left, right) = held.split_at(held.len() / 2);
        let mut right = right.to_vec();
        right.reverse();
        // Neighbours are in different batches, so graphs are shared by both.
        let (ahead, back) = (batch(&queue, left.to_vec()), batch(&queue, right));
        let (ahead, back) = tokio::join!(tokio::spawn(ahead), tokio::spawn(back));
        for lease in &held {
            assert!(
                done.insert(lease.task),
                "{} was completed twice",
                lease.task
            );
        }
        held = ahead??;
        held.extend(back??);
        for name in AGENTS {
            let agent = crate::actors::Agent {
                queue: &queue,
                name,
                key: KEY,
            };
            if held.len() < AGENTS.len() {
                held.extend(agent.take(1).await?.into_iter().map(|one| one.lease));
            }
        }
        held.sort_by_key(|lease| lease.task.0.as_u128() % 7);
    }
    assert_eq!(done, all);
    Ok(())
}

/// Completes the leases on a server of its own, each with a claim; returns what was claimed.
fn batch(
    queue: &Arc<Queue>,
    leases: Vec<LeaseId>,
) -> impl Future<Output = Result<Vec<LeaseId>>> + use<> {
    let queue = Arc::clone(queue);
    async move {
        let server = queue.on_another_server()?;
        let requests: Vec<_> = leases
            .into_iter()
            .map(|one| completion(one, Some(claim(3))))
            .collect();
        let answers = server.settle_and_claim(&requests).await?.0;
        let mut claimed = Vec::new();
        for answer in answers {
            answer.settled.expect("accepted");
            let claims = answer.claims.expect("asked for").answer.expect("may claim");
            assert!(claims.len() <= 1, "one slot");
            claimed.extend(claims.into_iter().map(|one| one.lease));
        }
        Ok(claimed)
    }
}
