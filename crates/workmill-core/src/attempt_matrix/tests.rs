use serde_json::json;

use super::*;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + seconds).unwrap()
}

fn attempt(agent: &str, model: &str, failed: Option<Reason>) -> Attempt {
    Attempt {
        agent: agent.to_owned(),
        model: model.to_owned(),
        ended_at: at(60),
        failed: failed.map(|reason| Failure {
            reason,
            fingerprint: 7,
        }),
    }
}

fn crash(agent: &str, model: &str) -> Attempt {
    attempt(agent, model, Some(Reason::Crash))
}

/// The tallies are what was done elsewhere; the attempts here are added, as the recorder does.
fn history(here: &[Attempt], elsewhere: &[(&str, &str, i64, i64)]) -> History {
    let tally = |agent: &str, model: &str, completed, failed| Tally {
        agent: agent.to_owned(),
        model: model.to_owned(),
        count: Count { completed, failed },
    };
    let elsewhere = elsewhere.iter();
    let elsewhere =
        elsewhere.map(|(agent, model, completed, failed)| tally(agent, model, *completed, *failed));
    let own = here.iter().filter(|one| one.is_telling()).map(|one| {
        let failed = i64::from(one.failed.is_some());
        tally(&one.agent, &one.model, 1 - failed, failed)
    });
    History {
        here: here.to_vec(),
        is_cut_off: false,
        tallies: elsewhere.chain(own).collect(),
    }
}

fn judged(here: &[Attempt], elsewhere: &[(&str, &str, i64, i64)]) -> (Suspect, String) {
    let matrix = attempt_matrix(&history(here, elsewhere), &PriceTable::built_in());
    let matrix = matrix.expect("something failed");
    (matrix.suspect, matrix.because)
}

fn suspect(here: &[Attempt], elsewhere: &[(&str, &str, i64, i64)]) -> Suspect {
    judged(here, elsewhere).0
}

#[test]
fn a_task_that_two_agents_fail_who_succeed_elsewhere_is_suspect() {
    let healthy = [("a", "m", 5, 0), ("b", "m", 3, 1), ("c", "m", 4, 0)];
    let (said, because) = judged(&[crash("a", "m"), crash("b", "m")], &healthy);
    assert_eq!(said, Suspect::Task);
    assert_eq!(
        because,
        "`a`, `b` failed it in the same way, and complete other tasks."
    );
    // One agent that fails it again and again may be the agent.
    let (said, because) = judged(&[crash("a", "m"), crash("a", "m")], &healthy);
    assert_eq!(said, Suspect::Unknown);
    assert!(because.contains("It takes another agent"), "{because}");
    // A sick one that failed it too changes nothing.
    let here = [crash("a", "m"), crash("b", "m"), crash("sick", "m")];
    let mut with_sick = healthy.to_vec();
    with_sick.push(("sick", "m", 0, 9));
    assert_eq!(suspect(&here, &with_sick), Suspect::Task);
    // Attempts that named no model count with all models of their agent.
    let here = [crash("a", ""), crash("b", "")];
    assert_eq!(suspect(&here, &healthy), Suspect::Task);
    // A model that an agent uses for the first time, and that others succeed with.
    let here = [crash("a", "n"), crash("b", "n")];
    let known = [("a", "m", 5, 0), ("b", "m", 5, 0), ("c", "n", 3, 0)];
    assert_eq!(suspect(&here, &known), Suspect::Task);
}

#[test]
fn what_the_network_fails_does_not_make_a_task_suspect() {
    let network = |agent| attempt(agent, "m", Some(Reason::Network));
    let healthy = [("a", "m", 5, 0), ("b", "m", 5, 0)];
    let (said, because) = judged(&[network("a"), network("b")], &healthy);
    assert_eq!(said, Suspect::Unknown);
    assert!(because.contains("network"), "{because}");
}

#[test]
fn an_agent_that_fails_elsewhere_while_others_succeed_is_suspect() {
    let sick = Suspect::Agent("sick".to_owned());
    for model in ["m", ""] {
        let elsewhere = [("sick", model, 0, 4), ("well", model, 6, 1)];
        let (said, because) = judged(&[crash("sick", model)], &elsewhere);
        assert_eq!(said, sick, "{because}");
        assert!(because.contains("`sick` fails other tasks too (0 of 4 completed)"));
        assert!(because.ends_with(": `well`."), "{because}");
    }
    // Elsewhere once is not enough to tell.
    let elsewhere = [("sick", "m", 0, 1), ("well", "m", 6, 1)];
    assert_eq!(suspect(&[crash("sick", "m")], &elsewhere), Suspect::Unknown);
    // Its own attempts at this task are not elsewhere.
    let here = vec![crash("sick", "m"); 5];
    assert_eq!(suspect(&here, &elsewhere), Suspect::Unknown);
    // Nobody to compare it with.
    let alone = [("sick", "m", 0, 9)];
    let (said, because) = judged(&[crash("sick", "m")], &alone);
    assert_eq!(said, Suspect::Unknown);
    assert!(because.contains("to compare with"), "{because}");
    // It fails with any model, also with one that is new to it.
    let elsewhere = [("sick", "n", 0, 4), ("well", "m", 6, 1)];
    assert_eq!(suspect(&[crash("sick", "m")], &elsewhere), sick);
}

