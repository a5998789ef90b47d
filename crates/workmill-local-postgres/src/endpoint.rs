//! In: how the server is reached. Out: connection strings, arguments for `psql`, lines for the
//! server's configuration.
//!
//! Invariant: one description serves the server and its clients, so they cannot disagree.

use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};

use crate::cluster_folder::ROLE;
use crate::postmaster_pid_file::PostmasterPidFile;
use crate::server_user::ServerUser;
use crate::{LocalPostgresError, Result, password_file, socket_folder};

/// The folder is the server's alone, so the number only names the socket file.
const SOCKET_PORT: u16 = 5432;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Endpoint {
    Socket { folder: String },
    Loopback { port: u16, password: String },
}

impl Endpoint {
    /// A socket if any folder takes one, otherwise a free loopback port behind a password.
    pub(crate) fn choose(data: &Path, user: &ServerUser) -> Result<Endpoint> {
        if let Some(folder) = socket_folder::choose(data, user) {
            return Ok(Endpoint::Socket { folder });
        }
        let password = password_file::read(data)?;
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .and_then(|listener| listener.local_addr())
            .map_err(|cause| {
                LocalPostgresError::file("find a free loopback port for", data, cause)
            })?
            .port();
        tracing::warn!(
            port,
            "no folder takes a Unix socket; listening on loopback instead"
        );
        Ok(Endpoint::Loopback { port, password })
    }

    /// Where the server says it listens; `None` while it has not said so yet.
    pub(crate) fn of_running_server(pid_file: &PostmasterPidFile, data: &Path) -> Option<Endpoint> {
        match (&pid_file.socket_folder, pid_file.port) {
            (Some(folder), Some(SOCKET_PORT)) => Some(Endpoint::Socket {
                folder: folder.clone(),
            }),
            (None, Some(port)) => Some(Endpoint::Loopback {
                port,
                password: password_file::read(data).ok()?,
            }),
            _ => None,
        }
    }

    /// In the key/value form that libpq and tokio-postgres share.
    pub(crate) fn connection_string(&self, database: &str) -> String {
        let (host, port, password) = match self {
            Endpoint::Socket { folder } => (folder.as_str(), SOCKET_PORT, None),
            Endpoint::Loopback { port, password } => ("127.0.0.1", *port, Some(password)),
        };
        let mut text = format!(
            "host={} port={port} user={ROLE} dbname={}",
            quoted(host),
            quoted(database)
        );
        if let Some(password) = password {
            text.push_str(" password=");
            text.push_str(&quoted(password));
        }
        text
    }

    pub(crate) fn server_settings(&self) -> Vec<(&'static str, String)> {
        match self {
            Endpoint::Socket { folder } => vec![
                ("listen_addresses", String::new()),
                ("port", SOCKET_PORT.to_string()),
                ("unix_socket_directories", folder.clone()),
                ("unix_socket_permissions", "0700".to_owned()),
            ],
            Endpoint::Loopback { port, .. } => vec![
                ("listen_addresses", "127.0.0.1".to_owned()),
                ("port", port.to_string()),
                ("unix_socket_directories", String::new()),
            ],
        }
    }

    pub(crate) fn socket_folder(&self) -> Option<PathBuf> {
        match self {
            Endpoint::Socket { folder } => Some(PathBuf::from(folder)),
            Endpoint::Loopback { .. } => None,
        }
    }
}

fn quoted(value: &str) -> String {
    format!("'{}'", value.replace('\\', "\\\\").replace('\'', "\\'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_spaces_and_quotes_stays_one_value() {
        let endpoint = Endpoint::Socket {
            folder: r"/Users/o'neil/Application Support\x".to_owned(),
        };
        assert_eq!(
            endpoint.connection_string("workmill"),
            r"host='/Users/o\'neil/Application Support\\x' port=5432 user=workmill dbname='workmill'"
        );
    }
}
