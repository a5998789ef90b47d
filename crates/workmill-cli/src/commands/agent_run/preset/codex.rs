//! Codex: `codex exec --json` prints an event a line. The answer is the last `agent_message`, each
//! `turn.completed` says what its turn has used; there are no costs.

use std::ffi::OsString;

use serde_json::Value;
use workmill_protocol::leases::ModelUsage;

use super::super::ending::json_or_text;
use super::super::program::{Allowance, Reading};
use super::{failed, of_model, option, tokens};

pub(super) fn arguments(allowance: &Allowance, further: &[OsString]) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = ["exec", "--json"].map(Into::into).into();
    if let Some(model) = allowance.models.first() {
        arguments.push(option("--model", model));
    }
    arguments.extend_from_slice(further);
    // The prompt comes from standard input.
    arguments.push("-".into());
    arguments
}

pub(super) fn read(output: &str, model: Option<&str>) -> Reading {
    let mut reading = Reading::default();
    let mut used = ModelUsage::default();
    let mut has_used = false;
    let events = output.lines().map(serde_json::from_str::<Value>);
    for event in events.filter_map(Result::ok) {
        match event["type"].as_str() {
            Some("item.completed") if is_message(&event["item"]) => {
                reading.output = event["item"]["text"].as_str().map(json_or_text);
            }
            Some(kind @ ("turn.completed" | "turn.failed")) => {
                let turn = &event["usage"];
                has_used |= turn.is_object();
                used.input_tokens += tokens(turn, "input_tokens");
                used.cached_input_tokens += tokens(turn, "cached_input_tokens");
                used.output_tokens += tokens(turn, "output_tokens");
                // A turn that completes makes good what went wrong on the way.
                reading.failure = (kind == "turn.failed").then(|| said(&event["error"]));
            }
            Some("error") => reading.failure = Some(said(&event)),
            _ => {}
        }
    }
    reading.usage = has_used.then(|| of_model(model, used));
    reading
}

/// It had other names before.
fn is_message(item: &Value) -> bool {
    let kind = item["type"].as_str().or(item["item_type"].as_str());
    matches!(kind, Some("agent_message" | "assistant_message"))
}

fn said(error: &Value) -> workmill_sdk::worker::Failure {
    let message = error["message"].as_str();
    let status = error["status"].as_u64();
    let message = message.unwrap_or("it does not say why");
    failed(status, &format!("codex: {message}"))
}
