//! `workmill graph`: create graphs, look at them, steer them.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::Result;
use serde_json::json;
use workmill_core::ids::GraphId;
use workmill_protocol::graphs::{
    CancelGraph, CancelMode, CreateGraph, CreatedGraph, Graph, GraphList, ListGraphs, RetriedGraph,
};

use super::input;
use super::list::{note_more, pages};
use super::waiting::{self, Ended};
use crate::arguments::{
    CancelHow, GraphCancelArguments, GraphCommand, GraphCreateArguments, GraphListArguments,
    GraphRetryArguments, WaitArguments,
};
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::plain_text::plain;
use crate::render;

pub(crate) async fn run(context: &CommandContext, command: &GraphCommand) -> Result<Exit> {
    match command {
        GraphCommand::Create(arguments) => create(context, arguments).await,
        GraphCommand::Show { id, watch: false } => show(context, *id).await,
        GraphCommand::Show { id, watch: true } => watch(context, *id).await,
        GraphCommand::List(arguments) => list(context, arguments).await,
        GraphCommand::Submit { id } => {
            let graph = context.client()?.submit_graph(*id).await?;
            context.output.answer(&graph, render::graph)?;
            Ok(Exit::Done)
        }
        GraphCommand::Cancel(arguments) => cancel(context, arguments).await,
        GraphCommand::Retry(arguments) => retry(context, arguments).await,
    }
}

async fn create(context: &CommandContext, arguments: &GraphCreateArguments) -> Result<Exit> {
    let document = input::read_document(&arguments.file)?;
    let created = context.client()?.create_graph_json(document.json()).await;
    let created = created.map_err(|error| document.place::<CreateGraph>(error))?;
    if arguments.wait.wait {
        context.output.note(&created.id.to_string());
        return wait(context, created.id, &arguments.wait).await;
    }
    context.output.answer(&created, names_and_ids)?;
    Ok(Exit::Done)
}

async fn wait(context: &CommandContext, id: GraphId, arguments: &WaitArguments) -> Result<Exit> {
    let (graph, ended) = waiting::for_graph(context, id, arguments).await?;
    context.output.answer(&graph, render::graph)?;
    if ended == Ended::NotYet {
        context.output.note("The graph has not ended yet.");
    }
    Ok(ended.exit())
}

pub(super) async fn show(context: &CommandContext, id: GraphId) -> Result<Exit> {
    let graph = context.client()?.graph(id).await?;
    context.output.answer(&graph, render::graph)?;
    Ok(Exit::Done)
}

async fn watch(context: &CommandContext, id: GraphId) -> Result<Exit> {
    let client = context.patient_client()?;
    let is_over = |graph: &Graph| Ended::of_graph(graph.status) != Ended::NotYet;
    let ask = async || Ok(client.graph(id).await?);
    waiting::watch(context, ask, render::graph, is_over).await?;
    Ok(Exit::Done)
}

async fn list(context: &CommandContext, arguments: &GraphListArguments) -> Result<Exit> {
    let client = context.client()?;
    let filter = ListGraphs {
        status: arguments.status.clone(),
        q: arguments.title_has.clone(),
        project: arguments.project,
        created_by: arguments.created_by.clone(),
        since: arguments.since,
        until: arguments.until,
        ..ListGraphs::default()
    };
    let ask = async |limit, cursor| {
        let list = ListGraphs {
            limit: Some(limit),
            cursor,
            ..filter.clone()
        };
        let page = client.graphs(&list).await?;
        Ok((page.items, page.next_cursor))
    };
    let (items, next_cursor) = pages(&arguments.page, ask).await?;
    let all = GraphList { items, next_cursor };
    context.output.answer(&all, render::graphs)?;
    note_more(context, all.next_cursor.as_deref());
    Ok(Exit::Done)
}

async fn cancel(context: &CommandContext, arguments: &GraphCancelArguments) -> Result<Exit> {
    let client = context.client()?;
    let id = arguments.id;
    if arguments.dry_run {
        let by_status = unfinished(&client.graph(id).await?);
        let answer = json!({ "id": id, "dry_run": true, "by_status": by_status });
        context.output.answer(&answer, |_| {
            let all: usize = by_status.values().sum();
            let all = render::count(all, "task");
            format!("would be cancelled: {all}{}", counts(&by_status))
        })?;
        return Ok(Exit::Done);
    }
    let mode = match arguments.mode {
        CancelHow::Now => CancelMode::Now,
        CancelHow::Drain => CancelMode::Drain,
    };
    let cancelled = client.cancel_graph(id, &CancelGraph { mode }).await?;
    context.output.answer(&cancelled, |cancelled| {
        format!("cancelled: {}", render::count(cancelled.cancelled, "task"))
    })?;
    Ok(Exit::Done)
}

/// How many tasks can still be cancelled, by their state.
fn unfinished(graph: &Graph) -> BTreeMap<&'static str, usize> {
    let mut by_status = BTreeMap::new();
    for task in graph.tasks.iter().filter(|task| !task.status.is_finished()) {
        *by_status.entry(task.status.name()).or_default() += 1;
    }
    by_status
}

fn counts(by_status: &BTreeMap<&'static str, usize>) -> String {
    let counts: Vec<String> = by_status
        .iter()
        .map(|(status, count)| format!("{count} {status}"))
        .collect();
    if counts.is_empty() {
        String::new()
    } else {
        format!(" ({})", counts.join(", "))
    }
}

/// Until all of it is done; a call ends after a while.
async fn retry(context: &CommandContext, arguments: &GraphRetryArguments) -> Result<Exit> {
    let client = context.client()?;
    let mut all = RetriedGraph {
        id: arguments.id,
        retried: 0,
        more: true,
    };
    while all.more {
        let some = client.retry_graph(arguments.id).await?;
        all.retried += some.retried;
        all.more = some.more;
    }
    if arguments.wait.wait {
        context.output.note(&retried(&all));
        return wait(context, arguments.id, &arguments.wait).await;
    }
    context.output.answer(&all, retried)?;
    Ok(Exit::Done)
}

fn retried(all: &RetriedGraph) -> String {
    format!("retried: {}", render::count(all.retried, "dead letter"))
}

fn names_and_ids(created: &CreatedGraph) -> String {
    let mut text = created.id.to_string();
    for (name, id) in &created.tasks {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n  {id}  {}", plain(name));
    }
    text
}
