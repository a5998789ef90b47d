//! A run: engines and a PostgreSQL under load are killed and started again, then left to finish.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use futures_util::future::{join, join_all};
use nix::sys::signal::Signal;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::{Instant, sleep, timeout};
use tokio_postgres::Client;
use workmill_core::gate::{Gate, Limited, Purse};
use workmill_core::ids::Namespace;
use workmill_store::access::EnsureNamespace;
use workmill_store::events::SequenceEvents;
use workmill_store::gates::change::{ChangeGates, GateChange, PATIENCE};
use workmill_store::gates::keep::KeepGates;
use workmill_store::upkeep::consistency::{Mend, Place};
use workmill_store::{Store, migrate};
use workmill_testkit::chance::Chance;
use workmill_testkit::database::connect;
use workmill_testkit::invariants;
use workmill_testkit::proxy::Proxy;

use super::acknowledged::Acknowledged;
use super::client::Stage;
use super::engine_process::Order;
use super::engines::Engines;
use super::postgres::Postgres;
use super::stored::Stored;
use super::{agents, submitters};

const ENGINES: usize = 2;

/// Nothing here takes this long on the slowest machine.
const FAR_TOO_LONG: Duration = Duration::from_mins(2);

/// With agents that work, some task ends within this time: longer than a reservation of locks.
const STANDSTILL: Duration = Duration::from_secs(90);

/// Who is killed, or hurt in another way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Victim {
    OneEngine,
    Postgres,
    Everything,
    /// A commit of an engine that never hears of it.
    CommitReply,
    /// An engine that is stopped in the middle of its transactions and goes on later.
    StoppedEngine,
}

impl Victim {
    pub const ALL: [Victim; 5] = [
        Victim::OneEngine,
        Victim::Postgres,
        Victim::Everything,
        Victim::CommitReply,
        Victim::StoppedEngine,
    ];
}

pub struct Run {
    pub stage: Arc<Stage>,
    postgres: Arc<Postgres>,
    /// Between the engines and PostgreSQL.
    proxy: Proxy,
    store: Store,
    pub ns: Namespace,
    chance: Chance,
    submitters: Vec<JoinHandle<()>>,
    agents: Vec<JoinHandle<()>>,
    /// What was wrong in the middle of it.
    found: Vec<String>,
}

/// A run that has come to its end.
pub struct Finished {
    pub stage: Arc<Stage>,
    pub told: Acknowledged,
    pub stored: Stored,
    /// What is wrong with the rows, whatever anybody was told.
    pub found: Vec<String>,
}

/// Few enough that they stop somebody now and then.
async fn set_up_gates(store: &Store, ns: Namespace) -> Result<()> {
    let set = |gate: Gate, cap: i64| GateChange::Set {
        gate,
        cap,
        note: None,
        time_zone: None,
    };
    let changes = [
        set(Gate::Limit(Limited::Namespace), 24),
        set(Gate::Limit(Limited::Label("busy".to_owned())), 6),
        set(Gate::Budget(Purse::Namespace), 1_000_000_000_000),
    ];
    let operation = ChangeGates {
        ns,
        by: "test",
        changes: &changes,
        patience: PATIENCE,
    };
    let (answer, _) = store.change_gates(None, &operation).await?;
    ensure!(answer.is_ok(), "the gates are not set up");
    Ok(())
}

/// Attempts in graphs with a budget that have reserved nothing of it.
async fn attempts_beside_budgets(
    client: &Client,
    store: &Store,
    ns: Namespace,
) -> Result<Vec<String>> {
    let statement = "select l.task::text
         from workmill.lease l
         join workmill.state s on s.ns = l.ns and s.task = l.task
         left join workmill.hold h on h.ns = l.ns and h.task = l.task and h.epoch = l.epoch
         where l.ns = $1 and s.graph = $2 and coalesce($3 <> all (h.gates), true)";
    let mut found = Vec::new();
    for view in store.find_gates(ns).await? {
        let Gate::Budget(Purse::Graph(graph)) = view.gate else {
            continue;
        };
        let gate = view.gate.to_string();
        for row in client.query(statement, &[&ns.0, &graph.0, &gate]).await? {
            let task: String = row.get(0);
            found.push(format!("{task} has reserved nothing of {gate}"));
        }
    }
    Ok(found)
}

