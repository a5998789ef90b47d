//! A server with its keys, and clients that hold them.

use std::sync::Arc;

use anyhow::Result;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use workmill_core::ids::Namespace;
use workmill_engine::Engine;
use workmill_protocol::agents::RegisterAgent;
use workmill_protocol::claims::ClaimTasks;
use workmill_protocol::role::Role;
use workmill_sdk::{Client, ClientError};
use workmill_server::{Listening, keys};
use workmill_store::access::{CreateKey, EnsureNamespace};
use workmill_testkit::database::TestStore;

pub struct Server {
    pub url: String,
    pub test: TestStore,
    pub engine: Arc<Engine>,
    stop: CancellationToken,
    running: JoinHandle<std::io::Result<()>>,
}

impl Server {
    pub async fn start() -> Result<Self> {
        Self::start_listening(Listening::default()).await
    }

    pub async fn start_listening(listening: Listening) -> Result<Self> {
        let test = TestStore::new().await?;
        let engine = Engine::new(Arc::clone(&test.store));
        Server::run(test, engine, listening).await
    }

    pub async fn start_with(test: TestStore, engine: Engine) -> Result<Self> {
        Server::run(test, engine, Listening::default()).await
    }

    async fn run(test: TestStore, engine: Engine, listening: Listening) -> Result<Self> {
        let engine = Arc::new(engine);
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        // Making a client installs the TLS provider that plain requests need too.
        Client::new(&url, "")?;
        let stop = CancellationToken::new();
        let serving = listening.serve(listener, Arc::clone(&engine), stop.clone());
        let running = tokio::spawn(serving);
        Ok(Server {
            url,
            test,
            engine,
            stop,
            running,
        })
    }

    /// Stops as a signal would, and waits for the end.
    pub async fn stop(self) -> Result<()> {
        self.stop.cancel();
        Ok(self.running.await??)
    }

    /// What is submitted from now on is younger than what is there.
    pub fn pass_a_second(&self) {
        self.test.clock.advance(jiff::SignedDuration::from_secs(1));
    }

    pub async fn token(&self, ns: Namespace, role: Role) -> Result<String> {
        let token = keys::mint();
        let hash = keys::hash(&token);
        let key = CreateKey {
            ns,
            name: role.name(),
            role: role.name(),
            hash: &hash,
        };
        self.test.store.run(&key).await?;
        Ok(token)
    }

    pub async fn client(&self, role: Role) -> Result<Client> {
        let token = self.token(self.test.ns, role).await?;
        Ok(Client::new(&self.url, &token)?)
    }

    pub async fn foreign_client(&self, role: Role) -> Result<Client> {
        let (ns, _) = self
            .test
            .store
            .run(&EnsureNamespace { name: "foreign" })
            .await?;
        Ok(Client::new(&self.url, &self.token(ns, role).await?)?)
    }
}

pub fn agent(id: &str) -> RegisterAgent {
    RegisterAgent {
        agent_type: "coder".to_owned(),
        max_concurrent_tasks: 4,
        ..RegisterAgent::new(id)
    }
}

pub fn claim(agent: &str, wait_ms: u64) -> ClaimTasks {
    ClaimTasks {
        agent: agent.to_owned(),
        max: 1,
        wait_ms,
        start: true,
        request_id: None,
        task_types: Vec::new(),
        profile: None,
        lease_sec: None,
    }
}

/// The status of a call that is refused.
pub fn status<T: std::fmt::Debug>(answer: Result<T, ClientError>) -> u16 {
    match answer {
        Err(ClientError::Refused(problem)) => problem.status,
        other => panic!("not refused: {other:?}"),
    }
}
