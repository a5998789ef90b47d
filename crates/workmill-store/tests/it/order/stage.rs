//! Takes the steps on a real store, and looks at every claim.

mod changes;
mod edges;

use std::collections::BTreeSet;

use anyhow::{Result, bail, ensure};
use tokio_postgres::Client;
use tokio_postgres::types::ToSql;
use workmill_core::agent::DEFAULT_POLL_INTERVAL_MS;
use workmill_core::ids::{Namespace, TaskId};
use workmill_core::lifecycle::State;
use workmill_store::Store;
use workmill_store::access::EnsureNamespace;
use workmill_store::clock::ManualClock;
use workmill_store::dispatch::agents::RegisterAgent;
use workmill_store::dispatch::claim::{Claim, ClaimRequest};
use workmill_store::upkeep::PromoteDue;
use workmill_store::upkeep::deadlines::{PassDeadlines, RefreshRanks};

use super::step::{AGENTS, End, Step, UNIT};
use super::world::{Place, World};
use crate::actors::KEY;

const ALL: i64 = 1_000_000;

/// By which rule claims are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// The effective value, within what a refresh leaves.
    Formula,
    /// Priority, then age, and nothing else.
    Plain,
}

pub struct Stage<'a> {
    store: &'a Store,
    clock: &'a ManualClock,
    client: &'a Client,
    ns: Namespace,
    rule: Rule,
    /// Claims begin where the last one ended, for a second at most.
    looks_are_slow: bool,
    world: World,
    /// How many tasks have been claimed.
    pub claimed: usize,
}

