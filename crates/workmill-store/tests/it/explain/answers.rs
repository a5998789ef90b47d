//! Answers to single questions: what holds this task back, and who.

use anyhow::Result;
use serde_json::json;
use workmill_core::explain::dry_run::Refusal;
use workmill_core::explain::{AgentCode, Code, Condition, Explanation, explain};
use workmill_core::failure::Reason;
use workmill_core::gate::{Gate, Limited, Paused, Purse};
use workmill_core::ids::TaskId;
use workmill_core::lane::Selection;
use workmill_core::lifecycle::State;
use workmill_core::price::PriceTable;
use workmill_core::priority::Priority;
use workmill_core::resource_lock::ResourceLock;
use workmill_core::task::NewTask;
use workmill_store::dispatch::agents::AgentStatus;
use workmill_store::gates::change::GateChange;
use workmill_testkit::factory::{graph, singles, task};

use crate::actors::Queue;

impl Queue {
    async fn explain(&self, task: TaskId) -> Result<Explanation> {
        let facts = self.store.find_facts(self.ns, task).await?;
        Ok(explain(
            &facts.expect("the task is there"),
            &PriceTable::default(),
        ))
    }
}

fn unmet(said: &Explanation) -> Vec<Code> {
    let unmet = said.conditions.iter().filter(|condition| !condition.met);
    unmet.map(|condition| condition.code).collect()
}

fn of(said: &Explanation, code: Code) -> Condition {
    let found = said
        .conditions
        .iter()
        .find(|condition| condition.code == code);
    found
        .unwrap_or_else(|| panic!("nothing is said of {code:?}: {said:#?}"))
        .clone()
}

#[tokio::test]
async fn a_task_that_nobody_could_ever_run_says_so_and_why() -> Result<()> {
    let queue = Queue::new().await?;
    queue.agent_with("coder", "coder", &["git"], 1).await?;
    queue.agent_with("tester", "tester", &["gpu"], 1).await?;
    let mut wanted = task("wanted");
    wanted.agent_type = Some("coder".to_owned());
    wanted.spec.constraints.required_capabilities = vec!["git".to_owned(), "gpu".to_owned()];
    let said = queue.explain(queue.submit_task(&wanted).await?).await?;
    assert_eq!(unmet(&said), [Code::AgentExists]);
    let sentence = of(&said, Code::AgentExists).sentence;
    assert!(
        sentence.starts_with("No registered agent could ever run this"),
        "{sentence}"
    );
    let reasons = |agent: &str| -> Vec<(AgentCode, String)> {
        let found = said.agents.items.iter().find(|one| one.agent == agent);
        let reasons = &found.expect("it is listed").reasons;
        reasons
            .iter()
            .map(|reason| (reason.code, reason.sentence.clone()))
            .collect()
    };
    assert_eq!(
        reasons("coder"),
        [(AgentCode::Capability, "lacks `gpu`".to_owned())]
    );
    assert_eq!(
        reasons("tester"),
        [
            (AgentCode::Type, "is not of type `coder`".to_owned()),
            (AgentCode::Capability, "lacks `git`".to_owned()),
        ]
    );
    assert!(said.wait.is_none(), "how long that takes nobody knows");
    assert!(said.position.is_none(), "it competes with nothing");
    Ok(())
}

