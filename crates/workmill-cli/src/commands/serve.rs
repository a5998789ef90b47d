//! `workmill serve`: the server alone, on a database that is run elsewhere.

use std::sync::Arc;

use anyhow::Result;
use serde_json::json;
use workmill_store::access::KeyFilter;
use workmill_store::{Store, StoreError, migrate};

use super::migrate::named_database;
use crate::arguments::ServeArguments;
use crate::context::CommandContext;
use crate::database::explain;
use crate::exit::Exit;
use crate::listening::{self, Listening};
use crate::running_server::{CONNECTIONS, RunningServer};
use crate::{key_file, local_servers, prices, stop_signal};

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
    let store = prepare(database, arguments.migrate).await;
    let store = store.map_err(|error| explain(error, database))?;
    let has_keys = has_keys(&store).await;
    let has_keys = has_keys.map_err(|error| explain(error, database))?;
    let configuration = &context.configuration;
    // What an `up` on this database has left is good here, too.
    let folder = configuration.data_folder(None);
    let key_file = key_file::of_external(&folder, database, key_file::ADMIN);
    let registration = local_servers::register(&url, None, Some(key_file));
    let store = Arc::new(store);
    let mut server =
        RunningServer::start(listener, how, registration, store, prices, configuration);
    let announced = context.output.answer(&json!({ "url": url }), |_| {
        format!("Workmill is ready at {url}")
    });
    if !has_keys {
        context.output.note(
            "The database has no key yet. Create the first key, with the same DATABASE_URL: \
             workmill key create --role admin",
        );
    }
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

/// The database, with a schema that this server can work on.
async fn prepare(database: &str, is_to_migrate: bool) -> Result<Store, StoreError> {
    if is_to_migrate {
        let migrated = migrate::migrate(database).await?;
        tracing::info!(version = migrated.version, "the schema is up to date");
    } else {
        migrate::check(database).await?;
    }
    Store::new(database, CONNECTIONS)
}

async fn has_keys(store: &Store) -> Result<bool, StoreError> {
    let first = store.list_keys(&KeyFilter::default(), None, 1).await?;
    Ok(!first.is_empty())
}
