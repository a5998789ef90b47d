//! What is refused before anything is stored.

use super::*;
use serde_json::json;
use workmill_core::output::Validation;

fn problem(change: impl FnOnce(&mut NewTask)) -> String {
    let mut task = NewTask {
        title: "t".into(),
        task_type: "code".into(),
        ..NewTask::default()
    };
    change(&mut task);
    let checked = check_task("task", &task).and_then(|()| {
        check_body(
            "task",
            &serde_json::value::to_raw_value(&task).expect("JSON"),
        )
    });
    checked.map_or_else(|error| error.to_string(), |()| "fine".to_owned())
}

#[test]
fn what_is_out_of_bounds_is_refused_with_the_field_that_is() {
    assert_eq!(problem(|_| ()), "fine");
    assert_eq!(
        problem(|task| task.title = " ".into()),
        "task.title: must not be empty"
    );
    assert_eq!(
        problem(|task| task.lease_sec = Some(0.0)),
        "task.lease_sec: 0 is not between 0.1 and 315360000"
    );
    assert!(problem(|task| task.lease_sec = Some(f64::NAN)).starts_with("task.lease_sec"));
    assert!(problem(|task| task.max_attempts = Some(0)).starts_with("task.max_attempts"));
    assert!(problem(|task| task.spec.prompt = "x".repeat(2 << 20)).contains("bytes"));
    assert!(problem(|task| task.tags = vec![String::new()]).starts_with("task.tags"));
    let mut deep = Value::Null;
    for _ in 0..100 {
        deep = Value::Array(vec![deep]);
    }
    assert!(problem(|task| task.spec.payload = deep.clone()).contains("deeper"));
    let schema = |task: &mut NewTask| {
        task.output.validation = Validation::JsonSchema;
        task.output.validation_schema = serde_json::json!({"items": deep});
    };
    assert!(problem(schema).contains("deeper"));
}

/// F-4
#[test]
fn an_output_that_cannot_be_checked_and_a_negative_cost_are_refused() {
    assert_eq!(
        problem(|task| task.output.validation = Validation::JsonSchema),
        "task.output.validation_schema: `json-schema` needs a JSON Schema: an object, true or \
         false"
    );
    let cost = |cost| move |task: &mut NewTask| task.spec.constraints.max_cost_usd = Some(cost);
    assert_eq!(
        problem(cost(Micros(-1))),
        "task.spec.constraints.max_cost_usd: must not be negative"
    );
    assert_eq!(problem(cost(Micros::ZERO)), "fine");
    assert_eq!(problem(cost(Micros::LARGEST)), "fine");
}

/// F-4
#[test]
fn artifacts_are_few_and_short_references() {
    let problem = |artifacts: Value| {
        let artifacts: Vec<Value> = serde_json::from_value(artifacts).expect("a list");
        check_artifacts(&artifacts).map_or_else(|error| error.to_string(), |()| "fine".into())
    };
    assert_eq!(
        problem(json!(["artifact:a", {"path": "b", "bytes": 3}])),
        "fine"
    );
    assert_eq!(problem(json!([])), "fine");
    assert_eq!(
        problem(json!(["a", 3])),
        "artifacts[1]: a text or an object"
    );
    assert_eq!(problem(json!([""])), "artifacts[0]: must not be empty");
    assert_eq!(
        problem(json!(["a".repeat(2001)])),
        "artifacts[0]: at most 2000 characters"
    );
    assert_eq!(problem(json!(vec!["a"; 101])), "artifacts: at most 100");
    assert!(problem(json!(vec!["a".repeat(1000); 100])).contains("bytes; at most 65536"));
    assert!(problem(json!([{"a": "\u{0}"}])).contains("U+0000"));
}

/// F-5 (part)
#[test]
fn a_reference_is_to_an_output_or_an_artifact() {
    let refer = |text: &str| {
        let references = vec![text.to_owned()];
        problem(|task| task.spec.context_refs = references)
    };
    assert_eq!(refer("artifact:abc"), "fine");
    assert_eq!(refer("task:task_01J8K2M0000000000000000000:output"), "fine");
    assert_eq!(
        refer("task:db/1:output"),
        "task.spec.context_refs: `task:db/1:output` needs the id of the task, \
         `task:task_…:output`: `db/1` is not one, and planners' keys are not looked up in references"
    );
    for text in ["artifact:", "artifact:a b", "task:x", "http://x"] {
        assert_eq!(
            refer(text),
            format!(
                "task.spec.context_refs: `{text}` is neither `task:<id>:output` nor \
                 `artifact:<id>`"
            )
        );
    }
}

#[test]
fn a_nul_character_is_refused_but_not_the_text_that_spells_one() {
    assert!(problem(|task| task.spec.prompt = "a\0b".into()).contains("U+0000"));
    assert_eq!(
        problem(|task| task.spec.prompt = "a\\u0000b".into()),
        "fine"
    );
}
