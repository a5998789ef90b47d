//! The cluster folder is whole or absent.

use std::os::unix::fs::MetadataExt;

use crate::helper_processes;
use crate::support::{
    Place, ask, fake_programs, is_root, looking_only_at, names_in, wait_until, write_script,
};

const UNFINISHED: &str = "postgres.unfinished-";

/// Leaves half a cluster in the folder it is given, then does what the test says.
fn half_an_initdb(then: &str) -> String {
    format!(
        "while [ \"$1\" != --pgdata ]; do shift; done\nmkdir -m 700 \"$2\" && echo 15 > \"$2/PG_VERSION\"\n{then}"
    )
}

#[test]
fn an_interrupted_initdb_leaves_nothing_behind() {
    let place = Place::new();
    let bin = place.path().join("bin");
    fake_programs(&bin, "15.3");
    // `exec`, so that killing it leaves no child of a shell behind.
    write_script(&bin.join("initdb"), &half_an_initdb("exec sleep 1000"));
    let mut helper = helper_processes::command("try_to_run_a_cluster", &place.data())
        .env("WORKMILL_PG_BIN", &bin)
        .spawn()
        .unwrap();
    let unfinished = || {
        let data = place.data();
        data.exists()
            && names_in(&data)
                .iter()
                .any(|name| name.starts_with(UNFINISHED))
    };
    wait_until("initdb is in the middle of it", unfinished);
    helper.kill().unwrap();
    helper.wait().unwrap();
    place.kill_9_everything();
    assert!(unfinished(), "a crash cannot clean up");
    assert!(!place.cluster_folder().exists());

    let cluster = place.start();
    assert_eq!(ask(&cluster, "SELECT 1"), "1");
    assert!(!unfinished(), "the next start sweeps");
}

#[test]
fn a_failed_initdb_cleans_up_at_once_and_a_full_disk_is_named() {
    let place = Place::new();
    let bin = place.path().join("bin");
    fake_programs(&bin, "15.3");
    let complaint = "echo 'initdb: error: could not write: No space left on device' >&2; exit 1";
    write_script(&bin.join("initdb"), &half_an_initdb(complaint));
    let message = place.start_error(&looking_only_at(&bin, &place));
    assert!(
        message.contains("the disk is full. Free some space"),
        "{message}"
    );
    assert_eq!(names_in(&place.data()), ["owner.lock", "password"]);
}

#[test]
fn the_data_folder_is_private() {
    let place = Place::new();
    std::fs::create_dir(place.data()).unwrap();
    crate::support::set_mode(&place.data(), 0o755);
    let _cluster = place.start();
    for (name, mode) in [
        ("", 0o700),
        ("postgres", 0o700),
        ("run", 0o700),
        ("password", 0o600),
    ] {
        let found = place.data().join(name).metadata().unwrap().mode() & 0o777;
        assert_eq!(found, mode, "{name}");
    }
}

#[test]
fn root_runs_postgres_unprivileged() {
    if !is_root() {
        return;
    }
    let place = Place::new();
    let cluster = place.start();
    let pid = cluster.postmaster_pid().unwrap();
    let process = std::path::PathBuf::from(format!("/proc/{pid}"));
    let server = process.metadata().unwrap();
    assert_ne!(server.uid(), 0);
    let groups = std::fs::read_to_string(process.join("status")).unwrap();
    let groups = groups
        .lines()
        .find(|line| line.starts_with("Groups:"))
        .unwrap();
    assert!(
        !groups.split_whitespace().any(|group| group == "0"),
        "{groups}"
    );
    assert_eq!(place.data().metadata().unwrap().uid(), server.uid());
    assert_eq!(ask(&cluster, "SELECT current_user"), "workmill");
}

#[test]
fn text_is_utf_8_and_sorted_by_bytes() {
    let place = Place::new();
    let cluster = place.start();
    assert_eq!(ask(&cluster, "SHOW server_encoding"), "UTF8");
    let collation = "SELECT datcollate FROM pg_database WHERE datname = 'workmill'";
    assert_eq!(ask(&cluster, collation), "C");
}
