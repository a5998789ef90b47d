//! In: the data folder. Out: the random password of the cluster's role, in a file of mode 0600.
//!
//! Invariant: the password exists from the first `initdb` on, so the loopback fallback works for
//! every cluster, also one that has only ever been reached through its socket.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use nix::fcntl::OFlag;

use crate::server_user::ServerUser;
use crate::{LocalPostgresError, Result};

const RANDOM_BYTES: usize = 24;

pub(crate) fn path(data: &Path) -> PathBuf {
    data.join("password")
}

pub(crate) fn read(data: &Path) -> Result<String> {
    let file = path(data);
    match std::fs::read_to_string(&file) {
        Ok(text) if text.trim().len() == RANDOM_BYTES * 2 => Ok(text.trim().to_owned()),
        _ => Err(LocalPostgresError::PasswordLost { file }),
    }
}

/// For a cluster that is about to be made; replaces what an interrupted attempt left.
pub(crate) fn create(data: &Path, user: &ServerUser) -> Result<PathBuf> {
    let file = path(data);
    if let Err(error) = std::fs::remove_file(&file)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        return Err(LocalPostgresError::file("remove", &file, error));
    }
    let password = random_hexadecimal()?;
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .custom_flags(OFlag::O_NOFOLLOW.bits())
        .open(&file)
        .and_then(|mut open| {
            open.write_all(password.as_bytes())?;
            open.sync_all()
        })
        .map_err(|cause| LocalPostgresError::file("write", &file, cause))?;
    user.give(&file)?;
    Ok(file)
}

fn random_hexadecimal() -> Result<String> {
    use std::fmt::Write;
    let source = Path::new("/dev/urandom");
    let mut bytes = [0_u8; RANDOM_BYTES];
    File::open(source)
        .and_then(|mut open| open.read_exact(&mut bytes))
        .map_err(|cause| LocalPostgresError::file("read", source, cause))?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}
