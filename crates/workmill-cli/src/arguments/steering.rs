//! Arguments of the commands that change what was asked for.

use clap::{ArgGroup, Args, Subcommand};
use jiff::Timestamp;
use workmill_core::failure::Reason;
use workmill_core::ids::GraphId;
use workmill_core::priority::Priority;
use workmill_core::verdict::DeadLetterCause;

use super::lease::LeaseArguments;
use super::looking::{PageArguments, TaskFilterArguments};
use super::words::{exact_moment, one_of, past_moment, reasons, whole};
use super::work::NewTaskArguments;

#[derive(Debug, Args)]
pub(crate) struct CancelArguments {
    /// `task_…`, or the task's `key`
    #[arg(value_name = "TASK")]
    pub(crate) id: String,
    /// Print what would be cancelled, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("what").required(true)))]
pub(crate) struct AnswerArguments {
    /// `task_…`, or the task's `key`
    #[arg(value_name = "TASK")]
    pub(crate) id: String,
    /// The answer: JSON, @FILE with JSON, or `-` for standard input
    #[arg(long, value_name = "JSON", group = "what")]
    pub(crate) input: Option<String>,
    /// The answer as a text
    #[arg(long, value_name = "TEXT", group = "what")]
    pub(crate) text: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct AdoptArguments {
    /// `task_…`, or the task's `key`
    #[arg(value_name = "TASK")]
    pub(crate) id: String,
    /// The attempt whose result to adopt, if the task has several late results: its claim number in
    /// `show`
    #[arg(long, value_name = "NUMBER", value_parser = whole::<i32>(1..))]
    pub(crate) epoch: Option<i32>,
    /// The reason; kept in the audit log
    #[arg(long)]
    pub(crate) note: Option<String>,
}

#[derive(Debug, Args)]
#[command(override_usage = "workmill edit [OPTIONS] <TASK>", group(ArgGroup::new("change").required(true).multiple(true)))]
pub(crate) struct EditArguments {
    /// `task_…`, or the task's `key`
    #[arg(value_name = "TASK")]
    pub(crate) id: String,
    /// The title
    #[arg(long, group = "change")]
    pub(crate) title: Option<String>,
    /// The prompt: the work for the agent: a text, @FILE, or `-` for standard input
    #[arg(long, value_name = "TEXT", group = "change")]
    pub(crate) prompt: Option<String>,
    /// From 0 (first) to 100 (last), or critical, high, normal, low, background
    #[arg(long, group = "change", allow_negative_numbers = true)]
    pub(crate) priority: Option<Priority>,
    /// Hard deadline, like 2027-01-15T08:00:00Z; a task that is not running by then becomes
    /// stale
    #[arg(long, value_name = "TIME", group = "change", value_parser = exact_moment)]
    pub(crate) deadline: Option<Timestamp>,
    /// The tags, separated by commas; an empty text removes all
    #[arg(long, group = "change")]
    pub(crate) tags: Option<String>,
    /// Maximum number of attempts
    #[arg(long, value_name = "NUMBER", group = "change", value_parser = whole::<i32>(1..))]
    pub(crate) max_attempts: Option<i32>,
    /// Anything else: a JSON merge patch, @FILE with one, or `-` for standard input
    #[arg(long, value_name = "JSON", group = "change")]
    pub(crate) changes: Option<String>,
    /// Edit only this version, as `show` prints it; fails after another edit
    #[arg(long, value_name = "VERSION", value_parser = whole::<i32>(0..))]
    pub(crate) if_version: Option<i32>,
}

#[derive(Debug, Args)]
pub(crate) struct SpawnArguments {
    #[command(flatten)]
    pub(crate) lease: LeaseArguments,
    #[command(flatten)]
    pub(crate) tasks: NewTaskArguments,
    /// Wait for the spawned tasks: the task is released and claimed again with their results
    #[arg(long)]
    pub(crate) wait: bool,
}

/// Being sure about what changes many things.
#[derive(Debug, Args)]
pub(crate) struct SureArguments {
    /// Print what would happen, and change nothing
    #[arg(long, conflicts_with = "yes")]
    pub(crate) dry_run: bool,
    /// Confirm the change
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// The reason; kept in the audit log
    #[arg(long)]
    pub(crate) note: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BulkCommand {
    /// Cancel all matching tasks
    Cancel(BulkArguments),
    /// Retry all matching dead letters
    Retry(BulkArguments),
    /// Change the priority of all matching tasks
    Reprioritise {
        /// From 0 (first) to 100 (last), or critical, high, normal, low, background
        #[arg(value_name = "PRIORITY")]
        priority: Priority,
        #[command(flatten)]
        rest: BulkArguments,
    },
    /// Add a tag to all matching tasks
    Tag {
        /// The tag to add
        #[arg(value_name = "NEW_TAG")]
        new_tag: String,
        #[command(flatten)]
        rest: BulkArguments,
    },
    /// Remove a tag from all matching tasks
    Untag {
        /// The tag to remove
        #[arg(value_name = "OLD_TAG")]
        old_tag: String,
        #[command(flatten)]
        rest: BulkArguments,
    },
}

#[derive(Debug, Args)]
pub(crate) struct BulkArguments {
    #[command(flatten)]
    pub(crate) filter: TaskFilterArguments,
    #[command(flatten)]
    pub(crate) sure: SureArguments,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DeadLetterCommand {
    /// List dead letters
    List(DeadLetterListArguments),
    /// Show a dead letter with its history
    Show {
        /// `task_…`, or the task's `key`
        #[arg(value_name = "TASK")]
        id: String,
    },
    /// Group dead letters by their failure, the largest groups first
    Groups,
    /// Mark a dead letter as reviewed
    Review {
        /// `task_…`, or the task's `key`
        #[arg(value_name = "TASK")]
        id: String,
        /// Remove the mark
        #[arg(long)]
        undo: bool,
    },
    /// Resolve one dead letter, or all that match a filter
    Resolve(ResolveArguments),
}

#[derive(Debug, Args)]
pub(crate) struct DeadLetterListArguments {
    /// List resolved dead letters, the newest decision first
    #[arg(long)]
    pub(crate) resolved: bool,
    #[command(flatten)]
    pub(crate) filter: DeadLetterFilterArguments,
    #[command(flatten)]
    pub(crate) page: PageArguments,
}

/// Which dead letters; what is not named does not matter.
#[derive(Debug, Args)]
#[group(id = "filter", multiple = true)]
pub(crate) struct DeadLetterFilterArguments {
    /// Tasks of this type
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) task_type: Option<String>,
    /// Tasks with this tag
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Option<String>,
    /// Tasks of this creator; the name of a key
    #[arg(long, value_name = "NAME")]
    pub(crate) created_by: Option<String>,
    /// Tasks of this graph
    #[arg(long, value_name = "ID")]
    pub(crate) graph: Option<GraphId>,
    /// Dead letters that this agent failed
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Dead letters whose last failure has this reason
    #[arg(long, value_name = "REASON", value_parser = reasons())]
    pub(crate) reason: Option<Reason>,
    /// Dead letters with this cause
    #[arg(long, value_name = "CAUSE", value_parser = causes())]
    pub(crate) cause: Option<DeadLetterCause>,
    /// Dead letters with this fingerprint: equal failures have the same fingerprint; `show` prints it
    #[arg(long, value_name = "FINGERPRINT", allow_hyphen_values = true)]
    pub(crate) fingerprint: Option<String>,
    /// Only reviewed dead letters, or only those that are not
    #[arg(long, value_name = "BOOL")]
    pub(crate) reviewed: Option<bool>,
    /// Dead-lettered since then: 1h, 2d, or 2027-01-15T08:00:00Z
    #[arg(long, value_name = "TIME", value_parser = past_moment)]
    pub(crate) since: Option<Timestamp>,
    /// Dead-lettered then or before
    #[arg(long, value_name = "TIME", value_parser = past_moment)]
    pub(crate) until: Option<Timestamp>,
}

#[derive(Debug, Args)]
#[command(
    override_usage = "workmill dead-letter resolve [OPTIONS] [TASK]",
    group(ArgGroup::new("which").args(["id", "all"]).multiple(false)),
    group(ArgGroup::new("how").required(true))
)]
pub(crate) struct ResolveArguments {
    /// One task; or give a filter, or --all
    #[arg(value_name = "TASK", conflicts_with = "filter", required_unless_present_any = ["filter", "all"])]
    pub(crate) id: Option<String>,
    /// All dead letters
    #[arg(long, conflicts_with = "filter")]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) filter: DeadLetterFilterArguments,
    /// Retry with a fresh count of attempts
    #[arg(long, group = "how")]
    pub(crate) retry: bool,
    /// Cancel it
    #[arg(long, group = "how")]
    pub(crate) cancel: bool,
    /// Change the task and retry it: a JSON merge patch, @FILE with one, or `-`
    #[arg(long, value_name = "JSON", group = "how")]
    pub(crate) modify: Option<String>,
    #[command(flatten)]
    pub(crate) sure: SureArguments,
}

fn causes() -> impl clap::builder::TypedValueParser<Value = DeadLetterCause> {
    one_of(["used_up", "not_retryable", "poison", "crash_loop", "spent"])
}