impl<'a> Stage<'a> {
    /// A namespace of its own.
    pub async fn new(
        store: &'a Store,
        clock: &'a ManualClock,
        client: &'a Client,
        rule: Rule,
        namespace: &str,
    ) -> Result<Stage<'a>> {
        let (ns, _) = store.run(&EnsureNamespace { name: namespace }).await?;
        for agent in &AGENTS {
            let names = |names: &[&str]| names.iter().map(ToString::to_string).collect();
            let operation = RegisterAgent {
                ns,
                key: KEY,
                agent: agent.name,
                agent_type: "",
                capabilities: names(agent.capabilities),
                models: names(agent.models),
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
            rule,
            looks_are_slow: store.test_points.is_on(SLOW_LOOKS),
            world: World::default(),
            claimed: 0,
        })
    }

    pub async fn take(&mut self, step: &Step) -> Result<()> {
        match step {
            Step::Pass(before, after) => self.pass(*before, *after).await,
            Step::Claim(asks) => self.claim(asks).await,
            Step::FailInTurn => self.fail_in_turn().await,
            other => self.change(other).await,
        }
    }

    /// The duties look over all namespaces; they need not look at this one any more.
    pub async fn leave(self) -> Result<()> {
        let forget = "delete from workmill.anchor where ns = $1";
        self.client.execute(forget, &[&self.ns.0]).await?;
        Ok(())
    }

    /// Time passes. However much of it, the duties have had their turn less than five seconds
    /// before the next step.
    async fn pass(&mut self, before: i32, after: i32) -> Result<()> {
        self.advance(before);
        let now = self.clock.now();
        let passed = self.store.find_passed_deadlines(now, ALL).await?;
        for (ns, tasks) in passed.into_iter().filter(|(ns, _)| *ns == self.ns) {
            self.store.run(&PassDeadlines { ns, tasks }).await?;
        }
        let due = PromoteDue {
            ns: self.ns,
            most: ALL,
        };
        self.store.run(&due).await?;
        let refresh = RefreshRanks {
            ns: self.ns,
            ranks: self.store.find_ranks_to_refresh(self.ns, now, ALL).await?,
        };
        self.store.run(&refresh).await?;
        self.world.look();
        self.advance(after);
        Ok(())
    }

    fn advance(&mut self, units: i32) {
        self.clock.advance(UNIT * units);
        self.world.now += units * UNIT.subsec_millis();
    }

    /// Claims, and holds what was given against what was there.
    async fn claim(&mut self, asks: &[(usize, i32)]) -> Result<()> {
        if self.looks_are_slow {
            self.pass(0, A_SECOND).await?;
        }
        let requests: Vec<ClaimRequest> = asks
            .iter()
            .map(|(agent, most)| ClaimRequest {
                key: KEY,
                agent: AGENTS[*agent].name.to_owned(),
                most: *most,
                start: true,
                request: None,
                selection: workmill_core::lane::Selection::default(),
                lease_ms: None,
            })
            .collect();
        let operation = Claim {
            ns: self.ns,
            requests: &requests,
        };
        let kept_back = self.kept_back(asks).await?;
        let answers = self.store.run(&operation).await?.0;
        let left = self.ready().await?;
        for ((agent, most), answer) in asks.iter().zip(answers) {
            let given = answer.expect("the agent may claim");
            let places: Vec<Place> = given
                .iter()
                .map(|claimed| self.world.place_of(claimed.lease.task))
                .collect();
            let leases = places.iter().zip(&given);
            let leases = leases.map(|(place, claimed)| (*place, claimed.lease));
            self.world.leases.extend(leases);
            self.claimed += places.len();
            let is_full = i32::try_from(places.len()) == Ok(*most);
            self.judge(*agent, &places, is_full, &left, &kept_back)?;
        }
        Ok(())
    }

    /// Two agents claim and fail one after the other: mostly the same task, which then asks for
    /// other models.
    async fn fail_in_turn(&mut self) -> Result<()> {
        for agent in [0, 1] {
            let held = self.world.leases.len();
            self.claim(&[(agent, 1)]).await?;
            if let Some((place, lease)) = self.world.leases.get(held).copied() {
                self.settle(place, lease, End::Fail).await?;
            }
        }
        Ok(())
    }

    /// Nothing that is left and that the agent could have had comes before what it got; what it
    /// got is in order; and it got less than it asked for only if there is nothing left for it.
    fn judge(
        &self,
        agent: usize,
        given: &[Place],
        is_full: bool,
        left: &[Place],
        kept_back: &BTreeSet<Place>,
    ) -> Result<()> {
        let objection = |first: Place, second: Place| match self.rule {
            Rule::Formula => self.world.objection(first, second),
            Rule::Plain => self.world.plain_objection(first, second),
        };
        let could_have_had =
            |place: &Place| self.world.suits(*place, &AGENTS[agent]) && !kept_back.contains(place);
        let rest = left.iter().copied().filter(could_have_had);
        for (number, first) in given.iter().enumerate() {
            let suits = self.world.suits(*first, &AGENTS[agent]);
            ensure!(suits, "agent {agent} got {:?}", self.world.tasks[*first]);
            let later = given[number + 1..].iter().copied();
            let later = later.filter(could_have_had);
            for second in later.chain(rest.clone()) {
                if let Some(objection) = objection(*first, second) {
                    bail!("{objection}");
                }
            }
        }
        let missed = rest.clone().next().filter(|_| !is_full);
        ensure!(missed.is_none(), "agent {agent} got nothing of {missed:?}");
        Ok(())
    }

    /// The tasks that can be claimed. Read from where a task's state is written, not from where
    /// claims look for it.
    async fn ready(&self) -> Result<Vec<Place>> {
        let ready = "select task from workmill.state where ns = $1 and state = $2";
        let parameters: [&(dyn ToSql + Sync); 2] = [&self.ns.0, &State::Ready.code()];
        self.read_places(ready, &parameters).await
    }

    /// Who failed at a task is kept from it for a while, and so are those who ask together with
    /// them.
    async fn kept_back(&self, asks: &[(usize, i32)]) -> Result<BTreeSet<Place>> {
        let shunned = "select task from workmill.state
                       where ns = $1 and shunned_until > $2 and shunned && $3";
        let agents: Vec<&str> = asks.iter().map(|(agent, _)| AGENTS[*agent].name).collect();
        let parameters: [&(dyn ToSql + Sync); 3] = [&self.ns.0, &self.clock.now(), &agents];
        let places = self.read_places(shunned, &parameters).await?;
        Ok(places.into_iter().collect())
    }

    async fn read_places(
        &self,
        statement: &str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Place>> {
        let rows = self.client.query(statement, parameters).await?;
        let tasks = rows.iter().map(|row| TaskId(row.get(0)));
        Ok(tasks.map(|task| self.world.place_of(task)).collect())
    }
}

/// Makes the store remember where claims have ended.
pub const SLOW_LOOKS: &str = "every look is slow";

/// In units.
const A_SECOND: i32 = 17;

/// More than any case claims.
const SLOTS: i32 = 1000;
