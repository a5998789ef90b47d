//! The flow of work, stage by stage: intake, dispatch, execution, settlement, upkeep.
