//! A private folder for one command, removed when dropped.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

#[derive(Debug)]
pub(super) struct WorkFolder {
    path: PathBuf,
}

impl WorkFolder {
    pub(super) fn new() -> io::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = format!("workmill-demo-{}-{count}", std::process::id());
            let path = std::env::temp_dir().join(name);
            // Fails on anything that is there already, links included: the folder is ours alone.
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(WorkFolder { path }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        // What cannot be removed now is left to whoever cleans the temporary folder.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}
