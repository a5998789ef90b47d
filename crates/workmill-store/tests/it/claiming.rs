//! Who gets which task, and in what order.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::Result;
use serde_json::json;
use workmill_core::lifecycle::State;
use workmill_core::policy::Profile;
use workmill_core::priority::Priority;
use workmill_core::task::{Constraints, NewTask, Spec};
use workmill_store::dispatch::agents::AgentStatus;
use workmill_store::dispatch::claim::{Claim, ClaimRefusal, ClaimRequest};
use workmill_testkit::factory::{singles, task};

use crate::actors::{Agent, OTHER_KEY, Queue};

fn asks_for(capabilities: &[&str]) -> NewTask {
    let required_capabilities = capabilities.iter().map(ToString::to_string).collect();
    let constraints = Constraints {
        required_capabilities,
        ..Constraints::default()
    };
    NewTask {
        spec: Spec {
            constraints,
            ..Spec::default()
        },
        ..task("asks")
    }
}

fn with_priority(title: &str, priority: i64) -> NewTask {
    NewTask {
        priority: Priority::new(priority).expect("on the scale"),
        ..task(title)
    }
}

/// F-16, F-19
#[tokio::test]
async fn a_claimed_task_is_gone_from_its_lane_and_held_by_one_agent() -> Result<()> {
    let queue = Queue::new().await?;
    let (one, other) = (queue.agent("one").await?, queue.agent("other").await?);
    let id = queue.submit_task(&task("only")).await?;
    let claimed = one.try_claim(5, false).await?.expect("may claim");
    assert_eq!(claimed.len(), 1);
    assert_eq!((claimed[0].lease.task, claimed[0].lease.epoch), (id, 1));
    assert!(
        other
            .try_claim(5, false)
            .await?
            .expect("may claim")
            .is_empty()
    );
    assert_eq!(queue.state(id).await?, State::Claimed);
    Ok(())
}

/// F-17
#[tokio::test]
async fn an_agent_gets_only_what_it_is_able_to_do() -> Result<()> {
    let queue = Queue::new().await?;
    queue
        .submit(singles(&[
            asks_for(&["gpu"]),
            asks_for(&["git"]),
            asks_for(&["git", "gpu"]),
        ]))
        .await?;
    let coder = queue
        .agent_with("coder", "coder", &["git", "python"], 10)
        .await?;
    let claimed = coder.take(10).await?;
    assert_eq!(claimed.len(), 1);
    assert!(
        claimed[0].body.get().contains(r#"["git"]"#),
        "{}",
        claimed[0].body
    );
    let both = queue
        .agent_with("both", "coder", &["git", "gpu"], 10)
        .await?;
    assert_eq!(both.take(10).await?.len(), 2);
    Ok(())
}

/// T-2
#[tokio::test]
async fn the_task_profile_goes_by_priority_then_age() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let mut expected = Vec::new();
    for (title, priority) in [("c", 2), ("a", 0), ("b", 1), ("d", 2)] {
        let plain = NewTask {
            profile: Profile::Task,
            ..with_priority(title, priority)
        };
        expected.push((priority, queue.submit_task(&plain).await?));
        queue.pass(60);
    }
    expected.sort();
    let claimed = agent.take(10).await?;
    let order: Vec<_> = claimed.iter().map(|claim| claim.lease.task).collect();
    assert_eq!(
        order,
        expected.iter().map(|(_, id)| *id).collect::<Vec<_>>()
    );
    Ok(())
}

/// F-13, F-15: heads of lanes with different boosts compare at their effective value.
#[tokio::test]
async fn waiting_makes_urgent_across_lanes() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let fast = NewTask {
        priority_boost_per_minute: Some(10.0),
        ..with_priority("fast", 100)
    };
    let ages_fast = queue.submit_task(&fast).await?;
    let still = NewTask {
        priority_boost_per_minute: Some(0.0),
        ..with_priority("still", 50)
    };
    let never_ages = queue.submit_task(&still).await?;
    queue.pass(4 * 60);
    let first = agent.take_one().await?;
    assert_eq!(
        first.lease.task, never_ages,
        "after four minutes it is 60 against 50"
    );
    agent.release(first.lease).await?.expect("released");
    queue.pass(2 * 60);
    assert_eq!(
        agent.take_one().await?.lease.task,
        ages_fast,
        "after six it is 40 against 50"
    );
    Ok(())
}

/// F-19
#[tokio::test]
async fn an_agent_never_holds_more_than_its_slots() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent_with("small", "", &[], 3).await?;
    queue.submit(singles(&vec![task("many"); 10])).await?;
    let held = agent.take(100).await?;
    assert_eq!(held.len(), 3);
    assert!(agent.take(1).await?.is_empty());
    agent
        .complete(held[0].lease, json!(1))
        .await?
        .expect("completed");
    assert_eq!(agent.take(100).await?.len(), 1);
    Ok(())
}

#[tokio::test]
async fn nobody_claims_for_an_agent_that_another_key_registered() -> Result<()> {
    let queue = Queue::new().await?;
    queue.agent("mine").await?;
    let thief = Agent {
        queue: &queue,
        name: "mine",
        key: OTHER_KEY,
    };
    assert_eq!(
        thief.try_claim(1, false).await?.unwrap_err(),
        ClaimRefusal::ForeignAgent
    );
    let ghost = Agent {
        queue: &queue,
        name: "ghost",
        key: OTHER_KEY,
    };
    assert_eq!(
        ghost.try_claim(1, false).await?.unwrap_err(),
        ClaimRefusal::UnknownAgent
    );
    Ok(())
}

