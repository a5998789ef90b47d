// This file was generated with `cornucopia`. Do not modify.

pub mod gates;
pub mod retired;
