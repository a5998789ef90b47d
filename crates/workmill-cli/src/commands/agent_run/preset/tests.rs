//! What the tools print, as their documentation and published recordings of them have it, and what is
//! left of it when it changes.

use serde_json::json;
use workmill_core::money::Micros;

use super::super::program::{Allowance, Reading};
use super::{ModelUsage, Preset, Reason, Value, arguments, objects, of_model};

const CLAUDE: &str = include_str!("../../../../tests/fixtures/presets/claude.json");
const CLAUDE_FAILED: &str = include_str!("../../../../tests/fixtures/presets/claude-failed.json");
const CODEX: &str = include_str!("../../../../tests/fixtures/presets/codex.jsonl");
const CODEX_FAILED: &str = include_str!("../../../../tests/fixtures/presets/codex-failed.jsonl");
const GEMINI: &str = include_str!("../../../../tests/fixtures/presets/gemini.json");
const GEMINI_FAILED: &str = include_str!("../../../../tests/fixtures/presets/gemini-failed.json");

/// With nothing on standard error.
fn read(preset: Preset, output: &str, model: Option<&str>) -> Reading {
    super::read(preset, output, "", model)
}

fn output(reading: &Reading) -> &str {
    reading.output.as_ref().map_or("", |output| output.get())
}

fn used(input: u64, output: u64, cached: u64, cost_usd: Option<f64>) -> ModelUsage {
    ModelUsage {
        input_tokens: input,
        output_tokens: output,
        cached_input_tokens: cached,
        cost_usd,
    }
}

#[test]
fn claude_says_its_result_and_the_cost_by_model() {
    let reading = read(Preset::Claude, CLAUDE, Some("claude-sonnet-4-5"));
    assert_eq!(output(&reading), "\"The door is mended.\"");
    assert_eq!(reading.failure, None);
    let usage = reading.usage.unwrap();
    assert_eq!(usage.cost_usd, Some(0.177));
    let models = [
        (
            "claude-sonnet-4-5-20250929",
            used(119_800, 3600, 90_000, Some(0.175)),
        ),
        ("claude-haiku-4-5-20251001", used(200, 400, 0, Some(0.002))),
    ];
    let models = models.map(|(name, used)| (name.to_owned(), used));
    assert_eq!(usage.models, models.into());
}

#[test]
fn claude_fails_with_a_reason_and_what_it_has_used() {
    let reading = read(Preset::Claude, CLAUDE_FAILED, Some("opus"));
    let failure = reading.failure.unwrap();
    assert_eq!(failure.reason, Reason::Crash);
    assert_eq!(
        failure.message,
        "claude: error_max_budget_usd: Reached maximum budget ($0.5)"
    );
    let usage = of_model(Some("opus"), used(1000, 90, 700, Some(0.51)));
    assert_eq!(reading.usage, Some(usage));
    let limited = r#"{"is_error": true, "api_error_status": 429, "result": "slowly"}"#;
    let failure = read(Preset::Claude, limited, None).failure.unwrap();
    assert_eq!(failure.reason, Reason::RateLimit);
}

#[test]
fn codex_says_its_last_message_and_the_tokens_of_all_turns() {
    let reading = read(Preset::Codex, CODEX, Some("gpt-5"));
    assert_eq!(output(&reading), "\"The door is mended.\"");
    assert_eq!(reading.failure, None);
    let usage = of_model(Some("gpt-5"), used(24_763, 122, 24_448, None));
    assert_eq!(reading.usage, Some(usage.clone()));
    let twice = read(Preset::Codex, &CODEX.repeat(2), Some("gpt-5"));
    let both = of_model(Some("gpt-5"), used(49_526, 244, 48_896, None));
    assert_eq!(twice.usage, Some(both));

    let reading = read(Preset::Codex, CODEX_FAILED, Some("gpt-5"));
    let message = "codex: stream disconnected before completion";
    assert_eq!(reading.failure.unwrap().message, message);
    let named = of_model(Some("gpt-5"), ModelUsage::default());
    assert_eq!(
        reading.usage,
        Some(named),
        "the model is named all the same"
    );
}

#[test]
fn an_error_on_the_way_of_codex_is_made_good_by_a_turn_that_completes() {
    let text = format!("{{\"type\":\"error\",\"message\":\"once more\"}}\n{CODEX}");
    assert_eq!(read(Preset::Codex, &text, None).failure, None);
}

