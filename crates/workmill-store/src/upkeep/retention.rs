//! How long the tasks of a namespace are kept after they have ended, and what has been kept long
//! enough. What goes is decided by `workmill-core`; [`removal`] makes it go.

pub mod removal;

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Value, json};
use uuid::Uuid;
use workmill_core::audit::{Action, AuditEntry, Subject};
use workmill_core::edition::{Edition, Expected};
use workmill_core::graph::Tally;
use workmill_core::ids::{Namespace, TaskId};
use workmill_core::lifecycle::State;
use workmill_core::retention::Retention;
use workmill_queries::client::{GenericClient, Params};
use workmill_queries::queries::upkeep::retention as statements;

use crate::connect::Store;
use crate::error::StoreError;
use crate::operation::{Operation, Work};

/// Behind which finished task a look begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    at: Timestamp,
    task: Uuid,
}

impl Position {
    pub const FIRST: Position = Position {
        at: Timestamp::UNIX_EPOCH,
        task: Uuid::nil(),
    };
}

/// Says how long the tasks of a namespace are kept.
#[derive(Debug)]
pub struct SetRetention {
    pub ns: Namespace,
    pub retention: Retention,
    /// Only if it is at one of these.
    pub expected: Expected,
}

/// It is not as the caller has seen it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetentionChanged;

/// Of what is said.
pub fn edition(retention: &Retention) -> Edition {
    let Retention {
        completed,
        cancelled,
        stale,
    } = retention;
    Edition::of(&[completed, cancelled, stale].map(|age| age.map(milliseconds)))
}

impl Operation for SetRetention {
    /// What was said before.
    type Answer = Result<Retention, RetentionChanged>;
    const DOING: &'static str = "set the retention";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        if self.expected != Expected::Any {
            let now = work.now().await?;
            statements::insert_blank_retention()
                .bind(work.transaction, &work.ns, &now)
                .await?;
        }
        let before = statements::lock_retention()
            .bind(work.transaction, &work.ns)
            .opt()
            .await?;
        let before = before.map_or_else(Retention::default, |row| Retention {
            completed: row.completed_ms.map(age),
            cancelled: row.cancelled_ms.map(age),
            stale: row.stale_ms.map(age),
        });
        if !self.expected.admits(&edition(&before)) {
            work.abandon();
            return Ok(Err(RetentionChanged));
        }
        let parameters = statements::WriteRetentionParams {
            ns: work.ns,
            completed_ms: self.retention.completed.map(milliseconds),
            cancelled_ms: self.retention.cancelled.map(milliseconds),
            stale_ms: self.retention.stale.map(milliseconds),
            now: work.now().await?,
        };
        statements::write_retention()
            .params(work.transaction, &parameters)
            .await?;
        if before != self.retention {
            work.audit(AuditEntry::new(
                Action::RetentionSet,
                Subject::Namespace,
                told(&before),
                told(&self.retention),
            ));
        }
        Ok(Ok(before))
    }
}

fn told(retention: &Retention) -> Value {
    let seconds = |age: Option<Duration>| age.map(|age| age.as_secs_f64());
    json!({
        "completed_sec": seconds(retention.completed),
        "cancelled_sec": seconds(retention.cancelled),
        "stale_sec": seconds(retention.stale),
    })
}

fn age(milliseconds: i64) -> Duration {
    Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0))
}

fn milliseconds(age: Duration) -> i64 {
    i64::try_from(age.as_millis()).unwrap_or(i64::MAX)
}

/// What would go, by final state.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DueTasks {
    pub tasks: BTreeMap<State, usize>,
    /// Old enough, but their graph has not ended or an agent still holds them.
    pub kept_for_now: usize,
    /// Where to go on; none when that was all.
    pub next: Option<Position>,
}

impl Store {
    pub async fn find_retention(&self, ns: Namespace) -> Result<Retention, StoreError> {
        const DOING: &str = "read the retention";
        let client = self.client(DOING).await?;
        let found = find_retention(&client, ns.0).await;
        found.map_err(|error| StoreError::from_statement(DOING, error))
    }

