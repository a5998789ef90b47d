//! `workmill graph`: create a graph, look at one.

use std::fmt::Write;

use anyhow::Result;
use workmill_core::ids::GraphId;
use workmill_protocol::graphs::CreatedGraph;

use super::input;
use crate::arguments::GraphCommand;
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::plain_text::plain;
use crate::render;

pub(crate) async fn run(context: &CommandContext, command: &GraphCommand) -> Result<Exit> {
    match command {
        GraphCommand::Create(arguments) => {
            let json = input::read_json(&arguments.file)?;
            let created = context.client()?.create_graph_json(&json).await?;
            context.output.answer(&created, for_people)?;
            Ok(Exit::Done)
        }
        GraphCommand::Show { id } => show(context, *id).await,
    }
}

pub(super) async fn show(context: &CommandContext, id: GraphId) -> Result<Exit> {
    let graph = context.client()?.graph(id).await?;
    context.output.answer(&graph, render::graph)?;
    Ok(Exit::Done)
}

fn for_people(created: &CreatedGraph) -> String {
    let mut text = created.id.to_string();
    for (name, id) in &created.tasks {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n  {id}  {}", plain(name));
    }
    text
}