#[tokio::test]
async fn agents_that_could_and_are_away_paused_full_or_kept_from_it_are_named() -> Result<()> {
    let queue = Queue::new().await?;
    let one = queue.agent_with("one", "", &[], 1).await?;
    queue.set_status("one", AgentStatus::Offline).await?;
    let id = queue.submit_task(&task("work")).await?;
    let said = queue.explain(id).await?;
    assert_eq!(unmet(&said), [Code::AgentAvailable]);
    assert!(
        said.summary.contains("`one` is offline"),
        "{}",
        said.summary
    );

    queue.set_status("one", AgentStatus::Active).await?;
    let pause = GateChange::Pause {
        what: Paused::Agent("one".to_owned()),
        note: Some("its disk is full".to_owned()),
    };
    queue.change_gates(&[pause]).await?;
    let said = queue.explain(id).await?;
    assert_eq!(unmet(&said), [Code::AgentAvailable]);
    assert!(
        said.summary
            .contains("paused by operator at 2027-01-15T08:00:00Z: its disk is full")
    );
    let would = queue
        .store
        .find_would_claim(queue.ns, "one", &Selection::default(), 1)
        .await?;
    assert_eq!(would.refusal, Some(Refusal::Paused));
    queue
        .remove_gate(Gate::Pause(Paused::Agent("one".to_owned())))
        .await?;

    // It fails it, and is kept from it while another one could do it; that one is full.
    let two = queue.agent_with("two", "", &[], 1).await?;
    let lease = one.take_one().await?.lease;
    one.fail(lease, Reason::Crash).await?.expect("accepted");
    queue.pass(20);
    queue.promote().await?;
    let busy = NewTask {
        priority: Priority::new(0)?,
        ..task("busy")
    };
    queue.submit_task(&busy).await?;
    two.take_one().await?;
    let said = queue.explain(id).await?;
    assert_eq!(unmet(&said), [Code::AgentSlot]);
    let excluded = of(&said, Code::AgentNotExcluded);
    assert!(
        excluded.sentence.contains("`one` failed it recently"),
        "{excluded:?}"
    );
    assert!(
        said.summary.contains("`two` 1 of 1 slots are taken"),
        "{}",
        said.summary
    );
    Ok(())
}

#[tokio::test]
async fn what_it_waits_for_in_its_graph_and_in_time_is_named() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let ids = queue.submit(graph(&[("a", &[]), ("b", &[0])])).await?.tasks;
    let said = queue.explain(ids[1]).await?;
    assert_eq!(unmet(&said), [Code::Dependencies]);
    let cause = format!("It waits for other tasks. The cause is {}: ", ids[0]);
    assert!(said.summary.starts_with(&cause), "{}", said.summary);

    let lease = agent.take_one().await?.lease;
    agent.fail(lease, Reason::Crash).await?.expect("accepted");
    let said = queue.explain(ids[0]).await?;
    assert_eq!(unmet(&said), [Code::RetryDelay]);
    queue.pass(3600);
    let said = queue.explain(ids[0]).await?;
    assert!(
        said.summary.contains("becomes ready within a second"),
        "{}",
        said.summary
    );

    let later = NewTask {
        scheduled_for: Some("2027-01-15T12:00:00Z".parse()?),
        ..task("later")
    };
    let said = queue.explain(queue.submit_task(&later).await?).await?;
    assert_eq!(unmet(&said), [Code::Due]);
    let sentence = "It is scheduled for 2027-01-15T12:00:00Z, in 10800 s.";
    assert_eq!(said.summary, sentence);
    Ok(())
}

#[tokio::test]
async fn a_chain_of_dependencies_is_followed_to_the_dead_letter_at_its_end() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let chain = graph(&[("a", &[]), ("b", &[0]), ("c", &[1]), ("d", &[2])]);
    let ids = queue.submit(chain).await?.tasks;
    let lease = agent.take_one().await?.lease;
    let failed = agent.fail(lease, Reason::InvalidInput).await?;
    failed.expect("accepted");
    let said = queue.explain(ids[3]).await?;
    let cause = said.cause.clone().expect("it waits for others");
    assert_eq!(
        (cause.task, cause.status, cause.through),
        (ids[0], State::DeadLettered, vec![ids[2], ids[1]])
    );
    assert!(
        cause.summary.contains("waits for a decision"),
        "{}",
        cause.summary
    );
    assert!(said.summary.contains(&cause.summary), "{}", said.summary);
    assert_eq!(
        said.next,
        [
            format!("workmill dead-letter show {}", ids[0]),
            format!("workmill dead-letter resolve {} --retry", ids[0]),
        ]
    );
    Ok(())
}

