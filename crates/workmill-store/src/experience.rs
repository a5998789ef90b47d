//! What is learnt from attempts that have ended: what they usually cost and take, and which agents
//! fail where others succeed.
//!
//! The transaction that ends an attempt writes nothing of it; it hands out [`AttemptOutcome`]s, which
//! are recorded a moment later, many together. What a server has not recorded when it dies is lost:
//! these are figures for estimates, no accounts.

pub mod spend;
pub mod tally;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, PoisonError, RwLock};

use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use uuid::Uuid;
use workmill_core::agent::AgentStatus;
use workmill_core::attempt::Outcome;
use workmill_core::experience::{SICK_AFTER, Sum, is_sick};
use workmill_core::ids::{Namespace, TaskId};
use workmill_core::money::Micros;
use workmill_queries::client::Params;
use workmill_queries::queries::dispatch::agents;
use workmill_queries::queries::experience::record as statements;

use crate::connect::Store;
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::operation::{Operation, Work};
use crate::settlement::Ended;

/// How an attempt ended, as far as something can be learnt from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptOutcome {
    pub task: TaskId,
    /// None where the lease does not tell.
    pub task_type: Option<String>,
    pub agent: String,
    pub is_success: bool,
    pub is_failure: bool,
    pub cost: Micros,
    pub duration_ms: i64,
    pub ended_at: Timestamp,
    /// The model that cost most.
    pub model: Option<String>,
}

impl AttemptOutcome {
    /// None for attempts that say nothing about their agent or their task.
    pub(crate) fn of(ended: &Ended, now: Timestamp) -> Option<AttemptOutcome> {
        let is_success = ended.outcome == Outcome::Completed;
        let failed = ended.failed.as_ref();
        let is_failure = failed.is_some_and(|failed| failed.reason.is_telling());
        let since = ended.lease.started_at.unwrap_or(ended.lease.claimed_at);
        let duration = now.duration_since(since).as_millis();
        (is_success || is_failure).then(|| AttemptOutcome {
            task: ended.lease.lease.task,
            task_type: ended.lease.task_type.clone(),
            agent: ended.lease.agent.clone(),
            is_success,
            is_failure,
            cost: ended.spent.usage.cost(),
            duration_ms: i64::try_from(duration).unwrap_or(i64::MAX),
            ended_at: now,
            model: ended.spent.usage.main_model().map(str::to_owned),
        })
    }
}

/// What is usual, by type and model; no model is all of them.
pub(crate) type Usual = BTreeMap<(String, String), Sum>;

/// What is usual in each namespace, remembered by this process.
#[derive(Debug, Default)]
pub(crate) struct UsualCosts {
    known: RwLock<HashMap<i64, (Timestamp, Arc<Usual>)>>,
}

const MEMORY: SignedDuration = SignedDuration::from_secs(10);

impl UsualCosts {
    pub(crate) fn of(&self, ns: i64) -> Arc<Usual> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known
            .get(&ns)
            .map(|(_, usual)| Arc::clone(usual))
            .unwrap_or_default()
    }

    /// What an attempt at a task of this type usually costs, with the first of these models that
    /// anything is known of, or with any.
    pub(crate) fn cost(&self, ns: i64, task_type: &str, models: &[String]) -> Option<Micros> {
        let usual = self.of(ns);
        let of = |model: &str| {
            let key = (task_type.to_owned(), model.to_owned());
            usual.get(&key).copied().and_then(Sum::usual_cost)
        };
        models.iter().find_map(|model| of(model)).or_else(|| of(""))
    }

    fn is_fresh(&self, ns: i64, now: Timestamp) -> bool {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let read_at = known.get(&ns).map(|(read_at, _)| *read_at);
        read_at.is_some_and(|read_at| now.duration_since(read_at) < MEMORY)
    }
}

impl Work<'_> {
    /// As the claims of this server reckon.
    pub(crate) fn usual_cost(&self, task_type: &str, models: &[String]) -> Option<Micros> {
        self.usual_costs().cost(self.ns, task_type, models)
    }

    /// Reads what is usual, if that was not done lately.
    pub(crate) async fn refresh_usual(&self, now: Timestamp) -> Result<(), StoreError> {
        let cache = self.usual_costs();
        if cache.is_fresh(self.ns, now) {
            return Ok(());
        }
        let rows = statements::find_usual()
            .bind(self.transaction, &self.ns)
            .all()
            .await?;
        let usual = rows.into_iter().map(|row| {
            let sum = Sum {
                attempts: row.attempts,
                cost: Micros(row.cost_micros),
                duration_ms: row.duration_ms,
            };
            ((row.task_type, row.model), sum)
        });
        let usual = Arc::new(usual.collect());
        let mut known = cache.known.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(self.ns, (now, usual));
        Ok(())
    }
}

