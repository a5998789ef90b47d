//! Dispatch: who the agents are, and handing them ready tasks.

pub mod agents;
pub mod claim;
pub mod hand_over;
