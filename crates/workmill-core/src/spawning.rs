//! What an agent may spawn: bounds that keep it below what it was handed.
//!
//! What comes in is the task that is held, and one that is to be spawned below it; what goes out is
//! the same task within its bounds, or the field that is beyond them. What the request leaves open
//! is set here, so that a default never takes more than the spawning task has.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::money::Micros;
use crate::policy::{Policy, Profile};
use crate::priority::Priority;
use crate::resource_lock::ResourceLock;
use crate::task::NewTask;

/// Bounds on the tasks that agents of a namespace spawn. They do not apply to keys of
/// orchestrators, operators and admins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct SpawnSettings {
    /// Tasks that may be spawned under one lease.
    #[schema(minimum = 0, maximum = 1_000_000)]
    pub most_tasks_per_lease: u32,
    /// Tasks that may be spawned in one graph, by all its tasks together.
    #[schema(minimum = 0, maximum = 1_000_000)]
    pub most_tasks_per_graph: u32,
    /// How many levels of spawned tasks may be below a submitted task.
    #[schema(minimum = 0, maximum = 1_000)]
    pub most_depth: u16,
    /// The agents for which tasks may be spawned.
    pub spawn_for: SpawnFor,
    /// Which locks spawned tasks may ask for.
    pub locks: SpawnLocks,
}

impl Default for SpawnSettings {
    fn default() -> Self {
        SpawnSettings {
            most_tasks_per_lease: 1_000,
            most_tasks_per_graph: 10_000,
            most_depth: 10,
            spawn_for: SpawnFor::ByProfile,
            locks: SpawnLocks::Held,
        }
    }
}

/// The agents for which an agent may spawn tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SpawnFor {
    /// For agents of its own type if one of both tasks has the profile `workflow`, else for any. A
    /// task below one of that profile has it too.
    ByProfile,
    /// For agents of its own type only.
    OwnKind,
    Any,
}

/// Which locks the tasks that an agent spawns may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SpawnLocks {
    /// Only paths that the locks of the spawning task cover.
    Held,
    Any,
}

impl SpawnFor {
    pub const ALL: [SpawnFor; 3] = [SpawnFor::ByProfile, SpawnFor::OwnKind, SpawnFor::Any];

    pub const fn name(self) -> &'static str {
        match self {
            SpawnFor::ByProfile => "by_profile",
            SpawnFor::OwnKind => "own_kind",
            SpawnFor::Any => "any",
        }
    }

    pub fn from_name(name: &str) -> Option<SpawnFor> {
        SpawnFor::ALL.into_iter().find(|one| one.name() == name)
    }

    fn is_own_kind(self, parent: Profile, child: Profile) -> bool {
        match self {
            SpawnFor::ByProfile => [parent, child].contains(&Profile::Workflow),
            SpawnFor::OwnKind => true,
            SpawnFor::Any => false,
        }
    }
}

impl SpawnLocks {
    pub const ALL: [SpawnLocks; 2] = [SpawnLocks::Held, SpawnLocks::Any];

    pub const fn name(self) -> &'static str {
        match self {
            SpawnLocks::Held => "held",
            SpawnLocks::Any => "any",
        }
    }

    pub fn from_name(name: &str) -> Option<SpawnLocks> {
        SpawnLocks::ALL.into_iter().find(|one| one.name() == name)
    }
}

impl fmt::Display for SpawnFor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for SpawnLocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The task that is held, and the agent that holds it.
#[derive(Debug, Clone, PartialEq)]
pub struct Spawner {
    pub asked: NewTask,
    pub policy: Policy,
    pub depth: u16,
    /// How many points the chain behind it makes it more urgent.
    pub critical_path: u8,
    pub agent: String,
    /// Its type when it claimed the task; empty if it had registered none.
    pub agent_type: String,
    /// Agents of this type that the same key has registered.
    pub kin: Vec<String>,
    /// What is left of the most that the task may cost, if there is such a bound.
    pub left: Option<Micros>,
}

/// A field of a spawned task that is beyond its bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beyond {
    pub field: &'static str,
    pub problem: String,
}

fn beyond(field: &'static str, problem: impl Into<String>) -> Result<(), Beyond> {
    Err(Beyond {
        field,
        problem: problem.into(),
    })
}

impl Spawner {
    /// Sets what the tasks leave open, and refuses the first field that is beyond its bound, with the
    /// place of its task.
    pub fn bound(
        &self,
        settings: &SpawnSettings,
        tasks: &mut [NewTask],
    ) -> Result<(), (usize, Beyond)> {
        for (place, task) in tasks.iter_mut().enumerate() {
            let bounded = self
                .bound_profile(settings, task)
                .and_then(|()| self.bound_urgency(task))
                .and_then(|()| self.bound_times(task))
                .and_then(|()| self.bound_kind(settings, task))
                .and_then(|()| self.bound_locks(settings, task));
            bounded.map_err(|beyond| (place, beyond))?;
        }
        self.share_budget(tasks)
    }

