//! The flow of work, stage by stage.
//!
//! | stage | what it does |
//! |---|---|
//! | [`intake`] | checks what is asked for, resolves names, submits it |
//! | [`dispatch`] | registers agents, hands them ready tasks, lets them wait for some |
//! | [`gates`] | limits, budgets and pauses |
//! | [`execution`] | starts attempts and keeps their leases alive |
//! | [`settlement`] | ends attempts: completed, failed, released |
//! | [`upkeep`] | what time brings about: lost leases, due retries |
//! | [`retention`] | how long finished tasks are kept |
//! | [`access`] | keys, namespaces, and what belongs to whom |
//! | [`events`] | what happened, in pages or as it happens |
//! | [`look`] | tasks and graphs as they stand |
//! | [`projects`] | labels over graphs and tasks |
//! | [`explain`] | why a task is not running, what a claim would return |
//! | `metrics`, `log` | what is counted, and what is said of it |
//! | [`shares`] | how much of the database one namespace may have |
//! | [`strict`] | reads JSON, and refuses what nobody knows |
//! | [`supervise`] | runs the duties until told to stop |

pub mod access;
pub mod dispatch;
pub mod engine;
pub mod error;
pub mod events;
pub mod execution;
pub mod explain;
mod filter;
pub mod gates;
mod gather;
mod hints;
pub mod intake;
mod log;
pub mod look;
mod metrics;
mod prices;
pub mod projects;
pub mod retention;
pub mod settlement;
pub mod shares;
pub mod strict;
pub mod supervise;
pub mod upkeep;
mod waiting_claims;

pub use engine::{Caller, Engine};
pub use error::EngineError;
pub use workmill_store::beside::beside;
