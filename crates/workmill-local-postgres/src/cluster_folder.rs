//! In: the data folder. Out: `<data>/postgres`, a whole cluster.
//!
//! Invariant: the folder named `postgres` appears by one rename, when `initdb` is done; what an
//! interrupted `initdb` left is swept by the next start; an existing folder is never written over.

use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::installation::Installation;
use crate::server_user::{self, ServerUser};
use crate::settings::Settings;
use crate::{LocalPostgresError, Result, password_file, server_settings_file};

/// The role that owns everything in the private cluster.
pub(crate) const ROLE: &str = "workmill";

const UNFINISHED: &str = "postgres.unfinished-";

/// What the `PG_VERSION` of an existing cluster says.
#[derive(Clone, Debug)]
pub(crate) struct DataVersion {
    pub(crate) cluster: PathBuf,
    pub(crate) major: u32,
    pub(crate) text: String,
}

pub(crate) fn path(data: &Path) -> PathBuf {
    data.join("postgres")
}

/// `None` if there is no cluster yet; an error if there is something that is not a cluster.
pub(crate) fn existing_version(data: &Path) -> Result<Option<DataVersion>> {
    let cluster = path(data);
    match std::fs::symlink_metadata(&cluster) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(cause) => return Err(LocalPostgresError::file("look at", &cluster, cause)),
        Ok(_) => {}
    }
    let text = match std::fs::read_to_string(cluster.join("PG_VERSION")) {
        Ok(text) => text.trim().to_owned(),
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            return Err(LocalPostgresError::file(
                "read PG_VERSION of",
                &cluster,
                error,
            ));
        }
        Err(_) => return Err(LocalPostgresError::NotACluster { cluster }),
    };
    // Before version 10 the major version had two parts; the first is enough to tell it apart.
    match text.split('.').next().map(str::parse) {
        Some(Ok(major)) => Ok(Some(DataVersion {
            cluster,
            major,
            text,
        })),
        _ => Err(LocalPostgresError::NotACluster { cluster }),
    }
}

/// Before anything is changed: root starting a user's cluster by mistake must not take it from them.
pub(crate) fn refuse_other_users_cluster(data: &Path, user: &ServerUser) -> Result<()> {
    let cluster = path(data);
    match std::fs::symlink_metadata(&cluster) {
        Ok(metadata) if metadata.uid() != user.uid.as_raw() => {
            Err(LocalPostgresError::OtherUsersCluster {
                cluster,
                owner: server_user::name_of(metadata.uid()),
                user: user.name.clone(),
            })
        }
        // Absent or unreadable: what follows says it better.
        _ => Ok(()),
    }
}

/// Runs `initdb` beside the final place and renames when it is whole.
pub(crate) fn initialise(installation: &Installation, settings: &Settings) -> Result<()> {
    let Installation {
        programs,
        user,
        data,
    } = installation;
    let cluster = path(data);
    let unfinished = data.join(format!("{UNFINISHED}{}", std::process::id()));
    tracing::info!(folder = %cluster.display(), version = %programs.version, "creating the PostgreSQL cluster");
    let password = password_file::create(data, user)?;
    let mut initdb = installation
        .program("initdb")
        .arg("--pgdata")
        .arg(&unfinished)
        .arg("--pwfile")
        .arg(&password)
        .args(["--username", ROLE, "--locale=C", "--encoding=UTF8"])
        .args(["--auth-local=peer", "--auth-host=scram-sha-256"])
        .args(["--data-checksums", "--no-instructions"]);
    if !settings.durable {
        initdb = initdb.arg("--no-sync");
    }
    let made = initdb
        .run()
        .map_err(|failure| {
            LocalPostgresError::program("create the PostgreSQL cluster", &cluster, failure)
        })
        .and_then(|_| server_settings_file::include_ours(&unfinished, user));
    if let Err(error) = made {
        // Best effort: the next start sweeps again, and the first error is the one to see.
        let _ = sweep_unfinished(data);
        return Err(error);
    }
    std::fs::rename(&unfinished, &cluster)
        .and_then(|()| File::open(data)?.sync_all())
        .map_err(|cause| {
            LocalPostgresError::file("rename the finished cluster to", &cluster, cause)
        })
}

/// Removes what interrupted starts left. The caller holds the folder, so nobody is still at it,
/// except perhaps an `initdb` whose parent was killed; it fails by itself once its folder is gone.
pub(crate) fn sweep_unfinished(data: &Path) -> Result<()> {
    let entries = std::fs::read_dir(data)
        .map_err(|cause| LocalPostgresError::file("read the folder", data, cause))?;
    for entry in entries.filter_map(std::result::Result::ok) {
        if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
            let folder = entry.path();
            tracing::warn!(folder = %folder.display(), "removing what an interrupted initdb left");
            remove_while_someone_may_still_write(&folder)
                .map_err(|cause| LocalPostgresError::file("remove", &folder, cause))?;
        }
    }
    Ok(())
}

/// Removes a folder into which a dying process may still put files.
pub(crate) fn remove_while_someone_may_still_write(folder: &Path) -> std::io::Result<()> {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        match std::fs::remove_dir_all(folder) {
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(error)
                if error.kind() == std::io::ErrorKind::DirectoryNotEmpty
                    && Instant::now() < deadline =>
            {
                std::thread::sleep(Duration::from_millis(50));
            }
            Err(error) => return Err(error),
        }
    }
}
