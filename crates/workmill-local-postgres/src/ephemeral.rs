//! In: nothing but [`Settings`]. Out: a server of its own in a temporary folder, for tests.
//!
//! Invariant: dropping it stops the server and removes the folder; what a killed test process left
//! is removed by the next one, because nobody holds its lock any more.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::cluster_folder::remove_while_someone_may_still_write;
use crate::installation::Installation;
use crate::process_verdict::{Verdict, judge};
use crate::program_search::ProgramSearch;
use crate::server_user::ServerUser;
use crate::{
    Cluster, LocalPostgresError, Owner, Result, Settings, cluster_folder, data_folder,
    postmaster_pid_file,
};

const PREFIX: &str = "workmill-ephemeral-";

/// Younger folders may belong to a process that has made but not yet locked them.
const LEFT_BEHIND_AFTER: Duration = Duration::from_secs(10);

/// A server that lives as long as this value.
#[derive(Debug)]
pub struct Ephemeral {
    cluster: Option<Cluster>,
    // Before `folder`, so the lock is released while its file still exists.
    owner: Option<Owner>,
    folder: PathBuf,
}

impl Ephemeral {
    /// Starts it with [`Settings::for_tests`].
    pub fn start() -> Result<Ephemeral> {
        Ephemeral::start_with(&Settings::for_tests())
    }

    /// Starts it with settings of your own.
    pub fn start_with(settings: &Settings) -> Result<Ephemeral> {
        let user = ServerUser::of_this_process()?;
        let parent = reachable_temporary_folder(&user);
        remove_what_killed_processes_left(&parent, settings, &user);
        let folder = parent.join(unique_name());
        let mut ephemeral = Ephemeral {
            cluster: None,
            owner: None,
            folder: folder.clone(),
        };
        // From here on a failure drops `ephemeral`, which cleans up.
        let owner = ephemeral.owner.insert(Owner::take(&folder, "a test")?);
        ephemeral.cluster = Some(Cluster::start(owner, settings)?);
        Ok(ephemeral)
    }

    /// The running server.
    pub fn cluster(&self) -> &Cluster {
        self.cluster
            .as_ref()
            .expect("the cluster is only taken out by drop")
    }

    /// The temporary folder that holds everything.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Ephemeral {
    fn drop(&mut self) {
        if let Some(cluster) = self.cluster.take() {
            if let Err(error) = cluster.stop_with_mode("immediate") {
                tracing::error!(%error, "could not stop an ephemeral server");
            }
            // It is elsewhere if the path of the temporary folder is too long for a socket.
            if let Some(folder) = cluster.socket_folder() {
                remove_folder(&folder);
            }
        }
        remove_folder(&self.folder);
        self.owner.take();
    }
}

fn unique_name() -> String {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let number = COUNTER.fetch_add(1, Ordering::Relaxed);
    let now = jiff::Timestamp::now().as_microsecond();
    format!("{PREFIX}{}-{number}-{now:x}", std::process::id())
}

/// The usual one, unless the server's user cannot get there (root's own, for example).
fn reachable_temporary_folder(user: &ServerUser) -> PathBuf {
    let usual = std::env::temp_dir();
    if !user.differs_from_this_process() || data_folder::can_be_entered(&usual, user) {
        return usual;
    }
    PathBuf::from("/tmp")
}

fn remove_folder(folder: &Path) {
    if let Err(error) = remove_while_someone_may_still_write(folder) {
        tracing::error!(folder = %folder.display(), %error, "could not remove an ephemeral folder");
    }
}

fn remove_what_killed_processes_left(parent: &Path, settings: &Settings, user: &ServerUser) {
    let Ok(entries) = std::fs::read_dir(parent) else {
        return;
    };
    for entry in entries.filter_map(std::result::Result::ok) {
        let folder = entry.path();
        let ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if ours && is_old_enough(&folder) {
            // Failing is fine: somebody else's, still in use, or removed by a sibling just now.
            if let Err(error) = remove_left_behind(&folder, settings, user) {
                tracing::debug!(folder = %folder.display(), %error, "left an ephemeral folder alone");
            }
        }
    }
}

fn is_old_enough(folder: &Path) -> bool {
    folder
        .join("owner.lock")
        .metadata()
        .and_then(|metadata| metadata.modified())
        .is_ok_and(|at| at.elapsed().is_ok_and(|age| age >= LEFT_BEHIND_AFTER))
}

fn remove_left_behind(folder: &Path, settings: &Settings, user: &ServerUser) -> Result<()> {
    let owner = Owner::take(folder, "removing what a killed test left")?;
    let data = owner.data().to_path_buf();
    let existing = cluster_folder::existing_version(&data)?;
    let installation = Installation {
        programs: ProgramSearch {
            places: &settings.search_places,
            user,
            standing_in: &data,
            existing: existing.as_ref(),
        }
        .find()?,
        user: user.clone(),
        data,
    };
    let running = postmaster_pid_file::read(&installation.cluster())
        .is_some_and(|file| judge(file.pid, &installation) == Verdict::ServerOfThisFolder);
    if running {
        installation
            .pg_ctl("stop")
            .args(["--mode", "immediate", "--wait"])
            .run()
            .map_err(|failure| {
                LocalPostgresError::program("stop the server left in", folder, failure)
            })?;
    }
    remove_folder(folder);
    Ok(())
}
