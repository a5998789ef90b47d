//! What the server is told, and who has the last word.

use workmill_local_postgres::{Cluster, Owner, Settings};

use crate::support::{Place, ask};

#[test]
fn durability_is_on_by_default() {
    let place = Place::new();
    let cluster = Cluster::start(&place.owner(), &Settings::default()).unwrap();
    for name in [
        "fsync",
        "synchronous_commit",
        "full_page_writes",
        "data_checksums",
    ] {
        assert_eq!(ask(&cluster, &format!("SHOW {name}")), "on", "{name}");
    }
    assert_eq!(ask(&cluster, "SHOW random_page_cost"), "1.1");
}

#[test]
fn user_conf_has_the_last_word_and_ours_is_rewritten_at_every_start() {
    let place = Place::new();
    place.start().stop().unwrap();
    std::fs::write(
        place.data().join("user.conf"),
        "work_mem = '7MB'\nmax_wal_size = '512MB'\n",
    )
    .unwrap();
    std::fs::write(place.cluster_folder().join("workmill.conf"), "nonsense").unwrap();
    let settings = Settings {
        max_connections: 33,
        ..Settings::for_tests()
    };
    let cluster = Cluster::start(&place.owner(), &settings).unwrap();
    assert_eq!(ask(&cluster, "SHOW work_mem"), "7MB");
    assert_eq!(ask(&cluster, "SHOW max_wal_size"), "512MB");
    assert_eq!(ask(&cluster, "SHOW max_connections"), "33");
}

#[test]
fn a_large_log_is_moved_aside_at_start() {
    let place = Place::new();
    let cluster = place.start();
    let log = cluster.log_file().to_path_buf();
    cluster.stop().unwrap();
    std::fs::OpenOptions::new()
        .write(true)
        .open(&log)
        .unwrap()
        .set_len(11 * 1024 * 1024)
        .unwrap();
    let _cluster = place.start();
    assert!(log.metadata().unwrap().len() < 1024 * 1024);
    assert!(place.data().join("postgres.log.1").exists());
}

#[test]
fn a_folder_with_spaces_quotes_and_backslashes_in_its_name_works() {
    for name in ["it's a \\ folder", "$HOME of a \"folder\", or `two`"] {
        let place = Place::new();
        let data = place.path().join(name);
        let owner = Owner::take(&data, "a test").unwrap();
        let cluster = Cluster::start(&owner, &Settings::for_tests()).unwrap();
        assert_eq!(ask(&cluster, "SELECT 1"), "1");
        let url = cluster.url("workmill");
        cluster.stop().unwrap();
        // Commas and double quotes have a meaning in lists of folders, so the socket is elsewhere.
        if name.contains('"') {
            std::fs::remove_dir_all(url.split('\'').nth(1).unwrap()).unwrap();
        }
    }
}
