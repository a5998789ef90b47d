//! A task as it is asked for and as it is stored.
//!
//! [`NewTask`] has the names and nesting that clients send. Missing values stay missing here;
//! [`NewTask::policy`] fills them from the profile, once, when the task is submitted. Readers of
//! stored JSON ignore fields they do not know; that a request has none is checked where it
//! enters.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::admission::Admission;
use crate::bounded::{MOST_CHOICES, MOST_DEPENDENCIES, MOST_LOCKS, MOST_WORDS, up_to};
use crate::capability;
use crate::dependency::OnDependencyFailure;
use crate::failure::Reason;
use crate::ids::{ProjectId, TaskId};
use crate::lane::{LARGEST_COST_BUCKET, Lane, LaneId};
use crate::money::Micros;
use crate::output::ExpectedOutput;
use crate::policy::{HEARTBEATS_IN_LEASE, Jitter, Policy, Profile, Strategy, shortest_lease_ms};
use crate::priority::Priority;
use crate::rank::{Boost, DEFAULT_ESTIMATE};
use crate::resource_lock::ResourceLock;
use crate::schema::{Amount, ContextRef, Json, Text, Title, Word};

/// A task in a request.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct NewTask {
    /// A local name for `depends_on` inside the same call.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Word>)]
    pub name: Option<String>,
    /// The planner's own id for the task, unique in the namespace.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Word>)]
    pub key: Option<String>,
    /// A repeated submission with the same key returns the first task and creates nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Word>)]
    pub idempotency_key: Option<String>,
    /// The project; by default that of the graph.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project_id: Option<ProjectId>,
    /// The creator: `human:NAME`, `cron:NAME` or `agent:NAME`; by default the name of the key. Only
    /// orchestrators, operators and admins may set it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Word>)]
    pub created_by: Option<String>,
    #[serde(rename = "type")]
    #[schema(value_type = Word, required)]
    pub task_type: String,
    #[schema(value_type = Title, required)]
    pub title: String,
    pub spec: Spec,
    #[serde(skip_serializing_if = "ExpectedOutput::is_unsaid")]
    pub output: ExpectedOutput,
    pub priority: Priority,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0.0, maximum = 10.0)]
    pub priority_boost_per_minute: Option<f64>,
    /// Hard deadline: a task that is not running by then becomes stale.
    #[serde(
        deserialize_with = "crate::moment::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub deadline: Option<Timestamp>,
    /// Probable duration; 300 by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0.1, maximum = 315_360_000.0)]
    pub estimate_sec: Option<f64>,
    #[serde(
        deserialize_with = "crate::moment::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub scheduled_for: Option<Timestamp>,
    /// Ids or keys of tasks in the same graph, or names of tasks in the same call.
    /// `POST /v1/tasks` refuses it.
    #[serde(
        deserialize_with = "up_to::<{ MOST_DEPENDENCIES }, _, _>",
        skip_serializing_if = "Vec::is_empty"
    )]
    #[schema(value_type = Vec<Text>, max_items = 10_000)]
    pub depends_on: Vec<String>,
    /// What happens to this task when a dependency does not complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_dependency_failure: Option<OnDependencyFailure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Word>)]
    pub agent_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Word>)]
    pub target_agent: Option<String>,
    #[serde(
        deserialize_with = "up_to::<{ MOST_WORDS }, _, _>",
        skip_serializing_if = "Vec::is_empty"
    )]
    #[schema(value_type = Vec<Word>, max_items = 100)]
    pub excluded_agents: Vec<String>,
    pub profile: Profile,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 1000)]
    pub max_attempts: Option<i32>,
    pub retry: RetryOverrides,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0.1, maximum = 315_360_000.0)]
    pub claim_ttl_sec: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0.1, maximum = 315_360_000.0)]
    pub lease_sec: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0.1, maximum = 315_360_000.0)]
    pub heartbeat_interval_sec: Option<f64>,
    /// The longest `max_duration_sec` to which earlier timeouts may extend an attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0.1, maximum = 315_360_000.0)]
    pub max_timeout_sec: Option<f64>,
    /// Labels on which limits and pauses can be set: `provider:anthropic`.
    #[serde(
        deserialize_with = "up_to::<{ MOST_WORDS }, _, _>",
        skip_serializing_if = "Vec::is_empty"
    )]
    #[schema(value_type = Vec<Word>, max_items = 100)]
    pub labels: Vec<String>,
    /// How much the task counts towards the limits of its labels; 1 by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 1_000_000)]
    pub cost_units: Option<i64>,
    /// Resources that no other task may use at the same time.
    #[serde(
        deserialize_with = "up_to::<{ MOST_LOCKS }, _, _>",
        skip_serializing_if = "Vec::is_empty"
    )]
    #[schema(max_items = 50)]
    pub locks: Vec<ResourceLock>,
    #[serde(
        deserialize_with = "up_to::<{ MOST_WORDS }, _, _>",
        skip_serializing_if = "Vec::is_empty"
    )]
    #[schema(value_type = Vec<Word>, max_items = 100)]
    pub tags: Vec<String>,
    #[serde(skip_serializing_if = "Value::is_null")]
    #[schema(value_type = Json)]
    pub metadata: Value,
}

