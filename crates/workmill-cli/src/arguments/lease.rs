//! Arguments of the commands that work as an agent.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use workmill_core::failure::Reason;
use workmill_core::ids::{LeaseId, TaskId};

#[derive(Debug, Args)]
pub(crate) struct ClaimArguments {
    #[arg(
        long,
        value_name = "NAME",
        help = "The agent's name [env: WORKMILL_AGENT]"
    )]
    pub(crate) agent: Option<String>,
    /// The agent's type
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) agent_type: Option<String>,
    /// A capability of the agent; may be repeated
    #[arg(long = "cap", value_name = "CAPABILITY")]
    pub(crate) capabilities: Vec<String>,
    /// A model that the agent can use; may be repeated
    #[arg(long = "model", value_name = "MODEL")]
    pub(crate) models: Vec<String>,
    /// Claim at most this many
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(i32).range(1..=1000))]
    pub(crate) max: i32,
    /// How many tasks the agent may hold at a time [default: 1, or --max]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(i32).range(1..))]
    pub(crate) slots: Option<i32>,
    /// Wait up to this long when there is nothing to claim
    #[arg(long, value_name = "SECONDS", default_value_t = 0)]
    pub(crate) wait: u64,
    /// Start the work in the same step
    #[arg(long)]
    pub(crate) start: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LeaseArguments {
    /// The task, when it was claimed from here
    #[arg(
        value_name = "TASK",
        required_unless_present = "lease",
        conflicts_with = "lease"
    )]
    pub(crate) task: Option<TaskId>,
    /// The lease that the claim answered
    #[arg(long)]
    pub(crate) lease: Option<LeaseId>,
    #[arg(
        long,
        value_name = "NAME",
        help = "Whose claim it is, when several agents work from here [env: WORKMILL_AGENT]"
    )]
    pub(crate) agent: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct DoneArguments {
    #[command(flatten)]
    pub(crate) lease: LeaseArguments,
    /// The result: JSON, @FILE with JSON, or `-` for standard input
    #[arg(long, value_name = "JSON")]
    pub(crate) output: Option<String>,
    /// A reference to what was put elsewhere; may be repeated
    #[arg(long = "artifact", value_name = "REFERENCE")]
    pub(crate) artifacts: Vec<String>,
    /// What the attempt cost, in dollars
    #[arg(long, value_name = "DOLLARS", default_value_t = 0.0)]
    pub(crate) cost_usd: f64,
}

#[derive(Debug, Args)]
pub(crate) struct FailArguments {
    #[command(flatten)]
    pub(crate) lease: LeaseArguments,
    /// Why it failed; decides whether another attempt follows
    #[arg(long, default_value = "unknown", value_parser = reasons())]
    pub(crate) reason: Reason,
    /// What happened
    #[arg(long)]
    pub(crate) message: Option<String>,
    /// Not before this many milliseconds
    #[arg(long, value_name = "MILLISECONDS")]
    pub(crate) retry_after_ms: Option<i64>,
    /// What the attempt cost, in dollars
    #[arg(long, value_name = "DOLLARS", default_value_t = 0.0)]
    pub(crate) cost_usd: f64,
}

fn reasons() -> impl TypedValueParser<Value = Reason> {
    let reasons = Reason::ALL
        .into_iter()
        .filter(|reason| reason.may_be_reported(true));
    PossibleValuesParser::new(reasons.map(Reason::name))
        .map(|name| Reason::from_name(&name).unwrap_or(Reason::Unknown))
}
