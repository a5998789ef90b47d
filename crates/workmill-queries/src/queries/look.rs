// This file was generated with `cornucopia`. Do not modify.

pub mod dead_letters;
pub mod explain;
pub mod tasks;
