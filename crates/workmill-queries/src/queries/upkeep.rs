// This file was generated with `cornucopia`. Do not modify.

pub mod agenda;
pub mod agents;
pub mod consistency;
pub mod deadlines;
pub mod due;
pub mod idempotency;
pub mod retention;
