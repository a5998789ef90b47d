//! How the queue stands as a whole, over all namespaces: for who watches over it.
//!
//! What comes out is bounded, and so is what is looked at: so many namespaces, and so many rows of
//! each place in all of them together. Beyond, figures are what there is at least.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::TryFutureExt;
use futures_util::future::{try_join, try_join5};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use workmill_core::agent::AgentStatus;
use workmill_core::gate::{Gate, Purse};
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;
use workmill_core::priority::{Class, Priority};
use workmill_queries::queries::look::graphs::count_waiting_tasks;
use workmill_queries::queries::look::queue as statements;

use crate::connect::Store;
use crate::error::StoreError;
use crate::experience::spend::day_of;

/// Namespaces that are looked at.
pub const MOST_NAMESPACES: usize = 100;

/// Rows of a place that are looked at, in all namespaces together.
pub const MOST_ROWS: usize = 5_000;

/// How the queue stands.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Queue {
    pub places: Vec<Place>,
    /// Tasks that rest nowhere, added up from the tallies of graphs: in drafts, and waiting for a
    /// dependency.
    pub waiting: BTreeMap<State, i64>,
    pub agents: BTreeMap<AgentStatus, Agents>,
    /// Slots in use and slots of each active agent, by name; alike names of several namespaces together.
    pub at_work: BTreeMap<String, (i64, i64)>,
    pub gates: Gates,
    /// What was spent today: in the time zone of the budget of each day where there is one, otherwise in
    /// UTC.
    pub spent_today: Micros,
    /// How long the oldest event has waited for its number.
    pub oldest_event: SignedDuration,
    /// Namespaces that were looked at.
    pub namespaces: usize,
    /// Whether all namespaces were looked at, and all of each of their places.
    pub is_whole: bool,
}

