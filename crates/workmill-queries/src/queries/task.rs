// This file was generated with `cornucopia`. Do not modify.

pub mod locked_rows;
pub mod write_back;
