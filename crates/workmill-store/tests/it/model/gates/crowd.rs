//! Many agents on two servers over paths that overlap, some of which die with what they hold.
//!
//! Time is simulated: agents move once a second, the duties with them. What each agent was given
//! and when it let go of it is recorded, from its answer to its last call, so that what overlaps
//! in the record has overlapped in truth.
//!
//! How long a task may wait: until everything that ranked before it when it came has had its
//! time, and then for its patience and one reservation. Work that comes later counts for nothing,
//! however much of it there is.

use std::collections::BTreeMap;

use anyhow::Result;
use futures_util::future::try_join_all;
use proptest::prelude::RngExt;
use proptest::test_runner::{RngAlgorithm, TestRng};
use tokio_postgres::Client;
use workmill_core::ids::{LeaseId, TaskId};
use workmill_core::resource_lock::ResourceLock;
use workmill_core::task::NewTask;
use workmill_store::gates::keep::{LOCK_PATIENCE, LOCK_RESERVATION};
use workmill_testkit::factory::singles;

use super::super::arena::Arena;
use super::super::setting;
use super::races::at_once;
use super::world::conflict;

const AGENTS: usize = 50;

/// Seconds that an attempt takes at most.
const LONGEST: u64 = 3;

/// Seconds after which an agent that is silent counts as dead.
const LEASE: u64 = 8;

/// One in so many attempts dies.
const DIES: u32 = 40;

/// An agent at work.
#[derive(Debug, Clone, Copy)]
struct AtWork {
    lease: LeaseId,
    since: u64,
    /// Never: it is dead.
    until: Option<u64>,
}

struct Task {
    locks: Vec<ResourceLock>,
    came: u64,
    /// How many that were not done ranked before it.
    behind: u64,
    /// When it was first claimed.
    taken: Option<u64>,
    is_done: bool,
}

struct Crowd {
    arena: Arena,
    client: Client,
    random: TestRng,
    paths: Vec<String>,
    now: u64,
    agents: BTreeMap<String, Option<AtWork>>,
    order: Vec<TaskId>,
    tasks: BTreeMap<TaskId, Task>,
    /// Who held what, from when to when.
    history: Vec<(TaskId, u64, u64)>,
    found: Vec<String>,
}

/// Trees of four branches with leaves, so many paths in all.
fn paths(many: usize) -> Vec<String> {
    let leaves = 5;
    let branches = 4;
    let tree = 1 + branches + branches * leaves;
    let path = |number: usize| {
        let (root, rest) = (format!("repo:{}", number / tree), number % tree);
        if rest == 0 {
            return root;
        }
        let (branch, leaf) = ((rest - 1) / (leaves + 1), (rest - 1) % (leaves + 1));
        if leaf == 0 {
            format!("{root}/{branch}")
        } else {
            format!("{root}/{branch}/{leaf}")
        }
    };
    (0..many).map(path).collect()
}

