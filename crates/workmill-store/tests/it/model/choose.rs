//! Which step comes next: random, but with an eye on what the world is like, so that sequences
//! get somewhere instead of being refused all the time.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{Just, Strategy, any};
use proptest::sample::{select, subsequence};
use proptest::strategy::{BoxedStrategy, Union};
use workmill_core::dependency::OnDependencyFailure;
use workmill_core::failure::Reason;
use workmill_core::lifecycle::State;
use workmill_core::policy::{Profile, Strategy as Backoff};
use workmill_store::dispatch::agents::AgentStatus;
use workmill_store::settlement::cancel::CancelMode;
use workmill_store::settlement::dead_letters::Resolution;

use super::step::{Ask, End, Hold, Label, Plan, Step};
use super::world::World;

const AGENTS: u8 = 4;
const SECOND: i64 = 1000;

pub fn step(world: &World) -> BoxedStrategy<Step> {
    let next = world.next_label;
    let unfinished = world
        .tasks
        .values()
        .filter(|task| !task.state.is_finished());
    let room = u32::from(unfinished.count() < 12);
    let in_state = |wanted: fn(State) -> bool| -> Vec<Label> {
        let tasks = world.tasks.iter().filter(|(_, task)| wanted(task.state));
        tasks.map(|(label, _)| *label).collect()
    };
    let all = in_state(|_| true);
    let blocked = in_state(|state| state == State::Blocked);
    let dead = in_state(|state| state == State::DeadLettered);
    let waits_in_vain = world.tasks.values().any(|task| {
        let is_over = task.blocked_until.is_some_and(|until| until <= world.now);
        task.state == State::Blocked && is_over
    });
    let works_in_a_graph = world
        .leases
        .keys()
        .any(|hold| world.tasks[&hold.task].graph.is_some());
    let mut choices: Vec<(u32, BoxedStrategy<Step>)> = vec![
        (5 * room + 1, submit(next)),
        (5 * room + 1, submit_graph(next)),
        (if world.agents.len() < 2 { 20 } else { 2 }, register()),
        (1, set_status()),
        (14, claim()),
        (6, pass()),
        (5, Just(Step::Reap).boxed()),
        (4, Just(Step::Promote).boxed()),
        (
            if waits_in_vain { 12 } else { 1 },
            Just(Step::ExpireBlocks).boxed(),
        ),
        (1, Just(Step::SequenceEvents).boxed()),
        (1, Just(Step::Restart).boxed()),
    ];
    if let Some(hold) = holds(world) {
        choices.push((4, start(hold.clone())));
        choices.push((4, heartbeat(hold.clone())));
        choices.push((12, settle(hold.clone())));
        choices.push((6, settle_and_claim(hold)));
    }
    if let Some(hold) = lost(world) {
        choices.push((
            4,
            (hold.clone(), key())
                .prop_map(|((hold, own), key)| Step::Resume(hold, key.unwrap_or(own)))
                .boxed(),
        ));
        choices.push((5, settle(hold.clone())));
        choices.push((2, settle_and_claim(hold)));
    }
    if !all.is_empty() {
        choices.push((1, some(&all).prop_map(Step::Cancel).boxed()));
        choices.push((1, select(all.clone()).prop_map(Step::Answer).boxed()));
        choices.push((1, resolve(&all)));
    }
    if !blocked.is_empty() {
        choices.push((6, select(blocked).prop_map(Step::Answer).boxed()));
    }
    if !dead.is_empty() {
        choices.push((4, resolve(&dead)));
    }
    if !world.graphs.is_empty() {
        let graphs: Vec<Label> = world.graphs.keys().copied().collect();
        let mode = select(vec![CancelMode::Now, CancelMode::Drain]);
        let cancel = (select(graphs), mode);
        choices.push((
            if works_in_a_graph { 3 } else { 1 },
            cancel
                .prop_map(|(graph, mode)| Step::CancelGraph(graph, mode))
                .boxed(),
        ));
    }
    Union::new_weighted(choices).boxed()
}

/// The steps that a shorter sequence can still take.
pub fn makes_sense(world: &World, step: &Step) -> bool {
    let is_there = |label: &Label| world.tasks.contains_key(label);
    match step {
        // Labels are ids in the order of submission; one submission is never there twice.
        Step::Submit(plans) | Step::SubmitGraph(plans) => {
            plans.iter().all(|plan| plan.label >= world.next_label)
        }
        Step::Start(holds) => holds.iter().all(|(hold, _)| is_there(&hold.task)),
        Step::Heartbeat(beats) => beats.iter().all(|(hold, ..)| is_there(&hold.task)),
        Step::Resume(hold, _) => is_there(&hold.task),
        Step::Settle(endings) | Step::SettleAndClaim(endings, ..) => {
            endings.iter().all(|(hold, ..)| is_there(&hold.task))
        }
        Step::Answer(label) => is_there(label),
        Step::Cancel(labels) | Step::Resolve(labels, _) => labels.iter().all(is_there),
        Step::CancelGraph(graph, _) => world.graphs.contains_key(graph),
        _ => true,
    }
}

