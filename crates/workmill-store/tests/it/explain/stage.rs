//! Steps, taken on the store, with what explain says beforehand held against what happens.

mod gates;

use anyhow::{Result, ensure};
use jiff::SignedDuration;
use std::collections::BTreeMap;
use uuid::Uuid;
use workmill_core::agent::DEFAULT_POLL_INTERVAL_MS;
use workmill_core::explain::{AgentCode, Code, Explanation, explain};
use workmill_core::failure::Reason;
use workmill_core::gate::Gate;
use workmill_core::ids::{GraphId, LeaseId, Namespace, TaskId};
use workmill_core::lane::LaneId;
use workmill_core::lane::Selection;
use workmill_core::money::Micros;
use workmill_core::price::PriceTable;
use workmill_core::priority::Priority;
use workmill_core::resource_lock::ResourceLock;
use workmill_core::task::NewTask;
use workmill_store::Store;
use workmill_store::access::EnsureNamespace;
use workmill_store::clock::ManualClock;
use workmill_store::dispatch::agents::{AgentChange, ChangeAgent, RegisterAgent};
use workmill_store::dispatch::claim::{Claim, ClaimRequest};
use workmill_store::gates::keep::KeepGates;
use workmill_store::intake::{Dependency, NewGraph, Submission, Submit, TaskDraft};
use workmill_store::settlement::cancel::CancelTasks;
use workmill_store::settlement::{Ending, Settle, Settlement, Settler};
use workmill_store::upkeep::PromoteDue;
use workmill_testkit::factory::{draft, singles, task};

use super::seen::Seen;
use super::step::{Ask, Step};

const KEY: Uuid = Uuid::from_u128(1);

pub struct Stage<'a> {
    store: &'a Store,
    clock: &'a ManualClock,
    ns: Namespace,
    tasks: Vec<TaskId>,
    graphs: Vec<GraphId>,
    leases: Vec<LeaseId>,
    gates: Vec<Gate>,
    lanes: Vec<LaneId>,
    pub seen: Seen,
}

