//! What can happen, and random sequences of it.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{Just, any, prop_oneof};
use proptest::sample::{select, subsequence};
use proptest::strategy::{BoxedStrategy, Strategy};
use workmill_core::money::Micros;
use workmill_core::policy::Profile;
use workmill_core::priority::{Class, Priority};
use workmill_core::resource_lock::ResourceLock;
use workmill_core::task::{Constraints, NewTask, Spec};

pub const TYPES: [&str; 2] = ["build", "review"];
pub const LABELS: [&str; 2] = ["provider:a", "provider:b"];
pub const SOURCES: [&str; 2] = ["cron:nightly", "person"];

/// The second one can do all, the first one only what asks for nothing.
pub const AGENTS: [(&str, &[&str]); 2] = [("plain", &[]), ("able", &["gpu"])];

/// A few paths that cover each other and a few that do not, below two roots.
const PATHS: [&str; 7] = ["r", "r/a", "r/a/x", "r/ab", "r/b", "s", "s/a"];

/// Of classes that differ, two of each so that age decides, too.
const PRIORITIES: [i64; 5] = [5, 20, 45, 46, 70];

/// A task as it is asked for. In the `task` profile the rank is the priority, then age, and what
/// fails is ready again at once: nothing but gates decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub priority: i64,
    pub of_type: usize,
    pub labels: Vec<usize>,
    pub units: i64,
    pub max_cost: Option<i64>,
    pub locks: Vec<ResourceLock>,
    pub needs_gpu: bool,
}

impl Plan {
    pub fn class(&self) -> Class {
        match self.priority {
            5 => Class::Critical,
            20 => Class::High,
            45 | 46 => Class::Normal,
            70 => Class::Low,
            other => unreachable!("no task has {other}"),
        }
    }

    pub fn task(&self) -> NewTask {
        let capabilities = self.needs_gpu.then(|| "gpu".to_owned());
        NewTask {
            title: "model".to_owned(),
            task_type: TYPES[self.of_type].to_owned(),
            profile: Profile::Task,
            priority: Priority::new(self.priority).expect("on the scale"),
            labels: self.labels.iter().map(|at| LABELS[*at].into()).collect(),
            cost_units: Some(self.units),
            locks: self.locks.clone(),
            spec: Spec {
                constraints: Constraints {
                    required_capabilities: capabilities.into_iter().collect(),
                    max_cost_usd: self.max_cost.map(Micros),
                    ..Constraints::default()
                },
                ..Spec::default()
            },
            ..NewTask::default()
        }
    }
}

/// One of those that are there, by any number.
pub type Pick = usize;

/// A gate, with graphs by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    PauseNamespace,
    PauseGraph(Pick),
    PauseType(usize),
    PauseLabel(usize),
    PauseAgent(usize),
    LimitNamespace,
    LimitAllButCritical,
    LimitClass(Class),
    LimitSource(usize),
    LimitType(usize),
    LimitLabel(usize),
    LimitAgent(usize),
    BudgetNamespace,
    BudgetEachDay,
    BudgetGraph(Pick),
    BudgetAgent(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Complete,
    Release,
    Fail,
}

#[derive(Debug, Clone)]
pub enum Step {
    /// Each on its own, or together in a graph; from one of the sources.
    Submit {
        plans: Vec<Plan>,
        as_graph: bool,
        source: usize,
    },
    Edit(Pick, Plan),
    Cancel(Pick),
    Claim(usize, i32),
    /// An attempt ends and has cost something. Of an attempt that ended before: said again, or
    /// late.
    End(Pick, End, i64),
    /// Agents are silent for so long that these attempts are lost; the others stay alive.
    Lose(Vec<Pick>),
    /// A late sign of life.
    Resume(Pick),
    Set(Named, i64),
    Raise(Named, i64),
    Remove(Named),
    /// The duty.
    Keep,
    Pass(i64),
}

