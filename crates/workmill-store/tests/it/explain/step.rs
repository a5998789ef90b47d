//! What can happen, at random. Numbers choose among what is there.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{Strategy, any, prop_oneof};
use proptest::sample::{select, subsequence};
use proptest::strategy::{BoxedStrategy, Just};
use workmill_store::dispatch::agents::AgentStatus;

pub const AGENTS: [&str; 4] = ["ada", "bob", "cyd", "dan"];

/// What a task asks for.
#[derive(Debug, Clone)]
pub struct Ask {
    pub priority: u8,
    pub boost: Option<f64>,
    pub task_type: &'static str,
    pub agent_type: Option<&'static str>,
    pub target: Option<&'static str>,
    pub excluded: Option<&'static str>,
    pub capabilities: Vec<&'static str>,
    pub models: Vec<&'static str>,
    pub labels: Vec<&'static str>,
    pub cost_units: i64,
    pub max_cost: Option<i64>,
    pub locks: Vec<(&'static str, bool)>,
    pub scheduled_in: Option<i64>,
    pub deadline_in: Option<i64>,
}

/// A gate of the list in `stage`.
pub type GateChoice = (u8, u8);

#[derive(Debug, Clone)]
pub enum Step {
    Submit(Ask),
    /// Each but the first depends on one before it.
    Graph {
        asks: Vec<(Ask, u8)>,
        is_draft: bool,
        budget: Option<i64>,
    },
    Register {
        agent: &'static str,
        agent_type: &'static str,
        capabilities: Vec<&'static str>,
        models: Vec<&'static str>,
        slots: i32,
    },
    Status(&'static str, AgentStatus),
    SetGate(GateChoice, i64),
    Pause(GateChoice),
    RemoveGate(u8),
    Pass(i64),
    Promote,
    Reap,
    Keep,
    Claim(&'static str, i32),
    Complete(u8, i64),
    Fail(u8),
    /// Fails, and is ready again while its agent is still kept from it.
    FailAndReturn(u8),
    Release(u8),
    Cancel(u8),
}

fn some<T: Clone + std::fmt::Debug + 'static>(of: &[T]) -> impl Strategy<Value = Vec<T>> + use<T> {
    subsequence(of.to_vec(), 0..=of.len())
}

/// Mostly nothing.
fn seldom<T: std::fmt::Debug + 'static>(
    of: impl Strategy<Value = T> + 'static,
) -> impl Strategy<Value = Option<T>> {
    option::weighted(0.15, of)
}

fn ask() -> impl Strategy<Value = Ask> {
    let urgency = (
        select(vec![0_u8, 20, 45, 45, 46, 90]),
        select(vec![None, None, Some(0.0), Some(1.0)]),
        seldom(select(vec![5_i64, 30, 100])),
        seldom(select(vec![100_i64, 700, 3000])),
    );
    let agent = (
        seldom(select(vec!["coder", "tester"])),
        seldom(select(AGENTS.to_vec())),
        seldom(select(AGENTS.to_vec())),
        prop_oneof![2 => Just(vec![]), 1 => some(&["git", "gpu"])],
        prop_oneof![3 => Just(vec![]), 1 => some(&["opus", "haiku"])],
    );
    let paths = [
        ("repo", false),
        ("repo/a", false),
        ("repo/a/b", true),
        ("repo/a", true),
        ("lib", false),
        ("lib/x", true),
    ];
    let gates = (
        select(vec!["code", "review"]),
        prop_oneof![2 => Just(vec![]), 1 => some(&["x", "y"])],
        1_i64..3,
        option::of(1_i64..5),
        prop_oneof![2 => Just(vec![]), 1 => vec(select(paths.to_vec()), 1..3)],
    );
    (urgency, agent, gates).prop_map(|(urgency, agent, gates)| Ask {
        priority: urgency.0,
        boost: urgency.1,
        scheduled_in: urgency.2,
        deadline_in: urgency.3,
        agent_type: agent.0,
        target: agent.1,
        excluded: agent.2,
        capabilities: agent.3,
        models: agent.4,
        task_type: gates.0,
        labels: gates.1,
        cost_units: gates.2,
        max_cost: gates.3,
        locks: gates.4,
    })
}

fn register() -> impl Strategy<Value = Step> {
    (
        select(AGENTS.to_vec()),
        select(vec!["coder", "tester"]),
        some(&["git", "gpu"]),
        some(&["opus", "haiku"]),
        1_i32..4,
    )
        .prop_map(
            |(agent, agent_type, capabilities, models, slots)| Step::Register {
                agent,
                agent_type,
                capabilities,
                models,
                slots,
            },
        )
}

fn step() -> impl Strategy<Value = Step> {
    let statuses = vec![
        AgentStatus::Active,
        AgentStatus::Active,
        AgentStatus::Draining,
        AgentStatus::Offline,
    ];
    let graph = (
        vec((ask(), any::<u8>()), 2..4),
        option::of(2_i64..6),
        any::<u8>(),
    );
    prop_oneof![
        10 => ask().prop_map(Step::Submit),
        3 => graph.prop_map(|(asks, budget, draft)| Step::Graph {
            asks,
            is_draft: draft < 30,
            budget,
        }),
        4 => register(),
        1 => (select(AGENTS.to_vec()), select(statuses)).prop_map(|(a, s)| Step::Status(a, s)),
        5 => (any::<(u8, u8)>(), 0_i64..4).prop_map(|(gate, cap)| Step::SetGate(gate, cap)),
        1 => any::<(u8, u8)>().prop_map(Step::Pause),
        2 => any::<u8>().prop_map(Step::RemoveGate),
        3 => select(vec![1_i64, 11, 61, 700, 90_000, 90_000]).prop_map(Step::Pass),
        2 => Just(Step::Promote),
        1 => Just(Step::Reap),
        2 => Just(Step::Keep),
        14 => (select(AGENTS.to_vec()), 1_i32..4).prop_map(|(a, most)| Step::Claim(a, most)),
        5 => (any::<u8>(), 0_i64..3).prop_map(|(nth, cost)| Step::Complete(nth, cost)),
        1 => any::<u8>().prop_map(Step::Fail),
        6 => any::<u8>().prop_map(Step::FailAndReturn),
        2 => any::<u8>().prop_map(Step::Release),
        1 => any::<u8>().prop_map(Step::Cancel),
    ]
}

pub fn steps() -> BoxedStrategy<Vec<Step>> {
    (vec(register(), 1..4), vec(step(), 10..50))
        .prop_map(|(mut first, then)| {
            first.extend(then);
            first
        })
        .boxed()
}