impl<'a> Stage<'a> {
    pub async fn new(store: &'a Store, clock: &'a ManualClock, name: &str) -> Result<Stage<'a>> {
        let (ns, _) = store.run(&EnsureNamespace { name }).await?;
        Ok(Stage {
            store,
            clock,
            ns,
            tasks: Vec::new(),
            graphs: Vec::new(),
            leases: Vec::new(),
            gates: Vec::new(),
            lanes: Vec::new(),
            seen: Seen::default(),
        })
    }

    pub async fn take(&mut self, step: &Step) -> Result<()> {
        let ns = self.ns;
        match step {
            Step::Submit(ask) => self.submit(singles(&[self.asked(ask)])).await?,
            Step::Graph {
                asks,
                is_draft,
                budget,
            } => self.submit_graph(asks, *is_draft, *budget).await?,
            Step::Register {
                agent,
                agent_type,
                capabilities,
                models,
                slots,
            } => {
                let owned = |names: &[&str]| names.iter().map(ToString::to_string).collect();
                let operation = RegisterAgent {
                    ns,
                    key: KEY,
                    agent,
                    agent_type,
                    capabilities: owned(capabilities),
                    models: owned(models),
                    slots: *slots,
                    poll_interval_ms: DEFAULT_POLL_INTERVAL_MS,
                    task_types: Vec::new(),
                    is_by_hand: false,
                    claim_ttl_ms: None,
                };
                self.store.run(&operation).await?.0.expect("registered");
            }
            Step::Status(agent, status) => {
                let (agent, status) = (*agent, *status);
                let operation = ChangeAgent {
                    ns,
                    agent,
                    change: AgentChange {
                        status: Some(status),
                        ..AgentChange::default()
                    },
                    changed_by: "operator",
                };
                // Of an agent that has not registered nothing is changed.
                let (_changed, _) = self.store.run(&operation).await?;
            }
            Step::SetGate(..) | Step::Pause(_) | Step::RemoveGate(_) => {
                if let Some(change) = self.change(step) {
                    self.change_gate(change).await?;
                }
            }
            Step::Pass(seconds) => self.clock.advance(SignedDuration::from_secs(*seconds)),
            Step::Promote => {
                self.store.run(&PromoteDue { ns, most: 100 }).await?;
            }
            Step::Reap => self.reap().await?,
            Step::Keep => {
                let reconciles = false;
                self.store.run(&KeepGates { ns, reconciles }).await?;
            }
            Step::Claim(agent, most) => self.claim(agent, *most).await?,
            Step::Complete(nth, cost) => {
                let output = serde_json::value::to_raw_value(&1)?;
                let ending = Ending::Complete {
                    output,
                    artifacts: Vec::new(),
                };
                self.settle(*nth, ending, *cost).await?;
            }
            Step::Fail(nth) | Step::FailAndReturn(nth) => {
                let ending = Ending::Fail {
                    reason: Reason::Crash,
                    message: "boom".to_owned(),
                    details: None,
                    retry_after_ms: None,
                };
                self.settle(*nth, ending, 1).await?;
                if matches!(step, Step::FailAndReturn(_)) {
                    self.clock.advance(SignedDuration::from_secs(25));
                    self.store.run(&PromoteDue { ns, most: 100 }).await?;
                }
            }
            Step::Release(nth) => self.settle(*nth, Ending::Release, 0).await?,
            Step::Cancel(nth) => {
                if let Some(task) = nth_of(&self.tasks, *nth) {
                    let operation = CancelTasks {
                        ns,
                        tasks: vec![task],
                        cancelled_by: "test".to_owned(),
                    };
                    // What has ended refuses.
                    let _ = self.store.run(&operation).await?;
                }
            }
        }
        Ok(())
    }

    /// The heart of it.
    async fn claim(&mut self, agent: &str, most: i32) -> Result<()> {
        let mut before: BTreeMap<TaskId, Explanation> = BTreeMap::new();
        for id in &self.tasks {
            let facts = self.store.find_facts(self.ns, *id).await?;
            before.insert(
                *id,
                explain(&facts.expect("the task is there"), &PriceTable::default()),
            );
        }
        let wanted = usize::try_from(most)?;
        let would = self
            .store
            .find_would_claim(self.ns, agent, &Selection::default(), wanted)
            .await?;
        let request = ClaimRequest {
            key: KEY,
            agent: agent.to_owned(),
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
        let claimed = self.store.run(&operation).await?.0.remove(0);
        let leases: Vec<LeaseId> = claimed
            .unwrap_or_default()
            .into_iter()
            .map(|claimed| claimed.lease)
            .collect();
        let tasks: Vec<TaskId> = leases.iter().map(|lease| lease.task).collect();
        self.leases.extend(leases);
        self.seen.claimed += tasks.len();
        ensure!(
            would.tasks == tasks,
            "{agent} would get {would:?} and got {tasks:?}"
        );
        let is_claimable = |said: &Explanation| said.claimable_by.iter().any(|one| one == agent);
        for task in &tasks {
            let said = &before[task];
            ensure!(is_claimable(said), "{agent} got {task}, called {said:#?}");
        }
        for said in before.values() {
            let unmet = said.conditions.iter().filter(|condition| !condition.met);
            if unmet.count() > 0 {
                ensure!(said.claimable_by.is_empty(), "blocked, and not: {said:#?}");
            }
            self.seen.at_gates += usize::from(said.conditions.iter().any(is_at_a_gate));
            self.seen.kept += usize::from(is_kept_from(said, agent));
            if !is_claimable(said) {
                self.seen.blocked += 1;
                continue;
            }
            self.seen.claimable += 1;
            let position = said
                .position
                .as_ref()
                .expect("what is claimable has a place");
            ensure!(
                position.ahead == position.first.len() || position.first.len() == 20,
                "all are named: {position:?}"
            );
            let Some(first) = tasks.first() else {
                anyhow::bail!("{agent} got nothing, and could have claimed {said:#?}");
            };
            if *first != said.task {
                self.seen.outranked += 1;
                ensure!(
                    position.first.contains(first) || position.ahead > 20,
                    "{agent} got {first} first, and not {said:#?}"
                );
            }
        }
        self.after(agent, &tasks).await
    }

    /// Who holds what, and for how long.
    async fn after(&self, agent: &str, tasks: &[TaskId]) -> Result<()> {
        for task in tasks {
            let facts = self.store.find_facts(self.ns, *task).await?;
            let said = explain(&facts.expect("the task is there"), &PriceTable::default());
            let claim = said.claim.as_ref().expect("it is held");
            ensure!(claim.agent == agent, "{said:#?}");
            ensure!(claim.expires_in_ms == Some(90_000), "{said:#?}");
            ensure!(said.claimable_by.is_empty(), "{said:#?}");
        }
        Ok(())
    }

    fn asked(&self, ask: &Ask) -> NewTask {
        let owned =
            |names: &[&str]| -> Vec<String> { names.iter().map(ToString::to_string).collect() };
        let at = |seconds: Option<i64>| {
            seconds.map(|seconds| self.clock.now() + SignedDuration::from_secs(seconds))
        };
        let mut asked = NewTask {
            task_type: ask.task_type.to_owned(),
            priority: Priority::new(ask.priority.into()).expect("in its range"),
            priority_boost_per_minute: ask.boost,
            agent_type: ask.agent_type.map(str::to_owned),
            target_agent: ask.target.map(str::to_owned),
            excluded_agents: ask.excluded.iter().map(ToString::to_string).collect(),
            labels: owned(&ask.labels),
            cost_units: Some(ask.cost_units),
            locks: ask
                .locks
                .iter()
                .map(|(path, shared)| ResourceLock {
                    path: (*path).to_owned(),
                    shared: *shared,
                })
                .collect(),
            scheduled_for: at(ask.scheduled_in),
            deadline: at(ask.deadline_in),
            ..task("task")
        };
        let constraints = &mut asked.spec.constraints;
        constraints.required_capabilities = owned(&ask.capabilities);
        constraints.model_preferences = owned(&ask.models);
        constraints.max_cost_usd = ask.max_cost.map(dollars);
        asked
    }

    async fn submit_graph(
        &mut self,
        asks: &[(Ask, u8)],
        is_draft: bool,
        budget: Option<i64>,
    ) -> Result<()> {
        let tasks = asks.iter().enumerate().map(|(place, (ask, on))| TaskDraft {
            depends_on: match place {
                0 => Vec::new(),
                _ => vec![Dependency::New(usize::from(*on) % place)],
            },
            ..draft(&self.asked(ask))
        });
        let submission = Submission {
            created_by: "cron:nightly".to_owned(),
            key: None,
            graph: Some(NewGraph {
                title: "graph".to_owned(),
                is_draft,
                budget: budget.map(dollars),
                project: None,
            }),
            idempotency: None,
            tasks: tasks.collect(),
        };
        self.submit(submission).await
    }

    async fn submit(&mut self, submission: Submission) -> Result<()> {
        if self.tasks.len() + submission.tasks.len() > 24 {
            return Ok(());
        }
        let lanes = submission.tasks.iter().map(|draft| draft.lane.id());
        self.lanes.extend(lanes);
        let operation = Submit {
            ns: self.ns,
            submissions: &[submission],
        };
        let answer = self.store.run(&operation).await?.0.remove(0);
        let submitted = answer.expect("accepted");
        self.tasks.extend(submitted.tasks);
        self.graphs.extend(submitted.graph);
        Ok(())
    }

    async fn settle(&mut self, nth: u8, ending: Ending, cost: i64) -> Result<()> {
        if self.leases.is_empty() {
            return Ok(());
        }
        let lease = self.leases.remove(usize::from(nth) % self.leases.len());
        self.settle_as(Settler::Key(KEY), lease, ending, cost).await
    }

    async fn settle_as(
        &self,
        settler: Settler,
        lease: LeaseId,
        ending: Ending,
        cost: i64,
    ) -> Result<()> {
        let settlement = Settlement {
            settler,
            lease,
            ending,
            spent: crate::gates::spent(dollars(cost).0),
            random: 0.5,
        };
        let operation = Settle {
            ns: self.ns,
            settlements: &[settlement],
        };
        // A lease that was lost in the meantime refuses.
        let _ = self.store.run(&operation).await?;
        Ok(())
    }

    async fn reap(&self) -> Result<()> {
        let now = self.clock.now();
        for (ns, leases) in self.store.find_lost_leases(now, 1000).await? {
            for lease in leases.into_iter().filter(|_| ns == self.ns) {
                self.settle_as(Settler::Upkeep, lease, Ending::Expire, 0)
                    .await?;
            }
        }
        Ok(())
    }
}

fn is_kept_from(said: &Explanation, agent: &str) -> bool {
    let mut unmet = said.conditions.iter().filter(|condition| !condition.met);
    let mut agents = said.agents.items.iter();
    let view = agents.find(|view| view.agent == agent);
    unmet.all(|condition| condition.code == Code::AgentNotExcluded)
        && view.is_some_and(|view| {
            let mut codes = view.reasons.iter().map(|reason| reason.code);
            codes.next() == Some(AgentCode::FailedLately) && codes.next().is_none()
        })
}

fn is_at_a_gate(condition: &workmill_core::explain::Condition) -> bool {
    let gates = [
        Code::Pause,
        Code::Limit,
        Code::Budget,
        Code::Lock,
        Code::LockReservation,
        Code::InLane,
    ];
    !condition.met && gates.contains(&condition.code)
}

fn dollars(amount: i64) -> Micros {
    Micros(amount * 1_000_000)
}

fn nth_of<T: Copy>(of: &[T], nth: u8) -> Option<T> {
    (!of.is_empty()).then(|| of[usize::from(nth) % of.len()])
}