fn plan() -> impl Strategy<Value = Plan> + Clone {
    let lock = (select(&PATHS[..]), any::<bool>()).prop_map(|(path, shared)| ResourceLock {
        path: path.to_owned(),
        shared,
    });
    (
        select(&PRIORITIES[..]),
        0..TYPES.len(),
        option::weighted(0.4, subsequence(vec![0, 1], 1..=2)),
        1_i64..4,
        option::weighted(0.8, 1_i64..6),
        option::weighted(0.3, vec(lock, 1..3)),
        option::weighted(0.3, Just(())),
    )
        .prop_map(
            |(priority, of_type, labels, units, max_cost, locks, needs_gpu)| {
                let mut locks = locks.unwrap_or_default();
                locks.sort();
                locks.dedup_by(|one, other| one.path == other.path);
                Plan {
                    priority,
                    of_type,
                    labels: labels.unwrap_or_default(),
                    units,
                    max_cost,
                    locks,
                    needs_gpu: needs_gpu.is_some(),
                }
            },
        )
}

fn pause() -> BoxedStrategy<Named> {
    prop_oneof![
        Just(Named::PauseNamespace),
        pick().prop_map(Named::PauseGraph),
        (0..2_usize).prop_map(Named::PauseType),
        (0..2_usize).prop_map(Named::PauseLabel),
        (0..2_usize).prop_map(Named::PauseAgent),
    ]
    .boxed()
}

fn limit() -> BoxedStrategy<Named> {
    let class = select(vec![Class::Critical, Class::Normal, Class::Low]);
    prop_oneof![
        Just(Named::LimitNamespace),
        Just(Named::LimitAllButCritical),
        class.prop_map(Named::LimitClass),
        (0..2_usize).prop_map(Named::LimitSource),
        (0..2_usize).prop_map(Named::LimitType),
        (0..2_usize).prop_map(Named::LimitLabel),
        (0..2_usize).prop_map(Named::LimitAgent),
    ]
    .boxed()
}

fn budget() -> BoxedStrategy<Named> {
    prop_oneof![
        Just(Named::BudgetNamespace),
        Just(Named::BudgetEachDay),
        pick().prop_map(Named::BudgetGraph),
        (0..2_usize).prop_map(Named::BudgetAgent),
    ]
    .boxed()
}

fn pick() -> std::ops::Range<Pick> {
    0..1000
}

pub fn steps() -> BoxedStrategy<Vec<Step>> {
    let submit = (vec(plan(), 1..6), any::<bool>(), 0..SOURCES.len());
    let submit = submit.prop_map(|(plans, as_graph, source)| Step::Submit {
        plans,
        as_graph,
        source,
    });
    let end = select(vec![End::Complete, End::Complete, End::Release, End::Fail]);
    let cost = prop_oneof![3 => 0_i64..4, 1 => Just(8), 1 => Just(100_000)];
    let enough = prop_oneof![4 => 0_i64..12, 1 => Just(100_000), 1 => Just(250_000)];
    let claim = (0..AGENTS.len(), prop_oneof![1..4, Just(50)]);
    let set = prop_oneof![
        2 => (pause(), Just(-1)),
        3 => (limit(), 0_i64..5),
        3 => (budget(), enough),
    ];
    let counted = || prop_oneof![limit(), budget()];
    let later = prop_oneof![
        3 => submit.clone(),
        2 => (pick(), plan()).prop_map(|(task, plan)| Step::Edit(task, plan)),
        1 => pick().prop_map(Step::Cancel),
        8 => claim.prop_map(|(agent, most)| Step::Claim(agent, most)),
        7 => (pick(), end, cost).prop_map(|(lease, end, cost)| Step::End(lease, end, cost)),
        2 => vec(pick(), 1..3).prop_map(Step::Lose),
        2 => pick().prop_map(Step::Resume),
        5 => set.clone().prop_map(|(gate, cap)| Step::Set(gate, cap)),
        1 => (counted(), -2_i64..5).prop_map(|(gate, by)| Step::Raise(gate, by)),
        2 => prop_oneof![pause(), pause(), limit(), budget()].prop_map(Step::Remove),
        3 => Just(Step::Keep),
        2 => prop_oneof![4 => 0_i64..15, 1 => Just(86_400)].prop_map(Step::Pass),
    ];
    let set = set.prop_map(|(gate, cap)| Step::Set(gate, cap));
    (vec(submit, 1..4), vec(set, 1..4), vec(later, 8..30))
        .prop_map(|(submits, gates, later)| [submits, gates, later].concat())
        .boxed()
}