/// Tasks alike that rest in one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub state: State,
    /// The kind of gate that has stopped them.
    pub gate: Option<String>,
    pub class: Class,
    pub source: String,
    pub tasks: i64,
    /// How long ago the oldest of them was submitted.
    pub age: SignedDuration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Agents {
    pub agents: i64,
    /// Those that hold something.
    pub busy: i64,
    pub slots: i64,
    /// Slots in use.
    pub leases: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Gates {
    /// How many there are, by kind.
    pub kinds: BTreeMap<&'static str, i64>,
    /// The least that any budget of a scope has left.
    pub least_left: BTreeMap<&'static str, Micros>,
    /// What the budget of each agent has left; of alike names of several namespaces the least.
    pub agents_left: BTreeMap<String, Micros>,
    /// What the budgets of this day have paid, by namespace.
    pub spent_today: BTreeMap<i64, Micros>,
}

const DOING: &str = "look at the whole queue";

impl Store {
    pub async fn look_at_queue(&self) -> Result<Queue, StoreError> {
        let now = self.now().await?;
        let client = self.client(DOING).await?;
        let failed = |error| StoreError::from_statement(DOING, error);
        let most = i64::try_from(MOST_NAMESPACES + 1).unwrap_or(i64::MAX);
        let mut namespaces = statements::find_watched_namespaces()
            .bind(&client, &most)
            .all()
            .await
            .map_err(failed)?;
        let are_all = namespaces.len() <= MOST_NAMESPACES;
        namespaces.truncate(MOST_NAMESPACES);
        let most = i64::try_from(MOST_ROWS / namespaces.len().max(1)).unwrap_or(i64::MAX);
        let (count_queue, count_agents) = (statements::count_queue(), statements::count_agents());
        let (find_gates, find_events) = (
            statements::find_watched_gates(),
            statements::find_oldest_pending_events(),
        );
        let count_waiting = count_waiting_tasks();
        let (places, agents, gates, events, waiting) = try_join5(
            count_queue.bind(&client, &most, &namespaces).all(),
            count_agents.bind(&client, &most, &namespaces).all(),
            find_gates.bind(&client, &most, &namespaces).all(),
            find_events.bind(&client, &namespaces).all(),
            count_waiting.bind(&client, &most, &namespaces).one(),
        )
        .map_err(failed)
        .await?;
        let (find_at_work, find_spend) = (
            statements::find_agents_at_work(),
            statements::find_daily_spend(),
        );
        let today = day_of(now);
        let (at_work, spend) = try_join(
            find_at_work.bind(&client, &most, &namespaces).all(),
            find_spend.bind(&client, &today, &namespaces).all(),
        )
        .map_err(failed)
        .await?;
        let gates = read_gates(gates, now)?;
        let agents = agents.into_iter().map(|row| {
            let agents = Agents {
                agents: row.agents,
                busy: row.busy,
                slots: row.slots,
                leases: row.leases,
            };
            let status = AgentStatus::from_name(&row.status);
            let corrupt = || StoreError::Corrupt(format!("agents have status {}", row.status));
            Ok((status.ok_or_else(corrupt)?, agents))
        });
        let agents = agents.collect::<Result<_, StoreError>>()?;
        let age = |since: Timestamp| now.duration_since(since).max(SignedDuration::ZERO);
        Ok(Queue {
            is_whole: are_all && are_whole(&places, most) && !waiting.is_cut,
            waiting: BTreeMap::from([
                (State::Created, waiting.created),
                (State::Pending, waiting.pending),
            ]),
            places: read_places(places, age)?,
            agents,
            at_work: add_up(at_work),
            spent_today: spent_today(&gates, &spend),
            gates,
            oldest_event: events.into_iter().map(age).max().unwrap_or_default(),
            namespaces: namespaces.len(),
        })
    }
}

/// Whether no place of a namespace has as many rows as are looked at.
fn are_whole(rows: &[statements::CountQueue], most: i64) -> bool {
    let mut counts: BTreeMap<(i64, &str), i64> = BTreeMap::new();
    for row in rows {
        *counts.entry((row.ns, &row.place)).or_default() += row.tasks;
    }
    counts.values().all(|count| *count < most)
}

fn read_places(
    rows: Vec<statements::CountQueue>,
    age: impl Fn(Timestamp) -> SignedDuration,
) -> Result<Vec<Place>, StoreError> {
    rows.into_iter()
        .map(|row| {
            let state = State::from_code(row.state)
                .ok_or_else(|| StoreError::Corrupt(format!("state {}", row.state)))?;
            let priority = row.priority.map(i64::from).map(Priority::new);
            let priority = priority.transpose().ok().flatten().unwrap_or_default();
            Ok(Place {
                state,
                gate: row.gate_kind,
                class: priority.class(),
                source: row.source,
                tasks: row.tasks,
                age: row.oldest.map(&age).unwrap_or_default(),
            })
        })
        .collect()
}

fn read_gates(
    rows: Vec<statements::FindWatchedGates>,
    now: Timestamp,
) -> Result<Gates, StoreError> {
    let mut gates = Gates::default();
    let mut zones = BTreeMap::new();
    let mut days = BTreeSet::new();
    for row in rows {
        let gate: Gate = row
            .gate
            .parse()
            .map_err(|_| StoreError::Corrupt(format!("the gate `{}`", row.gate)))?;
        let left = row.cap.map(|cap| Micros((cap - row.used).max(0)));
        let (kind, scope) = match &gate {
            Gate::Pause(_) => ("pause", None),
            Gate::Limit(_) => ("limit", None),
            Gate::Locks(_) => ("lock", None),
            Gate::Budget(Purse::EachDay) => {
                zones.insert(row.ns, row.time_zone);
                ("budget", None)
            }
            Gate::Budget(Purse::Day(day)) => {
                days.insert((row.ns, *day, left, row.spent));
                continue;
            }
            Gate::Budget(Purse::Namespace) => ("budget", Some("namespace")),
            Gate::Budget(Purse::Graph(_)) => ("budget", Some("graph")),
            Gate::Budget(Purse::Agent(agent)) => {
                if let Some(left) = left {
                    keep_least(&mut gates.agents_left, agent.clone(), left);
                }
                ("budget", Some("agent"))
            }
        };
        *gates.kinds.entry(kind).or_default() += 1;
        if let (Some(scope), Some(left)) = (scope, left) {
            keep_least(&mut gates.least_left, scope, left);
        }
    }
    for (ns, zone) in zones {
        let zone = zone.as_deref().map(TimeZone::get).transpose();
        let zone = zone.ok().flatten().unwrap_or(TimeZone::UTC);
        let today = now.to_zoned(zone).date();
        let spent = gates.spent_today.entry(ns).or_default();
        for (_, _, left, paid) in days
            .iter()
            .filter(|(of, day, ..)| *of == ns && *day == today)
        {
            *spent = spent.saturating_add(Micros(*paid));
            if let Some(left) = left {
                keep_least(&mut gates.least_left, "day", *left);
            }
        }
    }
    Ok(gates)
}

fn keep_least<K: Ord>(least: &mut BTreeMap<K, Micros>, of: K, left: Micros) {
    let known = least.entry(of).or_insert(left);
    *known = left.min(*known);
}

fn add_up(rows: Vec<statements::FindAgentsAtWork>) -> BTreeMap<String, (i64, i64)> {
    let mut agents: BTreeMap<String, (i64, i64)> = BTreeMap::new();
    for row in rows {
        let (used, slots) = agents.entry(row.agent).or_default();
        *used += row.leases;
        *slots += row.slots;
    }
    agents
}

/// The budget of each day knows exactly what was spent; without one it was recorded a moment later.
fn spent_today(gates: &Gates, recorded: &[statements::FindDailySpend]) -> Micros {
    let recorded = recorded
        .iter()
        .filter(|row| !gates.spent_today.contains_key(&row.ns))
        .map(|row| Micros(row.spent_micros));
    let exact = gates.spent_today.values().copied();
    exact
        .chain(recorded)
        .fold(Micros::ZERO, Micros::saturating_add)
}
