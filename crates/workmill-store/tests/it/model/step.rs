//! What can happen in a sequence: one step is one call to the store, or time that passes.
//!
//! Tasks, graphs and agents are named by small numbers that stay the same when a failing sequence
//! is cut down, so that what is left can be read.

use std::fmt;

use serde_json::json;
use workmill_core::dependency::OnDependencyFailure;
use workmill_core::failure::Reason;
use workmill_core::policy::{Profile, Strategy};
use workmill_core::priority::Priority;
use workmill_core::task::{Constraints, NewTask, RetryOverrides, Spec};
use workmill_store::dispatch::agents::AgentStatus;
use workmill_store::settlement::cancel::CancelMode;
use workmill_store::settlement::dead_letters::Resolution;

/// The number of a task, in the order of submission.
pub type Label = u32;

/// A task to submit.
#[derive(Clone, Default, PartialEq)]
pub struct Plan {
    pub label: Label,
    pub profile: Profile,
    pub priority: u8,
    pub max_attempts: Option<i32>,
    pub strategy: Option<Strategy>,
    pub retry_on: Vec<Reason>,
    /// From the moment of submission.
    pub scheduled_in_ms: Option<i64>,
    pub max_duration_sec: Option<u16>,
    pub capability: Option<&'static str>,
    /// Prefers the model `big` and falls back on `small`.
    pub falls_back: bool,
    pub rule: Option<OnDependencyFailure>,
    /// Places in the same graph.
    pub depends_on: Vec<usize>,
}

impl Plan {
    pub fn asked(&self) -> NewTask {
        let models = |name: &str| {
            if self.falls_back {
                vec![name.to_owned()]
            } else {
                vec![]
            }
        };
        NewTask {
            title: format!("t{}", self.label),
            task_type: "model".to_owned(),
            profile: self.profile,
            priority: Priority::new(self.priority.into()).expect("0 to 100"),
            max_attempts: self.max_attempts,
            retry: RetryOverrides {
                strategy: self.strategy,
                retry_on: self.retry_on.clone(),
                ..RetryOverrides::default()
            },
            on_dependency_failure: self.rule,
            spec: Spec {
                payload: json!(self.label),
                constraints: Constraints {
                    required_capabilities: self
                        .capability
                        .iter()
                        .map(ToString::to_string)
                        .collect(),
                    model_preferences: models("big"),
                    fallback_models: models("small"),
                    max_duration_sec: self.max_duration_sec.map(f64::from),
                    ..Constraints::default()
                },
                ..Spec::default()
            },
            ..NewTask::default()
        }
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let empty = Plan::default();
        write!(f, "t{} {:?} p{}", self.label, self.profile, self.priority)?;
        if let Some(most) = self.max_attempts {
            write!(f, " attempts {most}")?;
        }
        if let Some(strategy) = self.strategy {
            write!(f, " {strategy:?}")?;
        }
        if self.retry_on != empty.retry_on {
            write!(f, " retry on {:?}", self.retry_on)?;
        }
        if let Some(ms) = self.scheduled_in_ms {
            write!(f, " in {ms} ms")?;
        }
        if let Some(seconds) = self.max_duration_sec {
            write!(f, " for {seconds} s")?;
        }
        if let Some(capability) = self.capability {
            write!(f, " needs {capability}")?;
        }
        if self.falls_back {
            write!(f, " falls back")?;
        }
        if let Some(rule) = self.rule {
            write!(f, " on failure {rule:?}")?;
        }
        if !self.depends_on.is_empty() {
            write!(f, " after {:?}", self.depends_on)?;
        }
        Ok(())
    }
}

/// A lease by the task and the epoch; it need not exist.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hold {
    pub task: Label,
    pub epoch: i32,
}

impl fmt::Debug for Hold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}#{}", self.task, self.epoch)
    }
}

/// One agent's wish in a batch of claims.
#[derive(Clone, PartialEq, Eq)]
pub struct Ask {
    pub agent: u8,
    /// Which of the two keys asks.
    pub key: u8,
    pub most: i32,
    pub start: bool,
    pub request: Option<u8>,
}

impl fmt::Debug for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = if self.start { " start" } else { "" };
        write!(f, "a{}/k{} ×{}{start}", self.agent, self.key, self.most)?;
        match self.request {
            Some(request) => write!(f, " r{request}"),
            None => Ok(()),
        }
    }
}

/// How an agent ends an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    Complete(u8),
    Fail {
        reason: Reason,
        message: &'static str,
        retry_after_ms: Option<i64>,
    },
    Release,
    Block {
        timeout_ms: Option<i64>,
    },
}

#[derive(Debug, Clone)]
pub enum Step {
    Submit(Vec<Plan>),
    SubmitGraph(Vec<Plan>),
    Register {
        agent: u8,
        key: u8,
        slots: i32,
        capabilities: Vec<&'static str>,
        models: Vec<&'static str>,
    },
    SetStatus(u8, AgentStatus),
    Claim(Vec<Ask>),
    Start(Vec<(Hold, u8)>),
    /// With the checkpoint that each brings along.
    Heartbeat(Vec<(Hold, u8, Option<u8>)>),
    Resume(Hold, u8),
    Settle(Vec<(Hold, u8, End)>),
    /// The agents of the accepted ones claim up to so many tasks, with this request id.
    SettleAndClaim(Vec<(Hold, u8, End)>, i32, u8),
    Answer(Label),
    Cancel(Vec<Label>),
    /// A graph is named by the first of its tasks.
    CancelGraph(Label, CancelMode),
    Resolve(Vec<Label>, Resolution<'static>),
    /// Milliseconds; longer than a lease makes its agent a zombie.
    Pass(i64),
    Reap,
    Promote,
    ExpireBlocks,
    SequenceEvents,
    /// A new server on the same database: nothing remembered.
    Restart,
}
