//! Where the server and the database are and who asks: flags, then the environment, then
//! `workmill.toml` in the working directory, then the user's own.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::arguments::EverywhereArguments;
use crate::exit::Exit;
use crate::{key_file, user_folders};

const FILE: &str = "workmill.toml";
const DEFAULT_URL: &str = "http://127.0.0.1:7070";

#[derive(Debug)]
pub(crate) struct Configuration {
    pub(crate) url: String,
    /// Somebody named the server; it is not just the usual place.
    pub(crate) url_is_explicit: bool,
    pub(crate) agent: Option<String>,
    pub(crate) database_url: Option<String>,
    prices: Option<PathBuf>,
    /// How long events are kept; none: the usual time.
    pub(crate) event_age: Option<Duration>,
    /// How long rows of the inbox are kept after they were handled; none: the usual time.
    pub(crate) inbox_age: Option<Duration>,
    data: Option<PathBuf>,
    token: Option<String>,
    /// The server is named by the file in the working directory, the key comes from somewhere else.
    is_key_for_another_server: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    url: Option<String>,
    token: Option<String>,
    agent: Option<String>,
    database_url: Option<String>,
    data: Option<PathBuf>,
    prices: Option<PathBuf>,
    event_days: Option<u32>,
    inbox_days: Option<u32>,
}

impl Configuration {
    pub(crate) fn read(arguments: &EverywhereArguments) -> Result<Self> {
        let here = File::read(Path::new(FILE))?;
        let own = File::read(&user_folders::configuration().join(FILE))?;
        let named = arguments.url.clone().or_else(|| variable("WORKMILL_URL"));
        let named_token = variable("WORKMILL_TOKEN");
        let is_key_for_another_server = named.is_none()
            && here.url.is_some()
            && here.url != own.url
            && (named_token.is_some() || here.token.is_none());
        let file = here.or(own);
        let url = named.or(file.url);
        Ok(Configuration {
            is_key_for_another_server,
            url_is_explicit: url.is_some(),
            url: url.unwrap_or_else(|| DEFAULT_URL.to_owned()),
            agent: variable("WORKMILL_AGENT").or(file.agent),
            database_url: variable("WORKMILL_DATABASE_URL")
                .or_else(|| variable("DATABASE_URL"))
                .or(file.database_url),
            event_age: number_of_days("WORKMILL_EVENT_DAYS", file.event_days)?.map(days),
            inbox_age: number_of_days("WORKMILL_INBOX_DAYS", file.inbox_days)?.map(days),
            data: variable("WORKMILL_DATA").map(PathBuf::from).or(file.data),
            token: named_token.or(file.token),
            prices: variable("WORKMILL_PRICES")
                .map(PathBuf::from)
                .or(file.prices),
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

    /// Empty when there is none: the server then says that it needs one. A `workmill.toml` that came with
    /// somebody's files must not send a key to another machine.
    pub(crate) fn token(&self) -> Result<String> {
        let is_on_this_machine = workmill_sdk::is_on_this_machine(&self.url);
        if let Some(token) = &self.token {
            if self.is_key_for_another_server && !is_on_this_machine {
                return Err(Exit::Usage.because(format!(
                    "the {FILE} of this folder names the server {url}, and your key is not sent there: \
                     if it is the right one, set WORKMILL_URL or --url to {url}, or write the key that is \
                     meant for it into the same file as `token`",
                    url = self.url
                )));
            }
            return Ok(token.clone());
        }
        if !is_on_this_machine {
            return Ok(String::new());
        }
        let folder = self.data_folder(None);
        let of_named_database = self
            .database_url
            .as_ref()
            .map(|url| key_file::of_external(&folder, url, key_file::ADMIN));
        let token = of_named_database
            .into_iter()
            .chain([key_file::of_private(&folder, key_file::ADMIN)])
            .find_map(|path| key_file::read(&path));
        Ok(token.unwrap_or_default())
    }
}

/// The environment's word, or the file's.
fn number_of_days(name: &str, file: Option<u32>) -> Result<Option<u32>> {
    let Some(text) = variable(name) else {
        return Ok(file);
    };
    let days = text.parse();
    days.map(Some)
        .with_context(|| format!("{name}={text} is not a number of days"))
}

fn days(days: u32) -> Duration {
    Duration::from_hours(u64::from(days) * 24)
}

/// What the environment says; set to nothing counts as not set.
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

impl File {
    fn read(path: &Path) -> Result<File> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(File::default());
            }
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read {}", path.display()));
            }
        };
        toml::from_str(&text).map_err(|error| {
            // The error's own text quotes the line, which may hold a key.
            let message = format!("{} cannot be used: {}", path.display(), error.message());
            Exit::InvalidInput.because(message)
        })
    }

    fn or(self, other: File) -> File {
        File {
            url: self.url.or(other.url),
            token: self.token.or(other.token),
            agent: self.agent.or(other.agent),
            database_url: self.database_url.or(other.database_url),
            data: self.data.or(other.data),
            prices: self.prices.or(other.prices),
            event_days: self.event_days.or(other.event_days),
            inbox_days: self.inbox_days.or(other.inbox_days),
        }
    }
}