/// A lease that is held, or now and then one that never was, with the key of its agent.
fn holds(world: &World) -> Option<BoxedStrategy<(Hold, u8)>> {
    let mut held: Vec<(Hold, u8)> = Vec::new();
    for (hold, lease) in &world.leases {
        let key = world.agents[&lease.agent].key;
        held.extend([(*hold, key), (*hold, key)]);
    }
    if let Some((hold, key)) = held.last().copied() {
        let next = Hold {
            epoch: hold.epoch + 1,
            ..hold
        };
        held.push((next, key));
    }
    (!held.is_empty()).then(|| select(held).boxed())
}

/// A lease that has ended: whoever held it may come back.
fn lost(world: &World) -> Option<BoxedStrategy<(Hold, u8)>> {
    let mut lost: Vec<(Hold, u8)> = Vec::new();
    for (label, task) in &world.tasks {
        for past in &task.ended {
            let hold = Hold {
                task: *label,
                epoch: past.epoch,
            };
            // Who only ran out of time may still have something to say.
            let is_zombie = past.reason.is_some_and(Reason::is_expiry);
            let chances = 1 + usize::from(past.epoch == task.epoch) + 4 * usize::from(is_zombie);
            let key = world.agents[&past.agent].key;
            lost.extend(std::iter::repeat_n((hold, key), chances));
        }
    }
    (!lost.is_empty()).then(|| select(lost).boxed())
}

/// Mostly the agent's own key.
fn key() -> impl Strategy<Value = Option<u8>> {
    select(vec![None, None, None, None, None, None, Some(0), Some(1)])
}

fn plan(label: Label) -> impl Strategy<Value = Plan> {
    let profile = select(vec![
        Profile::Agent,
        Profile::Agent,
        Profile::Task,
        Profile::Workflow,
        Profile::Hub,
        Profile::Work,
    ]);
    let strategy = select(vec![
        Backoff::Exponential,
        Backoff::Quadratic,
        Backoff::Linear,
        Backoff::Fixed,
        Backoff::Immediate,
    ]);
    let seldom = |chance: f64| option::weighted(chance, Just(()));
    let rule = select(OnDependencyFailure::ALL.to_vec());
    (
        (profile, select(vec![0_u8, 5, 20, 45, 46, 90])),
        (option::weighted(0.3, 1..4), option::weighted(0.3, strategy)),
        option::weighted(0.2, select(vec![0, 5 * SECOND, 60 * SECOND])),
        option::weighted(0.2, select(vec![20_u16, 100])),
        (seldom(0.2), seldom(0.2), seldom(0.1)),
        option::weighted(0.7, rule),
    )
        .prop_map(
            move |((profile, priority), (max_attempts, strategy), at, most, seldom, rule)| Plan {
                label,
                profile,
                priority,
                max_attempts,
                strategy,
                retry_on: seldom.2.map(|()| Reason::Crash).into_iter().collect(),
                scheduled_in_ms: at,
                max_duration_sec: most,
                capability: seldom.0.map(|()| "rust"),
                falls_back: seldom.1.is_some(),
                rule,
                depends_on: Vec::new(),
            },
        )
}

fn submit(next: Label) -> BoxedStrategy<Step> {
    let plans = (plan(next), option::of(plan(next + 1)));
    plans
        .prop_map(|(first, second)| Step::Submit(std::iter::once(first).chain(second).collect()))
        .boxed()
}

/// Edges lead from a task to others by a hidden order that is not the order of the ids.
fn submit_graph(next: Label) -> BoxedStrategy<Step> {
    (2_usize..7)
        .prop_flat_map(move |size| {
            let last = next + u32::try_from(size).expect("small");
            let plans: Vec<_> = (next..last).map(plan).collect();
            let order = Just((0..size).collect::<Vec<usize>>()).prop_shuffle();
            let edges = vec(proptest::bool::weighted(0.45), size * size);
            (plans, order, edges).prop_map(move |(mut plans, order, edges)| {
                for (place, plan) in plans.iter_mut().enumerate() {
                    plan.depends_on = (0..size)
                        .filter(|on| order[*on] < order[place] && edges[place * size + on])
                        .collect();
                }
                Step::SubmitGraph(plans)
            })
        })
        .boxed()
}

fn register() -> BoxedStrategy<Step> {
    let capabilities = select(vec![vec![], vec!["rust"], vec!["rust", "sql"]]);
    let models = select(vec![vec![], vec![], vec!["big"], vec!["small", "big"]]);
    (0..AGENTS, key(), 1..4_i32, capabilities, models)
        .prop_map(|(agent, key, slots, capabilities, models)| Step::Register {
            agent,
            key: key.unwrap_or(agent % 2),
            slots,
            capabilities,
            models,
        })
        .boxed()
}

