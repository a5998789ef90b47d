//! `workmill dead-letter`: what nobody tries again, and what is decided about it.

use anyhow::{Context, Result};
use serde_json::{Map, Value};
use workmill_protocol::dead_letters::{
    DeadLetterFilter, DeadLetterGroups, DeadLetterList, ListDeadLetters, Resolution,
    ResolveDeadLetter, ResolveDeadLetters, ResolvedDeadLetters,
};

use super::{bulk, input, list::LARGEST_PAGE};
use crate::arguments::{
    DeadLetterCommand, DeadLetterFilterArguments, DeadLetterListArguments, ResolveArguments,
};
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::render;

pub(crate) async fn run(context: &CommandContext, command: &DeadLetterCommand) -> Result<Exit> {
    let client = context.client()?;
    match command {
        DeadLetterCommand::List(arguments) => list(context, arguments).await?,
        DeadLetterCommand::Show { id } => {
            let letter = client.dead_letter(id).await?;
            context.output.answer(&letter, render::dead_letter)?;
        }
        DeadLetterCommand::Groups => {
            let items = client.dead_letter_groups().await?;
            let groups = DeadLetterGroups { items };
            context.output.answer(&groups, render::dead_letter_groups)?;
        }
        DeadLetterCommand::Review { id, undo } => {
            let letter = client.review_dead_letter(id, !undo).await?;
            context.output.answer(&letter, render::dead_letter)?;
        }
        DeadLetterCommand::Resolve(arguments) => resolve(context, arguments).await?,
    }
    Ok(Exit::Done)
}

async fn list(context: &CommandContext, arguments: &DeadLetterListArguments) -> Result<()> {
    let client = context.client()?;
    let page = &arguments.page;
    let mut list = ListDeadLetters {
        limit: page.limit.map(usize::from),
        cursor: page.cursor.clone(),
        resolved: arguments.resolved,
        ..asked(filter(&arguments.filter))
    };
    if page.all {
        list.limit = Some(LARGEST_PAGE);
    }
    let mut all = DeadLetterList {
        items: Vec::new(),
        next_cursor: None,
    };
    loop {
        let some = client.dead_letters(&list).await?;
        all.items.extend(some.items);
        all.next_cursor = some.next_cursor;
        // A page may end early because much was looked over that does not fit.
        let is_enough = !page.all && !all.items.is_empty();
        if is_enough || all.next_cursor.is_none() {
            break;
        }
        list.cursor.clone_from(&all.next_cursor);
    }
    let render = if arguments.resolved {
        render::resolved_dead_letters
    } else {
        render::dead_letters
    };
    context.output.answer(&all, render)?;
    if let Some(cursor) = &all.next_cursor {
        let note = format!("There may be more: --all, or --cursor {cursor}");
        context.output.note(&note);
    }
    Ok(())
}

async fn resolve(context: &CommandContext, arguments: &ResolveArguments) -> Result<()> {
    let (resolution, changes) = decision(arguments)?;
    let note = arguments.sure.note.clone();
    if let Some(id) = &arguments.id {
        let decision = ResolveDeadLetter {
            resolution,
            changes,
            note,
        };
        return resolve_one(context, id, arguments.sure.dry_run, &decision).await;
    }
    let decision = ResolveDeadLetters {
        filter: filter(&arguments.filter),
        resolution,
        changes,
        note,
        dry_run: false,
        until: None,
    };
    let client = context.client()?;
    let preview = client.preview_dead_letters(&decision).await?;
    if bulk::is_preview_enough(&arguments.sure, preview.count) {
        return context.output.answer(&preview, render::dead_letter_preview);
    }
    let shown = render::dead_letter_preview(&preview);
    bulk::check_sure(context, &arguments.sure, &shown)?;
    // About those that the preview has shown, however many calls it takes.
    let decision = ResolveDeadLetters {
        until: Some(preview.until),
        ..decision
    };
    let mut all = client.resolve_dead_letters(&decision).await?;
    while all.more {
        let some = client.resolve_dead_letters(&decision).await?;
        all = ResolvedDeadLetters {
            resolved: all.resolved + some.resolved,
            skipped: all.skipped + some.skipped,
            ..some
        };
    }
    context.output.answer(&all, render::resolved)
}

async fn resolve_one(
    context: &CommandContext,
    id: &str,
    is_dry_run: bool,
    decision: &ResolveDeadLetter,
) -> Result<()> {
    let client = context.client()?;
    if is_dry_run {
        let letter = client.dead_letter(id).await?;
        return context.output.answer(&letter, render::dead_letter);
    }
    let status = client.resolve_dead_letter(id, decision).await?;
    context.output.answer(&status, render::task_status)
}

fn decision(arguments: &ResolveArguments) -> Result<(Resolution, Map<String, Value>)> {
    let Some(json) = &arguments.modify else {
        let resolution = if arguments.retry {
            Resolution::Retry
        } else {
            Resolution::Cancel
        };
        return Ok((resolution, Map::new()));
    };
    let json = input::json_value("the change", json)?;
    let changes: Value = serde_json::from_str(json.get()).context("cannot read the change")?;
    let Value::Object(changes) = changes else {
        return Err(Exit::InvalidInput.because("the change is a JSON object"));
    };
    Ok((Resolution::ModifyAndRetry, changes))
}

fn filter(arguments: &DeadLetterFilterArguments) -> DeadLetterFilter {
    DeadLetterFilter {
        task_type: arguments.task_type.clone(),
        tag: arguments.tag.clone(),
        created_by: arguments.created_by.clone(),
        graph: arguments.graph,
        agent: arguments.agent.clone(),
        reason: arguments.reason,
        cause: arguments.cause,
        fingerprint: arguments.fingerprint.clone(),
        reviewed: arguments.reviewed,
        since: arguments.since,
        until: arguments.until,
    }
}

fn asked(filter: DeadLetterFilter) -> ListDeadLetters {
    ListDeadLetters {
        task_type: filter.task_type,
        tag: filter.tag,
        created_by: filter.created_by,
        graph: filter.graph,
        agent: filter.agent,
        reason: filter.reason,
        cause: filter.cause,
        fingerprint: filter.fingerprint,
        reviewed: filter.reviewed,
        since: filter.since,
        until: filter.until,
        ..ListDeadLetters::default()
    }
}
