//! The API as its clients see it: a real server, a real PostgreSQL, requests over HTTP.

mod actors;
mod agents;
mod batches;
mod bodies;
mod bounds;
mod conditions;
mod dead_letters;
mod events;
mod gates;
mod isolation;
mod keys;
mod lease_tokens;
mod listening;
mod lists;
mod many;
mod metrics;
mod openapi;
mod overload;
mod projects;
mod questions;
mod refusals;
mod requirements;
mod roles;
mod storable;
mod waiting;
mod working;
