//! Execution: attempts start and show signs of life.

use std::time::Duration;

use uuid::Uuid;
use workmill_core::ids::{LeaseId, Namespace};
use workmill_core::json_text::JsonText;
use workmill_core::usage::Usage;
use workmill_store::StoreError;
use workmill_store::beside::beside;
use workmill_store::execution::{Beat, Heartbeat, Start};
use workmill_store::settlement::Refusal;
use workmill_store::settlement::resume::ResumeLease;

pub use workmill_store::execution::Alive;

use crate::engine::{Caller, Engine, Shared};
use crate::error::EngineError;
use crate::gather::Batch;
use crate::intake::limits::{MANY_BYTES, check_json_text};

/// What a sign of life may carry.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    pub progress: Option<JsonText>,
    pub checkpoint: Option<JsonText>,
    /// What was used since the claim.
    pub usage: Option<Usage>,
}

/// The most bytes of progress.
const LARGEST_PROGRESS: usize = 64 * 1024;

/// The most bytes of a checkpoint.
const LARGEST_CHECKPOINT: usize = 1024 * 1024;

impl Report {
    /// How long its texts are.
    pub fn bytes(&self) -> usize {
        let texts = [&self.progress, &self.checkpoint].into_iter().flatten();
        texts.map(|text| text.get().len()).sum()
    }

    /// Looks at all of its JSON.
    pub fn checked(self) -> Result<CheckedReport, EngineError> {
        check_json_text("progress", self.progress.as_ref(), LARGEST_PROGRESS)?;
        check_json_text("checkpoint", self.checkpoint.as_ref(), LARGEST_CHECKPOINT)?;
        Ok(CheckedReport(self))
    }
}

/// A report whose JSON can be stored.
#[derive(Debug)]
pub struct CheckedReport(Report);

impl Engine {
    pub async fn start(&self, caller: &Caller, lease: LeaseId) -> Result<Alive, EngineError> {
        let answer = self
            .starts
            .call(&self.shared, caller.ns, (caller.key, lease))
            .await?;
        match answer {
            Ok(alive) => Ok(alive),
            Err(refusal) => Err(self.lease_refused(caller, lease, refusal).await),
        }
    }

    /// Checks a report and sends it.
    pub async fn heartbeat(
        &self,
        caller: &Caller,
        lease: LeaseId,
        report: Report,
    ) -> Result<Alive, EngineError> {
        let report = beside(report.bytes() > MANY_BYTES, || report.checked())?;
        self.heartbeat_checked(caller, lease, report).await
    }

    /// Renews the lease. One that was lost to silence, while nobody has claimed the task since,
    /// is taken up again.
    pub async fn heartbeat_checked(
        &self,
        caller: &Caller,
        lease: LeaseId,
        report: CheckedReport,
    ) -> Result<Alive, EngineError> {
        let CheckedReport(Report {
            progress,
            checkpoint,
            usage,
        }) = report;
        let usage = usage.map(|usage| self.priced(usage)).transpose()?;
        let beat = Beat {
            key: caller.key,
            lease,
            progress,
            checkpoint,
            usage,
        };
        let mut answer = self.beat(caller, beat.clone()).await?;
        if answer == Err(Refusal::LeaseLost) {
            let resume = ResumeLease {
                ns: caller.ns,
                key: caller.key,
                lease,
            };
            let resumed = self.run(&resume).await?;
            if let Err(refusal) = resumed {
                return Err(self.lease_refused(caller, lease, refusal).await);
            }
            // Held again; only now can what the agent has to tell be kept.
            answer = self.beat(caller, beat).await?;
        }
        match answer {
            Ok(alive) => Ok(alive),
            Err(refusal) => Err(self.lease_refused(caller, lease, refusal).await),
        }
    }

    async fn beat(
        &self,
        caller: &Caller,
        beat: Beat,
    ) -> Result<Result<Alive, Refusal>, EngineError> {
        self.heartbeats.call(&self.shared, caller.ns, beat).await
    }
}

/// Starts of one namespace, gathered.
#[derive(Debug)]
pub(crate) struct Starts;

impl Batch for Starts {
    type Request = (Uuid, LeaseId);
    type Answer = Result<Alive, Refusal>;
    const MOST: usize = 500;

    async fn run(
        shared: &Shared,
        ns: Namespace,
        leases: &[(Uuid, LeaseId)],
    ) -> Result<Vec<Self::Answer>, StoreError> {
        shared.run(&Start { ns, leases }).await
    }
}

/// Signs of life of one namespace, gathered.
#[derive(Debug)]
pub(crate) struct Heartbeats;

impl Batch for Heartbeats {
    type Request = Beat;
    type Answer = Result<Alive, Refusal>;
    const MOST: usize = 1000;
    /// A tenth of a second more or less is nothing to an agent that beats every 30 seconds.
    const SPACING: Duration = Duration::from_millis(100);

    async fn run(
        shared: &Shared,
        ns: Namespace,
        beats: &[Beat],
    ) -> Result<Vec<Self::Answer>, StoreError> {
        shared.run(&Heartbeat { ns, beats }).await
    }
}
