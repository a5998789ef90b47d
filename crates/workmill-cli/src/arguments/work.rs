//! Arguments of the commands that bring work in and look at it.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use jiff::Timestamp;
use workmill_core::graph::GraphStatus;
use workmill_core::ids::{GraphId, ProjectId};
use workmill_core::money::Micros;
use workmill_core::priority::Priority;
use workmill_core::resource_lock::{InvalidPath, ResourceLock};

use super::age::length;

use super::looking::PageArguments;
use super::words::{graph_statuses, past_moment, whole};

#[derive(Debug, Args)]
pub(crate) struct SubmitArguments {
    #[command(flatten)]
    pub(crate) tasks: NewTaskArguments,
    /// Submit only once: a repeated call with the same key returns the tasks of the first call
    #[arg(long, value_name = "KEY")]
    pub(crate) idempotency_key: Option<String>,
    #[command(flatten)]
    pub(crate) wait: WaitArguments,
}

/// One task from flags, or several from a file.
#[derive(Debug, Args)]
#[group(skip)]
#[command(group(ArgGroup::new("source").args(["file", "title"]).required(true)))]
pub(crate) struct NewTaskArguments {
    /// YAML or JSON of one task, or of several as {"tasks": […]}; `-` is standard input
    #[arg(
        long,
        short,
        value_name = "FILE",
        conflicts_with_all = [
            "title", "task_type", "prompt", "priority", "capabilities", "max_attempts", "tags",
            "project", "target_agent", "max_cost_usd", "depends_on", "locks", "at"
        ]
    )]
    pub(crate) file: Option<PathBuf>,
    /// The title
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// The kind of work
    #[arg(long = "type", value_name = "TYPE", default_value = "task")]
    pub(crate) task_type: String,
    /// The prompt: the work for the agent: a text, @FILE, or `-` for standard input
    #[arg(long, value_name = "TEXT")]
    pub(crate) prompt: Option<String>,
    /// From 0 (first) to 100 (last), or critical, high, normal, low, background
    #[arg(long)]
    pub(crate) priority: Option<Priority>,
    /// A capability that the agent needs; may be repeated
    #[arg(long = "cap", value_name = "CAPABILITY")]
    pub(crate) capabilities: Vec<String>,
    /// Maximum number of attempts
    #[arg(long, value_name = "NUMBER", value_parser = whole::<i32>(1..))]
    pub(crate) max_attempts: Option<i32>,
    /// A tag; may be repeated
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// The project that it belongs to
    #[arg(long, value_name = "ID")]
    pub(crate) project: Option<ProjectId>,
    /// Only this agent may claim the task
    #[arg(long = "for", value_name = "AGENT")]
    pub(crate) target_agent: Option<String>,
    /// The most that all its attempts together may cost
    #[arg(long, value_name = "DOLLARS")]
    pub(crate) max_cost_usd: Option<Micros>,
    /// Wait for this task, whose graph a submitted task joins; may be repeated
    #[arg(long = "depends-on", value_name = "TASK")]
    pub(crate) depends_on: Vec<String>,
    /// Lock this path for the task; `shared:PATH` may be held together with other shared locks; may
    /// be repeated
    #[arg(long = "lock", value_name = "PATH", value_parser = resource_lock)]
    pub(crate) locks: Vec<ResourceLock>,
    /// Start no earlier than this time: 2027-01-15T08:00:00Z, or +2h from now
    #[arg(long, value_name = "TIME", value_parser = earliest_start)]
    pub(crate) at: Option<EarliestStart>,
}

/// The moment before which a task does not start.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EarliestStart {
    pub(crate) moment: Timestamp,
    /// It was given as a time from now on, so that it is another moment in each call.
    pub(crate) is_relative: bool,
}

fn resource_lock(text: &str) -> Result<ResourceLock, InvalidPath> {
    let lock = match text.strip_prefix("shared:") {
        Some(path) => ResourceLock::shared(path),
        None => ResourceLock::exclusive(text),
    };
    lock.normalised()
}

