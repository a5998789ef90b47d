//! Upkeep: what time brings about.
//!
//! Each duty is `run_once(engine, now) -> Report` with no other input, so the happy path and the
//! recovery after a crash are one path. Every server runs every duty; overlapping runs have no
//! double effect.

pub mod agent_watcher;
pub mod block_expirer;
pub mod consistency_sweep;
pub mod deadline_watcher;
pub mod due_promoter;
pub mod event_pruner;
pub mod event_sequencer;
pub mod experience_recorder;
pub mod gate_keeper;
pub mod inbox_drainer;
pub mod inbox_pruner;
pub mod key_forgetter;
pub mod lane_pruner;
pub mod lease_reaper;
pub mod outage_watcher;
pub mod rank_refresher;
pub mod round;
pub mod tally_pruner;
pub mod task_pruner;
