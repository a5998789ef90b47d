//! What calls are refused with: one answer for each status, with the codes that go with it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use workmill_protocol::error::{ErrorCode, Problem};

/// Statuses and names of the answers that these codes come with.
pub(super) fn responses(codes: &BTreeSet<ErrorCode>) -> BTreeMap<u16, &'static str> {
    codes
        .iter()
        .map(|code| (code.status(), name(*code)))
        .collect()
}

/// The answers by their names.
pub(super) fn components() -> Value {
    let mut statuses: BTreeMap<u16, Vec<ErrorCode>> = BTreeMap::new();
    for code in ErrorCode::ALL {
        statuses.entry(code.status()).or_default().push(code);
    }
    let mut components = Map::new();
    for (status, codes) in statuses {
        components.insert(name(codes[0]).to_owned(), component(status, &codes));
    }
    Value::Object(components)
}

fn component(status: u16, codes: &[ErrorCode]) -> Value {
    let says = codes.iter().map(|code| {
        let (name, title, advice) = (code.name(), code.title(), code.advice());
        format!("`{name}`: {title}. {advice}")
    });
    let examples = codes.iter().map(|code| {
        let problem = json!({"summary": code.title(), "value": example(*code)});
        (code.name().to_owned(), problem)
    });
    let names: Vec<&str> = codes.iter().map(|code| code.name()).collect();
    let mut headers = json!({"X-Request-Id": {"$ref": "#/components/headers/X-Request-Id"}});
    if codes.iter().any(|code| code.is_retryable()) {
        headers["Retry-After"] = json!({"$ref": "#/components/headers/Retry-After"});
    }
    json!({
        "description": says.collect::<Vec<_>>().join("\n\n"),
        "headers": headers,
        "content": {"application/problem+json": {
            // Beside the reference, not as another schema: generators then make one type of all problems.
            "schema": {
                "$ref": "#/components/schemas/Problem",
                "properties": {"status": {"const": status}, "code": {"enum": names}},
            },
            "examples": examples.collect::<Map<_, _>>(),
        }},
    })
}

const fn name(code: ErrorCode) -> &'static str {
    match code.status() {
        400 => "Invalid",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "NotFound",
        405 => "MethodNotAllowed",
        408 => "BodyTooSlow",
        409 => "Conflict",
        412 => "PreconditionFailed",
        413 => "TooLarge",
        421 => "WrongHost",
        429 => "RateLimited",
        503 => "Unavailable",
        _ => "Internal",
    }
}

/// In the words that the server has for it.
fn example(code: ErrorCode) -> Problem {
    let detail = match code {
        ErrorCode::Invalid => "there is no field `colour`",
        ErrorCode::Unauthorized => "the request carries no valid key",
        ErrorCode::Forbidden => {
            "a key of role `producer` may not do this; these roles may: operator, admin"
        }
        ErrorCode::NotFound => "task_01M7GHHJC60E8TF436WM9NKXNZ does not exist",
        ErrorCode::MethodNotAllowed => "/v1/tasks does not take PUT",
        ErrorCode::Cycle => "the dependencies form a cycle: build → ship → build",
        ErrorCode::LeaseLost => {
            "lease_01M7GHHJC60E8TF436WM9NKXNZ_1 is not the current lease of its task"
        }
        ErrorCode::IllegalTransition => {
            "task_01M7GHHJC60E8TF436WM9NKXNZ: the task is completed: it has no open question"
        }
        ErrorCode::Conflict => "the idempotency key belongs to another request",
        ErrorCode::PreconditionFailed => "task_01M7GHHJC60E8TF436WM9NKXNZ is at version 4 by now",
        ErrorCode::TooLarge => "the body is over 67108864 bytes",
        ErrorCode::BodyTooSlow => "less than 160 KiB of the body came in 10 s",
        ErrorCode::WrongHost => "this server is not `evil.example`",
        ErrorCode::LimitReached => {
            "the tasks of this namespace ask for 10000 different combinations of type, agent, \
             capabilities and models already, and no more are taken"
        }
        ErrorCode::Timeout => "no answer within 60 s",
        ErrorCode::RateLimited => "this key has 64 streams open; a key may have at most 64",
        ErrorCode::Overloaded => "too many requests are waiting",
        ErrorCode::Unavailable => "the database cannot be reached while trying to submit tasks",
        ErrorCode::UnknownOutcome => {
            "the outcome of trying to submit tasks is unknown: the connection was lost in the commit"
        }
        ErrorCode::Internal => "an internal error; the server's log has the cause",
    };
    let mut problem = Problem::new(code, detail);
    match code {
        ErrorCode::Invalid => problem.field = Some("colour".to_owned()),
        ErrorCode::Cycle => problem.path = ["build", "ship", "build"].map(str::to_owned).into(),
        ErrorCode::Unauthorized => {
            problem.hint = Some("send `Authorization: Bearer <key>`".to_owned());
        }
        _ => {}
    }
    problem
}