/// The description of the work.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Spec {
    #[schema(value_type = Text)]
    pub prompt: String,
    /// `task:<id>:output` comes with the claim; `artifact:<id>` is passed on as a reference.
    #[serde(
        deserialize_with = "up_to::<{ MOST_WORDS }, _, _>",
        skip_serializing_if = "Vec::is_empty"
    )]
    #[schema(value_type = Vec<ContextRef>, max_items = 100)]
    pub context_refs: Vec<String>,
    #[serde(skip_serializing_if = "Value::is_null")]
    #[schema(value_type = Json)]
    pub payload: Value,
    pub constraints: Constraints,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Constraints {
    #[serde(
        deserialize_with = "up_to::<{ MOST_WORDS }, _, _>",
        skip_serializing_if = "Vec::is_empty"
    )]
    #[schema(value_type = Vec<Word>, max_items = 100)]
    pub required_capabilities: Vec<String>,
    #[serde(
        deserialize_with = "up_to::<{ MOST_WORDS }, _, _>",
        skip_serializing_if = "Vec::is_empty"
    )]
    #[schema(value_type = Vec<Word>, max_items = 100)]
    pub model_preferences: Vec<String>,
    /// Replace `model_preferences` from the second failed attempt on.
    #[serde(
        deserialize_with = "up_to::<{ MOST_WORDS }, _, _>",
        skip_serializing_if = "Vec::is_empty"
    )]
    #[schema(value_type = Vec<Word>, max_items = 100)]
    pub fallback_models: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0.1, maximum = 315_360_000.0)]
    pub max_duration_sec: Option<f64>,
    /// The most that all attempts together may cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Amount>)]
    pub max_cost_usd: Option<Micros>,
}

/// Retry settings that differ from the task's profile.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct RetryOverrides {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<Strategy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0.0, maximum = 315_360_000.0)]
    pub initial_delay_sec: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1.0, maximum = 100.0)]
    pub backoff_multiplier: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0.0, maximum = 315_360_000.0)]
    pub max_delay_sec: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jitter: Option<bool>,
    #[serde(
        deserialize_with = "up_to::<{ MOST_CHOICES }, _, _>",
        skip_serializing_if = "Vec::is_empty"
    )]
    #[schema(max_items = 50)]
    pub retry_on: Vec<Reason>,
    #[serde(
        deserialize_with = "up_to::<{ MOST_CHOICES }, _, _>",
        skip_serializing_if = "Vec::is_empty"
    )]
    #[schema(max_items = 50)]
    pub no_retry_on: Vec<Reason>,
}

/// The task whose output a reference names, `task:<id>:output`.
pub fn referenced_task(reference: &str) -> Option<TaskId> {
    let id = reference.strip_prefix("task:")?.strip_suffix(":output")?;
    id.parse().ok()
}

/// The artifact that a reference names, `artifact:<id>`. An id has no white space, so that a
/// reference is one word wherever it is written.
pub fn referenced_artifact(reference: &str) -> Option<&str> {
    let id = reference.strip_prefix("artifact:")?;
    let is_plain = |letter: char| !letter.is_control() && !letter.is_whitespace();
    (!id.is_empty() && id.chars().all(is_plain)).then_some(id)
}

