//! Arguments of `workmill agent run`.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

use super::words::{dollars, whole};

#[derive(Debug, Args)]
#[command(
    after_help = "COMMAND runs once per task, with the claim as JSON on standard input, and with \
                  WORKMILL_TASK_ID, WORKMILL_LEASE, WORKMILL_URL, WORKMILL_TOKEN (valid for \
                  this task only), WORKMILL_RESULT and WORKMILL_PROGRESS (files to write). Exit \
                  codes of COMMAND: 0 done, 65 invalid input, 75 try again later, 77 not permitted; \
                  any other code is a crash. After one SIGTERM or Ctrl-C the runner finishes its \
                  running tasks and exits; a second one releases them."
)]
pub(crate) struct AgentRunArguments {
    #[arg(
        long,
        value_name = "NAME",
        help = "The agent's name [env: WORKMILL_AGENT] [default: host, type and folder; the \
                same after a restart, with a number appended if several run at once]"
    )]
    pub(crate) agent: Option<String>,
    /// The agent's own type, to which `agent_type` of a task refers
    #[arg(long = "type", value_name = "AGENT_TYPE")]
    pub(crate) agent_type: Option<String>,
    /// Take only tasks of this type; may be repeated
    #[arg(long = "task-type", value_name = "TYPE")]
    pub(crate) task_types: Vec<String>,
    /// A capability of the agent; may be repeated
    #[arg(long = "cap", value_name = "CAPABILITY")]
    pub(crate) capabilities: Vec<String>,
    /// A model that the agent can use; may be repeated
    #[arg(long = "model", value_name = "MODEL")]
    pub(crate) models: Vec<String>,
    /// Number of tasks to run at a time
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = whole::<i32>(1..=1000))]
    pub(crate) slots: i32,
    /// Length of one long poll for work (1 to 3600, each poll at most 45); a task that becomes
    /// ready ends the poll at once
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = whole::<u64>(1..=3600))]
    pub(crate) poll_interval: u64,
    /// Budget of the agent in dollars
    #[arg(long, value_name = "DOLLARS", value_parser = dollars)]
    pub(crate) budget: Option<f64>,
    /// Exit after this number of tasks
    #[arg(long, value_name = "NUMBER", value_parser = whole::<u64>(1..))]
    pub(crate) max_tasks: Option<u64>,
    /// Claim once without waiting, finish that task and exit; exit code 2 if there is none
    #[arg(long)]
    pub(crate) once: bool,
    /// Run each command in a new temporary folder
    #[arg(long)]
    pub(crate) workdir_per_task: bool,
    /// Seconds between SIGTERM and SIGKILL when a command must stop
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = whole::<u64>(0..))]
    pub(crate) grace: u64,
    /// Run a coding tool: its command line is built from the task, and COMMAND is appended
    #[arg(long, value_enum)]
    pub(crate) preset: Option<Preset>,
    /// The command to run for each task
    #[arg(
        last = true,
        value_name = "COMMAND",
        required_unless_present = "preset"
    )]
    pub(crate) command: Vec<OsString>,
}

/// A tool that this program knows how to talk to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Preset {
    Claude,
    Codex,
    Gemini,
}
