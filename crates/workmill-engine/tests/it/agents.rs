//! What agents may do, as their status and what they say allow it.

use std::time::Duration;

use anyhow::Result;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use workmill_core::failure::Reason;
use workmill_core::ids::LeaseId;
use workmill_core::lane::Selection;
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;
use workmill_core::policy::{Profile, Strategy};
use workmill_core::priority::Priority;
use workmill_core::task::{NewTask, RetryOverrides};
use workmill_core::usage::Usage;
use workmill_engine::dispatch::{AgentChange, AgentDescription, AgentStatus, ClaimRequest};
use workmill_engine::settlement::Ending;
use workmill_engine::{Caller, Engine, EngineError};
use workmill_store::clock::{Clock, ManualClock};
use workmill_testkit::database::TestDatabase;
use workmill_testkit::factory::task;

use crate::{engine, engine_timed_by, register};

fn now() -> ClaimRequest {
    ClaimRequest {
        agent: "agent".to_owned(),
        most: 1,
        start: true,
        wait: Duration::ZERO,
        request_id: None,
        lease: None,
        selection: Selection::default(),
    }
}

fn to(status: AgentStatus) -> AgentChange {
    AgentChange {
        status: Some(status),
        ..AgentChange::default()
    }
}

async fn fail(
    engine: &Engine,
    caller: &Caller,
    lease: LeaseId,
    reason: Reason,
) -> Result<State, EngineError> {
    let ending = Ending::Fail {
        reason,
        message: "it broke".to_owned(),
        details: None,
        retry_after_ms: None,
    };
    let settled = engine.settle(caller, lease, ending, Usage::default()).await;
    settled.map(|settled| settled.state)
}

/// F-37: a refused budget leaves no agent behind that could claim without one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_whose_budget_is_refused_is_not_registered() -> Result<()> {
    let database = TestDatabase::new().await?;
    let (engine, caller) = engine(&database).await?;
    register(&engine, &caller, "busy", 1).await?;
    let claiming = database.client().await?;
    let lock = "begin; select from workmill.agent for update";
    claiming.batch_execute(lock).await?;
    let described = AgentDescription {
        budget_left: Some(Micros(1_000_000)),
        ..AgentDescription::new("new")
    };
    let refused = engine.register_agent(&caller, &described).await;
    assert!(refused.is_err(), "{refused:?}");
    let found = engine.agent(&caller, "new").await;
    assert!(
        matches!(found, Err(EngineError::NotFound { .. })),
        "{found:?}"
    );
    claiming.batch_execute("rollback").await?;
    engine.register_agent(&caller, &described).await?;
    let found = engine.agent(&caller, "new").await?;
    assert_eq!(found.budget_left, Some(Micros(1_000_000)));
    Ok(())
}

/// F-19
#[tokio::test]
async fn a_draining_agent_finishes_and_claims_nothing_new() -> Result<()> {
    let database = TestDatabase::new().await?;
    let (engine, caller) = engine(&database).await?;
    register(&engine, &caller, "agent", 2).await?;
    engine
        .submit_tasks(&caller, &[task("one"), task("two")], None)
        .await?;
    let lease = engine.claim(&caller, &now()).await?[0].lease;
    for status in [AgentStatus::Draining, AgentStatus::Offline] {
        engine
            .change_agent(&caller, "agent", to(status), None)
            .await?;
        register(&engine, &caller, "agent", 2).await?;
        let refused = engine.claim(&caller, &now()).await;
        assert!(
            matches!(refused, Err(EngineError::Conflict { .. })),
            "{refused:?}"
        );
    }
    let output = serde_json::value::to_raw_value(&json!(1))?;
    let ending = Ending::Complete {
        output,
        artifacts: Vec::new(),
    };
    let settled = engine.settle(&caller, lease, ending, Usage::default());
    assert_eq!(settled.await?.state, State::Completed);
    engine
        .change_agent(&caller, "agent", to(AgentStatus::Active), None)
        .await?;
    assert_eq!(engine.claim(&caller, &now()).await?.len(), 1);
    let nobody = engine.change_agent(&caller, "nobody", to(AgentStatus::Active), None);
    assert!(matches!(nobody.await, Err(EngineError::NotFound { .. })));
    Ok(())
}

