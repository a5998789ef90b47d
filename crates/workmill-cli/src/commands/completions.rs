//! `workmill completions`: a script for a shell.

use anyhow::{Context, Result};
use clap::CommandFactory;
use serde_json::json;

use crate::arguments::{Arguments, CompletionsArguments};
use crate::context::CommandContext;
use crate::exit::Exit;

pub(super) fn run(context: &CommandContext, arguments: &CompletionsArguments) -> Result<Exit> {
    let mut script = Vec::new();
    let mut command = Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "workmill", &mut script);
    let script = String::from_utf8(script).context("the script is no text")?;
    let answer = json!({ "shell": arguments.shell.to_string(), "script": script });
    context.output.answer(&answer, |_| script)?;
    Ok(Exit::Done)
}
