//! The queue as the model sees it: maps in memory, one step after the other.
//!
//! Written from the description of the system, not from the store's code. It borrows the pure
//! rules of `workmill-core` (arrows, verdicts, delays, ranks), which have tests of their own.
//! What the store keeps as counters (unmet dependencies, the tally of a graph) is counted anew
//! here each time.

mod claiming;
mod coming_back;
mod rows;
mod settling;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use jiff::{SignedDuration, Timestamp};
use workmill_core::attempt::Outcome;
use workmill_core::dependency::OnDependencyFailure;
use workmill_core::failure::Reason;
use workmill_core::graph::{self, Tally};
use workmill_core::lane::{Lane, LaneId, Offer};
use workmill_core::lifecycle::{self, IllegalTransition, State, Trigger};
use workmill_core::policy::Policy;
use workmill_core::rank::Urgency;
use workmill_core::task::NewTask;
use workmill_store::dispatch::agents::AgentStatus;
use workmill_store::settlement::cancel::CancelMode;
use workmill_store::settlement::dead_letters::Resolution;

use super::step::{Hold, Label, Plan, Step};
pub use claiming::input_state;

#[derive(Clone)]
pub struct World {
    /// Milliseconds since the beginning of the case.
    pub now: i64,
    pub tasks: BTreeMap<Label, Task>,
    pub graphs: BTreeMap<Label, Graph>,
    pub agents: BTreeMap<u8, Agent>,
    pub leases: BTreeMap<Hold, Lease>,
    lanes: BTreeMap<LaneId, Lane>,
    pub next_label: Label,
    /// What the store has to answer to the last step, a line for each item.
    pub answer: Vec<String>,
}

#[derive(Clone)]
pub struct Task {
    pub asked: NewTask,
    pub policy: Policy,
    pub graph: Option<Label>,
    pub depends_on: Vec<Label>,
    pub rule: OnDependencyFailure,
    pub state: State,
    pub lane: Lane,
    pub rank: i64,
    pub due: Option<i64>,
    pub epoch: i32,
    pub attempts: i32,
    pub crashes: i32,
    /// It was dead-lettered, cancelled or stale once: those that run all the same went on.
    pub has_failed: bool,
    pub shunned: BTreeSet<u8>,
    pub shunned_until: i64,
    pub ended: Vec<Attempt>,
    pub late: BTreeMap<i32, Late>,
    pub result: Option<(i32, u8)>,
    pub checkpoint: Option<u8>,
    pub answers: usize,
    /// While blocked: until when.
    pub blocked_until: Option<i64>,
}

#[derive(Clone)]
pub struct Graph {
    pub members: Vec<Label>,
    pub is_draining: bool,
}

#[derive(Clone)]
pub struct Agent {
    pub key: u8,
    pub slots: i32,
    pub capabilities: Vec<&'static str>,
    pub models: Vec<&'static str>,
    pub status: AgentStatus,
}

#[derive(Clone)]
pub struct Lease {
    pub agent: u8,
    pub resumed: i16,
    pub started: Option<i64>,
    pub renewed: i64,
    pub ttl_ms: i64,
    pub max_duration_ms: Option<i64>,
    pub stopped: Option<i64>,
    pub request: Option<u8>,
}

/// An attempt that ended.
#[derive(Clone)]
pub struct Attempt {
    pub epoch: i32,
    pub resumed: i16,
    pub agent: u8,
    pub outcome: Outcome,
    pub reason: Option<Reason>,
    pub message: String,
    pub fingerprint: Option<i64>,
    pub started: Option<i64>,
}

/// What came in after its attempt had ended.
#[derive(Clone)]
pub struct Late {
    pub said: super::step::End,
    pub was_accepted: bool,
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a world of {} tasks", self.tasks.len())
    }
}

/// When every case begins.
pub fn beginning() -> Timestamp {
    Timestamp::from_second(1_800_000_000).expect("in range")
}

