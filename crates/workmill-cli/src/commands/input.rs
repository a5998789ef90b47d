//! What commands read: files, standard input, and JSON given on the command line.

use std::io::{ErrorKind, Read};
use std::path::Path;

use anyhow::Result;
use serde_json::value::RawValue;
use workmill_core::plain_words::in_plain_words;

use crate::document::Document;
use crate::exit::Exit;

/// The text of a file; `-` is standard input.
fn read(file: &Path) -> Result<String> {
    let (name, read) = if file == Path::new("-") {
        let mut text = String::new();
        let read = std::io::stdin().lock().read_to_string(&mut text);
        ("standard input".to_owned(), read.map(|_| text))
    } else {
        (file.display().to_string(), std::fs::read_to_string(file))
    };
    read.map_err(|error| {
        let exit = match error.kind() {
            ErrorKind::NotFound => Exit::NotFound,
            ErrorKind::InvalidData | ErrorKind::IsADirectory => Exit::InvalidInput,
            _ => Exit::Error,
        };
        exit.because(format!("cannot read {name}: {error}"))
    })
}

/// The YAML or JSON in a file; `-` is standard input.
pub(super) fn read_document(file: &Path) -> Result<Document> {
    Document::read(file, read(file)?)
}

/// A text as it stands, `@FILE` with one, or `-` for standard input. A text that begins with `@` is
/// written with two of them.
pub(super) fn text(argument: &str) -> Result<String> {
    match argument.strip_prefix('@') {
        Some(text) if text.starts_with('@') => Ok(text.to_owned()),
        Some(file) => read(Path::new(file)),
        None if argument == "-" => read(Path::new("-")),
        None => Ok(argument.to_owned()),
    }
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
        Exit::InvalidInput.because(format!(
            "{what} is not JSON: {}. {example}",
            in_plain_words(&error.to_string())
        ))
    })
}
