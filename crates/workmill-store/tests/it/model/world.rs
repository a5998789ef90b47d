//! The queue as the model sees it: maps in memory, one step after the other.
//!
//! Written from the description of the system, not from the store's code. It borrows the pure
//! rules of `workmill-core` (arrows, verdicts, delays, ranks), which have tests of their own.
//! What the store keeps as counters (unmet dependencies, the tally of a graph) is counted anew
//! here each time.

mod claiming;
mod coming_back;
mod deciding;
mod following;
mod rows;
mod settling;
mod submitting;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use jiff::{SignedDuration, Timestamp};
use workmill_core::attempt::Outcome;
use workmill_core::dependency::OnDependencyFailure;
use workmill_core::failure::Reason;
use workmill_core::graph::Tally;
use workmill_core::lane::Lane;
use workmill_core::lifecycle::{self, IllegalTransition, State, Trigger};
use workmill_core::policy::Policy;
use workmill_core::task::NewTask;
use workmill_store::dispatch::agents::AgentStatus;

use super::step::{Hold, Label, Step};
pub use claiming::input_state;

#[derive(Clone)]
pub struct World {
    /// Milliseconds since the beginning of the case.
    pub now: i64,
    pub tasks: BTreeMap<Label, Task>,
    pub graphs: BTreeMap<Label, Graph>,
    pub agents: BTreeMap<u8, Agent>,
    pub leases: BTreeMap<Hold, Lease>,
    pub next_label: Label,
    /// How often a task came to a state that the events tell of.
    pub arrivals: BTreeMap<State, usize>,
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
    /// Attempts up to this epoch count no more.
    pub forgiven: i32,
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
    pub said_by_agent: bool,
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
            next_label: 0,
            arrivals: BTreeMap::new(),
            answer: Vec::new(),
        }
    }

    /// Every step takes a millisecond, so that what happens later has a later time and id.
    pub fn take(&mut self, step: &Step) {
        self.now += 1;
        self.answer.clear();
        if let Step::SettleAndClaim(endings, most, request) = step {
            // What becomes ready by the first part may be claimed by the second one.
            let mut asks = Vec::new();
            self.counting(|world| asks = world.settle_with_claims(endings, *most, *request));
            self.counting(|world| world.claim(&asks));
        } else {
            self.counting(|world| world.act(step));
        }
    }

    /// Acts, follows the consequences and counts the arrivals in each state.
    fn counting(&mut self, act: impl FnOnce(&mut World)) {
        let before: BTreeMap<Label, State> = self
            .tasks
            .iter()
            .map(|(label, task)| (*label, task.state))
            .collect();
        let waited: BTreeSet<Label> = self
            .tasks
            .keys()
            .copied()
            .filter(|label| self.unmet(*label) > 0)
            .collect();
        act(self);
        self.follow_consequences(&waited);
        for (label, task) in &self.tasks {
            if before.get(label) != Some(&task.state) {
                *self.arrivals.entry(task.state).or_default() += 1;
            }
        }
    }

    fn act(&mut self, step: &Step) {
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
            // A settlement that claims is taken in two parts.
            Step::SettleAndClaim(..) | Step::SequenceEvents | Step::Restart => {}
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

    fn task(&mut self, label: Label) -> &mut Task {
        self.tasks.get_mut(&label).expect("the task exists")
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
