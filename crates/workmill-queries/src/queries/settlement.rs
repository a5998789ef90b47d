// This file was generated with `cornucopia`. Do not modify.

pub mod events;
pub mod rest;
pub mod settle;
