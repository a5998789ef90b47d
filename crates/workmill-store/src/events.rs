//! Reading what happened, in the order of the commits.
//!
//! Ids of several writers do not tell commit order. Each transaction leaves its batch, dated by the
//! database, in `event_pending`, so that what follows from another one's event comes after it; the
//! sequencer gives committed batches their place, one namespace at a time;
//! readers follow the places. Nothing is skipped, and nothing locks the writers.

use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;
use workmill_core::ids::Namespace;
use workmill_queries::client::Params;
use workmill_queries::queries::events::sequence;

use crate::connect::Store;
use crate::error::StoreError;
use crate::operation::{Operation, Work};

/// Gives committed batches their place.
#[derive(Debug)]
pub struct SequenceEvents {
    pub ns: Namespace,
    pub most: i64,
}

impl Operation for SequenceEvents {
    /// How many batches got their place; `None` when another server is at it.
    type Answer = Option<usize>;
    const DOING: &'static str = "put events in order";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Option<usize>, StoreError> {
        let (transaction, ns) = (work.transaction, &work.ns);
        let failed = |error| work.failed(error);
        let mut last = sequence::lock_sequence()
            .bind(transaction, ns)
            .opt()
            .await
            .map_err(failed)?;
        if last.is_none() {
            sequence::insert_sequence()
                .bind(transaction, ns)
                .await
                .map_err(failed)?;
            last = sequence::lock_sequence()
                .bind(transaction, ns)
                .opt()
                .await
                .map_err(failed)?;
        }
        let Some(last) = last else { return Ok(None) };
        let pending = sequence::take_pending()
            .bind(transaction, ns, &self.most)
            .all()
            .await;
        let mut pending = pending.map_err(failed)?;
        if pending.is_empty() {
            return Ok(Some(0));
        }
        pending.sort_by_key(|row| (row.written_at, row.batch));
        // Each event has a place of its own; a batch is found by the place of its last one.
        let mut seqs = Vec::with_capacity(pending.len());
        let mut place = last;
        for row in &pending {
            place += i64::from(row.facts);
            seqs.push(place);
        }
        let batches: Vec<Uuid> = pending.into_iter().map(|row| row.batch).collect();
        let parameters = sequence::InsertOrderParams {
            ns: work.ns,
            seqs,
            batches: batches.as_slice(),
        };
        sequence::insert_order()
            .params(transaction, &parameters)
            .await
            .map_err(failed)?;
        sequence::update_sequence()
            .bind(transaction, &place, ns)
            .await
            .map_err(failed)?;
        Ok(Some(batches.len()))
    }
}

/// Facts of one transaction in their place: all of them, or those between two places.
#[derive(Debug, Clone, PartialEq)]
pub struct EventBatch {
    /// The place of its last fact; the others stand right before it.
    pub seq: i64,
    pub at: Timestamp,
    pub facts: Vec<Value>,
}

impl EventBatch {
    /// The facts, each with its place.
    pub fn numbered(self) -> impl Iterator<Item = (i64, Value)> {
        let count = i64::try_from(self.facts.len()).unwrap_or(i64::MAX);
        let first = self.seq - count + 1;
        (first..).zip(self.facts)
    }
}

/// The planted fault that the order of places prevents: a place by the id moves when a batch with
/// a smaller id is committed later.
async fn read_by_id(
    client: &deadpool_postgres::Object,
    ns: Namespace,
    after: i64,
) -> Result<Vec<EventBatch>, tokio_postgres::Error> {
    let statement = "select sum(json_array_length(facts)) over (order by batch), at, facts
                     from workmill.event where ns = $1 order by batch";
    let rows = client.query(statement, &[&ns.0]).await?;
    let batches = rows.iter().map(|row| EventBatch {
        seq: row.get(0),
        at: row.get(1),
        facts: row
            .get::<_, Value>(2)
            .as_array()
            .cloned()
            .unwrap_or_default(),
    });
    Ok(batches.filter(|batch| batch.seq > after).collect())
}

impl Store {
    /// The place of the last event that has one.
    pub async fn find_last_event(&self, ns: Namespace) -> Result<i64, StoreError> {
        const DOING: &str = "look for the last event";
        let client = self.client(DOING).await?;
        let last = sequence::find_last_place().bind(&client, &ns.0).opt().await;
        let last = last.map_err(|error| StoreError::from_statement(DOING, error))?;
        Ok(last.unwrap_or(0))
    }

    /// What followed a place, in order, up to the place that is `most` further on.
    pub async fn read_events(
        &self,
        ns: Namespace,
        after: i64,
        most: i64,
    ) -> Result<Vec<EventBatch>, StoreError> {
        const DOING: &str = "read events";
        let client = self.client(DOING).await?;
        if self
            .test_points
            .is_on("events read in the order of their ids")
        {
            return read_by_id(&client, ns, after)
                .await
                .map_err(|error| StoreError::from_statement(DOING, error));
        }
        let parameters = sequence::ReadAfterParams {
            ns: ns.0,
            after,
            until: after.saturating_add(most),
        };
        let rows = sequence::read_after()
            .params(&client, &parameters)
            .all()
            .await
            .map_err(|error| StoreError::from_statement(DOING, error))?;
        Ok(rows
            .into_iter()
            .map(|row| EventBatch {
                seq: row.seq,
                at: row.at,
                facts: match row.facts {
                    Value::Array(facts) => facts,
                    other => vec![other],
                },
            })
            .collect())
    }

    pub async fn find_namespaces_with_pending_events(&self) -> Result<Vec<Namespace>, StoreError> {
        const DOING: &str = "look for events without a place";
        let client = self.client(DOING).await?;
        let rows = sequence::find_namespaces_with_pending_events()
            .bind(&client)
            .all()
            .await
            .map_err(|error| StoreError::from_statement(DOING, error))?;
        Ok(rows.into_iter().map(Namespace).collect())
    }
}
