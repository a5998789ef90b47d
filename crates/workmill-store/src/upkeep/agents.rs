//! Agents that fall silent or sign off are offline, and those that claimed by hand are removed a day later.
//!
//! An agent is heard when it registers, claims, shows a sign of life, or ends an attempt; while it
//! holds a lease that has not run out, it is alive by that.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::TryFutureExt;
use jiff::Timestamp;
use serde_json::json;
use uuid::Uuid;
use workmill_core::agent::{self, Signs, Watched};
use workmill_core::ids::Namespace;
use workmill_queries::client::Params;
use workmill_queries::queries::dispatch::agents as statements;
use workmill_queries::queries::upkeep::agents as of_namespace;

use crate::connect::Store;
use crate::dispatch::agents::{
    AgentRefusal, Registered, lock_own, read_status, remove, see, tell_of_return, wake_those_left,
};
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::operation::{Operation, Work};

impl Store {
    /// Returns agents whose silence is to be judged, by namespace. A hint: looked at again under
    /// their locks.
    pub async fn find_restless_agents(
        &self,
        now: Timestamp,
        most: i64,
    ) -> Result<BTreeMap<Namespace, BTreeSet<String>>, StoreError> {
        const DOING: &str = "look for silent agents";
        let failed = |error| StoreError::from_statement(DOING, error);
        let client = self.client(DOING).await?;
        if let Some(reachable) = self.reachable() {
            let mut restless = BTreeMap::new();
            for ns in reachable {
                let parameters = restless_agents_of(ns, now, most);
                let agents = of_namespace::find_restless_agents_of_namespace()
                    .params(&client, &parameters)
                    .all()
                    .await
                    .map_err(failed)?;
                restless.insert(ns, agents.into_iter().collect::<BTreeSet<_>>());
            }
            restless.retain(|_, agents| !agents.is_empty());
            return Ok(restless);
        }
        let parameters = statements::FindRestlessAgentsParams {
            now,
            removed_since: now - agent::BY_HAND_IS_REMOVED_AFTER,
            least_interval_ms: agent::LEAST_INTERVAL_MS,
            intervals: agent::SILENT_INTERVALS,
            written_until: now - agent::SEEN_IS_WRITTEN_EVERY,
            most,
        };
        let rows = statements::find_restless_agents()
            .params(&client, &parameters)
            .all()
            .await
            .map_err(failed)?;
        let mut found: BTreeMap<Namespace, BTreeSet<String>> = BTreeMap::new();
        for row in rows {
            found
                .entry(Namespace(row.ns))
                .or_default()
                .insert(row.agent);
        }
        Ok(found)
    }
}

fn restless_agents_of(
    ns: Namespace,
    now: Timestamp,
    most: i64,
) -> of_namespace::FindRestlessAgentsOfNamespaceParams {
    of_namespace::FindRestlessAgentsOfNamespaceParams {
        ns: ns.0,
        now,
        removed_since: now - agent::BY_HAND_IS_REMOVED_AFTER,
        least_interval_ms: agent::LEAST_INTERVAL_MS,
        intervals: agent::SILENT_INTERVALS,
        written_until: now - agent::SEEN_IS_WRITTEN_EVERY,
        most,
    }
}

/// Judges the silence of agents.
#[derive(Debug)]
pub struct WatchAgents<'a> {
    pub ns: Namespace,
    pub agents: &'a BTreeSet<String>,
}

/// How many agents fell silent, came back and were removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counted {
    pub offline: usize,
    pub online: usize,
    pub removed: usize,
}

impl Operation for WatchAgents<'_> {
    type Answer = Counted;
    const DOING: &'static str = "watch over agents";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Counted, StoreError> {
        let names: Vec<&str> = self.agents.iter().map(String::as_str).collect();
        let rows = lock(work, &names).await?;
        let now = work.now().await?;
        let holding = find_holding(work, &names, now).await?;
        let (mut silent, mut back, mut removed) = (Vec::new(), Vec::new(), Vec::new());
        for row in &rows {
            let (leases, is_holding) = holding.get(&row.agent).copied().unwrap_or((0, false));
            let signs = Signs {
                seen_at: row.seen_at,
                poll_interval_ms: row.poll_interval_ms,
                silent_since: row.silent_since,
                is_holding,
                is_by_hand: row.is_by_hand,
            };
            match agent::watch(signs, now) {
                Some(Watched::FallsSilent) => silent.push(row),
                Some(Watched::IsBack) => back.push(row),
                // A lease that ran out is settled first.
                Some(Watched::IsRemoved) if leases > 0 => {}
                Some(Watched::IsRemoved) => removed.push(row.agent.as_str()),
                None => {}
            }
        }
        let silent: BTreeMap<&str, Timestamp> = silent
            .into_iter()
            .map(|row| (row.agent.as_str(), row.seen_at))
            .collect();
        fall_silent(work, &silent, now).await?;
        note(work, &back, |_| now).await?;
        remove(work, &removed, "silence").await?;
        Ok(Counted {
            offline: silent.len(),
            online: back.len(),
            removed: removed.len(),
        })
    }
}

