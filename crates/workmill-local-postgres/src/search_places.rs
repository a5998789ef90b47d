//! In: the environment of this process. Out: [`SearchPlaces`], the folders to look for PostgreSQL in.
//!
//! Invariant: the environment is read here and nowhere later, so tests can search elsewhere.

use std::path::{Path, PathBuf};

use nix::unistd::geteuid;

/// Where PostgreSQL programs are looked for, in the order of the fields.
#[derive(Clone, Debug)]
pub struct SearchPlaces {
    /// `WORKMILL_PG_BIN`: if set, no other place is looked at.
    pub only: Option<PathBuf>,
    /// `PATH`: first asked for `pg_config --bindir`, then looked at themselves.
    pub path: Vec<PathBuf>,
    /// Folders with one installation per version: `<folder>/15/bin`, `<folder>/postgresql@15/bin`.
    pub installations: Vec<PathBuf>,
    /// Where downloads are kept: `<folder>/<version>/bin`.
    pub download_cache: PathBuf,
}

impl SearchPlaces {
    /// The places of a real machine.
    pub fn of_this_machine() -> SearchPlaces {
        let not_empty = |value: &std::ffi::OsString| !value.is_empty();
        let path = std::env::var_os("PATH").unwrap_or_default();
        SearchPlaces {
            only: std::env::var_os("WORKMILL_PG_BIN")
                .filter(not_empty)
                .map(PathBuf::from),
            path: std::env::split_paths(&path)
                .filter(|folder| folder.is_absolute())
                .collect(),
            installations: vec![
                PathBuf::from("/usr/lib/postgresql"),
                PathBuf::from("/opt/homebrew/opt"),
                PathBuf::from("/usr/local/opt"),
            ],
            download_cache: user_cache_folder().join("workmill/postgresql"),
        }
    }

    /// For messages.
    pub(crate) fn described(&self) -> String {
        let mut places = vec!["`pg_config --bindir`".to_owned(), "PATH".to_owned()];
        for folder in &self.installations {
            let name = if folder.ends_with("opt") {
                "postgresql@*/bin"
            } else {
                "*/bin"
            };
            places.push(folder.join(name).display().to_string());
        }
        places.push(self.download_cache.join("*/bin").display().to_string());
        places.join(", ")
    }
}

/// The programs must be readable for the server's user, which root's own cache folder is not.
fn user_cache_folder() -> PathBuf {
    if geteuid().is_root() {
        return PathBuf::from("/var/cache");
    }
    let home = std::env::home_dir().unwrap_or_else(|| PathBuf::from("/"));
    if cfg!(target_os = "macos") {
        return home.join("Library/Caches");
    }
    match std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from) {
        Some(folder) if folder.is_absolute() => folder,
        _ => home.join(".cache"),
    }
}

/// `<parent>/<version>/bin` and `<parent>/postgresql@<version>/bin`, for every version there is.
pub(crate) fn version_folders_below(parent: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(parent) else {
        return Vec::new();
    };
    entries
        .filter_map(Result::ok)
        .filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name.strip_prefix("postgresql@")
                .unwrap_or(&name)
                .starts_with(|character: char| character.is_ascii_digit())
        })
        .map(|entry| entry.path().join("bin"))
        .collect()
}
