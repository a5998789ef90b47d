//! In: a data folder and a word on who wants it. Out: [`Owner`], the proof that this process holds
//! the folder's lock.
//!
//! Invariant: one `Owner` per folder at a time, on the whole machine; the kernel releases the lock
//! with the process, so nothing has to be cleaned up after `kill -9`. The file is never deleted:
//! deleting it would let two processes lock two different files of the same name.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use nix::fcntl::OFlag;

use crate::{LocalPostgresError, Result, data_folder};

/// Proof that this process holds the data folder; released on drop.
#[derive(Debug)]
pub struct Owner {
    file: File,
    data: PathBuf,
}

impl Owner {
    /// Takes the folder (created if missing), or says who holds it.
    ///
    /// `what` is shown to the next one who tries, e.g. `workmill up on http://127.0.0.1:7070`.
    pub fn take(data: &Path, what: &str) -> Result<Owner> {
        let data = data_folder::create(data)?;
        let (mut file, path) = open_lock_file(&data)?;
        match file.try_lock() {
            Ok(()) => Owner::sign(file, data, &path, what),
            Err(TryLockError::WouldBlock) => Err(held_by_another(data, &mut file)),
            Err(TryLockError::Error(cause)) => Err(LocalPostgresError::file("lock", &path, cause)),
        }
    }

    /// Like [`Owner::take`], but waits until the present owner lets go. For tests.
    pub fn take_waiting(data: &Path, what: &str) -> Result<Owner> {
        let data = data_folder::create(data)?;
        let (file, path) = open_lock_file(&data)?;
        file.lock()
            .map_err(|cause| LocalPostgresError::file("lock", &path, cause))?;
        Owner::sign(file, data, &path, what)
    }

    /// The canonical path of the folder.
    pub fn data(&self) -> &Path {
        &self.data
    }

    fn sign(mut file: File, data: PathBuf, path: &Path, what: &str) -> Result<Owner> {
        let text = format!(
            "{}\n{}\n{}\n",
            std::process::id(),
            what.replace('\n', " "),
            jiff::Timestamp::now()
                .round(jiff::Unit::Second)
                .unwrap_or_default(),
        );
        file.set_len(0)
            .and_then(|()| file.seek(SeekFrom::Start(0)).map(|_| ()))
            .and_then(|()| file.write_all(text.as_bytes()))
            .map_err(|cause| LocalPostgresError::file("write", path, cause))?;
        Ok(Owner { file, data })
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        // Unlocking explicitly: a child that is between fork and exec shares the open file, and
        // merely closing ours would leave the folder locked until it gets to its exec.
        let _ = self.file.set_len(0);
        let _ = self.file.unlock();
    }
}

fn open_lock_file(data: &Path) -> Result<(File, PathBuf)> {
    let path = data.join("owner.lock");
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .custom_flags(OFlag::O_NOFOLLOW.bits())
        .open(&path)
        .map_err(|cause| LocalPostgresError::file("open the lock file", &path, cause))?;
    Ok((file, path))
}

fn held_by_another(data: PathBuf, file: &mut File) -> LocalPostgresError {
    let mut text = String::new();
    // Unreadable is as good as empty: the refusal stands either way.
    let _ = file.read_to_string(&mut text);
    let mut lines = text.lines();
    let (pid, what, since) = (lines.next(), lines.next(), lines.next());
    let holder = match (pid, what, since) {
        (Some(pid), Some(what), Some(since)) => format!("process {pid} ({what}, since {since})"),
        _ => "another process (which has not written its name yet)".to_owned(),
    };
    LocalPostgresError::HeldByAnother {
        data,
        holder,
        pid: pid.unwrap_or("its pid").to_owned(),
    }
}
