//! Hints between servers: PostgreSQL's NOTIFY and LISTEN.
//!
//! Everything works without them, slower: who waits for work also looks by itself now and then.

use futures_util::{StreamExt, stream};
use tokio::sync::mpsc;
use tokio_postgres::{AsyncMessage, Client, NoTls};

use crate::connect::Store;
use crate::error::StoreError;

const CHANNEL: &str = "workmill";

/// A connection of its own that hears what other servers say.
#[derive(Debug)]
pub struct Listener {
    heard: mpsc::UnboundedReceiver<String>,
    /// Closing it ends the connection.
    _client: Client,
}

impl Listener {
    /// The next hint; `None` when the connection is gone.
    pub async fn next(&mut self) -> Option<String> {
        self.heard.recv().await
    }
}

impl Store {
    pub async fn listen(&self) -> Result<Listener, StoreError> {
        const DOING: &str = "listen to other servers";
        let (client, mut connection) =
            self.settings
                .connect(NoTls)
                .await
                .map_err(|source| StoreError::Unavailable {
                    doing: DOING,
                    source: Box::new(source),
                })?;
        let (tell, heard) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let mut messages = stream::poll_fn(|context| connection.poll_message(context));
            while let Some(Ok(message)) = messages.next().await {
                if let AsyncMessage::Notification(hint) = message
                    && tell.send(hint.payload().to_owned()).is_err()
                {
                    return;
                }
            }
        });
        client
            .batch_execute(&format!("listen {CHANNEL}"))
            .await
            .map_err(|error| StoreError::from_statement(DOING, error))?;
        Ok(Listener {
            heard,
            _client: client,
        })
    }

    /// Tells the other servers. A statement of its own, after the commit it speaks of.
    pub async fn notify(&self, hint: &str) -> Result<(), StoreError> {
        const DOING: &str = "tell other servers";
        let client = self.client(DOING).await?;
        let statement = client
            .prepare_cached("select pg_notify($1, $2)")
            .await
            .map_err(|error| StoreError::from_statement(DOING, error))?;
        client
            .execute(&statement, &[&CHANNEL, &hint])
            .await
            .map_err(|error| StoreError::from_statement(DOING, error))?;
        Ok(())
    }
}