/// Records how attempts ended, in the order they did.
#[derive(Debug)]
pub struct RecordOutcomes<'a> {
    pub ns: Namespace,
    pub outcomes: &'a [AttemptOutcome],
}

/// The types of tasks.
pub type TaskTypes = BTreeMap<TaskId, String>;

impl Store {
    /// Returns the types of those of the tasks that exist.
    pub async fn find_task_types(
        &self,
        ns: Namespace,
        tasks: &BTreeSet<TaskId>,
    ) -> Result<TaskTypes, StoreError> {
        const DOING: &str = "look up the types of tasks";
        if tasks.is_empty() {
            return Ok(TaskTypes::new());
        }
        let tasks: Vec<Uuid> = tasks.iter().map(|task| task.0).collect();
        let client = self.client(DOING).await?;
        let rows = statements::find_types()
            .bind(&client, &tasks, &ns.0)
            .all()
            .await
            .map_err(|error| StoreError::from_statement(DOING, error))?;
        let types = rows
            .into_iter()
            .map(|row| (TaskId(row.task), row.task_type));
        Ok(types.collect())
    }
}

impl Operation for RecordOutcomes<'_> {
    /// Agents that fail one task after the other.
    type Answer = Vec<String>;
    const DOING: &'static str = "record how attempts ended";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Vec<String>, StoreError> {
        self.record_usual(work).await?;
        self.add_to_tallies(work).await?;
        self.record_agents(work).await
    }
}

impl RecordOutcomes<'_> {
    async fn record_usual(&self, work: &Work<'_>) -> Result<(), StoreError> {
        let mut sums = Usual::new();
        for outcome in self.outcomes.iter().filter(|outcome| outcome.is_success) {
            let Some(task_type) = &outcome.task_type else {
                continue;
            };
            let one = Sum {
                attempts: 1,
                cost: outcome.cost,
                duration_ms: outcome.duration_ms,
            };
            for model in [None, outcome.model.as_ref()]
                .into_iter()
                .collect::<BTreeSet<_>>()
            {
                let key = (task_type.clone(), model.cloned().unwrap_or_default());
                let sum = sums.entry(key).or_default();
                *sum = sum.with(one);
            }
        }
        if sums.is_empty() {
            return Ok(());
        }
        let key_types: Vec<&str> = sums
            .keys()
            .map(|(task_type, _)| task_type.as_str())
            .collect();
        let key_models: Vec<&str> = sums.keys().map(|(_, model)| model.as_str()).collect();
        let rows = statements::lock_usual()
            .bind(work.transaction, &key_types, &key_models, &work.ns)
            .all()
            .await?;
        let mut written = sums.clone();
        for row in rows {
            let known = Sum {
                attempts: row.attempts,
                cost: Micros(row.cost_micros),
                duration_ms: row.duration_ms,
            };
            if let Some(sum) = written.get_mut(&(row.task_type, row.model)) {
                *sum = known.with(*sum);
            }
        }
        let parameters = statements::WriteUsualParams {
            ns: work.ns,
            types: key_types,
            models: key_models,
            attempts: written.values().map(|sum| sum.attempts).collect::<Vec<_>>(),
            costs: written.values().map(|sum| sum.cost.0).collect::<Vec<_>>(),
            durations: written
                .values()
                .map(|sum| sum.duration_ms)
                .collect::<Vec<_>>(),
        };
        statements::write_usual()
            .params(work.transaction, &parameters)
            .await?;
        Ok(())
    }

    async fn record_agents(&self, work: &Work<'_>) -> Result<Vec<String>, StoreError> {
        let now = work.now().await?;
        let names: BTreeSet<&str> = self
            .outcomes
            .iter()
            .map(|outcome| outcome.agent.as_str())
            .collect();
        let names: Vec<&str> = names.into_iter().collect();
        let rows = statements::lock_records()
            .bind(work.transaction, &names, &work.ns)
            .all()
            .await?;
        let mut records: BTreeMap<&str, Record> = names
            .iter()
            .map(|name| (*name, Record::default()))
            .collect();
        for row in rows {
            if let Some(record) = records.get_mut(row.agent.as_str()) {
                *record = Record {
                    completed: row.completed,
                    failed: row.failed,
                    completed_at: row.completed_at,
                    failing_since: row.failing_since,
                    failing: row.failing,
                };
            }
        }
        for outcome in self.outcomes {
            if let Some(record) = records.get_mut(outcome.agent.as_str()) {
                record.add(outcome, now);
            }
        }
        write_records(work, &records).await?;
        let suspects = records
            .iter()
            .filter(|(_, record)| record.failing.len() >= SICK_AFTER);
        Ok(suspects.map(|(agent, _)| (*agent).to_owned()).collect())
    }
}

