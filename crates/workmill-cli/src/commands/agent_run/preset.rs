//! Coding agents that this program knows how to start, and what they print.
//!
//! Their formats change. Whatever is missing or has another shape is left out; what cannot be read at
//! all is taken as the text that it is.

mod claude;
mod codex;
mod gemini;
#[cfg(test)]
mod tests;

use std::ffi::OsString;

use serde_json::Value;
use workmill_core::failure::Reason;
use workmill_protocol::leases::{ModelUsage, Usage};
use workmill_sdk::worker::Failure;

use super::program::{Allowance, Reading};
use crate::arguments::Preset;

pub(super) fn program(preset: Preset) -> &'static str {
    match preset {
        Preset::Claude => "claude",
        Preset::Codex => "codex",
        Preset::Gemini => "gemini",
    }
}

/// All of them read the prompt from standard input: it may be long, and others can see arguments.
pub(super) fn arguments(
    preset: Preset,
    allowance: &Allowance,
    further: &[OsString],
) -> Vec<OsString> {
    match preset {
        Preset::Claude => claude::arguments(allowance, further),
        Preset::Codex => codex::arguments(allowance, further),
        Preset::Gemini => gemini::arguments(allowance, further),
    }
}

/// In one word: a model with the name of another option stays a name.
fn option(name: &str, value: &str) -> OsString {
    format!("{name}={value}").into()
}

/// What a tool has put out on standard output and on standard error; `model` is the one that was asked
/// for.
pub(super) fn read(preset: Preset, output: &str, complaints: &str, model: Option<&str>) -> Reading {
    let mut reading = match preset {
        Preset::Claude => claude::read(output, model),
        Preset::Codex => codex::read(output, model),
        Preset::Gemini => gemini::read(output, complaints),
    };
    if reading.usage.is_none() && model.is_some() {
        // Who fails names the model, too: it may be what is out of order.
        reading.usage = Some(of_model(model, ModelUsage::default()));
    }
    reading
}

/// What was used of one model, or of nobody knows which.
fn of_model(model: Option<&str>, used: ModelUsage) -> Usage {
    match model {
        Some(model) => Usage {
            models: [(model.to_owned(), used)].into(),
            ..Usage::default()
        },
        None => Usage {
            input_tokens: Some(used.input_tokens),
            output_tokens: Some(used.output_tokens),
            cached_input_tokens: Some(used.cached_input_tokens),
            cost_usd: used.cost_usd,
            ..Usage::default()
        },
    }
}

/// What a provider's HTTP status means; `None` says nothing special.
fn reason_of_status(status: Option<u64>) -> Option<Reason> {
    match status? {
        401 => Some(Reason::AuthFailure),
        403 => Some(Reason::PermissionDenied),
        429 => Some(Reason::RateLimit),
        500..=599 => Some(Reason::Network),
        _ => None,
    }
}

fn failed(status: Option<u64>, message: &str) -> Failure {
    Failure::new(reason_of_status(status).unwrap_or(Reason::Crash), message)
}

/// The JSON objects in the output, those of a list one by one. Tools print warnings before them, and
/// some do so on the same line.
fn objects(output: &str) -> Vec<Value> {
    let mut objects = Vec::new();
    let mut rest = output;
    while let Some(start) = rest.find(['{', '[']) {
        rest = &rest[start..];
        let mut values = serde_json::Deserializer::from_str(rest).into_iter();
        match values.next() {
            Some(Ok(value)) => {
                rest = &rest[values.byte_offset()..];
                match value {
                    Value::Array(all) => objects.extend(all.into_iter().filter(Value::is_object)),
                    one => objects.push(one),
                }
            }
            // A bracket that belongs to the text.
            _ => rest = &rest[1..],
        }
    }
    objects
}

/// A number of tokens; what is not there counts nothing.
fn tokens(of: &Value, name: &str) -> u64 {
    of[name].as_u64().unwrap_or(0)
}

/// An amount that can be reported.
fn dollars(value: &Value) -> Option<f64> {
    value.as_f64().filter(|dollars| *dollars >= 0.0)
}
