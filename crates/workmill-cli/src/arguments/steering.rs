//! Arguments of the commands that change what was asked for.

use clap::{ArgGroup, Args, Subcommand};
use jiff::Timestamp;
use workmill_core::failure::Reason;
use workmill_core::ids::GraphId;
use workmill_core::priority::Priority;
use workmill_core::verdict::DeadLetterCause;

use super::lease::LeaseArguments;
use super::looking::{PageArguments, TaskFilterArguments};
use super::words::{one_of, past_moment, reasons};
use super::work::NewTaskArguments;

#[derive(Debug, Args)]
pub(crate) struct CancelArguments {
    /// `task_…`, or its planner's key
    #[arg(value_name = "TASK")]
    pub(crate) id: String,
    /// Say what would be cancelled, and cancel nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("what").required(true)))]
pub(crate) struct AnswerArguments {
    /// `task_…`, or its planner's key
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
    /// `task_…`, or its planner's key
    #[arg(value_name = "TASK")]
    pub(crate) id: String,
    /// The attempt whose result is meant, if several came late: the claim that `show` tells
    #[arg(long, value_name = "NUMBER")]
    pub(crate) epoch: Option<i32>,
    /// Why; kept in the record
    #[arg(long)]
    pub(crate) note: Option<String>,
}

#[derive(Debug, Args)]
#[command(override_usage = "workmill edit [OPTIONS] <ID>", group(ArgGroup::new("change").required(true).multiple(true)))]
pub(crate) struct EditArguments {
    /// `task_…`, or its planner's key
    #[arg(value_name = "TASK")]
    pub(crate) id: String,
    /// What the task is called
    #[arg(long, group = "change")]
    pub(crate) title: Option<String>,
    /// What the agent is to do
    #[arg(long, group = "change")]
    pub(crate) prompt: Option<String>,
    /// From 0 (first) to 100 (last), or critical, high, normal, low, background
    #[arg(long, group = "change")]
    pub(crate) priority: Option<Priority>,
    /// What has not run by then never will, like 2027-01-15T08:00:00Z
    #[arg(long, value_name = "TIME", group = "change")]
    pub(crate) deadline: Option<Timestamp>,
    /// All its tags, with commas; an empty text takes them away
    #[arg(long, group = "change")]
    pub(crate) tags: Option<String>,
    /// How many attempts there may be
    #[arg(long, value_name = "NUMBER", group = "change")]
    pub(crate) max_attempts: Option<i32>,
    /// Anything else: a JSON merge patch, @FILE with one, or `-` for standard input
    #[arg(long, value_name = "JSON", group = "change")]
    pub(crate) changes: Option<String>,
    /// Only if nobody has edited it since: the version that `show` tells
    #[arg(long, value_name = "VERSION")]
    pub(crate) if_version: Option<i32>,
}

#[derive(Debug, Args)]
pub(crate) struct SpawnArguments {
    #[command(flatten)]
    pub(crate) lease: LeaseArguments,
    #[command(flatten)]
    pub(crate) tasks: NewTaskArguments,
    /// Give the task back until they are done; its next claim has their results
    #[arg(long)]
    pub(crate) wait: bool,
}

/// Being sure about what changes many things.
#[derive(Debug, Args)]
pub(crate) struct SureArguments {
    /// Say what would happen, and change nothing
    #[arg(long, conflicts_with = "yes")]
    pub(crate) dry_run: bool,
    /// Do it, though it is about many
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Why; kept in the record
    #[arg(long)]
    pub(crate) note: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BulkCommand {
    /// Cancel all tasks that fit
    Cancel(BulkArguments),
    /// Send all dead letters that fit round again
    Retry(BulkArguments),
    /// Give all tasks that fit another priority
    Reprioritise {
        /// From 0 (first) to 100 (last), or critical, high, normal, low, background
        #[arg(value_name = "PRIORITY")]
        priority: Priority,
        #[command(flatten)]
        rest: BulkArguments,
    },
    /// Add a tag to all tasks that fit
    Tag {
        #[arg(value_name = "NEW_TAG")]
        new_tag: String,
        #[command(flatten)]
        rest: BulkArguments,
    },
    /// Take a tag from all tasks that fit
    Untag {
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
        #[arg(value_name = "TASK")]
        id: String,
    },
    /// Group them by what failed alike, the largest groups first
    Groups,
    /// Remember that somebody has looked at it
    Review {
        #[arg(value_name = "TASK")]
        id: String,
        /// Nobody has, after all
        #[arg(long)]
        undo: bool,
    },
    /// Decide about a dead letter, or about all that fit
    Resolve(ResolveArguments),
}

#[derive(Debug, Args)]
pub(crate) struct DeadLetterListArguments {
    #[command(flatten)]
    pub(crate) filter: DeadLetterFilterArguments,
    #[command(flatten)]
    pub(crate) page: PageArguments,
}

/// Which dead letters; what is not named does not matter.
#[derive(Debug, Args)]
pub(crate) struct DeadLetterFilterArguments {
    /// Of this type
    #[arg(long = "type", value_name = "TYPE", group = "filter")]
    pub(crate) task_type: Option<String>,
    /// With this tag
    #[arg(long, value_name = "TAG", group = "filter")]
    pub(crate) tag: Option<String>,
    /// Made by this creator; the name of a key
    #[arg(long, value_name = "NAME", group = "filter")]
    pub(crate) created_by: Option<String>,
    /// Of this graph
    #[arg(long, value_name = "ID", group = "filter")]
    pub(crate) graph: Option<GraphId>,
    /// Failed by this agent
    #[arg(long, value_name = "NAME", group = "filter")]
    pub(crate) agent: Option<String>,
    /// With this reason of the last failure
    #[arg(long, value_name = "REASON", value_parser = reasons(), group = "filter")]
    pub(crate) reason: Option<Reason>,
    /// For this cause nobody tries again
    #[arg(long, value_name = "CAUSE", value_parser = causes(), group = "filter")]
    pub(crate) cause: Option<DeadLetterCause>,
    /// Failed alike: the fingerprint that a dead letter or a group shows
    #[arg(
        long,
        value_name = "FINGERPRINT",
        group = "filter",
        allow_hyphen_values = true
    )]
    pub(crate) fingerprint: Option<String>,
    /// Only those that somebody has looked at, or that nobody has
    #[arg(long, value_name = "BOOL", group = "filter")]
    pub(crate) reviewed: Option<bool>,
    /// Dead-lettered since then: 1h, 2d, or 2027-01-15T08:00:00Z
    #[arg(long, value_name = "TIME", group = "filter", value_parser = past_moment)]
    pub(crate) since: Option<Timestamp>,
    /// Dead-lettered then or before
    #[arg(long, value_name = "TIME", group = "filter", value_parser = past_moment)]
    pub(crate) until: Option<Timestamp>,
}

