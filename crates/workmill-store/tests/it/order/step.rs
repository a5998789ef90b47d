//! What can happen to the queue while its order is watched.
//!
//! Steps name tasks, leases and graphs by any number; whoever takes the step chooses among those
//! that are there. So every part of a failing sequence is a sequence, and it can be cut down.

use jiff::{SignedDuration, Timestamp};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::{select, subsequence};
use proptest::strategy::BoxedStrategy;
use workmill_core::policy::{Profile, Strategy as Backoff};
use workmill_core::priority::Priority;
use workmill_core::task::{Constraints, NewTask, RetryOverrides, Spec};

use super::formula::BOOSTS;

/// The clock moves by these. In this many milliseconds every boost gains whole micro-points, so
/// that values that are equal are stored as equal, and a tie is a tie.
pub const UNIT: SignedDuration = SignedDuration::from_millis(60);

/// The longest that ranks go without being looked at: 83 units are 4.98 s.
const MOST_UNITS_BETWEEN_LOOKS: i32 = 83;

/// What an agent brings. Who lists no models takes any.
pub struct Brings {
    pub name: &'static str,
    pub capabilities: &'static [&'static str],
    pub models: &'static [&'static str],
}

pub const AGENTS: [Brings; 3] = [
    Brings {
        name: "able",
        capabilities: &["git", "gpu"],
        models: &[],
    },
    Brings {
        name: "big",
        capabilities: &["git"],
        models: &["big"],
    },
    Brings {
        name: "small",
        capabilities: &["gpu"],
        models: &["small"],
    },
];

#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    pub profile: Profile,
    pub base: u8,
    /// The place in [`BOOSTS`]; the profile's boost without one.
    pub boost: Option<usize>,
    /// Seconds from now.
    pub due_in: Option<i32>,
    pub estimate: Option<i32>,
    pub capabilities: Vec<&'static str>,
    /// Prefers the model `big` and falls back on `small`.
    pub falls_back: bool,
}

