use std::collections::BTreeMap;

use jiff::SignedDuration;
use serde_json::json;

use super::dry_run::{DryRun, WouldClaim};
use super::gate_decision::{HeldLock, LockObstacle, SeenGate};
use super::*;
use crate::agent::AgentStatus;
use crate::gate::{Capacity, Limited, Paused, Purse};
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
        status: AgentStatus::Active,
        slots: 2,
        leases: 0,
        seen_at: Timestamp::UNIX_EPOCH,
        is_silent: false,
        is_by_hand: false,
    }
}

fn gate(cap: i64, used: i64) -> SeenGate {
    SeenGate {
        capacity: Capacity {
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
        gate_decisions: GateDecisions::new(None, at(0).to_zoned(jiff::tz::TimeZone::UTC).date()),
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
    facts
        .gate_decisions
        .learn(gates.into_iter().collect(), Vec::new());
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
                shunned: vec!["a".to_owned(), "b".to_owned()],
                shunned_until: Some(at(1)),
                agents: vec![agent("a"), agent("b")],
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
    facts.gate_decisions = GateDecisions::new(Some(gate(50_000, 0)), today);
    assert_eq!(unmet(&facts), [Code::Budget]);
    facts.gate_decisions = GateDecisions::new(Some(gate(100_000, 0)), today);
    assert_eq!(unmet(&facts), []);
    let spent = (Gate::Budget(Purse::Day(today)), gate(100_000, 1));
    facts
        .gate_decisions
        .learn(BTreeMap::from([spent.clone()]), Vec::new());
    assert_eq!(unmet(&facts), [Code::Budget]);
    facts.gate_decisions = GateDecisions::new(None, today);
    facts
        .gate_decisions
        .learn(BTreeMap::from([spent]), Vec::new());
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
    facts
        .gate_decisions
        .learn(BTreeMap::new(), vec![own, shared]);
    assert_eq!(unmet(&facts), []);
    let other = held(9, ResourceLock::exclusive("repo/a/b"));
    facts
        .gate_decisions
        .learn(BTreeMap::new(), vec![other.clone()]);
    assert_eq!(unmet(&facts), [Code::Lock]);
    let wanted = "repo/a".to_owned();
    assert_eq!(
        facts.gate_decisions.lock_obstacles(&facts.candidate()),
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
        facts
            .gate_decisions
            .learn(BTreeMap::from([root]), Vec::new());
        assert_eq!(unmet(&facts), expected);
    }
}

#[test]
fn a_dry_run_counts_what_those_before_have_taken() {
    let mut facts = ready();
    let limit = (Gate::Limit(Limited::Namespace), gate(2, 0));
    facts
        .gate_decisions
        .learn(BTreeMap::from([limit]), Vec::new());
    let mut run = DryRun {
        agent: "a",
        wanted: 5,
        gate_decisions: facts.gate_decisions.clone(),
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

fn dead_letter(number: u128) -> Facts {
    Facts {
        task: task(number),
        state: State::DeadLettered,
        dead_letter: Some(DeadLetter {
            since: at(-60),
            cause: "not_retryable".to_owned(),
            reason: "invalid_input".to_owned(),
        }),
        ..ready()
    }
}

#[test]
fn a_chain_of_three_dependencies_names_the_dead_letter_at_its_end_and_its_commands() {
    let waits = Facts {
        state: State::Pending,
        unmet: 1,
        dependencies: vec![Dependency {
            task: task(3),
            state: State::Pending,
            freed_runners: false,
        }],
        cause: Some(Box::new(CauseFacts {
            facts: dead_letter(1),
            through: vec![task(3), task(2)],
        })),
        ..ready()
    };
    let said = explain(&waits, &PriceTable::default());
    let dead = explain(&dead_letter(1), &PriceTable::default());
    let cause = Cause {
        task: task(1),
        status: State::DeadLettered,
        summary: dead.summary.clone(),
        through: vec![task(3), task(2)],
    };
    assert_eq!(said.cause, Some(cause));
    let (first, summary) = (task(1), dead.summary);
    assert_eq!(
        said.summary,
        format!("It waits for other tasks. The cause is {first}: {summary}")
    );
    assert_eq!(
        said.next,
        [
            format!("workmill dead-letter show {first}"),
            format!("workmill dead-letter resolve {first} --retry"),
        ]
    );
}

/// Asserts which commands each of these tasks is told.
fn assert_commands(cases: Vec<(&str, Facts, &[&str])>) {
    for (what, facts, expected) in cases {
        let said = explain(&facts, &PriceTable::default());
        assert_eq!(said.next, expected, "{what}: {}", said.summary);
    }
}

#[test]
fn a_task_without_an_agent_names_the_command_that_brings_one() {
    let lane = Lane {
        agent_type: Some("coder".to_owned()),
        capabilities: vec!["git".to_owned(), "big disk".to_owned()],
        models: vec!["large".to_owned(), "small".to_owned()],
        ..Lane::default()
    };
    let silent = |name: &str, seconds| AgentFacts {
        seen_at: at(seconds),
        is_silent: true,
        ..agent(name)
    };
    let with_agent = |agent: AgentFacts| Facts {
        agents: vec![agent],
        ..ready()
    };
    assert_commands(vec![
        (
            "no agent",
            Facts {
                agents: Vec::new(),
                ..ready()
            },
            &["workmill agent run -- YOUR_COMMAND"],
        ),
        (
            "no agent that could",
            Facts {
                asks: lane,
                ..ready()
            },
            &[
                "workmill agent run --type coder --cap git --cap 'big disk' --model large -- YOUR_COMMAND",
            ],
        ),
        (
            "no agent of that name",
            Facts {
                asks: Lane {
                    target_agent: Some("b".to_owned()),
                    ..Lane::default()
                },
                ..ready()
            },
            &["workmill agent run --agent b -- YOUR_COMMAND"],
        ),
        (
            "only silent agents: the one that was seen last",
            Facts {
                agents: vec![silent("a", -90), silent("b", -60), silent("c", -120)],
                ..ready()
            },
            &["workmill agent run --agent b --slots 2 -- YOUR_COMMAND"],
        ),
        (
            "an agent that was set offline",
            with_agent(AgentFacts {
                status: AgentStatus::Offline,
                ..agent("a")
            }),
            &["workmill agent activate a"],
        ),
    ]);
}

#[test]
fn a_silent_agent_is_started_with_all_that_it_had_registered() {
    let multi = AgentFacts {
        offer: Offer {
            agent: "multi".to_owned(),
            agent_type: "coder".to_owned(),
            capabilities: vec!["git".to_owned(), "big disk".to_owned()],
            models: vec!["large".to_owned(), "small".to_owned()],
            task_types: vec!["code".to_owned(), "review".to_owned()],
        },
        slots: 4,
        is_silent: true,
        ..agent("multi")
    };
    let asking = |asks, agent| Facts {
        asks,
        agents: vec![agent],
        ..ready()
    };
    let git = Lane {
        capabilities: vec!["git".to_owned()],
        ..Lane::default()
    };
    let drained = AgentFacts {
        status: AgentStatus::Draining,
        ..multi.clone()
    };
    let by_hand = AgentFacts {
        slots: 10_000,
        is_silent: true,
        is_by_hand: true,
        ..agent("a person")
    };
    let large = AgentFacts {
        slots: 10_000,
        is_silent: true,
        ..agent("large")
    };
    let for_multi = Lane {
        target_agent: Some("multi".to_owned()),
        capabilities: vec!["gpu".to_owned()],
        task_type: Some("ship".to_owned()),
        ..Lane::default()
    };
    let again = "workmill agent run --agent multi --type coder --cap git --cap 'big disk' \
                 --model large --model small --task-type code --task-type review --slots 4 \
                 -- YOUR_COMMAND";
    assert_commands(vec![
        (
            "a silent agent",
            asking(git.clone(), multi.clone()),
            &[again],
        ),
        (
            "a silent agent that an operator has drained",
            asking(git, drained),
            &["workmill agent activate multi", again],
        ),
        (
            "an agent that claims by hand",
            asking(Lane::default(), by_hand),
            &["workmill agent run --agent 'a person' -- YOUR_COMMAND"],
        ),
        (
            "more slots than a runner takes",
            asking(Lane::default(), large),
            &["workmill agent run --agent large --slots 1000 -- YOUR_COMMAND"],
        ),
        (
            "an agent named by the task that lacks what it asks",
            asking(for_multi, multi),
            &[
                "workmill agent run --agent multi --type coder --cap git --cap 'big disk' \
                 --cap gpu --model large --model small --task-type code --task-type review \
                 --task-type ship --slots 4 -- YOUR_COMMAND",
            ],
        ),
    ]);
}

#[test]
fn no_remedy_for_a_waiting_task_cancels_what_it_waits_for() {
    let waits_for = |cause: Facts, through: &[TaskId]| Facts {
        state: State::Pending,
        unmet: 1,
        dependencies: vec![Dependency {
            task: through.first().copied().unwrap_or(cause.task),
            state: cause.state,
            freed_runners: false,
        }],
        cause: Some(Box::new(CauseFacts {
            facts: cause,
            through: through.to_vec(),
        })),
        ..ready()
    };
    let cause = |state| Facts {
        task: task(1),
        state,
        ..ready()
    };
    let held = |state| Facts {
        held: Some(Held {
            agent: "coder_02".to_owned(),
            epoch: 1,
            claimed_at: at(-5),
            started_at: None,
            expires_at: Some(at(60)),
            stop: None,
            outcome: None,
        }),
        ..cause(state)
    };
    let (first, last) = (task(1), task(7));
    for state in [State::Claimed, State::Running, State::Validating] {
        let wait = format!("wait: {first} is with `coder_02`");
        let show = format!("workmill show {first}");
        assert_commands(vec![
            (state.name(), waits_for(held(state), &[task(2)]), &[&wait]),
            (state.name(), waits_for(cause(state), &[]), &[&show]),
        ]);
    }
    for state in [State::Cancelled, State::Stale] {
        let directly = format!("workmill task unblock {last} --by {first}");
        let second = task(2);
        let behind = format!("workmill task unblock {second} --by {first}");
        let through = [task(3), second];
        assert_commands(vec![
            (state.name(), waits_for(cause(state), &[]), &[&directly]),
            (state.name(), waits_for(cause(state), &through), &[&behind]),
        ]);
    }
}

#[test]
fn a_closed_gate_names_the_command_that_opens_it() {
    let paused = |paused| with_gates([(Gate::Pause(paused), gate(-1, 0))]);
    let typed = |gates| {
        let mut facts: Facts = with_gates(gates);
        facts.admission.task_type = "code".to_owned();
        facts
    };
    let today = at(0).to_zoned(jiff::tz::TimeZone::UTC).date();
    let each_day = Facts {
        gate_decisions: GateDecisions::new(Some(gate(50_000, 0)), today),
        ..ready()
    };
    assert_commands(vec![
        (
            "a paused agent",
            paused(Paused::Agent("a".to_owned())),
            &["workmill resume agent:a"],
        ),
        (
            "a paused namespace",
            paused(Paused::Namespace),
            &["workmill resume namespace"],
        ),
        (
            "a paused type",
            typed([(Gate::Pause(Paused::Type("code".to_owned())), gate(-1, 0))]),
            &["workmill resume type:code"],
        ),
        (
            "a limit",
            typed([(Gate::Limit(Limited::Type("code".to_owned())), gate(2, 2))]),
            &["workmill limits set type:code 3"],
        ),
        (
            "the limit of an agent",
            with_gates([(Gate::Limit(Limited::Agent("a".to_owned())), gate(4, 4))]),
            &["workmill limits set agent:a 5"],
        ),
        (
            "a budget",
            with_gates([(Gate::Budget(Purse::Namespace), gate(250_000, 200_000))]),
            &["workmill budget set namespace 0.3"],
        ),
        (
            "the budget of an agent",
            with_gates([(Gate::Budget(Purse::Agent("a".to_owned())), gate(99_999, 0))]),
            &["workmill budget set agent:a 0.1"],
        ),
        (
            "the budget of each day",
            each_day,
            &["workmill budget set each_day 0.1"],
        ),
    ]);
}

#[test]
fn agents_that_are_offline_are_named_with_when_they_were_last_seen() {
    let facts = Facts {
        agents: vec![
            AgentFacts {
                seen_at: at(-90),
                is_silent: true,
                ..agent("a")
            },
            AgentFacts {
                seen_at: at(-60),
                status: AgentStatus::Offline,
                ..agent("b")
            },
        ],
        ..ready()
    };
    assert_eq!(unmet(&facts), [Code::AgentAvailable]);
    let said = explain(&facts, &PriceTable::default());
    assert_eq!(
        said.summary,
        "No matching agent is available: `a` is offline, last seen at 2027-01-15T07:58:30Z; `b` is \
         offline, last seen at 2027-01-15T07:59:00Z."
    );
}

#[test]
fn what_needs_time_or_another_agent_has_a_remedy_too() {
    let full = AgentFacts {
        leases: 2,
        ..agent("a")
    };
    let due = |state, seconds| Facts {
        state,
        due: Some(at(seconds)),
        ..ready()
    };
    let run: &[&str] = &["workmill agent run -- YOUR_COMMAND"];
    let id = task(7);
    let ready_at = format!(
        "wait: {id} becomes ready by itself at {}",
        words::moment(at(10))
    );
    let ready_soon = format!("wait: {id} becomes ready by itself within a second");
    let drained =
        format!("submit {id} again in another graph, because its graph is being cancelled");
    assert_commands(vec![
        (
            "a full agent",
            Facts {
                agents: vec![full.clone()],
                ..ready()
            },
            run,
        ),
        (
            "a full agent that is the only one by name",
            Facts {
                agents: vec![full],
                asks: Lane {
                    target_agent: Some("a".to_owned()),
                    ..Lane::default()
                },
                ..ready()
            },
            &["wait until `a` has ended one of its tasks"],
        ),
        ("a scheduled task", due(State::Pending, 10), &[&ready_at]),
        ("a retry", due(State::Retrying, 10), &[&ready_at]),
        (
            "a time that has come",
            due(State::Pending, 0),
            &[&ready_soon],
        ),
        (
            "a graph that is cancelled",
            Facts {
                is_draining: true,
                ..ready()
            },
            &[&drained],
        ),
        (
            "two agents that failed it",
            Facts {
                shunned: vec!["a".to_owned(), "b".to_owned()],
                shunned_until: Some(at(1)),
                agents: vec![agent("a"), agent("b")],
                ..ready()
            },
            run,
        ),
    ]);
}

#[test]
fn the_summary_counts_its_own_conditions_and_not_those_of_the_cause() {
    let cause = Facts {
        due: Some(at(10)),
        is_draft: true,
        task: task(1),
        state: State::Created,
        ..ready()
    };
    let facts = Facts {
        state: State::Pending,
        unmet: 1,
        due: Some(at(10)),
        dependencies: vec![Dependency {
            task: task(1),
            state: State::Created,
            freed_runners: false,
        }],
        cause: Some(Box::new(CauseFacts {
            facts: cause,
            through: Vec::new(),
        })),
        ..ready()
    };
    let said = explain(&facts, &PriceTable::default());
    assert!(said.cause.unwrap().summary.ends_with("(1 more below)"));
    assert_eq!(
        said.summary.matches("more below").count(),
        1,
        "{}",
        said.summary
    );
}

#[test]
fn an_agent_that_claims_by_hand_is_named_last_and_brings_no_slots() {
    let person = AgentFacts {
        slots: 10_000,
        is_by_hand: true,
        ..agent("a person")
    };
    let lone = Facts {
        agents: vec![person.clone()],
        ..ready()
    };
    let said = explain(&lone, &PriceTable::default());
    assert_eq!(
        (said.wait, said.claimable_by),
        (None, vec!["a person".to_owned()])
    );
    let with_worker = Facts {
        agents: vec![person, agent("worker")],
        ..ready()
    };
    let said = explain(&with_worker, &PriceTable::default());
    assert_eq!(said.claimable_by, ["worker", "a person"]);
    assert!(said.wait.unwrap().basis.starts_with("2 slots are free"));
}

#[test]
fn a_type_that_no_agent_takes_is_named_in_the_sentence() {
    let reviewer = AgentFacts {
        offer: Offer {
            agent: "a".to_owned(),
            task_types: vec!["review".to_owned()],
            ..Offer::default()
        },
        ..agent("a")
    };
    let facts = Facts {
        agents: vec![reviewer],
        asks: Lane {
            task_type: Some("code".to_owned()),
            ..Lane::default()
        },
        ..ready()
    };
    assert_eq!(
        explain(&facts, &PriceTable::default()).summary,
        "No registered agent could ever run this: the task needs an agent that takes tasks of type \
         `code`."
    );
}