#[derive(Debug, Args)]
#[command(
    override_usage = "workmill dead-letter resolve [OPTIONS] [TASK]",
    group(ArgGroup::new("filter").multiple(true).conflicts_with("id")),
    group(ArgGroup::new("which").args(["id", "all"]).multiple(false)),
    group(ArgGroup::new("how").required(true))
)]
pub(crate) struct ResolveArguments {
    /// This one; or a filter, or --all
    #[arg(value_name = "TASK", required_unless_present_any = ["filter", "all"])]
    pub(crate) id: Option<String>,
    /// Really all of them
    #[arg(long, conflicts_with = "filter")]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) filter: DeadLetterFilterArguments,
    /// Send it round again, with all its attempts anew
    #[arg(long, group = "how")]
    pub(crate) retry: bool,
    /// Cancel it
    #[arg(long, group = "how")]
    pub(crate) cancel: bool,
    /// Change it and send it round again: a JSON merge patch, @FILE with one, or `-`
    #[arg(long, value_name = "JSON", group = "how")]
    pub(crate) modify: Option<String>,
    #[command(flatten)]
    pub(crate) sure: SureArguments,
}

fn causes() -> impl clap::builder::TypedValueParser<Value = DeadLetterCause> {
    one_of(["used_up", "not_retryable", "poison", "crash_loop", "spent"])
}
