//! The server: does it answer where this program would call it.

use std::time::Duration;

use tokio::time::timeout;
use workmill_sdk::Client;

use super::finding::Finding;
use crate::configuration::{Access, Configuration};

const CHECK: &str = "server";
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) async fn examine(configuration: &Configuration) -> Finding {
    let url = &configuration.url;
    let advice = "start one with `workmill up`, or say where it is with WORKMILL_URL";
    match is_ready(configuration).await {
        Ok(true) => Finding::ok(CHECK, format!("answers at {url} and is ready")),
        Ok(false) => Finding::problem(
            CHECK,
            format!("answers at {url}, but cannot reach its database"),
            "look at the server's log",
        ),
        Err(error) if configuration.url_is_explicit => {
            Finding::problem(CHECK, error.to_string(), advice)
        }
        Err(error) => Finding::warning(CHECK, error.to_string(), advice),
    }
}

/// Asks without a key: being ready is no secret. A server of this user is asked through its socket, as
/// all commands do: another program may have its port.
async fn is_ready(configuration: &Configuration) -> anyhow::Result<bool> {
    let url = &configuration.url;
    let client = match configuration.access() {
        Access::Private { server, .. } => Client::over_socket(url, "", &server.socket)?,
        Access::Named { .. } | Access::Keyless => Client::new(url, "")?,
    };
    let client = client.with_patience(Duration::ZERO);
    match timeout(PATIENCE, client.is_ready()).await {
        Ok(answer) => Ok(answer?),
        Err(_) => anyhow::bail!("no answer from {url} within {} s", PATIENCE.as_secs()),
    }
}
