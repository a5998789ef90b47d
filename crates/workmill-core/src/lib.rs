//! The rules of the queue, as pure functions.
//!
//! Nothing in here does I/O, reads a clock or draws a random number: time and randomness are
//! passed in. What the store writes and the engine returns has been decided by a function of
//! this crate, so each rule can be read, and tested, on its own.

pub mod attempt;
pub mod audit;
pub mod bulk;
pub mod capability;
pub mod dependency;
pub mod failure;
pub mod graph;
pub mod ids;
pub mod lane;
pub mod lifecycle;
pub mod policy;
pub mod priority;
pub mod rank;
pub mod retention;
pub mod retry;
pub mod task;
pub mod verdict;
