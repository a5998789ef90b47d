//! The server and the duties beside it, from start to an orderly stop.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::net::{TcpListener, UnixListener};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use workmill_core::price::PriceTable;
use workmill_engine::Engine;
use workmill_engine::supervise::Supervisor;
use workmill_server::Listening;
use workmill_store::Store;

use crate::configuration::Configuration;
use crate::local_servers::Registration;

/// Requests under way get this long before they are cut off.
const GRACE: Duration = Duration::from_secs(10);

/// A connection is held for the length of a transaction, so a few serve many callers.
pub(crate) const CONNECTIONS: usize = 20;

#[derive(Debug)]
pub(crate) struct RunningServer {
    store: Arc<Store>,
    supervisor: Supervisor,
    serving: JoinHandle<std::io::Result<()>>,
    stop: CancellationToken,
    registration: Option<Registration>,
}

impl RunningServer {
    pub(crate) fn start(
        listener: TcpListener,
        mut how: Listening,
        registration: Option<(UnixListener, Registration)>,
        store: Arc<Store>,
        prices: PriceTable,
        configuration: &Configuration,
    ) -> Self {
        let mut engine = Engine::new(Arc::clone(&store)).with_prices(prices);
        if let Some(age) = configuration.event_age {
            engine = engine.keeping_events_for(age);
        }
        if let Some(age) = configuration.inbox_age {
            engine = engine.keeping_inbox_for(age);
        }
        let engine = Arc::new(engine);
        let supervisor = Supervisor::start(Arc::clone(&engine));
        let stop = CancellationToken::new();
        let (socket, registration) = registration.unzip();
        how.socket = socket.map(Arc::new);
        let serving = tokio::spawn(how.serve(listener, engine, stop.clone()));
        RunningServer {
            store,
            supervisor,
            serving,
            stop,
            registration,
        }
    }

    /// Returns when the server ends without having been told to.
    pub(crate) async fn ended(&mut self) -> anyhow::Error {
        match (&mut self.serving).await {
            Ok(Ok(())) => anyhow::anyhow!("the server ended by itself"),
            Ok(Err(error)) => anyhow::Error::new(error).context("the server cannot go on"),
            Err(error) => anyhow::Error::new(error).context("the server failed"),
        }
    }

    /// The server first, so that nobody is left without an answer; then the duties.
    pub(crate) async fn stop(mut self) -> Result<()> {
        tracing::info!("stopping the server");
        // A command that begins now is to find that there is none.
        self.registration.take();
        self.stop.cancel();
        let served = if self.serving.is_finished() {
            Ok(())
        } else {
            self.wait_for_requests().await
        };
        tracing::info!("stopping the duties");
        self.supervisor.stop().await;
        self.store.close();
        served
    }

    async fn wait_for_requests(&mut self) -> Result<()> {
        let Ok(ended) = tokio::time::timeout(GRACE, &mut self.serving).await else {
            tracing::warn!("requests that are still under way are cut off");
            self.serving.abort();
            return Ok(());
        };
        ended
            .context("the server failed")?
            .context("the server did not end well")
    }
}
