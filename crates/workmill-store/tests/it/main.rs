//! The guarantees of the store, on a real PostgreSQL.

mod actors;
mod blocking;
mod cancelling;
mod claiming;
mod coming_back;
mod consistency;
mod dead_letters;
mod deadlines;
mod editing;
mod events;
mod graphs;
mod growing;
mod idempotency;
mod leases;
mod migrations;
mod model;
mod order;
mod partitions;
mod plans;
mod settling;
mod statements;
mod task_command;
mod transactions;
mod views;
mod whole_task;
