//! Arguments of `workmill task`, which is `task` where the program is called so.

use clap::{Args, Subcommand, ValueEnum};
use workmill_core::plan::PlanStatus;
use workmill_core::priority::Priority;

use super::words::whole;

#[derive(Debug, Subcommand)]
pub(crate) enum TaskCommand {
    /// Claim the next task; exit code 2 when there is none
    Claim(ClaimTaskArguments),
    /// Extend the lease of a task
    Renew(HeldTaskArguments),
    /// Complete a task
    Done(TaskDoneArguments),
    /// Fail a task; it is open again at once
    Fail(TaskFailArguments),
    /// Make a task wait for another one
    Block(BlockArguments),
    /// Remove a dependency between two tasks
    Unblock(BlockArguments),
    /// Add a task to the plan
    Add(AddTaskArguments),
    /// List the tasks of the plan
    List(ListPlanArguments),
    /// Show a task
    Show {
        /// The task's `key`, or `task_…`
        id: String,
    },
    /// Bring the plan up to date with a list: JSON Lines on standard input
    PlanSync {
        /// Print the changes without making them
        #[arg(long)]
        dry_run: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct ClaimTaskArguments {
    #[arg(
        long,
        value_name = "NAME",
        help = "The agent's name [env: WORKMILL_AGENT]"
    )]
    pub(crate) agent: Option<String>,
    /// Length of the lease in seconds [default: the task's, 600]
    #[arg(long, value_name = "SECONDS", value_parser = whole::<u64>(1..=86_400))]
    pub(crate) lease_sec: Option<u64>,
    /// Wait up to this long for a task
    #[arg(long, value_name = "SECONDS", default_value_t = 0, value_parser = whole::<u64>(0..))]
    pub(crate) wait: u64,
    /// Claim tasks of every profile, not only planned tasks (profile `task`)
    #[arg(long)]
    pub(crate) any: bool,
}

/// A task that an agent holds.
#[derive(Debug, Args)]
pub(crate) struct HeldTaskArguments {
    /// The task's `key`, or `task_…`
    pub(crate) id: String,
    #[arg(
        long,
        value_name = "NAME",
        help = "The agent's name [env: WORKMILL_AGENT]"
    )]
    pub(crate) agent: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct TaskDoneArguments {
    #[command(flatten)]
    pub(crate) held: HeldTaskArguments,
    /// The result: JSON, @FILE with JSON, or `-` for standard input
    #[arg(long, value_name = "JSON")]
    pub(crate) result: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct TaskFailArguments {
    #[command(flatten)]
    pub(crate) held: HeldTaskArguments,
    /// The reason, for the next attempt
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct BlockArguments {
    /// The task that waits
    pub(crate) id: String,
    /// The task that it waits for
    #[arg(long, value_name = "ID")]
    pub(crate) by: String,
}

#[derive(Debug, Args)]
pub(crate) struct AddTaskArguments {
    /// The task's `key`, unique in the namespace
    #[arg(long)]
    pub(crate) id: String,
    /// The title
    #[arg(long)]
    pub(crate) title: String,
    /// The document that it belongs to
    #[arg(long, value_name = "REF")]
    pub(crate) spec_ref: String,
    /// Any integer, smaller first, or critical, high, normal, low, background
    #[arg(long, allow_negative_numbers = true)]
    pub(crate) priority: Option<Priority>,
    /// The description, which is the prompt of the task
    #[arg(long)]
    pub(crate) description: Option<String>,
    /// The planner's category for the task
    #[arg(long)]
    pub(crate) category: Option<String>,
    /// A task that must be done first; may be repeated
    #[arg(long = "dep", value_name = "ID")]
    pub(crate) deps: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ListPlanArguments {
    /// Only tasks in this state
    #[arg(long)]
    pub(crate) status: Option<PlanStatusArgument>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlanStatusArgument {
    Open,
    Active,
    Done,
    Deleted,
}

impl From<PlanStatusArgument> for PlanStatus {
    fn from(argument: PlanStatusArgument) -> PlanStatus {
        match argument {
            PlanStatusArgument::Open => PlanStatus::Open,
            PlanStatusArgument::Active => PlanStatus::Active,
            PlanStatusArgument::Done => PlanStatus::Done,
            PlanStatusArgument::Deleted => PlanStatus::Deleted,
        }
    }
}
