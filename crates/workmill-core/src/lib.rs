//! The rules of the queue, as pure functions.
//!
//! Nothing in here does I/O, reads a clock or draws a random number: time and randomness are
//! passed in. What the store writes and the engine returns has been decided by a function of
//! this crate, so each rule can be read, and tested, on its own.

pub mod admission;
pub mod agent;
pub mod attempt;
pub mod attempt_matrix;
pub mod audit;
pub mod authority;
pub mod bounded;
pub mod bulk;
pub mod capability;
pub mod dependency;
pub mod dialect;
pub mod edition;
pub mod exact;
pub mod experience;
pub mod explain;
pub mod failure;
pub mod fields;
pub mod gate;
pub mod graph;
pub mod ids;
pub mod json_look;
pub mod json_text;
pub mod lane;
pub mod lifecycle;
pub mod list;
pub mod moment;
pub mod money;
pub mod output;
pub mod plain_words;
pub mod plan;
pub mod policy;
pub mod price;
pub mod priority;
pub mod project;
pub mod question;
pub mod rank;
pub mod read_state;
pub mod resolution;
pub mod resource_lock;
pub mod retention;
pub mod retry;
pub mod schema;
pub mod spawning;
pub mod task;
pub mod usage;
pub mod verdict;
