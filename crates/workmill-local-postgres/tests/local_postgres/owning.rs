//! One owner at a time, and nothing to clean up after it.

use workmill_local_postgres::{Owner, default_data_folder};

use crate::helper_processes;
use crate::support::{Place, is_root, wait_until};

#[test]
fn a_second_owner_is_refused_and_told_who_holds_the_folder() {
    let place = Place::new();
    let (mut holder, _) = helper_processes::spawn("own_a_folder", &place.data());
    let message = Owner::take(&place.data(), "a test")
        .unwrap_err()
        .to_string();
    assert!(
        message.contains(&format!("process {}", holder.id())),
        "{message}"
    );
    assert!(
        message.contains("workmill up on http://127.0.0.1:7070"),
        "{message}"
    );
    assert!(
        message.contains(&format!("kill {}", holder.id())),
        "{message}"
    );
    holder.kill().unwrap();
    holder.wait().unwrap();
}

#[test]
fn the_folder_is_free_after_kill_9_of_its_owner() {
    let place = Place::new();
    let (mut holder, _) = helper_processes::spawn("own_a_folder", &place.data());
    holder.kill().unwrap();
    holder.wait().unwrap();
    Owner::take(&place.data(), "a test").unwrap();
}

#[test]
fn a_waiting_owner_gets_the_folder_when_the_first_lets_go() {
    let place = Place::new();
    let first = place.owner();
    std::thread::scope(|scope| {
        let second = scope.spawn(|| Owner::take_waiting(&place.data(), "the second"));
        drop(first);
        second.join().unwrap().unwrap();
    });
}

#[test]
fn dropping_the_owner_releases_the_folder() {
    let place = Place::new();
    drop(place.owner());
    drop(place.owner());
}

#[test]
fn a_folder_with_other_peoples_things_is_left_alone() {
    let place = Place::new();
    std::fs::create_dir(place.data()).unwrap();
    std::fs::write(place.data().join("thesis.tex"), "").unwrap();
    let message = Owner::take(&place.data(), "a test")
        .unwrap_err()
        .to_string();
    assert!(message.contains("thesis.tex"), "{message}");
    assert_eq!(crate::support::names_in(&place.data()), ["thesis.tex"]);
}

#[test]
fn root_keeps_its_data_where_services_do() {
    let folder = default_data_folder();
    if is_root() {
        assert_eq!(folder, std::path::Path::new("/var/lib/workmill"));
    } else {
        assert!(folder.is_absolute() && folder.ends_with("workmill"));
    }
}

#[test]
fn a_killed_owners_server_does_not_keep_the_lock() {
    let place = Place::new();
    let (mut owner, pid) = helper_processes::spawn("run_a_cluster", &place.data());
    owner.kill().unwrap();
    owner.wait().unwrap();
    wait_until("the folder is free", || {
        Owner::take(&place.data(), "a test").is_ok()
    });
    assert!(
        std::path::Path::new("/proc").join(pid).exists(),
        "the server lives on"
    );
}
