//! Gates: limits, budgets and pauses are set, raised and removed here; claims pass them in the
//! store.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use workmill_core::gate::{Gate, Limited, Paused, Purse, class_limits};
use workmill_core::money::Micros;
use workmill_store::gates::change::{ChangeGates, GateChange, PATIENCE};
use workmill_store::gates::keep::KeepGates;

pub use workmill_store::gates::change::{Changed, GateView};

use crate::engine::{Caller, Engine};
use crate::error::EngineError;
use crate::filter::check_limit;
use crate::intake::limits::{LONGEST_WORD, check_text};

/// The most that a limit can be.
const MOST_RUNNING: i64 = 1_000_000;

const LONGEST_NOTE: usize = 1_000;

/// Gates on a page.
pub const MOST_GATES: usize = 500;

/// Refuses a page of no gates, or of more than one may have.
pub fn check_page(limit: usize) -> Result<(), EngineError> {
    check_limit(limit, MOST_GATES)
}

impl Engine {
    /// Every limit, budget and pause of the namespace, with how much of it is used.
    pub async fn gates(&self, caller: &Caller) -> Result<Vec<GateView>, EngineError> {
        Ok(self.store().find_gates(caller.ns).await?)
    }

    /// Every budget as it stands; that of each day with what today has used of it.
    pub async fn budgets(&self, caller: &Caller) -> Result<Vec<GateView>, EngineError> {
        let views = self.gates(caller).await?;
        Ok(with_today(views, self.store().now().await?))
    }

    /// Budgets of graphs that have ended, of the newest graphs first. They hold again if their graph goes
    /// on.
    pub async fn budgets_of_ended_graphs(
        &self,
        caller: &Caller,
    ) -> Result<Vec<GateView>, EngineError> {
        Ok(self.store().find_retired_budgets(caller.ns).await?)
    }

    /// Lets at most so many run at a time; of a label, so many units.
    pub async fn set_limit(
        &self,
        caller: &Caller,
        limited: Limited,
        cap: i64,
        note: Option<String>,
    ) -> Result<Changed, EngineError> {
        check_cap(cap)?;
        let change = GateChange::Set {
            gate: Gate::Limit(limited),
            cap,
            note,
            time_zone: None,
        };
        self.change_gate(caller, change).await
    }

    /// Lets at most so many run at a time in the whole namespace, with a share of them for each
    /// class and a reserve for critical work.
    pub async fn set_namespace_limit(
        &self,
        caller: &Caller,
        maximum: i64,
        note: Option<String>,
    ) -> Result<Vec<Changed>, EngineError> {
        check_cap(maximum)?;
        let shares = class_limits(maximum).into_iter();
        let changes: Vec<GateChange> = std::iter::once((Limited::Namespace, maximum))
            .chain(shares)
            .map(|(limited, cap)| GateChange::Set {
                gate: Gate::Limit(limited),
                cap,
                note: note.clone(),
                time_zone: None,
            })
            .collect();
        self.change_gates(caller, &changes).await
    }

    /// Lets so much money be spent, what is spent and reserved already included.
    pub async fn set_budget(
        &self,
        caller: &Caller,
        purse: Purse,
        cap: Micros,
        time_zone: Option<String>,
        note: Option<String>,
    ) -> Result<Changed, EngineError> {
        if cap.is_negative() {
            return Err(EngineError::invalid("budget_usd", "must not be negative"));
        }
        if matches!(purse, Purse::Day(_)) {
            let problem = "set the budget of `each_day`; a single day has no budget of its own";
            return Err(EngineError::invalid("scope", problem));
        }
        if let Some(zone) = &time_zone
            && TimeZone::get(zone).is_err()
        {
            let problem = format!("`{zone}` is not the name of a time zone");
            return Err(EngineError::invalid("time_zone", problem));
        }
        let change = GateChange::Set {
            gate: Gate::Budget(purse),
            cap: cap.0,
            note,
            time_zone,
        };
        self.change_gate(caller, change).await
    }

    /// Lets an agent spend this much from now on, or no more than this if `only_lower`.
    pub(crate) async fn leave_agent_budget(
        &self,
        caller: &Caller,
        agent: &str,
        left: Micros,
        only_lower: bool,
    ) -> Result<(), EngineError> {
        let change = GateChange::Leave {
            gate: Gate::Budget(Purse::Agent(agent.to_owned())),
            left: left.0,
            only_lower,
        };
        self.change_gate(caller, change).await.map(drop)
    }

    /// More money than there was: what waited for it goes on.
    pub async fn raise_budget(
        &self,
        caller: &Caller,
        purse: Purse,
        by: Micros,
    ) -> Result<Changed, EngineError> {
        let gate = Gate::Budget(purse);
        let change = GateChange::Raise { gate, by: by.0 };
        self.change_gate(caller, change).await
    }

    /// Starts nothing of it any more. What runs goes on; agents that are paused, or whose graph or
    /// namespace is, are told so with their heartbeats.
    pub async fn pause(
        &self,
        caller: &Caller,
        what: Paused,
        note: Option<String>,
    ) -> Result<Changed, EngineError> {
        self.change_gate(caller, GateChange::Pause { what, note })
            .await
    }

    /// Goes on with what was paused.
    pub async fn resume(&self, caller: &Caller, what: Paused) -> Result<Changed, EngineError> {
        self.remove_gate(caller, Gate::Pause(what)).await
    }

