//! Who gets in, and by which way.

use std::path::{Path, PathBuf};
use std::process::Command;

use workmill_local_postgres::{Cluster, Owner, Settings};

use crate::support::{Place, ask, is_root};

fn psql_error(url: &str) -> String {
    let output = Command::new("psql")
        .args(["-X", "-w", "-c", "SELECT 1", "-d", url])
        .output()
        .expect("psql runs");
    assert!(!output.status.success(), "{url} must be refused");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The TCP sockets of a process that wait for connections.
fn listening_sockets(pid: u32) -> Vec<String> {
    let own: Vec<String> = std::fs::read_dir(format!("/proc/{pid}/fd"))
        .expect("a live process")
        .filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok())
        .map(|target| target.to_string_lossy().into_owned())
        .collect();
    let mut found = Vec::new();
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
        for line in std::fs::read_to_string(table)
            .unwrap_or_default()
            .lines()
            .skip(1)
        {
            let columns: Vec<&str> = line.split_whitespace().collect();
            if columns[3] == "0A" && own.contains(&format!("socket:[{}]", columns[9])) {
                found.push(columns[1].to_owned());
            }
        }
    }
    found
}

#[test]
fn tcp_is_closed() {
    let place = Place::new();
    let cluster = place.start();
    assert_eq!(
        listening_sockets(cluster.postmaster_pid().unwrap()),
        [""; 0]
    );
    assert_eq!(ask(&cluster, "SHOW listen_addresses"), "");
}

#[test]
fn only_the_role_workmill_gets_in() {
    let place = Place::new();
    let cluster = place.start();
    ask(&cluster, "CREATE ROLE somebody LOGIN");
    let url = cluster
        .url("workmill")
        .replace("user=workmill", "user=somebody");
    let message = psql_error(&url);
    assert!(message.contains("no pg_hba.conf entry"), "{message}");
}

#[test]
fn other_users_of_the_machine_are_kept_out() {
    if !is_root() {
        return;
    }
    let place = Place::new();
    let cluster = place.start();
    let as_daemon = |url: &str| {
        let output = Command::new("setpriv")
            .args(["--reuid=daemon", "--regid=daemon", "--clear-groups"])
            .args(["psql", "-X", "-w", "-c", "SELECT 1", "-d", url])
            .current_dir("/")
            .output()
            .unwrap();
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let url = cluster.url("workmill");
    assert!(
        as_daemon(&url).contains("Permission denied"),
        "the folder is private"
    );
    // Even with the folders wide open, the kernel tells the server who is calling.
    for name in ["", "run", "run/.s.PGSQL.5432"] {
        crate::support::set_mode(&place.data().join(name), 0o777);
    }
    let message = as_daemon(&url);
    assert!(message.contains("Peer authentication failed"), "{message}");
}

#[test]
fn a_path_too_long_for_a_socket_gets_a_short_one_and_if_that_is_taken_loopback_with_a_password() {
    let place = Place::new();
    let data = place
        .path()
        .join("a-rather-long-name-of-a-folder/".repeat(4));
    let start = || {
        let owner = Owner::take(&data, "a test").unwrap();
        Cluster::start(&owner, &Settings::for_tests()).unwrap()
    };
    let cluster = start();
    let url = cluster.url("workmill");
    let folder = PathBuf::from(url.split('\'').nth(1).unwrap());
    assert!(!folder.starts_with(place.path()), "{url}");
    assert_eq!(ask(&cluster, "SELECT 1"), "1");
    cluster.stop().unwrap();
    // Somebody else puts something there first, at every place that is not below our folder.
    let mut squatted = Vec::new();
    let cluster = loop {
        let cluster = start();
        let url = cluster.url("workmill");
        if url.contains("host='127.0.0.1'") {
            break cluster;
        }
        let folder = PathBuf::from(url.split('\'').nth(1).unwrap());
        cluster.stop().unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        std::fs::write(&folder, "not a folder").unwrap();
        squatted.push(folder);
        assert!(squatted.len() < 4, "{squatted:?}");
    };
    assert_eq!(ask(&cluster, "SELECT 1"), "1");
    let pid = cluster.postmaster_pid().unwrap();
    let listening = listening_sockets(pid);
    assert_eq!(listening.len(), 1);
    assert!(
        listening[0].starts_with("0100007F:"),
        "127.0.0.1 only: {listening:?}"
    );
    let url = cluster.url("workmill");
    let without = url.split(" password=").next().unwrap();
    assert!(psql_error(without).contains("no password supplied"));
    assert!(psql_error(&format!("{without} password=x")).contains("authentication failed"));
    // The next owner finds the server on its port again.
    let again = start();
    assert_eq!(again.postmaster_pid(), Some(pid));
    assert_eq!(again.url("workmill"), url);
    for file in squatted {
        std::fs::remove_file(file).unwrap();
    }
}

#[test]
fn a_socket_folder_open_to_others_is_not_used() {
    let place = Place::new();
    drop(place.owner());
    std::fs::create_dir(place.data().join("run")).unwrap();
    crate::support::set_mode(&place.data().join("run"), 0o777);
    let cluster = place.start();
    let url = cluster.url("workmill");
    let folder = Path::new(url.split('\'').nth(1).unwrap());
    assert_ne!(folder, place.data().join("run"));
    cluster.stop().unwrap();
    std::fs::remove_dir_all(folder).unwrap();
}
