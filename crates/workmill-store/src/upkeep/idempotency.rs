//! Forgets idempotency keys, seven days after all tasks of their submission have ended.
//!
//! No row says when the last of several tasks ended, so a key is marked when that is first seen,
//! and forgotten when the mark is old enough: never sooner than it should be, and later by the
//! time that the duty takes to come round.

use jiff::{SignedDuration, Timestamp};
use workmill_core::ids::Namespace;
use workmill_queries::client::Params;
use workmill_queries::queries::upkeep::idempotency;

use crate::error::StoreError;
use crate::operation::{Operation, Work};

/// How long a repeated submission still finds its first answer.
pub const KEPT_AFTER_THE_END: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Looks at a page of keys.
#[derive(Debug)]
pub struct ForgetKeys<'a> {
    pub ns: Namespace,
    /// The last key of the page before.
    pub after: &'a str,
    pub most: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ForgottenKeys {
    pub forgotten: usize,
    /// Where the next page begins; none after the last one.
    pub next: Option<String>,
}

impl Operation for ForgetKeys<'_> {
    type Answer = ForgottenKeys;
    const DOING: &'static str = "forget idempotency keys that have served";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<ForgottenKeys, StoreError> {
        let now = work.now().await?;
        let ended_before = now - KEPT_AFTER_THE_END;
        let page = self.find(work, ended_before).await?;
        let is_full = i64::try_from(page.len()) == Ok(self.most);
        let next = page.last().filter(|_| is_full).map(|row| row.key.clone());
        let (mut ending, mut served, mut back) = (Vec::new(), Vec::new(), Vec::new());
        for row in &page {
            match (row.ended_at, row.has_ended) {
                (None, true) => ending.push(row.key.as_str()),
                (Some(at), true) if at <= ended_before => served.push(row.key.as_str()),
                (Some(at), false) if at <= ended_before => back.push(row.key.as_str()),
                (None, false) | (Some(_), _) => {}
            }
        }
        if !ending.is_empty() {
            let marked = idempotency::mark_ended_keys()
                .bind(work.transaction, &now, &work.ns, &ending)
                .await;
            marked.map_err(|error| work.failed(error))?;
        }
        if !back.is_empty() {
            let unmarked = idempotency::unmark_ended_keys()
                .bind(work.transaction, &work.ns, &back, &ended_before)
                .await;
            unmarked.map_err(|error| work.failed(error))?;
        }
        let mut forgotten = 0;
        if !served.is_empty() {
            let deleted = idempotency::delete_served_keys()
                .bind(work.transaction, &work.ns, &served, &ended_before)
                .await;
            let deleted = deleted.map_err(|error| work.failed(error))?;
            forgotten = usize::try_from(deleted).unwrap_or(usize::MAX);
        }
        Ok(ForgottenKeys { forgotten, next })
    }
}

impl ForgetKeys<'_> {
    async fn find(
        &self,
        work: &Work<'_>,
        ended_before: Timestamp,
    ) -> Result<Vec<idempotency::FindServedKeys>, StoreError> {
        let parameters = idempotency::FindServedKeysParams {
            ns: work.ns,
            after: self.after,
            most: self.most,
            ended_before,
        };
        let page = idempotency::find_served_keys()
            .params(work.transaction, &parameters)
            .all()
            .await;
        page.map_err(|error| work.failed(error))
    }
}