impl Run {
    pub async fn start(seed: u64, fault: Option<&str>) -> Result<Run> {
        let postgres = Arc::new(spawn_blocking(Postgres::start).await??);
        let url = postgres.url();
        migrate::migrate(&url).await?;
        let store = Store::new(&url, 2)?;
        let (ns, _) = store.run(&EnsureNamespace { name: "crash" }).await?;
        set_up_gates(&store, ns).await?;
        let proxy = Proxy::in_front_of(&url).await?;
        let order = Order {
            url: proxy.url().to_owned(),
            ns: ns.0,
            fault: fault.map(str::to_owned),
        };
        let stage = Arc::new(Stage::new(Engines::start(order, ENGINES)?));
        let submitters = (0..submitters::SUBMITTERS)
            .map(|number| tokio::spawn(submitters::submit(Arc::clone(&stage), number, seed)));
        let agents = (0..agents::AGENTS)
            .map(|number| tokio::spawn(agents::live(Arc::clone(&stage), number, seed)));
        Ok(Run {
            submitters: submitters.collect(),
            agents: agents.collect(),
            stage,
            postgres,
            proxy,
            store,
            ns,
            chance: Chance(seed),
            found: Vec::new(),
        })
    }

    pub fn url(&self) -> String {
        self.postgres.url()
    }

    /// Kills at a random moment under load, starts what was killed again, and looks at the rows.
    pub async fn kill(&mut self, victim: Victim) -> Result<()> {
        let place = self.chance.place(ENGINES);
        self.wait_for_a_moment(place).await?;
        let engines = &self.stage.engines;
        match victim {
            Victim::OneEngine => {
                engines.kill(place).await?;
                engines.start_again(place).await?;
            }
            Victim::Postgres => {
                self.kill_postgres().await?;
                self.start_postgres_again().await?;
            }
            Victim::Everything => {
                let killed = join_all((0..ENGINES).map(|place| engines.kill(place)));
                let (killed, postgres_killed) = join(killed, self.kill_postgres()).await;
                postgres_killed?;
                killed.into_iter().collect::<Result<()>>()?;
                // They come back before it does.
                for place in 0..ENGINES {
                    engines.start_again(place).await?;
                }
                self.start_postgres_again().await?;
            }
            Victim::CommitReply => self.lose_a_commit().await?,
            Victim::StoppedEngine => {
                engines.signal(place, Signal::SIGSTOP).await?;
                sleep(Duration::from_millis(self.chance.below(500))).await;
                engines.signal(place, Signal::SIGCONT).await?;
            }
        }
        let client = connect(&self.postgres.url()).await?;
        let found = invariants::violations(&client, self.ns.0).await?;
        self.found.extend(found);
        let found = attempts_beside_budgets(&client, &self.store, self.ns).await?;
        self.found.extend(found);
        Ok(())
    }

    /// A number of answers and a moment that chance decides, with calls under way.
    async fn wait_for_a_moment(&mut self, place: usize) -> Result<()> {
        let mut answers = self.stage.answers.subscribe();
        let until = *answers.borrow() + 20 + self.chance.below(100);
        let heard = answers.wait_for(|answers| *answers >= until);
        timeout(FAR_TOO_LONG, heard)
            .await
            .context("the load stands still")??;
        sleep(Duration::from_micros(self.chance.below(20_000))).await;
        let engines = &self.stage.engines;
        let deadline = Instant::now() + FAR_TOO_LONG;
        while engines.calls_under_way(place) == 0 {
            if Instant::now() > deadline {
                bail!("nobody calls");
            }
            sleep(Duration::from_micros(100)).await;
        }
        Ok(())
    }

    async fn lose_a_commit(&self) -> Result<()> {
        self.proxy.lose_a_commit();
        let deadline = Instant::now() + FAR_TOO_LONG;
        while self.proxy.will_lose_a_commit() {
            if Instant::now() > deadline {
                bail!("nothing is committed");
            }
            sleep(Duration::from_millis(1)).await;
        }
        Ok(())
    }

