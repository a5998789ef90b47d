//! `workmill agent`: let a command work as one, look at agents, drain them, let them work again,
//! remove them.

use anyhow::Result;
use serde::Serialize;
use workmill_core::agent::AgentStatus;
use workmill_protocol::agents::{AgentList, ChangeAgent};

use super::agent_run;
use crate::arguments::AgentCommand;
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::render;

pub(crate) async fn run(context: &CommandContext, command: &AgentCommand) -> Result<Exit> {
    let client = context.client()?;
    let agent = match command {
        AgentCommand::Run(arguments) => return agent_run::run(context, arguments).await,
        AgentCommand::List => return list(context).await,
        AgentCommand::Show { agent } => client.agent(agent).await?,
        AgentCommand::Drain { agent } => {
            client
                .change_agent(agent, &to(AgentStatus::Draining))
                .await?
        }
        AgentCommand::Remove { agent } => {
            client.remove_agent(agent).await?;
            let removed = Removed { removed: agent };
            let text = |removed: &Removed<'_>| format!("Removed {}.", removed.removed);
            context.output.answer(&removed, text)?;
            return Ok(Exit::Done);
        }
        AgentCommand::Activate { agent } => {
            client.change_agent(agent, &to(AgentStatus::Active)).await?
        }
    };
    context.output.answer(&agent, render::agent)?;
    Ok(Exit::Done)
}

#[derive(Serialize)]
struct Removed<'a> {
    removed: &'a str,
}

/// All of them, page after page.
async fn list(context: &CommandContext) -> Result<Exit> {
    let client = context.client()?;
    let mut items = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let page = client.agents(cursor.as_deref()).await?;
        items.extend(page.items);
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    let all = AgentList {
        items,
        next_cursor: None,
    };
    context.output.answer(&all, render::agents)?;
    Ok(Exit::Done)
}

fn to(status: AgentStatus) -> ChangeAgent {
    ChangeAgent {
        status: Some(status),
        ..ChangeAgent::default()
    }
}