async fn lock(
    work: &Work<'_>,
    names: &[&str],
) -> Result<Vec<statements::LockWatchedAgents>, StoreError> {
    statements::lock_watched_agents()
        .bind(work.transaction, &names, &work.ns)
        .all()
        .map_err(|error| work.failed(error))
        .await
}

/// Returns of each agent how many leases it holds, and whether one of them has not run out.
async fn find_holding(
    work: &Work<'_>,
    names: &[&str],
    now: Timestamp,
) -> Result<BTreeMap<String, (i64, bool)>, StoreError> {
    let holding = statements::find_holding_agents()
        .bind(work.transaction, &names, &now, &work.ns)
        .all()
        .map_err(|error| work.failed(error))
        .await?;
    let holding = holding.into_iter();
    Ok(holding
        .map(|row| (row.agent, (row.leases, row.is_holding)))
        .collect())
}

/// Sets agents offline until their next call and tells when each was seen last; their rows are locked.
async fn fall_silent(
    work: &mut Work<'_>,
    seen: &BTreeMap<&str, Timestamp>,
    now: Timestamp,
) -> Result<(), StoreError> {
    if seen.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = seen.keys().copied().collect();
    wake_those_left(work, &names).await?;
    statements::silence_agents()
        .bind(work.transaction, &now, &work.ns, &names)
        .await?;
    for (agent, seen_at) in seen {
        work.emit(Event {
            event_type: EventType::AgentOffline,
            graph: None,
            task: None,
            data: json!({"agent": agent, "last_seen": seen_at}),
        });
    }
    Ok(())
}

/// Sets an agent offline that says that it ends, as the duty would after its silence. An agent that holds a
/// lease that has not run out stays as it is, and so does one that has registered again since.
#[derive(Debug, Clone, Copy)]
pub struct SignOffAgent<'a> {
    pub ns: Namespace,
    pub key: Uuid,
    pub agent: &'a str,
    /// The session of the registration that ends.
    pub session: Uuid,
}

impl Operation for SignOffAgent<'_> {
    type Answer = Result<Registered, AgentRefusal>;
    const DOING: &'static str = "sign an agent off";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let locked = match lock_own(work, self.key, self.agent).await? {
            Ok(locked) => locked,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let now = work.now().await?;
        let holding = find_holding(work, &[self.agent], now).await?;
        let is_holding = holding.get(self.agent).is_some_and(|(_, holds)| *holds);
        let is_of_this_session = locked.registered.session == Some(self.session);
        let mut is_silent = locked.is_silent;
        if is_of_this_session && !is_holding && !is_silent {
            // It was heard now: what is written down of it later may not bring it back.
            see(work, &[self.agent]).await?;
            fall_silent(work, &BTreeMap::from([(self.agent, now)]), now).await?;
            is_silent = true;
        }
        Ok(Ok(Registered {
            status: locked.status.seen(is_silent),
            ..locked.registered
        }))
    }
}

/// Writes down when agents were heard; tells of those that are back. Their rows are locked.
async fn note(
    work: &mut Work<'_>,
    rows: &[&statements::LockWatchedAgents],
    at: impl Fn(&str) -> Timestamp,
) -> Result<(), StoreError> {
    if rows.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = rows.iter().map(|row| row.agent.as_str()).collect();
    let ats: Vec<Timestamp> = names.iter().map(|name| at(name)).collect();
    statements::note_agents()
        .bind(work.transaction, &names, &ats, &work.ns)
        .await?;
    for row in rows.iter().filter(|row| row.silent_since.is_some()) {
        tell_of_return(work, &row.agent, read_status(&row.agent, &row.status)?);
    }
    Ok(())
}

/// Writes down when agents ended attempts: no settlement writes an agent's row.
#[derive(Debug)]
pub struct NoteAgents<'a> {
    pub ns: Namespace,
    pub heard: &'a BTreeMap<String, Timestamp>,
}

impl Operation for NoteAgents<'_> {
    type Answer = ();
    const DOING: &'static str = "note when agents were heard";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<(), StoreError> {
        let names: Vec<&str> = self.heard.keys().map(String::as_str).collect();
        let rows = lock(work, &names).await?;
        let is_news = |row: &&statements::LockWatchedAgents| {
            let at = self.heard[&row.agent];
            let was_silent = row.silent_since.is_some_and(|since| since < at);
            was_silent || agent::is_worth_writing(row.seen_at, at)
        };
        let news: Vec<_> = rows.iter().filter(is_news).collect();
        note(work, &news, |name| self.heard[name]).await
    }
}
