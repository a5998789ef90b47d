// This file was generated with `cornucopia`. Do not modify.

pub mod held;
pub mod write_back;