    /// Bounds what is stamped on a task of this agent: the chain behind it makes it no more urgent than
    /// the chain behind the spawning task makes that one.
    pub fn bound_policy(&self, policy: Policy) -> Policy {
        Policy {
            most_critical_path: Some(self.critical_path),
            ..policy
        }
    }

    /// Refuses to spawn below a task that is too deep.
    pub fn check_depth(&self, settings: &SpawnSettings) -> Result<(), Beyond> {
        let most = settings.most_depth;
        if self.depth < most {
            return Ok(());
        }
        let problem = format!(
            "the spawning task is {} deep, and at most {most} is allowed",
            self.depth
        );
        beyond("tasks", problem)
    }

    fn bound_urgency(&self, task: &mut NewTask) -> Result<(), Beyond> {
        let bound = self.asked.priority;
        if task.priority < bound {
            if task.priority != Priority::default() {
                let problem = format!(
                    "{} is more urgent than the spawning task; {} or more is allowed",
                    task.priority.value(),
                    bound.value()
                );
                return beyond("priority", problem);
            }
            task.priority = bound;
        }
        let boost = self.policy.boost.per_minute();
        if task.policy().boost.per_minute() > boost {
            if task.priority_boost_per_minute.is_some() {
                let problem = format!("at most {boost} is allowed below the spawning task");
                return beyond("priority_boost_per_minute", problem);
            }
            task.priority_boost_per_minute = Some(boost);
        }
        let Some(deadline) = task.deadline else {
            return Ok(());
        };
        match self.asked.deadline {
            None => beyond(
                "deadline",
                "makes a task more urgent, and the spawning task has none",
            ),
            Some(bound) if deadline < bound => beyond(
                "deadline",
                format!("is before that of the spawning task, {bound}"),
            ),
            Some(_) if task.estimate() > self.asked.estimate() => beyond(
                "estimate_sec",
                "is longer than that of the spawning task, before a deadline",
            ),
            Some(_) => Ok(()),
        }
    }

    fn bound_times(&self, task: &mut NewTask) -> Result<(), Beyond> {
        let (asked, usual) = (task.policy(), task.profile.policy());
        let lease = self.policy.lease_ms.max(usual.lease_ms);
        let ttl = self.policy.claim_ttl_ms.max(usual.claim_ttl_ms);
        let times = [
            ("lease_sec", task.lease_sec.map(|_| asked.lease_ms), lease),
            (
                "claim_ttl_sec",
                task.claim_ttl_sec.and(asked.claim_ttl_ms),
                ttl.unwrap_or(lease),
            ),
            (
                "heartbeat_interval_sec",
                task.heartbeat_interval_sec.map(|_| asked.heartbeat_ms),
                self.policy.heartbeat_ms.max(usual.heartbeat_ms),
            ),
        ];
        // What a task does not name comes from its profile.
        for (field, named, bound) in times {
            if named.is_some_and(|asked| asked > bound) {
                return beyond(field, at_most_seconds(bound));
            }
        }
        let bound = self.policy.max_attempts.max(usual.max_attempts);
        let is_endless = self.policy.max_attempts.is_none() || usual.max_attempts.is_none();
        if let Some(bound) = bound.filter(|_| !is_endless)
            && asked.max_attempts.is_none_or(|asked| asked > bound)
        {
            return beyond("max_attempts", format!("at most {bound} is allowed"));
        }
        self.bound_duration(task, &asked)
    }

    /// What the spawning task may run, those below it may, too, and no longer.
    fn bound_duration(&self, task: &mut NewTask, asked: &Policy) -> Result<(), Beyond> {
        let Some(bound) = self.policy.max_duration_ms else {
            return Ok(());
        };
        let named = &mut task.spec.constraints.max_duration_sec;
        if asked.max_duration_ms.is_none_or(|asked| asked > bound) {
            if named.is_some() {
                return beyond("spec.constraints.max_duration_sec", at_most_seconds(bound));
            }
            *named = Some(in_seconds(bound));
        }
        let longest = self.policy.max_timeout_ms;
        let longest = longest.unwrap_or(bound.saturating_mul(8));
        if asked.max_timeout_ms.is_some_and(|asked| asked > longest) {
            return beyond("max_timeout_sec", at_most_seconds(longest));
        }
        Ok(())
    }

