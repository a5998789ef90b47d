//! For tests only.
//!
//! A test asks for a [`database::TestDatabase`] and gets one of its own, cloned from a template
//! that holds the current schema. The server is the one that `DATABASE_URL` names, or a private
//! cluster that the first test starts.

pub mod burial;
pub mod cluster;
pub mod database;
pub mod factory;
pub mod partitions;
