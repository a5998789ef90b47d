//! The file in which a command may leave its result.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;
use workmill_core::fields::no_such_field;
use workmill_core::plain_words::in_plain_words;
use workmill_core::task::NewTask;
use workmill_protocol::leases::Usage;

/// A result that is larger belongs elsewhere, as an artifact.
const MOST: u64 = 16 * 1024 * 1024;

/// What a command has left.
#[derive(Debug, Default)]
pub(super) struct ResultFile {
    /// None: what it has printed.
    pub(super) output: Option<Box<RawValue>>,
    pub(super) usage: Option<Usage>,
    pub(super) artifacts: Vec<Value>,
    /// Follow-up tasks.
    pub(super) tasks: Vec<NewTask>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Written {
    #[serde(deserialize_with = "even_null")]
    output: Option<Box<RawValue>>,
    usage: Option<Value>,
    cost_usd: Option<f64>,
    artifacts: Vec<Value>,
    tasks: Vec<Value>,
}

/// What waits for a writer, or never ends, is no file to read from.
pub(super) fn open_plain(path: &Path) -> std::io::Result<File> {
    if !path.metadata()?.is_file() {
        let problem = "it is no plain file";
        return Err(std::io::Error::new(ErrorKind::InvalidInput, problem));
    }
    File::open(path)
}

impl ResultFile {
    /// Empty if there is none; otherwise it has to be right, or the error says what is wrong.
    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let file = match open_plain(path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(error.to_string()),
        };
        let mut text = String::new();
        let read = file.take(MOST + 1).read_to_string(&mut text);
        let read = read.map_err(|error| error.to_string())?;
        if read as u64 > MOST {
            return Err(format!("it is larger than {MOST} bytes"));
        }
        Self::parse(&text)
    }

    fn parse(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        let written: Written =
            serde_json::from_str(text).map_err(|error| in_plain_words(&error.to_string()))?;
        let mut usage: Option<Usage> = written
            .usage
            .map(|usage| strictly("usage", usage))
            .transpose()?;
        if written.cost_usd.is_some() {
            usage.get_or_insert_default().cost_usd = written.cost_usd;
        }
        let tasks = written.tasks.into_iter().enumerate();
        let tasks = tasks.map(|(place, task)| strictly(&format!("tasks[{place}]"), task));
        Ok(ResultFile {
            output: written.output,
            usage,
            artifacts: written.artifacts,
            tasks: tasks.collect::<Result<_, _>>()?,
        })
    }
}

/// Refuses fields that nobody knows: a misspelt one would be dropped without a word.
fn strictly<T: DeserializeOwned>(what: &str, value: Value) -> Result<T, String> {
    let mut unknown = None;
    let read = serde_ignored::deserialize(value, |path| unknown = Some(path.to_string()));
    match (read, unknown) {
        (Err(error), _) => Err(format!("{what}: {}", in_plain_words(&error.to_string()))),
        (Ok(_), Some(field)) => Err(format!("{what}: {}", no_such_field::<T>(&field))),
        (Ok(read), None) => Ok(read),
    }
}

fn even_null<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::<RawValue>::deserialize(value).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_it_is_read_and_the_output_is_kept_as_it_stands() {
        let text = r#"{"output": {"big": 12345678901234567890123}, "cost_usd": 0.5,
            "usage": {"model": "gpt-5", "input_tokens": 10}, "artifacts": ["s3://a/b"],
            "tasks": [{"title": "next", "type": "code"}]}"#;
        let result = ResultFile::parse(text).unwrap();
        let output = result.output.unwrap();
        assert_eq!(output.get(), r#"{"big": 12345678901234567890123}"#);
        let usage = result.usage.unwrap();
        assert_eq!((usage.cost_usd, usage.input_tokens), (Some(0.5), Some(10)));
        assert_eq!(result.artifacts, ["s3://a/b"]);
        assert_eq!(result.tasks[0].title, "next");
    }

    #[test]
    fn an_output_of_null_is_an_output_and_nothing_is_none() {
        let null = ResultFile::parse(r#"{"output": null}"#).unwrap();
        assert_eq!(null.output.unwrap().get(), "null");
        assert!(ResultFile::parse("{}").unwrap().output.is_none());
        assert!(ResultFile::parse(" \n").unwrap().output.is_none());
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, problem) in [
            ("{", "the text ends in the middle of an object"),
            (r#"{"outptu": 1}"#, "outptu"),
            (
                r#"{"usage": {"tokens": 1}}"#,
                "usage: there is no field `tokens`",
            ),
            (
                r#"{"tasks": [{"titel": "x"}]}"#,
                "tasks[0]: there is no field `titel`",
            ),
            (r#"{"cost_usd": "much"}"#, "expected a number, not a text"),
        ] {
            let error = ResultFile::parse(text).unwrap_err();
            assert!(error.contains(problem), "{text}: {error}");
        }
    }
}