impl Crowd {
    async fn new(many: usize, fault: Option<&'static str>) -> Result<Crowd> {
        let arena = Arena::new(2, fault).await?;
        let client = arena.database.client().await?;
        let agents: Vec<String> = (0..AGENTS)
            .map(|number| format!("agent {number}"))
            .collect();
        for agent in &agents {
            arena.server(0).register(agent, 1).await?;
        }
        Ok(Crowd {
            arena,
            client,
            random: TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]),
            paths: paths(many),
            now: 0,
            agents: agents.into_iter().map(|agent| (agent, None)).collect(),
            order: Vec::new(),
            tasks: BTreeMap::new(),
            history: Vec::new(),
            found: Vec::new(),
        })
    }

    /// New work: mostly leaves, now and then a whole tree.
    async fn submit(&mut self, many: usize) -> Result<()> {
        let mut wanted = Vec::new();
        for _ in 0..many {
            let mut locks = Vec::new();
            for _ in 0..self.random.random_range(1..=2) {
                locks.push(ResourceLock {
                    path: self.paths[self.random.random_range(0..self.paths.len())].clone(),
                    shared: self.random.random_range(0..4) == 0,
                });
            }
            locks.dedup_by(|one, other| one.path == other.path);
            wanted.push(NewTask {
                locks,
                lease_sec: Some(8.0),
                ..at_once("work")
            });
        }
        let submitted = self.arena.server(0).submit(singles(&wanted)).await?;
        for (task, id) in wanted.into_iter().zip(submitted.tasks) {
            let behind = self.tasks.values().filter(|task| !task.is_done).count();
            let task = Task {
                locks: task.locks,
                came: self.now,
                behind: u64::try_from(behind)?,
                taken: None,
                is_done: false,
            };
            self.tasks.insert(id, task);
            self.order.push(id);
        }
        Ok(())
    }

    /// One second: those who are ready complete, the idle ask, all at once; then the duties.
    async fn tick(&mut self) -> Result<()> {
        let ending: Vec<(String, AtWork)> = self
            .agents
            .iter()
            .filter_map(|(agent, at_work)| at_work.map(|at_work| (agent.clone(), at_work)))
            .filter(|(_, at_work)| at_work.until.is_some_and(|until| until <= self.now))
            .collect();
        let idle: Vec<String> = self
            .agents
            .iter()
            .filter(|(_, at_work)| at_work.is_none())
            .map(|(agent, _)| agent.clone())
            .collect();
        for (agent, at_work) in &ending {
            self.let_go(agent, *at_work);
        }
        let leases: Vec<LeaseId> = ending.iter().map(|(_, at_work)| at_work.lease).collect();
        let completing = leases.chunks(4).enumerate();
        let completing = completing.map(|(nth, some)| self.arena.server(nth).complete(some));
        let asking = idle.chunks(7).enumerate();
        let asking = asking.map(|(nth, some)| self.arena.server(nth + 1).claim_for(some));
        let (completed, given) = tokio::join!(try_join_all(completing), try_join_all(asking));
        for answer in completed?.into_iter().flatten() {
            assert!(answer.is_ok(), "it was alive: {answer:?}");
        }
        for lease in leases {
            self.tasks
                .get_mut(&lease.task)
                .expect("it is there")
                .is_done = true;
        }
        for (agent, lease) in given?.into_iter().flatten() {
            self.begin(&agent, lease);
        }
        self.look().await?;
        self.now += 1;
        self.arena.pass(1);
        self.bury();
        let (here, there) = tokio::join!(self.arena.server(0).reap(), self.arena.server(1).reap());
        here?;
        there?;
        let report = self.arena.server(0).keep_gates().await?;
        if report.mended > 0 {
            self.found.push(format!("the duty found {report:?}"));
        }
        Ok(())
    }

    fn begin(&mut self, agent: &str, lease: LeaseId) {
        let lasts = self.random.random_range(1..=LONGEST);
        let dies = self.random.random_range(0..DIES) == 0;
        let at_work = AtWork {
            lease,
            since: self.now,
            until: (!dies).then_some(self.now + lasts),
        };
        self.agents.insert(agent.to_owned(), Some(at_work));
        let task = self.tasks.get_mut(&lease.task).expect("it is there");
        task.taken.get_or_insert(self.now);
    }

    fn let_go(&mut self, agent: &str, at_work: AtWork) {
        let held = (at_work.lease.task, at_work.since, self.now);
        self.history.push(held);
        self.agents.insert(agent.to_owned(), None);
    }

    /// Those who have died let go when their lease has run out; others take their places.
    fn bury(&mut self) {
        let dead = self.agents.iter().filter_map(|(agent, at_work)| {
            let at_work = at_work.filter(|at_work| at_work.until.is_none())?;
            (at_work.since + LEASE <= self.now).then(|| (agent.clone(), at_work))
        });
        for (agent, at_work) in dead.collect::<Vec<_>>() {
            self.let_go(&agent, at_work);
        }
    }

    /// In no moment do two hold what conflicts.
    async fn look(&mut self) -> Result<()> {
        let held = "select task, path, is_shared from workmill.held_lock where ns = $1";
        let held = self.client.query(held, &[&self.arena.ns.0]).await?;
        let held: Vec<(TaskId, ResourceLock)> = held
            .iter()
            .map(|row| {
                let (path, shared) = (row.get(1), row.get(2));
                (TaskId(row.get(0)), ResourceLock { path, shared })
            })
            .collect();
        for (nth, (task, lock)) in held.iter().enumerate() {
            let mut others = held[nth + 1..].iter().filter(|(other, _)| other != task);
            if let Some((other, _)) = others.find(|(_, other)| conflict(lock, other)) {
                let found = format!("{task} and {other} hold {} at {}", lock.path, self.now);
                self.found.push(found);
            }
        }
        Ok(())
    }

    /// What the record shows.
    fn judge(&mut self) {
        self.history.sort_by_key(|(_, from, _)| *from);
        for (nth, (task, from, to)) in self.history.iter().enumerate() {
            let later = self.history[nth + 1..].iter();
            // Sorted: nobody behind the first who began after it let go has met it.
            for (other, begun, _) in later.take_while(|(_, begun, _)| begun < to) {
                let (one, two) = (&self.tasks[task].locks, &self.tasks[other].locks);
                let collide = one
                    .iter()
                    .any(|lock| two.iter().any(|held| conflict(lock, held)));
                if collide && task != other {
                    let found = format!("{task} from {from} to {to}, {other} from {begun}");
                    self.found.push(found);
                }
            }
        }
        let grace = (LOCK_PATIENCE + LOCK_RESERVATION).as_secs().unsigned_abs();
        let (mut longest, mut closest) = (0, 0.0_f64);
        for (id, task) in &self.tasks {
            let waited = task.taken.unwrap_or(self.now) - task.came;
            let bound = grace + (task.behind + 1) * (LEASE + 1);
            if waited > bound || !task.is_done {
                self.found.push(format!(
                    "{id} waited {waited} s behind {}, done: {}",
                    task.behind, task.is_done
                ));
            }
            longest = longest.max(waited);
            #[expect(clippy::cast_precision_loss, reason = "a share for people")]
            let share = waited as f64 / bound as f64;
            closest = closest.max(share);
        }
        println!(
            "{} tasks in {} s, {} attempts, the longest wait {longest} s, at most {closest:.2} of the bound",
            self.order.len(),
            self.now,
            self.history.len()
        );
    }
}

