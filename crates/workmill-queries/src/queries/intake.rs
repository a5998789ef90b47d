// This file was generated with `cornucopia`. Do not modify.

pub mod grow;
pub mod inbox;
pub mod plan;
pub mod projects;
pub mod references;
pub mod spawn;
pub mod submit;
