//! Takes the steps on a real store and in the plain world, and compares them after each.

mod changes;
mod endings;
mod rows;
mod waiting;

use anyhow::{Result, bail, ensure};
use jiff::SignedDuration;
use tokio_postgres::Client;
use workmill_core::agent::DEFAULT_POLL_INTERVAL_MS;
use workmill_core::gate::{Gate, Limited, Paused, Purse};
use workmill_core::ids::{LeaseId, Namespace};
use workmill_store::Store;
use workmill_store::access::EnsureNamespace;
use workmill_store::clock::ManualClock;
use workmill_store::dispatch::agents::RegisterAgent;
use workmill_store::dispatch::claim::{Claim, ClaimRequest};
use workmill_store::gates::keep::{KeepGates, Report};
use workmill_testkit::invariants;

use super::step::{AGENTS, LABELS, Named, Pick, SOURCES, Step, TYPES};
use super::world::{Life, Place, Verdict, World};
use crate::actors::KEY;
use rows::Rows;

const SLOTS: i32 = 1000;

/// A task, and what it waits for.
type Waiting = (Place, (Gate, i64));

pub struct Stage<'a> {
    store: &'a Store,
    clock: &'a ManualClock,
    client: &'a Client,
    ns: Namespace,
    world: World,
    rows: Rows,
    /// How many tasks have been claimed.
    pub claimed: usize,
}

