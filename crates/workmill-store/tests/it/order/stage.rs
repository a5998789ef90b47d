//! Takes the steps on a real store, and looks at every claim.

mod changes;

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use jiff::Timestamp;
use tokio_postgres::Client;
use uuid::Uuid;
use workmill_core::ids::{Namespace, TaskId};
use workmill_core::lifecycle::State;
use workmill_store::Store;
use workmill_store::access::EnsureNamespace;
use workmill_store::clock::ManualClock;
use workmill_store::dispatch::agents::RegisterAgent;
use workmill_store::dispatch::claim::{Claim, ClaimRequest};
use workmill_store::upkeep::PromoteDue;
use workmill_store::upkeep::deadlines::{PassDeadlines, RefreshRanks};

use super::step::{AGENTS, Step, UNIT};
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
            };
            store.run(&operation).await?;
        }
        Ok(Stage {
            store,
            clock,
            client,
            ns,
            rule,
            world: World::default(),
            claimed: 0,
        })
    }

    pub async fn take(&mut self, step: &Step) -> Result<()> {
        match step {
            Step::Pass(before, after) => self.pass(*before, *after).await,
            Step::Claim(asks) => self.claim(asks).await,
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
        self.world.now += f64::from(units) * UNIT.as_secs_f64();
    }

    /// Claims, and holds what was given against what was there.
    async fn claim(&mut self, asks: &[(usize, i32)]) -> Result<()> {
        let requests: Vec<ClaimRequest> = asks
            .iter()
            .map(|(agent, most)| ClaimRequest {
                key: KEY,
                agent: AGENTS[*agent].name.to_owned(),
                most: *most,
                start: true,
                request: None,
            })
            .collect();
        let operation = Claim {
            ns: self.ns,
            requests: &requests,
        };
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
            self.judge(*agent, &places, is_full, &left)?;
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
        left: &BTreeMap<Place, Vec<String>>,
    ) -> Result<()> {
        let objection = |first: Place, second: Place| match self.rule {
            Rule::Formula => self.world.objection(first, second),
            Rule::Plain => self.world.plain_objection(first, second),
        };
        for (number, first) in given.iter().enumerate() {
            let suits = self.world.suits(*first, &AGENTS[agent]);
            ensure!(suits, "{first} does not suit agent {agent}");
            // Who failed at something is kept from it for a while, and those who ask with them.
            let free = left.iter().filter(|(_, shunned)| shunned.is_empty());
            let suiting = free.map(|(place, _)| *place);
            let suiting = suiting.filter(|place| self.world.suits(*place, &AGENTS[agent]));
            for second in given[number + 1..].iter().copied().chain(suiting) {
                if let Some(objection) = objection(*first, second) {
                    anyhow::bail!("{objection}");
                }
            }
        }
        let rest = left.iter().find(|(place, shunned)| {
            shunned.is_empty() && self.world.suits(**place, &AGENTS[agent])
        });
        let is_held_back = self.world.leases.len() >= SLOTS.unsigned_abs() as usize;
        ensure!(
            is_full || rest.is_none() || is_held_back,
            "agent {agent} went away although there is {rest:?}"
        );
        Ok(())
    }

    /// The tasks that can be claimed, each with the agents that are kept from it. Read from where
    /// a task's state is written, not from where claims look for it.
    async fn ready(&self) -> Result<BTreeMap<Place, Vec<String>>> {
        let rows = "select task, case when shunned_until > $2 then shunned end
                    from workmill.state where ns = $1 and state = $3";
        let now: Timestamp = self.clock.now();
        let ready = State::Ready.code();
        let rows = self
            .client
            .query(rows, &[&self.ns.0, &now, &ready])
            .await?;
        Ok(rows
            .iter()
            .map(|row| {
                let task = TaskId(row.get::<_, Uuid>(0));
                let shunned: Option<Vec<String>> = row.get(1);
                (self.world.place_of(task), shunned.unwrap_or_default())
            })
            .collect())
    }
}

/// More than any case claims.
const SLOTS: i32 = 1000;
