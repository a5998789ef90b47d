//! Requirements, shown over HTTP by tests that name them.

mod agent_keys;
mod claiming;
mod graphs;
mod leases;
mod results;
mod submitting;

use anyhow::Result;
use jiff::SignedDuration;
use serde_json::Value;
use workmill_core::task::NewTask;
use workmill_engine::upkeep::{due_promoter, lease_reaper};
use workmill_protocol::leases::{CompleteTask, SpawnTasks, Usage};
use workmill_testkit::factory::task;

use crate::actors::Server;

/// Completed with this output, for nothing.
fn done(output: &Value) -> CompleteTask {
    CompleteTask {
        output: serde_json::value::to_raw_value(output).expect("JSON"),
        artifacts: Vec::new(),
        usage: Usage::default(),
        claim: None,
    }
}

fn named(name: &str, depends_on: &[&str]) -> NewTask {
    NewTask {
        name: Some(name.to_owned()),
        depends_on: depends_on.iter().map(ToString::to_string).collect(),
        ..task(name)
    }
}

fn spawning(child: NewTask, wait: bool) -> SpawnTasks {
    SpawnTasks {
        tasks: vec![child],
        wait,
    }
}

impl Server {
    /// Lets time pass; answers how many leases the reaper then finds lost.
    pub async fn reap_after(&self, seconds: i64) -> Result<usize> {
        self.test.clock.advance(SignedDuration::from_secs(seconds));
        let now = self.test.clock.now();
        Ok(lease_reaper::run_once(&self.engine, now).await?.reaped)
    }

    /// Lets the longest delay of a retry pass.
    async fn let_retries_come_due(&self) -> Result<()> {
        self.test.clock.advance(SignedDuration::from_hours(1));
        due_promoter::run_once(&self.engine, self.test.clock.now()).await?;
        Ok(())
    }
}
