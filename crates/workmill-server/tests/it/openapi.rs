//! The document of the API: complete, true to what the server does, and shown by a page that needs
//! nothing from elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use serde_json::{Value, json};
use workmill_protocol::error::ErrorCode;
use workmill_server::openapi;

use crate::actors::Server;
use crate::roles::TABLE;

fn document() -> Value {
    serde_json::from_str(openapi::document()).expect("JSON")
}

/// Every call with its method and path.
fn operations(document: &Value) -> Vec<(String, String, &Value)> {
    let paths = document["paths"].as_object().expect("paths");
    let operations = paths.iter().flat_map(|(path, item)| {
        let methods = item.as_object().expect("methods").iter();
        methods.map(move |(method, operation)| (method.to_uppercase(), path.clone(), operation))
    });
    operations.collect()
}

fn follow<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match value["$ref"].as_str() {
        Some(reference) => document
            .pointer(&reference[1..])
            .expect("what it refers to"),
        None => value,
    }
}

/// The table of routes is compared with the routes themselves by another test.
#[test]
fn every_route_is_described_with_its_roles_and_no_other() {
    let document = document();
    let described: BTreeSet<(String, String)> = operations(&document)
        .into_iter()
        .map(|(method, path, _)| (method, path))
        .collect();
    let served = TABLE
        .iter()
        .map(|line| (line.method.to_owned(), line.path.to_owned()));
    assert_eq!(described, served.collect());
    for line in TABLE.iter().filter(|line| line.path.starts_with("/v1")) {
        let operation = &document["paths"][line.path][line.method.to_lowercase()];
        let roles: Vec<&str> = line.may.iter().map(|role| role.name()).collect();
        assert_eq!(
            operation["x-roles"],
            json!(roles),
            "{} {}",
            line.method,
            line.path
        );
    }
}

#[test]
fn calls_have_names_of_their_own_and_all_references_lead_somewhere() {
    fn visit(document: &Value, value: &Value) {
        match value {
            Value::Object(members) => {
                follow(document, value);
                members.values().for_each(|one| visit(document, one));
            }
            Value::Array(items) => items.iter().for_each(|one| visit(document, one)),
            _ => {}
        }
    }
    let document = document();
    visit(&document, &document);
    let operations = operations(&document);
    let names: BTreeSet<&str> = operations
        .iter()
        .filter_map(|(_, _, operation)| operation["operationId"].as_str())
        .collect();
    assert_eq!(names.len(), operations.len());
}

#[test]
fn the_codes_of_errors_are_those_of_the_list() {
    let document = document();
    let listed = &document["components"]["schemas"]["ErrorCode"]["enum"];
    let listed: BTreeSet<&str> = listed
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    assert_eq!(listed, ErrorCode::ALL.map(ErrorCode::name).into());
    for (method, path, operation) in operations(&document) {
        for code in operation["x-codes"].as_array().expect("codes") {
            let mut all = ErrorCode::ALL.into_iter();
            let code = all.find(|known| code == known.name()).expect("a code");
            let status = code.status().to_string();
            assert!(
                operation["responses"][&status].is_object(),
                "{method} {path}: {status}"
            );
        }
    }
}

