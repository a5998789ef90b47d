//! Where this user keeps settings and state.

use std::path::PathBuf;

/// Holds `workmill.toml`.
pub(crate) fn configuration() -> PathBuf {
    named("XDG_CONFIG_HOME", ".config")
}

/// Holds what can be forgotten without harm.
pub(crate) fn state() -> PathBuf {
    named("XDG_STATE_HOME", ".local/state")
}

/// Holds sockets while the user is logged in; only this user can make anything there. None: this system
/// has no such folder.
pub(crate) fn runtime() -> Option<PathBuf> {
    let folder = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from)?;
    folder.is_absolute().then(|| folder.join("workmill"))
}

fn named(variable: &str, below_home: &str) -> PathBuf {
    let folder = match std::env::var_os(variable).map(PathBuf::from) {
        // The XDG specification says that relative paths are to be ignored.
        Some(folder) if folder.is_absolute() => folder,
        _ => std::env::home_dir()
            .unwrap_or_else(|| PathBuf::from("/"))
            .join(below_home),
    };
    folder.join("workmill")
}
