//! The store under test: takes the same steps as the model and says what it answered, in the
//! same words.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Result;
use jiff::SignedDuration;
use serde_json::json;
use serde_json::value::to_raw_value;
use uuid::Uuid;
use workmill_core::graph;
use workmill_core::ids::{GraphId, LeaseId, Namespace, TaskId};
use workmill_core::lifecycle::State;
use workmill_store::Store;
use workmill_store::access::EnsureNamespace;
use workmill_store::clock::{Clock, ManualClock};
use workmill_store::dispatch::agents::{RegisterAgent, SetAgentStatus};
use workmill_store::dispatch::claim::{Claim, ClaimRequest, Claimed};
use workmill_store::events::SequenceEvents;
use workmill_store::execution::{Alive, Beat, Heartbeat, Start};
use workmill_store::intake::{Dependency, NewGraph, Submission, Submit, TaskDraft};
use workmill_store::settlement::answer::{Answer, ExpireBlocks};
use workmill_store::settlement::cancel::{CancelGraph, CancelTasks};
use workmill_store::settlement::dead_letters::ResolveDeadLetters;
use workmill_store::settlement::resume::ResumeLease;
use workmill_store::settlement::{
    Ending, Refusal, Settle, Settled, Settlement, Settler, Spent, WaitsFor,
};
use workmill_store::upkeep::PromoteDue;
use workmill_testkit::factory;

