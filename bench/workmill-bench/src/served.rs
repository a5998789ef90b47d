//! A server on the scene's database, as `workmill serve` runs it, and a client of it.
//!
//! It has threads of its own, as a program of its own has: those of the client do not wait for it.

use std::net::TcpListener;
use std::sync::Arc;
use std::thread::JoinHandle;

use anyhow::{Result, anyhow};
use tokio_util::sync::CancellationToken;
use workmill_engine::Engine;
use workmill_engine::supervise::Supervisor;
use workmill_sdk::Client;
use workmill_server::Listening;
use workmill_store::Store;

use crate::scene::{CONNECTIONS, Scene};

pub struct Served {
    pub client: Client,
    stop: CancellationToken,
    serving: JoinHandle<Result<()>>,
}

impl Served {
    pub fn start(scene: &Scene) -> Result<Served> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        listener.set_nonblocking(true)?;
        let url = format!("http://{}", listener.local_addr()?);
        let stop = CancellationToken::new();
        let serving = std::thread::spawn({
            let (database, stop) = (scene.url.clone(), stop.clone());
            move || {
                let runtime = tokio::runtime::Builder::new_multi_thread()
                    .worker_threads(1)
                    .enable_all()
                    .build()?;
                runtime.block_on(serve(&database, listener, stop))
            }
        });
        Ok(Served {
            client: Client::new(&url, &scene.token)?,
            stop,
            serving,
        })
    }

    pub fn stop(self) -> Result<()> {
        self.stop.cancel();
        let ended = self.serving.join();
        ended.map_err(|_| anyhow!("the server panicked"))?
    }
}

async fn serve(database: &str, listener: TcpListener, stop: CancellationToken) -> Result<()> {
    let engine = Arc::new(Engine::new(Arc::new(Store::new(database, CONNECTIONS)?)));
    let duties = Supervisor::start(Arc::clone(&engine));
    let listener = tokio::net::TcpListener::from_std(listener)?;
    Listening::default()
        .serve(listener, Arc::clone(&engine), stop)
        .await?;
    duties.stop().await;
    engine.store().close();
    Ok(())
}
