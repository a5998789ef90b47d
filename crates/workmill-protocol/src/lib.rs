//! What clients and the server agree on: messages, error codes and roles.
//!
//! JSON in and out, `snake_case`; ids as `task_<ULID>` and `dag_<ULID>`, instants in RFC 3339,
//! money in dollars, durations in `_sec` or `_ms`. Answers may carry fields that a reader does
//! not know; requests may not.

pub mod agents;
pub mod audit;
pub mod batches;
pub mod bulk;
pub mod claims;
pub mod dead_letters;
pub mod error;
pub mod events;
pub mod explain;
pub mod gates;
pub mod graphs;
pub mod keys;
pub mod leases;
pub mod lists;
pub mod plan;
pub mod projects;
mod query;
pub mod questions;
pub mod retention;
pub mod role;
pub mod settings;
pub mod stats;
pub mod tasks;
pub mod usage;
