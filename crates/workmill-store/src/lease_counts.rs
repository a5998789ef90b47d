//! What is remembered of an agent: since when its leases are to be counted.
//!
//! Whoever counts the leases of an agent holds its row, and only claims, which hold it too, add to
//! them, dated by the database's clock. So none is ever older than the oldest that was counted
//! last, and the counting begins there: what has ended before may still be in the index, while
//! somebody keeps a snapshot open.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::{SignedDuration, Timestamp};

/// Now and then all are counted, whatever is remembered.
const LONGEST: SignedDuration = SignedDuration::from_mins(1);

/// Beyond that many agents the memory starts anew.
const MOST: usize = 10_000;

#[derive(Debug, Default)]
pub(crate) struct LeaseCounts {
    agents: Mutex<HashMap<(i64, String), Counted>>,
}

#[derive(Debug)]
struct Counted {
    since: Timestamp,
    at: Timestamp,
    all_at: Timestamp,
}

impl LeaseCounts {
    /// No lease of the agent is older than this.
    pub(crate) fn since(&self, ns: i64, agent: &str) -> Timestamp {
        let agents = self.lock();
        let counted = agents.get(&(ns, agent.to_owned()));
        let counted = counted.filter(|one| one.at.duration_since(one.all_at) < LONGEST);
        counted.map_or(Timestamp::UNIX_EPOCH, |one| one.since)
    }

    /// Remembers what was counted from `since` on, under the agent's lock.
    pub(crate) fn counted(
        &self,
        ns: i64,
        agent: &str,
        since: Timestamp,
        oldest: Option<Timestamp>,
        now: Timestamp,
    ) {
        let mut agents = self.lock();
        if agents.len() >= MOST {
            agents.clear();
        }
        let key = (ns, agent.to_owned());
        let last = agents.get(&key);
        if last.is_some_and(|last| now < last.at) {
            // The clock went back: what comes may be dated before what was.
            agents.remove(&key);
            return;
        }
        let all_at = match last {
            Some(last) if since > Timestamp::UNIX_EPOCH => last.all_at,
            _ => now,
        };
        let since = oldest.unwrap_or(now);
        agents.insert(
            key,
            Counted {
                since,
                at: now,
                all_at,
            },
        );
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<(i64, String), Counted>> {
        self.agents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
