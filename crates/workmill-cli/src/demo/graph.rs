//! The sample graph: ten small tasks that report on a short text.
//!
//! ```text
//! plan → research → outline → part_words   ─┐
//!                           → part_lines   ─┼→ synthesis → test → review → publish
//!                           → part_longest ─┘
//! ```
//!
//! Leases are short, so that work held by a killed process is free again within seconds, and
//! attempts are plenty, so that being killed does not use them up.

use workmill_core::graph::GraphStatus;
use workmill_core::ids::GraphId;
use workmill_core::policy::Strategy;
use workmill_core::priority::Class;
use workmill_core::task::{Constraints, NewTask, RetryOverrides, Spec};
use workmill_protocol::graphs::{CreateGraph, ListGraphs};
use workmill_sdk::{Client, ClientError};

use super::CREATED_BY;

/// With the creator, what an interrupted demo is recognised by.
const TITLE: &str = "Workmill demo";
/// Tells the demo's tasks from others that its agents may be handed.
pub(super) const TASK_TYPE: &str = "demo";

/// The demo's own words, so that no other agent takes its tasks.
pub(super) const RESEARCH: &str = "demo-research";
pub(super) const WRITING: &str = "demo-writing";
pub(super) const REVIEW: &str = "demo-review";

const LEASE_SEC: f64 = 5.0;
/// Shorter than most commands, so that heartbeats are really sent.
const HEARTBEAT_SEC: f64 = 0.5;
const RETRY_SEC: f64 = 1.0;
const MAX_ATTEMPTS: i32 = 5;

/// How many unfinished graphs to look through: whoever has more is not here for a demo.
const MOST_TO_LOOK_AT: usize = 100;

pub(super) fn sample() -> CreateGraph {
    let parts = ["part_words", "part_lines", "part_longest"];
    let tasks = vec![
        task("plan", "Decide what to ask", RESEARCH, &[]),
        task("research", "Answer the questions", RESEARCH, &["plan"]),
        task("outline", "Divide the text", WRITING, &["research"]),
        // Each part needs another agent: the three run side by side.
        task("part_words", "Count the words", RESEARCH, &["outline"]),
        task("part_lines", "Measure the lines", WRITING, &["outline"]),
        task(
            "part_longest",
            "Find the longest words",
            REVIEW,
            &["outline"],
        ),
        task("synthesis", "Write the report", WRITING, &parts),
        task("test", "Check the numbers", REVIEW, &["synthesis"]),
        task(
            "review",
            "Approve the report",
            REVIEW,
            &["synthesis", "test"],
        ),
        task(
            "publish",
            "Publish the report",
            WRITING,
            &["synthesis", "review"],
        ),
    ];
    CreateGraph {
        draft: false,
        budget_usd: None,
        project_id: None,
        created_by: None,
        title: TITLE.to_owned(),
        tasks,
    }
}

fn task(name: &str, title: &str, capability: &str, depends_on: &[&str]) -> NewTask {
    NewTask {
        name: Some(name.to_owned()),
        task_type: TASK_TYPE.to_owned(),
        title: title.to_owned(),
        spec: Spec {
            prompt: title.to_owned(),
            constraints: Constraints {
                required_capabilities: vec![capability.to_owned()],
                ..Constraints::default()
            },
            ..Spec::default()
        },
        // Before anything else that the demo's agents could be handed.
        priority: Class::High.base(),
        depends_on: depends_on.iter().map(|name| (*name).to_owned()).collect(),
        max_attempts: Some(MAX_ATTEMPTS),
        retry: RetryOverrides {
            strategy: Some(Strategy::Fixed),
            initial_delay_sec: Some(RETRY_SEC),
            jitter: Some(false),
            ..RetryOverrides::default()
        },
        claim_ttl_sec: Some(LEASE_SEC),
        lease_sec: Some(LEASE_SEC),
        heartbeat_interval_sec: Some(HEARTBEAT_SEC),
        ..NewTask::default()
    }
}

/// The newest demo graph that is not done.
pub(super) async fn find_unfinished(client: &Client) -> Result<Option<GraphId>, ClientError> {
    let list = ListGraphs {
        status: vec![GraphStatus::Pending, GraphStatus::Running],
        created_by: Some(CREATED_BY.to_owned()),
        limit: Some(MOST_TO_LOOK_AT),
        ..ListGraphs::default()
    };
    let unfinished = client.graphs(&list).await?.items;
    let demo = unfinished.into_iter().find(|graph| graph.title == TITLE);
    Ok(demo.map(|graph| graph.id))
}

/// Whether nothing in the graph will move by itself any more.
pub(super) fn is_over(status: GraphStatus) -> bool {
    match status {
        GraphStatus::Pending | GraphStatus::Running => false,
        GraphStatus::Completed | GraphStatus::Failed | GraphStatus::Cancelled => true,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{agents, scripts};
    use super::*;

    #[test]
    fn every_task_has_a_script_and_exactly_one_agent_that_may_do_it() {
        let graph = sample();
        assert_eq!(graph.tasks.len(), 10);
        for task in &graph.tasks {
            assert!(scripts::script(task).is_some(), "{:?}", task.name);
            let wanted = &task.spec.constraints.required_capabilities;
            let able = |agent: &&agents::DemoAgent| wanted == &[agent.capability];
            assert_eq!(
                agents::AGENTS.iter().filter(able).count(),
                1,
                "{:?}",
                task.name
            );
        }
    }

    #[test]
    fn a_failed_attempt_is_followed_by_the_next_one_after_a_second() {
        let policy = sample().tasks[0].policy();
        let delay = workmill_core::retry::delay_ms(&policy.retry, 1, 0.9);
        assert_eq!(delay, 1_000);
        assert_eq!((policy.lease_ms, policy.heartbeat_ms), (5_000, 500));
        assert_eq!(policy.max_attempts, Some(5));
    }
}
