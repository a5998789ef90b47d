//! A file that people or programs have written, as YAML or JSON: what it says, and where it says it.
//!
//! JSON is sent as it stands. What the server refuses is shown with the line and the column of the
//! file, though the server knows nothing of files.

mod node;

use std::path::Path;

use anyhow::{Context, Result};
use serde::de::DeserializeOwned;
use serde_json::value::{RawValue, to_raw_value};
use serde_saphyr::UserMessageFormatter;
use workmill_core::plain_words::in_plain_words;
use workmill_protocol::error::ErrorCode;
use workmill_sdk::ClientError;

use crate::exit::Exit;
use node::{Node, Position};

#[derive(Debug)]
pub(crate) struct Document {
    name: String,
    text: String,
    json: Box<RawValue>,
}

impl Document {
    /// What the name ends in decides; elsewhere an object of JSON begins with a brace.
    pub(crate) fn read(file: &Path, text: String) -> Result<Self> {
        let name = match file.to_str() {
            Some("-") => "standard input".to_owned(),
            _ => file.display().to_string(),
        };
        let is_json = match file.extension().and_then(|end| end.to_str()) {
            Some("json") => true,
            Some("yaml" | "yml") => false,
            _ => text.trim_start().starts_with('{'),
        };
        let json = if is_json {
            serde_json::from_str(&text).map_err(|error| {
                let place = Position::new(error.line(), error.column());
                not_readable(&name, "JSON", Some(place), &without_place(&error))
            })?
        } else {
            let node: Node = yaml(&text).map_err(|error| {
                let (place, problem) = what_is_wrong(&error);
                not_readable(&name, "YAML", place, &problem)
            })?;
            to_raw_value(&node.into_value()).context("cannot write the YAML as JSON")?
        };
        Ok(Document { name, text, json })
    }

    pub(crate) fn json(&self) -> &RawValue {
        &self.json
    }

    /// Says where in the file it is that the server did not like. `T` is what the file is to be
    /// read as: the server judges, and `T` only helps to find the place.
    pub(crate) fn place<T: DeserializeOwned>(&self, error: ClientError) -> anyhow::Error {
        let ClientError::Refused(problem) = &error else {
            return error.into();
        };
        if problem.code != ErrorCode::Invalid {
            return error.into();
        }
        let field = problem.field.as_deref();
        let found = field.map_or_else(|| self.misread::<T>(), |field| self.find(field));
        if found.is_none() && field.is_some() {
            return error.into();
        }
        // The place that the server may name is one in what it was sent, not in the file.
        let problem = problem.to_string();
        let problem = match problem.rfind(" (line ") {
            Some(end) => &problem[..end],
            None => &problem,
        };
        let name = &self.name;
        let message = match found {
            Some((place, path)) => format!("{name}, {place}, `{path}`: {problem}"),
            None => format!("{name}: {problem}"),
        };
        Exit::InvalidInput.instead_of(error, message)
    }

    fn find(&self, field: &str) -> Option<(Position, String)> {
        let node: Node = yaml(&self.text).ok()?;
        node.find(field)
    }

    /// Where it is something else than it should be: a text instead of a number. A list is wrong as a
    /// whole, though its items could be read as the fields of `T`.
    fn misread<T: DeserializeOwned>(&self) -> Option<(Position, String)> {
        if self.json.get().trim_start().starts_with('[') {
            return None;
        }
        let mut json = serde_json::Deserializer::from_str(self.json.get());
        let read: Result<T, _> = serde_path_to_error::deserialize(&mut json);
        self.find(&read.err()?.path().to_string())
    }
}

fn yaml<'a, T: serde::Deserialize<'a>>(text: &'a str) -> Result<T, serde_saphyr::Error> {
    let options = serde_saphyr::options! {
        // A file is as long as it is; depth and aliases stay bounded.
        budget: serde_saphyr::budget! {
            max_events: usize::MAX,
            max_nodes: usize::MAX,
            max_total_scalar_bytes: usize::MAX,
        },
        // `no` is a text.
        strict_booleans: true,
        with_snippet: false,
    };
    serde_saphyr::from_str_with_options(text, options)
}

fn what_is_wrong(error: &serde_saphyr::Error) -> (Option<Position>, String) {
    let text = error.render_with_formatter(&UserMessageFormatter);
    let Some(place) = error.location() else {
        return (None, text);
    };
    let (line, column) = (place.line(), place.column());
    let text = text.replace(&format!(" at line {line}, column {column}"), "");
    (Some(Position { line, column }), text)
}

fn without_place(error: &serde_json::Error) -> String {
    let place = format!(" at line {} column {}", error.line(), error.column());
    in_plain_words(&error.to_string().replace(&place, ""))
}

