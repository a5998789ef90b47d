//! Says the same in words that generators of clients read: openapi-python-client and openapi-typescript
//! drop or distort a few constructs of JSON Schema, and a call that is dropped cannot be made.
//!
//! - A rule between the members of an object (`anyOf` beside `properties`) is taken for a choice between
//!   objects that have nothing else. It is said with `if` and `then`, which validators know and generators
//!   pass over.
//! - A schema that names itself cannot be a type. `Json` says in the same way what it may be.
//! - A member that has a `default` is taken for one that is always there. The default is told in words.

use serde_json::{Map, Value, json};

/// The schema of any JSON.
const ANY: &str = "Json";

/// Rewrites the schemas; what fits them stays the same.
pub(super) fn prepare(schemas: &mut Map<String, Value>) {
    for (name, schema) in schemas {
        visit(schema);
        if name == ANY {
            hide_choice(schema);
        }
    }
}

fn visit(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(visit),
        Value::Object(members) => {
            members.values_mut().for_each(visit);
            if members.get("properties").is_some_and(Value::is_object) {
                for (_, member) in members["properties"].as_object_mut().into_iter().flatten() {
                    tell_default(member);
                }
                if members.contains_key("anyOf") {
                    hide_choice(value);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// `if` is always so, and `then` holds the choice.
fn hide_choice(schema: &mut Value) {
    if let Some(choice) = schema
        .as_object_mut()
        .and_then(|members| members.remove("anyOf"))
    {
        schema["if"] = json!({});
        schema["then"] = json!({"anyOf": choice});
    }
}

/// Nothing, in whatever form, is what is not there.
fn tell_default(member: &mut Value) {
    let Some(default) = member.as_object_mut().and_then(|one| one.remove("default")) else {
        return;
    };
    let is_nothing = match &default {
        Value::Null | Value::Bool(false) => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::String(text) => text.is_empty(),
        Value::Bool(true) | Value::Number(_) => false,
    };
    if is_nothing {
        return;
    }
    let told = format!("Default: `{default}`.");
    let described = match member["description"].as_str() {
        Some(text) => format!("{text} {told}"),
        None => told,
    };
    member["description"] = json!(described);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_and_defaults_are_said_without_what_generators_stumble_over() {
        let choice = json!([{"required": ["a"]}, {"required": ["b"]}]);
        let mut schemas = Map::new();
        schemas.insert(
            "Usage".to_owned(),
            json!({"anyOf": choice, "properties": {
                "a": {"type": "integer", "default": 5, "description": "How many."},
                "b": {"type": ["string", "null"], "default": null},
            }}),
        );
        schemas.insert(ANY.to_owned(), json!({"anyOf": choice, "description": "x"}));
        schemas.insert("Either".to_owned(), json!({"anyOf": choice}));
        prepare(&mut schemas);
        assert_eq!(
            schemas["Usage"],
            json!({"if": {}, "then": {"anyOf": choice}, "properties": {
                "a": {"type": "integer", "description": "How many. Default: `5`."},
                "b": {"type": ["string", "null"]},
            }})
        );
        assert_eq!(
            schemas[ANY],
            json!({"if": {}, "then": {"anyOf": choice}, "description": "x"})
        );
        assert_eq!(
            schemas["Either"],
            json!({"anyOf": choice}),
            "a choice is one"
        );
    }
}