/// So many tasks over so many paths, as many of them each second as can be done.
pub async fn work_over(
    tasks: usize,
    paths: usize,
    fault: Option<&'static str>,
) -> Result<Vec<String>> {
    let mut crowd = Crowd::new(paths, fault).await?;
    let (mut left, mut quiet) = (tasks, 0);
    // Nobody gets anything for longer than any lease and any reservation: it is stuck.
    while quiet < 200 && crowd.found.is_empty() {
        let some = left.min(paths / 30);
        left -= some;
        if some > 0 {
            crowd.submit(some).await?;
        }
        let before = crowd.history.len();
        crowd.tick().await?;
        quiet = if crowd.history.len() > before {
            0
        } else {
            quiet + 1
        };
        if left == 0 && crowd.tasks.values().all(|task| task.is_done) {
            break;
        }
    }
    crowd.judge();
    let mut found = crowd.found;
    found.extend(crowd.arena.verdict().await?);
    Ok(found)
}

/// F-18 A-11: with `WORKMILL_GRAPH_TASKS` as many tasks, over 200 paths.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_two_hold_what_conflicts_all_is_done_and_nobody_waits_beyond_the_bound() -> Result<()> {
    let tasks = usize::try_from(setting("WORKMILL_GRAPH_TASKS", 500))?;
    let paths = if tasks > 500 { 200 } else { 60 };
    assert_eq!(work_over(tasks, paths, None).await?, [""; 0]);
    Ok(())
}
