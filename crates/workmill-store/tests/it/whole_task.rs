//! The whole schema of a task goes in, is shown, is handed to an agent and comes back with what
//! the work has used.

use anyhow::Result;
use jiff::SignedDuration;
use serde_json::{Value, json};
use workmill_core::graph::GraphStatus;
use workmill_core::ids::{GraphId, TaskId};
use workmill_core::json_text::JsonText;
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;
use workmill_core::rank::Boost;
use workmill_core::task::NewTask;
use workmill_core::usage::{ModelUsage, Usage};
use workmill_store::look::Task;
use workmill_store::settlement::{Ending, Settle, Settlement, Settler, Spent};
use workmill_testkit::factory::{draft, graph, singles, task};

use crate::actors::{KEY, Queue};

/// Every field that a client can ask for, none left at its default.
fn everything(reference: TaskId, deadline: jiff::Timestamp) -> Value {
    json!({
        "name": "cors",
        "key": "plan-7",
        "idempotency_key": "pr-123-lint",
        "type": "code",
        "title": "Fix auth middleware CORS handling",
        "spec": {
            "prompt": "Make the preflight pass.",
            "context_refs": [format!("task:{reference}:output")],
            "payload": {"file": "auth.rs"},
            "constraints": {
                "max_cost_usd": 0.5,
                "max_duration_sec": 300.0,
                "required_capabilities": ["code-execution", "web-search"],
                "model_preferences": ["sonnet", "gpt"],
                "fallback_models": ["haiku"],
            },
        },
        "output": {
            "type": "json",
            "validation": "json-schema",
            "validation_schema": {"type": "object", "required": ["diff"]},
        },
        "priority": 50,
        "priority_boost_per_minute": 0.2,
        "deadline": deadline,
        "estimate_sec": 120.0,
        "scheduled_for": "2020-01-01T00:00:00Z",
        "on_dependency_failure": "wait",
        "agent_type": "coder",
        "target_agent": "agent_coder_01",
        "excluded_agents": ["agent_coder_02"],
        "profile": "agent",
        "max_attempts": 4,
        "retry": {
            "strategy": "fixed",
            "initial_delay_sec": 10.0,
            "backoff_multiplier": 2.5,
            "max_delay_sec": 300.0,
            "jitter": false,
            "retry_on": ["timeout", "crash", "rate_limit", "invalid_output"],
            "no_retry_on": ["auth_failure", "budget_exceeded", "cancelled"],
        },
        "claim_ttl_sec": 61.0,
        "lease_sec": 91.0,
        "heartbeat_interval_sec": 31.0,
        "max_timeout_sec": 900.0,
        "tags": ["repo:myapp", "sprint:12"],
        "metadata": {"customer": {"id": 7}},
    })
}

/// What a default would fill in: nothing of it is missing above.
fn has_every_field(asked: &Value) -> bool {
    let known = json!(NewTask {
        depends_on: vec!["other".to_owned()],
        ..serde_json::from_value(asked.clone()).expect("a task")
    });
    let known = known.as_object().expect("an object").keys();
    known
        .filter(|field| *field != "depends_on")
        .all(|field| !asked[field].is_null())
}

async fn settle(queue: &Queue, settlement: Settlement) -> Result<()> {
    let operation = Settle {
        ns: queue.ns,
        settlements: &[settlement],
    };
    let settled = queue.store.run(&operation).await?.0.remove(0);
    settled.expect("settled");
    Ok(())
}

fn used(input_tokens: u64, output_tokens: u64, cost_micros: i64) -> Spent {
    Spent::reported(Usage::of_whole(ModelUsage {
        input_tokens,
        output_tokens,
        cost_usd: Some(Micros(cost_micros)),
        ..ModelUsage::default()
    }))
}

