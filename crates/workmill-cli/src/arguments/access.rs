//! Arguments of the commands about keys, namespaces and events.

use clap::{Args, Subcommand, ValueEnum};
use workmill_core::ids::GraphId;
use workmill_core::spawning::{SpawnFor, SpawnLocks};
use workmill_protocol::role::Role;

use super::words::whole;

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Create a key and print its token, which is never shown again
    Create {
        /// producer, agent, orchestrator, operator or admin
        #[arg(long)]
        role: Role,
        /// Name of the key in the audit log and as `created_by` of its tasks [default: its role]
        #[arg(long)]
        name: Option<String>,
        /// Create the key through the server, or directly in the database that `DATABASE_URL` names
        /// [default: the server if a key for it is known, else the database]
        #[arg(long, value_enum, value_name = "PLACE")]
        on: Option<KeyPlace>,
    },
    /// List the keys, without their tokens
    List,
    /// Replace the token of a key and print the new one
    Rotate {
        /// The id of the key, as `key list` prints it
        #[arg(value_name = "KEY")]
        id: String,
        /// Seconds for which the old token stays valid
        #[arg(long, value_name = "SECONDS", default_value_t = 0, value_parser = whole::<u64>(0..))]
        grace: u64,
    },
    /// Revoke a key, on open connections too
    Revoke {
        /// The id of the key, as `key list` prints it
        #[arg(value_name = "KEY")]
        id: String,
    },
}

/// Where a key is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum KeyPlace {
    Server,
    Database,
}

#[derive(Debug, Subcommand)]
pub(crate) enum NamespaceCommand {
    /// Create a namespace
    Create {
        /// The name of the namespace
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// List the namespaces
    List,
    /// Show the settings of a namespace, or change those that are given as options
    Settings(NamespaceSettingsArguments),
    /// Allow a database role to submit through `workmill.inbox`; needs `DATABASE_URL`
    GrantInbox(InboxGrantArguments),
    /// Revoke a database role's access to `workmill.inbox`; needs `DATABASE_URL`
    RevokeInbox(InboxGrantArguments),
}

#[derive(Debug, Args)]
pub(crate) struct NamespaceSettingsArguments {
    /// The name of the namespace
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// How many tasks an agent may spawn under one lease
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..))]
    pub(crate) most_tasks_per_lease: Option<u32>,
    /// How many tasks agents may spawn in one graph
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..))]
    pub(crate) most_tasks_per_graph: Option<u32>,
    /// How many levels of spawned tasks may be below a submitted task
    #[arg(long, value_name = "N", value_parser = whole::<u16>(0..))]
    pub(crate) most_depth: Option<u16>,
    /// The agents for which tasks may be spawned: `by_profile`, `own_kind` or `any`
    #[arg(long, value_name = "WHOM", value_parser = read_spawn_for)]
    pub(crate) spawn_for: Option<SpawnFor>,
    /// Which locks spawned tasks may ask for: `held` (by the spawning task) or `any`
    #[arg(long, value_name = "LOCKS", value_parser = read_spawn_locks)]
    pub(crate) spawn_locks: Option<SpawnLocks>,
}

fn read_spawn_for(text: &str) -> Result<SpawnFor, String> {
    SpawnFor::from_name(text).ok_or_else(|| "not by_profile, own_kind or any".to_owned())
}

fn read_spawn_locks(text: &str) -> Result<SpawnLocks, String> {
    SpawnLocks::from_name(text).ok_or_else(|| "not held or any".to_owned())
}

#[derive(Debug, Args)]
pub(crate) struct InboxGrantArguments {
    /// The name of the namespace
    #[arg(value_name = "NAMESPACE")]
    pub(crate) namespace: String,
    /// The name of a PostgreSQL role
    #[arg(value_name = "ROLE")]
    pub(crate) role: String,
}

#[derive(Debug, Subcommand)]
pub(crate) enum EventsCommand {
    /// Print events as they are written, until interrupted
    Tail(TailArguments),
}

#[derive(Debug, Args)]
pub(crate) struct TailArguments {
    /// Only events of this type, like `task.completed` or `task.*`; may be repeated
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) types: Vec<String>,
    /// Only events of this task
    #[arg(long, value_name = "TASK")]
    pub(crate) task: Option<String>,
    /// Only events of this graph
    #[arg(long, value_name = "ID")]
    pub(crate) graph: Option<GraphId>,
    /// Start after the event with this number; 0 means from the beginning
    #[arg(long, value_name = "NUMBER", value_parser = whole::<i64>(0..))]
    pub(crate) after: Option<i64>,
}
