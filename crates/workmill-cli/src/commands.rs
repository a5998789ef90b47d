//! One module for each command.

mod agent;
mod agent_run;
mod audit;
mod backup;
mod bulk;
mod claim;
mod completions;
mod dead_letter;
mod doctor;
mod events;
mod explain;
mod gates;
mod graph;
mod inbox;
mod input;
mod key;
mod lease;
mod list;
mod migrate;
mod new_tasks;
mod prime;
mod project;
mod psql;
mod questions;
mod restore;
mod retention;
mod scope;
mod serve;
mod setup;
mod show;
mod spawn;
mod status;
mod steering;
mod submit;
mod task;
mod up;
mod waiting;

use std::io::IsTerminal;

use anyhow::Result;

pub(crate) use retention::Kept;
pub(crate) use status::Status;

use crate::arguments::{AgentCommand, Arguments, Command};
use crate::configuration::Configuration;
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::output::Output;
use crate::{logging, paint, stop_signal};

pub(crate) async fn run(arguments: Arguments) -> Result<Exit> {
    let Arguments {
        everywhere,
        command,
    } = arguments;
    if everywhere.namespace.is_some() {
        scope::check_takes_namespace(&command)?;
    }
    let ends_in_order = matches!(
        command,
        Command::Up(_) | Command::Serve(_) | Command::Agent(AgentCommand::Run(_))
    );
    logging::start(usual_log(&command, everywhere.quiet), everywhere.json);
    if !ends_in_order {
        stop_signal::exit_when_interrupted()?;
    }
    let context = CommandContext {
        configuration: Configuration::read(&everywhere)?,
        output: Output {
            json: everywhere.json,
            quiet: everywhere.quiet,
            colour: paint::is_wanted(),
        },
    };
    match command {
        Command::Up(arguments) => up::run(&context, &arguments).await,
        Command::Serve(arguments) => serve::run(&context, &arguments).await,
        Command::Migrate => migrate::run(&context).await,
        Command::Doctor => doctor::run(&context).await,
        Command::Psql(arguments) => psql::run(&context, &arguments),
        Command::Backup(arguments) => backup::run(&context, &arguments).await,
        Command::Restore(arguments) => restore::run(&context, &arguments).await,
        Command::Submit(arguments) => submit::run(&context, &arguments).await,
        Command::Status(arguments) => status::run(&context, &arguments).await,
        Command::Top => status::watch(&context).await,
        Command::List(arguments) => list::run(&context, &arguments).await,
        Command::Show(arguments) => show::run(&context, &arguments).await,
        Command::Explain(arguments) => explain::run(&context, &arguments).await,
        Command::Cancel(arguments) => steering::cancel(&context, &arguments).await,
        Command::Answer(arguments) => steering::answer(&context, &arguments).await,
        Command::Output { id } => show::output(&context, &id).await,
        Command::Adopt(arguments) => steering::adopt(&context, &arguments).await,
        Command::Questions(arguments) => questions::run(&context, &arguments).await,
        Command::Edit(arguments) => steering::edit(&context, &arguments).await,
        Command::Bulk(command) => bulk::run(&context, &command).await,
        Command::Graph(command) => graph::run(&context, &command).await,
        Command::Agent(command) => agent::run(&context, &command).await,
        Command::DeadLetter(command) => dead_letter::run(&context, &command).await,
        Command::Limits(command) => gates::limits(&context, &command).await,
        Command::Budget(command) => gates::budgets(&context, &command).await,
        Command::Pause(arguments) => gates::pause(&context, &arguments).await,
        Command::Resume(arguments) => gates::resume(&context, &arguments).await,
        Command::Project(command) => project::run(&context, &command).await,
        Command::Audit(arguments) => audit::run(&context, &arguments).await,
        Command::Retention(command) => retention::run(&context, &command).await,
        Command::Key(command) => key::run(&context, &command).await,
        Command::Namespace(command) => key::namespaces(&context, &command).await,
        Command::Events(command) => events::run(&context, &command).await,
        Command::Claim(arguments) => claim::run(&context, &arguments).await,
        Command::Start(arguments) => lease::start(&context, &arguments).await,
        Command::Heartbeat(arguments) => lease::heartbeat(&context, &arguments).await,
        Command::Done(arguments) => lease::done(&context, &arguments).await,
        Command::Fail(arguments) => lease::fail(&context, &arguments).await,
        Command::Release(arguments) => lease::release(&context, &arguments).await,
        Command::Block(arguments) => lease::block(&context, &arguments).await,
        Command::Spawn(arguments) => spawn::run(&context, &arguments).await,
        Command::Prime(arguments) => prime::run(&context, &arguments).await,
        Command::Setup(arguments) => setup::run(&context, &arguments),
        Command::Completions(arguments) => completions::run(&context, &arguments),
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
        _ if quiet => "error,events=off",
        _ => "warn,events=off",
    }
}
