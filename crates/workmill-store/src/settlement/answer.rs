//! Answering a blocked task: it is ready again, and its next attempt gets the answer. And the
//! end of waiting: a blocked task whose time is up has failed an attempt.

use std::collections::BTreeMap;

use postgres_types::Json;
use serde_json::{Value, json};
use uuid::Uuid;
use workmill_core::attempt::Outcome;
use workmill_core::audit::{Action, Subject};
use workmill_core::failure::Reason;
use workmill_core::ids::{LeaseId, Namespace, TaskId};
use workmill_core::lifecycle::{State, Trigger};
use workmill_core::usage::Usage;
use workmill_queries::client::Params;
use workmill_queries::queries::settlement::settle;
use workmill_queries::queries::task::locked_rows::FindAttempts;
use workmill_queries::queries::upkeep::due;

use super::failing::{FailureOf, apply_failure, tell_of_failure};
use super::history;
use super::ledger::{Ended, Failed};
use super::{Ledger, Refusal, Spent, finish};
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::locked_rows::{LeaseRow, LockedRows};
use crate::operation::{Operation, Work};

#[derive(Debug)]
pub struct Answer {
    pub ns: Namespace,
    pub task: TaskId,
    pub answered_by: String,
    pub input: Value,
}

impl Operation for Answer {
    type Answer = Result<State, Refusal>;
    const DOING: &'static str = "answer a blocked task";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let mut held = LockedRows::lock(work, [self.task]).await?;
        let now = work.now().await?;
        let Some(row) = held.tasks.get_mut(&self.task) else {
            return Ok(Err(Refusal::NotFound));
        };
        if let Err(illegal) = row.follow(Trigger::Answer) {
            return Ok(Err(Refusal::Illegal(illegal)));
        }
        row.due = None;
        let (state, graph) = (row.state(), row.graph);
        let parameters = settle::InsertAnswerParams {
            ns: work.ns,
            task: self.task.0,
            now,
            answered_by: self.answered_by.as_str(),
            input: Json(&self.input),
        };
        settle::insert_answer()
            .params(work.transaction, &parameters)
            .await?;
        let data = json!({"by": self.answered_by});
        let ledger = Ledger {
            events: vec![Event::of_task(
                EventType::TaskAnswered,
                graph,
                self.task,
                data,
            )],
            ..Ledger::default()
        };
        work.audit_tasks(&held, &[self.task], None, |task| {
            let subject = Subject::Task(task);
            (Action::TaskAnswered, subject, Value::Null, Value::Null)
        });
        finish(work, held, ledger).await?;
        Ok(Ok(state))
    }
}

/// Fails the attempts of blocked tasks whose time is up.
#[derive(Debug)]
pub struct ExpireBlocks {
    pub ns: Namespace,
    pub tasks: Vec<TaskId>,
    pub random: f64,
}

impl Operation for ExpireBlocks {
    /// How many were failed.
    type Answer = usize;
    const DOING: &'static str = "end blocked tasks whose time is up";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<usize, StoreError> {
        let mut held = LockedRows::lock(work, self.tasks.iter().copied()).await?;
        let now = work.now().await?;
        let ids: Vec<Uuid> = self.tasks.iter().map(|task| task.0).collect();
        let past = history::read_tasks(work, &ids).await?;
        let parameters = due::FindExpiredBlocksAmongParams {
            ns: work.ns,
            tasks: ids.as_slice(),
            now,
        };
        let expired = due::find_expired_blocks_among()
            .params(work.transaction, &parameters)
            .all()
            .await?;
        let mut expired: BTreeMap<Uuid, _> =
            expired.into_iter().map(|row| (row.task, row)).collect();
        let mut ledger = Ledger::default();
        let mut failed = 0;
        for task in &self.tasks {
            let row = held.tasks.get_mut(task);
            let row = row.filter(|row| row.state() == State::Blocked);
            let Some((row, block)) = row.zip(expired.remove(&task.0)) else {
                continue;
            };
            let Some(last) = past.attempts.get(task).and_then(|attempts| attempts.last()) else {
                continue;
            };
            // The question is not in the message: equal failures have equal messages.
            let failure = Failed {
                details: block
                    .question
                    .map(|question| json!({"waits_for": block.waits_for, "question": question})),
                ..Failed::new(Reason::Timeout, "no answer came in time")
            };
            let of = FailureOf {
                lease_agent: &last.agent,
                failed: &failure,
                cost_micros: 0,
                retry_after_ms: None,
                random: self.random,
                now,
                is_draining: false,
            };
            row.attempts += 1;
            let Ok(retry_in_ms) = apply_failure(row, &of, &past, &mut ledger)? else {
                continue;
            };
            failed += 1;
            let (agent, epoch) = (last.agent.as_str(), last.epoch);
            tell_of_failure(&mut ledger, row, agent, epoch, &failure, retry_in_ms);
            let lease = LeaseId {
                task: *task,
                epoch: last.epoch,
            };
            ledger.ended.push(ended(lease, last, failure));
        }
        finish(work, held, ledger).await?;
        Ok(failed)
    }
}

/// The time of waiting, as an attempt that failed.
fn ended(lease: LeaseId, last: &FindAttempts, failed: Failed) -> Ended {
    let since = last.ended_at;
    Ended {
        lease: LeaseRow {
            lease,
            resumed: last.resumed + 1,
            agent: last.agent.clone(),
            key: Uuid::nil(),
            claimed_at: since,
            started_at: Some(since),
            renewed_at: since,
            ttl_ms: 0,
            lease_ms: 0,
            max_duration_ms: None,
            stop_at: None,
            stop: None,
            has_holds: false,
            cost_micros: 0,
            posted_micros: None,
            usage: Usage::default(),
            spawned: last.spawned,
            agent_type: last.agent_type.clone(),
            task_type: None,
        },
        outcome: Outcome::Failed,
        said_by_agent: false,
        failed: Some(failed),
        spent: Spent::default(),
    }
}
