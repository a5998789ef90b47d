//! Gates: pauses, limits, budgets and locks, exact under concurrency.
//!
//! Whoever takes from a gate, gives back or changes it holds the lock of the namespace's row in
//! `anchor`, and so reads and writes the rows of gates without a race. That lock comes after those
//! of tasks and leases; who holds it waits for nobody else (a claim picks tasks under it, and looks
//! past those that others have locked). A claim that touches no gate does not ask for it: which gates
//! there are is remembered ([`cache`]), and read again when it changed. So is what the last claim
//! asked of them: the next one takes the lock and reads them together with what it picks.
//!
//! A ready task that a gate stops leaves its lane for `gated`; what frees the gate puts the
//! best-ranked ones that fit back ([`waiters`]). They may find it taken again: then they wait again.

mod admit;
mod asking;
pub(crate) mod cache;
pub mod change;
pub(crate) mod charge;
mod earlier;
mod holds;
pub mod keep;
mod lock_timeout;
pub(crate) mod of_graphs;
pub(crate) mod pauses;
pub(crate) mod release;
pub mod retire;
pub(crate) mod rows;
mod running;
mod set;
mod waiters;

pub(crate) use admit::{Candidate, Decision, GateDecisions, Stopped, write_stopped};
