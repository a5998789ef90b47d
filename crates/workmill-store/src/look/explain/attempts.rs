//! How attempts at a task ended, and what else ended at that time.

use uuid::Uuid;
use workmill_core::attempt::Outcome;
use workmill_core::attempt_matrix::{Attempt, Count, Failure, History, Tally};
use workmill_core::failure::Reason;
use workmill_queries::client::Params;
use workmill_queries::queries::look::explain as statements;

use super::{Look, failed};
use crate::error::StoreError;
use crate::settlement::spent::read_usage;

/// As the statement has it.
const MOST_READ: usize = 1_000;

impl Look<'_> {
    /// The attempts at a task that were completed or failed; of others there is nothing to learn.
    pub(super) async fn history(&self, task: Uuid) -> Result<History, StoreError> {
        let rows = statements::find_explained_attempts()
            .bind(self.transaction, &self.ns, &task)
            .all()
            .await
            .map_err(failed)?;
        let is_cut_off = rows.len() == MOST_READ;
        let mut here = Vec::new();
        for row in rows {
            let failure = match Outcome::from_name(&row.outcome) {
                Some(Outcome::Completed) => None,
                Some(Outcome::Failed) => {
                    let reason = row.reason.as_deref().and_then(Reason::from_name);
                    Some(Failure {
                        reason: reason.unwrap_or(Reason::Unknown),
                        fingerprint: row.fingerprint.unwrap_or_default(),
                    })
                }
                Some(
                    Outcome::Released
                    | Outcome::Preempted
                    | Outcome::Waited
                    | Outcome::Blocked
                    | Outcome::Cancelled,
                )
                | None => continue,
            };
            let usage = read_usage(row.usage.as_ref())?;
            here.push(Attempt {
                agent: row.agent,
                model: usage.main_model().unwrap_or("").to_owned(),
                ended_at: row.ended_at,
                failed: failure,
            });
        }
        Ok(History {
            here,
            is_cut_off,
            tallies: Vec::new(),
        })
    }

    /// How attempts of all agents ended around the last failure. Nothing is read for a task that
    /// never failed.
    pub(super) async fn tallies(&self, history: &History) -> Result<Vec<Tally>, StoreError> {
        let Some(hours) = history.hours() else {
            return Ok(Vec::new());
        };
        let parameters = statements::FindTalliesParams {
            ns: self.ns,
            since: hours.from,
            before_hour: hours.until,
        };
        let rows = statements::find_tallies()
            .params(self.transaction, &parameters)
            .all()
            .await
            .map_err(failed)?;
        let tallies = rows.into_iter().map(|row| Tally {
            agent: row.agent,
            model: row.model,
            count: Count {
                completed: row.completed,
                failed: row.failed,
            },
        });
        Ok(tallies.collect())
    }
}
