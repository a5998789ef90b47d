//! `workmill retention`: how long finished tasks are kept.

use anyhow::Result;
use serde::Serialize;
use workmill_protocol::retention::{Retention, RetentionPreview};

use crate::arguments::{RetentionCommand, SetRetentionArguments};
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::render;

/// How long tasks are kept, and what is removed by that.
#[derive(Serialize)]
pub(crate) struct Kept {
    #[serde(flatten)]
    pub(crate) kept: Retention,
    /// What is old enough to be removed at this moment.
    pub(crate) due: RetentionPreview,
}

pub(super) async fn run(context: &CommandContext, command: &RetentionCommand) -> Result<Exit> {
    match command {
        RetentionCommand::Show => {
            let client = context.client()?;
            let kept = client.retention().await?;
            let due = client.preview_retention(&kept).await?;
            context
                .output
                .answer(&Kept { kept, due }, render::retention)?;
            Ok(Exit::Done)
        }
        RetentionCommand::Set(arguments) => set(context, arguments).await,
    }
}

/// What is not named stays as it is.
async fn set(context: &CommandContext, arguments: &SetRetentionArguments) -> Result<Exit> {
    let client = context.client()?;
    let now = client.retention().await?;
    let kept = Retention {
        completed_sec: arguments.completed.map_or(now.completed_sec, |age| age.0),
        cancelled_sec: arguments.cancelled.map_or(now.cancelled_sec, |age| age.0),
        stale_sec: arguments.stale.map_or(now.stale_sec, |age| age.0),
    };
    let due = client.preview_retention(&kept).await?;
    let removes_more = [
        (now.completed_sec, kept.completed_sec),
        (now.cancelled_sec, kept.cancelled_sec),
        (now.stale_sec, kept.stale_sec),
    ]
    .into_iter()
    .any(|(now, wanted)| is_shorter(now, wanted));
    let mut wanted = Kept { kept, due };
    if !arguments.dry_run {
        if removes_more && !arguments.yes {
            context.output.note(&render::retention(&wanted));
            let problem = "nothing was changed: give --yes to remove older tasks permanently, now \
                           and from now on, or --dry-run to preview it";
            return Err(Exit::Usage.because(problem));
        }
        wanted.kept = client.set_retention(&kept).await?;
    }
    context.output.answer(&wanted, render::retention)?;
    Ok(Exit::Done)
}

/// Whether tasks are removed earlier than now; without an age they are kept for ever.
fn is_shorter(now: Option<f64>, wanted: Option<f64>) -> bool {
    wanted.is_some_and(|wanted| now.is_none_or(|now| wanted < now))
}