impl NewTask {
    /// What names a task, ties it to others or says when it begins is not a matter of editing.
    pub const FIXED: [&str; 9] = [
        "created_by",
        "name",
        "key",
        "idempotency_key",
        "depends_on",
        "on_dependency_failure",
        "profile",
        "project_id",
        "scheduled_for",
    ];

    /// The profile's policy with this task's own values laid over it.
    pub fn policy(&self) -> Policy {
        let mut policy = self.profile.policy();
        set(&mut policy.lease_ms, self.lease_sec.map(milliseconds));
        set(
            &mut policy.heartbeat_ms,
            self.lease_sec.map(|lease| milliseconds(lease / 3.0)),
        );
        set(
            &mut policy.heartbeat_ms,
            self.heartbeat_interval_sec.map(milliseconds),
        );
        if self.lease_sec.is_none() {
            let shortest = shortest_lease_ms(policy.heartbeat_ms);
            policy.lease_ms = policy.lease_ms.max(shortest);
        }
        set(
            &mut policy.boost,
            self.priority_boost_per_minute.map(Boost::nearest),
        );
        policy.claim_ttl_ms = self.claim_ttl_sec.map(milliseconds).or(policy.claim_ttl_ms);
        policy.max_attempts = self.max_attempts.or(policy.max_attempts);
        let max_duration = self.spec.constraints.max_duration_sec.map(milliseconds);
        policy.max_duration_ms = max_duration.or(policy.max_duration_ms);
        policy.max_timeout_ms = self.max_timeout_sec.map(milliseconds);
        policy.admission = self.admission();

        let own = &self.retry;
        let retry = &mut policy.retry;
        set(&mut retry.strategy, own.strategy);
        set(
            &mut retry.initial_delay_ms,
            own.initial_delay_sec.map(milliseconds),
        );
        set(&mut retry.multiplier, own.backoff_multiplier);
        if retry.strategy == Strategy::Linear {
            retry.max_delay_ms = i64::MAX;
        }
        set(&mut retry.max_delay_ms, own.max_delay_sec.map(milliseconds));
        let of_profile = retry.jitter;
        retry.jitter = match own.jitter {
            Some(true) if of_profile == Jitter::None => Jitter::HalfEachWay,
            Some(false) => Jitter::None,
            // The source of linear backoff gives it neither jitter nor a cap.
            None if retry.strategy == Strategy::Linear => Jitter::None,
            Some(true) | None => of_profile,
        };
        if !own.retry_on.is_empty() {
            retry.retry_on.clone_from(&own.retry_on);
        }
        if !own.no_retry_on.is_empty() {
            retry.no_retry_on.clone_from(&own.no_retry_on);
        }
        policy
    }

    /// Returns why its priority cannot be, if that is so: only the `task` profile has no scale.
    pub fn priority_problem(&self) -> Option<String> {
        let is_fine = self.profile == Profile::Task || self.priority.is_on_the_scale();
        (!is_fine).then(|| {
            let value = self.priority.value();
            format!("{value} is not between 0 and 100; only the profile `task` takes any integer")
        })
    }

    /// Returns why its lease and its heartbeat interval contradict each other, if they do: an agent
    /// that keeps to the interval must not lose the lease.
    pub fn lease_problem(&self) -> Option<String> {
        let (lease, interval) = (self.lease_sec?, self.heartbeat_interval_sec?);
        (milliseconds(lease) < shortest_lease_ms(milliseconds(interval))).then(|| {
            format!(
                "{lease} is less than {HEARTBEATS_IN_LEASE} times heartbeat_interval_sec, \
                 {interval}: leave one of the two out, or make the lease longer"
            )
        })
    }

    /// Returns why its longest time of an attempt has no effect, if that is so: it bounds what timeouts
    /// add to the first time.
    pub fn timeout_problem(&self) -> Option<String> {
        let longest = self.max_timeout_sec?;
        let Some(first) = self.policy().max_duration_ms else {
            let problem = "has no effect without spec.constraints.max_duration_sec";
            return Some(problem.to_owned());
        };
        (milliseconds(longest) < first).then(|| {
            let first = SignedDuration::from_millis(first).as_secs_f64();
            format!("{longest} is less than spec.constraints.max_duration_sec, {first}")
        })
    }

