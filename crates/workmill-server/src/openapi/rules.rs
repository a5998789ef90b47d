//! What JSON Schema can say of a request and a Rust type cannot: which members go together.

use serde_json::{Map, Value, json};

/// Adds the rules to the schemas they are about.
pub(super) fn add(schemas: &mut Map<String, Value>) {
    for (name, rule) in [
        ("SubmitTasks", submit_tasks()),
        ("ExpectedOutput", expected_output()),
        ("Usage", usage()),
        ("ChangeTasks", change_tasks()),
        ("ResolveDeadLetter", resolution()),
        ("ResolveDeadLetters", resolution()),
        ("FailTask", failure()),
    ] {
        if let (Some(Value::Object(schema)), Value::Object(rule)) = (schemas.get_mut(name), rule) {
            for (keyword, value) in rule {
                merge(schema.entry(keyword).or_insert(Value::Null), value);
            }
        }
    }
}

fn merge(target: &mut Value, added: Value) {
    match (target, added) {
        (Value::Object(target), Value::Object(added)) => {
            for (name, value) in added {
                merge(target.entry(name).or_insert(Value::Null), value);
            }
        }
        (target, added) => *target = added,
    }
}

/// Only a task of a graph can depend on others.
fn submit_tasks() -> Value {
    let alone = json!({
        "$ref": "#/components/schemas/NewTask",
        "properties": {"depends_on": {"maxItems": 0}},
    });
    json!({"oneOf": [
        {
            "type": "object",
            "required": ["tasks"],
            "properties": {
                "tasks": {"type": "array", "items": alone, "minItems": 1, "maxItems": 10_000},
            },
        },
        alone,
    ]})
}

/// A check by schema needs a schema, and a schema a check.
fn expected_output() -> Value {
    json!({"anyOf": [
        {
            "required": ["validation", "validation_schema"],
            "properties": {
                "validation": {"const": "json-schema"},
                "validation_schema": {"type": ["object", "boolean"]},
            },
        },
        {
            "required": ["validation"],
            "properties": {"validation": {"enum": ["test-pass", "llm-judge", "regex"]}},
        },
        {"properties": {"validation": {"const": "none"}, "validation_schema": {"type": "null"}}},
    ]})
}

/// One model by its name, or all of them in `models`.
fn usage() -> Value {
    json!({
        "properties": {"models": {"maxProperties": 32}},
        "anyOf": [
            {"properties": {"model": {"type": "null"}}},
            {"properties": {"models": {"maxProperties": 0}}},
        ],
    })
}

/// Each action takes what it needs and nothing else.
fn change_tasks() -> Value {
    json!({"anyOf": [
        {"properties": {
            "action": {"enum": ["cancel", "retry"]},
            "priority": {"type": "null"},
            "tag": {"type": "null"},
        }},
        {
            "required": ["priority"],
            "properties": {
                "action": {"const": "reprioritise"},
                "priority": {"type": ["integer", "string"]},
                "tag": {"type": "null"},
            },
        },
        {
            "required": ["tag"],
            "properties": {
                "action": {"enum": ["tag", "untag"]},
                "priority": {"type": "null"},
                "tag": {"type": "string"},
            },
        },
    ]})
}

/// Only a modification has changes.
fn resolution() -> Value {
    json!({"anyOf": [
        {"properties": {
            "resolution": {"enum": ["retry", "cancel"]},
            "changes": {"maxProperties": 0},
        }},
        {
            "required": ["changes"],
            "properties": {
                "resolution": {"const": "modify_and_retry"},
                "changes": {"minProperties": 1},
            },
        },
    ]})
}

/// What only Workmill can know is not for agents to say.
fn failure() -> Value {
    json!({"properties": {"reason": {"not": {"enum": ["heartbeat_timeout", "claim_expired"]}}}})
}
