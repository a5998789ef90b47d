//! `workmill submit`: one task from flags, or several from a file.

use anyhow::Result;
use serde_json::json;
use workmill_protocol::tasks::SubmittedTasks;
use workmill_sdk::Client;

use super::new_tasks::NewTasks;
use super::waiting::{self, Ended};
use crate::arguments::SubmitArguments;
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::render;

pub(crate) async fn run(context: &CommandContext, arguments: &SubmitArguments) -> Result<Exit> {
    let is_relative = arguments.tasks.at.is_some_and(|at| at.is_relative);
    if is_relative && arguments.idempotency_key.is_some() {
        return Err(Exit::Usage.because(
            "--at is a time from now on, which is another moment in each call: a repeated call with the \
             same --idempotency-key would be another request; give --at a time like 2027-01-15T08:00:00Z",
        ));
    }
    let tasks = NewTasks::read(&arguments.tasks)?;
    tasks.refuse_graph()?;
    let submitted = submit(&context.client()?, arguments, &tasks).await?;
    if !arguments.wait.wait {
        context.output.answer(&submitted, ids)?;
        return Ok(Exit::Done);
    }
    // Whoever is cut off knows what to look for.
    context.output.note(&ids(&submitted));
    let all: Vec<_> = submitted.tasks.iter().map(|task| task.id).collect();
    let (tasks, ended) = waiting::for_tasks(context, &all, &arguments.wait).await?;
    let answer = json!({ "tasks": tasks });
    context
        .output
        .answer(&answer, |_| render::outcomes(&tasks))?;
    if ended == Ended::NotYet {
        context.output.note(match all.len() {
            1 => "The task has not ended yet.",
            _ => "The tasks have not all ended yet.",
        });
    }
    Ok(ended.exit())
}

async fn submit(
    client: &Client,
    arguments: &SubmitArguments,
    tasks: &NewTasks,
) -> Result<SubmittedTasks> {
    let key = arguments.idempotency_key.as_deref();
    let above = &arguments.tasks.depends_on;
    let submitted = match (above.first(), key) {
        (None, None) => client.submit_json(tasks.json()).await,
        (None, Some(key)) => client.submit_json_once(tasks.json(), key).await,
        (Some(first), key) => {
            // The server refuses tasks of other graphs.
            let graph = client.task(first).await?.dag_id;
            let tasks = tasks.grown()?;
            client.grow_graph_json(graph, &tasks, key).await
        }
    };
    submitted.map_err(|error| tasks.place(error))
}

fn ids(submitted: &SubmittedTasks) -> String {
    let ids = submitted.tasks.iter().map(|task| task.id.to_string());
    ids.collect::<Vec<_>>().join("\n")
}
