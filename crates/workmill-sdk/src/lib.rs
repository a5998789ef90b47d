//! Rust client and worker for the Workmill HTTP API.
//!
//! One method for each call. What the server refuses comes back as the
//! [`Problem`](workmill_protocol::error::Problem) it sent. [`worker`] is the way to work as an agent.

mod address;
mod client;
mod error;
mod retries;
pub mod worker;

pub use address::is_on_this_machine;
pub use client::{Client, EventFilter, EventStream, Health, Heard, SyncMode};
pub use error::ClientError;
pub use workmill_protocol as protocol;