pub fn moment(ms: i64) -> Timestamp {
    beginning() + SignedDuration::from_millis(ms)
}

pub fn agent_name(agent: u8) -> String {
    format!("a{agent}")
}

impl World {
    pub fn new() -> World {
        World {
            now: 0,
            tasks: BTreeMap::new(),
            graphs: BTreeMap::new(),
            agents: BTreeMap::new(),
            leases: BTreeMap::new(),
            lanes: BTreeMap::new(),
            next_label: 0,
            answer: Vec::new(),
        }
    }

    /// Every step takes a millisecond, so that what happens later has a later time and id.
    pub fn take(&mut self, step: &Step) {
        self.now += 1;
        self.answer.clear();
        let waited: BTreeSet<Label> = self
            .tasks
            .keys()
            .copied()
            .filter(|label| self.unmet(*label) > 0)
            .collect();
        match step {
            Step::Submit(plans) => self.submit(plans, None),
            Step::SubmitGraph(plans) => {
                let graph = plans.first().map(|plan| plan.label);
                self.submit(plans, graph);
            }
            Step::Register {
                agent,
                key,
                slots,
                capabilities,
                models,
            } => {
                let registered = Agent {
                    key: *key,
                    slots: *slots,
                    capabilities: capabilities.clone(),
                    models: models.clone(),
                    status: AgentStatus::Active,
                };
                self.register(*agent, registered);
            }
            Step::SetStatus(agent, status) => {
                let found = self.agents.get_mut(agent);
                self.answer.push(found.is_some().to_string());
                if let Some(agent) = found {
                    agent.status = *status;
                }
            }
            Step::Claim(asks) => self.claim(asks),
            Step::Start(holds) => {
                for (hold, key) in holds {
                    let answer = self.start(*hold, *key);
                    self.answer.push(answer.unwrap_or_else(|refusal| refusal));
                }
            }
            Step::Heartbeat(beats) => {
                for (hold, key, checkpoint) in beats {
                    let answer = self.heartbeat(*hold, *key, *checkpoint);
                    self.answer.push(answer);
                }
            }
            Step::Resume(hold, key) => {
                let answer = self.resume(*hold, *key);
                self.answer.push(answer.unwrap_or_else(|refusal| refusal));
            }
            Step::Settle(endings) => {
                for (hold, key, end) in endings {
                    let answer = self.settle(*hold, *key, end);
                    self.answer.push(answer.unwrap_or_else(|refusal| refusal));
                }
            }
            Step::Answer(label) => {
                let answer = self.answer_question(*label);
                self.answer.push(answer.unwrap_or_else(|refusal| refusal));
            }
            Step::Cancel(labels) => {
                for label in labels {
                    let answer = self.cancel(*label);
                    self.answer.push(match answer {
                        Ok(()) => "cancelled".to_owned(),
                        Err(refusal) => refusal,
                    });
                }
            }
            Step::CancelGraph(graph, mode) => self.cancel_graph(*graph, *mode),
            Step::Resolve(labels, resolution) => {
                for label in labels {
                    let answer = self.resolve(*label, *resolution);
                    self.answer.push(answer.unwrap_or_else(|refusal| refusal));
                }
            }
            Step::Pass(ms) => self.now += ms,
            Step::Reap => self.reap(),
            Step::Promote => self.promote_due(),
            Step::ExpireBlocks => self.expire_blocks(),
            Step::SequenceEvents | Step::Restart => {}
        }
        self.follow_consequences(&waited);
    }