    /// What it asks of the gates.
    fn admission(&self) -> Admission {
        Admission {
            task_type: self.task_type.clone(),
            priority: self.priority,
            deadline: self.deadline,
            estimate_ms: self.estimate_sec.map(milliseconds),
            labels: capability::normalise(self.labels.clone()),
            cost_units: self.cost_units.unwrap_or(1),
            max_cost: self.spec.constraints.max_cost_usd,
            // Checked at intake.
            locks: self
                .locks
                .iter()
                .filter_map(|lock| lock.clone().normalised().ok())
                .collect(),
        }
    }

    pub fn estimate(&self) -> SignedDuration {
        let estimate = self
            .estimate_sec
            .map(|seconds| SignedDuration::from_millis(milliseconds(seconds)));
        estimate.unwrap_or(DEFAULT_ESTIMATE)
    }

    /// Returns the lane it moves to after this many failures, when its attempts have cost this
    /// much, if it names models to fall back on.
    pub fn fallback_lane(&self, boost: Boost, failures: i32, spent: Micros) -> Option<Lane> {
        (failures >= 2).then(|| self.lane_of_fallback(boost, spent))?
    }

    fn lane_of_fallback(&self, boost: Boost, spent: Micros) -> Option<Lane> {
        let models = &self.spec.constraints.fallback_models;
        (!models.is_empty()).then(|| {
            Lane {
                models: models.clone(),
                ..self.lane_after(boost, spent)
            }
            .normalised()
        })
    }

    /// Returns the lane with this id, if the task can be in it. What was stored can be told again by
    /// that, also where the row of the lane is gone. Every cost is tried, not only those up to its own
    /// maximum: the task may have been given a smaller one while it was in the lane.
    pub fn lane_with_id(&self, boost: Boost, id: LaneId) -> Option<Lane> {
        let preferred = self.lane(boost);
        let fallback = self.lane_of_fallback(boost, Micros::ZERO);
        [Some(preferred), fallback]
            .into_iter()
            .flatten()
            .flat_map(|lane| {
                let untyped = lane.clone().untyped();
                let costs: Vec<Option<u8>> = match lane.cost {
                    Some(own) => {
                        let lesser = (0..=own).rev();
                        lesser
                            .chain(own + 1..=LARGEST_COST_BUCKET)
                            .map(Some)
                            .collect()
                    }
                    None => vec![None],
                };
                let typed = costs.into_iter().map(move |cost| Lane {
                    cost,
                    ..lane.clone()
                });
                typed.chain([untyped])
            })
            .find(|lane| lane.id() == id)
    }

    /// The rule it goes by when a dependency fails.
    pub fn dependency_rule(&self) -> OnDependencyFailure {
        self.on_dependency_failure.unwrap_or(match self.profile {
            Profile::Task => OnDependencyFailure::Run,
            _ => OnDependencyFailure::Default,
        })
    }

    /// Returns what it asks of an agent.
    pub fn lane(&self, boost: Boost) -> Lane {
        self.lane_after(boost, Micros::ZERO)
    }

    /// Returns what it asks of an agent when its attempts have cost this much.
    pub fn lane_after(&self, boost: Boost, spent: Micros) -> Lane {
        let constraints = &self.spec.constraints;
        let most = constraints.max_cost_usd;
        Lane {
            agent_type: self.agent_type.clone(),
            target_agent: self.target_agent.clone(),
            excluded_agents: self.excluded_agents.clone(),
            capabilities: constraints.required_capabilities.clone(),
            models: constraints.model_preferences.clone(),
            boost,
            task_type: Some(self.task_type.clone()),
            profile: Some(self.profile),
            cost: None,
        }
        .costing(most.map(|most| most.saturating_sub(spent).max(Micros::ZERO)))
        .normalised()
    }
}

