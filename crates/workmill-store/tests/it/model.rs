//! The store against a plain model of it, alone and under concurrency, with deliberate faults to
//! show that the checks bite.
//!
//! - [`sequential`]: random sequences of every operation; after each step the store and an
//!   in-memory [`world`] agree on every answer and every row.
//! - [`concurrent`]: many connections at once; a checker reads the recorded history.
//! - [`races`] and [`cycles`]: two or more sides meeting in one moment.
//! - [`shapes`] and [`growth`]: big graphs, worked to the end, grown, tied anew and cancelled.
//! - [`gates`]: pauses, limits, budgets and locks, against plain sums and in races.
//! - [`faults`]: each fault planted in the store is caught by the check that should catch it.
//!
//! `WORKMILL_MODEL_CASES` sets how many random sequences are run (a few hundred without it),
//! `WORKMILL_RACES` multiplies the rounds of races, `WORKMILL_GRAPH_TASKS` is the size of graphs.
//! `./dev races` sets all of them to thousands.

mod arena;
mod choose;
mod concurrent;
mod cycles;
mod driver;
mod faults;
mod found;
mod gates;
mod growth;
mod races;
mod sequential;
mod shapes;
mod snapshot;
mod step;
mod world;

use workmill_testkit::{invariants, setting};
