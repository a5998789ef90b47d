//! `workmill.toml`: the user's own, which may set everything, and that of the working folder, which may
//! set what does no harm.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;
use workmill_core::plain_words::in_plain_words;

use crate::exit::Exit;
use crate::{plain_file, user_folders};

const NAME: &str = "workmill.toml";
const LARGEST: u64 = 64 * 1024;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) url: Option<String>,
    pub(super) token: Option<String>,
    pub(super) agent: Option<String>,
    pub(super) database_url: Option<String>,
    pub(super) data: Option<PathBuf>,
    pub(super) prices: Option<PathBuf>,
    pub(super) event_days: Option<u32>,
    pub(super) inbox_days: Option<u32>,
}

impl File {
    pub(super) fn of_the_user() -> Result<File> {
        let path = path_of_the_user();
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read {}", path.display()));
            }
        };
        File::parse(&path, &text)
    }

    /// The agent's name, which is all that the file of the working folder may set.
    pub(super) fn of_the_working_folder() -> Result<Option<String>> {
        let path = Path::new(NAME);
        if is_the_users_own(path) {
            return Ok(None);
        }
        let text = plain_file::read(path, LARGEST).map_err(|error| {
            let message = format!("{NAME} of the working folder cannot be used: {error}");
            Exit::InvalidInput.because(message)
        })?;
        File::parse(path, &text.unwrap_or_default())?.only_what_does_no_harm()
    }

    fn parse(path: &Path, text: &str) -> Result<File> {
        toml::from_str(text).map_err(|error| {
            // The error's own text quotes the line, which may hold a key.
            let problem = in_plain_words(error.message());
            let place = error.span().map(|span| place(text, span.start, &problem));
            let message = format!(
                "{} cannot be used: {}{problem}",
                path.display(),
                place.unwrap_or_default(),
            );
            Exit::InvalidInput.because(message)
        })
    }

    fn only_what_does_no_harm(self) -> Result<Option<String>> {
        // All fields by name: a new one has to be put on one side or the other.
        let File {
            agent,
            url,
            token,
            database_url,
            data,
            prices,
            event_days,
            inbox_days,
        } = self;
        let refused = [
            ("url", url.is_some(), "--url or WORKMILL_URL"),
            ("token", token.is_some(), "WORKMILL_TOKEN"),
            ("database_url", database_url.is_some(), "DATABASE_URL"),
            ("data", data.is_some(), "WORKMILL_DATA"),
            ("prices", prices.is_some(), "WORKMILL_PRICES"),
            ("event_days", event_days.is_some(), "WORKMILL_EVENT_DAYS"),
            ("inbox_days", inbox_days.is_some(), "WORKMILL_INBOX_DAYS"),
        ];
        let refused: Vec<_> = refused.iter().filter(|(_, is_set, _)| *is_set).collect();
        if refused.is_empty() {
            return Ok(agent);
        }
        let list = |texts: Vec<String>| texts.join(", ");
        let names = list(
            refused
                .iter()
                .map(|(name, ..)| format!("`{name}`"))
                .collect(),
        );
        let instead = list(
            refused
                .iter()
                .map(|(.., other)| (*other).to_owned())
                .collect(),
        );
        Err(Exit::InvalidInput.because(format!(
            "{NAME} of the working folder may not set {names}: it may have come with another \
             person's files, so it sets `agent` only. Use {instead} instead, or write it into \
             your own file {own}",
            own = path_of_the_user().display(),
        )))
    }
}

/// The line of a mistake, and its field unless the problem names it.
fn place(text: &str, start: usize, problem: &str) -> String {
    let before = text.get(..start).unwrap_or_default();
    let number = before.matches('\n').count() + 1;
    let line = text.lines().nth(number - 1).unwrap_or_default();
    let field = line.split_once('=').map(|(field, _)| field.trim());
    let is_bare = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
    let field = field.filter(|field| !field.is_empty() && field.chars().all(is_bare));
    match field {
        Some(field) if !problem.contains(&format!("`{field}`")) => {
            format!("line {number}, `{field}`: ")
        }
        _ => format!("line {number}: "),
    }
}

fn path_of_the_user() -> PathBuf {
    user_folders::configuration().join(NAME)
}

/// Whether the working folder is the user's own configuration folder.
fn is_the_users_own(path: &Path) -> bool {
    let canonical = |path: &Path| path.canonicalize().ok();
    canonical(path).is_some_and(|found| canonical(&path_of_the_user()) == Some(found))
}
