//! In: a statement. Out: what `psql` printed.
//!
//! Invariant: no user configuration, no prompt, no waiting for ever.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use crate::endpoint::Endpoint;
use crate::installation::Installation;
use crate::program::ProgramFailure;
use crate::{LocalPostgresError, Result};

/// The database every cluster has.
const MAINTENANCE: &str = "postgres";

pub(crate) fn ask(
    installation: &Installation,
    endpoint: &Endpoint,
    statement: &str,
) -> Result<Vec<u8>, ProgramFailure> {
    // The connection string may carry the password, and arguments are visible to everybody.
    let mut psql = installation.program("psql");
    let mut target = endpoint.connection_string(MAINTENANCE);
    if let Endpoint::Loopback { port, password } = endpoint {
        psql = psql.env("PGPASSWORD", password);
        target = format!(
            "host=127.0.0.1 port={port} user={} dbname={MAINTENANCE}",
            crate::cluster_folder::ROLE
        );
    }
    psql.env("PGCONNECT_TIMEOUT", "5")
        .args([
            "-X",
            "-A",
            "-t",
            "-q",
            "-w",
            "-v",
            "ON_ERROR_STOP=1",
            "-d",
            &target,
            "-c",
            statement,
        ])
        .run()
}

/// The folder the server that answers here says it serves.
pub(crate) fn data_directory(
    installation: &Installation,
    endpoint: &Endpoint,
) -> Result<PathBuf, ProgramFailure> {
    let mut answer = ask(installation, endpoint, "SHOW data_directory")?;
    if answer.last() == Some(&b'\n') {
        answer.pop();
    }
    Ok(PathBuf::from(OsString::from_vec(answer)))
}

pub(crate) fn create_database_if_missing(
    installation: &Installation,
    endpoint: &Endpoint,
    name: &str,
) -> Result<()> {
    let failed = |failure| {
        LocalPostgresError::program(
            format!("create the database {name} in"),
            &installation.cluster(),
            failure,
        )
    };
    let there = format!("SELECT 1 FROM pg_database WHERE datname = '{name}'");
    if ask(installation, endpoint, &there)
        .map_err(failed)?
        .is_empty()
    {
        let create = format!("CREATE DATABASE {name}");
        ask(installation, endpoint, &create).map_err(failed)?;
    }
    Ok(())
}
