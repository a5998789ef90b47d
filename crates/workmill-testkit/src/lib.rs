//! For tests only.
//!
//! A test asks for a [`database::TestDatabase`] and gets one of its own, cloned from a template
//! that holds the current schema. The server is the one that `DATABASE_URL` names, or a private
//! cluster that the first test starts.

pub mod burial;
pub mod chance;
mod citus;
pub mod cluster;
pub mod database;
pub mod factory;
pub mod history;
pub mod invariants;
pub mod partitions;
pub mod proxy;

/// A number from the environment; what is not set or not a number is the default.
pub fn setting(name: &str, default: u32) -> u32 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// Lets this process have as many open files as it may: each connection is one.
pub fn open_many_files() -> anyhow::Result<()> {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE)?;
    Ok(setrlimit(Resource::RLIMIT_NOFILE, most, most)?)
}
