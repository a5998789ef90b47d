//! The command line, as clap reads it. What a command does with its arguments is its own affair.

mod access;
mod agent;
mod agent_run;
mod lease;
mod server;
mod task;
mod work;

use clap::{Args, Parser, Subcommand};

pub(crate) use access::{
    EventsCommand, InboxGrantArguments, KeyCommand, NamespaceCommand, TailArguments,
};
pub(crate) use agent::AgentCommand;
pub(crate) use agent_run::{AgentRunArguments, Preset};
pub(crate) use lease::{
    ClaimArguments, DoneArguments, FailArguments, HeartbeatArguments, LeaseArguments,
    UsageArguments,
};
pub(crate) use server::{ListenArguments, PricesArguments, ServeArguments, UpArguments};
pub(crate) use task::{
    AddTaskArguments, BlockArguments, ClaimTaskArguments, HeldTaskArguments, ListPlanArguments,
    TaskCommand, TaskDoneArguments, TaskFailArguments,
};
pub(crate) use work::{ExplainArguments, GraphCommand, ShowArguments, SubmitArguments};

const EVERYWHERE: &str = "Options of every command";

/// A durable task queue for fleets of AI agents.
#[derive(Debug, Parser)]
#[command(
    name = "workmill",
    version,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "Exit codes: 0 done, 1 error, 2 nothing to claim, 3 not found, 4 not allowed, \
                  5 conflict or lease lost, 6 invalid input, 7 limit, 8 server or database \
                  unreachable, 64 usage, 124 timed out, 130 interrupted."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) everywhere: EverywhereArguments,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What every command takes.
#[derive(Debug, Args)]
pub(crate) struct EverywhereArguments {
    /// Answer with JSON on standard output, and nothing else there
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub(crate) json: bool,
    /// Say only what was asked for and what went wrong
    #[arg(long, short, global = true, help_heading = EVERYWHERE)]
    pub(crate) quiet: bool,
    #[arg(
        long,
        global = true,
        value_name = "URL",
        help_heading = EVERYWHERE,
        help = "Where the server is [env: WORKMILL_URL] [default: http://127.0.0.1:7070]"
    )]
    pub(crate) url: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run everything on this machine: database, schema and server
    Up(UpArguments),
    /// Run the server alone, on the database named by `DATABASE_URL`
    Serve(ServeArguments),
    /// Bring the schema of the database named by `DATABASE_URL` up to date
    Migrate,
    /// Say what is wrong with this set-up; changes nothing
    Doctor,
    /// Submit a task, or several from a file
    Submit(SubmitArguments),
    /// Show a task or a graph
    Show(ShowArguments),
    /// Say why a task is not running, or why it runs where it does
    Explain(ExplainArguments),
    /// Create graphs of tasks and look at them
    #[command(subcommand)]
    Graph(GraphCommand),
    /// Let a command work as an agent; look at agents, drain them, let them work again
    #[command(subcommand)]
    Agent(AgentCommand),
    /// Create, list, rotate and revoke keys
    #[command(subcommand)]
    Key(KeyCommand),
    /// Create and list namespaces, let producers use their inbox
    #[command(subcommand)]
    Namespace(NamespaceCommand),
    /// Watch what happens
    #[command(subcommand)]
    Events(EventsCommand),
    /// Claim work as an agent
    Claim(ClaimArguments),
    /// Say that work on a claimed task begins
    Start(LeaseArguments),
    /// Say that work on a task goes on
    Heartbeat(HeartbeatArguments),
    /// Complete a task
    Done(DoneArguments),
    /// Say that an attempt at a task failed
    Fail(FailArguments),
    /// Give a task back without a result
    Release(LeaseArguments),
    /// Work through a plan, and keep it up to date
    #[command(subcommand)]
    Task(TaskCommand),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
