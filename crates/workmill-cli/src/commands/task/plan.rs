//! The plan itself: `plan-sync`, `add`, `list`.

use std::fs::File;
use std::io::{Cursor, ErrorKind, Read, Seek};

use anyhow::{Context, Result};
use serde::Serialize;
use workmill_core::lifecycle::State;
use workmill_core::plan::{PlanLine, PlanStatus, TASK_TYPE};
use workmill_protocol::lists::{ListTasks, TaskSummary};
use workmill_protocol::plan::{PlanAction, SyncedPlan};
use workmill_sdk::{ClientError, SyncMode};

use crate::arguments::{AddTaskArguments, ListPlanArguments};
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::plain_text::plain;

/// The most that the server takes.
const LARGEST_LIST: u64 = 64 * 1024 * 1024;

pub(super) async fn sync(context: &CommandContext, dry_run: bool) -> Result<Exit> {
    let mode = SyncMode {
        dry_run,
        ..SyncMode::default()
    };
    let client = context.client()?;
    let list = tokio::fs::File::from_std(set_aside()?);
    let synced = client.sync_plan(list, mode).await;
    let synced = synced.map_err(with_lines)?;
    context.output.answer(&synced, render)?;
    Ok(Exit::Done)
}

/// The list on standard input, whole, in a file without a name: a planner may write slowly, and a
/// request has to be over within a minute.
fn set_aside() -> Result<File> {
    let copy = || {
        let mut file = tempfile::tempfile()?;
        let mut list = std::io::stdin().lock().take(LARGEST_LIST + 1);
        let size = std::io::copy(&mut list, &mut file)?;
        file.rewind()?;
        std::io::Result::Ok((file, size))
    };
    let (file, size) = copy().map_err(|error| {
        if error.kind() == ErrorKind::IsADirectory {
            return Exit::InvalidInput.because("standard input is a folder");
        }
        anyhow::Error::new(error).context("cannot set aside the list on standard input")
    })?;
    if size > LARGEST_LIST {
        let problem = format!("the list is larger than {LARGEST_LIST} bytes");
        return Err(Exit::Limit.because(problem));
    }
    Ok(file)
}

/// Names the lines that are at fault.
fn with_lines(error: ClientError) -> anyhow::Error {
    let ClientError::Refused(problem) = &error else {
        return error.into();
    };
    let lines = problem.lines.iter();
    let mut lines: Vec<String> = lines
        .map(|bad| format!("line {}: {}", bad.line, bad.problem))
        .collect();
    if lines.is_empty() {
        return error.into();
    }
    if let Some(more) = problem.more_lines {
        lines.push(format!("… and {more} more"));
    }
    let text = format!(
        "{}; nothing was changed\n{}",
        problem.detail,
        lines.join("\n")
    );
    Exit::InvalidInput.instead_of(error, text)
}

fn render(synced: &SyncedPlan) -> String {
    let mut lines = Vec::new();
    for change in synced.changes.iter().flatten() {
        let sign = match change.action {
            PlanAction::Insert => '+',
            PlanAction::Update => '~',
            PlanAction::Delete => '-',
        };
        let id = plain(&change.id);
        lines.push(if change.fields.is_empty() {
            format!("{sign} {id}")
        } else {
            format!("{sign} {id} ({})", change.fields.join(", "))
        });
    }
    let SyncedPlan {
        inserted,
        updated,
        deleted,
        skipped_done,
        ..
    } = synced;
    lines.push(format!(
        "inserted: {inserted}, updated: {updated}, deleted: {deleted}, skipped (done): {skipped_done}"
    ));
    lines.join("\n")
}

pub(super) async fn add(context: &CommandContext, arguments: &AddTaskArguments) -> Result<Exit> {
    let line = PlanLine {
        id: arguments.id.clone(),
        spec_ref: arguments.spec_ref.clone(),
        title: arguments.title.clone(),
        description: arguments.description.clone().unwrap_or_default(),
        category: arguments.category.clone(),
        priority: arguments.priority.unwrap_or_default(),
        steps: Vec::new(),
        deps: arguments.deps.clone(),
    };
    let mode = SyncMode {
        add: true,
        ..SyncMode::default()
    };
    let list = serde_json::to_vec(&line).context("a task is JSON")?;
    let added = context.client()?.sync_plan(Cursor::new(list), mode).await;
    added.map_err(of_one_line)?;
    context
        .output
        .answer(&line, |line| format!("{}  open", line.id))?;
    Ok(Exit::Done)
}

/// There is only one line; that its id is taken is a conflict.
fn of_one_line(error: ClientError) -> anyhow::Error {
    let ClientError::Refused(problem) = &error else {
        return error.into();
    };
    let Some(bad) = problem.lines.first() else {
        return error.into();
    };
    let exit = if bad.problem.starts_with("another task has the id") {
        Exit::Conflict
    } else {
        Exit::InvalidInput
    };
    let message = bad.problem.clone();
    exit.instead_of(error, message)
}

#[derive(Debug, Serialize)]
struct Listed {
    id: String,
    status: PlanStatus,
    priority: i32,
    title: String,
    assignee: Option<String>,
}

#[derive(Debug, Serialize)]
struct PlanList {
    tasks: Vec<Listed>,
}

pub(super) async fn list(context: &CommandContext, arguments: &ListPlanArguments) -> Result<Exit> {
    let client = context.client()?;
    let wanted = arguments.status.map(PlanStatus::from);
    let states = State::ALL.into_iter();
    let states =
        states.filter(|state| wanted.is_none_or(|wanted| PlanStatus::from(*state) == wanted));
    let mut filter = ListTasks {
        task_type: Some(TASK_TYPE.to_owned()),
        // All of them are asked for by naming none: then they come in their order.
        status: wanted.map(|_| states.collect()).unwrap_or_default(),
        limit: Some(500),
        ..ListTasks::default()
    };
    let mut tasks = Vec::new();
    loop {
        let page = client.tasks(&filter).await?;
        let items = page.items.into_iter().filter_map(listed);
        // Nobody wants to see them who does not ask for them.
        tasks.extend(items.filter(|task| wanted.is_some() || task.status != PlanStatus::Deleted));
        filter.cursor = page.next_cursor;
        if filter.cursor.is_none() {
            break;
        }
    }
    context.output.answer(&PlanList { tasks }, |list| {
        let lines = list.tasks.iter().map(|task| {
            let (id, title) = (plain(&task.id), plain(&task.title));
            format!(
                "{:<8} {:>3}  {id}  {title}",
                task.status.name(),
                task.priority
            )
        });
        lines.collect::<Vec<_>>().join("\n")
    })?;
    Ok(Exit::Done)
}

/// Of the tasks of a plan: they have an id of the planner.
fn listed(task: TaskSummary) -> Option<Listed> {
    Some(Listed {
        id: task.key?,
        status: task.status.into(),
        priority: task.priority.value(),
        title: task.title,
        assignee: task.agent,
    })
}
