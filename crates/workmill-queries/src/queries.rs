// This file was generated with `cornucopia`. Do not modify.

pub mod access;
pub mod dispatch;
pub mod execution;
pub mod intake;
pub mod look;
pub mod settlement;
pub mod upkeep;
