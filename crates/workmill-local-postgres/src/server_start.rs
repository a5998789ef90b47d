//! In: a whole cluster. Out: its running server, found or started, and where it listens.
//!
//! Invariant: a server is trusted only after it has said that its data folder is this one; a process
//! that is not this folder's server is never signalled.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::endpoint::Endpoint;
use crate::failure_explanation::{Reason, reason_of_text};
use crate::installation::Installation;
use crate::process_verdict::{Verdict, judge, processes_in};
use crate::program::ProgramFailure;
use crate::settings::Settings;
use crate::{
    LocalPostgresError, Result, access_rules, log_file, postmaster_pid_file, psql,
    server_settings_file,
};

/// Recovery after a crash can take minutes, and giving up early would not make it faster.
const SECONDS_TO_START: &str = "300";
const WAIT_FOR_ANSWER: Duration = Duration::from_mins(1);
const WAIT_FOR_UNCLEAR_PROCESS: Duration = Duration::from_secs(10);
const WAIT_FOR_ORPHANS: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(100);

/// The server that survived its Workmill, if there is one; waits while it starts up or shuts down.
pub(crate) fn find_running(installation: &Installation) -> Result<Option<Endpoint>> {
    let cluster = installation.cluster();
    let began = Instant::now();
    loop {
        let Some(pid_file) = postmaster_pid_file::read(&cluster) else {
            return Ok(None);
        };
        let pid = pid_file.pid;
        let patience = match judge(pid, installation) {
            Verdict::Gone | Verdict::Another => {
                tracing::info!(
                    pid,
                    "postmaster.pid names a process that is not this server any more"
                );
                postmaster_pid_file::forget_process(&cluster, &installation.user)?;
                return Ok(None);
            }
            Verdict::ServerOfThisFolder => WAIT_FOR_ANSWER,
            Verdict::Unclear => WAIT_FOR_UNCLEAR_PROCESS,
        };
        let mut silence = "it has not said where it listens".to_owned();
        if let Some(endpoint) = Endpoint::of_running_server(&pid_file, &installation.data) {
            match confirm(installation, &endpoint, pid) {
                Ok(()) => return Ok(Some(endpoint)),
                Err(Unconfirmed::Silent(failure)) => silence = failure.to_string(),
                Err(Unconfirmed::Foreign(error)) => return Err(*error),
            }
        }
        if began.elapsed() >= patience {
            return Err(foreign(
                &cluster,
                pid,
                format!("it does not answer ({silence})"),
            ));
        }
        std::thread::sleep(PAUSE);
    }
}

/// Writes the settings anew and starts the server. Only after [`find_running`] has found none.
pub(crate) fn start(
    installation: &Installation,
    settings: &Settings,
    endpoint: &Endpoint,
) -> Result<()> {
    let cluster = installation.cluster();
    let log = log_file::path(&installation.data);
    log_file::rotate_if_large(&log)?;
    write_settings(installation, settings, endpoint)?;
    if let Some(folder) = endpoint.socket_folder() {
        postmaster_pid_file::remove_stale_socket_lock(&folder, &cluster)?;
    }
    let began = Instant::now();
    loop {
        let mark = log_file::length(&log);
        let pg_ctl = installation
            .pg_ctl("start")
            .args(["--wait", "--timeout", SECONDS_TO_START, "--log"])
            .arg(installation.safe_for_the_shell(log.clone()));
        let Err(failure) = pg_ctl.run() else {
            break;
        };
        let log_tail = log_file::last_lines_since(&log, mark);
        // After `kill -9` of the postmaster alone, its children live on until they notice.
        let orphans = log_tail.contains("pre-existing shared memory block");
        if orphans && began.elapsed() < WAIT_FOR_ORPHANS {
            std::thread::sleep(PAUSE);
            continue;
        }
        return Err(explain_failed_start(
            &cluster, &log, log_tail, orphans, failure,
        ));
    }
    let pid = postmaster_pid_file::read(&cluster).map_or(0, |pid_file| pid_file.pid);
    confirm(installation, endpoint, pid).map_err(|unconfirmed| match unconfirmed {
        Unconfirmed::Foreign(error) => *error,
        Unconfirmed::Silent(failure) => LocalPostgresError::ServerDidNotStart {
            log_tail: log_file::last_lines_since(&log, 0),
            log_file: log,
            cluster,
            cause: Box::new(failure),
        },
    })
}

pub(crate) fn write_settings(
    installation: &Installation,
    settings: &Settings,
    endpoint: &Endpoint,
) -> Result<()> {
    let cluster = installation.cluster();
    server_settings_file::write(&cluster, settings, endpoint, &installation.user)?;
    access_rules::write(&cluster, endpoint, &installation.user)
}

enum Unconfirmed {
    Silent(ProgramFailure),
    Foreign(Box<LocalPostgresError>),
}

fn confirm(installation: &Installation, endpoint: &Endpoint, pid: u32) -> Result<(), Unconfirmed> {
    let cluster = installation.cluster();
    let said = psql::data_directory(installation, endpoint).map_err(Unconfirmed::Silent)?;
    if said.canonicalize().is_ok_and(|folder| folder == cluster) {
        return Ok(());
    }
    let finding = format!("the server that answers there serves {}", said.display());
    Err(Unconfirmed::Foreign(Box::new(foreign(
        &cluster, pid, finding,
    ))))
}

fn foreign(cluster: &Path, pid: u32, finding: String) -> LocalPostgresError {
    LocalPostgresError::ForeignServer {
        cluster: cluster.to_path_buf(),
        pid,
        finding,
    }
}

fn explain_failed_start(
    cluster: &Path,
    log: &Path,
    log_tail: String,
    orphans: bool,
    cause: ProgramFailure,
) -> LocalPostgresError {
    if orphans {
        let pids: Vec<String> = processes_in(cluster).iter().map(u32::to_string).collect();
        let processes = if pids.is_empty() {
            String::new()
        } else {
            format!(" (processes {})", pids.join(", "))
        };
        return LocalPostgresError::OrphansStillRunning {
            cluster: cluster.to_path_buf(),
            processes,
            cause: Box::new(cause),
        };
    }
    let output = format!("{}\n{log_tail}", cause.output);
    if reason_of_text(&output) == Reason::Other {
        return LocalPostgresError::ServerDidNotStart {
            cluster: cluster.to_path_buf(),
            log_file: log.to_path_buf(),
            log_tail,
            cause: Box::new(cause),
        };
    }
    LocalPostgresError::program(
        "start the PostgreSQL server of",
        cluster,
        ProgramFailure { output, ..cause },
    )
}
