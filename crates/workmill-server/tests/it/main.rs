//! The API as its clients see it: a real server, a real PostgreSQL, requests over HTTP.

mod actors;
mod agents;
mod events;
mod isolation;
mod keys;
mod lease_tokens;
mod refusals;
mod roles;
mod working;
