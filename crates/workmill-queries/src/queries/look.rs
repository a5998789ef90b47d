// This file was generated with `cornucopia`. Do not modify.

pub mod agents;
pub mod bulk;
pub mod dead_letters;
pub mod explain;
pub mod graphs;
pub mod questions;
pub mod queue;
pub mod stats;
pub mod tasks;
