//! One sick agent must not empty the queue into dead letters.

use anyhow::Result;
use jiff::SignedDuration;
use serde_json::json;
use workmill_core::failure::Reason;
use workmill_core::gate::{Gate, Purse};
use workmill_core::ids::TaskId;
use workmill_core::money::Micros;
use workmill_core::policy::Profile;
use workmill_core::task::NewTask;
use workmill_core::usage::{ModelUsage, Usage};
use workmill_engine::dispatch::{AgentChange, AgentStatus};
use workmill_engine::explain::Suspect;
use workmill_engine::settlement::Ending;
use workmill_engine::upkeep::{experience_recorder, tally_pruner};
use workmill_engine::{Caller, Engine};
use workmill_testkit::database::TestDatabase;
use workmill_testkit::factory::task;

use crate::gathering::now;
use crate::{engine, register};

async fn fail_one(engine: &Engine, caller: &Caller, agent: &str) -> Result<TaskId> {
    engine.submit_tasks(caller, &[task("fails")], None).await?;
    let claim = engine.claim(caller, &now(agent, 1)).await?.remove(0);
    let ending = Ending::Fail {
        reason: Reason::Crash,
        message: "segmentation fault".to_owned(),
        details: None,
        // Not to come back while the test goes on.
        retry_after_ms: Some(3_600_000),
    };
    engine
        .settle(caller, claim.lease, ending, Usage::default())
        .await?;
    Ok(claim.lease.task)
}

async fn complete_one(engine: &Engine, caller: &Caller, agent: &str, usage: Usage) -> Result<()> {
    engine
        .submit_tasks(caller, &[task("succeeds")], None)
        .await?;
    let claim = engine.claim(caller, &now(agent, 1)).await?.remove(0);
    let ending = Ending::Complete {
        output: serde_json::value::to_raw_value(&json!(1))?,
        artifacts: Vec::new(),
    };
    engine.settle(caller, claim.lease, ending, usage).await?;
    Ok(())
}

async fn status(engine: &Engine, caller: &Caller, agent: &str) -> Result<AgentStatus> {
    Ok(engine.agent(caller, agent).await?.status)
}

#[tokio::test]
async fn an_agent_that_fails_where_others_succeed_is_set_draining() -> Result<()> {
    let database = TestDatabase::new().await?;
    let (engine, caller) = engine(&database).await?;
    for agent in ["sick", "well"] {
        register(&engine, &caller, agent, 100).await?;
    }
    for _ in 0..4 {
        fail_one(&engine, &caller, "sick").await?;
    }
    complete_one(&engine, &caller, "well", Usage::default()).await?;
    experience_recorder::run_once(&engine).await?;
    assert_eq!(status(&engine, &caller, "sick").await?, AgentStatus::Active);
    fail_one(&engine, &caller, "sick").await?;
    complete_one(&engine, &caller, "well", Usage::default()).await?;
    let report = experience_recorder::run_once(&engine).await?;
    assert_eq!(report.drained, 1);
    assert_eq!(
        status(&engine, &caller, "sick").await?,
        AgentStatus::Draining
    );
    assert_eq!(status(&engine, &caller, "well").await?, AgentStatus::Active);

    // Set active again, it has another chance.
    let active = AgentChange {
        status: Some(AgentStatus::Active),
        ..AgentChange::default()
    };
    engine.change_agent(&caller, "sick", active, None).await?;
    fail_one(&engine, &caller, "sick").await?;
    complete_one(&engine, &caller, "well", Usage::default()).await?;
    assert_eq!(experience_recorder::run_once(&engine).await?.drained, 0);
    Ok(())
}

/// A planned task is open again at once and ends as no dead letter, and its agents have nobody to ask
/// to be set active again.
#[tokio::test]
async fn who_fails_tasks_that_are_tried_without_end_stays_active() -> Result<()> {
    let database = TestDatabase::new().await?;
    let (engine, caller) = engine(&database).await?;
    for agent in ["clumsy", "well"] {
        register(&engine, &caller, agent, 100).await?;
    }
    for _ in 0..8 {
        let planned = NewTask {
            profile: Profile::Task,
            ..task("fails")
        };
        engine.submit_tasks(&caller, &[planned], None).await?;
        let claim = engine.claim(&caller, &now("clumsy", 1)).await?.remove(0);
        let ending = Ending::Fail {
            reason: Reason::Crash,
            message: String::new(),
            details: None,
            retry_after_ms: Some(3_600_000),
        };
        let spent = Usage::default();
        engine.settle(&caller, claim.lease, ending, spent).await?;
        complete_one(&engine, &caller, "well", Usage::default()).await?;
    }
    assert_eq!(experience_recorder::run_once(&engine).await?.drained, 0);
    let status = status(&engine, &caller, "clumsy").await?;
    assert_eq!(status, AgentStatus::Active);
    Ok(())
}

