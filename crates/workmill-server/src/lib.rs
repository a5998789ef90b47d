//! The HTTP API over the engine.
//!
//! A request passes the guard (key, role), is read strictly, goes to the engine, and is answered
//! as JSON or as `application/problem+json`. Routes hold no rules of their own.

mod answers;
mod body;
mod conditions;
mod database_share;
mod guard;
mod hosts;
mod http_metrics;
pub mod keys;
mod lease_tokens;
mod memory_pool;
mod open_streams;
pub mod openapi;
mod origins;
mod permissions;
mod problem;
mod query;
mod request_memory;
mod response_memory;
mod responses;
mod routes;
mod serve;
mod tls;

pub use body::Pace;
pub use hosts::Hosts;
pub use origins::Origins;
pub use serve::Listening;
pub use tls::{TlsError, read_certificates};
