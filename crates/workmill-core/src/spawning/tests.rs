use proptest::prelude::*;

use super::*;

fn spawner() -> Spawner {
    let asked = NewTask {
        priority: Priority::new(60).expect("on the scale"),
        locks: vec![
            ResourceLock::exclusive("repo/src"),
            ResourceLock::shared("lib"),
        ],
        ..NewTask::default()
    };
    Spawner {
        policy: asked.policy(),
        asked,
        depth: 3,
        critical_path: 2,
        agent: "coder_01".to_owned(),
        agent_type: "coder".to_owned(),
        kin: vec!["coder_01".to_owned()],
        left: None,
    }
}

fn with(change: impl FnOnce(&mut NewTask)) -> NewTask {
    let mut task = NewTask::default();
    change(&mut task);
    task
}

/// The field that is refused, if one is.
fn refused(spawner: &Spawner, settings: SpawnSettings, task: NewTask) -> Option<&'static str> {
    let bound = spawner.bound(&settings, &mut [task]);
    bound.err().map(|(_, beyond)| beyond.field)
}

#[test]
fn spawned_work_is_not_more_urgent_than_the_spawning_task() {
    let spawner = spawner();
    let mut tasks = [
        NewTask::default(),
        with(|task| task.priority = Priority::new(80).expect("low")),
    ];
    spawner
        .bound(&SpawnSettings::default(), &mut tasks)
        .expect("within bounds");
    assert_eq!(
        tasks[0].priority, spawner.asked.priority,
        "the default is more urgent"
    );
    assert_eq!(tasks[1].priority.value(), 80);
    let soon = "2026-01-01T00:00:00Z".parse().expect("a time");
    for (change, field) in [
        (
            with(|task| task.priority = Priority::new(0).expect("critical")),
            "priority",
        ),
        (
            with(|task| task.priority_boost_per_minute = Some(10.0)),
            "priority_boost_per_minute",
        ),
        (with(|task| task.deadline = Some(soon)), "deadline"),
    ] {
        assert_eq!(
            refused(&spawner, SpawnSettings::default(), change),
            Some(field)
        );
    }
}

#[test]
fn a_spawned_task_does_not_age_faster_than_the_spawning_task() {
    let mut spawner = spawner();
    spawner.asked.profile = Profile::Task;
    spawner.policy = spawner.asked.policy();
    let mut tasks = [NewTask::default()];
    let settings = SpawnSettings::default();
    spawner.bound(&settings, &mut tasks).expect("within bounds");
    assert_eq!(tasks[0].policy().boost, spawner.policy.boost);
    let faster = with(|task| task.priority_boost_per_minute = Some(0.1));
    assert_eq!(
        refused(&spawner, settings, faster),
        Some("priority_boost_per_minute")
    );
}

#[test]
fn a_chain_counts_for_a_spawned_task_only_as_much_as_for_the_spawning_task() {
    let spawner = spawner();
    let policy = spawner.bound_policy(NewTask::default().policy());
    let points = [0, 1, 2, 20].map(|length| policy.points_of_chain(length));
    assert_eq!(points, [0, 1, 2, 2]);
}

#[test]
fn an_agent_without_a_type_spawns_no_work_that_stays_with_its_own_kind() {
    let mut spawner = spawner();
    spawner.agent_type = String::new();
    let settings = SpawnSettings::default();
    assert_eq!(refused(&spawner, settings, NewTask::default()), None);
    let of_workflow = with(|task| task.profile = Profile::Workflow);
    let (_, beyond) = spawner.bound(&settings, &mut [of_workflow]).unwrap_err();
    assert_eq!(beyond.field, "tasks");
    assert!(beyond.problem.contains("`coder_01` had registered no type"));
}

#[test]
fn a_deadline_is_that_of_the_spawning_task_or_later() {
    let later = "2026-01-02T00:00:00Z".parse().expect("a time");
    let mut spawner = spawner();
    spawner.asked.deadline = Some(later);
    let due = |at: &str, estimate| {
        with(|task| {
            task.deadline = at.parse().ok();
            task.estimate_sec = estimate;
        })
    };
    let settings = SpawnSettings::default();
    assert_eq!(
        refused(&spawner, settings, due("2026-01-02T00:00:00Z", None)),
        None
    );
    let sooner = due("2026-01-01T00:00:00Z", None);
    assert_eq!(refused(&spawner, settings, sooner), Some("deadline"));
    let long = due("2026-01-03T00:00:00Z", Some(1e8));
    assert_eq!(refused(&spawner, settings, long), Some("estimate_sec"));
}

