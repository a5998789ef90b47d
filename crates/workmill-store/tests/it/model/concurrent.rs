//! Many at once: agents on several servers claim, complete, fail, ask, vanish and come back,
//! their calls are cut off in the middle, people cancel, answer and revive, time passes and two
//! servers run the duties against each other. A watcher looks at the rows all the while. In the
//! end somebody finishes what is left, and the [`History`] is checked.

mod stage;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::Result;
use workmill_core::dependency::OnDependencyFailure;
use workmill_core::failure::Reason;
use workmill_core::ids::{LeaseId, TaskId};
use workmill_core::lifecycle::State;
use workmill_store::intake::TaskDraft;
use workmill_store::intake::spawn::Spawn;
use workmill_store::intake::spawning::SpawnLimits;
use workmill_store::intake::submit::Idempotency;
use workmill_store::settlement::{Ending, WaitsFor};
use workmill_testkit::chance::Chance;
use workmill_testkit::factory::{draft, task};
use workmill_testkit::history::{History, Rows, count};

use super::arena::{KEY, Server};
use super::{invariants, setting};
use stage::{Stage, set_the_stage};

const AGENTS: u64 = 6;

/// An agent that does many things, some of them badly.
async fn live(stage: Arc<Stage>, number: u64, seed: u64) -> Result<()> {
    let mut chance = Chance(seed ^ (number << 32));
    let server = Arc::clone(stage.arena.server(usize::try_from(number)?));
    let name = format!("agent {number}");
    server.register(&name, 3).await?;
    let mut forgotten: Vec<LeaseId> = Vec::new();
    for _ in 0..60 {
        if chance.one_in(3)
            && let Some(lease) = chance.pick(&forgotten)
        {
            Box::pin(come_back(&stage, &server, &mut chance, lease)).await?;
        }
        let asked = stage.history.moment();
        let most = i32::try_from(1 + chance.below(3))?;
        let claimed = stage.call(&mut chance, server.claim(&name, most)).await?;
        let Some(leases) = claimed else { continue };
        stage.history.note(&stage.history.claims, asked, &leases);
        for lease in leases {
            if chance.one_in(4) {
                forgotten.push(lease);
            } else {
                work_on(&stage, &server, &mut chance, lease).await?;
            }
        }
        tokio::task::yield_now().await;
    }
    for lease in forgotten {
        Box::pin(come_back(&stage, &server, &mut chance, lease)).await?;
    }
    Ok(())
}

async fn complete(
    stage: &Stage,
    server: &Server,
    chance: &mut Chance,
    lease: LeaseId,
) -> Result<()> {
    let asked = stage.history.moment();
    let leases = [lease];
    let answer = stage.call(chance, server.complete(&leases)).await?;
    match answer.and_then(|mut answers| answers.pop()) {
        None => {}
        Some(Err(_)) => count(&stage.history.counts.refused, 1),
        Some(Ok(settled)) if settled.is_repeat => {}
        Some(Ok(_)) => stage
            .history
            .note(&stage.history.completions, asked, &leases),
    }
    Ok(())
}

async fn work_on(
    stage: &Stage,
    server: &Server,
    chance: &mut Chance,
    lease: LeaseId,
) -> Result<()> {
    if chance.one_in(4) {
        stage.call(chance, server.heartbeat(lease)).await?;
    }
    if chance.one_in(6) {
        Box::pin(spawn(stage, server, chance, lease)).await?;
    }
    let fail = |reason, retry_after_ms| Ending::Fail {
        reason,
        message: "it broke".to_owned(),
        details: None,
        retry_after_ms,
    };
    let ending = match chance.below(20) {
        0..=2 => fail(Reason::Crash, None),
        3 => fail(Reason::RateLimit, Some(5000)),
        4 => Ending::Release,
        5 => Ending::Block {
            waits_for: WaitsFor::Input,
            question: None,
            timeout_ms: Some(20_000),
        },
        6 => fail(Reason::InvalidInput, None),
        _ => return complete(stage, server, chance, lease).await,
    };
    let answer = stage.call(chance, server.end(lease, ending)).await?;
    if let Some(Err(_)) = answer {
        count(&stage.history.counts.refused, 1);
    }
    Ok(())
}