/// F-16
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_task_is_claimed_twice_however_many_claim_at_once() -> Result<()> {
    const AGENTS: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let queue = Arc::new(Queue::new().await?);
    queue.submit(singles(&vec![task("many"); 400])).await?;
    for name in AGENTS {
        queue.agent_with(name, "", &[], 1000).await?;
    }
    let mut claimers = Vec::new();
    for name in AGENTS {
        let queue = Arc::clone(&queue);
        claimers.push(tokio::spawn(async move {
            let agent = Agent {
                queue: &queue,
                name,
                key: crate::actors::KEY,
            };
            let mut mine = Vec::new();
            loop {
                let claimed = agent.take(7).await?;
                if claimed.is_empty() {
                    return anyhow::Ok(mine);
                }
                mine.extend(claimed.into_iter().map(|claim| claim.lease.task));
            }
        }));
    }
    let mut all = Vec::new();
    for claimer in claimers {
        all.extend(claimer.await??);
    }
    let distinct: BTreeSet<_> = all.iter().collect();
    assert_eq!(all.len(), distinct.len(), "a task was claimed twice");
    let left = queue.agent("last").await?.take(1000).await?.len();
    assert_eq!(all.len() + left, 400);
    Ok(())
}

/// F-5 (part)
#[tokio::test]
async fn what_a_task_refers_to_is_handed_over_and_what_is_too_large_is_named() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let mut ids = Vec::new();
    for output in [
        json!("small"),
        json!("x".repeat(200_000)),
        json!("y".repeat(100_000)),
    ] {
        ids.push(queue.submit_task(&task("source")).await?);
        let lease = agent.take_one().await?.lease;
        agent.complete(lease, output).await?.expect("completed");
    }
    let context_refs = ids.iter().map(|id| format!("task:{id}:output")).collect();
    let refers = NewTask {
        spec: Spec {
            context_refs,
            ..Spec::default()
        },
        ..task("refers")
    };
    queue.submit_task(&refers).await?;
    let claim = agent.take_one().await?;
    let handed: Vec<_> = claim
        .references
        .iter()
        .map(|one| (one.output.is_some(), one.is_left_out))
        .collect();
    assert_eq!(handed, [(true, false), (true, false), (false, true)]);
    assert_eq!(claim.references[0].output, Some(json!("small").into()));
    Ok(())
}

/// They do not match the same lanes, so they are served one after the other.
#[tokio::test]
async fn who_asks_first_in_a_batch_is_served_first() -> Result<()> {
    for names in [["able", "plain"], ["plain", "able"]] {
        let queue = Queue::new().await?;
        queue.agent("plain").await?;
        queue.agent_with("able", "", &["rust"], 5).await?;
        let tasks = [
            with_priority("best", 10),
            with_priority("next", 20),
            asks_for(&["rust"]),
        ];
        let submitted = queue.submit(singles(&tasks)).await?.tasks;
        let requests = names.map(|name| ClaimRequest {
            key: crate::actors::KEY,
            agent: name.to_owned(),
            most: 1,
            start: true,
            request: None,
            selection: workmill_core::lane::Selection::default(),
            lease_ms: None,
        });
        let claim = Claim {
            ns: queue.ns,
            requests: &requests,
        };
        let mut got = Vec::new();
        for answer in queue.store.run(&claim).await?.0 {
            let claimed = answer.expect("may claim");
            got.extend(claimed.iter().map(|claim| claim.lease.task));
        }
        assert_eq!(got, submitted[..2], "{names:?}");
    }
    Ok(())
}

/// Promise 1: a claim whose answer was lost is found by its request id.
#[tokio::test]
async fn the_same_request_id_returns_the_same_leases() -> Result<()> {
    let queue = Queue::new().await?;
    queue.agent("agent").await?;
    queue.submit(singles(&vec![task("work"); 5])).await?;
    let request = ClaimRequest {
        key: crate::actors::KEY,
        agent: "agent".to_owned(),
        most: 2,
        start: true,
        request: Some(uuid::Uuid::from_u128(99)),
        selection: workmill_core::lane::Selection::default(),
        lease_ms: None,
    };
    let claim = Claim {
        ns: queue.ns,
        requests: std::slice::from_ref(&request),
    };
    let leases = async || -> Result<Vec<_>> {
        let claimed = queue
            .store
            .run(&claim)
            .await?
            .0
            .remove(0)
            .expect("may claim");
        Ok(claimed.iter().map(|claim| claim.lease).collect())
    };
    let first = leases().await?;
    assert_eq!(first.len(), 2);
    assert_eq!(leases().await?, first);
    Ok(())
}

/// One statement takes a thousand at most.
#[tokio::test]
async fn who_wants_more_than_a_thousand_tasks_gets_them_in_one_claim() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent_with("agent", "", &[], 5000).await?;
    queue.submit(singles(&vec![task("work"); 2100])).await?;
    assert_eq!(agent.take(2050).await?.len(), 2050);
    assert_eq!(agent.take(2050).await?.len(), 50);
    Ok(())
}

/// F-19: what it holds it finishes, and then it is left alone.
#[tokio::test]
async fn a_draining_agent_finishes_what_it_holds_and_claims_nothing_new() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.submit(singles(&vec![task("work"); 3])).await?;
    let held = agent.take_one().await?.lease;
    for status in [AgentStatus::Draining, AgentStatus::Offline] {
        assert!(queue.set_status("agent", status).await?);
        assert_eq!(
            agent.try_claim(1, false).await?.unwrap_err(),
            ClaimRefusal::NotActive
        );
        agent.heartbeat(held).await?.expect("it may go on");
    }
    agent.complete(held, json!(1)).await?.expect("completed");
    assert!(queue.set_status("agent", AgentStatus::Active).await?);
    assert_eq!(agent.take(5).await?.len(), 2);
    Ok(())
}
