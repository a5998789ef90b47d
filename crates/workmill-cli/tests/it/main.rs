//! The command as a user meets it: the real program on a real PostgreSQL.

mod access;
mod demo;
mod doctor;
mod everyday;
mod exit_codes;
mod outage;
mod support;
mod up;
