//! A private, durable PostgreSQL that can be killed whole.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tempfile::TempDir;
use workmill_local_postgres::{Cluster, Owner, Settings};

const DATABASE: &str = "workmill";

pub struct Postgres {
    cluster: Cluster,
    _owner: Owner,
    folder: TempDir,
}

impl Postgres {
    /// With the settings that users get: what is committed is on disk.
    pub fn start() -> Result<Postgres> {
        let folder = tempfile::Builder::new().prefix("wm-crash-").tempdir()?;
        // The server is another user when the tests run as root.
        std::fs::set_permissions(folder.path(), Permissions::from_mode(0o755))?;
        let owner = Owner::take(&folder.path().join("data"), "a test of crashes")?;
        if cfg!(target_os = "linux") {
            // One call instead of one for each of its files: it starts sooner after a crash, and
            // what is on disk is the same.
            let settings = "recovery_init_sync_method = syncfs\n";
            std::fs::write(owner.data().join("user.conf"), settings)?;
        }
        let cluster = Cluster::start(&owner, &Settings::default())?;
        Ok(Postgres {
            cluster,
            _owner: owner,
            folder,
        })
    }

    pub fn url(&self) -> String {
        self.cluster.url(DATABASE)
    }

    /// `kill -9` of the postmaster, so that it cannot repair anything, then of all its children;
    /// returns when they are gone.
    pub fn kill(&self) -> Result<()> {
        if let Some(postmaster) = self.cluster.postmaster_pid() {
            kill_9(i32::try_from(postmaster)?);
        }
        let began = Instant::now();
        loop {
            let left = processes_below(self.folder.path());
            if left.is_empty() {
                return Ok(());
            }
            ensure!(
                began.elapsed() < Duration::from_secs(20),
                "{left:?} live on"
            );
            left.into_iter().for_each(kill_9);
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Starts it again where it was; it recovers from its log.
    pub fn start_again(&self) -> Result<()> {
        let was_dead = self.cluster.restart_if_dead()?;
        ensure!(was_dead, "PostgreSQL was not dead");
        Ok(())
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if let Err(error) = self.kill() {
            eprintln!("a PostgreSQL stays behind: {error:#}");
        }
    }
}

fn kill_9(process: i32) {
    let _ = kill(Pid::from_raw(process), Signal::SIGKILL);
}

/// PostgreSQL's processes stand in the folder of their cluster.
fn processes_below(folder: &Path) -> Vec<i32> {
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    processes
        .filter_map(Result::ok)
        .filter(|entry| {
            std::fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd.starts_with(folder))
        })
        .filter_map(|entry| entry.file_name().to_string_lossy().parse().ok())
        .collect()
}