fn not_readable(name: &str, what: &str, place: Option<Position>, problem: &str) -> anyhow::Error {
    let place = place.map(|place| format!(", {place}")).unwrap_or_default();
    Exit::InvalidInput.because(format!("{name}{place}: this is not {what}: {problem}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use workmill_protocol::error::Problem;
    use workmill_protocol::graphs::CreateGraph;

    const GRAPH: &str = "\
# A graph
title: Release
tasks:
  - name: build
    title: Build
    type: build
  - title: Ship
    type: ship
    colour: red
    depends_on: [build]
    max_attempts: many
";

    fn document(name: &str, text: &str) -> Result<Document> {
        Document::read(Path::new(name), text.to_owned())
    }

    fn value(document: &Document) -> Value {
        serde_json::from_str(document.json().get()).unwrap()
    }

    fn refused(field: Option<&str>) -> ClientError {
        ClientError::Refused(Box::new(Problem {
            field: field.map(str::to_owned),
            ..Problem::new(ErrorCode::Invalid, "no")
        }))
    }

    #[test]
    fn yaml_and_json_say_the_same() {
        let yaml = document("g.yaml", "a: [1, no, 1.5, ~, 'x']\nb:\n  at: 2026-01-01\n").unwrap();
        let same = json!({"a": [1, "no", 1.5, null, "x"], "b": {"at": "2026-01-01"}});
        assert_eq!(value(&yaml), same);
        assert_eq!(value(&document("-", &same.to_string()).unwrap()), same);
    }

    #[test]
    fn a_long_file_is_read_and_a_bottomless_one_refused() {
        let tasks = "- {title: t, tags: [a, b, c, d, e, f, g, h, i, j]}\n".repeat(17_000);
        assert!(document("g.yaml", &format!("tasks:\n{tasks}")).is_ok());
        for name in ["g.yaml", "g.json"] {
            let error = document(name, &"[".repeat(100_000)).unwrap_err();
            assert_eq!(Exit::of(&error), Exit::InvalidInput);
        }
    }

    #[test]
    fn json_is_sent_as_it_stands() {
        let json = "{\"big\": 123456789012345678901234567890, \"a\": 1.0}";
        assert_eq!(document("-", json).unwrap().json().get(), json);
    }

    #[test]
    fn what_cannot_be_read_has_a_line_and_a_column() {
        for (name, text, problem) in [
            ("g.yaml", "a: 1\na: 2\n", "g.yaml, line 2, column 1: "),
            ("g.yml", "a: [1\nb: 2\n", "g.yml, line 2, column 2: "),
            ("g.json", "{\n  \"a\": }", "g.json, line 2, column 8: "),
            ("-", "{\"a\" 1}", "standard input, line 1, column 6: "),
        ] {
            let error = document(name, text).unwrap_err();
            assert_eq!(Exit::of(&error), Exit::InvalidInput);
            assert!(error.to_string().starts_with(problem), "{error}");
        }
    }

    #[test]
    fn what_the_server_refuses_is_found_in_the_file() {
        let graph = document("g.yaml", GRAPH).unwrap();
        let place = |field| {
            let error = graph.place::<CreateGraph>(refused(field));
            assert_eq!(Exit::of(&error), Exit::InvalidInput);
            let text = error.to_string();
            text.strip_suffix(": The request is invalid: no")
                .unwrap_or(&text)
                .to_owned()
        };
        assert_eq!(
            place(Some("tasks[1].colour")),
            "g.yaml, line 9, column 5, `tasks[1].colour`"
        );
        assert_eq!(
            place(Some("tasks.1.depends_on[0]")),
            "g.yaml, line 10, column 18, `tasks[1].depends_on[0]`"
        );
        assert_eq!(
            place(Some("tasks[0].spec.prompt")),
            "g.yaml, line 4, column 5, `tasks[0].spec.prompt`",
            "what is not there is looked for where it should be"
        );
        assert_eq!(
            place(None),
            "g.yaml, line 11, column 5, `tasks[1].max_attempts`",
            "a text instead of a number"
        );
        let list = document("g.yaml", "- {title: a, type: [b]}\n").unwrap();
        assert_eq!(
            list.place::<CreateGraph>(refused(None)).to_string(),
            "g.yaml: The request is invalid: no",
            "a list is wrong as a whole"
        );
        let nameless = document("g.yaml", "tasks: []\n").unwrap();
        let error = ClientError::Refused(Box::new(Problem::new(
            ErrorCode::Invalid,
            "the field `title` is missing (line 1, column 12)",
        )));
        assert_eq!(
            nameless.place::<CreateGraph>(error).to_string(),
            "g.yaml: The request is invalid: the field `title` is missing",
            "the place is one in what was sent"
        );
    }
}
