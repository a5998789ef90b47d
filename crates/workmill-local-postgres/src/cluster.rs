//! In: the [`Owner`] of a folder and [`Settings`]. Out: a running server with the database `workmill`.
//!
//! Invariant: while a `Cluster` exists its server has been seen running and has named this folder as
//! its own. Dropping a `Cluster` leaves the server running: the next owner adopts it.

use std::path::{Path, PathBuf};

use crate::bin_folder::ServerVersion;
use crate::endpoint::Endpoint;
use crate::installation::Installation;
use crate::owner_lock::Owner;
use crate::process_verdict::{Verdict, judge};
use crate::program_search::ProgramSearch;
use crate::server_user::ServerUser;
use crate::settings::Settings;
use crate::{
    LocalPostgresError, Result, cluster_folder, data_folder, log_file, postmaster_pid_file, psql,
    server_start, socket_folder,
};

const DATABASE: &str = "workmill";

/// The private PostgreSQL server of one data folder. Keep the [`Owner`] for as long as you use it.
#[derive(Debug)]
pub struct Cluster {
    installation: Installation,
    settings: Settings,
    endpoint: Endpoint,
    log_file: PathBuf,
}

impl Cluster {
    /// Finds the programs, makes the cluster if there is none, adopts its running server or starts
    /// it, and makes sure that the database `workmill` exists.
    pub fn start(owner: &Owner, settings: &Settings) -> Result<Cluster> {
        let user = ServerUser::of_this_process()?;
        let data = owner.data().to_path_buf();
        cluster_folder::refuse_other_users_cluster(&data, &user)?;
        data_folder::make_private_and_reachable(&data, &user)?;
        cluster_folder::sweep_unfinished(&data)?;
        let existing = cluster_folder::existing_version(&data)?;
        let programs = ProgramSearch {
            places: &settings.search_places,
            user: &user,
            standing_in: &data,
            existing: existing.as_ref(),
        }
        .find()?;
        let log_file = log_file::path(&data);
        let installation = Installation {
            programs,
            user,
            data,
        };
        if existing.is_none() {
            cluster_folder::initialise(&installation, settings)?;
        }
        let endpoint = adopt_or_start(&installation, settings)?;
        psql::create_database_if_missing(&installation, &endpoint, DATABASE)?;
        Ok(Cluster {
            installation,
            settings: settings.clone(),
            endpoint,
            log_file,
        })
    }

    /// A connection string for libpq and tokio-postgres (key/value form).
    pub fn url(&self, database: &str) -> String {
        self.endpoint.connection_string(database)
    }

    /// Whether the server process is there; it may still be too busy to answer.
    pub fn is_running(&self) -> bool {
        self.postmaster_pid().is_some()
    }

    /// The process id of the server, if it runs.
    pub fn postmaster_pid(&self) -> Option<u32> {
        let pid = postmaster_pid_file::read(&self.installation.cluster())?.pid;
        match judge(pid, &self.installation) {
            Verdict::ServerOfThisFolder | Verdict::Unclear => Some(pid),
            Verdict::Gone | Verdict::Another => None,
        }
    }

    /// Starts the server again at the same address if it died; `true` if it did that.
    pub fn restart_if_dead(&self) -> Result<bool> {
        if self.is_running() {
            return Ok(false);
        }
        tracing::warn!(folder = %self.installation.data.display(), "the PostgreSQL server is gone; starting it again");
        // Clears a stale postmaster.pid; nothing can be running here.
        server_start::find_running(&self.installation)?;
        if let Some(folder) = self.endpoint.socket_folder() {
            // Made anew if it was cleaned away; if that fails the server's log says so.
            socket_folder::is_usable(&folder, &self.installation.user);
        }
        server_start::start(&self.installation, &self.settings, &self.endpoint)?;
        Ok(true)
    }

    /// Stops the server: open transactions are rolled back, everything committed is on disk.
    pub fn stop(self) -> Result<()> {
        self.stop_with_mode("fast")
    }

    /// The server's log.
    pub fn log_file(&self) -> &Path {
        &self.log_file
    }

    /// The version of the programs in use.
    pub fn version(&self) -> &ServerVersion {
        &self.installation.programs.version
    }

    pub(crate) fn socket_folder(&self) -> Option<PathBuf> {
        self.endpoint.socket_folder()
    }

    pub(crate) fn stop_with_mode(&self, mode: &str) -> Result<()> {
        if !self.is_running() {
            return Ok(());
        }
        let stopped = self
            .installation
            .pg_ctl("stop")
            .args(["--mode", mode, "--wait", "--timeout", "60"])
            .run();
        match stopped {
            // It may have died by itself between the look and the signal.
            Err(failure) if self.is_running() => Err(LocalPostgresError::program(
                "stop the PostgreSQL server of",
                &self.installation.cluster(),
                failure,
            )),
            _ => Ok(()),
        }
    }
}

fn adopt_or_start(installation: &Installation, settings: &Settings) -> Result<Endpoint> {
    if let Some(endpoint) = server_start::find_running(installation)? {
        tracing::info!(folder = %installation.data.display(), "adopting the running PostgreSQL server");
        server_start::write_settings(installation, settings, &endpoint)?;
        installation.pg_ctl("reload").run().map_err(|failure| {
            LocalPostgresError::program(
                "give new settings to the PostgreSQL server of",
                &installation.cluster(),
                failure,
            )
        })?;
        return Ok(endpoint);
    }
    let endpoint = Endpoint::choose(&installation.data, &installation.user)?;
    server_start::start(installation, settings, &endpoint)?;
    Ok(endpoint)
}
