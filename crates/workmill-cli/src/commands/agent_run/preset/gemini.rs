//! Gemini CLI: `gemini --output-format json` prints one object with `response`, `stats` by model, and
//! `error` if it has failed, on standard error in newer versions; there are no costs.

use std::ffi::OsString;

use serde_json::Value;
use workmill_core::failure::Reason;
use workmill_protocol::leases::{ModelUsage, Usage};

use super::super::ending::json_or_text;
use super::super::program::{Allowance, Reading};
use super::{failed, objects, option, tokens};

/// Its exit code for what no repetition mends, said in the error, too.
const WRONG_INPUT: u64 = 42;

pub(super) fn arguments(allowance: &Allowance, further: &[OsString]) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = ["--output-format", "json"].map(Into::into).into();
    if let Some(model) = allowance.models.first() {
        arguments.push(option("--model", model));
    }
    arguments.extend_from_slice(further);
    arguments
}

pub(super) fn read(output: &str, complaints: &str) -> Reading {
    let has = |said: &Value, names: &[&str]| names.iter().any(|name| said.get(name).is_some());
    let answers = |said: &Value| has(said, &["response", "stats", "error"]);
    let has_failed = |said: &Value| has(said, &["error"]);
    let said = objects(output).into_iter().rfind(answers);
    let Some(said) = said.or_else(|| objects(complaints).into_iter().rfind(has_failed)) else {
        return Reading::default();
    };
    let error = &said["error"];
    let failure = (!error.is_null()).then(|| {
        let message = error["message"].as_str().or(error.as_str());
        let message = message.unwrap_or("it does not say why");
        let mut failure = failed(error["code"].as_u64(), &format!("gemini: {message}"));
        if error["code"] == WRONG_INPUT {
            failure.reason = Reason::InvalidInput;
        }
        failure
    });
    Reading {
        output: said["response"].as_str().map(json_or_text),
        usage: usage(&said["stats"]),
        failure,
    }
}

fn usage(stats: &Value) -> Option<Usage> {
    let models = stats["models"].as_object()?;
    let models = models.iter().map(|(name, model)| {
        let used = &model["tokens"];
        let cached = tokens(used, "cached");
        // `input` is the part of the prompt that was not cached.
        let prompt = used["prompt"].as_u64();
        let prompt = prompt.unwrap_or_else(|| tokens(used, "input") + cached);
        let used = ModelUsage {
            input_tokens: prompt + tokens(used, "tool"),
            output_tokens: tokens(used, "candidates") + tokens(used, "thoughts"),
            cached_input_tokens: cached,
            cost_usd: None,
        };
        (name.clone(), used)
    });
    Some(Usage {
        models: models.collect(),
        ..Usage::default()
    })
}
