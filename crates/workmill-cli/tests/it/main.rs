//! The command as a user meets it: the real program on a real PostgreSQL.

mod access;
mod agent_run;
mod demo;
mod doctor;
mod everyday;
mod exit_codes;
mod log;
mod outage;
mod secrets;
mod serving;
mod support;
mod task_command;
mod up;
mod worker;
