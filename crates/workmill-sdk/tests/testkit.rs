//! Handlers tried without a server: what they tell, and what becomes of their endings.

use serde_json::{Value, json};
use workmill_core::failure::Reason;
use workmill_core::task::NewTask;
use workmill_sdk::protocol::leases::Usage;
use workmill_sdk::worker::testkit::TestTask;
use workmill_sdk::worker::{Cancelled, Failure, NotDone, TaskContext};

#[tokio::test]
async fn what_a_handler_is_given_and_tells_can_be_looked_at() {
    let handle = |context: TaskContext| async move {
        let before = context.dependencies()[0].output.clone();
        context.progress(json!({"percent": 50}));
        context.checkpoint(json!({"line": 7}));
        context.cost(0.25);
        context.cost(0.5);
        context.artifact("s3://bucket/report");
        let task = |title: &str| NewTask {
            title: title.to_owned(),
            task_type: "code".to_owned(),
            ..NewTask::default()
        };
        context.spawn(vec![task("one"), task("two")]).await?;
        Ok(json!({"after": before}))
    };
    let ran = TestTask::with_prompt("go").after("first").run(handle).await;
    assert_eq!(ran.output(), json!({"after": "first"}));
    assert_eq!(ran.recording.progress, [json!({"percent": 50})]);
    assert_eq!(ran.recording.checkpoints, [json!({"line": 7})]);
    assert_eq!(ran.recording.artifacts, [json!("s3://bucket/report")]);
    let usage = Usage {
        cost_usd: Some(0.75),
        ..Usage::default()
    };
    assert_eq!(ran.recording.usage, usage, "costs add up");
    let keys: Vec<_> = ran.recording.spawned.iter().map(|task| &task.key).collect();
    assert!(keys[0].is_some() && keys[0] != keys[1], "{keys:?}");
}

#[tokio::test]
async fn an_error_a_failure_and_a_panic_are_told_apart() {
    let errs = |_| async { Ok("x".parse::<u32>()?) };
    let failed = failure(TestTask::with_prompt("").run(errs).await.handled);
    assert_eq!(failed.reason, Reason::Unknown);
    assert!(failed.message.contains("invalid digit"), "{failed:?}");

    let fails = |_| async { Err::<Value, _>(Failure::new(Reason::RateLimit, "slowly").into()) };
    let failed = failure(TestTask::with_prompt("").run(fails).await.handled);
    assert_eq!(failed, Failure::new(Reason::RateLimit, "slowly"));

    let panics = |context: TaskContext| async move {
        assert!(context.is_cancelled(), "not cancelled");
        Ok(())
    };
    let failed = failure(TestTask::with_prompt("").run(panics).await.handled);
    assert_eq!(failed.reason, Reason::Crash);
    assert_eq!(failed.message, "the handler panicked: not cancelled");
}

#[tokio::test]
async fn a_handler_hears_that_its_work_is_not_wanted_any_more() {
    let waits = |context: TaskContext| async move {
        assert_eq!(context.cancelled().await, Cancelled::LeaseLost);
        Err::<Value, _>(NotDone::Released)
    };
    let task = TestTask::with_prompt("").cancelled(Cancelled::LeaseLost);
    assert_eq!(
        task.run(waits).await.handled.unwrap_err(),
        NotDone::Released
    );
}

fn failure<T: std::fmt::Debug>(handled: Result<T, NotDone>) -> Failure {
    match handled {
        Err(NotDone::Failed(failure)) => failure,
        other => panic!("{other:?}"),
    }
}
