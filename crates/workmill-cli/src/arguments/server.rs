//! Arguments of the commands that run a server.

use std::path::PathBuf;

use clap::Args;

use super::words::whole;

#[derive(Debug, Args)]
pub(crate) struct UpArguments {
    /// Add a sample graph and local agents that work through it
    #[arg(long)]
    pub(crate) demo: bool,
    /// Exit when the demo is done, even on a terminal
    #[arg(long, requires = "demo")]
    pub(crate) once: bool,
    /// Use a temporary database and remove it at the end
    #[arg(long, conflicts_with = "data")]
    pub(crate) ephemeral: bool,
    #[arg(
        long,
        value_name = "DIR",
        help = "The data folder [env: WORKMILL_DATA]"
    )]
    pub(crate) data: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) prices: PricesArguments,
    #[command(flatten)]
    pub(crate) listen: ListenArguments,
}

#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    /// Bring the schema of the database up to date first
    #[arg(long)]
    pub(crate) migrate: bool,
    #[command(flatten)]
    pub(crate) prices: PricesArguments,
    #[command(flatten)]
    pub(crate) listen: ListenArguments,
    /// Serve HTTPS with the certificates of this PEM file
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub(crate) tls_cert: Option<PathBuf>,
    /// The private key of the certificate, as PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub(crate) tls_key: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct PricesArguments {
    #[arg(
        long,
        value_name = "FILE",
        help = "The price table of tokens by model, in the form of LiteLLM's \
                model_prices_and_context_window.json [env: WORKMILL_PRICES] [default: built in]"
    )]
    pub(crate) prices: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ListenArguments {
    /// Listen on this address; only addresses other than loopback are reachable from other machines
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) host: String,
    /// Listen on this port; 0 takes a free one [env: PORT] [default: 7070]
    #[arg(long, value_parser = whole::<u16>(0..=65535))]
    pub(crate) port: Option<u16>,
    /// Allow calls from web pages of this origin, `https://board.example.com`; may be repeated
    #[arg(long = "allow-origin", value_name = "ORIGIN")]
    pub(crate) origins: Vec<String>,
    /// Accept requests for this host name, too; a server on a loopback address accepts only its own
    /// names otherwise; may be repeated
    #[arg(long = "allow-host", value_name = "NAME")]
    pub(crate) hosts: Vec<String>,
    /// Serve /metrics without a key
    #[arg(long)]
    pub(crate) metrics_open: bool,
}

impl ListenArguments {
    pub(crate) fn how(&self) -> workmill_server::Listening {
        workmill_server::Listening {
            hosts: workmill_server::Hosts(self.hosts.clone()),
            origins: workmill_server::Origins(self.origins.clone()),
            has_open_metrics: self.metrics_open,
            ..workmill_server::Listening::default()
        }
    }
}
