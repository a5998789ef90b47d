//! In: who may connect and how the server is reached. Out: `pg_hba.conf` and `pg_ident.conf`.
//!
//! Invariant: over the socket only the named operating-system users get in, proven by the kernel;
//! over loopback only with the password; everything else meets no rule and is refused.

use std::path::Path;

use crate::cluster_folder::ROLE;
use crate::endpoint::Endpoint;
use crate::server_user::ServerUser;
use crate::{Result, server_file};

const MAP: &str = "workmill";
const HEADER: &str = "# Written by Workmill at every start; changes are lost.\n";

pub(crate) fn write(cluster: &Path, endpoint: &Endpoint, user: &ServerUser) -> Result<()> {
    server_file::replace(&cluster.join("pg_hba.conf"), &who_gets_in(endpoint), user)?;
    let map = who_is_who(&user.names_that_may_connect());
    server_file::replace(&cluster.join("pg_ident.conf"), &map, user)
}

fn who_gets_in(endpoint: &Endpoint) -> String {
    // The line for `replication` lets pg_basebackup make backups.
    let (how, method) = match endpoint {
        Endpoint::Socket { .. } => ("local", format!("peer map={MAP}")),
        Endpoint::Loopback { .. } => ("host", "scram-sha-256".to_owned()),
    };
    let address = match endpoint {
        Endpoint::Socket { .. } => "",
        Endpoint::Loopback { .. } => "127.0.0.1/32",
    };
    format!(
        "{HEADER}{how} all {ROLE} {address} {method}\n{how} replication {ROLE} {address} {method}\n"
    )
}

fn who_is_who(names: &[&str]) -> String {
    names.iter().fold(HEADER.to_owned(), |text, name| {
        // Quoted, so that no character of a name has a meaning of its own.
        text + &format!("{MAP} \"{}\" {ROLE}\n", name.replace('"', "\"\""))
    })
}
