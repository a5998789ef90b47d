//! The three agents: each claims what fits it, runs the task's command and reports.
//!
//! An agent goes on through everything that passes: a server away for a moment, a lost lease, a
//! failing command. It ends when told to, after finishing what it holds.

use std::time::Duration;

use serde_json::Value;
use serde_json::value::to_raw_value;
use tokio::sync::watch;
use workmill_core::failure::Reason;
use workmill_core::ids::GraphId;
use workmill_core::lifecycle::State;
use workmill_protocol::agents::RegisterAgent;
use workmill_protocol::claims::{ClaimTasks, ClaimedTask, DependencyResult};
use workmill_protocol::leases::{CompleteTask, Directive, FailTask, SendHeartbeat, Usage};
use workmill_sdk::{Client, ClientError};

use super::command::{self, Finished};
use super::graph;
use super::retries::{PAUSE, is_lost, until_answered};
use super::scripts;

/// What a second of a command's run time costs. A price of the demo alone: its commands use no
/// model, and yet money is to be seen.
pub(super) const USD_PER_SECOND: f64 = 0.002;

/// Short, because a claim under way is waited for at the end: giving it up could leave a task
/// with nobody.
const WAIT_MS: u64 = 1_000;

#[derive(Debug)]
pub(super) struct DemoAgent {
    pub(super) id: &'static str,
    pub(super) agent_type: &'static str,
    pub(super) capability: &'static str,
}

pub(super) static AGENTS: [DemoAgent; 3] = [
    DemoAgent {
        id: "demo-researcher",
        agent_type: "researcher",
        capability: graph::RESEARCH,
    },
    DemoAgent {
        id: "demo-writer",
        agent_type: "writer",
        capability: graph::WRITING,
    },
    DemoAgent {
        id: "demo-reviewer",
        agent_type: "reviewer",
        capability: graph::REVIEW,
    },
];

pub(super) async fn register(client: &Client, agent: &DemoAgent) -> Result<(), ClientError> {
    let request = RegisterAgent {
        agent_type: agent.agent_type.to_owned(),
        capabilities: vec![agent.capability.to_owned()],
        ..RegisterAgent::new(agent.id)
    };
    until_answered(|| client.register(&request)).await?;
    Ok(())
}

/// Works on the graph until told to stop.
pub(super) async fn run(
    client: &Client,
    agent: &DemoAgent,
    graph: GraphId,
    stopped: watch::Receiver<bool>,
) -> Result<(), ClientError> {
    let request = ClaimTasks {
        agent: agent.id.to_owned(),
        max: 1,
        wait_ms: WAIT_MS,
        start: true,
        request_id: None,
        task_types: Vec::new(),
        profile: None,
        lease_sec: None,
    };
    let mut queue_is_shared = false;
    while !*stopped.borrow() {
        if queue_is_shared && !has_work(client, agent, graph).await? {
            tokio::time::sleep(PAUSE).await;
            continue;
        }
        let claims = match client.claim(&request).await {
            Ok(claims) => claims,
            Err(error) if error.may_pass() => {
                tokio::time::sleep(PAUSE).await;
                continue;
            }
            Err(error) => return Err(error),
        };
        for claim in claims {
            if let Some(script) = scripts::script(&claim.task.asked) {
                work(client, &claim, script).await?;
            } else {
                // A task that asks for no capability is handed to any agent. From now on this
                // one looks before it claims, so as not to take others' work again and again.
                release(client, &claim).await?;
                queue_is_shared = true;
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
    Ok(())
}

/// Whether a task of the demo waits for this agent.
async fn has_work(client: &Client, agent: &DemoAgent, graph: GraphId) -> Result<bool, ClientError> {
    let graph = until_answered(|| client.graph(graph)).await?;
    Ok(graph.tasks.iter().any(|task| {
        let wanted = &task.task.spec.constraints.required_capabilities;
        task.status == State::Ready && wanted == &[agent.capability]
    }))
}

/// One attempt, from the claim to its end.
async fn work(client: &Client, claim: &ClaimedTask, script: &str) -> Result<(), ClientError> {
    let input = input(&claim.context.dependency_results);
    tokio::select! {
        finished = command::run(script, claim.attempt, &input) => match finished {
            Ok(finished) => report(client, claim, finished).await,
            Err(error) => {
                let message = format!("the command does not start: {error}");
                fail(client, claim, message, Usage::default()).await
            }
        },
        // The command is killed with the branch that lost.
        ending = keep_alive(client, claim) => match ending? {
            Ending::Lost => Ok(()),
            Ending::ToldToStop => release(client, claim).await,
        },
    }
}

/// What the dependencies put out, in the order of the graph: texts as they are, everything else
/// as one line of JSON.
pub(super) fn input(results: &[DependencyResult]) -> String {
    let mut results: Vec<_> = results.iter().collect();
    results.sort_by_key(|result| result.task);
    let mut input = String::new();
    for result in results {
        match &result.output {
            Value::String(text) => input.push_str(text),
            other => input.push_str(&other.to_string()),
        }
        input.push('\n');
    }
    input
}

/// Why an attempt ends before its command does.
enum Ending {
    Lost,
    ToldToStop,
}

/// Sends heartbeats for as long as the attempt may go on.
async fn keep_alive(client: &Client, claim: &ClaimedTask) -> Result<Ending, ClientError> {
    let interval = Duration::from_millis(u64::try_from(claim.heartbeat_ms).unwrap_or(0)).max(PAUSE);
    loop {
        tokio::time::sleep(interval).await;
        match client
            .heartbeat(claim.lease, &SendHeartbeat::default())
            .await
            .map(|alive| alive.directive)
        {
            // These agents cannot rest in the middle of it.
            Ok(Directive::Continue | Directive::Pause) => {}
            Ok(Directive::Stop) => return Ok(Ending::ToldToStop),
            Err(error) if error.may_pass() => {}
            Err(error) if is_lost(&error) => return Ok(Ending::Lost),
            Err(error) => return Err(error),
        }
    }
}

async fn report(
    client: &Client,
    claim: &ClaimedTask,
    finished: Finished,
) -> Result<(), ClientError> {
    let usage = Usage {
        cost_usd: Some(finished.run_time.as_secs_f64() * USD_PER_SECOND),
        ..Usage::default()
    };
    let output = match finished.result {
        Ok(output) => output,
        Err(message) => return fail(client, claim, message, usage).await,
    };
    match to_raw_value(&output) {
        Ok(output) => {
            let completion = CompleteTask {
                output,
                artifacts: Vec::new(),
                usage,
                claim: None,
            };
            settle(|| client.complete(claim.lease, &completion)).await
        }
        Err(error) => fail(client, claim, error.to_string(), usage).await,
    }
}

async fn fail(
    client: &Client,
    claim: &ClaimedTask,
    message: String,
    usage: Usage,
) -> Result<(), ClientError> {
    let failure = FailTask {
        reason: Reason::Crash,
        message,
        details: None,
        retry_after_ms: None,
        usage,
        claim: None,
    };
    settle(|| client.fail(claim.lease, &failure)).await
}

async fn release(client: &Client, claim: &ClaimedTask) -> Result<(), ClientError> {
    settle(|| client.release(claim.lease)).await
}

/// Ends an attempt. Work on a lost lease is dropped: the task is somebody else's now.
async fn settle<T, Answer>(call: impl Fn() -> Answer) -> Result<(), ClientError>
where
    Answer: Future<Output = Result<T, ClientError>>,
{
    match until_answered(call).await {
        Err(error) if !is_lost(&error) => Err(error),
        _ => Ok(()),
    }
}
