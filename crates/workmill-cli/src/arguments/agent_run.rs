//! Arguments of `workmill agent run`.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
#[command(
    after_help = "For each task COMMAND is started with the claim as JSON on standard input, and with \
                  WORKMILL_TASK_ID, WORKMILL_LEASE, WORKMILL_URL, WORKMILL_TOKEN (good for this \
                  task alone), WORKMILL_RESULT and WORKMILL_PROGRESS (files to write). It ends with \
                  0 done, 65 invalid input, 75 try again later, 77 not permitted; all else is a \
                  crash. One SIGTERM or Ctrl-C finishes what runs, a second one gives it back."
)]
pub(crate) struct AgentRunArguments {
    #[arg(
        long,
        value_name = "NAME",
        help = "The agent's name [env: WORKMILL_AGENT] [default: host, folder and type; the \
                same after a restart, and with a number where several run at once]"
    )]
    pub(crate) agent: Option<String>,
    /// The agent's own type: what a task names as `agent_type`
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
    /// How many tasks to work on at a time
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(i32).range(1..=1000))]
    pub(crate) slots: i32,
    /// Ask for work this often while there is none; work that comes in is taken at once
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(crate) poll_interval: u64,
    /// What the agent may spend
    #[arg(long, value_name = "DOLLARS")]
    pub(crate) budget: Option<f64>,
    /// End after so many tasks
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_tasks: Option<u64>,
    /// Claim once without waiting, finish that, and end; exit 2 if there was nothing
    #[arg(long)]
    pub(crate) once: bool,
    /// Start each command in a new folder of its own, removed afterwards
    #[arg(long)]
    pub(crate) workdir_per_task: bool,
    /// How long a command may take to end when it is told to; then it is killed
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    pub(crate) grace: u64,
    /// Run a coding agent: its command line is made from the task, COMMAND is added to it
    #[arg(long, value_enum)]
    pub(crate) preset: Option<Preset>,
    /// What to run for each task
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
