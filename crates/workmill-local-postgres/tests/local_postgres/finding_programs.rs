//! Which PostgreSQL programs are used, and what is said when none fit.

use crate::helper_processes;
use crate::support::{
    Place, fake_cluster, fake_programs, looking_nowhere, looking_only_at, names_in, write_script,
};

#[test]
fn postgres_14_is_refused_with_the_fix() {
    let place = Place::new();
    let installations = place.path().join("installed");
    fake_programs(&installations.join("14/bin"), "14.11");
    let mut settings = looking_nowhere(&place);
    settings
        .search_places
        .installations
        .push(installations.clone());
    let message = place.start_error(&settings);
    let found = format!(
        "PostgreSQL 14.11 in {}",
        installations.join("14/bin").display()
    );
    assert!(message.contains(&found), "{message}");
    assert!(message.contains("apt-get install postgresql"), "{message}");
    assert!(!place.cluster_folder().exists());
}

#[test]
fn without_any_postgres_the_message_lists_the_places_and_what_to_install() {
    let place = Place::new();
    let message = place.start_error(&looking_nowhere(&place));
    for part in [
        "pg_config --bindir",
        "PATH",
        "apt-get install postgresql",
        "dnf install postgresql-server",
        "brew install postgresql@17",
        "WORKMILL_PG_BIN",
    ] {
        assert!(message.contains(part), "{part} is not in: {message}");
    }
}

#[test]
fn workmill_pg_bin_is_the_only_place_looked_at() {
    let place = Place::new();
    let bin = place.path().join("bin");
    fake_programs(&bin, "14.11");
    let mut settings = looking_only_at(&bin, &place);
    let installations = place.path().join("installed");
    fake_programs(&installations.join("17/bin"), "17.1");
    settings.search_places.installations.push(installations);
    let message = place.start_error(&settings);
    assert!(message.contains("that is PostgreSQL 14.11"), "{message}");

    std::fs::remove_file(bin.join("psql")).unwrap();
    let message = place.start_error(&settings);
    assert!(message.contains("it has no psql"), "{message}");
}

#[test]
fn workmill_pg_bin_is_read_from_the_environment() {
    let place = Place::new();
    let bin = place.path().join("bin");
    fake_programs(&bin, "13.4");
    let output = helper_processes::command("try_to_run_a_cluster", &place.data())
        .env("WORKMILL_PG_BIN", &bin)
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("that is PostgreSQL 13.4"), "{text}");
}

#[test]
fn the_newest_version_of_a_place_is_used() {
    let place = Place::new();
    let installations = place.path().join("installed");
    for version in ["14.2", "16.9", "17.9", "17.10"] {
        let name = format!("postgresql@{version}/bin");
        fake_programs(&installations.join(name), version);
    }
    let mut settings = looking_nowhere(&place);
    settings.search_places.installations.push(installations);
    let message = place.start_error(&settings);
    assert!(message.contains("postgresql@17.10/bin/initdb"), "{message}");
}

#[test]
fn pg_config_comes_before_the_path_and_the_path_before_the_rest() {
    let place = Place::new();
    let (path, asked) = (place.path().join("path"), place.path().join("asked/bin"));
    let installations = place.path().join("installed");
    fake_programs(&installations.join("18/bin"), "18.0");
    fake_programs(&path, "17.0");
    let mut settings = looking_nowhere(&place);
    settings.search_places.path.push(path.clone());
    settings.search_places.installations.push(installations);
    let message = place.start_error(&settings);
    assert!(message.contains("path/initdb"), "{message}");

    fake_programs(&asked, "16.0");
    write_script(
        &path.join("pg_config"),
        &format!("echo {}", asked.display()),
    );
    let message = place.start_error(&settings);
    assert!(message.contains("asked/bin/initdb"), "{message}");
}

#[test]
fn a_cached_download_is_the_last_resort() {
    let place = Place::new();
    fake_programs(&place.path().join("cache/18.1.0/bin"), "18.1");
    let message = place.start_error(&looking_nowhere(&place));
    assert!(message.contains("cache/18.1.0/bin/initdb"), "{message}");
}

#[test]
fn a_folder_without_all_four_programs_does_not_count() {
    let place = Place::new();
    let (path, cache) = (
        place.path().join("path"),
        place.path().join("cache/18.1.0/bin"),
    );
    fake_programs(&path, "17.0");
    std::fs::remove_file(path.join("initdb")).unwrap();
    fake_programs(&cache, "18.1");
    let mut settings = looking_nowhere(&place);
    settings.search_places.path.push(path);
    let message = place.start_error(&settings);
    assert!(message.contains("cache/18.1.0/bin/initdb"), "{message}");
}

#[test]
fn another_major_versions_folder_is_never_initialised_over() {
    for (data_version, programs) in [("14", "15.3"), ("16", "15.3"), ("9.6", "17.0")] {
        let place = Place::new();
        drop(place.owner());
        let cluster = place.cluster_folder();
        fake_cluster(&cluster, "PG_VERSION", &format!("{data_version}\n"));
        let bin = place.path().join("path");
        fake_programs(&bin, programs);
        let mut settings = looking_nowhere(&place);
        settings.search_places.path.push(bin.clone());
        for settings in [settings, looking_only_at(&bin, &place)] {
            let message = place.start_error(&settings);
            let made_by = format!("made by PostgreSQL {data_version},");
            assert!(message.contains(&made_by), "{message}");
            assert!(
                message.contains(&format!("found only PostgreSQL {programs}")),
                "{message}"
            );
            assert!(message.contains("pg_upgrade"), "{message}");
            assert_eq!(names_in(&cluster), ["PG_VERSION"]);
        }
    }
}

#[test]
fn existing_data_is_given_to_its_own_version_even_if_a_newer_one_is_there() {
    let place = Place::new();
    place.start().stop().unwrap();
    let version = std::fs::read_to_string(place.cluster_folder().join("PG_VERSION")).unwrap();
    let path = place.path().join("path");
    fake_programs(&path, "99.0");
    let mut settings = workmill_local_postgres::Settings::for_tests();
    settings.search_places.path = vec![path];
    let cluster = workmill_local_postgres::Cluster::start(&place.owner(), &settings).unwrap();
    assert_eq!(cluster.version().major.to_string(), version.trim());
}

#[test]
fn a_folder_that_is_no_cluster_is_left_alone() {
    let place = Place::new();
    drop(place.owner());
    fake_cluster(&place.cluster_folder(), "base", "");
    let message = place.start_error(&workmill_local_postgres::Settings::for_tests());
    assert!(message.contains("is no PostgreSQL cluster"), "{message}");
    assert_eq!(names_in(&place.cluster_folder()), ["base"]);
}
