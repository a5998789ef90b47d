//! Arguments of the commands about limits, budgets, pauses and projects.

use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use jiff::Timestamp;
use workmill_core::ids::ProjectId;
use workmill_core::money::Micros;

use super::age::Age;
use super::looking::PageArguments;
use super::words::{past_moment, whole};

#[derive(Debug, Subcommand)]
pub(crate) enum LimitsCommand {
    /// List the limits and their use
    List,
    /// Set a limit
    Set {
        /// namespace, `all_but_critical`, `class:low`, `source:cron`, `type:review`, `label:…` or `agent:…`
        #[arg(value_name = "SCOPE")]
        scope: String,
        /// Number of running attempts; 0 stops all new ones
        #[arg(value_name = "MAX", allow_negative_numbers = true, value_parser = whole::<i64>(0..))]
        max: i64,
        /// For the scope `namespace`: also set a share for each priority class
        #[arg(long)]
        shares: bool,
        /// The reason
        #[arg(long)]
        note: Option<String>,
    },
    /// Remove a limit
    Remove {
        /// The scope, as given to `set`
        #[arg(value_name = "SCOPE")]
        scope: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum BudgetCommand {
    /// List the budgets and their use
    List {
        /// List the budgets of completed and cancelled graphs instead
        #[arg(long)]
        ended: bool,
    },
    /// Set a budget
    Set {
        /// namespace, `each_day`, `graph:dag_…` or `agent:…`
        #[arg(value_name = "SCOPE")]
        scope: String,
        /// The whole amount, including money that is already spent
        #[arg(value_name = "DOLLARS")]
        budget: Micros,
        /// Time zone of the days of `each_day`, like Europe/Berlin [default: UTC]
        #[arg(long, value_name = "ZONE")]
        time_zone: Option<String>,
        /// The reason
        #[arg(long)]
        note: Option<String>,
    },
    /// Remove a budget
    Remove {
        /// The scope, as given to `set`
        #[arg(value_name = "SCOPE")]
        scope: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct PauseArguments {
    /// namespace, `graph:dag_…`, `type:review`, `lane:…`, `label:…` or `agent:…`; without one, lists the pauses
    #[arg(value_name = "SCOPE")]
    pub(crate) scope: Option<String>,
    /// The reason
    #[arg(long, requires = "scope")]
    pub(crate) note: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ResumeArguments {
    /// The scope, as given to `pause`
    #[arg(value_name = "SCOPE")]
    pub(crate) scope: String,
}

/// Which entries of the record; what is not named does not matter.
#[derive(Debug, Args)]
pub(crate) struct AuditArguments {
    /// Changes made with the key of this name
    #[arg(long, value_name = "NAME")]
    pub(crate) actor: Option<String>,
    /// This action: `task.cancel`, `gate.set` and so on
    #[arg(long, value_name = "ACTION")]
    pub(crate) action: Option<String>,
    /// Changes to an object of this kind: task, graph, project, `dead_letter`, agent, key, gate, namespace
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<String>,
    /// Changes to this task, graph, agent, gate …
    #[arg(long, value_name = "ID")]
    pub(crate) subject: Option<String>,
    /// Changes since then: 1h, 2d, or 2027-01-15T08:00:00Z
    #[arg(long, value_name = "TIME", value_parser = past_moment)]
    pub(crate) since: Option<Timestamp>,
    #[command(flatten)]
    pub(crate) page: PageArguments,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RetentionCommand {
    /// Show how long finished tasks are kept, and how many are due to be removed
    Show,
    /// Set how long finished tasks are kept; older ones are removed for good
    Set(SetRetentionArguments),
}

#[derive(Debug, Args)]
#[command(
    override_usage = "workmill retention set [OPTIONS]",
    group(ArgGroup::new("kept").required(true).multiple(true))
)]
pub(crate) struct SetRetentionArguments {
    /// Keep completed tasks this long: `90d`, `12h`, `30m`, or `forever`
    #[arg(long, value_name = "AGE", group = "kept")]
    pub(crate) completed: Option<Age>,
    /// Keep cancelled tasks this long
    #[arg(long, value_name = "AGE", group = "kept")]
    pub(crate) cancelled: Option<Age>,
    /// Keep stale tasks this long
    #[arg(long, value_name = "AGE", group = "kept")]
    pub(crate) stale: Option<Age>,
    /// Count what would be removed now, and change nothing
    #[arg(long, conflicts_with = "yes")]
    pub(crate) dry_run: bool,
    /// Confirm that tasks are removed for good; needed to keep tasks less long than now
    #[arg(long, short)]
    pub(crate) yes: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProjectCommand {
    /// Create a project
    Create {
        /// The name of the project
        #[arg(value_name = "NAME")]
        name: String,
        /// A description of the project
        #[arg(long)]
        description: Option<String>,
        /// Its name in another system: a repository, an issue
        #[arg(long, value_name = "REFERENCE")]
        external_ref: Option<String>,
        /// A JSON object, @FILE with one, or `-` for standard input
        #[arg(long, value_name = "JSON")]
        metadata: Option<String>,
    },
    /// List the projects, oldest first
    List,
    /// Show a project and the number of its tasks
    Show {
        /// `proj_…`
        #[arg(value_name = "ID")]
        id: ProjectId,
    },
    /// Change a project; an empty text removes a value
    Edit(ProjectEditArguments),
}

#[derive(Debug, Args)]
#[command(
    override_usage = "workmill project edit [OPTIONS] <ID>",
    group(ArgGroup::new("change").required(true).multiple(true))
)]
pub(crate) struct ProjectEditArguments {
    /// `proj_…`
    #[arg(value_name = "ID")]
    pub(crate) id: ProjectId,
    /// The new name
    #[arg(long, group = "change")]
    pub(crate) name: Option<String>,
    /// The new description
    #[arg(long, group = "change")]
    pub(crate) description: Option<String>,
    /// `active` or `archived`; does not affect its tasks
    #[arg(long, value_enum, group = "change")]
    pub(crate) status: Option<ProjectStatusWord>,
    /// Its name in another system
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
