//! Claude Code: `claude -p --output-format json` prints one object with `result`, `is_error`,
//! `total_cost_usd`, `usage` and, by model, `modelUsage`.

use std::ffi::OsString;

use serde_json::Value;
use workmill_protocol::leases::{ModelUsage, Usage};

use super::super::ending::json_or_text;
use super::super::program::{Allowance, Reading};
use super::{dollars, failed, objects, of_model, option, tokens};

pub(super) fn arguments(allowance: &Allowance, further: &[OsString]) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = ["-p", "--output-format", "json"].map(Into::into).into();
    let mut models = allowance.models.iter();
    if let Some(model) = models.next() {
        arguments.push(option("--model", model));
    }
    if let Some(fallback) = models.next() {
        arguments.push(option("--fallback-model", fallback));
    }
    if let Some(budget) = allowance.budget {
        arguments.push(option("--max-budget-usd", &budget.dollars().to_string()));
    }
    arguments.extend_from_slice(further);
    arguments
}

pub(super) fn read(output: &str, model: Option<&str>) -> Reading {
    let Some(said) = last_word(output) else {
        return Reading::default();
    };
    let result = said["result"].as_str();
    let subtype = said["subtype"].as_str().unwrap_or("success");
    let has_failed = said["is_error"] == true || subtype.starts_with("error");
    let failure = has_failed.then(|| {
        let errors = said["errors"].as_array().into_iter().flatten();
        let errors: Vec<&str> = errors.filter_map(Value::as_str).collect();
        let what = match (result, errors.is_empty()) {
            (_, false) => errors.join("; "),
            (Some(result), true) => result.to_owned(),
            (None, true) => "it does not say why".to_owned(),
        };
        let status = &said["api_error_status"];
        let in_words = status.as_str().and_then(|status| status.parse().ok());
        let status = status.as_u64().or(in_words);
        failed(status, &format!("claude: {subtype}: {what}"))
    });
    // With a schema, the answer is in here.
    let structured = match &said["structured_output"] {
        Value::Null => None,
        structured => serde_json::value::to_raw_value(structured).ok(),
    };
    Reading {
        output: structured.or_else(|| result.map(json_or_text)),
        usage: usage(&said, model),
        failure,
    }
}

/// Where it is set to be verbose, it prints all its messages, as a list or one a line; the result comes
/// last.
fn last_word(output: &str) -> Option<Value> {
    let is_result = |said: &Value| said["type"] == "result" || said.get("type").is_none();
    objects(output).into_iter().rfind(is_result)
}

fn usage(said: &Value, model: Option<&str>) -> Option<Usage> {
    let whole = dollars(&said["total_cost_usd"]);
    let models = said["modelUsage"].as_object().into_iter().flatten();
    let models = models.map(|(name, used)| {
        let cached = tokens(used, "cacheReadInputTokens");
        let written = tokens(used, "cacheCreationInputTokens");
        let used = ModelUsage {
            input_tokens: tokens(used, "inputTokens") + cached + written,
            output_tokens: tokens(used, "outputTokens"),
            cached_input_tokens: cached,
            cost_usd: dollars(&used["costUSD"]),
        };
        (name.clone(), used)
    });
    let usage = Usage {
        cost_usd: whole,
        models: models.collect(),
        ..Usage::default()
    };
    if !usage.models.is_empty() {
        return Some(usage);
    }
    // Older ones do not tell the models apart.
    let used = &said["usage"];
    if !used.is_object() {
        return whole.map(|_| usage);
    }
    let cached = tokens(used, "cache_read_input_tokens");
    let used = ModelUsage {
        input_tokens: tokens(used, "input_tokens")
            + cached
            + tokens(used, "cache_creation_input_tokens"),
        output_tokens: tokens(used, "output_tokens"),
        cached_input_tokens: cached,
        cost_usd: whole,
    };
    Some(of_model(model, used))
}
