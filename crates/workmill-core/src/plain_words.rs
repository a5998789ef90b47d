//! What the reader of JSON says, in words that do not speak of Rust.
//!
//! In: a message of serde. Out: what is wrong, for the person who wrote the JSON. What is no message of serde
//! stays as it is; [`in_discreet_words`] takes out the value that is wrong there, too: it may be a secret.

use crate::fields::nearest;

/// What serde says of a text that somebody else sent, in plain words and without the value that it
/// stumbled over.
pub fn in_discreet_words(message: &str) -> String {
    in_plain_words(&without_value(message))
}

/// A message of serde in plain words.
pub fn in_plain_words(message: &str) -> String {
    let (message, place) = without_place(message);
    let said = said(message).unwrap_or_else(|| message.to_owned());
    format!("{said}{place}")
}

const LEFT_OUT: char = '…';

/// Leaves out the value that serde stumbled over. Fields are named: they are ours, or what the caller has
/// to correct.
fn without_value(problem: &str) -> String {
    if of_syntax(without_place(problem).0).is_some() {
        return problem.to_owned();
    }
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
    if before.is_empty() && !after.is_empty() {
        return format!("the value{after}{expected}");
    }
    format!("{before}{quote}{LEFT_OUT}{quote}{after}{expected}")
}

/// The message, and ` (line 3, column 7)` if it names a place.
fn without_place(message: &str) -> (&str, String) {
    let place = message.rsplit_once(" at line ").and_then(|(said, place)| {
        let (line, column) = place.split_once(" column ")?;
        let (line, column): (u64, u64) = (line.parse().ok()?, column.parse().ok()?);
        Some((said, line, column))
    });
    match place {
        // Where it stands in a value that is no text of its own.
        Some((said, 0, _)) => (said, String::new()),
        Some((said, line, column)) => (said, format!(" (line {line}, column {column})")),
        None => (message, String::new()),
    }
}

/// What is wrong with a text that is no JSON.
fn of_syntax(message: &str) -> Option<&'static str> {
    Some(match message {
        "expected value" => {
            "a value is needed here: a text in double quotes, a number, true, false, null, a list or an \
             object"
        }
        "expected ident" => "only true, false and null are written without quotes",
        "expected `:`" => "a colon is missing after the name of a field",
        "expected `,` or `}`" => "a comma or the `}` at the end of an object is missing",
        "expected `,` or `]`" => "a comma or the `]` at the end of a list is missing",
        "expected `\"`" => "a text in double quotes is needed here",
        "key must be a string" => "the name of a field stands in double quotes",
        "trailing comma" => "nothing follows this comma",
        "trailing characters" => "more text follows the end of the JSON",
        "invalid number" => "a number is written like 7, -7, 0.7 or 7e9",
        "number out of range" | "number too large to fit in target type" => {
            "the number is too large"
        }
        "invalid escape" => {
            "a backslash in a text is followed by one of \" \\ / b f n r t u; a backslash itself is written \
             twice"
        }
        "unexpected end of hex escape" | "lone leading surrogate in hex escape" => {
            "a character that is written with \\u is not complete"
        }
        "control character (\\u0000-\\u001F) found while parsing a string" => {
            "a text contains a line break, a tab or another control character: write \\n, \\t or \\u0000"
        }
        "invalid digit found in string" | "cannot parse integer from empty string" => {
            "expected a whole number"
        }
        "number too small to fit in target type" => "the number is too small",
        "invalid float literal" | "cannot parse float from empty string" => "expected a number",
        "provided string was not `true` or `false`" => "expected true or false",
        _ => return None,
    })
}

/// `None`: it says nothing of Rust.
fn said(message: &str) -> Option<String> {
    if let Some(said) = of_syntax(message) {
        return Some(said.to_owned());
    }
    let after = |start: &str| {
        let at = message.find(start)?;
        let before = &message[..at];
        // Of a longer message the beginning says where.
        (at == 0 || before.ends_with(": ")).then(|| (before, &message[at + start.len()..]))
    };
    if let Some((before, rest)) = after("missing field ") {
        return Some(format!("{before}the field {rest} is missing"));
    }
    if let Some((before, rest)) = after("duplicate field ") {
        return Some(format!("{before}the field {rest} is given twice"));
    }
    if let Some((before, rest)) = after("unknown field ") {
        let (field, known) = rest.split_once(", ").unwrap_or((rest, ""));
        let known = in_backticks(known);
        let meant = nearest(field.trim_matches('`'), &known);
        let meant = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
        return Some(format!("{before}there is no field {field}{meant}"));
    }
    if let Some((before, rest)) = after("unknown variant ") {
        let known = rest
            .rsplit_once("`, expected ")
            .map_or("", |(_, known)| known);
        let known = in_backticks(known).join(", ");
        return Some(format!("{before}expected one of: {known}"));
    }
    for start in ["invalid type: ", "invalid value: "] {
        if let Some((before, rest)) = after(start) {
            let (found, wanted) = rest.rsplit_once(", expected ").unwrap_or((rest, ""));
            return Some(format!("{before}{}", expected(wanted, found, start)));
        }
    }
    if let Some((before, rest)) = after("invalid length ") {
        let (length, wanted) = rest.split_once(", expected ").unwrap_or((rest, ""));
        return Some(format!(
            "{before}expected {}, not {length}",
            wanted_in_words(wanted)
        ));
    }
    if let Some((before, _)) = after("data did not match any variant of ") {
        return Some(format!(
            "{before}it has none of the forms that are possible here"
        ));
    }
    if let Some((before, rest)) = after("EOF while parsing ") {
        return Some(format!(
            "{before}the text ends in the middle of {}",
            wanted_in_words(rest)
        ));
    }
    None
}