#[test]
fn a_model_that_different_agents_fail_with_is_suspect_if_they_or_others_succeed_with_others() {
    let here = [crash("a", "m"), crash("b", "m")];
    let model = Suspect::Model("m".to_owned());
    let same_agents = [
        ("a", "m", 0, 3),
        ("b", "m", 0, 2),
        ("a", "n", 4, 0),
        ("b", "n", 4, 0),
    ];
    let (said, because) = judged(&here, &same_agents);
    assert_eq!(said, model);
    assert!(because.starts_with("`a`, `b` fail with `m`"), "{because}");
    let others = [("a", "m", 0, 3), ("b", "m", 0, 2), ("c", "n", 4, 0)];
    assert_eq!(suspect(&here, &others), model);
    assert_eq!(suspect(&[crash("new", "m")], &others), model);
    // Nobody succeeds with anything: it may be whatever they have in common.
    let all_fail = [("a", "m", 0, 3), ("b", "m", 0, 2), ("c", "n", 0, 4)];
    let (said, because) = judged(&here, &all_fail);
    assert_eq!(said, Suspect::Unknown);
    assert!(because.contains("Other agents fail as well"), "{because}");
    // Most succeed with it: two sick agents.
    let sick = [
        ("a", "m", 0, 3),
        ("b", "m", 0, 2),
        ("c", "m", 4, 0),
        ("d", "m", 4, 0),
        ("e", "n", 4, 0),
    ];
    assert_eq!(suspect(&here, &sick), Suspect::Agent("a".to_owned()));
}

#[test]
fn the_provider_is_suspect_when_its_other_models_fail_as_well() {
    let here = [crash("a", "claude-opus-5"), crash("b", "openai/gpt")];
    let elsewhere = [
        ("a", "claude-opus-5", 0, 3),
        ("c", "claude-opus-4-8", 0, 2),
        ("d", "openai/gpt", 4, 0),
    ];
    let (said, because) = judged(&here, &elsewhere);
    assert_eq!(said, Suspect::Provider("anthropic".to_owned()));
    assert!(
        because.contains("(`claude-opus-4-8`, `claude-opus-5`)"),
        "{because}"
    );
    let one_model = [
        ("a", "claude-opus-5", 0, 3),
        ("b", "claude-opus-5", 0, 3),
        ("d", "openai/gpt", 4, 0),
    ];
    let (said, because) = judged(&here, &one_model);
    assert_eq!(said, Suspect::Model("claude-opus-5".to_owned()));
    assert!(
        because.ends_with("It may be all of `anthropic`: no other model of it was tried."),
        "{because}"
    );
    // With another one of its models there is success.
    let mut healthy = one_model.to_vec();
    healthy.push(("c", "claude-opus-4-8", 5, 0));
    let (said, because) = judged(&here, &healthy);
    assert_eq!(said, Suspect::Model("claude-opus-5".to_owned()));
    assert!(!because.contains("anthropic"), "{because}");
}

#[test]
fn what_the_queue_a_person_or_a_limit_ended_says_nothing() {
    for reason in Reason::ALL.into_iter().filter(|one| !one.is_telling()) {
        let here = [attempt("a", "m", Some(reason))];
        let elsewhere = [("a", "m", 0, 5), ("b", "m", 5, 0)];
        let (said, because) = judged(&here, &elsewhere);
        assert_eq!(said, Suspect::Unknown);
        assert!(because.contains(reason.name()), "{because}");
    }
    let never_failed = history(&[attempt("a", "m", None)], &[]);
    assert_eq!(attempt_matrix(&never_failed, &PriceTable::default()), None);
}

#[test]
fn a_line_tells_how_it_ended_here_and_elsewhere() {
    let here = [
        attempt("b", "", None),
        crash("a", "m"),
        attempt("a", "m", Some(Reason::RateLimit)),
        crash("a", "m"),
    ];
    let elsewhere = [("a", "m", 2, 1), ("a", "n", 1, 0), ("c", "m", 5, 3)];
    let matrix = attempt_matrix(&history(&here, &elsewhere), &PriceTable::default()).unwrap();
    assert_eq!(
        json!(matrix.lines),
        json!([
            {
                "agent": "a", "model": "m",
                "here": [{"ended": "crash", "times": 2}, {"ended": "rate_limit", "times": 1}],
                "agent_elsewhere": {"completed": 3, "failed": 1},
                "model_elsewhere": {"completed": 7, "failed": 4},
            },
            {
                "agent": "b", "here": [{"ended": "completed", "times": 1}],
                "agent_elsewhere": {"completed": 0, "failed": 0},
            },
        ])
    );
    assert_eq!(json!(Suspect::Unknown), json!({"kind": "unknown"}));
    let agent = Suspect::Agent("a".to_owned());
    assert_eq!(json!(agent), json!({"kind": "agent", "name": "a"}));
}

#[test]
fn the_hours_lie_around_the_last_failure_and_leave_out_what_was_not_read() {
    let mut history = history(&[attempt("a", "m", None), crash("a", "m")], &[]);
    history.here[0].ended_at = at(100 * 3600);
    history.here[1].ended_at = at(3 * 3600 + 5);
    let hours = |from: i64, until: i64| Hours {
        from: at(from * 3600),
        until: at(until * 3600),
    };
    assert_eq!(history.hours(), Some(hours(1, 6)));
    history.is_cut_off = true;
    assert_eq!(history.hours(), Some(hours(4, 6)));
    history.here.pop();
    assert_eq!(history.hours(), None);
}
