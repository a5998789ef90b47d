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
                  5 conflict or lease lost, 6 invalid input, 7 limit reached or request too \
                  large, 8 server or database unreachable, 64 usage, 124 timed out, 130 interrupted."
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
    /// Print only the answer on standard output, as JSON
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub(crate) json: bool,
    /// Print only answers and errors
    #[arg(long, short, global = true, help_heading = EVERYWHERE)]
    pub(crate) quiet: bool,
    #[arg(
        long,
        global = true,
        value_name = "URL",
        help_heading = EVERYWHERE,
        help = "Address of the server [env: WORKMILL_URL] [default: http://127.0.0.1:7070]"
    )]
    pub(crate) url: Option<String>,
    // With an id of its own: arguments of some commands are called `namespace`, too.
    #[arg(
        id = "acting_namespace",
        long = "namespace",
        global = true,
        value_name = "NAME",
        help_heading = EVERYWHERE,
        help = "Act in this namespace; needs an admin key [env: WORKMILL_NAMESPACE]"
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
    /// Check this set-up and report problems; changes nothing
    Doctor,
    /// Open psql on the private database, or on the one named by `DATABASE_URL`
    Psql(PsqlArguments),
    /// Write the private database to a file, while it is in use
    Backup(BackupArguments),
    /// Replace the content of the private database with a backup
    Restore(RestoreArguments),
    /// Submit a task, or several from a file
    Submit(SubmitArguments),
    /// Show the server, tasks, agents, dead letters and money on one screen
    Status(StatusArguments),
    /// Show the status and keep it up to date: `status --watch`
    Top,
    /// List tasks
    List(ListArguments),
    /// Show a task, a graph or a project
    Show(ShowArguments),
    /// Explain why a task is not running, or why this agent has it
    Explain(ExplainArguments),
    /// Cancel a task
    Cancel(CancelArguments),
    /// Answer the question of a blocked task
    Answer(AnswerArguments),
    /// Print only the output of a task
    Output {
        /// `task_…`, or the task's `key`
        #[arg(value_name = "TASK")]
        id: String,
    },
    /// Adopt a late result as the outcome of its task
    Adopt(AdoptArguments),
    /// List tasks that wait for a person: questions, approvals, reviews
    Questions(QuestionsArguments),
    /// Edit a task that is not running
    Edit(EditArguments),
    /// Change all tasks that match a filter
    #[command(subcommand)]
    Bulk(BulkCommand),
    /// Create, show, cancel and retry graphs of tasks
    #[command(subcommand)]
    Graph(GraphCommand),
    /// Run a command as an agent; list, drain, activate and remove agents
    #[command(subcommand)]
    Agent(AgentCommand),
    /// Show and resolve dead letters
    #[command(subcommand)]
    DeadLetter(DeadLetterCommand),
    /// Limit the number of running tasks
    #[command(subcommand)]
    Limits(LimitsCommand),
    /// Limit the cost of tasks
    #[command(subcommand)]
    Budget(BudgetCommand),
    /// Pause a scope: no matching task starts. Without a scope, list the pauses
    Pause(PauseArguments),
    /// End a pause
    Resume(ResumeArguments),
    /// Create, show and change projects
    #[command(subcommand)]
    Project(ProjectCommand),
    /// List deliberate changes from the audit log, newest first
    Audit(AuditArguments),
    /// Show and set how long finished tasks are kept
    #[command(subcommand)]
    Retention(RetentionCommand),
    /// Create, list, rotate and revoke keys
    #[command(subcommand)]
    Key(KeyCommand),
    /// Create and list namespaces, set their settings, grant database roles access to the inbox
    #[command(subcommand)]
    Namespace(NamespaceCommand),
    /// Follow the event stream
    #[command(subcommand)]
    Events(EventsCommand),
    /// Claim work as an agent
    Claim(ClaimArguments),
    /// Start a claimed task
    Start(LeaseArguments),
    /// Renew the lease of a task and report progress
    Heartbeat(HeartbeatArguments),
    /// Complete a task
    Done(DoneArguments),
    /// Report a failed attempt
    Fail(FailArguments),
    /// Release a task without a result
    Release(LeaseArguments),
    /// Block a task until a person answers, and free the agent
    Block(BlockLeaseArguments),
    /// Spawn tasks below a claimed task
    Spawn(SpawnArguments),
    /// Print the instructions that a coding agent needs at its start
    Prime(PrimeArguments),
    /// Set a coding agent up to take work from Workmill
    Setup(SetupArguments),
    /// Print a shell completion script
    Completions(CompletionsArguments),
    /// Work on a planner's list of tasks
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

    #[test]
    fn every_command_and_every_argument_has_a_help_text() {
        let mut missing = Vec::new();
        let mut commands = vec![Arguments::command()];
        while let Some(command) = commands.pop() {
            let name = command.get_bin_name().unwrap_or("workmill").to_owned();
            if command.get_about().is_none() {
                missing.push(name.clone());
            }
            let arguments = command.get_arguments();
            let silent = arguments.filter(|one| one.get_help().is_none() && !one.is_hide_set());
            missing.extend(silent.map(|one| format!("{name} {}", one.get_id())));
            for one in command.get_subcommands().filter(|one| !one.is_hide_set()) {
                let full = format!("{name} {}", one.get_name());
                commands.push(one.clone().bin_name(full));
            }
        }
        assert!(missing.is_empty(), "without a help text: {missing:#?}");
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
