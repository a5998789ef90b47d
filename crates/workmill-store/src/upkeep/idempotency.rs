//! Forgets idempotency keys, seven days after all tasks of their submission have ended.
//!
//! No row says when the last of several tasks ended, so a key is marked when that is first seen,
//! and forgotten when the mark is old enough: never sooner than it should be, and later by the
//! time that the duty takes to come round.

use jiff::{SignedDuration, Timestamp};
use workmill_core::ids::Namespace;
use workmill_queries::client::Params;
use workmill_queries::queries::upkeep::idempotency;

use crate::connect::Store;
use crate::error::StoreError;
use crate::operation::{Operation, Work};

/// How long a repeated submission still finds its first answer.
pub const KEPT_AFTER_THE_END: SignedDuration = SignedDuration::from_hours(7 * 24);

/// A key of some namespace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub ns: Namespace,
    pub key: String,
}

impl Place {
    /// Before all keys of all namespaces.
    pub const FIRST: Place = Place {
        ns: Namespace(1),
        key: String::new(),
    };
}

/// A page of keys that was looked at.
#[derive(Debug, Default)]
pub struct Page {
    /// Pending changes per namespace; namespaces without any are omitted.
    pub changes: Vec<ForgetKeys>,
    /// Behind which the next page begins; none after the last one.
    pub next: Option<Place>,
}

impl Store {
    /// Looks at a page of keys.
    pub async fn find_served_keys(
        &self,
        now: Timestamp,
        after: &Place,
        most: i64,
    ) -> Result<Page, StoreError> {
        let (mut page, mut place, mut left) = (Page::default(), after.clone(), most);
        loop {
            let rows = self.find_served_keys_of(now, &place, left).await?;
            left -= i64::try_from(rows.len()).unwrap_or(left);
            let last = rows.last().map(|row| row.key.clone());
            let change = ForgetKeys::among(place.ns, rows, now - KEPT_AFTER_THE_END);
            page.changes.extend(change);
            if let (0, Some(key)) = (left, last) {
                page.next = Some(Place { ns: place.ns, key });
                return Ok(page);
            }
            let Some(ns) = self.next_namespace(place.ns).await? else {
                return Ok(page);
            };
            place = Place {
                ns,
                key: String::new(),
            };
        }
    }

    async fn find_served_keys_of(
        &self,
        now: Timestamp,
        after: &Place,
        most: i64,
    ) -> Result<Vec<idempotency::FindServedKeys>, StoreError> {
        const DOING: &str = "look for expired idempotency keys";
        if !self.is_reachable(after.ns) {
            return Ok(Vec::new());
        }
        let client = self.client(DOING).await?;
        let parameters = idempotency::FindServedKeysParams {
            ns: after.ns.0,
            after: after.key.as_str(),
            most,
            ended_before: now - KEPT_AFTER_THE_END,
        };
        let rows = idempotency::find_served_keys()
            .params(&client, &parameters)
            .all()
            .await;
        rows.map_err(|error| StoreError::from_statement(DOING, error))
    }
}

/// Marks keys, and forgets those whose mark is old enough.
#[derive(Debug)]
pub struct ForgetKeys {
    ns: Namespace,
    /// Their tasks were seen to have ended.
    ending: Vec<String>,
    /// Long enough ago.
    served: Vec<String>,
    /// Their tasks were brought back.
    back: Vec<String>,
}

impl ForgetKeys {
    /// Returns what changes among these keys; `None` if nothing does.
    fn among(
        ns: Namespace,
        rows: Vec<idempotency::FindServedKeys>,
        ended_before: Timestamp,
    ) -> Option<ForgetKeys> {
        let mut change = ForgetKeys {
            ns,
            ending: Vec::new(),
            served: Vec::new(),
            back: Vec::new(),
        };
        for row in rows {
            let is_old = row.ended_at.is_some_and(|at| at <= ended_before);
            if row.ended_at.is_some() && !is_old || row.ended_at.is_none() && !row.has_ended {
                continue;
            }
            match (is_old, row.has_ended) {
                (true, true) => change.served.push(row.key),
                (true, false) => change.back.push(row.key),
                (false, _) => change.ending.push(row.key),
            }
        }
        let lists = [&change.ending, &change.served, &change.back];
        let is_something = lists.iter().any(|keys| !keys.is_empty());
        is_something.then_some(change)
    }
}

impl Operation for ForgetKeys {
    /// How many were forgotten.
    type Answer = usize;
    const DOING: &'static str = "remove expired idempotency keys";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<usize, StoreError> {
        let now = work.now().await?;
        let ended_before = now - KEPT_AFTER_THE_END;
        if !self.ending.is_empty() {
            idempotency::mark_ended_keys()
                .bind(work.transaction, &now, &work.ns, &self.ending)
                .await?;
        }
        if !self.back.is_empty() {
            idempotency::unmark_ended_keys()
                .bind(work.transaction, &work.ns, &self.back, &ended_before)
                .await?;
        }
        if self.served.is_empty() {
            return Ok(0);
        }
        let deleted = idempotency::delete_served_keys()
            .bind(work.transaction, &work.ns, &self.served, &ended_before)
            .await?;
        Ok(usize::try_from(deleted).unwrap_or(usize::MAX))
    }
}