#[test]
fn times_are_bounded_by_the_spawning_task_and_the_profile() {
    let mut spawner = spawner();
    spawner.asked.spec.constraints.max_duration_sec = Some(60.0);
    spawner.policy = spawner.asked.policy();
    for (change, field) in [
        (with(|task| task.lease_sec = Some(3e8)), "lease_sec"),
        (with(|task| task.claim_ttl_sec = Some(3e8)), "claim_ttl_sec"),
        (
            with(|task| task.heartbeat_interval_sec = Some(3e8)),
            "heartbeat_interval_sec",
        ),
        (with(|task| task.max_attempts = Some(1000)), "max_attempts"),
        (
            with(|task| task.spec.constraints.max_duration_sec = Some(61.0)),
            "spec.constraints.max_duration_sec",
        ),
        (
            with(|task| task.max_timeout_sec = Some(481.0)),
            "max_timeout_sec",
        ),
    ] {
        assert_eq!(
            refused(&spawner, SpawnSettings::default(), change),
            Some(field)
        );
    }
    let mut tasks = [with(|task| task.lease_sec = Some(90.0))];
    spawner
        .bound(&SpawnSettings::default(), &mut tasks)
        .expect("within bounds");
    assert_eq!(tasks[0].spec.constraints.max_duration_sec, Some(60.0));
}

/// A-8 (part): the rule.
#[test]
fn work_of_the_workflow_profile_stays_with_its_own_kind() {
    let for_research = || with(|task| task.agent_type = Some("research".to_owned()));
    let of_workflow = |task: NewTask| NewTask {
        profile: Profile::Workflow,
        ..task
    };
    let spawner = spawner();
    let settings = SpawnSettings::default();
    assert_eq!(
        refused(&spawner, settings, for_research()),
        None,
        "a coder may spawn research"
    );
    let stranger = of_workflow(for_research());
    assert_eq!(refused(&spawner, settings, stranger), Some("agent_type"));
    let own_kind = SpawnSettings {
        spawn_for: SpawnFor::OwnKind,
        ..settings
    };
    assert_eq!(
        refused(&spawner, own_kind, for_research()),
        Some("agent_type")
    );
    let any = SpawnSettings {
        spawn_for: SpawnFor::Any,
        ..settings
    };
    assert_eq!(refused(&spawner, any, of_workflow(for_research())), None);
    let at = |name: &str| of_workflow(with(|task| task.target_agent = Some(name.to_owned())));
    assert_eq!(refused(&spawner, settings, at("coder_01")), None);
    assert_eq!(
        refused(&spawner, settings, at("coder_02")),
        Some("target_agent")
    );

    let capable = with(|task| {
        task.spec.constraints.required_capabilities = vec!["research".to_owned()];
    });
    let mut tasks = [of_workflow(capable)];
    spawner.bound(&settings, &mut tasks).expect("within bounds");
    assert_eq!(
        tasks[0].agent_type.as_deref(),
        Some("coder"),
        "whatever it requires"
    );
}

/// A-8 (part): a task of another profile in between would let the next one be for anybody.
#[test]
fn a_task_below_one_of_the_workflow_profile_has_that_profile() {
    let spawner = Spawner {
        policy: Profile::Workflow.policy(),
        ..spawner()
    };
    let settings = SpawnSettings::default();
    let mut tasks = [with(|_| ())];
    spawner.bound(&settings, &mut tasks).expect("within bounds");
    assert_eq!(tasks[0].profile, Profile::Workflow);
    let of_hub = || with(|task| task.profile = Profile::Hub);
    assert_eq!(refused(&spawner, settings, of_hub()), Some("profile"));
    let any = SpawnSettings {
        spawn_for: SpawnFor::Any,
        ..settings
    };
    assert_eq!(refused(&spawner, any, of_hub()), None);
}

#[test]
fn locks_are_those_that_the_spawning_task_holds() {
    let locking = |lock| with(|task| task.locks = vec![lock]);
    let spawner = spawner();
    let settings = SpawnSettings::default();
    for (lock, is_granted) in [
        (ResourceLock::exclusive("repo/src"), true),
        (ResourceLock::exclusive("repo/src/a"), true),
        (ResourceLock::shared("repo/src"), true),
        (ResourceLock::shared("lib/x"), true),
        (ResourceLock::exclusive("lib/x"), false),
        (ResourceLock::exclusive("repo"), false),
        (ResourceLock::shared("other"), false),
    ] {
        let expected = if is_granted { None } else { Some("locks") };
        assert_eq!(
            refused(&spawner, settings, locking(lock.clone())),
            expected,
            "{lock:?}"
        );
    }
    let any = SpawnSettings {
        locks: SpawnLocks::Any,
        ..settings
    };
    assert_eq!(
        refused(&spawner, any, locking(ResourceLock::exclusive("repo"))),
        None
    );
}

