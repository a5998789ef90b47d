//! The guarantees of the private cluster, each against real PostgreSQL programs.
//!
//! Every test has a folder of its own. The suite passes as root and as an ordinary user.

mod access;
mod ephemeral;
mod failures;
mod finding_programs;
mod helper_processes;
mod initialising;
mod owning;
mod settings_files;
mod support;
mod surviving;
