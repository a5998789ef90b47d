//! `workmill show`: a task, or a graph.

use anyhow::Result;
use workmill_core::ids::{GraphId, TaskId};

use super::graph;
use crate::arguments::ShowArguments;
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::render;

pub(crate) async fn run(context: &CommandContext, arguments: &ShowArguments) -> Result<Exit> {
    if let Ok(id) = arguments.id.parse::<TaskId>() {
        let task = context.client()?.task(id).await?;
        context.output.answer(&task, render::task)?;
        return Ok(Exit::Done);
    }
    match arguments.id.parse::<GraphId>() {
        Ok(id) => graph::show(context, id).await,
        Err(_) => Err(Exit::InvalidInput.because(format!(
            "`{}` is neither a task (`task_` and a ULID) nor a graph (`dag_` and a ULID)",
            arguments.id
        ))),
    }
}