    async fn kill_postgres(&self) -> Result<()> {
        let postgres = Arc::clone(&self.postgres);
        spawn_blocking(move || postgres.kill()).await?
    }

    async fn start_postgres_again(&self) -> Result<()> {
        let postgres = Arc::clone(&self.postgres);
        spawn_blocking(move || postgres.start_again()).await?
    }

    /// Submits nothing more, lets everything come to its end, and reads what there is.
    pub async fn finish(mut self) -> Result<Finished> {
        self.stage.hunger.close();
        for submitter in self.submitters.drain(..) {
            timeout(FAR_TOO_LONG, submitter)
                .await
                .context("a submission is never answered")??;
        }
        self.wait_until_all_has_ended().await?;
        self.stage.is_over.store(true, Ordering::SeqCst);
        for agent in self.agents.drain(..) {
            timeout(FAR_TOO_LONG, agent)
                .await
                .context("an agent is never answered")??;
        }
        let mut found = std::mem::take(&mut self.found);
        for place in 0..ENGINES {
            self.stage.engines.kill(place).await?;
        }
        found.extend(self.stage.engines.complaints());
        self.sequence_events().await?;
        found.extend(self.sweep().await?);
        found.extend(self.look_at_gates().await?);
        let client = connect(&self.postgres.url()).await?;
        found.extend(invariants::violations(&client, self.ns.0).await?);
        found.extend(invariants::events_without_place(&client, self.ns.0).await?);
        Ok(Finished {
            told: self.stage.note(|told| told.clone()),
            stored: Stored::read(&client, &self.store, self.ns).await?,
            stage: self.stage,
            found,
        })
    }

    /// Returns when all tasks have ended, or when none has ended for a while; the checker finds what is
    /// left. How long it takes in all depends on how much waits for the same lock.
    async fn wait_until_all_has_ended(&self) -> Result<()> {
        let client = connect(&self.postgres.url()).await?;
        let unfinished = "select count(*) from workmill.state
                          where ns = $1 and state not in (8, 9, 10, 11)";
        let (mut fewest, mut fell_at) = (i64::MAX, Instant::now());
        while fell_at.elapsed() < STANDSTILL {
            let left = client.query_one(unfinished, &[&self.ns.0]).await?;
            let left: i64 = left.get(0);
            if left == 0 {
                return Ok(());
            }
            if left < fewest {
                (fewest, fell_at) = (left, Instant::now());
            }
            sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }

    /// A killed engine's turn at it may still be under way.
    async fn sequence_events(&self) -> Result<()> {
        let operation = SequenceEvents {
            ns: self.ns,
            most: i64::MAX,
        };
        let deadline = Instant::now() + FAR_TOO_LONG;
        while self.store.run(&operation).await?.0 != Some(0) {
            if Instant::now() > deadline {
                bail!("events get no place");
            }
            sleep(Duration::from_millis(1)).await;
        }
        Ok(())
    }

    /// Everything has ended, so nothing is held any more.
    async fn look_at_gates(&self) -> Result<Vec<String>> {
        let operation = KeepGates {
            ns: self.ns,
            reconciles: true,
        };
        let (kept, _) = self.store.run(&operation).await?;
        let mut found = Vec::new();
        if kept.mended > 0 {
            found.push(format!("gates disagree with what runs: {kept:?}"));
        }
        let gates = self.store.find_gates(self.ns).await?;
        let held = gates.iter().filter(|gate| gate.used != gate.spent);
        found.extend(held.map(|gate| format!("held by nobody: {gate:?}")));
        Ok(found)
    }

    /// What the consistency sweep would mend.
    async fn sweep(&self) -> Result<Vec<String>> {
        let mut found = Vec::new();
        let mut next = Some(Place::FIRST);
        while let Some(after) = next {
            let page = self.store.find_disagreements(after, 1000).await?;
            next = page.next;
            for (ns, tasks) in page.suspects {
                let words = format!("rows disagree: {tasks:?}");
                let (mended, _) = self.store.run(&Mend { ns, tasks }).await?;
                found.push(format!("{words}; {mended} were mended"));
            }
        }
        Ok(found)
    }
}
