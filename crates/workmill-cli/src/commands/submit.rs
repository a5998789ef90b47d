//! `workmill submit`: one task from flags, or several from a file.

use anyhow::{Context, Result};
use serde_json::value::to_raw_value;
use workmill_core::task::NewTask;

use super::input;
use crate::arguments::SubmitArguments;
use crate::context::CommandContext;
use crate::exit::Exit;

pub(crate) async fn run(context: &CommandContext, arguments: &SubmitArguments) -> Result<Exit> {
    let json = match &arguments.file {
        Some(file) => input::read_json(file)?,
        None => to_raw_value(&task(arguments)).context("cannot write the task as JSON")?,
    };
    let submitted = context.client()?.submit_json(&json).await?;
    context.output.answer(&submitted, |submitted| {
        let ids: Vec<String> = submitted
            .tasks
            .iter()
            .map(|task| task.id.to_string())
            .collect();
        ids.join("\n")
    })?;
    Ok(Exit::Done)
}

fn task(arguments: &SubmitArguments) -> NewTask {
    let mut task = NewTask {
        title: arguments.title.clone().unwrap_or_default(),
        task_type: arguments.task_type.clone(),
        priority: arguments.priority.unwrap_or_default(),
        max_attempts: arguments.max_attempts,
        ..NewTask::default()
    };
    task.spec.prompt = arguments.prompt.clone().unwrap_or_default();
    task.spec
        .constraints
        .required_capabilities
        .clone_from(&arguments.capabilities);
    task
}