fn expected(wanted: &str, found: &str, start: &str) -> String {
    let (wanted, found) = (wanted_in_words(wanted), found_in_words(found));
    // A number with decimals is a number, too; so is one that is too large for its place.
    let is_near = wanted.starts_with("a whole number") && found == "a number";
    if start == "invalid value: " || wanted == found || is_near {
        format!("expected {wanted}; the value is not one")
    } else {
        format!("expected {wanted}, not {found}")
    }
}

fn in_backticks(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

fn found_in_words(found: &str) -> String {
    let kind = found.split([' ', '`', '"']).next().unwrap_or_default();
    match kind {
        "string" | "character" => "a text",
        "integer" => "a whole number",
        "floating" => "a number",
        "boolean" => "true or false",
        "null" | "unit" | "Option" => "null",
        "sequence" => "a list",
        "map" | "struct" => "an object",
        _ => "something else",
    }
    .to_owned()
}

fn wanted_in_words(wanted: &str) -> String {
    let kind = wanted.split_whitespace().next().unwrap_or_default();
    match (wanted, kind) {
        ("a string" | "string" | "a character" | "string or map" | "a str", _) => "a text",
        ("a boolean", _) => "true or false",
        ("a value", _) => "a value",
        ("a list" | "a sequence", _) | (_, "tuple") => "a list",
        ("a map" | "an object", _) => "an object",
        ("unit" | "null", _) => "null",
        (_, "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "nonzero") => {
            "a whole number from 0 on"
        }
        (_, "i8" | "i16" | "i32" | "i64" | "i128" | "isize") => "a whole number",
        (_, "f32" | "f64") => "a number",
        (_, "struct" | "internally" | "adjacently") => "an object",
        (_, "enum" | "variant" | "field") => "a name",
        (_, "UUID") => "a UUID",
        _ => return wanted.to_owned(),
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::task::NewTask;

    fn problem<T: for<'de> Deserialize<'de>>(json: &str) -> String {
        let read = serde_json::from_str::<T>(json).map(|_| ());
        in_plain_words(&read.unwrap_err().to_string())
    }

    #[test]
    fn what_a_task_may_have_wrong_is_said_in_plain_words() {
        for (json, said) in [
            (
                r#"{"title": 7}"#,
                "expected a text, not a whole number (line 1, column 11)",
            ),
            (
                r#"{"max_attempts": "many"}"#,
                "expected a whole number, not a text (line 1, column 23)",
            ),
            (
                r#"{"max_attempts": 1e99}"#,
                "expected a whole number; the value is not one (line 1, column 21)",
            ),
            (
                r#"{"max_attempts": 12345678901}"#,
                "expected a whole number; the value is not one (line 1, column 28)",
            ),
            (
                r#"{"tags": "a"}"#,
                "expected a list of at most 100, not a text (line 1, column 12)",
            ),
            (
                r#"{"spec": 1}"#,
                "expected an object, not a whole number (line 1, column 10)",
            ),
            (
                r#"{"retry": {"strategy": "hunter2"}}"#,
                "expected one of: immediate, linear, exponential, quadratic, none (line 1, column 32)",
            ),
            (
                r#"{"title": "#,
                "the text ends in the middle of a value (line 1, column 10)",
            ),
        ] {
            let problem = problem::<NewTask>(json);
            if json.contains("hunter2") {
                assert!(problem.starts_with("expected one of: "), "{problem}");
                assert!(!problem.contains("hunter2"), "{problem}");
            } else {
                assert_eq!(problem, said, "{json}");
            }
        }
    }

    #[test]
    fn the_words_of_other_readers_are_plain_too() {
        for (message, said) in [
            ("missing field `title`", "the field `title` is missing"),
            (
                "duplicate field `title`",
                "the field `title` is given twice",
            ),
            (
                "unknown field `databse_url`, expected one of `url`, `database_url`",
                "there is no field `databse_url`; did you mean `database_url`?",
            ),
            (
                "a query: unknown field `colour`, expected `limit` or `cursor`",
                "a query: there is no field `colour`",
            ),
            (
                "data did not match any variant of untagged enum Several",
                "it has none of the forms that are possible here",
            ),
            (
                "invalid type: string \"a, expected b\", expected internally tagged enum Kind",
                "expected an object, not a text",
            ),
            (
                "a message of ours: `x` is wrong",
                "a message of ours: `x` is wrong",
            ),
        ] {
            assert_eq!(in_plain_words(message), said);
        }
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
            ("`hunter2` is not a lease", "the value is not a lease"),
            ("a lonely ` here", "a lonely `…`"),
        ] {
            assert_eq!(without_value(problem), shown);
        }
    }

    #[test]
    fn json_that_is_none_is_told_what_it_lacks() {
        for (json, said) in [
            (
                r#"{"a" 1}"#,
                "a colon is missing after the name of a field (line 1, column 6)",
            ),
            (
                r#"{"a": 1 "b": 2}"#,
                "a comma or the `}` at the end of an object is missing (line 1, column 9)",
            ),
            (
                "{a: 1}",
                "the name of a field stands in double quotes (line 1, column 2)",
            ),
            (
                r#"{"a": tes}"#,
                "only true, false and null are written without quotes (line 1, column 8)",
            ),
            (
                r#"{"a": 1} x"#,
                "more text follows the end of the JSON (line 1, column 10)",
            ),
        ] {
            let read = serde_json::from_str::<serde_json::Value>(json).map(|_| ());
            assert_eq!(in_discreet_words(&read.unwrap_err().to_string()), said);
        }
    }
}