    fn submit(&mut self, plans: &[Plan], graph: Option<Label>) {
        let edges = plans.iter().enumerate();
        let edges = edges.map(|(place, plan)| (place, plan.depends_on.iter().copied().collect()));
        let shape = graph::shape(&edges.collect()).expect("plans have no cycle");
        for (place, plan) in plans.iter().enumerate() {
            let asked = plan.asked();
            let policy = asked.policy();
            let lane = asked.lane(policy.boost);
            let urgency = Urgency {
                base: asked.priority,
                boost: policy.boost,
                submitted: moment(self.now),
                critical_path: if policy.critical_path {
                    shape.critical_path[&place]
                } else {
                    0
                },
                deadline: None,
                estimate: SignedDuration::from_secs(300),
            };
            let due = plan.scheduled_in_ms.filter(|ms| *ms > 0);
            let waits = !plan.depends_on.is_empty() || due.is_some();
            let task = Task {
                rule: asked.dependency_rule(),
                asked,
                graph,
                depends_on: plan
                    .depends_on
                    .iter()
                    .map(|place| plans[*place].label)
                    .collect(),
                state: if waits { State::Pending } else { State::Ready },
                rank: urgency.rank(moment(self.now)),
                due: due.map(|ms| self.now + ms),
                epoch: 0,
                attempts: 0,
                crashes: 0,
                has_failed: false,
                shunned: BTreeSet::new(),
                shunned_until: 0,
                ended: Vec::new(),
                late: BTreeMap::new(),
                result: None,
                checkpoint: None,
                answers: 0,
                blocked_until: None,
                lane: lane.clone(),
                policy,
            };
            self.lanes.insert(lane.id(), lane);
            self.tasks.insert(plan.label, task);
            self.next_label = self.next_label.max(plan.label + 1);
        }
        if let Some(graph) = graph {
            let members = plans.iter().map(|plan| plan.label).collect();
            let submitted = Graph {
                members,
                is_draining: false,
            };
            self.graphs.insert(graph, submitted);
        }
        self.answer.push(plans.len().to_string());
    }

    fn register(&mut self, name: u8, agent: Agent) {
        let is_taken = self
            .agents
            .get(&name)
            .is_some_and(|known| known.key != agent.key);
        self.answer.push(if is_taken {
            "TakenByAnotherKey".to_owned()
        } else {
            self.agents.insert(name, agent);
            "Done".to_owned()
        });
    }

    pub fn offer(&self, name: u8) -> Offer {
        let agent = &self.agents[&name];
        Offer {
            agent: agent_name(name),
            agent_type: String::new(),
            capabilities: agent.capabilities.iter().map(ToString::to_string).collect(),
            models: agent.models.iter().map(ToString::to_string).collect(),
        }
    }

    /// How many dependencies still hold a task back.
    pub fn unmet(&self, label: Label) -> usize {
        let task = &self.tasks[&label];
        let unmet = task.depends_on.iter().filter(|on| {
            let on = &self.tasks[*on];
            let runs = task.rule == OnDependencyFailure::Run && on.has_failed;
            on.state != State::Completed && !runs
        });
        unmet.count()
    }

    pub fn tally(&self, graph: Label) -> Tally {
        let mut tally = Tally::default();
        for label in &self.graphs[&graph].members {
            tally.add(self.tasks[label].state, self.unmet(*label) > 0, 1);
        }
        tally
    }

    fn is_draining(&self, label: Label) -> bool {
        let graph = self.tasks[&label].graph;
        graph.is_some_and(|graph| self.graphs[&graph].is_draining)
    }

    /// What became of a task decides about those that wait for it, and so on.
    fn follow_consequences(&mut self, waited: &BTreeSet<Label>) {
        loop {
            for task in self.tasks.values_mut() {
                task.has_failed |= matches!(
                    task.state,
                    State::DeadLettered | State::Cancelled | State::Stale
                );
            }
            let doomed: Vec<Label> = self
                .tasks
                .iter()
                .filter(|(_, task)| task.state == State::Pending && self.is_doomed(task))
                .map(|(label, _)| *label)
                .collect();
            if doomed.is_empty() {
                break;
            }
            for label in doomed {
                self.cancel(label)
                    .expect("what is pending can be cancelled");
            }
        }
        for label in waited {
            let is_free = self.unmet(*label) == 0;
            let now = self.now;
            let task = self.task(*label);
            if is_free && task.state == State::Pending && task.due.is_none_or(|due| due <= now) {
                task.due = None;
                task.state = State::Ready;
            }
        }
    }