/// F-4
#[tokio::test]
async fn every_field_of_a_task_goes_in_and_comes_back() -> Result<()> {
    let queue = Queue::new().await?;
    let able = ["code-execution", "web-search", "git"];
    let agent = queue
        .agent_with("agent_coder_01", "coder", &able, 2)
        .await?;
    let source = queue.submit_task(&task("source")).await?;
    let lease = agent.take_one().await?.lease;
    let found = Ending::Complete {
        output: serde_json::value::to_raw_value("found")?,
        artifacts: vec![json!("artifact:source")],
    };
    let settled = queue.settle_as(Settler::Key(KEY), lease, found).await?;
    settled.expect("completed");
    let created_at = queue.store.now().await?;
    let asked = everything(source, created_at + SignedDuration::from_hours(3));
    assert!(has_every_field(&asked), "the test knows every field");
    let new: NewTask = serde_json::from_value(asked.clone())?;
    assert_eq!(json!(new), asked, "nothing is lost on the way in");
    let id = queue
        .submit(singles(std::slice::from_ref(&new)))
        .await?
        .tasks[0];

    let shown = queue.task(id).await?;
    assert_eq!(
        (shown.id, shown.graph, shown.state),
        (id, id.into(), State::Ready)
    );
    assert_eq!(json!(shown.asked), asked);
    assert_eq!(shown.boost, Boost::Tenth, "what 0.2 a minute is rounded to");
    assert_eq!(
        (shown.created_by.as_str(), shown.created_at),
        ("test", created_at)
    );
    let nothing_yet = (shown.attempts_counted, shown.running, shown.output);
    assert_eq!(nothing_yet, (0, None, None));

    let claim = agent.take_one().await?;
    assert_eq!(serde_json::from_str::<Value>(claim.body.get())?, asked);
    assert_eq!(
        (claim.ttl_ms, claim.heartbeat_ms),
        (93_000, 31_000),
        "three intervals"
    );
    assert_eq!(claim.models, ["sonnet", "gpt"], "the preferred one first");
    assert_eq!(claim.references[0].output, Some(json!("found").into()));
    assert_eq!(
        claim.references[0].artifacts,
        Some(json!(["artifact:source"]).into())
    );
    let running = queue.task(id).await?.running.expect("claimed");
    assert_eq!(running.agent, "agent_coder_01");
    assert_eq!(
        [running.claimed_at, running.renewed_at],
        [queue.store.now().await?; 2]
    );

    queue.pass(20);
    let failure = Ending::Fail {
        reason: workmill_core::failure::Reason::Crash,
        message: "out of memory".to_owned(),
        details: None,
        retry_after_ms: None,
    };
    let settlement = |lease, ending, spent| Settlement {
        settler: Settler::Key(KEY),
        lease,
        ending,
        spent,
        random: 0.5,
    };
    settle(
        &queue,
        settlement(claim.lease, failure, used(1000, 10, 250_000)),
    )
    .await?;
    assert_eq!(
        queue.task(id).await?.due,
        Some(queue.store.now().await? + SignedDuration::from_secs(10)),
        "the fixed delay that it asked for"
    );
    queue.pass(10);
    queue.promote().await?;
    let again = agent.take_one().await?;
    queue.pass(5);
    let output = serde_json::value::to_raw_value(&json!({"diff": "+1 −1"}))?;
    let artifacts = vec![
        json!("artifact:diff"),
        json!({"path": "auth.rs", "bytes": 7}),
    ];
    let completion = Ending::Complete { output, artifacts };
    let spent = used(500, 5, 500_000);
    settle(&queue, settlement(again.lease, completion, spent)).await?;
    comes_back_whole(&queue.task(id).await?);
    Ok(())
}

fn comes_back_whole(done: &Task) {
    assert_eq!((done.state, done.attempts_counted), (State::Completed, 2));
    assert_eq!(done.output, Some(json!({"diff": "+1 −1"})));
    assert_eq!(
        done.artifacts,
        [
            json!("artifact:diff"),
            json!({"path": "auth.rs", "bytes": 7})
        ]
    );
    assert_eq!(done.spent.cost_micros, 750_000);
    assert_eq!(
        (done.spent.input_tokens, done.spent.output_tokens),
        (1500, 15)
    );
    let took = |attempt: &workmill_store::look::Attempt| {
        let started_at = attempt.started_at.expect("it was started");
        attempt.ended_at.duration_since(started_at).as_secs()
    };
    assert_eq!(done.attempts.iter().map(took).collect::<Vec<_>>(), [20, 5]);
}

