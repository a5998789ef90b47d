//! The command line, as clap reads it. What a command does with its arguments is its own affair.

mod access;
mod administering;
mod age;
mod agent;
mod agent_run;
mod database;
mod joining;
mod lease;
mod looking;
mod server;
mod steering;
mod task;
mod words;
mod work;

use clap::{Args, Parser, Subcommand};

pub(crate) use access::{
    EventsCommand, InboxGrantArguments, KeyCommand, KeyPlace, NamespaceCommand,
    NamespaceSettingsArguments, TailArguments,
};
pub(crate) use administering::{
    AuditArguments, BudgetCommand, LimitsCommand, PauseArguments, ProjectCommand,
    ProjectEditArguments, ProjectStatusWord, ResumeArguments, RetentionCommand,
    SetRetentionArguments,
};
pub(crate) use agent::AgentCommand;
pub(crate) use agent_run::{AgentRunArguments, Preset};
pub(crate) use database::{BackupArguments, DataArguments, PsqlArguments, RestoreArguments};
pub(crate) use joining::{CompletionsArguments, PrimeArguments, SetupArguments, Tool};
pub(crate) use lease::{
    BlockLeaseArguments, BlockedFor, ClaimArguments, DoneArguments, FailArguments,
    HeartbeatArguments, LeaseArguments, UsageArguments,
};
pub(crate) use looking::{
    ListArguments, PageArguments, QuestionsArguments, StatusArguments, TaskFilterArguments,
};
pub(crate) use server::{ListenArguments, PricesArguments, ServeArguments, UpArguments};
pub(crate) use steering::{
    AdoptArguments, AnswerArguments, BulkArguments, BulkCommand, CancelArguments,
    DeadLetterCommand, DeadLetterFilterArguments, DeadLetterListArguments, EditArguments,
    ResolveArguments, SpawnArguments, SureArguments,
};
pub(crate) use task::{
    AddTaskArguments, BlockArguments, ClaimTaskArguments, HeldTaskArguments, ListPlanArguments,
    TaskCommand, TaskDoneArguments, TaskFailArguments,
};
pub(crate) use work::{
    CancelHow, ExplainArguments, GraphCancelArguments, GraphCommand, GraphCreateArguments,
    GraphListArguments, GraphRetryArguments, NewTaskArguments, ShowArguments, SubmitArguments,
    WaitArguments,
};

const EVERYWHERE: &str = "Options of every command";

/// A durable task queue for fleets of AI agents.
#[derive(Debug, Parser)]
#[command(
    name = "workmill",
    version,
    max_term_width = 80,
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
    // With an id of its own: arguments of some commands are called `namespace`, too.
    #[arg(
        id = "acting_namespace",
        long = "namespace",
        global = true,
        value_name = "NAME",
        help_heading = EVERYWHERE,
        help = "Act in this namespace, with a key for admins [env: WORKMILL_NAMESPACE]"
    )]
    pub(crate) namespace: Option<String>,
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
    /// Open psql on the private database, or on the one named by `DATABASE_URL`
    Psql(PsqlArguments),
    /// Write the private database to a file, while it is in use
    Backup(BackupArguments),
    /// Put the private database back to what a backup holds
    Restore(RestoreArguments),
    /// Submit a task, or several from a file
    Submit(SubmitArguments),
    /// One screen: the server, tasks, agents, dead letters, money
    Status(StatusArguments),
    /// The same, live: `status --watch`
    Top,
    /// List tasks
    List(ListArguments),
    /// Show a task, a graph or a project
    Show(ShowArguments),
    /// Say why a task is not running, or why it runs where it does
    Explain(ExplainArguments),
    /// Cancel a task
    Cancel(CancelArguments),
    /// Answer what a blocked task asks
    Answer(AnswerArguments),
    /// Print the output of a task, and nothing else
    Output {
        /// `task_…`, or its planner's key
        #[arg(value_name = "TASK")]
        id: String,
    },
    /// Make a result that came too late the outcome of its task
    Adopt(AdoptArguments),
    /// List what waits for a person: questions, approvals, tasks to look at
    Questions(QuestionsArguments),
    /// Change what a task asks for, while it waits
    Edit(EditArguments),
    /// Change all tasks that fit
    #[command(subcommand)]
    Bulk(BulkCommand),
    /// Create graphs of tasks, look at them, steer them
    #[command(subcommand)]
    Graph(GraphCommand),
    /// Let a command work as an agent; look at agents, drain them, let them work again
    #[command(subcommand)]
    Agent(AgentCommand),
    /// Look at dead letters and decide about them
    #[command(subcommand)]
    DeadLetter(DeadLetterCommand),
    /// So many at a time
    #[command(subcommand)]
    Limits(LimitsCommand),
    /// So much money
    #[command(subcommand)]
    Budget(BudgetCommand),
    /// Start nothing of it until it is resumed; without a scope, list the pauses
    Pause(PauseArguments),
    /// End a pause
    Resume(ResumeArguments),
    /// Create projects, look at them, change them
    #[command(subcommand)]
    Project(ProjectCommand),
    /// List what was done by hand, newest first
    Audit(AuditArguments),
    /// Show and set how long finished tasks are kept
    #[command(subcommand)]
    Retention(RetentionCommand),
    /// Create, list, rotate and revoke keys
    #[command(subcommand)]
    Key(KeyCommand),
    /// Create and list namespaces, set their settings, let producers use their inbox
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
    /// Wait for an answer, and hold the task no longer
    Block(BlockLeaseArguments),
    /// Add tasks below a task that is held
    Spawn(SpawnArguments),
    /// Print what an agent has to know at its start
    Prime(PrimeArguments),
    /// Tell a coding agent how to take work here
    Setup(SetupArguments),
    /// Print a script that completes this command in a shell
    Completions(CompletionsArguments),
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

    /// The transcripts are run by `tests/it/transcripts.rs`.
    #[test]
    fn every_command_has_a_transcript() {
        let mut missing = Vec::new();
        let mut commands = vec![Arguments::command()];
        while let Some(command) = commands.pop() {
            let name = command.get_bin_name().unwrap_or("workmill").to_owned();
            let below = command.get_subcommands().filter(|one| !one.is_hide_set());
            let below: Vec<_> = below.filter(|one| one.get_name() != "help").collect();
            if below.is_empty() && !has_transcript(&name) {
                missing.push(name.clone());
            }
            for one in below {
                let full = format!("{name} {}", one.get_name());
                commands.push(one.clone().bin_name(full));
            }
        }
        assert!(missing.is_empty(), "no transcript of {missing:?}");
    }

    /// `workmill task …` may be called `task …`.
    fn has_transcript(command: &str) -> bool {
        let short = command.strip_prefix("workmill ").unwrap_or(command);
        let calls = |line: &str| {
            line.contains(command) || short.starts_with("task ") && line.contains(short)
        };
        ["cli.md", "plan.md", "agent-run.md", "operation.md"]
            .iter()
            .any(|page| {
                let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");
                let text = std::fs::read_to_string(format!("{docs}/{page}")).unwrap_or_default();
                let lines = text.lines();
                let mut commands = lines.filter(|line| line.starts_with("$ "));
                commands.any(|line| calls(&line.replace("workmill --json ", "workmill ")))
            })
    }
}
