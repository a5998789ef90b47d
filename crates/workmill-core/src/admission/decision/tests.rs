use std::collections::BTreeMap;

use jiff::civil::date;
use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::explain::gate_decision::{GateDecisions, HeldLock, SeenGate};
use crate::gate::{Limited, Paused, Purse};

const AGENT: &str = "agent";

fn now() -> Timestamp {
    "2026-01-01T00:00:00Z".parse().unwrap()
}

fn task(number: u128) -> TaskId {
    TaskId(Uuid::from_u128(number))
}

fn candidate(admission: &Admission) -> Candidate<'_> {
    Candidate {
        task: task(1),
        graph: task(1).into(),
        lane: LaneId(1),
        spent: Micros::ZERO,
        created_by: "source:name",
        admission,
        usual: Some(Micros(10)),
    }
}

fn seen(capacity: Capacity) -> SeenGate {
    SeenGate {
        capacity,
        set_by: "operator".to_owned(),
        set_at: now(),
        note: None,
        reserved: None,
    }
}

fn closed() -> SeenGate {
    let capacity = Capacity {
        used: 1,
        cap: Some(0),
    };
    seen(capacity)
}

fn gate_decisions(gates: BTreeMap<Gate, SeenGate>, held: Vec<HeldLock>) -> GateDecisions {
    let mut gate_decisions = GateDecisions::new(None, date(2026, 1, 1));
    gate_decisions.learn(gates, held);
    gate_decisions
}

fn held(number: u128, lock: ResourceLock) -> HeldLock {
    HeldLock {
        task: task(number),
        agent: AGENT.to_owned(),
        lock,
    }
}

#[test]
fn the_first_closed_gate_stops_a_task_and_an_agents_own_gate_leaves_it_in_its_lane() {
    let admission = Admission {
        locks: vec![ResourceLock::exclusive("repo/a")],
        ..Admission::default()
    };
    let candidate = candidate(&admission);
    let mut closed_gates = vec![
        Gate::Pause(Paused::Namespace),
        Gate::Pause(Paused::Lane(LaneId(1))),
        Gate::Limit(Limited::Namespace),
        Gate::Limit(Limited::Source("source".to_owned())),
        Gate::Limit(Limited::Agent(AGENT.to_owned())),
        Gate::Budget(Purse::Namespace),
        Gate::Budget(Purse::Agent(AGENT.to_owned())),
        Gate::Locks("repo".to_owned()),
    ];
    let lock = held(2, ResourceLock::exclusive("repo"));
    while let Some(first) = closed_gates.first().cloned() {
        let closed = closed_gates.iter().map(|gate| (gate.clone(), closed()));
        let gate_decisions = gate_decisions(closed.collect(), vec![lock.clone()]);
        let expected = match gate_decisions.decide(&candidate, AGENT, now()) {
            Decision::NotThisAgent(ask) if first.is_of_an_agent() => ask.gate,
            Decision::Stopped(ask) if !first.is_of_an_agent() => ask.gate,
            other => panic!("{other:?} at {first}"),
        };
        assert_eq!(expected, first);
        closed_gates.remove(0);
    }
    let open = gate_decisions(BTreeMap::new(), Vec::new());
    assert_eq!(open.decide(&candidate, AGENT, now()), Decision::Passes);
}

fn lock() -> impl Strategy<Value = ResourceLock> {
    let paths = ["a", "a/x", "a/x/y", "b", "b/x"];
    (0..paths.len(), any::<bool>()).prop_map(move |(path, shared)| ResourceLock {
        path: paths[path].to_owned(),
        shared,
    })
}

fn locks() -> impl Strategy<Value = Vec<ResourceLock>> {
    prop::collection::vec(lock(), 0..3)
}

fn gate() -> impl Strategy<Value = Gate> {
    let gates = [
        Gate::Pause(Paused::Namespace),
        Gate::Pause(Paused::Agent(AGENT.to_owned())),
        Gate::Limit(Limited::Namespace),
        Gate::Limit(Limited::AllButCritical),
        Gate::Limit(Limited::Agent(AGENT.to_owned())),
        Gate::Budget(Purse::Namespace),
        Gate::Budget(Purse::Day(date(2026, 1, 1))),
        Gate::Budget(Purse::Agent(AGENT.to_owned())),
        Gate::Locks("a".to_owned()),
        Gate::Locks("b".to_owned()),
    ];
    prop::sample::select(gates.to_vec())
}

fn any_seen() -> impl Strategy<Value = SeenGate> {
    let reserved = prop::option::of((1_u128..3, locks()));
    let capacity = (0_i64..20, prop::option::of(0_i64..30));
    (capacity, reserved).prop_map(|((used, cap), reserved)| SeenGate {
        reserved: reserved.map(|(number, locks)| (task(number), locks)),
        ..seen(Capacity { used, cap })
    })
}

proptest! {
    /// What explain lists is what decides: a task passes exactly if each of the gates that explain
    /// lists has room and no obstacle to its locks is listed, and the first that has none stops it.
    #[test]
    fn a_decision_agrees_with_the_conditions_that_explain_lists(
        gates in prop::collection::btree_map(gate(), any_seen(), 0..6),
        others in prop::collection::vec((1_u128..4, lock()), 0..4),
        wanted in locks(),
    ) {
        let others = others.into_iter().map(|(number, lock)| held(number, lock));
        let gate_decisions = gate_decisions(gates, others.collect());
        let admission = Admission { locks: wanted, ..Admission::default() };
        let candidate = candidate(&admission);
        let checks = gate_decisions.checks(&candidate, AGENT, now());
        let full = checks.into_iter().find(|check| !check.passes());
        let full = full.map(|check| check.ask.gate);
        let is_locked = !gate_decisions.lock_obstacles(&candidate).is_empty();
        match gate_decisions.decide(&candidate, AGENT, now()) {
            Decision::Passes => prop_assert!(full.is_none() && !is_locked),
            Decision::NotThisAgent(ask) => {
                prop_assert!(ask.gate.is_of_an_agent());
                prop_assert_eq!(full, Some(ask.gate));
            }
            Decision::Stopped(Ask { gate: Gate::Locks(_), .. }) => {
                prop_assert!(full.is_none() && is_locked);
            }
            Decision::Stopped(ask) => prop_assert_eq!(full, Some(ask.gate)),
        }
    }
}
