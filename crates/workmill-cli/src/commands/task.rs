//! `workmill task`: a plan that agents work through, in a planner's words.

mod plan;
mod row;
mod work;

use anyhow::Result;
use serde::Serialize;

use crate::arguments::{BlockArguments, TaskCommand};
use crate::context::CommandContext;
use crate::exit::Exit;
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
    let task = client.named_task(id).await?;
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

async fn block(
    context: &CommandContext,
    arguments: &BlockArguments,
    is_blocked: bool,
) -> Result<Exit> {
    let client = context.client()?;
    let BlockArguments { id, by } = arguments;
    let (task, on) = (
        client.named_task(id).await?.id,
        client.named_task(by).await?.id,
    );
    if is_blocked {
        client.add_dependency(task, on).await?;
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
