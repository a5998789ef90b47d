// This file was generated with `cornucopia`. Do not modify.

pub mod grow;
pub mod inbox;
pub mod projects;
pub mod submit;
