//! What a command answers: for people, or as JSON for programs.
//!
//! With `--json` standard output holds `{"schema_version":1,"data":…}` and nothing else.
//! Everything that is not the answer goes to standard error: with `--json` as lines of JSON, too,
//! `{"schema_version":1,"note":…}` and `{"schema_version":1,"error":…}`.

use std::io::{ErrorKind, Write};

use anyhow::{Context, Result};
use serde::Serialize;

use crate::paint;
use crate::plain_text::{plain_json, plain_lines};

const SCHEMA_VERSION: u32 = 1;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Output {
    pub(crate) json: bool,
    pub(crate) quiet: bool,
    pub(crate) colour: bool,
}

#[derive(Serialize)]
struct Envelope<'a, T> {
    schema_version: u32,
    data: &'a T,
}

impl Output {
    pub(crate) fn answer<T: Serialize>(
        self,
        data: &T,
        for_people: impl FnOnce(&T) -> String,
    ) -> Result<()> {
        self.next_answer(data, for_people).map(drop)
    }

    /// The same for one of many answers; false when nobody reads them any more.
    pub(crate) fn next_answer<T: Serialize>(
        self,
        data: &T,
        for_people: impl FnOnce(&T) -> String,
    ) -> Result<bool> {
        print_line(self.text(data, for_people)?.trim_end())
    }

    /// An answer as it is going to be printed.
    pub(crate) fn text<T: Serialize>(
        self,
        data: &T,
        for_people: impl FnOnce(&T) -> String,
    ) -> Result<String> {
        if self.json {
            let envelope = Envelope {
                schema_version: SCHEMA_VERSION,
                data,
            };
            let json =
                serde_json::to_string(&envelope).context("cannot write the answer as JSON")?;
            Ok(plain_json(&json))
        } else {
            Ok(paint::finished(&for_people(data), self.colour))
        }
    }

    /// Something worth knowing that is not the answer.
    pub(crate) fn note(self, text: &str) {
        if self.quiet {
            return;
        }
        if self.json {
            print_json_aside("note", &text);
        } else {
            print_aside(text);
        }
    }
}

/// On standard error. That nobody reads it is no reason to stop.
pub(crate) fn print_aside(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", plain_lines(text));
}

/// A line of JSON on standard error, with one member beside the version.
pub(crate) fn print_json_aside(name: &str, content: &impl Serialize) {
    let content = serde_json::to_string(content).unwrap_or_default();
    let json = format!(r#"{{"schema_version":{SCHEMA_VERSION},"{name}":{content}}}"#);
    let _ = writeln!(std::io::stderr(), "{}", plain_json(&json));
}

/// A reader that has seen enough is no error.
fn print_line(text: &str) -> Result<bool> {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error).context("cannot write the answer to standard output"),
    }
}
