//! In: a process id that is said to serve a cluster. Out: whether that can be so.
//!
//! Invariant: `Gone` and `Another` are certain; whatever cannot be established is `Unclear`.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use nix::sys::signal::kill;
use nix::unistd::Pid;

use crate::installation::Installation;
use crate::program::Program;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// No such process, or only its remains.
    Gone,
    /// A live process that has nothing to do with this cluster.
    Another,
    /// A live process that stands in the cluster's folder, as servers do.
    ServerOfThisFolder,
    /// Alive, but it cannot be looked at.
    Unclear,
}

pub(crate) fn judge(pid: u32, installation: &Installation) -> Verdict {
    let Ok(signed) = i32::try_from(pid) else {
        return Verdict::Gone;
    };
    if kill(Pid::from_raw(signed), None) == Err(nix::errno::Errno::ESRCH) {
        return Verdict::Gone;
    }
    if cfg!(target_os = "linux") {
        judge_by_working_folder(pid, installation)
    } else {
        judge_by_name(pid)
    }
}

/// Processes of this user that stand in the cluster's folder: the server and its children.
pub(crate) fn processes_in(folder: &Path) -> Vec<u32> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .filter_map(Result::ok)
        .filter(|entry| std::fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd == folder))
        .filter_map(|entry| entry.file_name().to_string_lossy().parse().ok())
        .collect()
}

/// Every process of a server changes into the cluster's folder first thing.
fn judge_by_working_folder(pid: u32, installation: &Installation) -> Verdict {
    let link = PathBuf::from(format!("/proc/{pid}/cwd"));
    let working_folder = match std::fs::read_link(&link) {
        Ok(folder) => folder,
        // Dead and not yet collected by its parent: there is no working folder any more.
        Err(error) if error.kind() == ErrorKind::NotFound => return Verdict::Gone,
        Err(_) => match read_link_as_server_user(&link, installation) {
            Some(folder) => folder,
            None => return Verdict::Unclear,
        },
    };
    if working_folder == installation.cluster() {
        Verdict::ServerOfThisFolder
    } else {
        Verdict::Another
    }
}

/// In a container root may not look at processes of other users, but they may themselves.
fn read_link_as_server_user(link: &Path, installation: &Installation) -> Option<PathBuf> {
    if !installation.user.differs_from_this_process() {
        return None;
    }
    let shell = PathBuf::from("/bin/sh");
    let answer = Program::new(shell, &installation.user, &installation.data)
        .args(["-c", "readlink \"$0\""])
        .arg(link)
        .run()
        .ok()?;
    let text = String::from_utf8(answer).ok()?;
    Some(PathBuf::from(text.trim_end_matches('\n')))
}

fn judge_by_name(pid: u32) -> Verdict {
    let answer = Command::new("ps")
        .args(["-o", "stat=,comm=", "-p", &pid.to_string()])
        .output();
    let Ok(answer) = answer else {
        return Verdict::Unclear;
    };
    let text = String::from_utf8_lossy(&answer.stdout);
    let text = text.trim();
    if text.is_empty() || text.starts_with('Z') {
        Verdict::Gone
    } else if text.ends_with("postgres") {
        Verdict::Unclear
    } else {
        Verdict::Another
    }
}
