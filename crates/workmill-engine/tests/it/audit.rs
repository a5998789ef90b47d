//! Every call by which somebody steers is recorded under the caller's name and key.

use std::ops::ControlFlow;

use anyhow::Result;
use serde_json::{Map, Value, json};
use uuid::Uuid;
use workmill_core::audit::Action;
use workmill_core::edition::Expected;
use workmill_core::gate::Paused;
use workmill_core::task::NewTask;
use workmill_engine::dispatch::{AgentChange, AgentStatus};
use workmill_engine::intake::GraphRequest;
use workmill_engine::look::{AuditFilter, DeadLetterFilter};
use workmill_engine::settlement::CancelMode;
use workmill_engine::settlement::dead_letters::{BulkDecision, Progress, Resolution};
use workmill_engine::{Caller, Engine};
use workmill_testkit::burial::bury_ready_tasks;
use workmill_testkit::database::TestDatabase;
use workmill_testkit::factory::task;

use crate::{engine, register};

async fn steer(engine: &Engine, caller: &Caller, database: &TestDatabase) -> Result<()> {
    register(engine, caller, "agent", 1).await?;
    let drained = AgentChange {
        status: Some(AgentStatus::Draining),
        ..AgentChange::default()
    };
    engine.change_agent(caller, "agent", drained, None).await?;
    let paused = Paused::Type("code".to_owned());
    engine.pause(caller, paused.clone(), None).await?;
    engine.resume(caller, paused).await?;
    let named = |name: &str| NewTask {
        name: Some(name.to_owned()),
        ..task(name)
    };
    let request = GraphRequest {
        title: "graph".to_owned(),
        tasks: vec![named("a"), named("b")],
        draft: false,
        budget_usd: None,
        project_id: None,
        created_by: None,
    };
    let submitted = engine.submit_graph(caller, &request, None).await?;
    let (a, b) = (submitted.tasks[0].1, submitted.tasks[1].1);
    engine.add_dependency(caller, b, a).await?;
    engine.remove_dependency(caller, b, a).await?;
    let title: Map<String, Value> = serde_json::from_value(json!({"title": "c"}))?;
    engine
        .edit_task(caller, b, title.clone(), &Expected::Any)
        .await?;
    engine.cancel_task(caller, a).await?;
    let now = CancelMode::Now;
    engine.cancel_graph(caller, submitted.id, now).await?;

    let dead = vec![task("dead"); 4];
    let dead = engine.submit_tasks(caller, &dead, None).await?.tasks;
    let client = database.client().await?;
    bury_ready_tasks(&client, engine.store().now().await?).await?;
    let modify = Resolution::ModifyAndRetry { changes: title };
    for (task, resolution) in [
        (dead[0], Resolution::Retry),
        (dead[1], Resolution::Cancel),
        (dead[2], modify),
    ] {
        let note = Some("because");
        engine
            .resolve_dead_letter(caller, task, &resolution, note)
            .await?;
    }
    let decision = BulkDecision {
        filter: DeadLetterFilter::default(),
        resolution: Resolution::Retry,
        note: Some("all of them".to_owned()),
    };
    let until = engine.store().now().await?;
    engine
        .resolve_dead_letters(caller, &decision, until, |_: &Progress| {
            ControlFlow::Continue(())
        })
        .await?;
    Ok(())
}

#[tokio::test]
async fn what_somebody_does_by_hand_is_recorded_under_their_name() -> Result<()> {
    let database = TestDatabase::new().await?;
    let (engine, caller) = engine(&database).await?;
    let caller = Caller {
        name: "ada".to_owned(),
        key: Uuid::from_u128(7),
        ..caller
    };
    steer(&engine, &caller, &database).await?;
    let filter = AuditFilter::default();
    let mut entries = engine.audit(&caller, &filter, None, 100).await?.entries;
    entries.reverse();
    let actions: Vec<&str> = entries.iter().map(|entry| entry.action.as_str()).collect();
    let expected = [
        Action::AgentRegistered,
        Action::AgentStatusSet,
        Action::GateSet,
        Action::GateRemoved,
        Action::DependencyAdded,
        Action::DependencyRemoved,
        Action::TaskEdited,
        Action::TaskCancelled,
        Action::GraphCancelled,
        Action::DeadLetterRetried,
        Action::DeadLetterCancelled,
        Action::DeadLetterModified,
        Action::DeadLetterRetried,
    ];
    assert_eq!(actions, expected.map(Action::name));
    for entry in &entries {
        let by = (entry.actor.as_str(), entry.actor_key);
        assert_eq!(by, ("ada", Some(caller.key)), "{}", entry.action);
        let changes_something = entry.before != entry.after;
        assert!(changes_something, "{}", entry.action);
    }
    assert_eq!(entries[1].before, Some(json!({"status": "active"})));
    assert_eq!(entries[8].after.as_ref().unwrap()["tasks_cancelled"], 1);
    assert_eq!(entries[11].after.as_ref().unwrap()["title"], "c");
    assert_eq!(entries[11].note.as_deref(), Some("because"));
    assert_eq!(entries[12].note.as_deref(), Some("all of them"));
    Ok(())
}
