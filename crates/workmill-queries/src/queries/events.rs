// This file was generated with `cornucopia`. Do not modify.

pub mod old;
pub mod sequence;
pub mod write;
