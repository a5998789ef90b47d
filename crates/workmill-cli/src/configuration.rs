//! Where the server and the database are, and with which key this program calls.
//!
//! In: flags, the environment, and `workmill.toml` in the user's own folder and in the working folder.
//! Out: one [`Configuration`]. Invariant: the file of the working folder may have come with somebody
//! else's files, so it never decides what is run, what is stored where, or where a key is sent.

mod file;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;

use crate::arguments::EverywhereArguments;
use crate::exit::Exit;
use crate::key_file;
use crate::local_servers::{self, LocalServer};

use file::File;

const DEFAULT_URL: &str = "http://127.0.0.1:7070";

#[derive(Debug)]
pub(crate) struct Configuration {
    pub(crate) url: String,
    /// The user named the server; it is not just the usual place.
    pub(crate) url_is_explicit: bool,
    /// The namespace that an admin acts in, if it is not that of the key.
    pub(crate) namespace: Option<String>,
    pub(crate) agent: Option<String>,
    pub(crate) database_url: Option<String>,
    prices: Option<PathBuf>,
    /// How long events are kept; none: the usual time.
    pub(crate) event_age: Option<Duration>,
    /// How long rows of the inbox are kept after they were handled; none: the usual time.
    pub(crate) inbox_age: Option<Duration>,
    data: Option<PathBuf>,
    token: Option<String>,
}

/// How a server is called: with which key, and through what.
#[derive(Debug)]
pub(crate) enum Access {
    /// A key that the user named, sent to the address that the user named.
    Named { token: String },
    /// The key of a server that this user runs on this machine, sent through its own socket alone.
    Private { token: String, server: LocalServer },
    /// No key is known; the server says that it needs one.
    Keyless,
}

impl Configuration {
    pub(crate) fn read(arguments: &EverywhereArguments) -> Result<Self> {
        let own = File::of_the_user()?;
        let agent_of_folder = File::of_the_working_folder()?;
        let url = arguments.url.clone();
        let url = url.or_else(|| variable("WORKMILL_URL")).or(own.url);
        Ok(Configuration {
            url_is_explicit: url.is_some(),
            url: url.unwrap_or_else(|| DEFAULT_URL.to_owned()),
            namespace: namespace(arguments)?,
            agent: variable("WORKMILL_AGENT").or(agent_of_folder).or(own.agent),
            database_url: variable("WORKMILL_DATABASE_URL")
                .or_else(|| variable("DATABASE_URL"))
                .or(own.database_url),
            event_age: number_of_days("WORKMILL_EVENT_DAYS", own.event_days)?.map(days),
            inbox_age: number_of_days("WORKMILL_INBOX_DAYS", own.inbox_days)?.map(days),
            data: variable("WORKMILL_DATA").map(PathBuf::from).or(own.data),
            token: variable("WORKMILL_TOKEN").or(own.token),
            prices: variable("WORKMILL_PRICES")
                .map(PathBuf::from)
                .or(own.prices),
        })
    }

    /// The file with the prices of models, if it is not to be the table that is built in.
    pub(crate) fn prices_file(&self, flag: Option<&Path>) -> Option<PathBuf> {
        flag.map(Path::to_path_buf).or_else(|| self.prices.clone())
    }

    pub(crate) fn data_folder(&self, flag: Option<&Path>) -> PathBuf {
        flag.map(Path::to_path_buf)
            .or_else(|| self.data.clone())
            .unwrap_or_else(workmill_local_postgres::default_data_folder)
    }

    pub(crate) fn access(&self) -> Access {
        if let Some(token) = &self.token {
            let token = token.clone();
            return Access::Named { token };
        }
        let server = local_servers::find(&self.url, &self.data_folder(None));
        let token_of = |server: &LocalServer| server.key_file.as_deref().and_then(key_file::read);
        match server.map(|server| (token_of(&server), server)) {
            Some((Some(token), server)) => Access::Private { token, server },
            Some((None, _)) | None => Access::Keyless,
        }
    }
}

/// A name that can stand in a header.
fn namespace(arguments: &EverywhereArguments) -> Result<Option<String>> {
    let name = arguments.namespace.clone();
    let name = name.or_else(|| variable("WORKMILL_NAMESPACE"));
    if let Some(name) = &name
        && (name.is_empty() || !name.chars().all(|letter| letter.is_ascii_graphic()))
    {
        return Err(Exit::Usage.because(format!("`{name}` is not the name of a namespace")));
    }
    Ok(name)
}

/// The environment's word, or the file's.
fn number_of_days(name: &str, file: Option<u32>) -> Result<Option<u32>> {
    let Some(text) = variable(name) else {
        return Ok(file);
    };
    match text.parse() {
        Ok(days) => Ok(Some(days)),
        Err(_) => Err(Exit::Usage.because(format!("{name}={text} is not a whole number of days"))),
    }
}

fn days(days: u32) -> Duration {
    Duration::from_hours(u64::from(days) * 24)
}

/// What the environment says; set to nothing counts as not set.
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// What the environment says, read as an id.
pub(crate) fn variable_as<T: std::str::FromStr<Err: std::fmt::Display>>(
    name: &str,
) -> Result<Option<T>> {
    let Some(text) = variable(name) else {
        return Ok(None);
    };
    let unusable = |error| Exit::Usage.because(format!("{name}={text} cannot be used: {error}"));
    text.parse().map(Some).map_err(unusable)
}