/// With the setting `verbose`, and with `--output-format stream-json`.
#[test]
fn claude_may_say_everything_it_did_before_the_result() {
    let before = r#"{"type":"system","subtype":"init","model":"m","tools":[]}"#;
    let message = r#"{"type":"assistant","message":{"content":[{"type":"text","text":"{}"}]}}"#;
    let plain = read(Preset::Claude, CLAUDE, Some("m"));
    let list = format!("[{before},{message},{CLAUDE}]\n");
    let lines = format!("{before}\n{message}\n{CLAUDE}");
    // Of much output the beginning is gone.
    let (cut_list, cut_lines) = (&list[10..], &lines[10..]);
    for text in [&list, &lines, cut_list, cut_lines] {
        let reading = read(Preset::Claude, text, Some("m"));
        assert_eq!(output(&reading), output(&plain), "{text}");
        assert_eq!(reading.usage, plain.usage, "{text}");
        assert_eq!(reading.failure, None, "{text}");
    }
}

#[test]
fn claude_says_the_status_as_a_number_or_as_a_word() {
    for status in ["401", "\"401\""] {
        let text = format!(
            r#"{{"type":"result","subtype":"success","is_error":true,"api_error_status":{status},
                "result":"Not logged in","total_cost_usd":0,"usage":{{}},"modelUsage":{{}}}}"#
        );
        let failure = read(Preset::Claude, &text, None).failure.unwrap();
        assert_eq!(failure.reason, Reason::AuthFailure, "{status}");
    }
}

/// It ends with 0 after a turn that failed; warnings are items and mean nothing.
#[test]
fn a_turn_of_codex_that_fails_has_used_something_and_a_warning_is_no_failure() {
    let failed = r#"{"type":"turn.failed","error":{"message":"no"},"usage":{"input_tokens":12966,
        "cached_input_tokens":8960,"cache_write_input_tokens":0,"output_tokens":6}}"#;
    let reading = read(Preset::Codex, &failed.replace('\n', " "), Some("m"));
    assert_eq!(reading.failure.unwrap().message, "codex: no");
    let usage = of_model(Some("m"), used(12_966, 6, 8960, None));
    assert_eq!(reading.usage, Some(usage));
    let warning =
        r#"{"type":"item.completed","item":{"id":"item_9","type":"error","message":"!"}}"#;
    let reading = read(Preset::Codex, &format!("{CODEX}{warning}\n"), None);
    assert_eq!(reading.failure, None);
    assert_eq!(output(&reading), "\"The door is mended.\"");
}

#[test]
fn gemini_may_warn_on_the_line_of_its_answer_and_complain_on_standard_error() {
    let plain = read(Preset::Gemini, GEMINI, None);
    let answer = GEMINI.trim_start_matches("Loaded cached credentials.\n");
    let warned = format!("[WARN] MCP issues detected. Run /mcp list for status.{answer}");
    let reading = read(Preset::Gemini, &warned, None);
    assert_eq!(output(&reading), output(&plain));
    assert_eq!(reading.usage, plain.usage);

    let trace =
        format!("Error: quota\n    at run (file.js:1:1) {{\n  code: 429\n}}\n{GEMINI_FAILED}");
    let reading = super::read(Preset::Gemini, "MCP issues detected.", &trace, None);
    let failure = reading.failure.unwrap();
    assert_eq!(failure.reason, Reason::RateLimit);
    assert_eq!(failure.message, "gemini: You exceeded your current quota");
    let answered = super::read(Preset::Gemini, answer, &trace, None);
    assert_eq!(answered.failure, None, "it has answered all the same");
}

#[test]
fn gemini_may_leave_out_the_whole_prompt() {
    let text = r#"{"response":"x","stats":{"models":{"g":{"tokens":
        {"input":11251,"cached":749,"candidates":2060,"total":14454}}}}}"#;
    let usage = read(Preset::Gemini, text, None).usage.unwrap();
    assert_eq!(usage.models["g"], used(12_000, 2060, 749, None));
}

#[test]
fn gemini_says_its_response_and_the_tokens_by_model() {
    let reading = read(Preset::Gemini, GEMINI, None);
    assert_eq!(output(&reading), "\"The door is mended.\"");
    assert_eq!(reading.failure, None);
    let models = [
        ("gemini-2.5-pro", used(24_939, 174, 21_263, None)),
        ("gemini-2.5-flash", used(8993, 40, 0, None)),
    ];
    let models = models.map(|(name, used)| (name.to_owned(), used));
    assert_eq!(reading.usage.unwrap().models, models.into());
    let failure = read(Preset::Gemini, GEMINI_FAILED, None).failure.unwrap();
    assert_eq!(failure.reason, Reason::RateLimit);
    assert_eq!(failure.message, "gemini: You exceeded your current quota");
}

