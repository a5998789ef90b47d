//! Requests are read strictly and answers may grow: what a request names is closed, what an answer
//! names is open. What both name is there twice, with `Shown` at the end of its name in answers.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

const SCHEMAS: &str = "#/components/schemas/";

/// Closes the schemas of requests. `paths` are those of the document.
pub(super) fn close(paths: &mut Value, responses: &mut Value, schemas: &mut Map<String, Value>) {
    let (mut asked, mut answered) = (BTreeSet::new(), BTreeSet::new());
    for_each_operation(paths, |operation| {
        for part in ["requestBody", "parameters"] {
            reach(&operation[part], schemas, &mut asked);
        }
        reach(&operation["responses"], schemas, &mut answered);
    });
    reach(responses, schemas, &mut answered);
    schemas.retain(|name, _| asked.contains(name) || answered.contains(name));
    let both = closed_in_both(&asked, &answered, schemas);
    for name in &both {
        let mut shown = schemas[name].clone();
        rename(&mut shown, &both);
        schemas.insert(format!("{name}Shown"), shown);
    }
    for name in answered.difference(&asked) {
        if let Some(schema) = schemas.get_mut(name) {
            rename(schema, &both);
        }
    }
    for_each_operation(paths, |operation| {
        rename(&mut operation["responses"], &both);
    });
    rename(responses, &both);
    define_members_once(schemas);
    for name in asked {
        if let Some(schema) = schemas.get_mut(&name) {
            close_schema(schema);
        }
    }
}

fn for_each_operation(paths: &mut Value, mut visit: impl FnMut(&mut Value)) {
    let paths = paths.as_object_mut().into_iter().flatten();
    for (_, path) in paths {
        for (_, operation) in path.as_object_mut().into_iter().flatten() {
            visit(operation);
        }
    }
}

/// The names of all schemas that can be reached from here.
fn reach(from: &Value, schemas: &Map<String, Value>, found: &mut BTreeSet<String>) {
    match from {
        Value::Array(items) => items.iter().for_each(|item| reach(item, schemas, found)),
        Value::Object(members) => {
            for (name, value) in members {
                match value.as_str().and_then(|text| text.strip_prefix(SCHEMAS)) {
                    Some(target) if name == "$ref" => {
                        if found.insert(target.to_owned())
                            && let Some(schema) = schemas.get(target)
                        {
                            reach(schema, schemas, found);
                        }
                    }
                    _ => reach(value, schemas, found),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// What both name and what closing would change, itself or below it.
fn closed_in_both(
    asked: &BTreeSet<String>,
    answered: &BTreeSet<String>,
    schemas: &Map<String, Value>,
) -> BTreeSet<String> {
    let changes = |name: &String| {
        let mut closed = schemas[name].clone();
        close_schema(&mut closed);
        closed != schemas[name]
    };
    let both = asked.intersection(answered);
    let both = both.filter(|name| {
        let mut below = BTreeSet::from([(*name).clone()]);
        reach(&schemas[*name], schemas, &mut below);
        below.iter().any(changes)
    });
    both.cloned().collect()
}

fn rename(place: &mut Value, names: &BTreeSet<String>) {
    match place {
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, names)),
        Value::Object(members) => {
            for (name, value) in members {
                let target = value.as_str().and_then(|text| text.strip_prefix(SCHEMAS));
                match target {
                    Some(target) if name == "$ref" && names.contains(target) => {
                        *value = json!(format!("{SCHEMAS}{target}Shown"));
                    }
                    _ => rename(value, names),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// An answer that contains a request and defines one of its members itself always has that member in its
/// own form. Generators refuse two definitions of one member, so the part that was shown gives way.
fn define_members_once(schemas: &mut Map<String, Value>) {
    let mut defined_again = Vec::new();
    for schema in schemas.values() {
        let parts = schema["allOf"].as_array().into_iter().flatten();
        let (mut shown, mut own) = (Vec::new(), Vec::new());
        for part in parts {
            let target = part["$ref"].as_str();
            let target = target.and_then(|text| text.strip_prefix(SCHEMAS));
            shown.extend(target.filter(|name| name.ends_with("Shown")));
            own.extend(
                part["properties"]
                    .as_object()
                    .into_iter()
                    .flat_map(Map::keys),
            );
        }
        for name in shown {
            let members = own
                .iter()
                .map(|member| (name.to_owned(), (*member).clone()));
            defined_again.extend(members);
        }
    }
    for (name, member) in defined_again {
        if let Some(members) = schemas[&name]["properties"].as_object_mut() {
            members.remove(&member);
        }
    }
}

/// Objects that list their members have no others.
fn close_schema(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(close_schema),
        Value::Object(members) => {
            let is_listed = members.get("type") == Some(&json!("object"))
                && members.contains_key("properties")
                && !members.contains_key("additionalProperties");
            if is_listed {
                members.insert("additionalProperties".to_owned(), json!(false));
            }
            members.values_mut().for_each(close_schema);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
