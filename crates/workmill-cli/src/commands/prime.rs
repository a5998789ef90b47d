//! `workmill prime`: what an agent has to know at its start. Who it is, what it holds, how to
//! report.

use anyhow::Result;
use serde::Serialize;
use workmill_core::ids::{LeaseId, TaskId};
use workmill_core::lifecycle::State;
use workmill_protocol::error::ErrorCode;
use workmill_sdk::{Client, ClientError};

use super::lease::given_lease;
use super::setup::HOW_TO_WORK;
use crate::arguments::PrimeArguments;
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::lease_memory::LeaseMemory;
use crate::plain_text::plain;

#[derive(Debug, Serialize)]
struct Prime {
    url: String,
    agent: Option<String>,
    held: Vec<HeldTask>,
    how_to_work: &'static str,
}

#[derive(Debug, Serialize)]
struct HeldTask {
    id: TaskId,
    lease: LeaseId,
    status: State,
    title: String,
    #[serde(skip)]
    agent: String,
}

pub(crate) async fn run(context: &CommandContext, arguments: &PrimeArguments) -> Result<Exit> {
    let agent = arguments.agent.clone();
    let agent = agent.or_else(|| context.configuration.agent.clone());
    let client = context.client()?;
    let memory = LeaseMemory::new(&context.configuration);
    let mut held = Vec::new();
    let remembered = agent.iter().flat_map(|agent| memory.held_by(agent));
    let given = given_lease()?;
    for lease in given
        .into_iter()
        .chain(remembered.filter(|lease| Some(*lease) != given))
    {
        held.extend(still_held(&client, lease).await?);
    }
    // A command that `agent run` has started works under the name of its runner.
    let agent = agent.or_else(|| held.first().map(|task| task.agent.clone()));
    if held.is_empty() {
        // Whoever starts is told at once when nobody is there.
        client.health().await?;
    }
    let prime = Prime {
        url: context.configuration.url.clone(),
        agent,
        held,
        how_to_work: HOW_TO_WORK,
    };
    context.output.answer(&prime, for_people)?;
    Ok(Exit::Done)
}

/// `None`: it was lost, or given back elsewhere.
async fn still_held(client: &Client, lease: LeaseId) -> Result<Option<HeldTask>> {
    let task = match client.task(lease.task).await {
        Ok(task) => task,
        // An agent sees only what it holds.
        Err(ClientError::Refused(problem))
            if matches!(problem.code, ErrorCode::NotFound | ErrorCode::Forbidden) =>
        {
            return Ok(None);
        }
        Err(error) => return Err(error.into()),
    };
    let claim = task.claim.filter(|claim| claim.epoch == lease.epoch);
    Ok(claim.map(|claim| HeldTask {
        id: task.id,
        lease,
        status: task.status,
        title: task.task.title,
        agent: claim.agent,
    }))
}

fn for_people(prime: &Prime) -> String {
    let mut lines = vec![match &prime.agent {
        Some(agent) => format!("You are the agent `{}` of {}.", plain(agent), prime.url),
        None => format!(
            "Workmill is at {}. You have no name yet: set WORKMILL_AGENT.",
            prime.url
        ),
    }];
    if prime.held.is_empty() {
        lines.push("You hold no task.".to_owned());
    } else {
        lines.push("You hold:".to_owned());
        lines.extend(prime.held.iter().map(|task| {
            let HeldTask {
                id, status, title, ..
            } = task;
            format!("  {id}  {}  {}", status.name(), plain(title))
        }));
    }
    lines.push(String::new());
    lines.push(prime.how_to_work.to_owned());
    lines.join("\n")
}