#[tokio::test]
async fn of_two_branches_the_cause_is_on_the_one_that_needs_a_person() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    // The first branch is shorter, and comes first wherever branches are in the order of their ids.
    let branches = graph(&[
        ("runs", &[]),
        ("fails", &[]),
        ("after runs", &[0]),
        ("after fails", &[1]),
        ("later", &[3]),
        ("end", &[2, 4]),
    ]);
    let ids = queue.submit(branches).await?.tasks;
    for claimed in agent.take(2).await? {
        if claimed.lease.task == ids[1] {
            let failed = agent.fail(claimed.lease, Reason::InvalidInput).await?;
            failed.expect("accepted");
        }
    }
    let cause = queue.explain(ids[5]).await?.cause;
    let cause = cause.expect("it waits for others");
    assert_eq!(
        (cause.task, cause.status, cause.through),
        (ids[1], State::DeadLettered, vec![ids[4], ids[3]])
    );
    let cause = queue.explain(ids[2]).await?.cause;
    let cause = cause.expect("it waits for another one");
    assert_eq!((cause.task, cause.status), (ids[0], State::Running));
    assert!(cause.through.is_empty());
    Ok(())
}

/// F-37, H-3 (part)
#[tokio::test]
async fn a_closed_gate_is_named_with_what_is_used_and_what_is_asked_for() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue
        .set_gate(Gate::Limit(Limited::Type("code".to_owned())), 1)
        .await?;
    queue
        .set_gate(Gate::Budget(Purse::Namespace), 3_000_000)
        .await?;
    let costs = || {
        let mut costs = task("costs");
        costs.spec.constraints.max_cost_usd = "2".parse().ok();
        costs.locks = vec![ResourceLock::exclusive("repo/a")];
        costs
    };
    let ids = queue.submit(singles(&[costs(), costs()])).await?.tasks;
    let said = queue.explain(ids[1]).await?;
    assert_eq!(said.claimable_by, ["agent"], "{said:#?}");
    assert_eq!(
        said.position
            .as_ref()
            .map(|position| position.first.clone()),
        Some(vec![ids[0]])
    );
    agent.take_one().await?;
    let said = queue.explain(ids[1]).await?;
    assert_eq!(unmet(&said), [Code::Limit, Code::Budget, Code::Lock]);
    let limit = of(&said, Code::Limit);
    assert_eq!(
        limit.sentence,
        "The limit `type:code` allows 1 running attempt, and 1 runs."
    );
    assert_eq!(
        (&limit.data["used"], &limit.data["cap"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(
        of(&said, Code::Budget).sentence,
        "Of the budget of `namespace`, $2.00 of $3.00 are spent or reserved, and this would \
         reserve $2.00."
    );
    assert_eq!(
        of(&said, Code::Lock).sentence,
        format!(
            "It locks `repo/a`, and `agent` holds `repo/a` for {}.",
            ids[0]
        )
    );
    // Stopped by a claim, it waits at the first of them.
    assert!(agent.take(1).await?.is_empty());
    let said = queue.explain(ids[1]).await?;
    assert!(
        of(&said, Code::InLane)
            .sentence
            .contains("waits at `limit:type:code`")
    );

    queue
        .change_gates(&[GateChange::Pause {
            what: Paused::Namespace,
            note: None,
        }])
        .await?;
    let said = queue.explain(ids[1]).await?;
    assert!(
        of(&said, Code::Pause)
            .sentence
            .contains("`namespace` was paused by operator")
    );
    Ok(())
}

/// What waits at a gate is not in its lane: a claim does not see it, though there is room by now.
#[tokio::test]
async fn a_task_that_waits_at_a_gate_with_room_goes_back_to_its_lane_first() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue
        .set_gate(Gate::Budget(Purse::EachDay), 100_000)
        .await?;
    let ids = queue
        .submit(singles(&[task("one"), task("two")]))
        .await?
        .tasks;
    assert_eq!(agent.take(2).await?.len(), 1);
    queue.pass(24 * 3600);
    let said = queue.explain(ids[1]).await?;
    assert_eq!(unmet(&said), [Code::InLane], "{said:#?}");
    assert!(
        said.summary.contains("there is room now"),
        "{}",
        said.summary
    );
    assert!(said.claimable_by.is_empty());
    assert!(agent.take(2).await?.is_empty());
    queue.keep_gates().await?;
    assert_eq!(queue.explain(ids[1]).await?.claimable_by, ["agent"]);
    assert_eq!(agent.take(2).await?[0].lease.task, ids[1]);
    Ok(())
}

#[tokio::test]
async fn a_task_that_is_held_or_has_ended_says_who_had_it_and_why() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    queue.pass(600);
    let lease = agent.take_one().await?.lease;
    queue.pass(30);
    let said = queue.explain(id).await?;
    assert_eq!(
        (said.status, unmet(&said)),
        (State::Running, vec![Code::NotHeld])
    );
    let claim = said.claim.expect("it is held");
    assert_eq!(
        (claim.agent.as_str(), claim.expires_in_ms),
        ("agent", Some(60_000))
    );
    let priority = said.priority;
    assert_eq!(
        (priority.base, priority.age, priority.effective),
        (50.0, 1.0, 49.0)
    );
    assert!(claim.why.contains("better ranked than 49"), "{}", claim.why);

    agent.complete(lease, json!(1)).await?.expect("accepted");
    let said = queue.explain(id).await?;
    assert_eq!(said.summary, "It is completed.");
    let claim = said.claim.expect("it was held");
    assert_eq!(
        (claim.outcome.as_deref(), claim.expires_in_ms),
        (Some("completed"), None)
    );
    assert_eq!(said.priority.at, claim.claimed_at);
    Ok(())
}

