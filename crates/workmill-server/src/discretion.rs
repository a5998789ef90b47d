//! What is never repeated, neither in an answer nor in the log: keys, and the values of requests that
//! were refused. People put secrets where they do not belong.

/// All keys and lease tokens begin with this.
const KEY: &str = "wm_";

const LEFT_OUT: char = '…';

pub(crate) fn is_like_a_key(text: &str) -> bool {
    text.contains(KEY)
}

/// The text, with everything left out that looks like a key.
pub(crate) fn without_keys(text: String) -> String {
    if !is_like_a_key(&text) {
        return text;
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find(KEY) {
        shown.push_str(&rest[..at + KEY.len()]);
        shown.push(LEFT_OUT);
        let key = &rest[at..];
        let end = key.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        rest = &key[end.unwrap_or(key.len())..];
    }
    shown.push_str(rest);
    shown
}

/// What serde says of a request that it cannot read, without the value that it stumbled over. Fields
/// are named: they are ours, or what the caller has to correct.
pub(crate) fn without_value(problem: &str) -> String {
    let end = problem.rfind(", expected ").unwrap_or(problem.len());
    let (said, expected) = problem.split_at(end);
    let Some(open) = said.find(['`', '"']) else {
        return problem.to_owned();
    };
    let (before, value) = said.split_at(open);
    let quote = if value.starts_with('`') { '`' } else { '"' };
    if before.ends_with("field ") {
        return problem.to_owned();
    }
    let after = match value.rfind(quote) {
        Some(close) if close > 0 => &value[close + 1..],
        _ => "",
    };
    format!("{before}{quote}{LEFT_OUT}{quote}{after}{expected}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_left_out_wherever_they_stand() {
        let shown = |text: &str| without_keys(text.to_owned());
        assert_eq!(shown("nothing here"), "nothing here");
        assert_eq!(
            shown("`wm_aB9_x` and wm_lease_0_1, no"),
            "`wm_…` and wm_…, no"
        );
        assert_eq!(shown("wm_"), "wm_…");
    }

    #[test]
    fn values_are_left_out_and_fields_are_named() {
        for (problem, shown) in [
            (
                r#"invalid type: string "hunter2", expected u32 at line 1 column 9"#,
                r#"invalid type: string "…", expected u32 at line 1 column 9"#,
            ),
            (
                r#"invalid value: string "a", expected "b", expected a time"#,
                r#"invalid value: string "…", expected a time"#,
            ),
            (
                "unknown variant `hunter2`, expected `now` or `drain`",
                "unknown variant `…`, expected `now` or `drain`",
            ),
            (
                "priority `hunter2` is neither a number nor a name at line 1 column 9",
                "priority `…` is neither a number nor a name at line 1 column 9",
            ),
            (
                "missing field `title` at line 1 column 2",
                "missing field `title` at line 1 column 2",
            ),
            (
                "unknown field `colour`, expected `a`",
                "unknown field `colour`, expected `a`",
            ),
            (
                "invalid type: integer `7`, expected a string",
                "invalid type: integer `…`, expected a string",
            ),
            (
                "EOF while parsing at line 1 column 2",
                "EOF while parsing at line 1 column 2",
            ),
            ("a lonely ` here", "a lonely `…`"),
        ] {
            assert_eq!(without_value(problem), shown);
        }
    }
}