#[tokio::test]
async fn a_reason_that_an_agent_may_not_give_is_refused_with_those_it_may() -> Result<()> {
    let database = TestDatabase::new().await?;
    let (engine, caller) = engine(&database).await?;
    register(&engine, &caller, "agent", 1).await?;
    let submitted = engine.submit_tasks(&caller, &[task("work")], None).await?;
    let lease = engine.claim(&caller, &now()).await?[0].lease;
    for (reason, why) in [
        (Reason::HeartbeatTimeout, "Workmill itself"),
        (Reason::ClaimExpired, "Workmill itself"),
        (Reason::DeadlineExceeded, "told to stop"),
        (Reason::BudgetExceeded, "told to stop"),
        (Reason::Cancelled, "told to stop"),
    ] {
        let refused = fail(&engine, &caller, lease, reason).await;
        let Err(EngineError::Invalid { at, problem }) = refused else {
            anyhow::bail!("{reason} was not refused: {refused:?}");
        };
        assert_eq!(at, "reason");
        assert!(problem.contains(why), "{problem}");
        assert!(
            problem.contains("give one of timeout, crash, "),
            "{problem}"
        );
    }
    engine.cancel_task(&caller, submitted.tasks[0]).await?;
    let confirmed = fail(&engine, &caller, lease, Reason::Cancelled).await?;
    assert_eq!(confirmed, State::Cancelled);
    Ok(())
}

/// F-19
#[tokio::test]
async fn an_agent_that_cannot_be_is_refused_with_the_field_at_fault() -> Result<()> {
    let database = TestDatabase::new().await?;
    let (engine, caller) = engine(&database).await?;
    let good = AgentDescription::new("agent");
    let bad = [
        ("id", AgentDescription::new(" ")),
        (
            "max_concurrent_tasks",
            AgentDescription {
                slots: 0,
                ..good.clone()
            },
        ),
        (
            "capabilities",
            AgentDescription {
                capabilities: vec![String::new()],
                ..good.clone()
            },
        ),
        (
            "models_available",
            AgentDescription {
                models: vec!["m".repeat(201)],
                ..good.clone()
            },
        ),
        (
            "poll_interval_sec",
            AgentDescription {
                poll_interval_ms: 0,
                ..good.clone()
            },
        ),
        (
            "poll_interval_sec",
            AgentDescription {
                poll_interval_ms: 4_000_000,
                ..good.clone()
            },
        ),
        (
            "claim_ttl_sec",
            AgentDescription {
                claim_ttl_ms: Some(-1),
                ..good.clone()
            },
        ),
    ];
    for (field, agent) in bad {
        let refused = engine.register_agent(&caller, &agent).await;
        let Err(EngineError::Invalid { at, .. }) = refused else {
            anyhow::bail!("{agent:?} was not refused: {refused:?}");
        };
        assert_eq!(at, field);
    }
    assert!(engine.agents(&caller, None, 100).await?.agents.is_empty());
    Ok(())
}

/// T-6: no duty has to run in between. The agent whose lease ran out gets it back as well.
#[tokio::test]
async fn a_task_whose_lease_ran_out_is_claimable_at_once() -> Result<()> {
    let database = TestDatabase::new().await?;
    let clock = ManualClock::at(Timestamp::from_second(1_800_000_000)?);
    let (engine, caller) = engine_timed_by(Clock::Manual(clock.clone()), &database).await?;
    register(&engine, &caller, "agent", 1).await?;
    let planned = NewTask {
        profile: Profile::Task,
        ..task("planned")
    };
    engine.submit_tasks(&caller, &[planned], None).await?;
    let first = engine.claim(&caller, &now()).await?.remove(0);
    clock.advance(SignedDuration::from_secs(599));
    assert!(engine.claim(&caller, &now()).await?.is_empty());
    clock.advance(SignedDuration::from_secs(1));
    let second = engine.claim(&caller, &now()).await?.remove(0);
    assert_eq!(second.lease.task, first.lease.task);
    assert_eq!(second.lease.epoch, first.lease.epoch + 1);
    Ok(())
}

