//! The examples of the document: those of `docs/http.md`, which were run.
//!
//! A block there is a request, with its headers behind the path and its body below, and behind an
//! arrow what was answered. Lines are wrapped, and long lists are cut (`"…"`).

use std::sync::LazyLock;

use serde_json::Value;

/// A request and what it was answered.
pub(super) struct Example {
    /// The sentence above it.
    pub(super) summary: String,
    pub(super) method: String,
    pub(super) path: String,
    pub(super) query: Vec<(String, String)>,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Option<Value>,
    pub(super) status: u16,
    pub(super) answer: Option<Value>,
}

pub(super) static EXAMPLES: LazyLock<Vec<Example>> =
    LazyLock::new(|| read(include_str!("../../../../docs/http.md")));

fn read(page: &str) -> Vec<Example> {
    let mut examples = Vec::new();
    // Between fences, text and blocks follow each other.
    let mut parts = page.split("```");
    let mut text = parts.next().unwrap_or_default();
    while let (Some(block), Some(next)) = (parts.next(), parts.next()) {
        examples.extend(read_block(text, block));
        text = next;
    }
    examples
}

fn read_block(text: &str, block: &str) -> Option<Example> {
    let (request, answer) = block.trim().split_once("\n→ ")?;
    let (line, body) = request.split_once('\n').unwrap_or((request, ""));
    let (method, rest) = line.split_once(' ')?;
    let mut rest = rest.split("   ");
    let url = rest.next()?;
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    let (status, answer) = answer.split_once(' ').unwrap_or((answer, ""));
    let pairs = |pair: &str, between: &str| {
        let (name, value) = pair.split_once(between)?;
        Some((name.trim().to_owned(), value.trim().to_owned()))
    };
    Some(Example {
        summary: unwrapped(text.trim().rsplit("\n\n").next()?),
        method: method.to_owned(),
        path: path.to_owned(),
        query: query.split('&').filter_map(|one| pairs(one, "=")).collect(),
        headers: rest.filter_map(|one| pairs(one, ": ")).collect(),
        body: read_json(body),
        status: status.parse().ok()?,
        answer: read_json(answer),
    })
}

/// One line of what was wrapped.
fn unwrapped(text: &str) -> String {
    let lines = text.lines().map(str::trim);
    lines.collect::<Vec<_>>().join(" ")
}

fn read_json(text: &str) -> Option<Value> {
    let mut value = serde_json::from_str(&unwrapped(text)).ok()?;
    leave_out_cuts(&mut value);
    Some(value)
}

fn leave_out_cuts(value: &mut Value) {
    match value {
        Value::Array(items) => {
            items.retain(|item| item != "…");
            items.iter_mut().for_each(leave_out_cuts);
        }
        Value::Object(members) => members.values_mut().for_each(leave_out_cuts),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_example_is_read_with_all_its_parts() {
        let page = "# Page\n\nOld.\n\nSay\nit.\n\n```\nPOST /v1/x/1?dry_run=true   If-Match: \"1\"\n\
                    {\"a\":\n    1}\n→ 200 {\"b\": [1, \"…\"]}\n```\n";
        let examples = read(page);
        let [example] = &examples[..] else {
            panic!("one example");
        };
        assert_eq!(example.summary, "Say it.");
        assert_eq!(
            (example.method.as_str(), example.path.as_str()),
            ("POST", "/v1/x/1")
        );
        assert_eq!(example.query, [("dry_run".to_owned(), "true".to_owned())]);
        assert_eq!(
            example.headers,
            [("If-Match".to_owned(), "\"1\"".to_owned())]
        );
        assert_eq!(example.body, Some(json!({"a": 1})));
        assert_eq!(
            (example.status, &example.answer),
            (200, &Some(json!({"b": [1]})))
        );
    }
}
