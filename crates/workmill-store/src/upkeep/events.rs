//! Old events go: whole days with their partitions, and their places in the order.
//!
//! `event` is partitioned by the id of the batch, which begins with its time. Partitions are made
//! some days ahead, while nobody writes to them yet; what is written to a day without one lands in
//! the default partition, is not moved, and is deleted when it is old. Partitions belong to no
//! namespace, so none of this is an operation. Whoever makes or drops one waits for a lock only for
//! a moment and otherwise leaves it for the next turn: those who write events stand in line behind.

use std::time::Duration;

use jiff::Timestamp;
use tokio_postgres::error::SqlState;
use uuid::Uuid;
use workmill_core::ids::Namespace;
use workmill_core::retention::{EventDay, days_to_drop};
use workmill_queries::queries::events::old;

use crate::connect::Store;
use crate::error::StoreError;
use crate::operation::{Operation, Work};

/// How long those who write events may have to wait for a partition that is made or dropped. What
/// takes its time is the default partition, which is read when another one is made.
const PATIENCE: [&str; 2] = [
    "set local lock_timeout = '200ms'",
    "set local statement_timeout = '1s'",
];

/// What became of a partition that was to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Made {
    Done,
    /// Others are at it, or write events that keep it waiting: another time.
    NotNow,
    /// Events of that day are in the default partition already, and stay there.
    TooLate,
}

impl Store {
    /// The days that have a partition.
    pub async fn find_event_days(&self) -> Result<Vec<EventDay>, StoreError> {
        const DOING: &str = "look for partitions of events";
        let client = self.client(DOING).await?;
        let names = old::find_partitions().bind(&client).all().await;
        let names = names.map_err(|error| StoreError::from_statement(DOING, error))?;
        let days = names.iter().filter_map(|name| EventDay::from_name(name));
        Ok(days.collect())
    }

    /// Namespaces with events or places of smaller ids.
    pub async fn find_namespaces_with_old_events(
        &self,
        before: Uuid,
    ) -> Result<Vec<Namespace>, StoreError> {
        const DOING: &str = "look for old events";
        let client = self.client(DOING).await?;
        let found = old::find_namespaces_with_old_events()
            .bind(&client, &before)
            .all()
            .await;
        let found = found.map_err(|error| StoreError::from_statement(DOING, error))?;
        Ok(found.into_iter().map(Namespace).collect())
    }

    /// Makes the partition of a day that has none.
    pub async fn make_event_day(&self, day: EventDay) -> Result<Made, StoreError> {
        const DOING: &str = "make a partition of events";
        let (name, (first, next)) = (day.name(), day.ids());
        // The lock holds up those who write, for the moment that an empty table takes: one who had
        // chosen the default partition before would be refused by it afterwards. It lets readers
        // pass, and one server at a time.
        let statements = [
            "lock table workmill.event in share row exclusive mode".to_owned(),
            format!("create table workmill.{name} (like workmill.event including all)"),
            format!(
                "alter table workmill.event attach partition workmill.{name} \
                 for values from ('{first}') to ('{next}')"
            ),
        ];
        match self.run_impatiently(DOING, &statements).await? {
            Ok(()) => Ok(Made::Done),
            Err(source) => match source.code() {
                Some(
                    &SqlState::LOCK_NOT_AVAILABLE
                    | &SqlState::T_R_DEADLOCK_DETECTED
                    | &SqlState::QUERY_CANCELED,
                ) => Ok(Made::NotNow),
                // Another server was faster.
                Some(&SqlState::DUPLICATE_TABLE) => Ok(Made::Done),
                Some(&SqlState::CHECK_VIOLATION) => Ok(Made::TooLate),
                _ => Err(StoreError::from_statement(DOING, source)),
            },
        }
    }

    /// Drops the days whose last event is as old as that; answers how many went.
    pub async fn drop_old_event_days(
        &self,
        days: &[EventDay],
        now: Timestamp,
        age: Duration,
    ) -> Result<usize, StoreError> {
        const DOING: &str = "drop a partition of events";
        let mut dropped = 0;
        for day in days_to_drop(days, now, age) {
            let drop = format!("drop table if exists workmill.{}", day.name());
            match self.run_impatiently(DOING, &[drop]).await? {
                Ok(()) => dropped += 1,
                Err(source) if source.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) => break,
                Err(source) => return Err(StoreError::from_statement(DOING, source)),
            }
        }
        Ok(dropped)
    }

    /// Runs statements that take no parameters in one transaction that waits only briefly for locks. Each is
    /// sent alone: a distributed database takes no two such statements in one message. The inner result is
    /// the database's own.
    async fn run_impatiently(
        &self,
        doing: &'static str,
        statements: &[String],
    ) -> Result<Result<(), tokio_postgres::Error>, StoreError> {
        let client = self.client(doing).await?;
        let begin = ["begin"].into_iter().chain(PATIENCE);
        let statements = statements.iter().map(String::as_str);
        for statement in begin.chain(statements).chain(["commit"]) {
            if let Err(refused) = client.batch_execute(statement).await {
                let rolled_back = client.batch_execute("rollback").await;
                rolled_back.map_err(|error| StoreError::from_statement(doing, error))?;
                return Ok(Err(refused));
            }
        }
        Ok(Ok(()))
    }
}

/// Removes the oldest events of a namespace that no partition takes along, and their places.
#[derive(Debug)]
pub struct RemoveOldEvents {
    pub ns: Namespace,
    /// Batches with smaller ids go.
    pub before: Uuid,
    pub most: i64,
}

impl Operation for RemoveOldEvents {
    /// How many rows went.
    type Answer = u64;
    const DOING: &'static str = "remove old events";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<u64, StoreError> {
        let (client, ns) = (work.transaction, &work.ns);
        let places = old::delete_old_order()
            .bind(client, ns, &self.most, &self.before)
            .await?;
        let events = old::delete_old_events()
            .bind(client, ns, &self.before, &self.most)
            .await?;
        Ok(places + events)
    }
}
