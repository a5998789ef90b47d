//! `workmill explain`: why a task is not running, or why it runs where it does.

use anyhow::Result;

use crate::arguments::ExplainArguments;
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::render;

pub(crate) async fn run(context: &CommandContext, arguments: &ExplainArguments) -> Result<Exit> {
    let explanation = context.client()?.explain(&arguments.id).await?;
    context.output.answer(&explanation, render::explanation)?;
    Ok(Exit::Done)
}
