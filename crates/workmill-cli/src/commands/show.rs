//! `workmill show`: a task, a graph or a project.

use anyhow::Result;
use workmill_core::ids::{GraphId, ProjectId, TaskId};

use super::{graph, project};
use crate::arguments::ShowArguments;
use crate::configuration::variable;
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::render;

/// Prints the output of a task alone: a text as it is, anything else as JSON.
pub(crate) async fn output(context: &CommandContext, id: TaskId) -> Result<Exit> {
    let output = context.client()?.output(id).await?;
    context.output.answer(&output, render::output)?;
    Ok(Exit::Done)
}

pub(crate) async fn run(context: &CommandContext, arguments: &ShowArguments) -> Result<Exit> {
    let own_task = || variable("WORKMILL_TASK_ID");
    let id = arguments.id.clone().or_else(own_task);
    let id =
        id.ok_or_else(|| Exit::Usage.because("show what? Name a task, a graph or a project"))?;
    if let Ok(id) = id.parse::<TaskId>() {
        let task = context.client()?.task(id).await?;
        context.output.answer(&task, render::task)?;
        return Ok(Exit::Done);
    }
    if let Ok(id) = id.parse::<ProjectId>() {
        return project::show(context, id).await;
    }
    match id.parse::<GraphId>() {
        Ok(id) => graph::show(context, id).await,
        Err(_) => Err(Exit::InvalidInput.because(format!(
            "`{id}` is no task (`task_` and a ULID), no graph (`dag_…`) and no project (`proj_…`)"
        ))),
    }
}
