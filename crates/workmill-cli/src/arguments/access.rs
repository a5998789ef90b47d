//! Arguments of the commands about keys, namespaces and events.

use clap::{Args, Subcommand, ValueEnum};
use workmill_core::ids::{GraphId, TaskId};
use workmill_protocol::role::Role;

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Create a key and print its token, which is never shown again
    Create {
        /// producer, agent, orchestrator, operator or admin
        #[arg(long)]
        role: Role,
        /// What it is called, in the audit and as the creator of what it submits [default: its role]
        #[arg(long)]
        name: Option<String>,
        /// Ask the server for it, or make it in the database that `DATABASE_URL` names
        /// [default: the server if a key for it is known, else the database]
        #[arg(long, value_enum, value_name = "PLACE")]
        on: Option<KeyPlace>,
    },
    /// List the keys, without their tokens
    List,
    /// Give a key another token and print it; the old one ends
    Rotate {
        #[arg(value_name = "KEY")]
        id: String,
        /// How many seconds the old token stays good
        #[arg(long, value_name = "SECONDS", default_value_t = 0)]
        grace: u64,
    },
    /// End a key, on open connections too
    Revoke {
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
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// List the namespaces
    List,
    /// Let a database role put tasks into `workmill.inbox`, on the database named by `DATABASE_URL`
    GrantInbox(InboxGrantArguments),
    /// Take that back
    RevokeInbox(InboxGrantArguments),
}

#[derive(Debug, Args)]
pub(crate) struct InboxGrantArguments {
    #[arg(value_name = "NAMESPACE")]
    pub(crate) namespace: String,
    /// A role that PostgreSQL knows
    #[arg(value_name = "ROLE")]
    pub(crate) role: String,
}

#[derive(Debug, Subcommand)]
pub(crate) enum EventsCommand {
    /// Print what happens, as it happens, until interrupted
    Tail(TailArguments),
}

#[derive(Debug, Args)]
pub(crate) struct TailArguments {
    /// Only events of this type, like `task.completed` or `task.*`; may be repeated
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) types: Vec<String>,
    /// Only events of this task
    #[arg(long, value_name = "ID")]
    pub(crate) task: Option<TaskId>,
    /// Only events of this graph
    #[arg(long, value_name = "ID")]
    pub(crate) graph: Option<GraphId>,
    /// Begin after the event with this number; 0 is the beginning
    #[arg(long, value_name = "NUMBER")]
    pub(crate) after: Option<i64>,
}