impl<'a> Stage<'a> {
    /// A namespace of its own.
    pub async fn new(
        store: &'a Store,
        clock: &'a ManualClock,
        client: &'a Client,
        namespace: &str,
    ) -> Result<Stage<'a>> {
        let (ns, _) = store.run(&EnsureNamespace { name: namespace }).await?;
        for (agent, capabilities) in AGENTS {
            let operation = RegisterAgent {
                ns,
                key: KEY,
                agent,
                agent_type: "",
                capabilities: capabilities.iter().map(ToString::to_string).collect(),
                models: vec![],
                slots: SLOTS,
                poll_interval_ms: DEFAULT_POLL_INTERVAL_MS,
                task_types: Vec::new(),
                is_by_hand: false,
                claim_ttl_ms: None,
            };
            store.run(&operation).await?.0.expect("registered");
        }
        Ok(Stage {
            store,
            clock,
            client,
            ns,
            world: World::default(),
            rows: Rows::default(),
            claimed: 0,
        })
    }

    /// The duties look over all namespaces; they need not look at this one any more.
    pub async fn leave(self) -> Result<()> {
        let forget = "delete from workmill.anchor where ns = $1";
        self.client.execute(forget, &[&self.ns.0]).await?;
        Ok(())
    }

    pub async fn take(&mut self, step: &Step) -> Result<()> {
        match step {
            Step::Submit {
                plans,
                as_graph,
                source,
            } => self.submit(plans, *as_graph, *source).await?,
            Step::Edit(task, plan) => self.edit(*task, plan).await?,
            Step::Cancel(task) => self.cancel(*task).await?,
            Step::Claim(agent, most) => {
                self.claim(*agent, *most).await?;
            }
            Step::End(attempt, end, cost) => self.end(*attempt, *end, *cost).await?,
            Step::Lose(attempts) => self.lose(attempts).await?,
            Step::Resume(attempt) => self.resume(*attempt).await?,
            Step::Set(..) | Step::Raise(..) | Step::Remove(_) => self.change(step).await?,
            Step::Keep => {
                self.keep().await?;
            }
            Step::Pass(seconds) => self.pass(*seconds),
        }
        self.compare().await
    }

    fn pass(&self, seconds: i64) {
        self.clock.advance(SignedDuration::from_secs(seconds));
    }

    /// The store holds what the plain world says.
    async fn compare(&mut self) -> Result<()> {
        self.look().await?;
        self.rows.agree_with(&self.world)
    }

    /// Reads the rows as they are now.
    async fn look(&mut self) -> Result<()> {
        self.rows = Rows::read(self.client, self.ns.0, &self.world).await?;
        self.world.reserved = self.rows.reserved.clone();
        Ok(())
    }

    /// What an agent gets is what the world says: of what is in the lanes that it can pay for, in the
    /// order of rank, all that gates let pass. What they stop waits at the first one that does.
    async fn claim(&mut self, agent: usize, most: i32) -> Result<usize> {
        let request = ClaimRequest {
            key: KEY,
            agent: AGENTS[agent].0.to_owned(),
            most,
            start: true,
            request: None,
            selection: workmill_core::lane::Selection::default(),
            lease_ms: None,
        };
        let operation = Claim {
            ns: self.ns,
            requests: &[request],
        };
        let given = self.store.run(&operation).await?.0.remove(0);
        let given = given.expect("the agent may claim");
        let given: Vec<(Place, i32)> = given
            .iter()
            .map(|one| (self.world.place_of(one.lease.task), one.lease.epoch))
            .collect();
        let (expected, stopped) = self.expect_claim(agent, most);
        ensure!(
            given == expected,
            "{} got {given:?} instead of {expected:?}",
            AGENTS[agent].0
        );
        let mut waiting = self.rows.gated.clone();
        waiting.extend(stopped);
        self.look().await?;
        ensure!(
            self.rows.gated == waiting,
            "after a claim these wait:\n{:?}\ninstead of\n{waiting:?}",
            self.rows.gated
        );
        self.claimed += given.len();
        Ok(given.len())
    }

    /// Takes in the world what a claim should get; tells that, and what should be stopped where.
    fn expect_claim(&mut self, agent: usize, most: i32) -> (Vec<(Place, i32)>, Vec<Waiting>) {
        let (mut given, mut stopped) = (Vec::new(), Vec::new());
        let is_looked_at =
            |place: &Place| self.world.suits(*place, agent) && self.world.can_pay(*place, agent);
        let ready = self.rows.ready.iter().copied();
        let mut candidates: Vec<Place> = ready.filter(is_looked_at).collect();
        candidates.sort_by_key(|place| self.world.rank(*place));
        if self.world.is_paused(agent) {
            candidates.clear();
        }
        let now = self.clock.now();
        if !candidates.is_empty() {
            self.world.begin_day(now);
        }
        // Whoever got less than it asked for looks again: what it may not have is there still, and
        // may be stopped for everybody by then.
        let again = candidates.clone();
        for place in candidates.into_iter().chain(again) {
            let was_decided = given.iter().any(|(one, _)| *one == place)
                || stopped.iter().any(|(one, _)| *one == place);
            if was_decided {
                continue;
            }
            if given.len() == usize::try_from(most).unwrap_or(0) {
                break;
            }
            match self.world.judge(place, agent, now) {
                Verdict::NotThisAgent => {}
                Verdict::Waits(gate, amount) => stopped.push((place, (gate, amount))),
                Verdict::Passes => {
                    let epoch = self.world.tasks[place].epoch + 1;
                    self.world.take(place, epoch, agent, now);
                    given.push((place, epoch));
                    // Whom others made way for has got it.
                    let id = self.world.tasks[place].id;
                    self.world.reserved.retain(|_, (task, _)| *task != id);
                }
            }
        }
        (given, stopped)
    }

    /// The duty finds nothing to mend, and lets in exactly those who fit.
    async fn keep(&mut self) -> Result<Report> {
        let before = self.rows.gated.clone();
        let operation = KeepGates {
            ns: self.ns,
            reconciles: true,
        };
        let report = self.store.run(&operation).await?.0;
        ensure!(report.mended == 0, "the duty had to mend {report:?}");
        self.world.has_been_without_gates = self.world.gates.is_empty();
        self.look().await?;
        self.fits_are_let_in(&before)?;
        Ok(report)
    }

    /// Whatever happens next, nothing is stuck: as long as there is room, it is used. Then all
    /// gates are removed, and everything gets done.
    pub async fn finish(&mut self) -> Result<()> {
        self.fill_up().await?;
        let found = invariants::violations(self.client, self.ns.0).await?;
        ensure!(found.is_empty(), "{found:?}");
        let now = self.clock.now();
        for place in 0..self.world.tasks.len() {
            for agent in 0..AGENTS.len() {
                let could = self.world.tasks[place].life == Life::Ready
                    && self.world.suits(place, agent)
                    && !self.world.is_paused(agent)
                    && self.world.judge(place, agent, now) == Verdict::Passes;
                ensure!(
                    !could,
                    "{place} is stuck: {:?}",
                    self.rows.gated.get(&place)
                );
            }
        }
        let gates: Vec<Gate> = self.world.gates.keys().cloned().collect();
        self.remove_all(gates).await?;
        self.compare().await?;
        // Each round has room for at least one.
        for _ in 0..=2 * self.world.tasks.len() {
            self.fill_up().await?;
            self.complete_all().await?;
            self.compare().await?;
            if self.world.tasks.iter().all(|one| one.life == Life::Over) {
                return Ok(());
            }
            self.pass(61);
        }
        bail!("not everything gets done: {:?}", self.rows.gated);
    }

    /// The duty and the agents take turns until nothing moves any more.
    async fn fill_up(&mut self) -> Result<()> {
        for _ in 0..=2 * self.world.tasks.len() {
            self.pass(1);
            let mut moved = self.keep().await?.returned;
            for agent in 0..AGENTS.len() {
                moved += self.claim(agent, SLOTS).await?;
            }
            self.compare().await?;
            if moved == 0 {
                return Ok(());
            }
        }
        bail!("those who wait are let in and stopped for ever");
    }

    fn gate(&self, named: Named) -> Option<Gate> {
        let text = |of: &str| of.to_owned();
        let graph = |pick: Pick| chosen(&self.world.graphs, pick);
        let source = |at: usize| SOURCES[at].split(':').next().unwrap_or_default();
        Some(match named {
            Named::PauseNamespace => Gate::Pause(Paused::Namespace),
            Named::PauseGraph(pick) => Gate::Pause(Paused::Graph(graph(pick)?)),
            Named::PauseType(at) => Gate::Pause(Paused::Type(text(TYPES[at]))),
            Named::PauseLabel(at) => Gate::Pause(Paused::Label(text(LABELS[at]))),
            Named::PauseAgent(at) => Gate::Pause(Paused::Agent(text(AGENTS[at].0))),
            Named::LimitNamespace => Gate::Limit(Limited::Namespace),
            Named::LimitAllButCritical => Gate::Limit(Limited::AllButCritical),
            Named::LimitClass(class) => Gate::Limit(Limited::Class(class)),
            Named::LimitSource(at) => Gate::Limit(Limited::Source(text(source(at)))),
            Named::LimitType(at) => Gate::Limit(Limited::Type(text(TYPES[at]))),
            Named::LimitLabel(at) => Gate::Limit(Limited::Label(text(LABELS[at]))),
            Named::LimitAgent(at) => Gate::Limit(Limited::Agent(text(AGENTS[at].0))),
            Named::BudgetNamespace => Gate::Budget(Purse::Namespace),
            Named::BudgetEachDay => Gate::Budget(Purse::EachDay),
            Named::BudgetGraph(pick) => Gate::Budget(Purse::Graph(graph(pick)?)),
            Named::BudgetAgent(at) => Gate::Budget(Purse::Agent(text(AGENTS[at].0))),
        })
    }

    fn lease(&self, attempt: usize) -> LeaseId {
        let attempt = &self.world.attempts[attempt];
        LeaseId {
            task: self.world.tasks[attempt.place].id,
            epoch: attempt.epoch,
        }
    }
}

fn chosen<T: Copy>(among: &[T], pick: Pick) -> Option<T> {
    let place = pick.checked_rem(among.len())?;
    among.get(place).copied()
}
