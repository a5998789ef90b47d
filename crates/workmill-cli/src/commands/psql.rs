//! `workmill psql`: psql on the private database, or on the one that `DATABASE_URL` names.

use std::os::unix::process::CommandExt;

use anyhow::{Context, Result};
use workmill_local_postgres::url_of_running;

use crate::arguments::PsqlArguments;
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::postgres_program::command;

/// Where Workmill's tables are.
const SEARCH_PATH: &str = "-c search_path=workmill,public";

/// Returns only if psql cannot be started: it takes the place of this program.
pub(super) fn run(context: &CommandContext, arguments: &PsqlArguments) -> Result<Exit> {
    if context.output.json {
        return Err(Exit::Usage.because("psql does not support --json: leave it out"));
    }
    let configuration = &context.configuration;
    let folder = configuration.data_folder(arguments.data.data.as_deref());
    let url = match (&configuration.database_url, &arguments.data.data) {
        (Some(url), None) => url.clone(),
        _ => url_of_running(&folder, "workmill").ok_or_else(|| {
            let folder = folder.display();
            let problem = format!("no database runs in {folder}: `workmill up` starts it");
            Exit::Unreachable.because(problem)
        })?,
    };
    let error = command("psql", &folder, &url)?
        .env("PGOPTIONS", SEARCH_PATH)
        .args(&arguments.arguments)
        .exec();
    Err(error).context("cannot start psql")
}
