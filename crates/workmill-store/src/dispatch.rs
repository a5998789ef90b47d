//! Dispatch: who the agents are, and handing them ready tasks.

pub mod agents;
pub mod claim;
