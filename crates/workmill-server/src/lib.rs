//! The HTTP API over the engine.
//!
//! A request passes the guard (key, role), is read strictly, goes to the engine, and is answered
//! as JSON or as `application/problem+json`. Routes hold no rules of their own.

mod answers;
mod body;
mod guard;
pub mod keys;
mod lease_tokens;
mod problem;
mod routes;
mod serve;

pub use serve::serve;
