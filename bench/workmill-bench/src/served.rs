//! The scene's engine behind a real HTTP server, and a client of it.

use std::sync::Arc;

use anyhow::Result;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use workmill_sdk::Client;
use workmill_server::Listening;

use crate::scene::Scene;

pub struct Served {
    pub client: Client,
    stop: CancellationToken,
    serving: JoinHandle<std::io::Result<()>>,
}

impl Served {
    pub async fn start(scene: &Scene) -> Result<Served> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let stop = CancellationToken::new();
        let engine = Arc::clone(&scene.engine);
        let serving = tokio::spawn(Listening::default().serve(listener, engine, stop.clone()));
        Ok(Served {
            client: Client::new(&url, &scene.token)?,
            stop,
            serving,
        })
    }

    pub async fn stop(self) -> Result<()> {
        self.stop.cancel();
        Ok(self.serving.await??)
    }
}