/// Spawns a task under a key of the call or of the task. The first reply is withheld: only a repeated
/// call is believed.
async fn spawn(stage: &Stage, server: &Server, chance: &mut Chance, lease: LeaseId) -> Result<()> {
    let idempotency = Idempotency {
        key: format!("{lease} spawns {}", chance.below(u64::MAX)),
        digest: vec![1],
    };
    let is_of_call = chance.one_in(2);
    let child = TaskDraft {
        idempotency: Some(idempotency.clone()).filter(|_| !is_of_call),
        ..draft(&task("spawned"))
    };
    let operation = Spawn {
        ns: stage.arena.ns,
        key: KEY,
        lease,
        created_by: "concurrent",
        tasks: &[child],
        wait: false,
        idempotency: Some(&idempotency).filter(|_| is_of_call),
        limits: SpawnLimits::Unlimited,
    };
    let mut is_believed = false;
    loop {
        let call = Box::pin(server.store.run(&operation));
        let Some((answer, _)) = stage.call(chance, call).await? else {
            continue;
        };
        if !std::mem::replace(&mut is_believed, true) {
            continue;
        }
        // Without it, the lease was lost and nothing was spawned.
        for child in answer.map(|grown| grown.tasks).unwrap_or_default() {
            let mut spawned = stage.spawned.lock().expect("nobody panicked");
            spawned.insert(child, (OnDependencyFailure::Default, Vec::new()));
        }
        return Ok(());
    }
}

/// A zombie: it does not know that it was given up.
async fn come_back(
    stage: &Stage,
    server: &Server,
    chance: &mut Chance,
    lease: LeaseId,
) -> Result<()> {
    if chance.one_in(3)
        && let Some(is_resumed) = stage.call(chance, Box::pin(server.resume(lease))).await?
    {
        count(&stage.history.counts.resumed, usize::from(is_resumed));
    }
    complete(stage, server, chance, lease).await
}

/// The duties of one server, while time passes in leaps.
async fn keep_up(stage: Arc<Stage>, number: usize, seed: u64) -> Result<()> {
    let mut chance = Chance(seed);
    let server = Arc::clone(stage.arena.server(number));
    while !stage.is_over.load(Ordering::SeqCst) {
        stage.arena.pass(i64::try_from(chance.below(15))?);
        if let Some(reaped) = stage.call(&mut chance, server.reap()).await? {
            count(&stage.history.counts.expired, reaped);
        }
        stage.call(&mut chance, Box::pin(server.promote())).await?;
        stage.call(&mut chance, server.expire_blocks()).await?;
        stage.call(&mut chance, server.sequence_events()).await?;
    }
    Ok(())
}

