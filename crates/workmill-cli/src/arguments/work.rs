//! Arguments of the commands that bring work in and look at it.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use workmill_core::ids::{GraphId, TaskId};
use workmill_core::priority::Priority;

#[derive(Debug, Args)]
pub(crate) struct SubmitArguments {
    /// JSON of one task, or of several as {"tasks": […]}; `-` is standard input
    #[arg(
        long,
        short,
        value_name = "FILE",
        conflicts_with_all = ["title", "task_type", "prompt", "priority", "capabilities", "max_attempts"],
        required_unless_present = "title"
    )]
    pub(crate) file: Option<PathBuf>,
    /// What the task is called
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// The kind of work
    #[arg(long = "type", value_name = "TYPE", default_value = "task")]
    pub(crate) task_type: String,
    /// What the agent is to do
    #[arg(long)]
    pub(crate) prompt: Option<String>,
    /// From 0 (first) to 100 (last), or critical, high, normal, low, background
    #[arg(long)]
    pub(crate) priority: Option<Priority>,
    /// A capability that the agent needs; may be repeated
    #[arg(long = "cap", value_name = "CAPABILITY")]
    pub(crate) capabilities: Vec<String>,
    /// How many attempts there may be
    #[arg(long, value_name = "NUMBER")]
    pub(crate) max_attempts: Option<i32>,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    /// `task_…` or `dag_…`
    pub(crate) id: String,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// `task_…`
    pub(crate) id: TaskId,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GraphCommand {
    /// Create a graph: all of its tasks, or none
    Create(InputArguments),
    /// Show a graph with its tasks
    Show {
        #[arg(value_name = "ID")]
        id: GraphId,
    },
}

#[derive(Debug, Args)]
pub(crate) struct InputArguments {
    /// JSON of the graph; `-` is standard input
    #[arg(long, short, value_name = "FILE")]
    pub(crate) file: PathBuf,
}
