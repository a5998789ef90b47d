//! What every command is given: the configuration, and the way to answer.

use std::time::Duration;

use anyhow::Result;
use workmill_sdk::Client;

use crate::configuration::{Access, Configuration};
use crate::output::Output;

#[derive(Debug)]
pub(crate) struct CommandContext {
    pub(crate) configuration: Configuration,
    pub(crate) output: Output,
}

impl CommandContext {
    /// Nothing is contacted yet. Who types a command wants to know at once that nobody answers.
    pub(crate) fn client(&self) -> Result<Client> {
        Ok(self.patient_client()?.with_patience(Duration::ZERO))
    }

    /// For commands that stay: a server that starts anew does not end them.
    pub(crate) fn patient_client(&self) -> Result<Client> {
        let url = &self.configuration.url;
        let client = match self.configuration.access() {
            Access::Named { token } => Client::new(url, &token)?,
            Access::Private { token, server } => Client::over_socket(url, &token, &server.socket)?,
            Access::Keyless => Client::new(url, "")?,
        };
        Ok(match &self.configuration.namespace {
            Some(name) => client.in_namespace(name),
            None => client,
        })
    }
}