fn set_status() -> BoxedStrategy<Step> {
    let status = select(vec![
        AgentStatus::Active,
        AgentStatus::Active,
        AgentStatus::Draining,
        AgentStatus::Offline,
    ]);
    (0..AGENTS, status)
        .prop_map(|(agent, status)| Step::SetStatus(agent, status))
        .boxed()
}

fn claim() -> BoxedStrategy<Step> {
    let ask = (
        0..AGENTS,
        key(),
        1..4_i32,
        any::<bool>(),
        option::weighted(0.3, 0..4_u8),
    );
    let ask = ask.prop_map(|(agent, key, most, start, request)| Ask {
        agent,
        key: key.unwrap_or(agent % 2),
        most,
        start,
        request,
    });
    vec(ask, 1..4).prop_map(Step::Claim).boxed()
}

fn start(hold: BoxedStrategy<(Hold, u8)>) -> BoxedStrategy<Step> {
    vec((hold, key()), 1..3)
        .prop_map(|holds| {
            let mut holds: Vec<(Hold, u8)> = holds
                .into_iter()
                .map(|((hold, own), key)| (hold, key.unwrap_or(own)))
                .collect();
            once_for_each_task(&mut holds, |(hold, _)| *hold);
            Step::Start(holds)
        })
        .boxed()
}

fn heartbeat(hold: BoxedStrategy<(Hold, u8)>) -> BoxedStrategy<Step> {
    vec((hold, key(), option::of(0..9_u8)), 1..3)
        .prop_map(|beats| {
            let mut beats: Vec<(Hold, u8, Option<u8>)> = beats
                .into_iter()
                .map(|((hold, own), key, checkpoint)| (hold, key.unwrap_or(own), checkpoint))
                .collect();
            once_for_each_task(&mut beats, |(hold, ..)| *hold);
            Step::Heartbeat(beats)
        })
        .boxed()
}

fn settle(hold: BoxedStrategy<(Hold, u8)>) -> BoxedStrategy<Step> {
    endings(hold).prop_map(Step::Settle).boxed()
}

fn settle_and_claim(hold: BoxedStrategy<(Hold, u8)>) -> BoxedStrategy<Step> {
    (endings(hold), 1..3_i32, 0..4_u8)
        .prop_map(|(endings, most, request)| Step::SettleAndClaim(endings, most, request))
        .boxed()
}

fn endings(hold: BoxedStrategy<(Hold, u8)>) -> impl Strategy<Value = Vec<(Hold, u8, End)>> {
    vec((hold, key(), end()), 1..4).prop_map(|endings| {
        let mut endings: Vec<(Hold, u8, End)> = endings
            .into_iter()
            .map(|((hold, own), key, end)| (hold, key.unwrap_or(own), end))
            .collect();
        once_for_each_task(&mut endings, |(hold, ..)| *hold);
        endings
    })
}

fn end() -> impl Strategy<Value = End> {
    let fail = (
        select(Reason::ALL.to_vec()),
        select(vec!["it broke", "it hung"]),
        option::weighted(0.3, select(vec![0, 20 * SECOND])),
    );
    let fail = fail.prop_map(|(reason, message, retry_after_ms)| End::Fail {
        reason,
        message,
        retry_after_ms,
    });
    // A failure that is tried again leads further than one that is not.
    let crash = select(vec!["it broke", "it hung"]).prop_map(|message| End::Fail {
        reason: Reason::Crash,
        message,
        retry_after_ms: None,
    });
    let block = option::of(Just(30 * SECOND)).prop_map(|timeout_ms| End::Block { timeout_ms });
    proptest::prop_oneof![
        5 => (0..3_u8).prop_map(End::Complete),
        3 => fail,
        3 => crash,
        1 => Just(End::Release),
        2 => block,
    ]
}

fn pass() -> BoxedStrategy<Step> {
    select(vec![1, 6, 12, 31, 61, 91, 301, 601, 1801])
        .prop_map(|seconds| Step::Pass(seconds * SECOND))
        .boxed()
}

fn resolve(labels: &[Label]) -> BoxedStrategy<Step> {
    let resolution = select(vec![
        Resolution::Retry,
        Resolution::Retry,
        Resolution::Cancel,
    ]);
    (some(labels), resolution)
        .prop_map(|(labels, resolution)| Step::Resolve(labels, resolution))
        .boxed()
}

/// One or two of them, in order.
fn some(labels: &[Label]) -> BoxedStrategy<Vec<Label>> {
    subsequence(labels.to_vec(), 1..=labels.len().min(2)).boxed()
}

/// The store takes at most one item for each task in a batch.
fn once_for_each_task<T>(items: &mut Vec<T>, hold: fn(&T) -> Hold) {
    let mut seen = Vec::new();
    items.retain(|item| {
        let task = hold(item).task;
        let is_new = !seen.contains(&task);
        seen.push(task);
        is_new
    });
}
