//! Editing a task that does not run: a new version of what was asked for. A dead letter can be
//! sent round again with it.

use postgres_types::Json;
use serde_json::json;
use workmill_core::attempt::Outcome;
use workmill_core::ids::{Namespace, TaskId};
use workmill_core::lane::Lane;
use workmill_core::lifecycle::State;
use workmill_core::task::NewTask;
use workmill_queries::client::Params;
use workmill_queries::queries::intake::submit as statements;
use workmill_queries::queries::task::held::{find_attempts, find_specs};

use super::arrival::{TaskDraft, write_deadlines};
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::held::Held;
use crate::operation::{Operation, Work};
use crate::settlement::{Ledger, finish, revive};
use crate::write_back::delete_deadlines;

#[derive(Debug)]
pub struct EditTask<'a> {
    pub ns: Namespace,
    pub task: TaskId,
    /// The version that the changes were made to.
    pub version: i32,
    pub draft: &'a TaskDraft,
    pub edited_by: &'a str,
    /// Send a dead letter round again.
    pub revive: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditRefusal {
    NoSuchTask,
    /// Somebody else has edited it in the meantime.
    OtherVersion {
        version: i32,
    },
    /// It runs or has ended.
    TooLate(State),
}

impl Operation for EditTask<'_> {
    /// The new version, and the state it is in now.
    type Answer = Result<(i32, State), EditRefusal>;
    const DOING: &'static str = "edit a task";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let mut held = Held::lock(work, [self.task]).await?;
        let now = work.now().await?;
        let Some(row) = held.tasks.get_mut(&self.task) else {
            return Ok(Err(EditRefusal::NoSuchTask));
        };
        if row.spec_version != self.version {
            return Ok(Err(EditRefusal::OtherVersion {
                version: row.spec_version,
            }));
        }
        if row.state.is_leased() || row.state.is_finished() {
            return Ok(Err(EditRefusal::TooLate(row.state)));
        }
        let submitted_at = self.write_version(work).await?;
        let critical_path = u8::try_from(row.critical_path).unwrap_or(0);
        let urgency = self.draft.urgency(submitted_at, critical_path);
        let lane = self.lane_after_failures(work, row.epoch).await?;
        row.spec_version += 1;
        row.lane = lane.id();
        row.rank = urgency.rank(now);
        row.has_deadline = self.draft.deadline.is_some();
        let mut ledger = Ledger::default();
        ledger.remarks.lanes.insert(row.lane, lane);
        let data = json!({"by": self.edited_by, "version": row.spec_version});
        ledger.events.push(Event::of_task(
            EventType::TaskEdited,
            row.graph,
            self.task,
            data,
        ));
        delete_deadlines(work, &[self.task.0]).await?;
        write_deadlines(work, &[(self.task, urgency)]).await?;
        if self.revive && row.state == State::DeadLettered {
            // The state was looked at just above.
            let _ = revive(&mut held, &mut ledger, self.task, now, self.edited_by);
        }
        let row = &held.tasks[&self.task];
        let answer = (row.spec_version, row.state);
        finish(work, held, ledger).await?;
        Ok(Ok(answer))
    }
}

impl EditTask<'_> {
    /// What has failed before keeps to its fallback models; whoever sends a dead letter round
    /// again begins anew.
    async fn lane_after_failures(&self, work: &Work<'_>, epoch: i32) -> Result<Lane, StoreError> {
        let mut failures = 0;
        if epoch > 1 && !self.revive {
            let ids = [self.task.0];
            let attempts = find_attempts()
                .bind(&work.transaction, &work.ns, &&ids[..])
                .all()
                .await;
            let attempts = attempts.map_err(|error| work.failed(error))?;
            let failed = |outcome: &str| outcome == Outcome::Failed.name();
            let failed = attempts.iter().filter(|attempt| failed(&attempt.outcome));
            failures = i32::try_from(failed.count()).unwrap_or(i32::MAX);
        }
        let asked: NewTask = serde_json::from_str(self.draft.body.get())
            .map_err(|error| StoreError::Corrupt(format!("{}: {error}", self.task)))?;
        let fallback = asked.fallback_lane(self.draft.policy.boost, failures);
        Ok(fallback.unwrap_or_else(|| self.draft.lane.clone()))
    }

    /// Answers when the task was submitted: it goes on ageing from there.
    async fn write_version(&self, work: &mut Work<'_>) -> Result<jiff::Timestamp, StoreError> {
        let ids = [self.task.0];
        let spec = find_specs()
            .bind(&work.transaction, &work.ns, &&ids[..])
            .one()
            .await;
        let spec = spec.map_err(|error| work.failed(error))?;
        let parameters = statements::InsertSpecVersionParams {
            ns: work.ns,
            task: self.task.0,
            version: self.version,
            body: Json(&self.draft.body),
            policy: Json(&self.draft.policy),
        };
        let inserted = statements::insert_spec_version()
            .params(&work.transaction, &parameters)
            .await;
        inserted.map_err(|error| work.failed(error))?;
        Ok(spec.submitted_at)
    }
}
