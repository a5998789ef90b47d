//! The client programs of PostgreSQL, called so that nobody sees a password.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use workmill_local_postgres::client_program;

use crate::database_address::without_password;
use crate::exit::Exit;

/// A program that is about to connect to this database. What the environment says of others does not count.
pub(crate) fn command(name: &'static str, folder: &Path, url: &str) -> Result<Command> {
    let Some((place, password)) = without_password(url) else {
        let problem = "DATABASE_URL cannot be taken apart: write `@`, `/`, `?` and `:` of the user's name \
                       and the password as %40, %2F, %3F and %3A";
        return Err(Exit::InvalidInput.because(problem));
    };
    let mut command = Command::new(client_program(name, folder)?);
    for (variable, _) in std::env::vars_os() {
        if variable.to_string_lossy().starts_with("PG") {
            command.env_remove(&variable);
        }
    }
    command.arg("--no-password").arg("--dbname").arg(place);
    if let Some(password) = password {
        command.env("PGPASSWORD", password);
    }
    Ok(command)
}

/// Runs it to its end; what it complains about is the error.
pub(crate) fn run(mut command: Command, doing: &str) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output();
    let output = output.with_context(|| format!("cannot start {program}"))?;
    if output.status.success() {
        return Ok(());
    }
    let complaints = String::from_utf8_lossy(&output.stderr);
    anyhow::bail!("could not {doing}: {}", complaints.trim())
}
