//! What a task meets at the gates that are there for any agent: pauses, limits, budgets, locks.

use serde_json::json;

use super::gate_decision::{Check, LockObstacle};
use super::words::{counted, list, moment};
use super::{Code, Condition, Facts, MOST_NAMED};
use crate::gate::{Gate, Limited};
use crate::lifecycle::State;
use crate::money::Micros;

pub(super) fn conditions(facts: &Facts) -> Vec<Condition> {
    let checks = facts
        .gate_decisions
        .checks(&facts.candidate(), "", facts.now);
    let checks = checks
        .iter()
        .filter(|check| !check.ask.gate.is_of_an_agent());
    let mut found: Vec<Condition> = checks.filter_map(check).collect();
    found.extend(locks(facts));
    found.extend(in_lane(facts, &found));
    found
}

/// A gate that is there for somebody else is none of its business.
fn check(check: &Check) -> Option<Condition> {
    let (gate, capacity) = (&check.ask.gate, check.seen.capacity);
    let name = gate.to_string();
    let what = name.split_once(':').map_or(name.as_str(), |(_, what)| what);
    let met = check.passes();
    let note = check.seen.note.as_ref();
    let why = note.map(|note| format!(": {note}")).unwrap_or_default();
    let mut data = json!({
        "gate": name, "set_by": check.seen.set_by, "set_at": check.seen.set_at,
        "note": check.seen.note,
    });
    let (code, sentence) = match gate {
        Gate::Pause(_) => {
            let (by, at) = (&check.seen.set_by, moment(check.seen.set_at));
            (
                Code::Pause,
                format!("`{what}` was paused by {by} at {at}{why}."),
            )
        }
        Gate::Limit(_) => {
            let cap = capacity.cap?;
            data["used"] = json!(capacity.used);
            data["cap"] = json!(cap);
            data["takes"] = json!(check.ask.amount);
            let used = capacity.used;
            let sentence = if matches!(gate, Gate::Limit(Limited::Label(_))) {
                let takes = check.ask.amount;
                format!(
                    "The limit `{what}` allows {} at a time: {used} in use, and this task takes \
                     {takes}.",
                    counted(cap, "cost unit")
                )
            } else {
                let run = if used == 1 { "runs" } else { "run" };
                let attempts = counted(cap, "running attempt");
                format!("The limit `{what}` allows {attempts}, and {used} {run}.")
            };
            (Code::Limit, sentence)
        }
        Gate::Budget(_) => {
            let cap = capacity.cap?;
            data["used_usd"] = json!(Micros(capacity.used));
            data["cap_usd"] = json!(Micros(cap));
            data["reserves_usd"] = json!(Micros(check.ask.amount));
            let sentence = format!(
                "Of the budget of `{what}`, {} of {} are spent or reserved, and this would reserve \
                 {}.",
                Micros(capacity.used),
                Micros(cap),
                Micros(check.ask.amount),
            );
            (Code::Budget, sentence)
        }
        Gate::Locks(_) => return None,
    };
    Some(Condition {
        code,
        met,
        sentence,
        data,
    })
}

fn locks(facts: &Facts) -> Vec<Condition> {
    let wanted: Vec<String> = facts
        .admission
        .locks
        .iter()
        .map(|lock| lock.path.clone())
        .collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let obstacles = facts.gate_decisions.lock_obstacles(&facts.candidate());
    if obstacles.is_empty() {
        return vec![Condition {
            code: Code::Lock,
            met: true,
            sentence: format!("No other task holds its locks: {}.", list(&wanted)),
            data: json!({"locks": wanted}),
        }];
    }
    let obstacles = obstacles.into_iter().take(MOST_NAMED);
    obstacles.map(obstacle).collect()
}

fn obstacle(obstacle: LockObstacle) -> Condition {
    match obstacle {
        LockObstacle::Held { wanted, by } => Condition {
            code: Code::Lock,
            met: false,
            sentence: format!(
                "It locks `{wanted}`, and `{}` holds `{}` for {}.",
                by.agent, by.lock.path, by.task
            ),
            data: json!({
                "wanted": wanted, "held": by.lock.path, "shared": by.lock.shared,
                "agent": by.agent, "task": by.task,
            }),
        },
        LockObstacle::Reserved { wanted, by } => Condition {
            code: Code::LockReservation,
            met: false,
            sentence: format!(
                "It locks `{wanted}`, and the lock is reserved for {by}, which waited longer."
            ),
            data: json!({"wanted": wanted, "task": by}),
        },
    }
}

/// What waits at a gate is not in its lane, though the gate may have room by now.
fn in_lane(facts: &Facts, others: &[Condition]) -> Option<Condition> {
    let (gate, since) = facts
        .gated
        .as_ref()
        .filter(|_| facts.state == State::Ready)?;
    let follows = if others.iter().all(|condition| condition.met) {
        "there is room now, and it goes back to its lane within a second"
    } else {
        "it goes back to its lane when there is room"
    };
    Some(Condition {
        code: Code::InLane,
        met: false,
        sentence: format!("It waits at `{gate}` since {}: {follows}.", moment(*since)),
        data: json!({"gate": gate.to_string(), "since": since}),
    })
}