    fn is_doomed(&self, task: &Task) -> bool {
        task.depends_on
            .iter()
            .any(|on| match (task.rule, self.tasks[on].state) {
                (OnDependencyFailure::Cancel, State::DeadLettered) => true,
                (
                    OnDependencyFailure::Cancel | OnDependencyFailure::Default,
                    State::Cancelled | State::Stale,
                ) => true,
                _ => false,
            })
    }

    fn task(&mut self, label: Label) -> &mut Task {
        self.tasks.get_mut(&label).expect("the task exists")
    }

    /// Already cancelled is no mistake.
    fn cancel(&mut self, label: Label) -> Result<(), String> {
        let now = self.now;
        let task = self.tasks.get_mut(&label).ok_or("NotFound")?;
        if task.state == State::Cancelled {
            return Ok(());
        }
        task.follow(Trigger::Cancel)?;
        task.due = None;
        for (_, lease) in self
            .leases
            .iter_mut()
            .filter(|(hold, _)| hold.task == label)
        {
            lease.stopped = Some(now);
        }
        Ok(())
    }

    fn cancel_graph(&mut self, graph: Label, mode: CancelMode) {
        let Some(found) = self.graphs.get_mut(&graph) else {
            self.answer.push("NotFound".to_owned());
            return;
        };
        found.is_draining = true;
        let mut cancelled = 0;
        for label in found.members.clone() {
            let state = self.tasks[&label].state;
            let is_left = mode == CancelMode::Drain && state.is_leased();
            if !is_left && state != State::Cancelled && self.cancel(label).is_ok() {
                cancelled += 1;
            }
        }
        self.answer.push(cancelled.to_string());
    }

    fn resolve(&mut self, label: Label, resolution: Resolution) -> Result<String, String> {
        let task = self.tasks.get_mut(&label);
        let task = task
            .filter(|task| task.state == State::DeadLettered)
            .ok_or("NotFound")?;
        match resolution {
            Resolution::Retry => {
                task.follow(Trigger::Revive)?;
                task.follow(Trigger::Promote)?;
                task.attempts = 0;
                task.crashes = 0;
                task.shunned.clear();
                task.shunned_until = 0;
            }
            Resolution::Cancel => self.cancel(label)?,
        }
        Ok(self.tasks[&label].state.to_string())
    }

    fn promote_due(&mut self) {
        let now = self.now;
        let mut promoted = 0;
        for label in self.tasks.keys().copied().collect::<Vec<_>>() {
            let is_free = self.unmet(label) == 0;
            let task = self.task(label);
            let waits = matches!(task.state, State::Pending | State::Retrying);
            if waits && is_free && task.due.is_some_and(|due| due <= now) {
                task.state = State::Ready;
                task.due = None;
                promoted += 1;
            }
        }
        self.answer.push(promoted.to_string());
    }
}

impl Task {
    pub fn follow(&mut self, trigger: Trigger) -> Result<(), String> {
        self.state = lifecycle::next(self.state, trigger).map_err(refuse)?;
        Ok(())
    }

    /// How the attempts of this epoch ended at last.
    pub fn last_of(&self, epoch: i32) -> Option<&Attempt> {
        self.ended.iter().rfind(|attempt| attempt.epoch == epoch)
    }

    /// A retry after a time-out gets twice the time.
    pub fn max_duration_ms(&self) -> Option<i64> {
        let timeouts = self.ended.iter();
        let timeouts = timeouts.filter(|attempt| attempt.reason == Some(Reason::Timeout));
        self.policy
            .duration_after(u32::try_from(timeouts.count()).expect("few"))
    }
}

pub fn refuse(illegal: IllegalTransition) -> String {
    format!("Illegal: {illegal}")
}
