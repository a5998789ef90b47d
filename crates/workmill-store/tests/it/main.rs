//! The guarantees of the store, on a real PostgreSQL.

mod actors;
mod claiming;
mod events;
mod graphs;
mod leases;
mod migrations;
mod settling;
mod transactions;