    /// Nobody has to pass it any more.
    pub async fn remove_gate(&self, caller: &Caller, gate: Gate) -> Result<Changed, EngineError> {
        let missing = EngineError::NotFound {
            what: format!("`{gate}`"),
        };
        let changed = self
            .change_gate(caller, GateChange::Remove { gate })
            .await?;
        if changed.before.is_none() {
            return Err(missing);
        }
        Ok(changed)
    }

    async fn change_gate(
        &self,
        caller: &Caller,
        change: GateChange,
    ) -> Result<Changed, EngineError> {
        let mut changed = self.change_gates(caller, &[change]).await?;
        changed.pop().ok_or(EngineError::Overloaded)
    }

    async fn change_gates(
        &self,
        caller: &Caller,
        changes: &[GateChange],
    ) -> Result<Vec<Changed>, EngineError> {
        for change in changes {
            check_names(change)?;
            self.check_graph(caller, change).await?;
        }
        let operation = ChangeGates {
            ns: caller.ns,
            by: &caller.name,
            changes,
            patience: PATIENCE,
        };
        let store = self.store();
        let answered = store.change_gates(Some(&caller.actor()), &operation).await;
        let (answer, mut effects) = answered?;
        self.shared.take_effect(caller.ns, &mut effects);
        let done = answer.map_err(|missing| {
            let what = format!("`{}`", missing.0);
            EngineError::NotFound { what }
        })?;
        self.let_waiters_in(caller).await;
        Ok(done)
    }

    /// Returns waiting tasks to their lanes, also where there are many. The change is committed, so
    /// nothing here fails it: what is not reached in time is left to the duty `gate_keeper`.
    async fn let_waiters_in(&self, caller: &Caller) {
        let keep = KeepGates {
            ns: caller.ns,
            reconciles: false,
        };
        let letting_in = async { while self.run(&keep).await.is_ok_and(|report| report.more) {} };
        if tokio::time::timeout(PATIENCE, letting_in).await.is_err() {
            tracing::debug!("tasks that wait at gates are left to the gate keeper");
        }
    }

    /// A gate on a graph that is not there would wait for one that never comes. It may be removed
    /// when its graph is gone.
    async fn check_graph(&self, caller: &Caller, change: &GateChange) -> Result<(), EngineError> {
        let graph = match change {
            GateChange::Set {
                gate: Gate::Budget(Purse::Graph(graph)),
                ..
            }
            | GateChange::Pause {
                what: Paused::Graph(graph),
                ..
            } => *graph,
            _ => return Ok(()),
        };
        if self.store().has_graph(caller.ns, graph).await? {
            return Ok(());
        }
        Err(EngineError::NotFound {
            what: graph.to_string(),
        })
    }
}

/// The budgets of single days are not shown: what today's has used is shown with that of each day.
fn with_today(views: Vec<GateView>, now: Timestamp) -> Vec<GateView> {
    let mut days = BTreeMap::new();
    let mut budgets = Vec::new();
    for view in views {
        match &view.gate {
            Gate::Budget(Purse::Day(day)) => drop(days.insert(*day, view)),
            Gate::Budget(_) => budgets.push(view),
            Gate::Pause(_) | Gate::Limit(_) | Gate::Locks(_) => {}
        }
    }
    for each_day in &mut budgets {
        if each_day.gate != Gate::Budget(Purse::EachDay) {
            continue;
        }
        let zone = each_day.time_zone.as_deref().unwrap_or("UTC");
        let zone = TimeZone::get(zone).unwrap_or(TimeZone::UTC);
        if let Some(today) = days.get(&now.to_zoned(zone).date()) {
            each_day.used = today.used;
            each_day.spent = today.spent;
            each_day.has_waiters = today.has_waiters;
        }
    }
    budgets
}

fn check_cap(cap: i64) -> Result<(), EngineError> {
    if (0..=MOST_RUNNING).contains(&cap) {
        return Ok(());
    }
    let problem = format!("{cap} is not between 0 and {MOST_RUNNING}");
    Err(EngineError::invalid("max", problem))
}

fn check_names(change: &GateChange) -> Result<(), EngineError> {
    let (gate, note) = match change {
        GateChange::Set { gate, note, .. } => (gate.clone(), note.as_ref()),
        GateChange::Pause { what, note } => (Gate::Pause(what.clone()), note.as_ref()),
        GateChange::Raise { gate, .. }
        | GateChange::Leave { gate, .. }
        | GateChange::Remove { gate } => (gate.clone(), None),
    };
    let name = match &gate {
        Gate::Pause(Paused::Type(name) | Paused::Label(name) | Paused::Agent(name))
        | Gate::Limit(
            Limited::Source(name)
            | Limited::Type(name)
            | Limited::Label(name)
            | Limited::Agent(name),
        )
        | Gate::Budget(Purse::Agent(name)) => name.as_str(),
        Gate::Locks(_) => {
            let problem = "a lock cannot be set: a task requests it in its field `locks`";
            return Err(EngineError::invalid("scope", problem));
        }
        Gate::Pause(Paused::Namespace | Paused::Graph(_) | Paused::Lane(_))
        | Gate::Limit(Limited::Namespace | Limited::AllButCritical | Limited::Class(_))
        | Gate::Budget(Purse::Namespace | Purse::EachDay | Purse::Day(_) | Purse::Graph(_)) => {
            "plain"
        }
    };
    check_text("scope", name, LONGEST_WORD)?;
    if name.chars().any(char::is_control) {
        return Err(EngineError::invalid("scope", "no control characters"));
    }
    note.map_or(Ok(()), |note| check_text("note", note, LONGEST_NOTE))
}
