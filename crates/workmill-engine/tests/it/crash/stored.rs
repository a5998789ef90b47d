//! What the database holds in the end.

use std::collections::BTreeMap;

use anyhow::Result;
use jiff::Timestamp;
use serde_json::Value;
use tokio_postgres::Client;
use uuid::Uuid;
use workmill_core::ids::{LeaseId, Namespace, TaskId};
use workmill_store::Store;
use workmill_testkit::history::Rows;

#[derive(Debug, Clone)]
pub struct Stored {
    pub rows: Rows,
    pub epochs: BTreeMap<TaskId, i32>,
    pub outputs: BTreeMap<TaskId, Value>,
    /// A lease that was lost and taken up again has several.
    pub attempts: BTreeMap<LeaseId, Vec<Attempt>>,
    pub checkpoints: BTreeMap<TaskId, (LeaseId, Value)>,
    pub slots: BTreeMap<String, i32>,
    /// In the order that readers see.
    pub events: Vec<Fact>,
}

#[derive(Debug, Clone)]
pub struct Attempt {
    pub outcome: String,
    pub message: Option<String>,
    pub ended_at: Timestamp,
}

/// Something that happened.
#[derive(Debug, Clone)]
pub struct Fact {
    pub at: Timestamp,
    pub fact: Value,
}

impl Fact {
    pub fn is(&self, event_type: &str) -> bool {
        self.fact["type"] == event_type
    }

    pub fn task(&self) -> Option<TaskId> {
        self.fact["task_id"].as_str()?.parse().ok()
    }

    pub fn lease(&self) -> Option<LeaseId> {
        let epoch = i32::try_from(self.fact["epoch"].as_i64()?).ok()?;
        let task = self.task()?;
        Some(LeaseId { task, epoch })
    }

    pub fn agent(&self) -> &str {
        self.fact["agent"].as_str().unwrap_or_default()
    }
}

impl Stored {
    pub async fn read(client: &Client, store: &Store, ns: Namespace) -> Result<Stored> {
        let mut attempts: BTreeMap<LeaseId, Vec<Attempt>> = BTreeMap::new();
        let ended = "select task, epoch, outcome, message, ended_at from workmill.attempt
                     where ns = $1 order by task, epoch, resumed";
        for row in client.query(ended, &[&ns.0]).await? {
            let attempt = Attempt {
                outcome: row.get(2),
                message: row.get(3),
                ended_at: row.get(4),
            };
            let lease = lease(row.get(0), row.get(1));
            attempts.entry(lease).or_default().push(attempt);
        }
        let epochs = "select task, epoch from workmill.state where ns = $1";
        let outputs = "select task, output from workmill.result where ns = $1";
        let checkpoints = "select task, epoch, data from workmill.checkpoint where ns = $1";
        let slots = "select agent, slots from workmill.agent where ns = $1";
        let query = async |statement| client.query(statement, &[&ns.0]).await;
        let batches = store.read_events(ns, 0, i64::MAX).await?;
        Ok(Stored {
            rows: Rows::read(client, ns.0).await?,
            epochs: query(epochs)
                .await?
                .iter()
                .map(|row| (TaskId(row.get(0)), row.get(1)))
                .collect(),
            outputs: query(outputs)
                .await?
                .iter()
                .map(|row| (TaskId(row.get(0)), row.get(1)))
                .collect(),
            attempts,
            checkpoints: query(checkpoints)
                .await?
                .iter()
                .map(|row| {
                    let lease = lease(row.get(0), row.get(1));
                    (lease.task, (lease, row.get(2)))
                })
                .collect(),
            slots: query(slots)
                .await?
                .iter()
                .map(|row| (row.get(0), row.get(1)))
                .collect(),
            events: batches
                .into_iter()
                .flat_map(|batch| {
                    let at = batch.at;
                    let facts = batch.facts.into_iter();
                    facts.map(move |fact| Fact { at, fact })
                })
                .collect(),
        })
    }
}

fn lease(task: Uuid, epoch: i32) -> LeaseId {
    LeaseId {
        task: TaskId(task),
        epoch,
    }
}
