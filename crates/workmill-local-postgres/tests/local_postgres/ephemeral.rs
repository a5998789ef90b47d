//! Servers for tests leave nothing behind.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use workmill_local_postgres::Ephemeral;

use crate::helper_processes;
use crate::support::{Place, ask, names_in, processes_below};

#[test]
fn an_ephemeral_server_is_gone_with_its_folder_when_dropped() {
    let ephemeral = Ephemeral::start().unwrap();
    let folder = ephemeral.folder().to_path_buf();
    assert_eq!(
        ask(ephemeral.cluster(), "SELECT current_database()"),
        "workmill"
    );
    drop(ephemeral);
    assert!(!folder.exists());
    assert!(processes_below(&folder).is_empty());
}

#[test]
fn what_a_killed_test_left_is_removed_by_the_next() {
    let place = Place::new();
    let (mut killed, left) = helper_processes::spawn("run_an_ephemeral_server", place.path());
    killed.kill().unwrap();
    killed.wait().unwrap();
    let left = PathBuf::from(left);
    assert!(!processes_below(&left).is_empty(), "its server runs on");
    let long_ago = SystemTime::now() - Duration::from_mins(1);
    let lock = std::fs::File::options()
        .write(true)
        .open(left.join("owner.lock"))
        .unwrap();
    lock.set_modified(long_ago).unwrap();

    let (mut next, folder) = helper_processes::spawn("run_an_ephemeral_server", place.path());
    assert!(!left.exists());
    assert!(processes_below(&left).is_empty());
    drop(next.stdin.take());
    next.wait().unwrap();
    assert!(!PathBuf::from(folder).exists());
    assert_eq!(names_in(place.path()), [""; 0]);
}
