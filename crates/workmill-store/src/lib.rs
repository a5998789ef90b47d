//! The only crate that knows PostgreSQL.
//!
//! An [`Operation`](operation::Operation) is a batch of one kind of request for one namespace.
//! [`Store::run`] gives it a transaction: it reads and locks the rows it needs, lets
//! `workmill-core` decide, and writes everything back in sets. What must happen after the commit
//! (waking waiters) comes back as [`Effects`](operation::Effects).

pub mod access;
pub mod audit;
pub mod beside;
pub mod clock;
mod column;
pub mod connect;
pub mod dispatch;
pub mod doctor;
pub mod error;
pub mod event;
pub mod events;
pub mod execution;
pub mod experience;
pub mod fitness;
pub mod gates;
pub mod intake;
mod lane_cursors;
mod lanes;
mod lease_counts;
mod lock_order;
mod locked_rows;
pub mod look;
pub mod migrate;
pub mod notifications;
pub mod operation;
pub mod restored;
mod sending_order;
pub mod settlement;
pub mod test_points;
mod transaction;
pub mod upkeep;
mod write_back;

pub use connect::Store;
pub use error::StoreError;
