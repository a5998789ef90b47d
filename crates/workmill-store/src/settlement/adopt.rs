//! Adopting: an operator makes a result that came too late the outcome of its task.

use serde_json::json;
use serde_json::value::RawValue;
use workmill_core::attempt::Outcome;
use workmill_core::audit::{Action, AuditEntry, Subject};
use workmill_core::ids::{LeaseId, Namespace, TaskId};
use workmill_core::json_text::JsonText;
use workmill_core::lifecycle::{IllegalTransition, State, Trigger};
use workmill_core::resolution::Decided;
use workmill_queries::client::Params;
use workmill_queries::queries::settlement::settle;

use super::history::{self, LateRow};
use super::ledger::Output;
use super::{Ledger, finish};
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::locked_rows::LockedRows;
use crate::look::{dollars, listed};
use crate::operation::{Operation, Work};
use crate::write_back::Resolved;

#[derive(Debug)]
pub struct Adopt<'a> {
    pub ns: Namespace,
    pub task: TaskId,
    /// The claim whose result is meant; none: the only one there is.
    pub epoch: Option<i32>,
    pub adopted_by: &'a str,
    pub note: Option<&'a str>,
}

/// Why nothing was adopted; nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdoptRefusal {
    NotFound,
    /// No result of the task, or of this claim, was stored late.
    NoLateResult,
    /// There are several: the claims they are of.
    Several(Vec<i32>),
    Illegal(IllegalTransition),
}

impl Operation for Adopt<'_> {
    type Answer = Result<State, AdoptRefusal>;
    const DOING: &'static str = "adopt a late result";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let mut held = LockedRows::lock(work, [self.task]).await?;
        let history = history::read_tasks(work, &[self.task.0]).await?;
        let Some(row) = held.tasks.get_mut(&self.task) else {
            return Ok(Err(AdoptRefusal::NotFound));
        };
        let before = row.state();
        // A task that has its outcome, or is being worked on, says so whatever came late.
        let mut next = row.clone();
        if let Err(illegal) = next.follow(Trigger::Adopt) {
            return Ok(Err(AdoptRefusal::Illegal(illegal)));
        }
        let of_task = history.late.values();
        let results = of_task.filter(|late| late.row.outcome == Outcome::Completed.name());
        let (late, output) = match self.choose(results) {
            Ok(late) => (&late.row, late.output.as_ref()),
            Err(refusal) => return Ok(Err(refusal)),
        };
        next.due = None;
        next.crashes = 0;
        *row = next;
        let (state, graph) = (row.state(), row.graph);
        let lease = LeaseId {
            task: self.task,
            epoch: late.epoch,
        };
        let output = output.map_or(RawValue::NULL, JsonText::raw).to_owned();
        self.mark(work, late.epoch).await?;
        let agent = history.of_epoch(self.task, late.epoch);
        let agent = agent.last().map(|attempt| attempt.agent.as_str());
        let data = json!({
            "agent": agent, "epoch": late.epoch, "cost_usd": dollars(late.cost_micros),
            "adopted_by": self.adopted_by,
        });
        let mut ledger = Ledger {
            outputs: vec![Output {
                lease,
                value: output,
                artifacts: listed(late.artifacts.clone()),
            }],
            events: vec![Event::of_task(
                EventType::TaskCompleted,
                graph,
                self.task,
                data,
            )],
            ..Ledger::default()
        };
        if before == State::DeadLettered {
            let resolved = Resolved {
                resolution: Decided::Adopt,
                by: self.adopted_by.to_owned(),
                note: self.note.map(str::to_owned),
            };
            ledger.remarks.resolved.insert(self.task, resolved);
        }
        let entry = AuditEntry::new(
            Action::ResultAdopted,
            Subject::Task(self.task),
            json!({"state": before}),
            json!({"state": state, "epoch": late.epoch}),
        );
        work.audit(entry.with_note(self.note));
        finish(work, held, ledger).await?;
        Ok(Ok(state))
    }
}

impl Adopt<'_> {
    fn choose<'h>(
        &self,
        results: impl Iterator<Item = &'h LateRow>,
    ) -> Result<&'h LateRow, AdoptRefusal> {
        let is_meant = |epoch: i32| self.epoch.is_none_or(|meant| meant == epoch);
        let meant: Vec<_> = results.filter(|late| is_meant(late.row.epoch)).collect();
        match &meant[..] {
            [] => Err(AdoptRefusal::NoLateResult),
            [one] => Ok(one),
            several => {
                let epochs = several.iter().map(|late| late.row.epoch);
                Err(AdoptRefusal::Several(epochs.collect()))
            }
        }
    }

    /// Remembers with the late result who adopted it.
    async fn mark(&self, work: &Work<'_>, epoch: i32) -> Result<(), StoreError> {
        let parameters = settle::AdoptLateResultParams {
            ns: work.ns,
            task: self.task.0,
            epoch,
            adopted_by: self.adopted_by,
            now: work.now().await?,
        };
        settle::adopt_late_result()
            .params(work.transaction, &parameters)
            .await?;
        Ok(())
    }
}
