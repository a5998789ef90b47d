//! `workmill cancel`, `answer` and `edit`: changing one task.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};
use workmill_protocol::tasks::{AdoptResult, AnswerTask, TaskStatus};

use super::input;
use crate::arguments::{AdoptArguments, AnswerArguments, CancelArguments, EditArguments};
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::render;

pub(super) async fn cancel(context: &CommandContext, arguments: &CancelArguments) -> Result<Exit> {
    let client = context.client()?;
    if !arguments.dry_run {
        let status = client.cancel(&arguments.id).await?;
        return answered(context, &status);
    }
    let task = client.task(&arguments.id).await?;
    let would = !task.status.is_finished();
    let answer = json!({
        "id": task.id,
        "status": task.status,
        "dry_run": true,
        "would_be_cancelled": would,
    });
    context.output.answer(&answer, |_| {
        let what = if would {
            "would be cancelled"
        } else {
            "has ended already"
        };
        format!("{} is {} and {what}", task.id, task.status.name())
    })?;
    Ok(Exit::Done)
}

pub(super) async fn answer(context: &CommandContext, arguments: &AnswerArguments) -> Result<Exit> {
    let input = match (&arguments.input, &arguments.text) {
        (Some(json), _) => {
            let json = input::json_value("the answer", json)?;
            serde_json::from_str(json.get()).context("cannot read the answer")?
        }
        (None, text) => text.clone().unwrap_or_default().into(),
    };
    let client = context.client()?;
    let status = client.answer(&arguments.id, &AnswerTask { input }).await?;
    answered(context, &status)
}

pub(super) async fn adopt(context: &CommandContext, arguments: &AdoptArguments) -> Result<Exit> {
    let adoption = AdoptResult {
        epoch: arguments.epoch,
        note: arguments.note.clone(),
    };
    let status = context.client()?.adopt(&arguments.id, &adoption).await?;
    answered(context, &status)
}

pub(super) async fn edit(context: &CommandContext, arguments: &EditArguments) -> Result<Exit> {
    let changes = changes(arguments)?;
    let client = context.client()?;
    let edited = client.edit_task(&arguments.id, &changes, arguments.if_version);
    answered(context, &edited.await?)
}

fn answered(context: &CommandContext, status: &TaskStatus) -> Result<Exit> {
    context.output.answer(status, render::task_status)?;
    Ok(Exit::Done)
}

/// The flags laid over `--changes`, which is sent as it was written.
fn changes(arguments: &EditArguments) -> Result<Box<RawValue>> {
    let mut changes = match &arguments.changes {
        Some(json) => merge_patch(json)?,
        None => BTreeMap::new(),
    };
    let mut set = |name: &str, value: Box<RawValue>| {
        if changes.insert(name.to_owned(), value).is_none() {
            return Ok(());
        }
        let problem = format!("`{name}` is changed twice: by a flag and by --changes");
        Err(Exit::InvalidInput.because(problem))
    };
    if let Some(title) = &arguments.title {
        set("title", raw(title)?)?;
    }
    if let Some(prompt) = &arguments.prompt {
        let prompt = input::text(prompt)?;
        set("spec", raw(&json!({ "prompt": prompt }))?)?;
    }
    if let Some(priority) = &arguments.priority {
        set("priority", raw(priority)?)?;
    }
    if let Some(deadline) = &arguments.deadline {
        set("deadline", raw(deadline)?)?;
    }
    if let Some(tags) = &arguments.tags {
        let tags = tags.split(',').map(str::trim).filter(|tag| !tag.is_empty());
        set("tags", raw(&tags.collect::<Vec<_>>())?)?;
    }
    if let Some(attempts) = &arguments.max_attempts {
        set("max_attempts", raw(attempts)?)?;
    }
    raw(&changes)
}

/// A JSON object, member by member.
fn merge_patch(json: &str) -> Result<BTreeMap<String, Box<RawValue>>> {
    let json = input::json_value("the change", json)?;
    serde_json::from_str(json.get()).map_err(|_| {
        let problem = "the change is a JSON object, like '{\"priority\": \"high\"}'";
        Exit::InvalidInput.because(problem)
    })
}

fn raw(value: &impl Serialize) -> Result<Box<RawValue>> {
    to_raw_value(value).context("cannot write the change as JSON")
}