    /// An agent hands no work to strangers where its namespace does not want that.
    fn bound_kind(&self, settings: &SpawnSettings, task: &mut NewTask) -> Result<(), Beyond> {
        if !settings
            .spawn_for
            .is_own_kind(self.policy.profile, task.profile)
        {
            return Ok(());
        }
        let own = self.agent_type.as_str();
        if own.is_empty() {
            let which = match settings.spawn_for {
                SpawnFor::ByProfile => "tasks of this profile",
                SpawnFor::OwnKind | SpawnFor::Any => "tasks",
            };
            let problem = format!(
                "agent `{}` had registered no type when it claimed its task; register it with one \
                 before it claims a task below which it is to spawn {which}",
                self.agent
            );
            return beyond("tasks", problem);
        }
        let remedy = "an orchestrator may, and so may `spawn_for: any` in the namespace's settings";
        if task.agent_type.as_deref().is_some_and(|named| named != own) {
            let problem = format!("agents of type `{own}` spawn for their own type only; {remedy}");
            return beyond("agent_type", problem);
        }
        if let Some(named) = &task.target_agent
            && !self.kin.contains(named)
        {
            let problem = format!("is no agent of type `{own}` of the same key; {remedy}");
            return beyond("target_agent", problem);
        }
        task.agent_type = Some(own.to_owned());
        Ok(())
    }

    /// Where the profile decides for whom tasks may be spawned, no task below leaves it.
    fn bound_profile(&self, settings: &SpawnSettings, task: &mut NewTask) -> Result<(), Beyond> {
        let (own, asked) = (self.policy.profile, task.profile);
        let decides = settings.spawn_for == SpawnFor::ByProfile && own == Profile::Workflow;
        if !decides || asked == own {
            return Ok(());
        }
        if asked != Profile::default() {
            return beyond(
                "profile",
                "must be `workflow`, as that of the spawning task",
            );
        }
        task.profile = own;
        Ok(())
    }

    fn bound_locks(&self, settings: &SpawnSettings, task: &NewTask) -> Result<(), Beyond> {
        match settings.locks {
            SpawnLocks::Any => return Ok(()),
            SpawnLocks::Held => {}
        }
        let held = &self.policy.admission.locks;
        for lock in &task.policy().admission.locks {
            if !held.iter().any(|held| held.grants(lock)) {
                let problem = format!(
                    "`{}` is not covered by a lock of the spawning task",
                    lock.path
                );
                return beyond("locks", problem);
            }
        }
        Ok(())
    }

    /// What spawned tasks may cost comes out of what is left of the spawning one. Those that do not
    /// say get the same share of the rest, and so does the spawning task.
    fn share_budget(&self, tasks: &mut [NewTask]) -> Result<(), (usize, Beyond)> {
        const FIELD: &str = "spec.constraints.max_cost_usd";
        let Some(left) = self.left else {
            return Ok(());
        };
        let mut rest = left;
        let mut silent = 0;
        for (place, task) in tasks.iter().enumerate() {
            match task.spec.constraints.max_cost_usd {
                None => silent += 1,
                Some(asked) if asked > rest => {
                    let problem = if rest == left {
                        format!("the spawning task has {left} left")
                    } else {
                        format!(
                            "the spawning task has {left} left, of which the tasks before this one \
                             take {}",
                            left.saturating_sub(rest)
                        )
                    };
                    return Err((
                        place,
                        Beyond {
                            field: FIELD,
                            problem,
                        },
                    ));
                }
                Some(asked) => rest = rest.saturating_sub(asked),
            }
        }
        let share = Micros(rest.0 / (silent + 1));
        for (place, task) in tasks.iter_mut().enumerate() {
            let cost = &mut task.spec.constraints.max_cost_usd;
            if cost.is_none() {
                if share <= Micros::ZERO {
                    let problem = "the spawning task has no budget left".to_owned();
                    return Err((
                        place,
                        Beyond {
                            field: FIELD,
                            problem,
                        },
                    ));
                }
                *cost = Some(share);
            }
        }
        Ok(())
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "exact for all durations that intake takes"
)]
fn in_seconds(milliseconds: i64) -> f64 {
    milliseconds as f64 / 1000.0
}

fn at_most_seconds(bound: i64) -> String {
    let (seconds, rest) = (bound / 1000, bound % 1000);
    match rest {
        0 => format!("at most {seconds} is allowed below the spawning task"),
        rest => format!("at most {seconds}.{rest:03} is allowed below the spawning task"),
    }
}

/// What is left of the most that a task may cost.
pub fn left_of_budget(policy: &Policy, spent: Micros) -> Option<Micros> {
    let most = policy.admission.max_cost?;
    Some(most.saturating_sub(spent).max(Micros::ZERO))
}

impl ResourceLock {
    /// Whether whoever holds this lock may pass the other one on.
    fn grants(&self, other: &ResourceLock) -> bool {
        self.covers(other) && (!self.shared || other.shared)
    }
}

#[cfg(test)]
mod tests;
