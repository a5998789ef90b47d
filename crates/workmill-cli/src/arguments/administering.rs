//! Arguments of the commands about limits, budgets, pauses and projects.

use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use workmill_core::ids::ProjectId;
use workmill_core::money::Micros;

#[derive(Debug, Subcommand)]
pub(crate) enum LimitsCommand {
    /// List the limits, with what runs
    List,
    /// Let so many run at a time
    Set {
        /// namespace, `all_but_critical`, `class:low`, `source:cron`, `type:review`, `label:…` or `agent:…`
        #[arg(value_name = "SCOPE")]
        scope: String,
        /// How many; 0 lets nobody in
        #[arg(value_name = "MAX", value_parser = clap::value_parser!(i64).range(0..))]
        max: i64,
        /// Of the namespace: give each class its share
        #[arg(long)]
        shares: bool,
        /// Why
        #[arg(long)]
        note: Option<String>,
    },
    /// Remove a limit
    Remove {
        #[arg(value_name = "SCOPE")]
        scope: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum BudgetCommand {
    /// List the budgets, with what is used
    List,
    /// Allow so much money
    Set {
        /// namespace, `each_day`, `graph:dag_…` or `agent:…`
        #[arg(value_name = "SCOPE")]
        scope: String,
        /// All of it, what is spent already included
        #[arg(value_name = "DOLLARS")]
        budget: Micros,
        /// Where a day of `each_day` begins, like Europe/Berlin [default: UTC]
        #[arg(long, value_name = "ZONE")]
        time_zone: Option<String>,
        /// Why
        #[arg(long)]
        note: Option<String>,
    },
    /// Remove a budget
    Remove {
        #[arg(value_name = "SCOPE")]
        scope: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct PauseArguments {
    /// namespace, `graph:dag_…`, `type:review`, `lane:…`, `label:…` or `agent:…`; without one, lists the pauses
    #[arg(value_name = "SCOPE")]
    pub(crate) scope: Option<String>,
    /// Why
    #[arg(long, requires = "scope")]
    pub(crate) note: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ResumeArguments {
    /// As it was paused
    #[arg(value_name = "SCOPE")]
    pub(crate) scope: String,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProjectCommand {
    /// Create a project
    Create {
        #[arg(value_name = "NAME")]
        name: String,
        #[arg(long)]
        description: Option<String>,
        /// What it is called elsewhere: a repository, the id of an issue tracker
        #[arg(long, value_name = "REFERENCE")]
        external_ref: Option<String>,
        /// A JSON object, @FILE with one, or `-` for standard input
        #[arg(long, value_name = "JSON")]
        metadata: Option<String>,
    },
    /// List the projects, in the order they were made
    List,
    /// Show a project, with how many tasks it has
    Show {
        #[arg(value_name = "ID")]
        id: ProjectId,
    },
    /// Change a project; an empty text takes a value away
    Edit(ProjectEditArguments),
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("change").required(true).multiple(true)))]
pub(crate) struct ProjectEditArguments {
    #[arg(value_name = "ID")]
    pub(crate) id: ProjectId,
    #[arg(long, group = "change")]
    pub(crate) name: Option<String>,
    #[arg(long, group = "change")]
    pub(crate) description: Option<String>,
    /// A word for people; it holds nothing back
    #[arg(long, value_enum, group = "change")]
    pub(crate) status: Option<ProjectStatusWord>,
    /// What it is called elsewhere
    #[arg(long, value_name = "REFERENCE", group = "change")]
    pub(crate) external_ref: Option<String>,
    /// A JSON object or null, @FILE with one, or `-` for standard input
    #[arg(long, value_name = "JSON", group = "change")]
    pub(crate) metadata: Option<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ProjectStatusWord {
    Active,
    Archived,
}
