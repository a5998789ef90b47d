//! `workmill completions`: a script for a shell.

use std::io::Write;

use anyhow::{Context, Result};
use clap::CommandFactory;

use crate::arguments::{Arguments, CompletionsArguments};
use crate::exit::Exit;

pub(super) fn run(arguments: &CompletionsArguments) -> Result<Exit> {
    let mut script = Vec::new();
    let mut command = Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "workmill", &mut script);
    let written = std::io::stdout().lock().write_all(&script);
    written.context("cannot write the script")?;
    Ok(Exit::Done)
}
