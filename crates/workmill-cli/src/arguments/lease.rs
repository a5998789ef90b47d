//! Arguments of the commands that work as an agent.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use workmill_core::failure::Reason;
use workmill_core::ids::LeaseId;

use super::words::{dollars, whole};

#[derive(Debug, Args)]
pub(crate) struct ClaimArguments {
    #[arg(
        long,
        value_name = "NAME",
        help = "The agent's name [env: WORKMILL_AGENT]"
    )]
    pub(crate) agent: Option<String>,
    /// The agent's own type, to which `agent_type` of a task refers
    #[arg(long = "type", value_name = "AGENT_TYPE")]
    pub(crate) agent_type: Option<String>,
    /// Claim only tasks of this type; may be repeated
    #[arg(long = "task-type", value_name = "TYPE")]
    pub(crate) task_types: Vec<String>,
    /// A capability of the agent; may be repeated
    #[arg(long = "cap", value_name = "CAPABILITY")]
    pub(crate) capabilities: Vec<String>,
    /// A model that the agent can use; may be repeated
    #[arg(long = "model", value_name = "MODEL")]
    pub(crate) models: Vec<String>,
    /// Claim at most this many
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = whole::<i32>(1..=1000))]
    pub(crate) max: i32,
    /// How many tasks the agent may hold at a time [default: 1, or --max]
    #[arg(long, value_name = "NUMBER", value_parser = whole::<i32>(1..))]
    pub(crate) slots: Option<i32>,
    /// Wait up to this long for a task
    #[arg(long, value_name = "SECONDS", default_value_t = 0, value_parser = whole::<u64>(0..))]
    pub(crate) wait: u64,
    /// Start the task in the same call
    #[arg(long)]
    pub(crate) start: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LeaseArguments {
    #[arg(
        value_name = "TASK",
        conflicts_with = "lease",
        help = "The task, if it was claimed from here; may be left out if the agent has claimed only one [env: WORKMILL_TASK_ID]"
    )]
    pub(crate) task: Option<String>,
    #[arg(long, help = "The lease from the claim's answer [env: WORKMILL_LEASE]")]
    pub(crate) lease: Option<LeaseId>,
    #[arg(
        long,
        value_name = "NAME",
        help = "The agent that claimed the task, if several agents work on this machine [env: WORKMILL_AGENT]"
    )]
    pub(crate) agent: Option<String>,
}

/// What the attempt has used since it was claimed.
#[derive(Debug, Args)]
pub(crate) struct UsageArguments {
    /// Cost of the attempt so far, in dollars
    #[arg(long, value_name = "DOLLARS", conflicts_with = "usage", value_parser = dollars)]
    pub(crate) cost_usd: Option<f64>,
    /// Input tokens so far
    #[arg(long, value_name = "TOKENS", conflicts_with = "usage", value_parser = whole::<u64>(0..))]
    pub(crate) input_tokens: Option<u64>,
    /// Output tokens so far
    #[arg(long, value_name = "TOKENS", conflicts_with = "usage", value_parser = whole::<u64>(0..))]
    pub(crate) output_tokens: Option<u64>,
    /// The part of the input tokens that came from a cache
    #[arg(long, value_name = "TOKENS", conflicts_with = "usage", value_parser = whole::<u64>(0..))]
    pub(crate) cached_input_tokens: Option<u64>,
    /// The model; needed to price the tokens
    #[arg(long, value_name = "MODEL", conflicts_with = "usage")]
    pub(crate) model: Option<String>,
    /// The whole usage by model: JSON, @FILE with JSON, or `-` for standard input
    #[arg(long, value_name = "JSON")]
    pub(crate) usage: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct HeartbeatArguments {
    #[command(flatten)]
    pub(crate) lease: LeaseArguments,
    /// Progress: JSON, @FILE with JSON, or `-` for standard input
    #[arg(long, value_name = "JSON")]
    pub(crate) progress: Option<String>,
    /// Checkpoint for the next attempt, if this one ends without a result: JSON, @FILE or `-`
    #[arg(long, value_name = "JSON")]
    pub(crate) checkpoint: Option<String>,
    #[command(flatten)]
    pub(crate) usage: UsageArguments,
}

#[derive(Debug, Args)]
pub(crate) struct DoneArguments {
    #[command(flatten)]
    pub(crate) lease: LeaseArguments,
    /// The result: JSON, @FILE with JSON, or `-` for standard input
    #[arg(long, value_name = "JSON")]
    pub(crate) output: Option<String>,
    #[command(flatten)]
    pub(crate) usage: UsageArguments,
    /// A reference to a file or object elsewhere; may be repeated
    #[arg(long = "artifact", value_name = "REFERENCE")]
    pub(crate) artifacts: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct FailArguments {
    #[command(flatten)]
    pub(crate) lease: LeaseArguments,
    /// The reason; decides whether the task is retried
    #[arg(long, default_value = "unknown", value_parser = reasons())]
    pub(crate) reason: Reason,
    /// The error message
    #[arg(long)]
    pub(crate) message: Option<String>,
    /// Retry no sooner than after this many milliseconds
    #[arg(long, value_name = "MILLISECONDS", value_parser = whole::<i64>(0..))]
    pub(crate) retry_after_ms: Option<i64>,
    #[command(flatten)]
    pub(crate) usage: UsageArguments,
}

#[derive(Debug, Args)]
pub(crate) struct BlockLeaseArguments {
    #[command(flatten)]
    pub(crate) lease: LeaseArguments,
    /// The kind of answer it waits for
    #[arg(long = "for", value_enum, default_value_t = BlockedFor::Input)]
    pub(crate) waits_for: BlockedFor,
    /// The question
    #[arg(long, value_name = "TEXT")]
    pub(crate) question: Option<String>,
    /// Without an answer within this time, the attempt fails
    #[arg(long, value_name = "SECONDS", value_parser = whole::<u32>(0..))]
    pub(crate) timeout: Option<u32>,
    #[command(flatten)]
    pub(crate) usage: UsageArguments,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum BlockedFor {
    Input,
    Approval,
    OutsideEvent,
}

fn reasons() -> impl TypedValueParser<Value = Reason> {
    let reasons = Reason::ALL
        .into_iter()
        .filter(|reason| reason.may_be_reported(true));
    PossibleValuesParser::new(reasons.map(Reason::name))
        .map(|name| Reason::from_name(&name).unwrap_or(Reason::Unknown))
}
