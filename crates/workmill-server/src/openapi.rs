//! The document of the HTTP API: OpenAPI 3.1, put together from the code.
//!
//! Schemas come from the types of the messages, examples from `docs/http.md`, roles from the
//! permission that a route asks for, errors from the list of codes. What a call is for, what it names
//! and what it answers is said in the file of its group: see [`tasks`].

mod access;
mod agents;
mod call;
mod dead_letters;
mod events;
mod examples;
mod generators;
mod graphs;
mod leases;
mod problems;
mod projects;
mod rules;
mod service;
mod settings;
mod strict;
mod tasks;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::http::Method;
use serde_json::{Map, Value, json};
use utoipa::{PartialSchema, ToSchema};
use workmill_core::failure::Reason;
use workmill_core::ids::{GraphId, ProjectId, TaskId};
use workmill_core::priority::Class;
use workmill_core::schema::{
    AuditAction, AuditSubjectKind, Fingerprint, GraphStatusList, ModelName, NamespaceName,
    StatusList, TaskName, Title, Word,
};
use workmill_core::verdict::DeadLetterCause;
use workmill_protocol::error::Problem;

use crate::routes::events::EventTypeList;

use call::{Call, Schemas};

/// Calls that belong together.
struct Group {
    name: &'static str,
    description: &'static str,
    calls: Vec<Call>,
}

fn groups() -> Vec<Group> {
    vec![
        tasks::group(),
        graphs::group(),
        projects::group(),
        agents::group(),
        leases::group(),
        dead_letters::group(),
        settings::gates(),
        settings::many(),
        settings::retention(),
        events::group(),
        access::group(),
        service::group(),
    ]
}

/// The document as it is served and committed.
pub fn document() -> &'static str {
    static DOCUMENT: LazyLock<String> = LazyLock::new(|| {
        let mut text = serde_json::to_string_pretty(&build()).unwrap_or_default();
        text.push('\n');
        text
    });
    &DOCUMENT
}

/// Method and path of every call that it describes.
pub fn described() -> impl Iterator<Item = (&'static str, &'static str)> {
    let calls = groups().into_iter().flat_map(|group| group.calls);
    calls.map(|call| (call.method, call.path))
}

/// What a request may bring along.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Takes {
    /// In bytes; 0 for a call without a body.
    pub(crate) largest_body: usize,
    pub(crate) has_query: bool,
}

/// What a call takes; `None` where there is no such call.
pub(crate) fn takes(method: &Method, path: &str) -> Option<Takes> {
    static CALLS: LazyLock<BTreeMap<(String, &'static str), Takes>> = LazyLock::new(|| {
        let calls = groups().into_iter().flat_map(|group| group.calls);
        calls
            .map(|call| ((call.method.to_uppercase(), call.path), call.takes()))
            .collect()
    });
    CALLS.get(&(method.as_str().to_owned(), path)).copied()
}

/// Whether a call has just this path, without parameters.
fn is_a_path_of_its_own(method: &str, path: &str) -> bool {
    described().any(|call| call == (method, path))
}

fn build() -> Value {
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    let mut schemas = named_by_parameters();
    let mut tags = Vec::new();
    for group in groups() {
        tags.push(json!({"name": group.name, "description": group.description}));
        for call in group.calls {
            let (method, path) = (call.method, call.path);
            let (operation, named) = call.document(group.name, &examples::EXAMPLES);
            paths
                .entry(path)
                .or_default()
                .insert(method.to_owned(), operation);
            schemas.extend(named);
        }
    }
    let mut schemas = by_name(schemas);
    rules::add(&mut schemas);
    let (mut paths, mut responses) = (json!(paths), problems::components());
    strict::close(&mut paths, &mut responses, &mut schemas);
    generators::prepare(&mut schemas);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Workmill",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "A durable task queue for AI agents.",
            "description": include_str!("openapi/introduction.md").trim(),
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "tags": tags,
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": responses,
            "parameters": {"Workmill-Namespace": namespace_header()},
            "headers": headers(),
            "securitySchemes": security_schemes(),
        },
    })
}

/// What only parameters name is not found through bodies.
fn named_by_parameters() -> Schemas {
    fn one<T: ToSchema>() -> (String, utoipa::openapi::RefOr<utoipa::openapi::Schema>) {
        (T::name().into_owned(), <T as PartialSchema>::schema())
    }
    vec![
        one::<Word>(),
        one::<Title>(),
        one::<Fingerprint>(),
        one::<StatusList>(),
        one::<GraphStatusList>(),
        one::<TaskName>(),
        one::<AuditAction>(),
        one::<AuditSubjectKind>(),
        one::<EventTypeList>(),
        one::<NamespaceName>(),
        one::<ModelName>(),
        one::<TaskId>(),
        one::<GraphId>(),
        one::<ProjectId>(),
        one::<Class>(),
        one::<Reason>(),
        one::<DeadLetterCause>(),
        one::<Problem>(),
        one::<workmill_protocol::error::ErrorCode>(),
    ]
}

fn by_name(schemas: Schemas) -> Map<String, Value> {
    let mut named: Map<String, Value> = Map::new();
    for (name, schema) in schemas {
        let schema = serde_json::to_value(schema).unwrap_or_default();
        let known = named.entry(name.clone()).or_insert_with(|| schema.clone());
        debug_assert!(*known == schema, "two schemas are called `{name}`");
    }
    named
}

fn namespace_header() -> Value {
    json!({
        "name": "Workmill-Namespace",
        "in": "header",
        "required": false,
        "description": "The namespace to act in, if it is not the key's own. Only for admins; with \
                        other keys, other namespaces are not found.",
        "schema": {"$ref": "#/components/schemas/NamespaceName"},
        "example": "default",
    })
}

fn headers() -> Value {
    json!({
        "X-Request-Id": {
            "description": "The `X-Request-Id` of the request, if it sent a plain one; otherwise a \
                            new id. The server's log contains it.",
            "required": true,
            "schema": {"type": "string", "minLength": 1, "maxLength": 64},
            "example": "8c1f0e7a55d2b643",
        },
        "ETag": {
            "description": "Identifies the content of this answer. For an object that can be \
                            edited, it begins with the object's version, which changes with every \
                            edit.",
            "required": true,
            "schema": {"type": "string", "pattern": "^\"[0-9A-Za-z-]+\"$"},
            "example": "\"3-9f86d081884c7d659a2feaa0\"",
        },
        "Retry-After": {
            "description": "Seconds after which the same request may succeed.",
            "required": true,
            "schema": {"type": "integer", "minimum": 0},
            "example": 1,
        },
    })
}

fn security_schemes() -> Value {
    json!({
        "key": {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "wm_<random>_<checksum>",
            "description": "A key. It belongs to one namespace, accesses only this namespace, and has a \
                            role; `x-roles` of a call lists the roles that may make it. A key of an \
                            admin accesses other namespaces with the header `Workmill-Namespace`.",
        },
        "lease_token": {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "wm_lease_<grant>_<signature>",
            "description": "A token from `POST /v1/leases/{lease}/token`, valid for calls on this \
                            lease only.",
        },
    })
}
