//! In: the text of a file the server reads. Out: that file, owned by the server's user, mode 0600.
//!
//! Invariant: a reader sees the old text or the new text, never a part; a symbolic link in its place
//! is replaced, not followed.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use nix::fcntl::OFlag;

use crate::server_user::ServerUser;
use crate::{LocalPostgresError, Result};

pub(crate) fn replace(path: &Path, text: &str, user: &ServerUser) -> Result<()> {
    let fresh = path.with_added_extension("new");
    let failed = |cause| LocalPostgresError::file("write", path, cause);
    match std::fs::remove_file(&fresh) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(failed(error)),
        _ => {}
    }
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .custom_flags(OFlag::O_NOFOLLOW.bits())
        .open(&fresh)
        .and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()
        })
        .map_err(failed)?;
    user.give(&fresh)?;
    std::fs::rename(&fresh, path).map_err(failed)
}