/// T-1, T-6: a task whose lease has run out is claimed before an open task of lower priority.
#[tokio::test]
async fn a_planned_task_whose_lease_ran_out_keeps_its_turn() -> Result<()> {
    let database = TestDatabase::new().await?;
    let clock = ManualClock::at(Timestamp::from_second(1_800_000_000)?);
    let (engine, caller) = engine_timed_by(Clock::Manual(clock.clone()), &database).await?;
    register(&engine, &caller, "agent", 2).await?;
    let planned = |title: &str, priority: i64| NewTask {
        profile: Profile::Task,
        priority: Priority::new(priority).expect("a priority"),
        ..task(title)
    };
    let tasks = [planned("urgent", 1), planned("later", 9)];
    engine.submit_tasks(&caller, &tasks, None).await?;
    let mut claim = now();
    claim.selection.profile = Some(Profile::Task);
    let first = engine.claim(&caller, &claim).await?.remove(0);
    clock.advance(SignedDuration::from_secs(600));
    let second = engine.claim(&caller, &claim).await?.remove(0);
    assert_eq!(second.lease.task, first.lease.task);
    Ok(())
}

/// Until the duties have given every lease its time again, no claim takes any of them away.
#[tokio::test]
async fn a_claim_after_an_outage_takes_no_lease_away() -> Result<()> {
    let database = TestDatabase::new().await?;
    let clock = ManualClock::at(Timestamp::from_second(1_800_000_000)?);
    let (engine, caller) = engine_timed_by(Clock::Manual(clock.clone()), &database).await?;
    register(&engine, &caller, "agent", 2).await?;
    let planned = NewTask {
        profile: Profile::Task,
        ..task("planned")
    };
    engine.submit_tasks(&caller, &[planned], None).await?;
    engine.claim(&caller, &now()).await?;
    engine.store().touch_liveness(clock.now()).await?;
    clock.advance(SignedDuration::from_secs(601));
    assert!(engine.claim(&caller, &now()).await?.is_empty(), "an outage");
    engine.store().touch_liveness(clock.now()).await?;
    assert_eq!(engine.claim(&caller, &now()).await?.len(), 1, "over");
    Ok(())
}

/// A lone worker goes on with what only it can run; another live one would keep it from it.
#[tokio::test]
async fn an_agent_is_kept_from_what_it_failed_only_if_another_live_agent_could_run_it() -> Result<()>
{
    #[derive(Debug)]
    enum Other {
        Set(AgentStatus),
        SignedOff,
        CameBack,
    }
    for (other, expected) in [
        (None, 1),
        (Some(Other::Set(AgentStatus::Offline)), 1),
        (Some(Other::Set(AgentStatus::Draining)), 1),
        (Some(Other::Set(AgentStatus::Active)), 0),
        (Some(Other::SignedOff), 1),
        (Some(Other::CameBack), 0),
    ] {
        let database = TestDatabase::new().await?;
        let (engine, caller) = engine(&database).await?;
        register(&engine, &caller, "agent", 1).await?;
        if let Some(other) = &other {
            register(&engine, &caller, "other", 1).await?;
            if let Other::Set(status) = other {
                let change = to(*status);
                engine.change_agent(&caller, "other", change, None).await?;
            } else {
                let session = engine.see_agent(&caller, "other").await?.session;
                let session = session.expect("a session");
                let signed_off = engine.sign_off_agent(&caller, "other", session).await?;
                assert_eq!(signed_off.status, AgentStatus::Offline);
            }
            if let Other::CameBack = other {
                let back = engine.see_agent(&caller, "other").await?;
                assert_eq!(back.status, AgentStatus::Active);
            }
        }
        let retried = NewTask {
            retry: RetryOverrides {
                strategy: Some(Strategy::Immediate),
                ..RetryOverrides::default()
            },
            ..task("retried")
        };
        engine.submit_tasks(&caller, &[retried], None).await?;
        let claimed = engine.claim(&caller, &now()).await?.remove(0);
        fail(&engine, &caller, claimed.lease, Reason::Crash).await?;
        let again = engine.claim(&caller, &now()).await?;
        assert_eq!(again.len(), expected, "{other:?}");
    }
    Ok(())
}