fn earliest_start(text: &str) -> Result<EarliestStart, String> {
    let unreadable = || format!("`{text}` is not a time like 2027-01-15T08:00:00Z or +2h");
    let later = text.strip_prefix('+');
    let moment = match later {
        Some(later) => length(later).and_then(|later| Timestamp::now().checked_add(later).ok()),
        None => text.parse().ok(),
    };
    Ok(EarliestStart {
        moment: moment.ok_or_else(unreadable)?,
        is_relative: later.is_some(),
    })
}

#[derive(Debug, Args)]
pub(crate) struct WaitArguments {
    /// Wait for the end: exit code 0 if all tasks completed, 1 otherwise
    #[arg(long)]
    pub(crate) wait: bool,
    /// With --wait: exit with 124 after this time
    #[arg(long, value_name = "SECONDS", requires = "wait", value_parser = whole::<u64>(0..))]
    pub(crate) timeout: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    #[arg(help = "`task_…`, `dag_…` or `proj_…`, or a task's `key` [env: WORKMILL_TASK_ID]")]
    pub(crate) id: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// `task_…`, or the task's `key`
    #[arg(value_name = "TASK")]
    pub(crate) id: String,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GraphCommand {
    /// Create a graph with all its tasks
    Create(GraphCreateArguments),
    /// Show a graph: states, critical path, cost
    Show {
        /// `dag_…`
        #[arg(value_name = "ID")]
        id: GraphId,
        /// Refresh the screen until the graph has ended
        #[arg(long)]
        watch: bool,
    },
    /// List graphs, the newest first
    List(GraphListArguments),
    /// Submit a draft, which starts it
    Submit {
        /// `dag_…`
        #[arg(value_name = "ID")]
        id: GraphId,
    },
    /// Cancel the unfinished tasks of a graph
    Cancel(GraphCancelArguments),
    /// Retry the failed part of a graph
    Retry(GraphRetryArguments),
}

#[derive(Debug, Args)]
pub(crate) struct GraphCreateArguments {
    /// YAML or JSON of the graph; `-` is standard input
    #[arg(long, short, value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) wait: WaitArguments,
}

#[derive(Debug, Args)]
pub(crate) struct GraphListArguments {
    /// Graphs with this status; separate several with commas
    #[arg(long, value_name = "STATUS", value_delimiter = ',', value_parser = graph_statuses())]
    pub(crate) status: Vec<GraphStatus>,
    /// Graphs of this project
    #[arg(long, value_name = "ID")]
    pub(crate) project: Option<ProjectId>,
    /// Graphs of this creator; the name of a key
    #[arg(long, value_name = "NAME")]
    pub(crate) created_by: Option<String>,
    /// Created since then: 1h, 2d, or 2027-01-15T08:00:00Z
    #[arg(long, value_name = "TIME", value_parser = past_moment)]
    pub(crate) since: Option<Timestamp>,
    /// Created then or before
    #[arg(long, value_name = "TIME", value_parser = past_moment)]
    pub(crate) until: Option<Timestamp>,
    /// Graphs with this text in the title
    #[arg(long = "q", value_name = "TEXT")]
    pub(crate) title_has: Option<String>,
    #[command(flatten)]
    pub(crate) page: PageArguments,
}

#[derive(Debug, Args)]
pub(crate) struct GraphCancelArguments {
    /// `dag_…`
    #[arg(value_name = "ID")]
    pub(crate) id: GraphId,
    /// What happens to running tasks
    #[arg(long, value_enum, default_value_t = CancelHow::Now)]
    pub(crate) mode: CancelHow,
    /// Print what would be cancelled, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum CancelHow {
    /// Tell them to stop
    Now,
    /// Let them finish, and start no others
    Drain,
}

#[derive(Debug, Args)]
pub(crate) struct GraphRetryArguments {
    /// `dag_…`
    #[arg(value_name = "ID")]
    pub(crate) id: GraphId,
    #[command(flatten)]
    pub(crate) wait: WaitArguments,
}
