//! The private PostgreSQL cluster behind the embedded default.
//!
//! In: one data folder (held through [`Owner`]) and [`Settings`]. Out: a running server
//! ([`Cluster`]) with the database `workmill` and connection strings for it.
//! Invariant: a folder has one owner at a time, a cluster is either whole or absent, and no server
//! is trusted before it has named this folder as its own.
//!
//! The crate knows no PostgreSQL driver: it talks through `initdb`, `pg_ctl`, `postgres` and `psql`
//! of one folder of programs, and it is synchronous.

mod access_rules;
mod bin_folder;
mod client_program;
mod cluster;
mod cluster_folder;
mod data_folder;
mod endpoint;
mod ephemeral;
mod error;
mod failure_explanation;
mod installation;
mod log_file;
mod machine_memory;
mod owner_lock;
mod password_file;
mod postmaster_pid_file;
mod process_verdict;
mod program;
mod program_search;
mod psql;
mod search_places;
mod server_file;
mod server_settings_file;
mod server_start;
mod server_user;
mod settings;
mod socket_folder;

#[cfg(feature = "download")]
mod download;
#[cfg(any(feature = "download", test))]
mod download_cache;

pub use bin_folder::ServerVersion;
pub use client_program::{client_program, url_of_running};
pub use cluster::Cluster;
pub use data_folder::default_data_folder;
pub use ephemeral::Ephemeral;
pub use error::LocalPostgresError;
pub use owner_lock::Owner;
pub use program::ProgramFailure;
pub use search_places::SearchPlaces;
pub use settings::Settings;

/// What every fallible operation of this crate returns.
pub type Result<T, E = LocalPostgresError> = std::result::Result<T, E>;
