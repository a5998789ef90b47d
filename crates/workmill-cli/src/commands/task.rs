//! `workmill task`: a plan that agents work through, in a planner's words.

mod plan;
mod row;
mod work;

use anyhow::Result;
use serde::Serialize;
use workmill_core::ids::TaskId;
use workmill_protocol::error::ErrorCode;
use workmill_sdk::{Client, ClientError};

use crate::arguments::{BlockArguments, TaskCommand};
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::plain_text::plain;
use row::PlanRow;

pub(super) async fn run(context: &CommandContext, command: &TaskCommand) -> Result<Exit> {
    match command {
        TaskCommand::Claim(arguments) => work::claim(context, arguments).await,
        TaskCommand::Renew(arguments) => work::renew(context, arguments).await,
        TaskCommand::Done(arguments) => work::done(context, arguments).await,
        TaskCommand::Fail(arguments) => work::fail(context, arguments).await,
        TaskCommand::Block(arguments) => block(context, arguments, true).await,
        TaskCommand::Unblock(arguments) => block(context, arguments, false).await,
        TaskCommand::Add(arguments) => plan::add(context, arguments).await,
        TaskCommand::List(arguments) => plan::list(context, arguments).await,
        TaskCommand::Show { id } => show(context, id).await,
        TaskCommand::PlanSync { dry_run } => plan::sync(context, *dry_run).await,
    }
}

async fn show(context: &CommandContext, id: &str) -> Result<Exit> {
    let client = context.client()?;
    let task = client.task(id).await?;
    let row = PlanRow::of_task(&client, &task).await?;
    context.output.answer(&row, PlanRow::render)?;
    Ok(Exit::Done)
}

#[derive(Serialize)]
struct Edge<'a> {
    id: &'a str,
    by: &'a str,
    is_blocked: bool,
}

/// A circle, with the planner's own ids.
async fn in_own_words(client: &Client, error: ClientError) -> anyhow::Error {
    let problem = match &error {
        ClientError::Refused(problem) if problem.code == ErrorCode::Cycle => problem,
        _ => return error.into(),
    };
    let way: Vec<TaskId> = problem.path.iter().flat_map(|id| id.parse()).collect();
    let Ok(names) = row::names(client, way.iter().copied()).await else {
        return error.into();
    };
    let way: Vec<String> = way.iter().map(|id| plain(&names[id])).collect();
    let message = format!("{}: {}", problem.title, way.join(" → "));
    Exit::InvalidInput.instead_of(error, message)
}

async fn block(
    context: &CommandContext,
    arguments: &BlockArguments,
    is_blocked: bool,
) -> Result<Exit> {
    let client = context.client()?;
    let BlockArguments { id, by } = arguments;
    let (task, on) = (client.task(id).await?.id, client.task(by).await?.id);
    if is_blocked {
        let added = client.add_dependency(task, on).await;
        if let Err(error) = added {
            return Err(in_own_words(&client, error).await);
        }
    } else {
        client.remove_dependency(task, on).await?;
    }
    let answer = Edge { id, by, is_blocked };
    context.output.answer(&answer, |answer| {
        let waits = if answer.is_blocked {
            "waits"
        } else {
            "does not wait"
        };
        format!("{} {waits} for {}", answer.id, answer.by)
    })?;
    Ok(Exit::Done)
}
