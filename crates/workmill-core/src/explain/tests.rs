use std::collections::BTreeMap;

use jiff::SignedDuration;
use serde_json::json;

use super::door::{HeldLock, LockObstacle, SeenGate};
use super::dry_run::{DryRun, WouldClaim};
use super::*;
use crate::gate::{Limited, Paused, Purse, Room};
use crate::priority::Priority as Base;
use crate::rank::Boost;
use crate::resource_lock::ResourceLock;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + seconds).unwrap()
}

fn task(number: u128) -> TaskId {
    TaskId(uuid::Uuid::from_u128(number))
}

fn agent(name: &str) -> AgentFacts {
    AgentFacts {
        offer: Offer {
            agent: name.to_owned(),
            ..Offer::default()
        },
        status: "active".to_owned(),
        slots: 2,
        leases: 0,
        seen_at: Timestamp::UNIX_EPOCH,
        is_silent: false,
    }
}

fn gate(cap: i64, used: i64) -> SeenGate {
    SeenGate {
        room: Room {
            used,
            cap: Some(cap),
        },
        set_by: "operator".to_owned(),
        set_at: at(0),
        note: None,
        reserved: None,
    }
}

/// A ready task that nothing holds back.
fn ready() -> Facts {
    Facts {
        now: at(0),
        task: task(7),
        graph: task(7).into(),
        state: State::Ready,
        lane: Lane::default().id(),
        asks: Lane::default(),
        urgency: Urgency {
            base: Base::default(),
            boost: Boost::None,
            submitted: at(0),
            critical_path: 0,
            deadline: None,
            estimate: SignedDuration::from_secs(300),
        },
        rule: OnDependencyFailure::Default,
        unmet: 0,
        dependencies: Vec::new(),
        due: None,
        is_draft: false,
        is_draining: false,
        shunned: Vec::new(),
        shunned_until: None,
        created_by: "cron:nightly".to_owned(),
        admission: Admission::default(),
        spent: Micros::ZERO,
        usual: None,
        gated: None,
        door: Door::new(None, at(0).to_zoned(jiff::tz::TimeZone::UTC).date()),
        agents: vec![agent("a")],
        ahead: Some(Ahead::default()),
        recent: Vec::new(),
        held: None,
        blocked: None,
        dead_letter: None,
        history: History::default(),
        cause: None,
    }
}

fn unmet(facts: &Facts) -> Vec<Code> {
    let said = explain(facts, &PriceTable::default());
    let unmet = said.conditions.iter().filter(|condition| !condition.met);
    let unmet: Vec<Code> = unmet.map(|condition| condition.code).collect();
    assert_eq!(unmet.is_empty(), !said.claimable_by.is_empty(), "{said:#?}");
    unmet
}

fn with_gates(gates: impl IntoIterator<Item = (Gate, SeenGate)>) -> Facts {
    let mut facts = ready();
    facts.door.learn(gates.into_iter().collect(), Vec::new());
    facts
}

#[test]
fn what_nothing_holds_back_is_claimable_by_whoever_matches() {
    let said = explain(&ready(), &PriceTable::default());
    assert_eq!(said.claimable_by, ["a"]);
    assert_eq!(
        said.summary,
        "Nothing holds it back: it is next when `a` claims."
    );
    assert_eq!(said.wait.map(|wait| wait.seconds), Some(0));
}

#[test]
fn each_thing_that_holds_it_back_has_a_code_of_its_own() {
    let facts = ready();
    let cases = [
        (
            Facts {
                state: State::Pending,
                unmet: 1,
                dependencies: vec![Dependency {
                    task: task(1),
                    state: State::Running,
                    freed_runners: false,
                }],
                ..facts.clone()
            },
            Code::Dependencies,
        ),
        (
            Facts {
                state: State::Retrying,
                due: Some(at(10)),
                ..facts.clone()
            },
            Code::RetryDelay,
        ),
        (
            Facts {
                state: State::Pending,
                due: Some(at(-1)),
                ..facts.clone()
            },
            Code::Due,
        ),
        (
            Facts {
                state: State::Created,
                ..facts.clone()
            },
            Code::GraphSubmitted,
        ),
        (
            Facts {
                gated: Some((Gate::Limit(Limited::Namespace), at(-5))),
                ..facts.clone()
            },
            Code::InLane,
        ),
        (
            Facts {
                shunned: vec!["a".to_owned()],
                shunned_until: Some(at(1)),
                ..facts.clone()
            },
            Code::AgentNotExcluded,
        ),
        (
            with_gates([(Gate::Pause(Paused::Namespace), gate(-1, 0))]),
            Code::Pause,
        ),
        (
            with_gates([(Gate::Pause(Paused::Agent("a".to_owned())), gate(-1, 0))]),
            Code::AgentAvailable,
        ),
        (
            with_gates([(Gate::Limit(Limited::Source("cron".to_owned())), gate(2, 2))]),
            Code::Limit,
        ),
        (
            with_gates([(Gate::Limit(Limited::Agent("a".to_owned())), gate(0, 0))]),
            Code::AgentGate,
        ),
        (
            with_gates([(Gate::Budget(Purse::Namespace), gate(99_999, 0))]),
            Code::Budget,
        ),
    ];
    for (facts, code) in cases {
        assert_eq!(unmet(&facts), [code]);
    }
}

#[test]
fn an_exclusion_that_is_over_and_a_gate_of_somebody_else_hold_nobody_back() {
    let over = Facts {
        shunned: vec!["a".to_owned()],
        shunned_until: Some(at(0)),
        ..ready()
    };
    assert_eq!(unmet(&over), []);
    let elsewhere = with_gates([
        (Gate::Limit(Limited::Type("other".to_owned())), gate(0, 0)),
        (Gate::Limit(Limited::Agent("b".to_owned())), gate(0, 0)),
    ]);
    assert_eq!(unmet(&elsewhere), []);
}

