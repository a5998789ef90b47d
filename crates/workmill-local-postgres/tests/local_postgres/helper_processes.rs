//! In: the name of a job. Out: this test binary, run again as another process that does it.
//!
//! Invariant: the jobs are ignored tests that do nothing unless a parent asked for them.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use workmill_local_postgres::{Cluster, Ephemeral, Owner, Settings};

const FOLDER: &str = "WORKMILL_TEST_HELPER_FOLDER";

/// Starts the job and returns once it has printed its line; the job then waits to be killed.
pub(crate) fn spawn(job: &str, folder: &Path) -> (Child, String) {
    let mut child = command(job, folder).spawn().expect("a helper process");
    let mut output = BufReader::new(child.stdout.take().expect("its output"));
    let line = output
        .by_ref()
        .lines()
        .map_while(Result::ok)
        .find_map(|line| line.split_once("READY ").map(|(_, rest)| rest.to_owned()))
        .expect("the helper gets ready");
    // Given back: a helper whose output is closed could not end in peace.
    child.stdout = Some(output.into_inner());
    (child, line)
}

pub(crate) fn command(job: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this binary"));
    command
        .args(["--exact", &format!("helper_processes::{job}")])
        .args(["--ignored", "--nocapture"])
        .env(FOLDER, folder)
        .env("TMPDIR", folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    command
}

fn asked() -> Option<std::path::PathBuf> {
    std::env::var_os(FOLDER).map(Into::into)
}

/// The parent keeps our standard input open for as long as it wants us.
fn ready(line: &str) {
    println!("READY {line}");
    let _ = std::io::stdin().read(&mut [0]);
}

#[test]
#[ignore = "a job for helper processes"]
fn own_a_folder() {
    let Some(folder) = asked() else { return };
    let _owner = Owner::take(&folder, "workmill up on http://127.0.0.1:7070").unwrap();
    ready("");
}

#[test]
#[ignore = "a job for helper processes"]
fn run_a_cluster() {
    let Some(folder) = asked() else { return };
    let owner = Owner::take(&folder, "a helper").unwrap();
    let cluster = Cluster::start(&owner, &Settings::for_tests()).unwrap();
    ready(&cluster.postmaster_pid().unwrap().to_string());
}

/// The programs come through `WORKMILL_PG_BIN`.
#[test]
#[ignore = "a job for helper processes"]
fn try_to_run_a_cluster() {
    let Some(folder) = asked() else { return };
    let owner = Owner::take(&folder, "a helper").unwrap();
    match Cluster::start(&owner, &Settings::for_tests()) {
        Ok(_) => ready("started"),
        Err(error) => ready(&error.to_string()),
    }
}

#[test]
#[ignore = "a job for helper processes"]
fn run_an_ephemeral_server() {
    let Some(_) = asked() else { return };
    let ephemeral = Ephemeral::start().unwrap();
    ready(&ephemeral.folder().display().to_string());
}