/// Every field of every fixture is taken away, and turned into something else.
#[test]
fn missing_and_changed_fields_are_survived() {
    let fixtures = [
        (Preset::Claude, CLAUDE),
        (Preset::Claude, CLAUDE_FAILED),
        (Preset::Gemini, GEMINI),
        (Preset::Gemini, GEMINI_FAILED),
    ];
    let mut tried = 0;
    for (preset, text) in fixtures {
        let whole = objects(text).pop().unwrap();
        let mut paths = Vec::new();
        collect(&whole, String::new(), &mut paths);
        for path in paths {
            for other in [json!(null), json!("x"), json!(-1), json!([]), json!({})] {
                let mut changed = whole.clone();
                *changed.pointer_mut(&path).unwrap() = other;
                read(preset, &changed.to_string(), Some("m"));
                tried += 1;
            }
        }
    }
    assert!(tried > 300, "{tried}");
    for line in CODEX.lines().chain(CODEX_FAILED.lines()) {
        let event: Value = serde_json::from_str(line).unwrap();
        let mut paths = Vec::new();
        collect(&event, String::new(), &mut paths);
        for path in paths {
            let mut changed = event.clone();
            *changed.pointer_mut(&path).unwrap() = json!(-1);
            let text = CODEX.replace(line, &changed.to_string());
            read(Preset::Codex, &text, Some("m"));
        }
    }
}

fn collect(value: &Value, path: String, paths: &mut Vec<String>) {
    let children = value.as_object().into_iter().flatten();
    for (name, child) in children {
        collect(child, format!("{path}/{name}"), paths);
    }
    if !path.is_empty() {
        paths.push(path);
    }
}

#[test]
fn what_is_missing_is_left_out_and_the_rest_stays() {
    let reading = read(Preset::Claude, r#"{"result": "x"}"#, None);
    assert_eq!((output(&reading), &reading.usage), ("\"x\"", &None));
    let reading = read(Preset::Claude, r#"{"total_cost_usd": 0.5}"#, None);
    assert!(reading.output.is_none() && reading.failure.is_none());
    assert_eq!(reading.usage.unwrap().cost_usd, Some(0.5));
    let negative = read(Preset::Claude, r#"{"total_cost_usd": -1}"#, None);
    assert_eq!(negative.usage, None, "the server would refuse it");
    let reading = read(Preset::Gemini, r#"{"response": "x", "stats": 7}"#, None);
    assert_eq!((output(&reading), &reading.usage), ("\"x\"", &None));
    // The events that are cut off at the beginning do no harm.
    let reading = read(Preset::Codex, &CODEX[20..], Some("m"));
    assert_eq!(output(&reading), "\"The door is mended.\"");
    for preset in [Preset::Claude, Preset::Codex, Preset::Gemini] {
        for text in ["", "no JSON at all", "7", "[1, 2]", "{", "{}", "\u{1b}[2J"] {
            let reading = read(preset, text, None);
            assert!(reading.output.is_none(), "{text}");
            assert_eq!((reading.usage, reading.failure), (None, None), "{text}");
        }
    }
}

#[test]
fn command_lines_have_the_model_the_one_to_fall_back_on_and_what_may_be_spent() {
    let allowance = Allowance {
        models: vec!["one".to_owned(), "--two".to_owned()],
        budget: Some(Micros(250_000)),
    };
    let line = |preset, allowance| {
        let words = arguments(preset, allowance, &["--verbose".into()]);
        let words: Vec<String> = words
            .into_iter()
            .map(|word| word.into_string().unwrap())
            .collect();
        words.join(" ")
    };
    let claude = "-p --output-format json --model=one --fallback-model=--two --max-budget-usd=0.25 \
                  --verbose";
    assert_eq!(line(Preset::Claude, &allowance), claude);
    let codex = "exec --json --model=one --verbose -";
    assert_eq!(line(Preset::Codex, &allowance), codex);
    let gemini = "--output-format json --model=one --verbose";
    assert_eq!(line(Preset::Gemini, &allowance), gemini);
    let nothing = Allowance::default();
    let claude = "-p --output-format json --verbose";
    assert_eq!(line(Preset::Claude, &nothing), claude);
}
