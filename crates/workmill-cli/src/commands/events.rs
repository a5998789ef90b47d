//! `workmill events tail`: what happens, as it happens.

use std::time::Duration;

use anyhow::Result;
use workmill_sdk::{Client, ClientError, EventFilter, EventStream, Heard};

use crate::arguments::{EventsCommand, TailArguments};
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::render;

/// How long to wait before coming again.
const AGAIN: Duration = Duration::from_secs(1);

pub(crate) async fn run(context: &CommandContext, command: &EventsCommand) -> Result<Exit> {
    match command {
        EventsCommand::Tail(arguments) => tail(context, arguments).await,
    }
}

/// A stream that ends goes on after the last event that was heard.
async fn tail(context: &CommandContext, arguments: &TailArguments) -> Result<Exit> {
    let client = context.client()?;
    let filter = EventFilter {
        types: arguments.types.clone(),
        task: arguments.task.clone(),
        graph: arguments.graph,
    };
    let mut stream = client.follow_events(&filter, arguments.after).await?;
    loop {
        match stream.next().await {
            Ok(Some(Heard::Event(event))) => {
                if !context.output.next_answer(&*event, render::event)? {
                    return Ok(Exit::Done);
                }
            }
            Ok(Some(Heard::Missing(missing))) => {
                let note = format!("Events after {} are not kept any more.", missing.after);
                context.output.note(&note);
            }
            Ok(Some(Heard::Dropped(_)) | None) | Err(ClientError::Unreachable { .. }) => {
                stream = come_again(context, &client, &filter, stream.after()).await?;
            }
            Err(error) => return Err(error.into()),
        }
    }
}

async fn come_again(
    context: &CommandContext,
    client: &Client,
    filter: &EventFilter,
    after: Option<i64>,
) -> Result<EventStream> {
    context.output.note("The stream has ended; trying again.");
    loop {
        tokio::time::sleep(AGAIN).await;
        match client.follow_events(filter, after).await {
            Err(ClientError::Unreachable { .. }) => {}
            Err(ClientError::Refused(problem)) if problem.retryable => {}
            answer => return Ok(answer?),
        }
    }
}
