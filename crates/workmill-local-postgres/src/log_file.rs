//! In: the data folder. Out: the server's log, kept from growing for ever, and its last lines.
//!
//! Invariant: at most one older log is kept, `postgres.log.1`.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::{LocalPostgresError, Result};

const ROTATE_AT: u64 = 10 * 1024 * 1024;
const LINES_IN_MESSAGES: usize = 15;

pub(crate) fn path(data: &Path) -> PathBuf {
    data.join("postgres.log")
}

/// Only while no server writes to it.
pub(crate) fn rotate_if_large(log: &Path) -> Result<()> {
    if length(log) <= ROTATE_AT {
        return Ok(());
    }
    let older = log.with_added_extension("1");
    std::fs::rename(log, &older).map_err(|cause| LocalPostgresError::file("rotate", log, cause))
}

/// 0 if there is none yet.
pub(crate) fn length(log: &Path) -> u64 {
    log.metadata().map_or(0, |metadata| metadata.len())
}

/// The last lines written after `mark`; empty if the log cannot be read.
pub(crate) fn last_lines_since(log: &Path, mark: u64) -> String {
    let mut bytes = Vec::new();
    let read = File::open(log).and_then(|mut file| {
        file.seek(SeekFrom::Start(mark))?;
        file.take(ROTATE_AT).read_to_end(&mut bytes)
    });
    if read.is_err() {
        return String::new();
    }
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(LINES_IN_MESSAGES)..].join("\n")
}
