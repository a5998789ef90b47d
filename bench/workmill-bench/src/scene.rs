//! A fresh database with a store, an engine, its duties and a namespace.

use std::fmt::Write;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use futures_util::future::try_join_all;
use serde_json::value::RawValue;
use workmill_core::task::NewTask;
use workmill_core::usage::Usage;
use workmill_engine::dispatch::{AgentDescription, ClaimRequest, Claimed};
use workmill_engine::settlement::Ending;
use workmill_engine::supervise::Supervisor;
use workmill_engine::{Caller, Engine};
use workmill_server::keys;
use workmill_store::Store;
use workmill_store::access::{CreateKey, EnsureNamespace};

use crate::server::{Server, connect};

/// As many as a server takes by default.
pub const CONNECTIONS: usize = 16;

pub struct Scene {
    pub name: String,
    pub url: String,
    pub tenant: Tenant,
    /// The key of the tenant's caller.
    pub token: String,
    duties: Option<Supervisor>,
}

/// A namespace, as an engine serves it to one caller.
#[derive(Clone)]
pub struct Tenant {
    pub engine: Arc<Engine>,
    pub caller: Caller,
}

impl Deref for Scene {
    type Target = Tenant;

    fn deref(&self) -> &Tenant {
        &self.tenant
    }
}

impl Scene {
    pub async fn new(server: &Server) -> Result<Scene> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("wm_bench_{}_{count}", std::process::id());
        let url = server.fresh_database(&name).await?;
        workmill_store::migrate::migrate(&url).await?;
        let engine = Arc::new(Engine::new(Arc::new(Store::new(&url, CONNECTIONS)?)));
        let duties = Some(Supervisor::start(engine.clone()));
        let (tenant, token) = Tenant::new(engine, "bench").await?;
        Ok(Scene {
            name,
            url,
            tenant,
            token,
            duties,
        })
    }

    /// Ends a scene that no task uses any more.
    pub async fn end_shared(scene: Arc<Scene>, server: &Server) -> Result<()> {
        let scene = Arc::into_inner(scene).context("a task still uses the database")?;
        scene.end(server).await
    }

    pub async fn end(mut self, server: &Server) -> Result<()> {
        self.engine.stop_waiting();
        if let Some(duties) = self.duties.take() {
            duties.stop().await;
        }
        self.engine.store().close();
        server.drop_database(&self.name).await
    }

    pub async fn client(&self) -> Result<tokio_postgres::Client> {
        connect(&self.url).await
    }

    /// As for the peers: statistics are fresh when the clock starts.
    pub async fn vacuum(&self) -> Result<()> {
        self.client().await?.batch_execute("vacuum analyze").await?;
        Ok(())
    }
}

impl Tenant {
    /// Creates a namespace with a key, and returns the key, too.
    pub async fn new(engine: Arc<Engine>, name: &str) -> Result<(Tenant, String)> {
        let store = engine.store();
        let (ns, _) = store.run(&EnsureNamespace { name }).await?;
        let token = keys::mint();
        let key = CreateKey {
            ns,
            name: "bench",
            role: "admin",
            hash: &keys::hash(&token),
        };
        let (key, _) = store.run(&key).await?;
        let caller = Caller {
            ns,
            key,
            name: "bench".to_owned(),
            authority: workmill_core::authority::Authority::Orchestrator,
        };
        Ok((Tenant { engine, caller }, token))
    }

    pub async fn agent(&self, name: &str, slots: i32, capabilities: &[&str]) -> Result<String> {
        let agent = AgentDescription {
            agent_type: "bench".to_owned(),
            capabilities: capabilities.iter().map(|&one| one.to_owned()).collect(),
            slots,
            ..AgentDescription::new(name)
        };
        self.engine.register_agent(&self.caller, &agent).await?;
        Ok(agent.agent)
    }

    /// Answers how many were accepted.
    pub async fn submit(&self, tasks: &[NewTask]) -> Result<usize> {
        let submitted = self.engine.submit_tasks(&self.caller, tasks, None).await?;
        Ok(submitted.tasks.len())
    }

    /// Submits many, 1,000 a call, two calls at a time.
    pub async fn fill(&self, count: usize, task: &NewTask) -> Result<()> {
        let left = AtomicUsize::new(count);
        let one = async || -> Result<()> {
            loop {
                let taken = left
                    .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                        (left > 0).then(|| left.saturating_sub(1000))
                    })
                    .unwrap_or(0);
                if taken == 0 {
                    return Ok(());
                }
                self.submit(&vec![task.clone(); taken.min(1000)]).await?;
            }
        };
        try_join_all([one(), one()]).await?;
        Ok(())
    }

    pub async fn claim(&self, agent: &str, most: i32, wait: Duration) -> Result<Vec<Claimed>> {
        let request = ClaimRequest {
            agent: agent.to_owned(),
            most,
            start: true,
            wait,
            request_id: None,
            selection: workmill_core::lane::Selection::default(),
            lease: None,
        };
        Ok(self.engine.claim(&self.caller, &request).await?)
    }

    pub async fn complete(&self, claimed: &Claimed) -> Result<()> {
        self.engine
            .settle(&self.caller, claimed.lease, done(), Usage::default())
            .await?;
        Ok(())
    }

    pub async fn complete_all(&self, claimed: &[Claimed]) -> Result<()> {
        try_join_all(claimed.iter().map(|claimed| self.complete(claimed))).await?;
        Ok(())
    }
}

pub fn done() -> Ending {
    Ending::Complete {
        output: result(),
        artifacts: Vec::new(),
    }
}

pub fn result() -> Box<RawValue> {
    RawValue::from_string("{\"ok\":true}".to_owned()).expect("valid JSON")
}

/// A task whose stored description has about 1.5 KB.
pub fn wide_task() -> NewTask {
    let mut task = tiny_task();
    task.spec.prompt = text(1300);
    task
}

/// The payload of a peer's job, which takes about as much room as the description of a wide task.
pub fn payload() -> String {
    text(1400)
}

/// Returns text of about this length that does not compress to nothing.
fn text(length: usize) -> String {
    let words = [
        "review", "the", "parser", "module", "and", "write", "tests", "for", "each", "branch",
        "that", "lacks", "one", "then", "report",
    ];
    let mut text = String::new();
    for n in 0usize.. {
        text.push_str(words[n * 7 % words.len()]);
        let _ = write!(text, " {} ", n * 7919 % 1013);
        if text.len() > length {
            break;
        }
    }
    text
}

pub fn tiny_task() -> NewTask {
    NewTask {
        title: "bench".to_owned(),
        task_type: "code".to_owned(),
        ..NewTask::default()
    }
}

#[cfg(test)]
mod tests {
    use super::{payload, wide_task};

    #[test]
    fn a_peers_payload_is_as_long_as_the_row_of_the_raw_insert() {
        let row = serde_json::to_string(&wide_task()).unwrap().len();
        assert!(
            payload().len().abs_diff(row) < 50,
            "{} {row}",
            payload().len()
        );
    }
}
