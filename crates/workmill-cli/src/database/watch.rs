//! Starts the private server again when it dies under us.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::Database;

const LOOK_EVERY: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(crate) struct Watch {
    stop: CancellationToken,
    watching: JoinHandle<()>,
}

impl Watch {
    pub(crate) fn start(database: Arc<Database>) -> Self {
        let stop = CancellationToken::new();
        let watching = tokio::spawn(watch(database, stop.clone()));
        Watch { stop, watching }
    }

    /// Waits for a restart that is under way.
    pub(crate) async fn stop(self) {
        self.stop.cancel();
        if let Err(error) = self.watching.await {
            tracing::error!(%error, "watching the database failed");
        }
    }
}

async fn watch(database: Arc<Database>, stop: CancellationToken) {
    if database.cluster().is_none() {
        return;
    }
    let mut looks = tokio::time::interval(LOOK_EVERY);
    looks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    while stop.run_until_cancelled(looks.tick()).await.is_some() {
        let looked_at = Arc::clone(&database);
        let look = move || {
            looked_at
                .cluster()
                .map(workmill_local_postgres::Cluster::restart_if_dead)
        };
        match tokio::task::spawn_blocking(look).await {
            Ok(Some(Ok(true))) => tracing::warn!("PostgreSQL had died and runs again"),
            Ok(Some(Err(error))) => {
                tracing::error!(%error, "PostgreSQL has died and does not start again yet");
            }
            Ok(Some(Ok(false)) | None) => {}
            Err(error) => tracing::error!(%error, "the check of PostgreSQL failed"),
        }
    }
}
