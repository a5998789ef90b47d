//! What commands read: files, standard input, and JSON given on the command line.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::value::RawValue;

use crate::document::Document;
use crate::exit::Exit;

/// The text of a file; `-` is standard input.
fn read(file: &Path) -> Result<String> {
    if file == Path::new("-") {
        let mut text = String::new();
        let read = std::io::stdin().lock().read_to_string(&mut text);
        read.context("cannot read standard input")?;
        return Ok(text);
    }
    std::fs::read_to_string(file).map_err(|error| {
        let exit = match error.kind() {
            std::io::ErrorKind::NotFound => Exit::NotFound,
            std::io::ErrorKind::InvalidData => Exit::InvalidInput,
            _ => Exit::Error,
        };
        exit.because(format!("cannot read {}: {error}", file.display()))
    })
}

/// The YAML or JSON in a file; `-` is standard input.
pub(super) fn read_document(file: &Path) -> Result<Document> {
    Document::read(file, read(file)?)
}

/// JSON as it stands, `@FILE` with JSON, or `-` for standard input.
pub(super) fn json_value(what: &str, argument: &str) -> Result<Box<RawValue>> {
    let text = match argument.strip_prefix('@') {
        Some(file) => read(Path::new(file))?,
        None if argument == "-" => read(Path::new("-"))?,
        None => argument.to_owned(),
    };
    serde_json::from_str(&text).map_err(|error| {
        let example =
            r#"An object looks like '{"key": 1}', a text like '"text"', a file like @FILE"#;
        Exit::InvalidInput.because(format!("{what} is not JSON: {error}. {example}"))
    })
}
