//! The command as a user meets it: the real program on a real PostgreSQL.

mod access;
mod administering;
mod agent_run;
mod backup;
mod configuration_files;
mod demo;
mod doctor;
mod everyday;
mod exit_codes;
mod flow;
mod input_files;
mod local_servers;
mod log;
mod looking;
mod memory;
mod outage;
mod own_database;
mod secrets;
mod serving;
mod steering;
mod support;
mod task_command;
mod terminal;
mod transcripts;
mod up;
mod worker;