    pub async fn find_namespaces_with_old_tasks(
        &self,
        now: Timestamp,
    ) -> Result<Vec<Namespace>, StoreError> {
        const DOING: &str = "look for tasks that are old enough to delete";
        let client = self.client(DOING).await?;
        let found = statements::find_namespaces_with_old_tasks()
            .bind(&client, &now)
            .all()
            .await
            .map_err(|error| StoreError::from_statement(DOING, error))?;
        Ok(found.into_iter().map(Namespace).collect())
    }

    /// Counts what would go of a page of finished tasks, if they were kept so long.
    pub async fn count_due_tasks(
        &self,
        ns: Namespace,
        retention: &Retention,
        after: Position,
        most: i64,
    ) -> Result<DueTasks, StoreError> {
        const DOING: &str = "count tasks that would be deleted";
        let now = self.now().await?;
        let client = self.client(DOING).await?;
        let page = look(&client, ns.0, retention, now, after, most).await;
        let page = page.map_err(|error| StoreError::from_statement(DOING, error))?;
        let mut due = DueTasks {
            next: page.next,
            ..DueTasks::default()
        };
        for task in page.tasks {
            if task.is_due(retention, now) {
                *due.tasks.entry(task.state).or_default() += 1;
            } else if retention.is_due(task.state, task.ended_at, None, false, now) {
                due.kept_for_now += 1;
            }
        }
        Ok(due)
    }
}

async fn find_retention<C: GenericClient>(
    client: &C,
    ns: i64,
) -> Result<Retention, tokio_postgres::Error> {
    let found = statements::find_retention().bind(client, &ns).opt().await?;
    Ok(found.map_or_else(Retention::default, |row| Retention {
        completed: row.completed_ms.map(age),
        cancelled: row.cancelled_ms.map(age),
        stale: row.stale_ms.map(age),
    }))
}

/// A finished task as it looks without a lock.
struct FinishedTask {
    task: TaskId,
    ended_at: Timestamp,
    state: State,
    graph: Option<Tally>,
    is_leased: bool,
}

impl FinishedTask {
    fn is_due(&self, retention: &Retention, now: Timestamp) -> bool {
        let graph = self.graph.as_ref();
        retention.is_due(self.state, self.ended_at, graph, self.is_leased, now)
    }
}

struct Page {
    tasks: Vec<FinishedTask>,
    next: Option<Position>,
}

async fn look<C: GenericClient>(
    client: &C,
    ns: i64,
    retention: &Retention,
    now: Timestamp,
    after: Position,
    most: i64,
) -> Result<Page, tokio_postgres::Error> {
    let (mut tasks, mut next) = (Vec::new(), None);
    if let Some(latest) = retention.latest_end(now) {
        let parameters = statements::FindFinishedParams {
            ns,
            after_at: after.at,
            after: after.task,
            latest,
            most,
        };
        let found = statements::find_finished()
            .params(client, &parameters)
            .all()
            .await?;
        let is_full = i64::try_from(found.len()).is_ok_and(|found| found >= most);
        next = found.last().filter(|_| is_full).map(|row| Position {
            at: row.at,
            task: row.task,
        });
        tasks.extend(found.into_iter().filter_map(read));
    }
    Ok(Page { tasks, next })
}

/// None for a row whose task is not there: a sweep will say so, and nothing is removed.
fn read(row: statements::FindFinished) -> Option<FinishedTask> {
    let count = |count: Option<i32>| count.unwrap_or(0);
    Some(FinishedTask {
        task: TaskId(row.task),
        ended_at: row.at,
        state: row.state.and_then(State::from_code)?,
        graph: row.tasks.map(|tasks| Tally {
            tasks,
            completed: count(row.completed),
            cancelled: count(row.cancelled),
            stale: count(row.stale),
            dead: count(row.dead),
            moving: count(row.moving),
        }),
        is_leased: row.is_leased,
    })
}