/// How an agent has done lately.
#[derive(Debug, Default)]
struct Record {
    completed: i64,
    failed: i64,
    completed_at: Option<Timestamp>,
    failing_since: Option<Timestamp>,
    /// The different tasks it has failed since it last completed one.
    failing: Vec<Uuid>,
}

impl Record {
    fn add(&mut self, outcome: &AttemptOutcome, now: Timestamp) {
        if outcome.is_success {
            self.completed += 1;
            self.completed_at = Some(now);
            self.failing_since = None;
            self.failing.clear();
        } else if outcome.is_failure {
            self.failed += 1;
            self.failing_since.get_or_insert(now);
            if !self.failing.contains(&outcome.task.0) && self.failing.len() < 2 * SICK_AFTER {
                self.failing.push(outcome.task.0);
            }
        }
    }
}

async fn write_records(
    work: &Work<'_>,
    records: &BTreeMap<&str, Record>,
) -> Result<(), StoreError> {
    let listed = |record: &Record| -> String {
        let ids: Vec<String> = record.failing.iter().map(Uuid::to_string).collect();
        ids.join(",")
    };
    let parameters = statements::WriteRecordsParams {
        ns: work.ns,
        agents: records.keys().copied().collect::<Vec<_>>(),
        completed: records
            .values()
            .map(|one| one.completed)
            .collect::<Vec<_>>(),
        failed: records.values().map(|one| one.failed).collect::<Vec<_>>(),
        completed_ats: records
            .values()
            .map(|one| one.completed_at)
            .collect::<Vec<_>>(),
        failing_since: records
            .values()
            .map(|one| one.failing_since)
            .collect::<Vec<_>>(),
        failing: records.values().map(listed).collect::<Vec<_>>(),
    };
    statements::write_records()
        .params(work.transaction, &parameters)
        .await?;
    Ok(())
}

/// Takes an agent out of service that fails where others succeed. The agent's row is locked before
/// its record, as by those who give it another chance.
#[derive(Debug)]
pub struct DrainIfSick<'a> {
    pub ns: Namespace,
    pub agent: &'a str,
}

/// Who is said to have set a sick agent draining.
pub const DRAINED_BY: &str = "workmill";

impl Operation for DrainIfSick<'_> {
    /// Whether it was.
    type Answer = bool;
    const DOING: &'static str = "take a failing agent out of service";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<bool, StoreError> {
        agents::lock_agent()
            .bind(work.transaction, &work.ns, &self.agent)
            .opt()
            .await?;
        let records = statements::lock_records()
            .bind(work.transaction, &&[self.agent][..], &work.ns)
            .all()
            .await?;
        let Some(record) = records.into_iter().next() else {
            return Ok(false);
        };
        let others = statements::find_last_success()
            .bind(work.transaction, &work.ns, &self.agent)
            .one()
            .await?;
        let others_have_succeeded = others.zip(record.failing_since);
        let others_have_succeeded = others_have_succeeded.is_some_and(|(at, since)| at >= since);
        // What is tried without end, as planners' tasks are, ends as no dead letter whoever fails it.
        let failing = statements::count_bounded_tasks()
            .bind(work.transaction, &record.failing, &work.ns)
            .one()
            .await?;
        let failing = usize::try_from(failing).unwrap_or(0);
        if !is_sick(failing, others_have_succeeded) {
            return Ok(false);
        }
        let has_completed = statements::has_completed_since()
            .bind(work.transaction, &record.failing, &work.ns, &self.agent)
            .one()
            .await?;
        if has_completed {
            return Ok(false);
        }
        let drained = statements::drain_agent()
            .bind(work.transaction, &DRAINED_BY, &work.ns, &self.agent)
            .await?;
        if drained == 0 {
            return Ok(false);
        }
        let tasks = record.failing.iter().map(|task| TaskId(*task).to_string());
        work.emit(Event {
            event_type: EventType::AgentStatus,
            graph: None,
            task: None,
            data: json!({
                "agent": self.agent, "status": AgentStatus::Draining, "by": DRAINED_BY,
                "reason": "it fails one task after the other while others succeed",
                "failed_tasks": tasks.collect::<Vec<_>>(),
            }),
        });
        Ok(true)
    }
}
