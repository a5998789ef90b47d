//! A private folder for one command, removed when dropped.
//!
//! The name holds the process, so that a later run can tell what a killed one has left behind.

use std::fs::{DirBuilder, DirEntry};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use nix::errno::Errno;
use nix::sys::signal::kill;
use nix::unistd::Pid;

const PREFIX: &str = "workmill-work-";

#[derive(Debug)]
pub(crate) struct WorkFolder {
    path: PathBuf,
}

impl WorkFolder {
    pub(crate) fn new() -> io::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = format!("{PREFIX}{}-{count}", std::process::id());
            let path = std::env::temp_dir().join(name);
            // Fails on anything that is there already, links included: the folder is ours alone.
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(WorkFolder { path }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        // What cannot be removed now is a leftover of the next run.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Removes the folders of processes that are gone. Those of other users stay theirs.
pub(crate) fn remove_leftovers() {
    let Ok(entries) = std::fs::read_dir(std::env::temp_dir()) else {
        return;
    };
    for entry in entries.flatten().filter(is_leftover) {
        let _ = std::fs::remove_dir_all(entry.path());
    }
}

fn is_leftover(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    let process = name.to_str().and_then(process_of);
    let is_gone = process.is_some_and(|process| kill(process, None) == Err(Errno::ESRCH));
    is_gone && entry.file_type().is_ok_and(|kind| kind.is_dir())
}

fn process_of(name: &str) -> Option<Pid> {
    let (process, _count) = name.strip_prefix(PREFIX)?.split_once('-')?;
    let process = process.parse().ok().filter(|process| *process > 0)?;
    Some(Pid::from_raw(process))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leftovers_are_told_by_the_process_in_their_name() {
        assert_eq!(process_of("workmill-work-12-3"), Some(Pid::from_raw(12)));
        for other in [
            "workmill-work-x-3",
            "workmill-work--1-3",
            "workmill-0-3",
            "tmp",
        ] {
            assert_eq!(process_of(other), None, "{other}");
        }
    }

    #[test]
    fn the_folder_of_a_living_process_is_no_leftover() {
        let folder = WorkFolder::new().unwrap();
        remove_leftovers();
        assert!(folder.path().is_dir());
    }
}
