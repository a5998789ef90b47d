//! The page of the profiles: one table, a line per value, a column per profile.

use std::fmt::Write;

use workmill_core::policy::{Jitter, OnExpiry, Policy, Profile, Strategy};

const PROFILES: [(Profile, &str); 5] = [
    (Profile::Agent, "agent"),
    (Profile::Task, "task"),
    (Profile::Workflow, "workflow"),
    (Profile::Hub, "hub"),
    (Profile::Work, "work"),
];

const INTRODUCTION: &str = "# Profiles

<!-- Generated from workmill-core's profiles by `./dev docs`. -->

A profile is a set of defaults for leases, retries and ranking. A task names its profile in the field `profile`; without one it has the profile
`agent`. Each value can be set per task ([tasks.md](tasks.md)). Workmill stamps the values on the task when the task is submitted, so a later change of a
profile does not change tasks that are already in the queue.

| profile | made for |
|---|---|
| `agent` | fleets of agents that work through graphs: short leases, exponential backoff, priority ageing |
| `task` | planners and builders that use the `task` command: long leases, a failed task is open again at once |
| `workflow` | workflows of typed tasks: short leases, quadratic backoff |
| `hub` | daemons on users' machines: ten seconds to accept a task, exponential backoff |
| `work` | work items that a person supervises: after 30 silent minutes the task is blocked instead of retried |

";

const NOTES: &str = "
- **Time to start** is the time between a claim and its start. If it runs out, the attempt fails with `claim_expired`. Without a time to start, a claim
  starts the task.
- **Lease** is the time without a heartbeat after which the agent loses the task (`heartbeat_timeout`).
- **Ageing** is the number of priority points that a waiting task gains per minute. **Critical path** adds a point per task on the longest chain of
  tasks that wait for this one, 20 at most; for a task that an agent spawned, at most as many as for the spawning task.
- **Soft exclusion** keeps an agent that failed a task away from this task for the retry delay, 60 seconds at least, unless no other agent can run the task.
- **Poison detection** dead-letters a task early when different agents fail on it.
- **Crash limit** dead-letters a task after this number of lost attempts, even if the attempts are not counted.
";

type Value = fn(&Policy) -> String;

const LINES: [(&str, Value); 12] = [
    ("time to start (`claim_ttl_sec`)", |policy| {
        policy.claim_ttl_ms.map_or("none".to_owned(), duration)
    }),
    ("lease (`lease_sec`)", |policy| duration(policy.lease_ms)),
    ("longest attempt (`max_duration_sec`)", |policy| {
        policy
            .max_duration_ms
            .map_or("no limit".to_owned(), duration)
    }),
    ("heartbeat (`heartbeat_interval_sec`)", |policy| {
        format!("every {}", duration(policy.heartbeat_ms))
    }),
    ("when the lease is lost", |policy| {
        match policy.on_expiry {
            OnExpiry::Retry => "retry",
            OnExpiry::Block => "block",
        }
        .to_owned()
    }),
    ("attempts (`max_attempts`)", |policy| {
        policy
            .max_attempts
            .map_or("no limit".to_owned(), |most| most.to_string())
    }),
    ("retry (`retry`)", retry),
    ("ageing (`priority_boost_per_minute`)", |policy| {
        policy.boost.per_minute().to_string()
    }),
    ("critical path", |policy| yes(policy.critical_path)),
    ("soft exclusion", |policy| yes(policy.soft_exclusion)),
    ("poison detection", |policy| yes(policy.poison)),
    ("crash limit", |policy| {
        policy
            .crash_limit
            .map_or("none".to_owned(), |limit| limit.to_string())
    }),
];

pub(super) fn profiles() -> String {
    let mut page = INTRODUCTION.to_owned();
    let names = PROFILES.map(|(_, name)| format!("`{name}`")).join(" | ");
    let _ = writeln!(page, "| value | {names} |\n|---|---|---|---|---|---|");
    for (name, value) in LINES {
        let values = PROFILES.map(|(profile, _)| value(&profile.policy()));
        let _ = writeln!(page, "| {name} | {} |", values.join(" | "));
    }
    page + NOTES
}

fn retry(policy: &Policy) -> String {
    let retry = &policy.retry;
    let first = duration(retry.initial_delay_ms);
    let delay = match retry.strategy {
        _ if policy.max_attempts == Some(1) => return "none".to_owned(),
        Strategy::Immediate => return "immediate".to_owned(),
        Strategy::Exponential => format!("exponential: {first} × {}", retry.multiplier),
        Strategy::Quadratic => format!("quadratic: {first} × attempts²"),
        Strategy::Linear => format!("linear: {first} × attempts"),
        Strategy::Fixed => format!("fixed: {first}"),
    };
    let jitter = match retry.jitter {
        Jitter::None => "",
        Jitter::HalfEachWay => ", ± 50 %",
        Jitter::FifthMore => ", up to 20 % more",
    };
    let is_capped = retry.max_delay_ms < i64::MAX;
    let cap = is_capped.then(|| format!(", at most {}", duration(retry.max_delay_ms)));
    format!("{delay}{jitter}{}", cap.unwrap_or_default())
}

fn duration(milliseconds: i64) -> String {
    match milliseconds / 1000 {
        seconds if seconds > 600 && seconds % 60 == 0 => format!("{} min", seconds / 60),
        seconds => format!("{seconds} s"),
    }
}

fn yes(is_set: bool) -> String {
    if is_set { "yes" } else { "no" }.to_owned()
}
