//! Rust client for the Workmill HTTP API.
