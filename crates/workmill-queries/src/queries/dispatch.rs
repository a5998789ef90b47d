// This file was generated with `cornucopia`. Do not modify.

pub mod agents;
pub mod claim;
pub mod lanes;