use super::snapshot::Names;
use super::step::{Ask, End, Hold, Label, Plan, Step};
use super::world::{agent_name, beginning, input_state, moment};

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
        let ns = self.ns;
        Ok(match step {
            Step::Submit(plans) => self.submit(plans, None).await?,
            Step::SubmitGraph(plans) => self.submit(plans, Some("graph".to_owned())).await?,
            Step::Register {
                agent,
                key: number,
                slots,
                capabilities,
                models,
            } => {
                let registration = RegisterAgent {
                    ns,
                    key: key(*number),
                    agent: &agent_name(*agent),
                    agent_type: "",
                    capabilities: capabilities.iter().map(ToString::to_string).collect(),
                    models: models.iter().map(ToString::to_string).collect(),
                    slots: *slots,
                };
                vec![format!("{:?}", self.store.run(&registration).await?.0)]
            }
            Step::SetStatus(agent, status) => {
                let operation = SetAgentStatus {
                    ns,
                    agent: &agent_name(*agent),
                    status: *status,
                };
                vec![self.store.run(&operation).await?.0.to_string()]
            }
            Step::Claim(asks) => self.claim(asks).await?,
            Step::Start(holds) => {
                let leases: Vec<(Uuid, LeaseId)> = holds
                    .iter()
                    .map(|(hold, by)| (key(*by), self.lease(*hold)))
                    .collect();
                let operation = Start {
                    ns,
                    leases: &leases,
                };
                let answers = self.store.run(&operation).await?.0;
                answers.into_iter().map(alive).collect()
            }
            Step::Heartbeat(beats) => {
                let beats: Vec<Beat> = beats
                    .iter()
                    .map(|(hold, by, checkpoint)| Beat {
                        key: key(*by),
                        lease: self.lease(*hold),
                        progress: checkpoint.map(|checkpoint| json!(checkpoint)),
                        checkpoint: checkpoint.map(|checkpoint| json!(checkpoint)),
                    })
                    .collect();
                let answers = self.store.run(&Heartbeat { ns, beats: &beats }).await?.0;
                answers.into_iter().map(alive).collect()
            }
            Step::Resume(hold, by) => {
                let operation = ResumeLease {
                    ns,
                    key: key(*by),
                    lease: self.lease(*hold),
                };
                vec![alive(self.store.run(&operation).await?.0)]
            }
            Step::Settle(endings) => self.settle(endings).await?,
            Step::Answer(label) => {
                let operation = Answer {
                    ns,
                    task: self.task(*label),
                    answered_by: "model".to_owned(),
                    input: json!("yes"),
                };
                vec![state(self.store.run(&operation).await?.0)]
            }
            Step::Cancel(labels) => {
                let operation = CancelTasks {
                    ns,
                    tasks: labels.iter().map(|label| self.task(*label)).collect(),
                    cancelled_by: "model".to_owned(),
                };
                let answers = self.store.run(&operation).await?.0;
                answers.into_iter().map(state).collect()
            }
            Step::CancelGraph(graph, mode) => {
                let nobody = GraphId(Uuid::nil());
                let operation = CancelGraph {
                    ns,
                    graph: self.graphs.get(graph).copied().unwrap_or(nobody),
                    mode: *mode,
                    cancelled_by: "model".to_owned(),
                };
                let answer = self.store.run(&operation).await?.0;
                vec![answer.map_or_else(|refusal| refused(&refusal), |count| count.to_string())]
            }
            Step::Resolve(labels, resolution) => {
                let operation = ResolveDeadLetters {
                    ns,
                    tasks: labels.iter().map(|label| self.task(*label)).collect(),
                    resolution: *resolution,
                    resolved_by: "model".to_owned(),
                };
                let answers = self.store.run(&operation).await?.0;
                answers.into_iter().map(state).collect()
            }
            Step::Reap => self.reap().await?,
            Step::Promote => {
                let operation = PromoteDue { ns, most: ALL };
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
            graph: title.map(|title| NewGraph {
                title,
                is_draft: false,
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

    async fn claim(&self, asks: &[Ask]) -> Result<Vec<String>> {
        let requests: Vec<ClaimRequest> = asks
            .iter()
            .map(|ask| ClaimRequest {
                key: key(ask.key),
                agent: agent_name(ask.agent),
                most: ask.most,
                start: ask.start,
                request: ask.request.map(|request| Uuid::from_u128(request.into())),
            })
            .collect();
        let operation = Claim {
            ns: self.ns,
            requests: &requests,
        };
        let answers = self.store.run(&operation).await?.0;
        let told = answers.into_iter().map(|answer| match answer {
            Err(refusal) => format!("{refusal:?}"),
            Ok(claimed) => {
                let told: Vec<String> = claimed.iter().map(|one| self.describe(one)).collect();
                told.join("; ")
            }
        });
        Ok(told.collect())
    }

    fn describe(&self, claimed: &Claimed) -> String {
        let inputs: Vec<String> = claimed
            .dependencies
            .iter()
            .map(|input| {
                let output = input.output.as_ref().and_then(serde_json::Value::as_u64);
                let state = input_state(input.state);
                format!("t{} {state} {output:?}", self.label(input.task))
            })
            .collect();
        let checkpoint = claimed.checkpoint.as_ref();
        let checkpoint = checkpoint.and_then(serde_json::Value::as_u64);
        format!(
            "t{}#{} {} attempt {} ttl {} models {:?} inputs {inputs:?} past {} checkpoint {checkpoint:?} answers {}",
            self.label(claimed.lease.task),
            claimed.lease.epoch,
            claimed.state,
            claimed.attempt,
            claimed.ttl_ms,
            claimed.models,
            claimed.earlier_attempts.len(),
            claimed.answers.len(),
        )
    }

    async fn settle(&self, endings: &[(Hold, u8, End)]) -> Result<Vec<String>> {
        let mut settlements = Vec::new();
        for (hold, by, end) in endings {
            let ending = match end {
                End::Complete(output) => Ending::Complete {
                    output: to_raw_value(output)?,
                },
                End::Fail {
                    reason,
                    message,
                    retry_after_ms,
                } => Ending::Fail {
                    reason: *reason,
                    message: (*message).to_owned(),
                    details: None,
                    retry_after_ms: *retry_after_ms,
                },
                End::Release => Ending::Release,
                End::Block { timeout_ms } => Ending::Block {
                    waits_for: WaitsFor::Input,
                    question: None,
                    timeout_ms: *timeout_ms,
                },
            };
            let settler = Settler::Key(key(*by));
            settlements.push(settlement(settler, self.lease(*hold), ending));
        }
        let operation = Settle {
            ns: self.ns,
            settlements: &settlements,
        };
        let answers = self.store.run(&operation).await?.0;
        Ok(answers.into_iter().map(settled).collect())
    }

    /// What the lease reaper does.
    async fn reap(&self) -> Result<Vec<String>> {
        let mut lost = self.store.find_lost_leases(self.clock.now(), ALL).await?;
        let leases = lost.remove(&self.ns).unwrap_or_default();
        let settlements: Vec<Settlement> = leases
            .iter()
            .map(|lease| settlement(Settler::Upkeep, *lease, Ending::Expire))
            .collect();
        let operation = Settle {
            ns: self.ns,
            settlements: &settlements,
        };
        let answers = self.store.run(&operation).await?.0;
        let told = leases.iter().zip(answers).map(|(lease, answer)| {
            let label = self.label(lease.task);
            format!("t{label}#{} {}", lease.epoch, settled(answer))
        });
        Ok(told.collect())
    }

    /// What the block expirer does.
    async fn expire_blocks(&self) -> Result<Vec<String>> {
        let now = self.clock.now();
        let mut expired = self.store.find_expired_blocks(now, ALL).await?;
        let operation = ExpireBlocks {
            ns: self.ns,
            tasks: expired.remove(&self.ns).unwrap_or_default(),
            random: 0.5,
        };
        Ok(vec![self.store.run(&operation).await?.0.to_string()])
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
            self.read += 1;
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

fn refused(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Illegal(illegal) => format!("Illegal: {illegal}"),
        other => format!("{other:?}"),
    }
}

fn alive(answer: Result<Alive, Refusal>) -> String {
    match answer {
        Err(refusal) => refused(&refusal),
        Ok(alive) => format!("alive for {} stop {:?}", alive.expires_in_ms, alive.stop),
    }
}

fn state(answer: Result<State, Refusal>) -> String {
    match answer {
        Err(refusal) => refused(&refusal),
        Ok(state) => state.to_string(),
    }
}

fn settled(answer: Result<Settled, Refusal>) -> String {
    match answer {
        Err(refusal) => refused(&refusal),
        Ok(settled) if settled.is_repeat => format!("{} again", settled.state),
        Ok(Settled {
            state,
            retry_in_ms: Some(ms),
            ..
        }) => format!("{state} in {ms}"),
        Ok(settled) => settled.state.to_string(),
    }
}
