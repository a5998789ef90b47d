//! `workmill up`: everything on one machine.
//!
//! The address is taken first, then the database started, its schema brought up to date, and the
//! server run until it is told to stop. Whatever happens, what was started is stopped in the
//! opposite order.

mod announcement;
mod demo_run;

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use tokio_util::sync::CancellationToken;
use workmill_core::ids::Namespace;
use workmill_core::price::PriceTable;
use workmill_sdk::Client;
use workmill_store::access::EnsureNamespace;
use workmill_store::{Store, StoreError, migrate};

use crate::arguments::UpArguments;
use crate::context::CommandContext;
use crate::database::{Database, DatabaseChoice, Watch, explain};
use crate::exit::Exit;
use crate::listening::{self, Listening};
use crate::running_server::{CONNECTIONS, RunningServer};
use crate::{key_file, local_servers, prices, stop_signal};

use announcement::Announcement;

/// Where `workmill up` works, and whoever names no other.
pub(super) const NAMESPACE: &str = "default";

pub(crate) async fn run(context: &CommandContext, arguments: &UpArguments) -> Result<Exit> {
    if arguments.demo && context.output.json {
        return Err(Exit::Usage.because("the demo draws for people: leave out --json or --demo"));
    }
    let stop = stop_signal::listen()?;
    let prices = prices::read(context, &arguments.prices)?;
    let choice = choose(context, arguments);
    let listening = match listening::bind(&arguments.listen, arguments.demo, context.output).await {
        // Whoever has the folder is also who has the port, and the better thing to name.
        Err(error) => return Err(choice.held_by_another().map_or(error, Into::into)),
        Ok(listening) => listening,
    };
    let what = format!("workmill up on {}", listening.url);
    let database = match Database::open(choice, what).await {
        // Ctrl-C reaches the programs that set the database up, too.
        Err(_) if stop.is_cancelled() => return Ok(Exit::Interrupted),
        opened => opened?,
    };
    let watch = Watch::start(Arc::clone(&database));
    let ran = Box::pin(run_on(
        context, arguments, &database, listening, prices, &stop,
    ))
    .await;
    watch.stop().await;
    let closed = database.close().await;
    let exit = ran?;
    closed?;
    tracing::info!("stopped");
    Ok(exit)
}

/// A flag says more than the environment does.
fn choose(context: &CommandContext, arguments: &UpArguments) -> DatabaseChoice {
    let named = context.configuration.database_url.clone();
    if arguments.ephemeral {
        if named.is_some() {
            context.output.note(
                "--ephemeral uses a temporary database and not the one that DATABASE_URL names.",
            );
        }
        return DatabaseChoice::Temporary;
    }
    let folder = context.configuration.data_folder(arguments.data.as_deref());
    match named {
        Some(url) => DatabaseChoice::External { url, folder },
        None => DatabaseChoice::Private { folder },
    }
}

async fn run_on(
    context: &CommandContext,
    arguments: &UpArguments,
    database: &Database,
    Listening { listener, url }: Listening,
    prices: PriceTable,
    stop: &CancellationToken,
) -> Result<Exit> {
    let Some(prepared) = stop.run_until_cancelled(prepare(database)).await else {
        return Ok(Exit::Done);
    };
    let (store, token) = prepared?;
    let how = arguments.listen.how();
    let registration = local_servers::register(
        &url,
        database.lasting_folder(),
        Some(database.key_file(key_file::ADMIN)),
    );
    let configuration = &context.configuration;
    let mut server =
        RunningServer::start(listener, how, registration, store, prices, configuration);
    let announced = Announcement::of(database, &url).print(context.output);
    // The demo waits for a server that is away by itself, and shows it.
    let client = Client::new(&url, &token).map(|client| client.with_patience(Duration::ZERO));
    let outcome = match (announced, client) {
        (Ok(()), Ok(client)) => tokio::select! {
            () = stop.cancelled() => Ok(Exit::Done),
            error = server.ended() => Err(error),
            outcome = demo_run::run(context, arguments, &client) => outcome,
        },
        (Err(error), _) => Err(error),
        (_, Err(error)) => Err(error.into()),
    };
    let stopped = server.stop().await;
    let exit = outcome?;
    stopped?;
    Ok(exit)
}

/// Schema, namespace and key: made if they are not there.
async fn prepare(database: &Database) -> Result<(Arc<Store>, String)> {
    let url = database.url();
    let explained = |error: StoreError| explain(error, &url);
    let migrated = migrate::migrate(&url).await.map_err(explained)?;
    if !migrated.applied.is_empty() {
        tracing::info!(version = migrated.version, "the schema is up to date");
    }
    let store = Arc::new(Store::new(&url, CONNECTIONS).map_err(explained)?);
    let (ns, _): (Namespace, _) = store
        .run(&EnsureNamespace { name: NAMESPACE })
        .await
        .map_err(explained)?;
    let path = database.key_file(key_file::ADMIN);
    let token = key_file::ensure(&store, ns, &path, key_file::ADMIN).await?;
    Ok((store, token))
}