#[test]
fn a_budget_comes_out_of_what_is_left_of_the_spawning_task() {
    let spawner = Spawner {
        left: Some(Micros(900)),
        ..spawner()
    };
    let costing = |cost| with(|task| task.spec.constraints.max_cost_usd = cost);
    let mut tasks = [costing(Some(Micros(300))), costing(None), costing(None)];
    spawner
        .bound(&SpawnSettings::default(), &mut tasks)
        .expect("within bounds");
    let costs = tasks.map(|task| task.spec.constraints.max_cost_usd);
    assert_eq!(
        costs,
        [300, 200, 200].map(|cost| Some(Micros(cost))),
        "and as much stays"
    );
    let mut tasks = [costing(Some(Micros(500))), costing(Some(Micros(401)))];
    let refused = spawner.bound(&SpawnSettings::default(), &mut tasks);
    assert_eq!(
        refused.map_err(|(place, beyond)| (place, beyond.field)),
        Err((1, "spec.constraints.max_cost_usd"))
    );
    let poor = Spawner {
        left: Some(Micros::ZERO),
        ..spawner
    };
    assert!(
        poor.bound(&SpawnSettings::default(), &mut [costing(None)])
            .is_err()
    );
}

#[test]
fn spawning_goes_only_so_deep() {
    let spawner = spawner();
    let at_most = |most_depth| SpawnSettings {
        most_depth,
        ..SpawnSettings::default()
    };
    assert!(spawner.check_depth(&at_most(4)).is_ok());
    assert!(spawner.check_depth(&at_most(3)).is_err());
}

#[test]
fn settings_are_named_as_they_are_written() {
    for one in SpawnFor::ALL {
        assert_eq!(serde_json::to_value(one).expect("JSON"), one.name());
        assert_eq!(SpawnFor::from_name(one.name()), Some(one));
    }
    for one in SpawnLocks::ALL {
        assert_eq!(serde_json::to_value(one).expect("JSON"), one.name());
        assert_eq!(SpawnLocks::from_name(one.name()), Some(one));
    }
}

fn any_task() -> impl Strategy<Value = NewTask> {
    let seconds = || prop::option::of(prop::sample::select(vec![1.0, 30.0, 90.0, 600.0, 1e6]));
    let cost = prop::option::of(0i64..2_000);
    (
        0i64..=100,
        seconds(),
        seconds(),
        seconds(),
        cost,
        prop::option::of(0.0..10.0f64),
    )
        .prop_map(|(priority, lease, ttl, duration, cost, boost)| {
            with(|task| {
                task.priority = Priority::new(priority).expect("on the scale");
                task.lease_sec = lease;
                task.claim_ttl_sec = ttl;
                task.priority_boost_per_minute = boost;
                task.spec.constraints.max_duration_sec = duration;
                task.spec.constraints.max_cost_usd = cost.map(Micros);
            })
        })
}

proptest! {
    /// Whatever is asked for: what is not refused is within the bounds of the spawning task.
    #[test]
    fn nothing_gets_past_its_bounds(
        asked in any_task(),
        mut tasks in prop::collection::vec(any_task(), 1..4),
        left in prop::option::of(0i64..3_000),
    ) {
        let spawner = Spawner {
            policy: asked.policy(),
            asked,
            left: left.map(Micros),
            ..spawner()
        };
        if spawner.bound(&SpawnSettings::default(), &mut tasks).is_ok() {
            let usual = Profile::Agent.policy();
            let mut given = Micros::ZERO;
            for task in &tasks {
                let policy = task.policy();
                prop_assert!(task.priority >= spawner.asked.priority);
                prop_assert!(policy.lease_ms <= spawner.policy.lease_ms.max(usual.lease_ms));
                prop_assert!(policy.boost <= spawner.policy.boost);
                let points = spawner.bound_policy(policy.clone()).points_of_chain(20);
                prop_assert!(points <= spawner.critical_path);
                if let Some(bound) = spawner.policy.max_duration_ms {
                    prop_assert!(policy.max_duration_ms.is_some_and(|asked| asked <= bound));
                }
                given = given.saturating_add(task.spec.constraints.max_cost_usd.unwrap_or_default());
            }
            if let Some(left) = spawner.left {
                prop_assert!(given <= left);
            }
        }
    }
}
