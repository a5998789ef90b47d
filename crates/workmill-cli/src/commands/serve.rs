//! `workmill serve`: the server alone, on a database that somebody else runs and migrates.

use std::sync::Arc;

use anyhow::Result;
use serde_json::json;
use workmill_store::{Store, migrate};

use super::migrate::named_database;
use crate::arguments::ServeArguments;
use crate::context::CommandContext;
use crate::database::explain;
use crate::exit::Exit;
use crate::listening::{self, Listening};
use crate::running_server::{CONNECTIONS, RunningServer};
use crate::{prices, stop_signal};

pub(crate) async fn run(context: &CommandContext, arguments: &ServeArguments) -> Result<Exit> {
    let stop = stop_signal::listen()?;
    let prices = prices::read(context, &arguments.prices)?;
    let database = named_database(context, "serve")?;
    let certificates = arguments.tls_cert.as_ref().zip(arguments.tls_key.as_ref());
    let tls = certificates
        .map(|(chain, key)| workmill_server::read_certificates(chain, key))
        .transpose()?;
    let Listening { listener, url } =
        listening::bind(&arguments.listen, false, context.output).await?;
    let url = match &tls {
        None => url,
        Some(_) => url.replacen("http://", "https://", 1),
    };
    let how = workmill_server::Listening {
        tls,
        ..arguments.listen.how()
    };
    migrate::check(database)
        .await
        .map_err(|error| explain(error, database))?;
    let store = Store::new(database, CONNECTIONS).map_err(|error| explain(error, database))?;
    let configuration = &context.configuration;
    let mut server = RunningServer::start(listener, how, Arc::new(store), prices, configuration);
    let announced = context.output.answer(&json!({ "url": url }), |_| {
        format!("Workmill is ready at {url}")
    });
    let outcome = match announced {
        Ok(()) => tokio::select! {
            () = stop.cancelled() => Ok(Exit::Done),
            error = server.ended() => Err(error),
        },
        Err(error) => Err(error),
    };
    let stopped = server.stop().await;
    let exit = outcome?;
    stopped?;
    tracing::info!("stopped");
    Ok(exit)
}