fn set<T>(value: &mut T, own: Option<T>) {
    if let Some(own) = own {
        *value = own;
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "saturates; intake bounds durations"
)]
fn milliseconds(seconds: f64) -> i64 {
    (seconds * 1000.0) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_names_the_output_of_a_task() {
        let id = "task_01J8K2M0000000000000000000";
        assert_eq!(
            referenced_task(&format!("task:{id}:output")),
            id.parse().ok()
        );
        assert_eq!(referenced_task(id), None);
        assert_eq!(referenced_task("task:x:output"), None);
    }

    /// F-5 (part)
    #[test]
    fn a_reference_names_an_artifact_by_its_id() {
        assert_eq!(referenced_artifact("artifact:abc"), Some("abc"));
        assert_eq!(referenced_artifact("artifact:a/b:c"), Some("a/b:c"));
        for text in [
            "artifact:",
            "artifact:a b",
            "artifact:\n",
            "artifacts:a",
            "abc",
        ] {
            assert_eq!(referenced_artifact(text), None, "{text}");
        }
    }

    #[test]
    fn the_lane_of_a_task_is_told_by_its_id() {
        let task = NewTask {
            task_type: "code".into(),
            spec: Spec {
                constraints: Constraints {
                    model_preferences: vec!["large".into()],
                    fallback_models: vec!["small".into()],
                    max_cost_usd: Some(Micros(5_000_000)),
                    ..Constraints::default()
                },
                ..Spec::default()
            },
            ..NewTask::default()
        };
        let boost = Boost::Tenth;
        let spent = task.lane_after(boost, Micros(4_500_000));
        assert_eq!((task.lane(boost).cost, spent.cost), (Some(22), Some(18)));
        let fallback = task.fallback_lane(boost, 2, Micros(1_000_000)).unwrap();
        assert_eq!(task.fallback_lane(boost, 1, Micros::ZERO), None);
        for lane in [
            task.lane(boost),
            spent,
            fallback,
            task.lane(boost).untyped(),
        ] {
            assert_eq!(task.lane_with_id(boost, lane.id()), Some(lane));
        }
        assert_eq!(task.lane_with_id(Boost::One, task.lane(boost).id()), None);
    }

    #[test]
    fn a_longest_timeout_without_effect_is_told() {
        let problem = |profile, longest, first| {
            let mut task = NewTask {
                profile,
                max_timeout_sec: Some(longest),
                ..NewTask::default()
            };
            task.spec.constraints.max_duration_sec = first;
            task.timeout_problem()
        };
        let shorter = problem(Profile::Agent, 5.0, Some(10.0)).unwrap();
        assert!(
            shorter.contains("5 is less than") && shorter.ends_with("10"),
            "{shorter}"
        );
        let alone = problem(Profile::Agent, 5.0, None).unwrap();
        assert!(
            alone.contains("without spec.constraints.max_duration_sec"),
            "{alone}"
        );
        assert_eq!(problem(Profile::Agent, 10.0, Some(10.0)), None);
        // The profile has a duration of its own.
        assert_eq!(problem(Profile::Hub, 300.0, None), None);
        assert!(problem(Profile::Hub, 299.0, None).is_some());
        assert_eq!(NewTask::default().timeout_problem(), None);
    }

    /// F-21 (part)
    #[test]
    fn a_long_heartbeat_interval_makes_the_lease_longer_and_a_contradiction_is_named() {
        let slow = NewTask {
            heartbeat_interval_sec: Some(120.0),
            ..NewTask::default()
        };
        assert_eq!(slow.policy().lease_ms, 360_000);
        assert_eq!(slow.lease_problem(), None);
        let contradictory = NewTask {
            lease_sec: Some(90.0),
            ..slow
        };
        let problem = contradictory.lease_problem().unwrap();
        assert!(problem.contains("heartbeat_interval_sec"), "{problem}");
        let short = NewTask {
            heartbeat_interval_sec: None,
            ..contradictory
        };
        assert_eq!(short.policy().heartbeat_ms, 30_000);
    }

    #[test]
    fn a_task_overrides_each_value_of_its_profile() {
        let task: NewTask = serde_json::from_str(
            r#"{"type": "code", "title": "t", "profile": "workflow", "max_attempts": 7,
                "lease_sec": 12, "retry": {"strategy": "fixed", "initial_delay_sec": 0.5},
                "priority_boost_per_minute": 0.9, "priority": "high"}"#,
        )
        .unwrap();
        let policy = task.policy();
        assert_eq!(policy.max_attempts, Some(7));
        assert_eq!((policy.lease_ms, policy.heartbeat_ms), (12_000, 4_000));
        assert_eq!(policy.retry.strategy, Strategy::Fixed);
        assert_eq!(policy.retry.initial_delay_ms, 500);
        assert_eq!(policy.boost, Boost::One);
        assert_eq!(
            policy.claim_ttl_ms,
            Some(30_000),
            "what it does not name stays"
        );
        assert_eq!(task.priority.value(), 20);
    }
}