#[tokio::test]
async fn when_everybody_fails_it_is_not_the_agents_and_a_success_ends_the_row() -> Result<()> {
    let database = TestDatabase::new().await?;
    let (engine, caller) = engine(&database).await?;
    for agent in ["one", "other"] {
        register(&engine, &caller, agent, 100).await?;
    }
    for _ in 0..7 {
        fail_one(&engine, &caller, "one").await?;
        fail_one(&engine, &caller, "other").await?;
    }
    assert_eq!(experience_recorder::run_once(&engine).await?.drained, 0);
    complete_one(&engine, &caller, "one", Usage::default()).await?;
    for _ in 0..4 {
        fail_one(&engine, &caller, "one").await?;
    }
    // Now somebody has succeeded, while the other one still fails.
    experience_recorder::run_once(&engine).await?;
    assert_eq!(status(&engine, &caller, "one").await?, AgentStatus::Active);
    fail_one(&engine, &caller, "other").await?;
    experience_recorder::run_once(&engine).await?;
    assert_eq!(
        status(&engine, &caller, "other").await?,
        AgentStatus::Draining
    );
    Ok(())
}

/// What a server knew that was killed is in no record. Nobody is sick because of that.
#[tokio::test]
async fn a_success_that_was_not_recorded_counts_before_anybody_is_set_draining() -> Result<()> {
    let database = TestDatabase::new().await?;
    let (engine, caller) = engine(&database).await?;
    for agent in ["accused", "other"] {
        register(&engine, &caller, agent, 100).await?;
    }
    for _ in 0..2 {
        fail_one(&engine, &caller, "accused").await?;
    }
    experience_recorder::run_once(&engine).await?;
    let (killed, _) = crate::engine(&database).await?;
    complete_one(&killed, &caller, "accused", Usage::default()).await?;
    drop(killed);
    for _ in 0..3 {
        fail_one(&engine, &caller, "accused").await?;
    }
    complete_one(&engine, &caller, "other", Usage::default()).await?;
    assert_eq!(experience_recorder::run_once(&engine).await?.drained, 0);
    Ok(())
}

/// F-18: what a task without a maximum reserves is what such tasks usually cost.
#[tokio::test]
async fn what_attempts_usually_cost_is_reserved_for_the_next_one() -> Result<()> {
    let database = TestDatabase::new().await?;
    let (engine, caller) = engine(&database).await?;
    register(&engine, &caller, "agent", 100).await?;
    for dollars in [2, 4] {
        let mut usage = Usage::default();
        let figures = ModelUsage {
            cost_usd: Some(Micros(dollars * 1_000_000)),
            ..ModelUsage::default()
        };
        usage.models.insert("opus".to_owned(), figures);
        complete_one(&engine, &caller, "agent", usage).await?;
    }
    experience_recorder::run_once(&engine).await?;
    let budget = Micros(10_000_000);
    engine
        .set_budget(&caller, Purse::Namespace, budget, None, None)
        .await?;
    let tasks: Vec<_> = (0..5).map(|_| task("costs what it costs")).collect();
    engine.submit_tasks(&caller, &tasks, None).await?;
    let mut claimed = 0;
    for _ in 0..5 {
        claimed += engine.claim(&caller, &now("agent", 1)).await?.len();
    }
    assert_eq!(claimed, 3, "three dollars each");
    let gates = engine.gates(&caller).await?;
    let used = gates
        .iter()
        .find(|view| view.gate == Gate::Budget(Purse::Namespace))
        .map(|view| view.used);
    assert_eq!(used, Some(9_000_000));
    Ok(())
}

#[tokio::test]
async fn explain_names_the_sick_agent_and_forgets_it_days_later_on_two_servers_at_once()
-> Result<()> {
    let database = TestDatabase::new().await?;
    let (engine, caller) = engine(&database).await?;
    let (other, _) = crate::engine(&database).await?;
    for agent in ["sick", "well"] {
        register(&engine, &caller, agent, 100).await?;
    }
    for _ in 0..3 {
        fail_one(&engine, &caller, "sick").await?;
    }
    complete_one(&engine, &caller, "well", Usage::default()).await?;
    let failed = fail_one(&other, &caller, "sick").await?;
    for server in [&engine, &other] {
        experience_recorder::run_once(server).await?;
    }
    let suspect = async || -> Result<Option<Suspect>> {
        let matrix = engine.explain(&caller, failed).await?.attempt_matrix;
        Ok(matrix.map(|matrix| matrix.suspect))
    };
    let sick = Suspect::Agent("sick".to_owned());
    assert_eq!(suspect().await?, Some(sick.clone()));

    let now = engine.store().now().await?;
    assert_eq!(tally_pruner::run_once(&engine, now).await?.rows, 0);
    assert_eq!(suspect().await?, Some(sick));
    let later = now + SignedDuration::from_hours(74);
    let (one, two) = tokio::try_join!(
        tally_pruner::run_once(&engine, later),
        tally_pruner::run_once(&other, later)
    )?;
    assert!((2..=4).contains(&(one.rows + two.rows)), "{one:?} {two:?}");
    assert_eq!(suspect().await?, Some(Suspect::Unknown));
    Ok(())
}