impl Ask {
    pub fn task(&self, now: Timestamp) -> NewTask {
        let models = |name: &str| -> Vec<String> {
            let named = self.falls_back.then(|| name.to_owned());
            named.into_iter().collect()
        };
        NewTask {
            title: "ordered".to_owned(),
            task_type: "code".to_owned(),
            profile: self.profile,
            priority: Priority::new(self.base.into()).expect("0 to 100"),
            priority_boost_per_minute: self.boost.map(|place| BOOSTS[place].0),
            deadline: self
                .due_in
                .map(|seconds| now + SignedDuration::from_secs(seconds.into())),
            estimate_sec: self.estimate.map(f64::from),
            retry: RetryOverrides {
                strategy: Some(Backoff::Immediate),
                ..RetryOverrides::default()
            },
            spec: Spec {
                constraints: Constraints {
                    required_capabilities: self
                        .capabilities
                        .iter()
                        .map(ToString::to_string)
                        .collect(),
                    model_preferences: models("big"),
                    fallback_models: models("small"),
                    ..Constraints::default()
                },
                ..Spec::default()
            },
            ..NewTask::default()
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Complete,
    Release,
    Fail,
}

/// One of those that are there, by any number.
pub type Pick = usize;

#[derive(Debug, Clone)]
pub enum Step {
    Submit(Vec<Ask>),
    /// Each with those of the earlier ones that it depends on.
    SubmitGraph(Vec<(Ask, Vec<Pick>)>),
    /// Longer than what a chain counts for.
    SubmitChain(Ask),
    /// A chain of new tasks below one that is there.
    Grow(Pick, Vec<Ask>),
    /// A running task waits for a new one.
    SpawnAndWait(Pick, Ask),
    /// A task is to wait for another one of its graph.
    AddEdge(Pick, Pick),
    RemoveEdge(Pick),
    Edit(Pick, Ask),
    /// Units until the duties have their turn, and units from then until the next step.
    Pass(i32, i32),
    /// The agents that ask in one batch, each for how many.
    Claim(Vec<(usize, i32)>),
    End(Pick, End),
    /// One agent after the other claims a task and fails.
    FailInTurn,
}

/// Tasks of every kind.
pub fn any_ask() -> impl Strategy<Value = Ask> + Clone {
    let profile = select(vec![
        Profile::Agent,
        Profile::Agent,
        Profile::Agent,
        Profile::Agent,
        Profile::Hub,
        Profile::Task,
    ]);
    let base = select(vec![0, 5, 20, 44, 45, 46, 47, 48, 50, 70, 90, 100]);
    (
        profile,
        base,
        option::weighted(0.6, 0..BOOSTS.len()),
        option::weighted(0.4, select(vec![60, 300, 601, 660, 900, 1800, 7200])),
        option::weighted(0.5, select(vec![1, 30, 300, 1000])),
        capabilities(),
        any::<bool>(),
    )
        .prop_map(
            |(profile, base, boost, due_in, estimate, capabilities, falls_back)| Ask {
                profile,
                base,
                boost,
                due_in,
                estimate,
                capabilities,
                falls_back,
            },
        )
}

/// Tasks that differ by little, so that every point of age and of what waits behind them counts.
pub fn close_ask() -> impl Strategy<Value = Ask> + Clone {
    (45_u8..48, option::weighted(0.3, 3..9_usize)).prop_map(|(base, boost)| Ask {
        profile: Profile::Agent,
        base,
        boost,
        due_in: None,
        estimate: None,
        capabilities: vec![],
        falls_back: false,
    })
}

/// Tasks of the `task` command: a number, and nothing that would change it.
pub fn plain_ask() -> impl Strategy<Value = Ask> + Clone {
    (0_u8..4, capabilities()).prop_map(|(base, capabilities)| Ask {
        profile: Profile::Task,
        base,
        boost: None,
        due_in: None,
        estimate: None,
        capabilities,
        falls_back: false,
    })
}

fn capabilities() -> impl Strategy<Value = Vec<&'static str>> + Clone {
    option::weighted(0.4, subsequence(vec!["git", "gpu"], 0..=2))
        .prop_map(Option::unwrap_or_default)
}

pub fn steps(ask: impl Strategy<Value = Ask> + Clone + 'static) -> BoxedStrategy<Vec<Step>> {
    let pick = || 0..1000_usize;
    let asks = |most: usize| vec(ask.clone(), 1..most);
    let node = (ask.clone(), vec(pick(), 0..3));
    let arrival = prop_oneof![
        4 => asks(5).prop_map(Step::Submit),
        3 => vec(node, 2..7).prop_map(Step::SubmitGraph),
        1 => ask.clone().prop_map(Step::SubmitChain),
    ];
    let growth = prop_oneof![
        2 => (pick(), asks(4)).prop_map(|(above, asks)| Step::Grow(above, asks)),
        1 => (pick(), ask.clone()).prop_map(|(parent, ask)| Step::SpawnAndWait(parent, ask)),
        2 => (pick(), pick()).prop_map(|(task, on)| Step::AddEdge(task, on)),
        2 => pick().prop_map(Step::RemoveEdge),
    ];
    let until_duties = prop_oneof![0..1000, 0..100_000, Just(0)];
    let pass = (until_duties, 0..=MOST_UNITS_BETWEEN_LOOKS);
    let agents = vec((0..AGENTS.len(), 1..4), 1..3);
    let end = select(vec![End::Complete, End::Release, End::Fail]);
    let later = prop_oneof![
        2 => arrival.clone(),
        5 => growth,
        3 => (pick(), ask).prop_map(|(task, ask)| Step::Edit(task, ask)),
        4 => pass.prop_map(|(before, after)| Step::Pass(before, after)),
        8 => agents.prop_map(Step::Claim),
        2 => Just(Step::FailInTurn),
        3 => (pick(), end).prop_map(|(lease, end)| Step::End(lease, end)),
    ];
    (vec(arrival, 1..5), vec(later, 4..24))
        .prop_map(|(arrivals, later)| [arrivals, later].concat())
        .boxed()
}
