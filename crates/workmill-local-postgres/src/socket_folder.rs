//! In: the data folder. Out: a folder in which the server can put its Unix socket, if there is one.
//!
//! Invariant: the folder is a real folder of mode 0700 that belongs to the server's user, and a
//! socket with a name as long as the server's has been bound in it.

use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use nix::unistd::geteuid;

use crate::data_folder::create_private_folder;
use crate::server_user::ServerUser;

/// As long as `.s.PGSQL.5432` plus one: the limit on the path is the platform's, not ours to know.
const PROBE: &str = ".s.PGSQL.probe";

pub(crate) fn choose(data: &Path, user: &ServerUser) -> Option<String> {
    candidates(data, user)
        .into_iter()
        .find(|folder| is_usable(folder, user))
        .and_then(|folder| folder.to_str().map(str::to_owned))
}

/// Creates the folder if needed and really binds a socket in it.
pub(crate) fn is_usable(folder: &Path, user: &ServerUser) -> bool {
    let Some(text) = folder.to_str() else {
        return false;
    };
    // Both the server and tokio-postgres read commas as separators of several folders.
    if text.contains([',', '"']) || create_private_folder(folder).is_err() {
        return false;
    }
    is_ours_alone(folder, user) && user.give(folder).is_ok() && takes_a_socket(folder)
}

fn candidates(data: &Path, user: &ServerUser) -> Vec<PathBuf> {
    let hash = short_hash(data);
    let mut folders = vec![data.join("run")];
    // Root's runtime folder is closed to the unprivileged user who runs the server.
    if !user.differs_from_this_process()
        && let Some(runtime) = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from)
        && runtime.is_absolute()
    {
        folders.push(runtime.join(format!("workmill-{hash}")));
    }
    folders.push(PathBuf::from(format!("/tmp/workmill-{}-{hash}", geteuid())));
    folders
}

/// In `/tmp` anybody could have made the folder first, to listen in our place.
fn is_ours_alone(folder: &Path, user: &ServerUser) -> bool {
    let Ok(metadata) = folder.symlink_metadata() else {
        return false;
    };
    let open_to_others = metadata.mode() & (0o070 | 0o007) != 0;
    let owners = [user.uid.as_raw(), geteuid().as_raw()];
    metadata.is_dir() && owners.contains(&metadata.uid()) && !open_to_others
}

fn takes_a_socket(folder: &Path) -> bool {
    let probe = folder.join(PROBE);
    let _ = std::fs::remove_file(&probe);
    let bound = UnixListener::bind(&probe).is_ok();
    let _ = std::fs::remove_file(&probe);
    bound
}

/// FNV-1a: the same folder must get the same name in every version of Workmill.
fn short_hash(data: &Path) -> String {
    let hash = data
        .as_os_str()
        .as_encoded_bytes()
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
    format!("{hash:016x}")
}
