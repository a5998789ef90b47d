//! One module for each command.

mod agent;
mod agent_run;
mod claim;
mod doctor;
mod events;
mod explain;
mod graph;
mod inbox;
mod input;
mod key;
mod lease;
mod migrate;
mod serve;
mod show;
mod submit;
mod task;
mod up;

use std::io::IsTerminal;

use anyhow::Result;

use crate::arguments::{AgentCommand, Arguments, Command};
use crate::configuration::Configuration;
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::output::Output;
use crate::{logging, stop_signal};

pub(crate) async fn run(arguments: Arguments) -> Result<Exit> {
    let Arguments {
        everywhere,
        command,
    } = arguments;
    let ends_in_order = matches!(
        command,
        Command::Up(_) | Command::Serve(_) | Command::Agent(AgentCommand::Run(_))
    );
    logging::start(usual_log(&command, everywhere.quiet));
    if !ends_in_order {
        stop_signal::exit_when_interrupted()?;
    }
    let context = CommandContext {
        configuration: Configuration::read(&everywhere)?,
        output: Output {
            json: everywhere.json,
            quiet: everywhere.quiet,
        },
    };
    match command {
        Command::Up(arguments) => up::run(&context, &arguments).await,
        Command::Serve(arguments) => serve::run(&context, &arguments).await,
        Command::Migrate => migrate::run(&context).await,
        Command::Doctor => doctor::run(&context).await,
        Command::Submit(arguments) => submit::run(&context, &arguments).await,
        Command::Show(arguments) => show::run(&context, &arguments).await,
        Command::Explain(arguments) => explain::run(&context, &arguments).await,
        Command::Graph(command) => graph::run(&context, &command).await,
        Command::Agent(command) => agent::run(&context, &command).await,
        Command::Key(command) => key::run(&context, &command).await,
        Command::Namespace(command) => key::namespaces(&context, &command).await,
        Command::Events(command) => events::run(&context, &command).await,
        Command::Claim(arguments) => claim::run(&context, &arguments).await,
        Command::Start(arguments) => lease::start(&context, &arguments).await,
        Command::Heartbeat(arguments) => lease::heartbeat(&context, &arguments).await,
        Command::Done(arguments) => lease::done(&context, &arguments).await,
        Command::Fail(arguments) => lease::fail(&context, &arguments).await,
        Command::Release(arguments) => lease::release(&context, &arguments).await,
        Command::Task(command) => task::run(&context, &command).await,
    }
}

/// What is logged when nobody asks for anything else.
fn usual_log(command: &Command, quiet: bool) -> &'static str {
    match command {
        // Lines of the engine would tear the drawing of the demo; those of the steps frame it.
        Command::Up(up) if up.demo && !quiet && std::io::stdout().is_terminal() => {
            "warn,events=off,workmill::=info"
        }
        Command::Up(_) if !quiet => "warn,events=off,workmill=info",
        Command::Serve(_) if !quiet => "warn,workmill=info,access=info",
        Command::Agent(AgentCommand::Run(_)) if !quiet => "warn,workmill=info",
        _ => "warn,events=off",
    }
}
