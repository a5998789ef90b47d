// This file was generated with `cornucopia`. Do not modify.

pub mod record;
pub mod spend;
pub mod tally;
