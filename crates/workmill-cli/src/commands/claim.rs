//! `workmill claim`: register as an agent, take work, remember the leases.

use std::time::{Duration, Instant};

use anyhow::Result;
use workmill_core::agent::AgentStatus;
use workmill_protocol::agents::{Agent, RegisterAgent};
use workmill_protocol::claims::{ClaimTasks, ClaimedTask, ClaimedTasks};
use workmill_sdk::Client;

use crate::arguments::ClaimArguments;
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::lease_memory::LeaseMemory;
use crate::render;

/// The longest that one call may wait.
const LONGEST_WAIT: Duration = Duration::from_secs(50);

pub(crate) async fn run(context: &CommandContext, arguments: &ClaimArguments) -> Result<Exit> {
    let agent = arguments
        .agent
        .as_ref()
        .or(context.configuration.agent.as_ref());
    let agent = agent
        .ok_or_else(|| Exit::Usage.because("name the agent with --agent or WORKMILL_AGENT"))?;
    let client = context.client()?;
    let registered = client.register(&registration(agent, arguments)).await?;
    if !registered.by_hand && describes_the_agent(arguments) {
        context.output.note(&format!(
            "{agent} is registered by a worker: its own type, capabilities, models and slots count"
        ));
    }
    let request = ClaimTasks {
        max: arguments.max,
        start: arguments.start,
        task_types: arguments.task_types.clone(),
        ..ClaimTasks::new(agent)
    };
    let wait = Duration::from_secs(arguments.wait);
    let claims = claim_within(&client, request, wait).await?;
    let memory = LeaseMemory::new(&context.configuration);
    for claim in &claims {
        let name = claim.task.asked.key.as_deref();
        if let Err(error) = memory.remember(agent, claim.lease, name) {
            // The claim stands; only the short way to name it is gone.
            context
                .output
                .note(&format!("{error:#}; use --lease {}", claim.lease));
        }
    }
    let exit = if claims.is_empty() {
        Exit::NothingToClaim
    } else {
        Exit::Done
    };
    let claimed = ClaimedTasks { claims };
    if exit == Exit::Done || context.output.json {
        context.output.answer(&claimed, render::claims)?;
    } else {
        let why = nothing_to_claim(&client, agent, &arguments.task_types).await;
        context.output.note(&why);
    }
    Ok(exit)
}

/// Says why there is nothing to claim, if that is because of the agent itself. `asked` are the types of
/// tasks that the claim was for.
pub(super) async fn nothing_to_claim(client: &Client, agent: &str, asked: &[String]) -> String {
    // Not every key may look at agents.
    let found = client.agent(agent).await.ok();
    let why = found.and_then(|found| keeps_from_claiming(&found, asked));
    why.map_or_else(
        || "Nothing to claim.".to_owned(),
        |why| format!("Nothing to claim: {agent} {why}"),
    )
}

fn keeps_from_claiming(found: &Agent, asked: &[String]) -> Option<String> {
    // An agent that is offline because it was silent is active again with its next call.
    if found.status != AgentStatus::Active && found.offline_since.is_none() {
        let (status, agent) = (found.status.name(), &found.id);
        return Some(format!(
            "is {status}. An operator sets it active with workmill agent activate {agent}."
        ));
    }
    let (held, slots) = (found.current_tasks, found.max_concurrent_tasks);
    if held >= slots {
        let more = if found.by_hand {
            format!(", or claim with --slots {}", held.saturating_add(1))
        } else {
            String::new()
        };
        return Some(format!("holds {held} of {slots} tasks. Finish one{more}."));
    }
    let taken = &found.task_types;
    let are_taken = |asked: &[String]| asked.iter().all(|one| taken.contains(one));
    if taken.is_empty() || !asked.is_empty() && are_taken(asked) {
        return None;
    }
    Some(format!(
        "is registered for tasks of these types only: {}.",
        taken.join(", ")
    ))
}

fn registration(agent: &str, arguments: &ClaimArguments) -> RegisterAgent {
    RegisterAgent {
        agent_type: arguments.agent_type.clone().unwrap_or_default(),
        capabilities: arguments.capabilities.clone(),
        models_available: arguments.models.clone(),
        max_concurrent_tasks: arguments.slots.unwrap_or(arguments.max),
        by_hand: true,
        ..RegisterAgent::new(agent)
    }
}

/// Whether the arguments say what the agent is.
fn describes_the_agent(arguments: &ClaimArguments) -> bool {
    arguments.agent_type.is_some()
        || arguments.slots.is_some()
        || !arguments.capabilities.is_empty()
        || !arguments.models.is_empty()
}

/// Claims, and asks again while the time to wait is longer than one call may take.
pub(super) async fn claim_within(
    client: &Client,
    request: ClaimTasks,
    wait: Duration,
) -> Result<Vec<ClaimedTask>> {
    let began = Instant::now();
    loop {
        let left = wait.saturating_sub(began.elapsed());
        let request = ClaimTasks {
            wait_ms: u64::try_from(left.min(LONGEST_WAIT).as_millis()).unwrap_or(u64::MAX),
            ..request.clone()
        };
        let claims = client.claim(&request).await?;
        if !claims.is_empty() || left <= LONGEST_WAIT {
            return Ok(claims);
        }
    }
}