/// People: they cancel, answer and revive, whatever the task is doing.
async fn meddle(stage: Arc<Stage>, seed: u64) -> Result<()> {
    let mut chance = Chance(seed);
    let server = Arc::clone(stage.arena.server(0));
    while !stage.is_over.load(Ordering::SeqCst) {
        let task = chance.pick(&stage.tasks).expect("there are tasks");
        match chance.below(12) {
            0 => {
                stage.call(&mut chance, server.cancel(task)).await?;
            }
            1 if chance.one_in(6) => {
                let graph = chance.pick(&stage.graph_ids).expect("there are graphs");
                stage.call(&mut chance, server.drain(graph)).await?;
            }
            2..=6 => {
                stage.call(&mut chance, server.answer(task)).await?;
            }
            _ => {
                stage.call(&mut chance, server.revive(vec![task])).await?;
            }
        }
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
    Ok(())
}

/// What holds at any moment holds at every moment somebody looks.
async fn watch(stage: Arc<Stage>) -> Result<Vec<String>> {
    let client = stage.arena.database.client().await?;
    while !stage.is_over.load(Ordering::SeqCst) {
        let found = invariants::violations(&client, stage.arena.ns.0).await?;
        if !found.is_empty() {
            return Ok(found);
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    Ok(vec![])
}

/// Finishes what is left: nothing may be out of reach.
async fn finish(stage: &Stage) -> Result<()> {
    let server = stage.arena.server(0);
    let client = stage.arena.database.client().await?;
    server.register("closer", 1000).await?;
    let ids = "select task, state from workmill.state where state in (6, 9)";
    for _ in 0..60 {
        stage.arena.pass(2000);
        server.reap().await?;
        server.promote().await?;
        for row in client.query(ids, &[]).await? {
            let task = TaskId(row.get(0));
            if row.get::<_, i16>(1) == 6 {
                server.answer(task).await?;
            } else {
                server.revive(vec![task]).await?;
            }
        }
        let asked = stage.history.moment();
        let leases = server.claim("closer", 500).await?;
        stage.history.note(&stage.history.claims, asked, &leases);
        let asked = stage.history.moment();
        if !leases.is_empty() {
            server.complete(&leases).await?;
            let completions = &stage.history.completions;
            stage.history.note(completions, asked, &leases);
        }
    }
    server.sequence_events().await?;
    Ok(())
}

/// One run: what cannot be true of it, and how much happened in it.
pub struct Played {
    pub found: Vec<String>,
    happened: Happened,
}

/// Plays one run.
pub async fn play(seed: u64, fault: Option<&'static str>) -> Result<Played> {
    let stage = Arc::new(set_the_stage(seed, fault).await?);
    let watching = tokio::spawn(watch(Arc::clone(&stage)));
    let mut helping = vec![tokio::spawn(meddle(Arc::clone(&stage), seed))];
    for number in 0..2 {
        helping.push(tokio::spawn(keep_up(Arc::clone(&stage), number, seed)));
    }
    let agents: Vec<_> = (1..=AGENTS)
        .map(|number| tokio::spawn(live(Arc::clone(&stage), number, seed)))
        .collect();
    let mut found = Vec::new();
    for agent in agents {
        if let Err(error) = agent.await? {
            found.push(format!("an agent was told: {error:#}"));
        }
    }
    stage.is_over.store(true, Ordering::SeqCst);
    for helper in helping {
        if let Err(error) = helper.await? {
            found.push(format!("a duty failed: {error:#}"));
        }
    }
    found.extend(watching.await??);
    if found.is_empty() {
        finish(&stage).await?;
        found = verdict(&stage).await?;
    }
    let happened = Happened::of(&stage.history);
    Ok(Played { found, happened })
}

/// What cannot be true of a run that was finished.
async fn verdict(stage: &Stage) -> Result<Vec<String>> {
    let server = stage.arena.server(0);
    let batches = server
        .store
        .read_events(stage.arena.ns, 0, 1_000_000)
        .await?;
    let events: Vec<_> = batches.into_iter().flat_map(|batch| batch.facts).collect();
    let client = stage.arena.database.client().await?;
    let ns = stage.arena.ns.0;
    let rows = Rows::read(&client, ns).await?;
    let mut told = stage.graphs.clone();
    told.extend(stage.spawned.lock().expect("nobody panicked").clone());
    let mut found = stage
        .history
        .check(&rows, &told, &events, State::is_finished);
    let untold = rows.states.keys().filter(|task| !told.contains_key(task));
    found.extend(untold.map(|task| format!("{task} is there and nobody was told")));
    found.extend(stage.arena.verdict().await?);
    Ok(found)
}

/// How much happened: runs in which little did show little.
#[derive(Debug, Default, Clone, Copy)]
struct Happened {
    claims: usize,
    completions: usize,
    expired: usize,
    refused: usize,
    killed: usize,
}

impl Happened {
    const ENOUGH: Self = Self {
        claims: 200,
        completions: 100,
        expired: 10,
        refused: 10,
        killed: 40,
    };

    fn of(history: &History) -> Self {
        let lock = "nobody panicked";
        let counted = |counter: &AtomicUsize| counter.load(Ordering::SeqCst);
        Self {
            claims: history.claims.lock().expect(lock).len(),
            completions: history.completions.lock().expect(lock).len(),
            expired: counted(&history.counts.expired),
            refused: counted(&history.counts.refused),
            killed: counted(&history.counts.killed),
        }
    }

    fn with(self, other: Self) -> Self {
        Self {
            claims: self.claims + other.claims,
            completions: self.completions + other.completions,
            expired: self.expired + other.expired,
            refused: self.refused + other.refused,
            killed: self.killed + other.killed,
        }
    }

    fn is_enough(self) -> bool {
        self.claims >= Self::ENOUGH.claims
            && self.completions >= Self::ENOUGH.completions
            && self.expired >= Self::ENOUGH.expired
            && self.refused >= Self::ENOUGH.refused
            && self.killed >= Self::ENOUGH.killed
    }
}

/// Chance and the machine decide how much happens in one run, so runs are added until it is
/// enough.
///
/// F-1 F-9 (part) F-16 T-12 A-11
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_at_once_lose_nothing_and_nothing_counts_twice() -> Result<()> {
    let least_runs = u64::from(setting("WORKMILL_RACES", 1)) * 2;
    let mut happened = Happened::default();
    for run in 0..least_runs + 20 {
        let played = play(100 + run, None).await?;
        assert_eq!(played.found, [""; 0]);
        happened = happened.with(played.happened);
        if run + 1 >= least_runs && happened.is_enough() {
            println!("{happened:?}");
            return Ok(());
        }
    }
    panic!("too little happened: {happened:?}");
}