#[test]
fn a_day_that_nobody_has_spent_anything_of_has_the_budget_of_each_day() {
    let today = at(0).to_zoned(jiff::tz::TimeZone::UTC).date();
    let mut facts = ready();
    facts.door = Door::new(Some(gate(50_000, 0)), today);
    assert_eq!(unmet(&facts), [Code::Budget]);
    facts.door = Door::new(Some(gate(100_000, 0)), today);
    assert_eq!(unmet(&facts), []);
    let spent = (Gate::Budget(Purse::Day(today)), gate(100_000, 1));
    facts
        .door
        .learn(BTreeMap::from([spent.clone()]), Vec::new());
    assert_eq!(unmet(&facts), [Code::Budget]);
    facts.door = Door::new(None, today);
    facts.door.learn(BTreeMap::from([spent]), Vec::new());
    assert_eq!(unmet(&facts), [], "days are not counted");
}

#[test]
fn locks_are_in_the_way_of_others_and_reservations_of_those_behind() {
    let mut facts = ready();
    facts.admission.locks = vec![ResourceLock::shared("repo/a")];
    let held = |number, lock| HeldLock {
        task: task(number),
        agent: "b".to_owned(),
        lock,
    };
    let own = held(7, ResourceLock::exclusive("repo"));
    let shared = held(8, ResourceLock::shared("repo"));
    facts.door.learn(BTreeMap::new(), vec![own, shared]);
    assert_eq!(unmet(&facts), []);
    let other = held(9, ResourceLock::exclusive("repo/a/b"));
    facts.door.learn(BTreeMap::new(), vec![other.clone()]);
    assert_eq!(unmet(&facts), [Code::Lock]);
    let wanted = "repo/a".to_owned();
    assert_eq!(
        facts.door.lock_obstacles(&facts.candidate()),
        [LockObstacle::Held { wanted, by: other }]
    );

    let reserved_for = |number| SeenGate {
        reserved: Some((task(number), vec![ResourceLock::exclusive("repo")])),
        ..gate(0, 0)
    };
    for (number, expected) in [(7, vec![]), (1, vec![Code::LockReservation])] {
        let mut facts = ready();
        facts.admission.locks = vec![ResourceLock::shared("repo/a")];
        let root = (Gate::Locks("repo".to_owned()), reserved_for(number));
        facts.door.learn(BTreeMap::from([root]), Vec::new());
        assert_eq!(unmet(&facts), expected);
    }
}

#[test]
fn a_dry_run_counts_what_those_before_have_taken() {
    let mut facts = ready();
    let limit = (Gate::Limit(Limited::Namespace), gate(2, 0));
    facts.door.learn(BTreeMap::from([limit]), Vec::new());
    let mut run = DryRun {
        agent: "a",
        wanted: 5,
        door: facts.door.clone(),
        now: at(0),
        would: WouldClaim::default(),
    };
    for number in 1..=3 {
        run.offer(&Candidate {
            task: task(number),
            ..facts.candidate()
        });
    }
    assert_eq!(run.would.tasks, [task(1), task(2)]);
    assert_eq!(run.would.stopped[0].gate, "limit:namespace");
}

#[test]
fn a_wait_is_reckoned_only_where_nothing_but_its_turn_is_missing() {
    let mut facts = ready();
    facts.agents[0].leases = 2;
    facts.ahead = Some(Ahead {
        count: 9,
        first: Vec::new(),
    });
    assert_eq!(
        explain(&facts, &PriceTable::default()).wait,
        None,
        "nobody knows how long one takes"
    );
    facts.admission.estimate_ms = Some(60_000);
    assert_eq!(
        explain(&facts, &PriceTable::default())
            .wait
            .map(|wait| wait.seconds),
        Some(300)
    );
    let recent = |task_type: &str, ran_ms| RecentAttempt {
        task_type: task_type.to_owned(),
        ran_ms,
    };
    facts.recent = vec![recent("", 10_000), recent("", 30_000), recent("x", 999_000)];
    let wait = explain(&facts, &PriceTable::default()).wait.unwrap();
    assert_eq!(wait.seconds, 100, "{}", wait.basis);
    assert_eq!(
        explain(&facts, &PriceTable::default())
            .position
            .map(|position| position.ahead),
        Some(9)
    );
    facts.gated = Some((Gate::Limit(Limited::Namespace), at(-5)));
    assert_eq!(explain(&facts, &PriceTable::default()).wait, None);
}

#[test]
fn beyond_a_thousand_there_are_more() {
    let mut facts = ready();
    for (count, expected) in [(1_000, (1_000, false)), (1_001, (1_000, true))] {
        facts.ahead = Some(Ahead {
            count,
            first: Vec::new(),
        });
        let position = explain(&facts, &PriceTable::default()).position.unwrap();
        assert_eq!((position.ahead, position.more), expected);
    }
}

#[test]
fn programs_may_rely_on_the_names_of_codes() {
    let facts = Facts {
        agents: Vec::new(),
        ..ready()
    };
    let said = json!(explain(&facts, &PriceTable::default()));
    assert_eq!(said["conditions"][0]["code"], "agent_exists");
    assert_eq!(said["conditions"][0]["met"], false);
    assert_eq!(json!(Code::LockReservation), "lock_reservation");
    assert_eq!(json!(AgentCode::FailedLately), "failed_lately");
}
