//! What every command is given: the configuration, and the way to answer.

use anyhow::Result;
use workmill_sdk::Client;

use crate::configuration::Configuration;
use crate::output::Output;

#[derive(Debug)]
pub(crate) struct CommandContext {
    pub(crate) configuration: Configuration,
    pub(crate) output: Output,
}

impl CommandContext {
    /// Nothing is contacted yet.
    pub(crate) fn client(&self) -> Result<Client> {
        Ok(Client::new(
            &self.configuration.url,
            &self.configuration.token(),
        )?)
    }
}
