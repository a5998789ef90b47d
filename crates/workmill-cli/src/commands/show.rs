//! `workmill show`: a task, a graph or a project.

use anyhow::Result;
use workmill_core::ids::{GraphId, ProjectId};

use super::{graph, project};
use crate::arguments::ShowArguments;
use crate::configuration::variable;
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::render;

/// Prints the output of a task alone: a text as it is, anything else as JSON.
pub(crate) async fn output(context: &CommandContext, id: &str) -> Result<Exit> {
    let output = context.client()?.output(id).await?;
    context.output.answer(&output, render::output)?;
    Ok(Exit::Done)
}

pub(crate) async fn run(context: &CommandContext, arguments: &ShowArguments) -> Result<Exit> {
    let own_task = || variable("WORKMILL_TASK_ID");
    let id = arguments.id.clone().or_else(own_task);
    let id = id.ok_or_else(|| Exit::Usage.because("name a task, a graph or a project"))?;
    // A UUID does not say what it names; of a task it may be the key.
    if id.starts_with("proj_")
        && let Ok(id) = id.parse::<ProjectId>()
    {
        return project::show(context, id).await;
    }
    if id.starts_with("dag_")
        && let Ok(id) = id.parse::<GraphId>()
    {
        return graph::show(context, id).await;
    }
    let task = context.client()?.task(id).await?;
    context.output.answer(&task, render::task)?;
    Ok(Exit::Done)
}
