//! The private cluster, looked at from outside: does it run, and how is it reached.

use std::path::Path;

use super::finding::Finding;

#[derive(Debug)]
pub(super) enum PrivateCluster {
    Runs { url: String },
    Rests(Finding),
}

const CHECK: &str = "private database";

pub(super) fn look(folder: &Path) -> PrivateCluster {
    let cluster = folder.join("postgres");
    if !cluster.exists() {
        let found = "there is none yet";
        return PrivateCluster::Rests(Finding::warning(CHECK, found, "`workmill up` makes it"));
    }
    match std::fs::read_to_string(cluster.join("postmaster.pid")) {
        Ok(text) => match url(&text, folder) {
            Some(url) => PrivateCluster::Runs { url },
            None => PrivateCluster::Rests(Finding::warning(
                CHECK,
                format!("{} is starting or stopping", cluster.display()),
                "ask again in a moment",
            )),
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let found = format!("{} is not running", cluster.display());
            PrivateCluster::Rests(Finding::warning(CHECK, found, "`workmill up` starts it"))
        }
        Err(error) => PrivateCluster::Rests(Finding::problem(
            CHECK,
            format!("{} cannot be looked at: {error}", cluster.display()),
            "run this as the user who runs `workmill up`",
        )),
    }
}

/// Lines of the file are process, folder, start, port, socket folder, address.
fn url(pid_file: &str, folder: &Path) -> Option<String> {
    let lines: Vec<&str> = pid_file.lines().map(str::trim).collect();
    let port: u16 = lines.get(3)?.parse().ok()?;
    let common = format!("port={port} user=workmill dbname=workmill");
    match (*lines.get(4)?, lines.get(5).copied().unwrap_or_default()) {
        ("", "") => None,
        ("", address) => {
            let password = std::fs::read_to_string(folder.join("password")).ok()?;
            Some(format!(
                "host={address} {common} password='{}'",
                password.trim()
            ))
        }
        (socket, _) => {
            let socket = socket.replace('\\', "\\\\").replace('\'', "\\'");
            Some(format!("host='{socket}' {common}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_to_a_running_server_is_read_from_its_own_file() {
        let file = "17\n/data/postgres\n1700000000\n5432\n/run/it's\n\n  1 2\nready\n";
        let url = url(file, Path::new("/none")).unwrap();
        assert_eq!(
            url,
            r"host='/run/it\'s' port=5432 user=workmill dbname=workmill"
        );
    }

    #[test]
    fn a_server_that_has_not_said_where_it_listens_is_starting() {
        assert_eq!(url("17\n/data\n1700000000\n", Path::new("/none")), None);
    }
}
