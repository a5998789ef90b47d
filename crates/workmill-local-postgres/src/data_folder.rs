//! In: the path of a data folder. Out: that folder, private, owned by the server's user and
//! reachable for it.
//!
//! Invariant: a folder that holds other people's things is never given a new owner or mode.

use std::fs::{DirBuilder, Permissions};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use nix::unistd::geteuid;

use crate::program::{Program, ProgramFailure};
use crate::server_user::ServerUser;
use crate::{LocalPostgresError, Result};

/// Any of these shows that the folder is ours already.
const OWN_NAMES: [&str; 3] = ["owner.lock", "postgres", "user.conf"];

/// The data folder of `workmill up` when the user names none.
pub fn default_data_folder() -> PathBuf {
    if geteuid().is_root() {
        return PathBuf::from("/var/lib/workmill");
    }
    let home = std::env::home_dir().unwrap_or_else(|| PathBuf::from("/"));
    if cfg!(target_os = "macos") {
        return home.join("Library/Application Support/workmill");
    }
    match std::env::var_os("XDG_DATA_HOME").map(PathBuf::from) {
        // The XDG specification says that relative paths are to be ignored.
        Some(folder) if folder.is_absolute() => folder.join("workmill"),
        _ => home.join(".local/share/workmill"),
    }
}

/// Creates the folder if it is missing and returns its canonical path.
pub(crate) fn create(data: &Path) -> Result<PathBuf> {
    if let Some(parent) = data.parent() {
        std::fs::create_dir_all(parent)
            .map_err(|cause| LocalPostgresError::file("create the folder", parent, cause))?;
    }
    create_private_folder(data)?;
    let data = data
        .canonicalize()
        .map_err(|cause| LocalPostgresError::file("open the data folder", data, cause))?;
    refuse_other_peoples_things(&data)?;
    Ok(data)
}

/// `mkdir` with mode 0700; an existing folder is left as it is.
pub(crate) fn create_private_folder(folder: &Path) -> Result<()> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
            Err(LocalPostgresError::file("create the folder", folder, error))
        }
        _ => Ok(()),
    }
}

/// Sets mode and owner, then proves that the server's user can enter.
pub(crate) fn make_private_and_reachable(data: &Path, user: &ServerUser) -> Result<()> {
    std::fs::set_permissions(data, Permissions::from_mode(0o700))
        .map_err(|cause| LocalPostgresError::file("set the permissions of", data, cause))?;
    user.give(data)?;
    match enter(data, user) {
        Ok(_) => Ok(()),
        Err(failure) if failure.output == "Permission denied" => {
            Err(LocalPostgresError::FolderUnreachable {
                user: user.name.clone(),
                folder: first_closed_folder(data, user),
            })
        }
        Err(failure) => Err(LocalPostgresError::program("enter", data, failure)),
    }
}

pub(crate) fn can_be_entered(folder: &Path, user: &ServerUser) -> bool {
    enter(folder, user).is_ok()
}

/// For real, because mode bits do not tell about access control lists.
fn enter(folder: &Path, user: &ServerUser) -> std::result::Result<Vec<u8>, ProgramFailure> {
    Program::new(PathBuf::from("/bin/sh"), user, folder)
        .args(["-c", ":"])
        .run()
}

fn refuse_other_peoples_things(data: &Path) -> Result<()> {
    let entries = std::fs::read_dir(data)
        .map_err(|cause| LocalPostgresError::file("read the folder", data, cause))?;
    let names: Vec<String> = entries
        .filter_map(std::result::Result::ok)
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        // A freshly mounted disk has this one and is still empty.
        .filter(|name| name != "lost+found")
        .collect();
    if names.iter().any(|name| OWN_NAMES.contains(&name.as_str())) {
        return Ok(());
    }
    match names.into_iter().next() {
        None => Ok(()),
        Some(example) => Err(LocalPostgresError::FolderHoldsOtherThings {
            data: data.to_path_buf(),
            example,
        }),
    }
}

fn first_closed_folder(data: &Path, user: &ServerUser) -> PathBuf {
    let mut from_the_root: Vec<&Path> = data.ancestors().collect();
    from_the_root.reverse();
    for folder in from_the_root {
        let Ok(metadata) = folder.metadata() else {
            return folder.to_path_buf();
        };
        let needed = if metadata.uid() == user.uid.as_raw() {
            0o100
        } else if metadata.gid() == user.gid.as_raw() {
            0o010
        } else {
            0o001
        };
        if metadata.mode() & needed == 0 {
            return folder.to_path_buf();
        }
    }
    data.to_path_buf()
}
