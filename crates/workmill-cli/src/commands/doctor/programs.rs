//! The PostgreSQL programs that the private database is run with.

use std::path::{Path, PathBuf};
use std::process::Command;

use workmill_local_postgres::SearchPlaces;

use super::finding::Finding;

const CHECK: &str = "programs";
const PROGRAMS: [&str; 4] = ["initdb", "pg_ctl", "postgres", "psql"];

pub(super) fn examine() -> Finding {
    let places = SearchPlaces::of_this_machine();
    let found: Vec<String> = folders(&places)
        .iter()
        .filter(|folder| {
            PROGRAMS
                .iter()
                .all(|program| folder.join(program).is_file())
        })
        .map(|folder| format!("{} in {}", version(folder), folder.display()))
        .collect();
    if !found.is_empty() {
        return Finding::ok(CHECK, found.join("; "));
    }
    match places.only {
        Some(folder) => Finding::problem(
            CHECK,
            format!(
                "WORKMILL_PG_BIN is {}, which does not hold them",
                folder.display()
            ),
            "name a folder with initdb, pg_ctl, postgres and psql, or unset it",
        ),
        None => Finding::warning(
            CHECK,
            "no PostgreSQL server is installed",
            "install PostgreSQL 15 or newer, or let `workmill up` download it",
        ),
    }
}

fn folders(places: &SearchPlaces) -> Vec<PathBuf> {
    if let Some(only) = &places.only {
        return vec![only.clone()];
    }
    let versions = places.installations.iter().chain([&places.download_cache]);
    let mut folders = places.path.clone();
    folders.extend(versions.flat_map(|parent| bin_folders_below(parent)));
    folders
}

fn bin_folders_below(parent: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(parent).into_iter().flatten();
    entries
        .filter_map(|entry| Some(entry.ok()?.path().join("bin")))
        .collect()
}

fn version(folder: &Path) -> String {
    let answer = Command::new(folder.join("postgres"))
        .arg("--version")
        .output();
    let text = answer.map(|answer| String::from_utf8_lossy(&answer.stdout).into_owned());
    let text = text.unwrap_or_default();
    // `postgres (PostgreSQL) 15.16 (Debian 15.16-0+deb12u1)`
    let number = text
        .split_whitespace()
        .nth(2)
        .unwrap_or("of an unknown version");
    format!("PostgreSQL {number}")
}
