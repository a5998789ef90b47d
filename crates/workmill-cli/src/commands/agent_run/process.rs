//! Runs one command in a process group of its own, until it ends or is not wanted any more. Whatever
//! happens, none of its group survives.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::pin::pin;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::process::{Child, Command};
use workmill_sdk::worker::TaskContext;

use super::environment::is_withheld;
use super::kept::{Kept, Part};
use super::progress_file::ProgressFile;
use crate::process_group::ProcessGroup;

/// How much of the output is kept.
pub(super) const MOST_OUTPUT: usize = 1024 * 1024;
/// How much of what it complained about is kept.
const MOST_COMPLAINTS: usize = 8 * 1024;

/// How long pipes are read that somebody holds open who has left the group.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How often to look whether all of a group have ended.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// What to run.
#[derive(Debug)]
pub(super) struct Launch {
    pub(super) program: OsString,
    pub(super) arguments: Vec<OsString>,
    pub(super) input: Vec<u8>,
    /// Which part of the output matters more.
    pub(super) keeps: Part,
}

#[derive(Debug)]
pub(super) struct Finished {
    pub(super) status: ExitStatus,
    /// It ended because it was told to.
    pub(super) was_stopped: bool,
    pub(super) output: Kept,
    pub(super) complaints: Kept,
}

pub(super) async fn run(
    launch: Launch,
    variables: &[(&str, &std::ffi::OsStr)],
    folder: Option<&Path>,
    task: &TaskContext,
    progress: &mut ProgressFile,
    grace: Duration,
) -> io::Result<Finished> {
    let mut command = Command::new(&launch.program);
    command.args(&launch.arguments);
    for (name, _) in std::env::vars_os().filter(|(name, _)| is_withheld(name)) {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied());
    if let Some(folder) = folder {
        command.current_dir(folder);
    }
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true)
        .spawn()?;
    // After the child, so that it goes first: the group still has its leader when it is killed.
    let group = ProcessGroup::led_by(child.id());
    let mut output = Kept::new(launch.keeps, MOST_OUTPUT);
    let mut complaints = Kept::new(Part::End, MOST_COMPLAINTS);
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let feed = async {
        if let Some(mut stdin) = stdin {
            // A command need not read all of its input.
            let _ = stdin.write_all(&launch.input).await;
        }
    };
    let (status, was_stopped) = {
        let mut pipes =
            pin!(async { tokio::join!(feed, output.read(stdout), complaints.read(stderr)) });
        let mut were_read = false;
        let ended = {
            let mut ending = pin!(until_ended(&mut child, &group, task, grace));
            loop {
                tokio::select! {
                    ended = &mut ending => break ended?,
                    _ = &mut pipes, if !were_read => were_read = true,
                    () = progress.follow(task) => {}
                }
            }
        };
        // Children that it has left behind; with them goes who holds the pipes open.
        group.kill();
        if !were_read {
            let _ = tokio::time::timeout(LAST_WORDS, pipes).await;
        }
        ended
    };
    group.has_ended();
    progress.read_to_the_end(task);
    Ok(Finished {
        status,
        was_stopped,
        output,
        complaints,
    })
}

/// Waits for the command, or asks it to end and then makes it.
async fn until_ended(
    child: &mut Child,
    group: &ProcessGroup,
    task: &TaskContext,
    grace: Duration,
) -> io::Result<(ExitStatus, bool)> {
    tokio::select! {
        status = child.wait() => return Ok((status?, false)),
        _ = task.cancelled() => group.terminate(),
    }
    let all_ended = async {
        let status = child.wait().await;
        // A shell that goes at once leaves those behind who may need a moment.
        while group.is_there() {
            tokio::time::sleep(LOOK_AGAIN).await;
        }
        status
    };
    if let Ok(status) = tokio::time::timeout(grace, all_ended).await {
        return Ok((status?, true));
    }
    group.kill();
    Ok((child.wait().await?, true))
}
