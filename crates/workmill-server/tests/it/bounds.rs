//! Every list of every request is bounded, and the bound is kept while the request is read.
//!
//! The test walks the document of the API, so a new call or a new field cannot miss it.

use std::fmt::Write as _;

use anyhow::{Context, Result};
use reqwest::{Client, Method};
use serde_json::{Value, json};
use workmill_protocol::role::Role;
use workmill_server::openapi;
use workmill_testkit::factory::task;

use crate::actors::Server;

/// JSON that clients shape as they like. Its values are counted while it is read.
const FREE_FORM: &[&str] = &["Json", "JsonObject", "Artifact"];

/// A list or a map of a request: how to get there, and what one item is.
struct List<'a> {
    /// What stands before the list.
    before: String,
    /// As a refusal names it.
    field: String,
    schema: &'a Value,
    is_map: bool,
}

impl List<'_> {
    fn most(&self) -> Option<u64> {
        let keyword = if self.is_map {
            "maxProperties"
        } else {
            "maxItems"
        };
        self.schema[keyword].as_u64()
    }

    /// The list with one item more than it may have, and then what is no JSON.
    fn over(&self, document: &Value) -> String {
        let most = self.most().expect("a bound");
        let mut text = self.before.clone();
        text.push(if self.is_map { '{' } else { '[' });
        let items = if self.is_map {
            &self.schema["additionalProperties"]
        } else {
            &self.schema["items"]
        };
        let item = instance(document, items).to_string();
        for at in 0..=most {
            // Writing to a text cannot fail.
            let _ = if self.is_map {
                write!(text, "\"{at}\":{item},")
            } else {
                write!(text, "{item},")
            };
        }
        text.push_str("not JSON");
        text
    }
}

fn resolve<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str() {
        Some(reference) => document
            .pointer(&reference[1..])
            .expect("what it refers to"),
        None => schema,
    }
}

fn is_free_form(schema: &Value) -> bool {
    let name = schema["$ref"]
        .as_str()
        .and_then(|path| path.rsplit('/').next());
    name.is_some_and(|name| FREE_FORM.contains(&name))
}

fn walk<'a>(
    document: &'a Value,
    schema: &'a Value,
    (before, field): (&str, &str),
    found: &mut Vec<List<'a>>,
) {
    if is_free_form(schema) {
        return;
    }
    let schema = resolve(document, schema);
    for choices in ["oneOf", "anyOf", "allOf"] {
        for choice in schema[choices].as_array().into_iter().flatten() {
            walk(document, choice, (before, field), found);
        }
    }
    let mut list = |is_map| {
        found.push(List {
            before: before.to_owned(),
            field: field.to_owned(),
            schema,
            is_map,
        });
    };
    if schema["items"].is_object() {
        list(false);
        walk(
            document,
            &schema["items"],
            (&format!("{before}["), &format!("{field}[0]")),
            found,
        );
    } else if schema["additionalProperties"].is_object() {
        list(true);
    }
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        let dot = if field.is_empty() { "" } else { "." };
        let (before, field) = (
            format!("{before}{{\"{name}\":"),
            format!("{field}{dot}{name}"),
        );
        walk(document, member, (&before, &field), found);
    }
}

/// Something small that the schema takes.
fn instance(document: &Value, schema: &Value) -> Value {
    let schema = resolve(document, schema);
    for known in [
        &schema["const"],
        &schema["enum"][0],
        &schema["examples"][0],
        &schema["example"],
    ] {
        if !known.is_null() {
            return known.clone();
        }
    }
    for choices in ["oneOf", "anyOf", "allOf"] {
        let choices = schema[choices].as_array().into_iter().flatten();
        if let Some(choice) = choices.into_iter().find(|choice| choice["type"] != "null")
            && schema["properties"].is_null()
        {
            return instance(document, choice);
        }
    }
    match schema["type"].as_str() {
        Some("object") => {
            let required = schema["required"].as_array().into_iter().flatten();
            let members = required.filter_map(|name| {
                let name = name.as_str()?;
                Some((
                    name.to_owned(),
                    instance(document, &schema["properties"][name]),
                ))
            });
            Value::Object(members.collect())
        }
        Some("array") => json!([]),
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or(json!(1)),
        Some("boolean") => json!(false),
        Some("string") if schema["format"] == "date-time" => json!("2026-01-01T00:00:00Z"),
        Some("string") => json!("a"),
        _ => Value::Null,
    }
}

struct Call<'a> {
    method: Method,
    path: &'a str,
    /// With something in the place of each parameter.
    address: String,
    lists: Vec<List<'a>>,
    takes_lines: bool,
}