/// Whatever is sent or answered as JSON is shown by an example, which its schema takes.
#[test]
fn examples_are_there_and_fit_their_schemas() -> Result<()> {
    let document = document();
    let mut wrong = Vec::new();
    for (method, path, operation) in operations(&document) {
        let bodies = operation.get("requestBody").into_iter();
        let answers = operation["responses"]
            .as_object()
            .expect("responses")
            .values();
        for part in bodies.chain(answers.map(|one| follow(&document, one))) {
            for (kind, content) in part["content"].as_object().into_iter().flatten() {
                let is_ours = kind.ends_with("json") && path != "/openapi.json";
                if is_ours && content["examples"].is_null() {
                    wrong.push(format!("{method} {path}: no example"));
                }
                check(&document, content, &format!("{method} {path}"), &mut wrong)?;
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

fn check(document: &Value, content: &Value, at: &str, wrong: &mut Vec<String>) -> Result<()> {
    let line = &content["schema"]["x-line"];
    let schema = if line.is_null() {
        &content["schema"]
    } else {
        line
    };
    let schema = json!({"allOf": [schema], "components": document["components"]});
    let schema = jsonschema::draft202012::new(&schema).context("a schema")?;
    for (name, example) in content["examples"].as_object().into_iter().flatten() {
        let mut values = vec![example["value"].clone()];
        if !line.is_null() {
            let lines = example["value"].as_str().context("lines")?.lines();
            values = lines.map(serde_json::from_str).collect::<Result<_, _>>()?;
        }
        for value in &values {
            for error in schema.iter_errors(value) {
                wrong.push(format!("{at}: {name}: {} {error}", error.instance_path()));
            }
        }
    }
    Ok(())
}

/// Generators of clients drop calls and errors, or distort them, where a document has one of these; that
/// they make working clients of this one is tried by `./dev contract`.
#[test]
fn nothing_in_the_document_is_dropped_by_generators_of_clients() {
    let document = document();
    let mut wrong = Vec::new();
    let mut names = BTreeSet::new();
    for (method, path, operation) in operations(&document) {
        let at = format!("{method} {path}");
        let name = operation["operationId"].as_str().unwrap_or_default();
        let is_plain = |letter: char| letter.is_ascii_lowercase() || letter == '_';
        if name.is_empty() || !name.chars().all(is_plain) || !names.insert(name) {
            wrong.push(format!("{at}: `{name}` is no name of its own"));
        }
        for (status, answer) in operation["responses"].as_object().expect("responses") {
            let answer = follow(&document, answer);
            let contents = answer["content"].as_object();
            let kinds: Vec<&String> = contents
                .into_iter()
                .flatten()
                .map(|(kind, _)| kind)
                .collect();
            match status.as_str() {
                "204" | "304" => {
                    if !kinds.is_empty() {
                        wrong.push(format!("{at}: {status} has a body"));
                    }
                }
                "200" | "201" => {}
                _ => {
                    let problem = &answer["content"]["application/problem+json"]["schema"];
                    if problem["$ref"] != "#/components/schemas/Problem" {
                        wrong.push(format!("{at}: {status} is no problem"));
                    }
                }
            }
            for (kind, content) in contents.into_iter().flatten() {
                let schema = content["schema"].as_object();
                if schema.is_none_or(serde_json::Map::is_empty) {
                    wrong.push(format!("{at}: {status} {kind} has no schema"));
                }
            }
        }
    }
    for (name, schema) in document["components"]["schemas"]
        .as_object()
        .expect("schemas")
    {
        let (mut below, mut parts) = (vec![schema], Vec::new());
        while let Some(part) = below.pop() {
            parts.push(part);
            match part {
                Value::Array(items) => below.extend(items),
                Value::Object(members) => below.extend(
                    members
                        .iter()
                        .filter(|(keyword, _)| {
                            !["then", "examples", "const"].contains(&keyword.as_str())
                        })
                        .map(|(_, value)| value),
                ),
                _ => {}
            }
        }
        let own = json!(format!("#/components/schemas/{name}"));
        for part in parts {
            if part["properties"].is_object() && !part["anyOf"].is_null() {
                wrong.push(format!(
                    "{name}: a rule between members is taken for a choice"
                ));
            }
            if part["$ref"] == own {
                wrong.push(format!("{name} is made of itself"));
            }
            let mut members_of_parts = BTreeMap::new();
            for one in part["allOf"].as_array().into_iter().flatten() {
                let members = follow(&document, one)["properties"].as_object();
                for (member, schema) in members.into_iter().flatten() {
                    let before = members_of_parts.insert(member, schema);
                    if before.is_some_and(|before| before != schema) {
                        wrong.push(format!("{name}.{member} is defined twice"));
                    }
                }
            }
            let members = part["properties"].as_object().into_iter().flatten();
            for (member, schema) in members {
                if schema.get("default").is_some() {
                    wrong.push(format!(
                        "{name}.{member}: a default is taken for always there"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Generators name modules after tags and functions after operations. The generated clients are driven by
/// `./dev contract`; that their drivers name what there is, is found here.
#[test]
fn the_driver_of_the_python_client_imports_operations_of_the_document() {
    let document = document();
    let mut functions_of: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (_, _, operation) in operations(&document) {
        for tag in operation["tags"].as_array().into_iter().flatten() {
            let module = tag
                .as_str()
                .expect("a tag")
                .to_lowercase()
                .replace(' ', "_");
            let function = operation["operationId"].as_str().expect("a name");
            functions_of.entry(module).or_default().insert(function);
        }
    }
    let driver = include_str!("../../../../contract/clients/drive.py");
    let imports = driver
        .lines()
        .filter_map(|line| line.strip_prefix("from workmill_client.api."));
    let mut imported = 0;
    for import in imports {
        let (module, functions) = import.split_once(" import ").expect("an import");
        for function in functions.split(", ") {
            let is_there = functions_of
                .get(module)
                .is_some_and(|there| there.contains(function));
            assert!(is_there, "{module}.{function}");
            imported += 1;
        }
    }
    assert!(imported > 5, "{imported}");
}

/// What a request has and does not know is refused, so its schema is closed; an answer may grow.
#[test]
fn requests_are_closed_and_answers_are_open() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    let is_closed = |name: &str| schemas[name]["additionalProperties"] == false;
    for name in [
        "NewTask",
        "Spec",
        "Constraints",
        "RetryOverrides",
        "ClaimTasks",
        "Usage",
    ] {
        assert!(is_closed(name), "{name}");
    }
    for name in [
        "Task",
        "NewTaskShown",
        "SpecShown",
        "ConstraintsShown",
        "UsageShown",
        "Problem",
    ] {
        assert!(schemas[name].is_object() && !is_closed(name), "{name}");
    }
}

#[tokio::test]
async fn the_document_and_its_page_are_there_without_a_key_and_need_nothing_else() -> Result<()> {
    let server = Server::start().await?;
    for (path, content_type) in [
        ("/openapi.json", "application/json"),
        ("/docs", "text/html; charset=utf-8"),
        ("/docs/docs.js", "text/javascript; charset=utf-8"),
        ("/docs/docs.css", "text/css; charset=utf-8"),
    ] {
        let response = reqwest::get(format!("{}{path}", server.url)).await?;
        assert_eq!(response.status(), 200, "{path}");
        assert_eq!(response.headers()["content-type"], content_type);
        let policy = response.headers()["content-security-policy"]
            .to_str()?
            .to_owned();
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"));
        let text = response.text().await?;
        if path == "/openapi.json" {
            assert_eq!(text, openapi::document());
        } else {
            assert!(
                !text.contains("http://") && !text.contains("https://"),
                "{path}"
            );
        }
    }
    Ok(())
}

/// The field names of a schema, nested objects as `spec.prompt`.
fn fields(document: &Value, schema: &Value, prefix: &str, found: &mut Vec<String>) {
    let schema = follow(document, schema);
    let Some(properties) = schema["properties"].as_object() else {
        found.push(prefix.trim_end_matches('.').to_owned());
        return;
    };
    for (name, value) in properties {
        fields(document, value, &format!("{prefix}{name}."), found);
    }
}

#[test]
fn the_page_of_task_fields_names_every_field_and_no_other() {
    let page = include_str!("../../../../docs/tasks.md");
    let document = document();
    let mut known = Vec::new();
    let task = &document["components"]["schemas"]["NewTask"];
    fields(&document, task, "", &mut known);
    assert!(known.contains(&"spec.constraints.max_cost_usd".to_owned()));
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let mut explained: Vec<&str> = rows.filter_map(|row| row.split('`').next()).collect();
    explained.sort_unstable();
    known.sort_unstable();
    assert_eq!(explained, known);
}
