// This file was generated with `cornucopia`. Do not modify.

pub mod access;
pub mod audit;
pub mod dispatch;
pub mod events;
pub mod execution;
pub mod experience;
pub mod gates;
pub mod intake;
pub mod look;
pub mod settlement;
pub mod task;
pub mod upkeep;
