//! `workmill completions`: a script for a shell.

use std::io::{ErrorKind, Write};

use anyhow::{Context, Result};
use clap::CommandFactory;

use crate::arguments::{Arguments, CompletionsArguments};
use crate::exit::Exit;

pub(super) fn run(arguments: &CompletionsArguments) -> Result<Exit> {
    let mut script = Vec::new();
    let mut command = Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "workmill", &mut script);
    match std::io::stdout().lock().write_all(&script) {
        // A reader that has seen enough is no error.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("cannot write the script")
        }
        _ => Ok(Exit::Done),
    }
}
