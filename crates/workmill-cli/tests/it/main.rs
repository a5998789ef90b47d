//! The command as a user meets it: the real program on a real PostgreSQL.

mod access;
mod administering;
mod demo;
mod doctor;
mod everyday;
mod exit_codes;
mod input_files;
mod log;
mod looking;
mod outage;
mod secrets;
mod serving;
mod steering;
mod support;
mod terminal;
mod transcripts;
mod up;
