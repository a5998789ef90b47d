//! The store under test: takes the same steps as the model and says what it answered, in the
//! same words.

mod agents;
mod endings;
mod people;
mod words;

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Result;
use jiff::SignedDuration;
use uuid::Uuid;
use workmill_core::graph;
use workmill_core::ids::{GraphId, LeaseId, Namespace, TaskId};
use workmill_store::Store;
use workmill_store::access::EnsureNamespace;
use workmill_store::clock::{Clock, ManualClock};
use workmill_store::events::SequenceEvents;
use workmill_store::intake::{Dependency, NewGraph, Submission, Submit, TaskDraft};
use workmill_store::settlement::resume::ResumeLease;
use workmill_store::settlement::{Ending, Settlement, Settler, Spent};
use workmill_store::upkeep::PromoteDue;
use workmill_testkit::factory;

use super::snapshot::Names;
use super::step::{Hold, Label, Plan, Step};
use super::world::{beginning, moment};
use words::alive;

/// The finders look over all namespaces, and earlier cases left things lying about in theirs.
const ALL: i64 = 1_000_000;

pub struct Driver {
    url: String,
    fault: Option<&'static str>,
    clock: ManualClock,
    store: Arc<Store>,
    pub ns: Namespace,
    pub names: Names,
    tasks: BTreeMap<Label, TaskId>,
    graphs: BTreeMap<Label, GraphId>,
    /// How many places in the order of events have been read.
    read: i64,
}

pub fn key(number: u8) -> Uuid {
    Uuid::from_u128(u128::from(number) + 1)
}

impl Driver {
    /// A namespace of its own on a database that many cases share.
    pub async fn new(url: &str, namespace: &str, fault: Option<&'static str>) -> Result<Driver> {
        let clock = ManualClock::at(beginning());
        let store = open(url, &clock, fault)?;
        let (ns, _) = store.run(&EnsureNamespace { name: namespace }).await?;
        Ok(Driver {
            url: url.to_owned(),
            fault,
            clock,
            store,
            ns,
            names: Names::default(),
            tasks: BTreeMap::new(),
            graphs: BTreeMap::new(),
            read: 0,
        })
    }

    /// Takes the step at this moment of the model.
    pub async fn take(&mut self, step: &Step, now: i64) -> Result<Vec<String>> {
        let behind = moment(now).duration_since(self.clock.now());
        self.clock.advance(behind);
        Ok(match step {
            Step::Submit(plans) => self.submit(plans, None).await?,
            Step::SubmitGraph(plans) => self.submit(plans, Some("graph".to_owned())).await?,
            Step::Register { .. } | Step::SetStatus(..) => vec![self.set_agent(step).await?],
            Step::Claim(asks) => self.claim(asks).await?,
            Step::Start(holds) => self.start(holds).await?,
            Step::Heartbeat(beats) => self.heartbeat(beats).await?,
            Step::Resume(hold, by) => {
                let operation = ResumeLease {
                    ns: self.ns,
                    key: key(*by),
                    lease: self.lease(*hold),
                };
                vec![alive(self.store.run(&operation).await?.0)]
            }
            Step::Settle(endings) => self.settle(endings).await?,
            Step::SettleAndClaim(endings, most, request) => {
                self.settle_and_claim(endings, *most, *request).await?
            }
            Step::Answer(_) | Step::Cancel(_) | Step::CancelGraph(..) | Step::Resolve(..) => {
                self.decide(step).await?
            }
            Step::Reap => self.reap().await?,
            Step::Promote => {
                let operation = PromoteDue {
                    ns: self.ns,
                    most: ALL,
                };
                vec![self.store.run(&operation).await?.0.to_string()]
            }
            Step::ExpireBlocks => self.expire_blocks().await?,
            Step::SequenceEvents => {
                self.sequence_events().await?;
                vec![]
            }
            Step::Restart => {
                self.store.close();
                self.store = open(&self.url, &self.clock, self.fault)?;
                vec![]
            }
            Step::Pass(_) => vec![],
        })
    }

    fn task(&self, label: Label) -> TaskId {
        let nobody = TaskId(Uuid::nil());
        self.tasks.get(&label).copied().unwrap_or(nobody)
    }

    fn lease(&self, hold: Hold) -> LeaseId {
        LeaseId {
            task: self.task(hold.task),
            epoch: hold.epoch,
        }
    }

    fn label(&self, task: TaskId) -> Label {
        self.names.tasks[&task.0]
    }

    async fn submit(&mut self, plans: &[Plan], title: Option<String>) -> Result<Vec<String>> {
        let edges = plans.iter().enumerate();
        let edges = edges.map(|(place, plan)| (place, plan.depends_on.iter().copied().collect()));
        let shape = graph::shape(&edges.collect()).expect("plans have no cycle");
        let drafts = plans.iter().enumerate().map(|(place, plan)| TaskDraft {
            critical_path: shape.critical_path[&place],
            scheduled_for: plan
                .scheduled_in_ms
                .map(|ms| self.clock.now() + SignedDuration::from_millis(ms)),
            depends_on: plan
                .depends_on
                .iter()
                .copied()
                .map(Dependency::New)
                .collect(),
            ..factory::draft(&plan.asked())
        });
        let submission = Submission {
            created_by: "model".to_owned(),
            key: None,
            graph: title.map(|title| NewGraph {
                title,
                is_draft: false,
                budget: None,
                project: None,
            }),
            idempotency: None,
            tasks: drafts.collect(),
        };
        let operation = Submit {
            ns: self.ns,
            submissions: &[submission],
        };
        let submitted = self.store.run(&operation).await?.0.remove(0);
        let submitted = submitted.expect("it breaks no rule");
        for (plan, task) in plans.iter().zip(&submitted.tasks) {
            self.tasks.insert(plan.label, *task);
            self.names.tasks.insert(task.0, plan.label);
        }
        if let (Some(graph), Some(first)) = (submitted.graph, plans.first()) {
            self.graphs.insert(first.label, graph);
            self.names.graphs.insert(graph.0, first.label);
        }
        Ok(vec![submitted.tasks.len().to_string()])
    }

    /// Reads the events from the first one again.
    pub fn rewind(&mut self) {
        self.read = 0;
    }

    /// What the event sequencer does, and then reads on from where the last reading ended.
    pub async fn sequence_events(&mut self) -> Result<Vec<serde_json::Value>> {
        let operation = SequenceEvents {
            ns: self.ns,
            most: ALL,
        };
        self.store.run(&operation).await?;
        let batches = self.store.read_events(self.ns, self.read, ALL).await?;
        let mut facts = Vec::new();
        for batch in batches {
            self.read += i64::try_from(batch.facts.len())?;
            assert_eq!(batch.seq, self.read, "the order of events has a gap");
            facts.extend(batch.facts);
        }
        Ok(facts)
    }
}

fn open(url: &str, clock: &ManualClock, fault: Option<&'static str>) -> Result<Arc<Store>> {
    let store = Store::with_clock(url, 1, Clock::Manual(clock.clone()))?;
    if let Some(fault) = fault {
        store.test_points.switch_on(fault);
    }
    Ok(Arc::new(store))
}

/// Delays are moved by chance; half of it moves them nowhere.
pub fn settlement(settler: Settler, lease: LeaseId, ending: Ending) -> Settlement {
    Settlement {
        settler,
        lease,
        ending,
        spent: Spent::default(),
        random: 0.5,
    }
}
