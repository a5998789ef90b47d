//! The `workmill` command: reads its arguments, runs one command, says what went wrong.

mod arguments;
mod commands;
mod configuration;
mod context;
mod database;
mod database_address;
mod demo;
mod document;
mod error_report;
mod exit;
mod frame;
mod key_file;
mod lease_memory;
mod listening;
mod local_servers;
mod logging;
mod output;
mod paint;
mod plain_file;
mod plain_text;
mod postgres_program;
mod prices;
mod process_group;
mod render;
mod running_server;
mod stop_signal;
mod user_folders;
mod work_folder;

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use tokio::runtime::Runtime;

use crate::arguments::Arguments;
use crate::exit::Exit;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse_from(command_line()) {
        Ok(arguments) => arguments,
        Err(error) => {
            if error.use_stderr() && json_is_asked_for() {
                error_report::print_usage(&error.render().to_string());
            } else {
                // Nowhere to say that nothing can be said.
                let _ = error.print();
            }
            return if error.use_stderr() {
                Exit::Usage
            } else {
                Exit::Done
            }
            .into();
        }
    };
    let as_json = arguments.everywhere.json;
    let runtime = match runtime() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&error.into(), as_json),
    };
    match runtime.block_on(commands::run(arguments)) {
        Ok(exit) => exit.into(),
        // Said before the runtime ends, which may have to wait for somebody.
        Err(error) => failed(&error, as_json),
    }
}

/// Whether the command line has `--json`, though it cannot be read as a whole.
fn json_is_asked_for() -> bool {
    let mut words = std::env::args_os().take_while(|word| word != "--");
    words.any(|word| word == "--json")
}

fn failed(error: &anyhow::Error, as_json: bool) -> ExitCode {
    error_report::print(error, as_json);
    Exit::of(error).into()
}

/// Called as `task`, the program is `workmill task`.
fn command_line() -> Vec<OsString> {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    let name = words.first().map(Path::new).and_then(Path::file_name);
    if name == Some(OsStr::new("task")) {
        words.splice(..1, ["workmill", "task"].map(OsString::from));
    }
    words
}

fn runtime() -> std::io::Result<Runtime> {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    // Half of the processors: the database is usually on the same machine, and what passes from
    // thread to thread waits until each has woken up.
    if std::env::var_os("TOKIO_WORKER_THREADS").is_none() {
        let processors = std::thread::available_parallelism()?.get();
        runtime.worker_threads((processors / 2).max(1));
    }
    runtime.enable_all().build()
}