fn calls(document: &Value) -> Result<Vec<Call<'_>>> {
    let mut calls = Vec::new();
    for (path, methods) in document["paths"].as_object().context("paths")? {
        for (method, operation) in methods.as_object().context("methods")? {
            let content = &operation["requestBody"]["content"];
            let mut lists = Vec::new();
            walk(
                document,
                &content["application/json"]["schema"],
                ("", ""),
                &mut lists,
            );
            let lines = &content["application/x-ndjson"]["schema"];
            assert!(lines.is_null() || lines["x-max-lines"].is_u64(), "{path}");
            walk(document, &lines["x-line"], ("", ""), &mut lists);
            let parts = path
                .split('/')
                .map(|part| if part.starts_with('{') { "x" } else { part });
            calls.push(Call {
                method: method.to_uppercase().parse()?,
                path,
                address: parts.collect::<Vec<_>>().join("/"),
                lists,
                takes_lines: !lines.is_null(),
            });
        }
    }
    Ok(calls)
}

#[test]
fn every_list_of_every_request_has_a_bound() -> Result<()> {
    let document: Value = serde_json::from_str(openapi::document())?;
    let calls = calls(&document)?;
    let lists: Vec<_> = calls
        .iter()
        .flat_map(|call| call.lists.iter().map(move |list| (call, list)))
        .collect();
    let unbounded: Vec<String> = lists
        .iter()
        .filter(|(_, list)| list.most().is_none())
        .map(|(call, list)| format!("{} {}: {}", call.method, call.path, list.field))
        .collect();
    assert!(
        unbounded.is_empty(),
        "no bound for\n{}",
        unbounded.join("\n")
    );
    assert!(lists.len() > 40, "{}", lists.len());
    Ok(())
}

/// What follows the first item beyond the bound is no JSON: whoever reads on says so.
#[tokio::test]
async fn no_request_is_read_beyond_the_bound_of_a_list() -> Result<()> {
    let server = Server::start().await?;
    let token = server.token(server.test.ns, Role::Admin).await?;
    let document: Value = serde_json::from_str(openapi::document())?;
    let (http, mut wrong) = (Client::new(), Vec::new());
    for call in calls(&document)? {
        // A merge patch is any JSON until it is laid over a task.
        let is_patch = |list: &List| {
            let of_patch = call.path == "/v1/tasks/{id}" || list.field.starts_with("changes.");
            of_patch && call.method != Method::GET
        };
        for list in call.lists.iter().filter(|list| !is_patch(list)) {
            let request = http
                .request(
                    call.method.clone(),
                    format!("{}{}", server.url, call.address),
                )
                .bearer_auth(&token)
                .body(list.over(&document));
            let problem: Value = request.send().await?.json().await?;
            let said = if call.takes_lines {
                format!("{}", problem["lines"][0]["problem"])
            } else {
                format!("{} {}", problem["field"], problem["detail"])
            };
            let most = list.most().unwrap_or_default();
            let right = if call.takes_lines {
                format!("\"{}: at most {most}\"", list.field)
            } else {
                format!("\"{}\" \"at most {most}\"", list.field)
            };
            if said != right {
                wrong.push(format!(
                    "{} {}: {} is answered {problem}",
                    call.method, call.path, list.field
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

/// A body that a call does not take is not ignored, and neither is a member of one.
#[tokio::test]
async fn a_body_that_a_call_does_not_take_is_refused_by_name() -> Result<()> {
    let server = Server::start().await?;
    let token = server.token(server.test.ns, Role::Admin).await?;
    let document: Value = serde_json::from_str(openapi::document())?;
    let http = Client::new();
    let client = server.client(Role::Admin).await?;
    let task = client.submit(vec![task("work")]).await?.tasks[0].id;
    for call in calls(&document)? {
        // A merge patch is laid over a task, so there must be one.
        let address = match (call.path, &call.method) {
            ("/v1/tasks/{id}", &Method::PATCH) => format!("/v1/tasks/{task}"),
            _ => call.address.clone(),
        };
        let send = |body: &'static str| {
            let url = format!("{}{address}", server.url);
            let request = http.request(call.method.clone(), url);
            request.bearer_auth(&token).body(body).send()
        };
        let name = format!("{} {}", call.method, call.path);
        for body in [r#"{"surprise": 1}"#, "nonsense", "null"] {
            let answer = send(body).await?;
            assert_eq!(answer.status(), 400, "{name} {body}");
            let problem: Value = answer.json().await?;
            if body.starts_with('{') {
                let field = &problem["field"];
                assert!(field == "surprise" || call.takes_lines, "{name}: {problem}");
            }
        }
        let takes_body = openapi_takes_body(&document, &call);
        if !takes_body {
            let without = send("").await?.status();
            for body in ["{}", " { } "] {
                assert_eq!(send(body).await?.status(), without, "{name} {body}");
            }
            let long: &'static str = Box::leak(" ".repeat(10_000).into_boxed_str());
            assert_eq!(send(long).await?.status(), 400, "{name}");
        }
    }
    Ok(())
}

fn openapi_takes_body(document: &Value, call: &Call) -> bool {
    let operation = &document["paths"][call.path][call.method.as_str().to_lowercase()];
    let (has_body, most) = (
        operation.get("requestBody").is_some(),
        &operation["x-max-body-bytes"],
    );
    assert_eq!(has_body, most.is_u64(), "{}", call.path);
    has_body
}