/// F-4: `parent_id`, `dag_id`, `depends_on` and `blocked_by`.
#[tokio::test]
async fn a_task_says_who_spawned_it_and_what_it_waits_for() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let parent = queue.submit_task(&task("parent")).await?;
    let lease = agent.take_one().await?.lease;
    let children = [draft(&task("one")), draft(&task("two"))];
    let children = queue.spawn(lease, &children, true).await?.expect("spawned");
    for child in &children {
        let child = queue.task(*child).await?;
        assert_eq!((child.parent, child.graph), (Some(parent), parent.into()));
    }
    let waiting = queue.task(parent).await?;
    assert_eq!((waiting.parent, &waiting.depends_on), (None, &children));
    assert_eq!(waiting.blocked_by, children);
    let first = agent.take_one().await?.lease;
    agent.complete(first, json!(1)).await?.expect("completed");
    let waiting = queue.task(parent).await?;
    assert_eq!(waiting.depends_on, children);
    assert_eq!(waiting.blocked_by, children[1..]);
    let graph = queue.graph_status(GraphId::from(parent)).await?;
    assert_eq!(graph, GraphStatus::Running);
    Ok(())
}

/// F-5 (part)
#[tokio::test]
async fn an_artifact_is_handed_over_by_its_reference_for_the_agent_to_fetch() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let source = queue.submit_task(&task("source")).await?;
    let lease = agent.take_one().await?.lease;
    agent.complete(lease, json!(7)).await?.expect("completed");
    let references = ["artifact:abc".to_owned(), format!("task:{source}:output")];
    let mut asked = task("work");
    asked.spec.context_refs = references.to_vec();
    queue.submit_task(&asked).await?;
    let given: Vec<_> = agent
        .take_one()
        .await?
        .references
        .into_iter()
        .map(|one| (one.reference, one.output, one.is_left_out))
        .collect();
    let [artifact, output] = references;
    assert_eq!(
        given,
        [
            (artifact, None, true),
            (output, Some(json!(7).into()), false)
        ]
    );
    Ok(())
}

/// F-4: `output.artifacts`; promise 4 holds for them, too.
#[tokio::test]
async fn artifacts_are_part_of_what_was_said_and_of_what_the_next_ones_get() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let submitted = queue
        .submit(graph(&[("first", &[]), ("second", &[0])]))
        .await?;
    let first = submitted.tasks[0];
    let lease = agent.take_one().await?.lease;
    queue.pass(600);
    queue.reap().await?.remove(0).expect("it was lost");
    let say = |artifacts: Vec<Value>| {
        let output = serde_json::value::to_raw_value(&1).expect("JSON");
        let ending = Ending::Complete { output, artifacts };
        queue.settle_as(Settler::Key(KEY), lease, ending)
    };
    let late = say(vec![json!("a"), json!("b")])
        .await?
        .expect("it still counts");
    assert_eq!((late.state, late.is_repeat), (State::Completed, false));
    let again = say(vec![json!("a"), json!("b")]).await?.expect("as before");
    assert!(again.is_repeat);
    say(vec![json!("a")]).await?.expect_err("something else");
    let shown = queue.task(first).await?;
    assert_eq!(shown.artifacts, [json!("a"), json!("b")]);

    let second = agent.take_one().await?;
    assert_eq!(
        second.dependencies[0]
            .artifacts
            .as_ref()
            .map(JsonText::value),
        Some(json!(shown.artifacts))
    );
    Ok(())
}

#[tokio::test]
async fn artifacts_that_do_not_fit_are_left_out_with_their_output() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue
        .submit(graph(&[("first", &[]), ("second", &[0])]))
        .await?;
    let lease = agent.take_one().await?.lease;
    let ending = Ending::Complete {
        output: serde_json::value::to_raw_value(&"x".repeat(200 * 1024))?,
        artifacts: vec![json!("y".repeat(60 * 1024))],
    };
    let settled = queue.settle_as(Settler::Key(KEY), lease, ending).await?;
    settled.expect("completed");
    let given = agent.take_one().await?.dependencies.remove(0);
    assert_eq!(given.left_out_bytes, Some(200 * 1024 + 2));
    assert!(given.output.is_none() && given.artifacts.is_none());
    Ok(())
}
