//! In: the name of a client program and a data folder. Out: the program that fits the data, and how the
//! server of the folder is reached while another process owns it.
//!
//! Invariant: a client is never older than the server it talks to.

use std::path::{Path, PathBuf};

use crate::endpoint::Endpoint;
use crate::program_search::ProgramSearch;
use crate::search_places::SearchPlaces;
use crate::server_user::ServerUser;
use crate::{LocalPostgresError, Result, cluster_folder, postmaster_pid_file};

/// `psql`, `pg_dump` or `pg_restore`, of the folder of programs that serves the data.
pub fn client_program(name: &'static str, data: &Path) -> Result<PathBuf> {
    let user = ServerUser::of_this_process()?;
    let existing = cluster_folder::existing_version(data)?;
    let programs = ProgramSearch {
        places: &SearchPlaces::of_this_machine(),
        user: &user,
        standing_in: Path::new("/"),
        existing: existing.as_ref(),
    }
    .find()?;
    let program = programs.folder.join(name);
    if program.is_file() {
        return Ok(program);
    }
    Err(LocalPostgresError::NoClientProgram {
        name,
        folder: programs.folder,
    })
}

/// A connection string for a database of the server that runs on this folder, if one does. The process
/// that owns the folder has started it.
pub fn url_of_running(data: &Path, database: &str) -> Option<String> {
    let pid_file = postmaster_pid_file::read(&cluster_folder::path(data))?;
    let endpoint = Endpoint::of_running_server(&pid_file, data)?;
    Some(endpoint.connection_string(database))
}
