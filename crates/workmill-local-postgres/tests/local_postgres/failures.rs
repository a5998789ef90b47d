//! What is said when it does not work.

use std::error::Error;

use workmill_local_postgres::{Cluster, Owner, Settings};

use crate::support::{Place, is_root, set_mode};

#[test]
fn a_failed_start_shows_the_last_lines_of_the_log() {
    let place = Place::new();
    drop(place.owner());
    std::fs::write(
        place.data().join("user.conf"),
        "no_such_setting_at_all = 1\n",
    )
    .unwrap();
    let message = place.start_error(&Settings::for_tests());
    assert!(message.contains("no_such_setting_at_all"), "{message}");
    assert!(message.contains("postgres.log"), "{message}");
}

#[test]
fn a_parent_closed_to_the_unprivileged_user_is_named_with_the_fix() {
    if !is_root() {
        return;
    }
    let place = Place::new();
    let closed = place.path().join("closed");
    std::fs::create_dir(&closed).unwrap();
    set_mode(&closed, 0o700);
    let owner = Owner::take(&closed.join("below/data"), "a test").unwrap();
    let message = Cluster::start(&owner, &Settings::for_tests())
        .unwrap_err()
        .to_string();
    assert!(
        message.contains(&format!("chmod o+x {}`", closed.display())),
        "{message}"
    );
}

#[test]
fn a_folder_without_permission_says_so_with_the_fix() {
    if is_root() {
        return;
    }
    let place = Place::new();
    set_mode(place.path(), 0o555);
    let error = Owner::take(&place.data(), "a test").unwrap_err();
    set_mode(place.path(), 0o755);
    let message = error.to_string();
    assert!(message.contains("permission denied"), "{message}");
    assert!(message.contains("chown -R"), "{message}");
    assert!(error.source().is_some(), "the cause is kept");
}

#[test]
fn root_does_not_take_a_users_cluster_from_them() {
    if !is_root() {
        return;
    }
    let place = Place::new();
    drop(place.owner());
    std::fs::create_dir(place.cluster_folder()).unwrap();
    for folder in [place.data(), place.cluster_folder()] {
        std::os::unix::fs::chown(folder, Some(1), None).unwrap();
    }
    let message = place.start_error(&Settings::for_tests());
    assert!(message.contains("belongs to user daemon"), "{message}");
    let owner = std::os::unix::fs::MetadataExt::uid(&place.data().metadata().unwrap());
    assert_eq!(owner, 1, "the folder is as it was");
}
