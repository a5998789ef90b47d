//! The demo beside the server: when it runs, and what follows when it is over.

use std::io::IsTerminal;

use anyhow::Result;
use workmill_sdk::Client;

use crate::arguments::UpArguments;
use crate::context::CommandContext;
use crate::demo;
use crate::exit::Exit;

/// Returns when everything is to stop because the demo is over; otherwise never.
pub(super) async fn run(
    context: &CommandContext,
    arguments: &UpArguments,
    client: &Client,
) -> Result<Exit> {
    // Standard output is the demo's canvas.
    let is_terminal = std::io::stdout().is_terminal();
    let colour = context.output.colour;
    let view = demo::View {
        is_terminal,
        colour,
    };
    if !arguments.demo {
        context.output.note("Stop it with Ctrl-C.");
        if !context.output.json {
            resume(client, view).await;
        }
        return std::future::pending().await;
    }
    let outcome = demo::run(client, view).await?;
    if arguments.once || !is_terminal {
        return Ok(if outcome.is_complete {
            Exit::Done
        } else {
            Exit::Error
        });
    }
    context
        .output
        .note("The server goes on. Stop it with Ctrl-C.");
    std::future::pending().await
}

/// A demo that was interrupted goes on with the next `up`. Nobody asked for it, so its troubles
/// are no reason to stop.
async fn resume(client: &Client, view: demo::View) {
    let resumed = async {
        if demo::find_unfinished(client).await?.is_some() {
            demo::run(client, view).await?;
        }
        anyhow::Ok(())
    };
    if let Err(error) = resumed.await {
        tracing::warn!(
            error = format!("{error:#}"),
            "the interrupted demo cannot go on"
        );
    }
}
