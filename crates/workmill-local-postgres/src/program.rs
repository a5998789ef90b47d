//! In: a program, its arguments and the user to run it as. Out: what it printed, or why it failed.
//!
//! Invariant: a child sees no `PG*` variable of ours, speaks English, cannot be reached by Ctrl-C,
//! and stands in a folder it may enter.

use std::ffi::OsStr;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::server_user::ServerUser;

/// A program that could not be run or that reported failure.
#[derive(Debug, thiserror::Error)]
#[error("{} {status}: {output}", .program.display())]
pub struct ProgramFailure {
    /// Which program.
    pub program: PathBuf,
    /// How it ended.
    pub status: String,
    /// What it printed to standard error (or standard output, if that was all).
    pub output: String,
}

/// One run of one program; built up like [`Command`].
pub(crate) struct Program {
    path: PathBuf,
    command: Command,
}

impl Program {
    /// `standing_in` is the child's working folder and home: root's own would be closed to it.
    pub(crate) fn new(path: PathBuf, user: &ServerUser, standing_in: &Path) -> Program {
        let mut command = Command::new(&path);
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("PG") || text.starts_with("LC_") {
                command.env_remove(&name);
            }
        }
        command
            .env("LC_ALL", "C")
            .env("HOME", standing_in)
            .current_dir(standing_in)
            .process_group(0)
            .stdin(Stdio::null());
        if user.differs_from_this_process() {
            // Setting the uid also drops root's supplementary groups.
            command.uid(user.uid.as_raw()).gid(user.gid.as_raw());
        }
        Program { path, command }
    }

    pub(crate) fn arg(mut self, argument: impl AsRef<OsStr>) -> Program {
        self.command.arg(argument);
        self
    }

    pub(crate) fn args<S: AsRef<OsStr>>(
        mut self,
        arguments: impl IntoIterator<Item = S>,
    ) -> Program {
        self.command.args(arguments);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Program {
        self.command.env(name, value);
        self
    }

    /// Runs to the end and returns standard output as bytes (paths need not be UTF-8).
    pub(crate) fn run(mut self) -> Result<Vec<u8>, ProgramFailure> {
        tracing::debug!(program = %self.path.display(), "running");
        let output = match self.command.output() {
            Ok(output) => output,
            Err(error) => {
                return Err(ProgramFailure {
                    program: self.path,
                    status: "could not be run".to_owned(),
                    output: strerror_without_number(&error),
                });
            }
        };
        if output.status.success() {
            return Ok(output.stdout);
        }
        let mut text = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        if text.is_empty() {
            String::from_utf8_lossy(&output.stdout)
                .trim()
                .clone_into(&mut text);
        }
        Err(ProgramFailure {
            program: self.path,
            status: format!("ended with {}", output.status),
            output: text,
        })
    }
}

/// The same words a program would have printed, so that one explanation serves both.
fn strerror_without_number(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}
