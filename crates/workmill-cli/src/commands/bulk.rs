//! `workmill bulk`: one action on all tasks that fit.

use anyhow::Result;
use workmill_protocol::bulk::{Action, ChangeTasks, ChangedTasks, TaskFilter};

use super::list;
use crate::arguments::{BulkArguments, BulkCommand, SureArguments};
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::render;

pub(crate) async fn run(context: &CommandContext, command: &BulkCommand) -> Result<Exit> {
    let (arguments, change) = asked(command);
    if change.filter == TaskFilter::default() {
        let problem = "name at least one filter, such as --type";
        return Err(Exit::Usage.because(problem));
    }
    let client = context.client()?;
    let preview = client.preview_change(&change).await?;
    if is_preview_enough(&arguments.sure, preview.count) {
        context.output.answer(&preview, render::change_preview)?;
        return Ok(Exit::Done);
    }
    check_sure(context, &arguments.sure, &render::change_preview(&preview))?;
    // About those that the preview has shown, however many calls it takes.
    let change = ChangeTasks {
        moment: Some(preview.moment),
        ..change
    };
    let mut all = client.change_tasks(&change).await?;
    while all.more {
        let some = client.change_tasks(&change).await?;
        all = ChangedTasks {
            changed: all.changed + some.changed,
            skipped: all.skipped + some.skipped,
            ..some
        };
    }
    context.output.answer(&all, render::changed)?;
    Ok(Exit::Done)
}

fn asked(command: &BulkCommand) -> (&BulkArguments, ChangeTasks) {
    let (action, arguments, priority, tag) = match command {
        BulkCommand::Cancel(rest) => (Action::Cancel, rest, None, None),
        BulkCommand::Retry(rest) => (Action::Retry, rest, None, None),
        BulkCommand::Reprioritise { priority, rest } => {
            (Action::Reprioritise, rest, Some(*priority), None)
        }
        BulkCommand::Tag { new_tag, rest } => (Action::Tag, rest, None, Some(new_tag.clone())),
        BulkCommand::Untag { old_tag, rest } => (Action::Untag, rest, None, Some(old_tag.clone())),
    };
    let change = ChangeTasks {
        filter: list::filter(&arguments.filter),
        action,
        priority,
        tag,
        note: arguments.sure.note.clone(),
        dry_run: false,
        moment: None,
    };
    (arguments, change)
}

/// Returns whether a preview is the whole answer: it was asked for, or there is nothing to confirm.
pub(super) fn is_preview_enough(sure: &SureArguments, matching: usize) -> bool {
    sure.dry_run || !sure.yes && matching == 0
}

/// What changes many things is done only when somebody has said so.
pub(super) fn check_sure(
    context: &CommandContext,
    sure: &SureArguments,
    preview: &str,
) -> Result<()> {
    if sure.yes {
        return Ok(());
    }
    context.output.note(preview);
    let problem = "nothing was changed: give --yes to make the change, or --dry-run to preview it";
    Err(Exit::Usage.because(problem))
}
