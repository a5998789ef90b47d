//! In: `postmaster.pid` of a cluster. Out: which process claims to be its server, and where it listens.
//!
//! Invariant: the file is a claim, not a proof; it outlives its process, and process ids are reused.

use std::io::ErrorKind;
use std::path::Path;

use crate::server_user::ServerUser;
use crate::{LocalPostgresError, Result, server_file};

/// Beyond every system's highest process id, so it is dead for certain.
const NOBODY: &str = "2147483647";

#[derive(Debug)]
pub(crate) struct PostmasterPidFile {
    pub(crate) pid: u32,
    pub(crate) port: Option<u16>,
    pub(crate) socket_folder: Option<String>,
}

/// `None` if there is no such file, or nothing readable in it yet.
pub(crate) fn read(cluster: &Path) -> Option<PostmasterPidFile> {
    let text = std::fs::read_to_string(cluster.join("postmaster.pid")).ok()?;
    parse(&text)
}

/// Lines: process id, data folder, start time, port, socket folder, address, shared memory, state.
fn parse(text: &str) -> Option<PostmasterPidFile> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    // Negative for a server in single-user mode.
    let pid = lines.first()?.parse::<i64>().ok()?.unsigned_abs();
    Some(PostmasterPidFile {
        pid: u32::try_from(pid).ok()?,
        port: lines.get(3).and_then(|port| port.parse().ok()),
        socket_folder: lines
            .get(4)
            .filter(|folder| !folder.is_empty())
            .map(|folder| (*folder).to_owned()),
    })
}

/// For a process that is certainly not this cluster's server. PostgreSQL only asks whether the number
/// is alive, and takes another program, or a dead process that nobody has collected yet, for its
/// server. The file is not deleted, because its line about shared memory is what keeps a new server
/// away from processes that the old one may have left behind.
pub(crate) fn forget_process(cluster: &Path, user: &ServerUser) -> Result<()> {
    let path = cluster.join("postmaster.pid");
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(cause) => return Err(LocalPostgresError::file("read", &path, cause)),
    };
    let rest: Vec<&str> = text.lines().skip(1).collect();
    server_file::replace(&path, &format!("{NOBODY}\n{}\n", rest.join("\n")), user)
}

/// The lock beside the socket has the same weakness. It may go when no server of this cluster runs,
/// provided that it is this cluster's: its second line says so.
pub(crate) fn remove_stale_socket_lock(socket_folder: &Path, cluster: &Path) -> Result<()> {
    let lock = socket_folder.join(".s.PGSQL.5432.lock");
    let Ok(text) = std::fs::read(&lock) else {
        return Ok(());
    };
    let of_cluster = text.split(|byte| *byte == b'\n').nth(1);
    if of_cluster == Some(cluster.as_os_str().as_encoded_bytes()) {
        std::fs::remove_file(&lock)
            .map_err(|cause| LocalPostgresError::file("remove", &lock, cause))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_still_being_written_names_no_endpoint() {
        let file = parse("4711\n/data/postgres\n1700000000\n").expect("the process id is there");
        assert_eq!(file.pid, 4711);
        assert_eq!(file.port, None);
        assert!(parse("").is_none());
    }

    #[test]
    fn a_whole_file_names_its_socket() {
        let text =
            "4711\n/data/postgres\n1700000000\n5432\n/data/run\n\n  5432001   65\nready   \n";
        let file = parse(text).expect("a whole file");
        assert_eq!(file.port, Some(5432));
        assert_eq!(file.socket_folder.as_deref(), Some("/data/run"));
    }
}