#[tokio::test]
async fn a_dead_letter_says_that_somebody_has_to_decide() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let once = NewTask {
        max_attempts: Some(1),
        ..task("once")
    };
    let id = queue.submit_task(&once).await?;
    let lease = agent.take_one().await?.lease;
    agent.fail(lease, Reason::Crash).await?.expect("accepted");
    let said = queue.explain(id).await?;
    assert_eq!(unmet(&said), [Code::NotEnded]);
    assert!(said.summary.contains("dead letter"), "{}", said.summary);
    assert!(
        said.next[1].contains("dead-letter resolve"),
        "{:?}",
        said.next
    );

    let id = queue.submit_task(&task("asks")).await?;
    let lease = agent.take_one().await?.lease;
    agent.block(lease, Some(60_000)).await?.expect("accepted");
    let said = queue.explain(id).await?;
    assert_eq!(unmet(&said), [Code::Answer]);
    assert!(said.summary.contains("waits for input"), "{}", said.summary);
    Ok(())
}

#[tokio::test]
async fn a_wait_is_estimated_from_what_such_tasks_take() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent_with("agent", "", &[], 2).await?;
    let many: Vec<NewTask> = (0..6).map(|_| task("work")).collect();
    let ids = queue.submit(singles(&many)).await?.tasks;
    let said = queue.explain(ids[0]).await?;
    assert_eq!(said.wait.map(|wait| wait.seconds), Some(0));
    let said = queue.explain(ids[5]).await?;
    assert!(said.wait.is_none(), "nobody knows how long it takes");
    for lease in [agent.take_one().await?.lease, agent.take_one().await?.lease] {
        queue.pass(40);
        agent.complete(lease, json!(1)).await?.expect("accepted");
    }
    // Three are ahead of it, two slots are free; 40 and 80 seconds were taken.
    let wait = queue.explain(ids[5]).await?.wait.expect("it is known now");
    assert_eq!(wait.seconds, 2 * 60 / 2);
    assert_eq!(
        wait.basis,
        "3 tasks ahead, 2 of 2 slots free among the matching agents, and 60 s a task, the mean \
         of the last 2 completed of type `code`"
    );
    Ok(())
}
