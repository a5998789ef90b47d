//! A task of the plan as a planner's own table would have it.

use std::collections::BTreeMap;

use anyhow::Result;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use workmill_core::ids::TaskId;
use workmill_core::plan::{PlanLine, PlanStatus};
use workmill_protocol::claims::{ClaimedTask, DependencyResult};
use workmill_protocol::tasks::Task;
use workmill_sdk::{Client, ClientError};

use crate::plain_text::{plain, plain_lines};

#[derive(Debug, Serialize)]
pub(super) struct PlanRow {
    /// With the planner's id.
    #[serde(flatten)]
    line: PlanLine,
    task_id: TaskId,
    status: PlanStatus,
    assignee: Option<String>,
    /// What is left of the lease; only a claim knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    lease_expires_in_ms: Option<i64>,
    retry_count: i32,
    result: Option<Value>,
    created_at: Timestamp,
    updated_at: Timestamp,
    /// None while nobody holds it.
    lease_expires_at: Option<Timestamp>,
    /// Those that it still waits for.
    blocked_by: Vec<String>,
    /// What the tasks have put out that it waited for; of a claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    blocker_results: Option<Vec<BlockerResult>>,
}

#[derive(Debug, Serialize)]
pub(super) struct BlockerResult {
    id: String,
    status: PlanStatus,
    result: Value,
    /// Where the result is, if it could not be fetched.
    #[serde(skip_serializing_if = "Option::is_none")]
    result_url: Option<String>,
}

/// Fetches what was too large for the claim; results never change, so this is what the claim saw.
async fn whole_result(client: &Client, one: &DependencyResult) -> (Value, Option<String>) {
    if !one.left_out {
        return (one.output.clone(), None);
    }
    match client.output(one.task).await {
        Ok(output) => (output, None),
        Err(_) => (Value::Null, one.output_url.clone()),
    }
}

impl PlanRow {
    pub(super) async fn of_task(client: &Client, task: &Task) -> Result<PlanRow> {
        let names = names(client, task.depends_on.iter().copied()).await?;
        let called = |ids: &[TaskId]| ids.iter().map(|id| names[id].clone()).collect();
        let claimed = task.claim.is_some();
        let result = match &task.output {
            Some(output) if output.output_url.is_some() => Some(client.output(task.id).await?),
            output => output.as_ref().map(|output| output.data.clone()),
        };
        Ok(PlanRow {
            line: PlanLine {
                deps: called(&task.depends_on),
                ..line(&task.task, task.id)
            },
            task_id: task.id,
            status: task.status.into(),
            assignee: task.claim.as_ref().map(|claim| claim.agent.clone()),
            lease_expires_in_ms: None,
            retry_count: retries(task.attempts_counted, claimed),
            result,
            created_at: task.created_at,
            updated_at: task.updated_at,
            lease_expires_at: task.claim.as_ref().and_then(|claim| claim.lease_expires_at),
            blocked_by: called(&task.blocked_by),
            blocker_results: None,
        })
    }

    /// Whatever happens meanwhile: the task is the agent's, and it must be told which one it is.
    pub(super) async fn of_claim(client: &Client, agent: &str, claim: &ClaimedTask) -> PlanRow {
        let results = &claim.context.dependency_results;
        let names = names_or_ids(client, results.iter().map(|one| one.task)).await;
        let mut blockers = Vec::with_capacity(results.len());
        for one in results {
            let (result, result_url) = whole_result(client, one).await;
            blockers.push(BlockerResult {
                id: names[&one.task].clone(),
                status: one.status.into(),
                result,
                result_url,
            });
        }
        // The claim itself tells no instants.
        let row = client.task(claim.task.id).await.ok();
        let lease = row.as_ref().and_then(|task| task.claim.as_ref());
        PlanRow {
            line: PlanLine {
                deps: results.iter().map(|one| names[&one.task].clone()).collect(),
                ..line(&claim.task.asked, claim.task.id)
            },
            task_id: claim.task.id,
            status: claim.status.into(),
            assignee: Some(agent.to_owned()),
            lease_expires_in_ms: Some(claim.expires_in_ms),
            retry_count: retries(claim.attempt, true),
            result: None,
            created_at: claim.task.created_at,
            updated_at: row
                .as_ref()
                .map_or(claim.task.created_at, |task| task.updated_at),
            lease_expires_at: lease.and_then(|claim| claim.lease_expires_at),
            blocked_by: Vec::new(),
            blocker_results: Some(blockers),
        }
    }

    pub(super) fn render(&self) -> String {
        let line = &self.line;
        let mut text = vec![format!("{}  {}", plain(&line.id), self.status.name())];
        let mut say = |name: &str, value: &str| text.push(format!("{name:<10} {}", plain(value)));
        say("title", &line.title);
        say("spec_ref", &line.spec_ref);
        if let Some(category) = &line.category {
            say("category", category);
        }
        say("priority", &line.priority.value().to_string());
        if let Some(assignee) = &self.assignee {
            say("assignee", assignee);
        }
        if let Some(left) = self.lease_expires_in_ms {
            say("lease", &format!("{} s", left / 1000));
        }
        if let Some(expires) = &self.lease_expires_at {
            say("lease_expires_at", &expires.to_string());
        }
        say("updated_at", &self.updated_at.to_string());
        say("retries", &self.retry_count.to_string());
        if !line.deps.is_empty() {
            say("deps", &line.deps.join(" "));
        }
        if !self.blocked_by.is_empty() {
            say("blocked_by", &self.blocked_by.join(" "));
        }
        if !line.description.is_empty() {
            text.push(format!("\n{}", plain_lines(&line.description)));
        }
        for (number, step) in line.steps.iter().enumerate() {
            text.push(format!("{}. {}", number + 1, plain(&words(step))));
        }
        for blocker in self.blocker_results.iter().flatten() {
            let (id, status) = (plain(&blocker.id), blocker.status.name());
            text.push(format!(
                "\n{id} ({status}): {}",
                plain(&words(&blocker.result))
            ));
        }
        if let Some(result) = &self.result {
            text.push(format!("\nresult: {}", plain(&words(result))));
        }
        text.join("\n")
    }
}

/// Texts without their quotes.
fn words(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// What the planner said, or would have said: tasks that came otherwise have no id of theirs.
fn line(asked: &workmill_core::task::NewTask, id: TaskId) -> PlanLine {
    let mut asked = asked.clone();
    asked.key.get_or_insert_with(|| id.to_string());
    PlanLine::of(&asked).unwrap_or_else(|| unreachable!("it has a key"))
}

/// Attempts before the one that runs, or all that have ended.
fn retries(attempts: i32, runs: bool) -> i32 {
    (attempts - i32::from(runs)).max(0)
}

/// What the planner calls these tasks.
pub(super) async fn names(
    client: &Client,
    ids: impl Iterator<Item = TaskId>,
) -> Result<BTreeMap<TaskId, String>> {
    let mut names = BTreeMap::new();
    for id in ids {
        names.insert(id, name(client, id).await?);
    }
    Ok(names)
}

/// The same, with the ids of those whose names cannot be had.
async fn names_or_ids(
    client: &Client,
    ids: impl Iterator<Item = TaskId>,
) -> BTreeMap<TaskId, String> {
    let mut names = BTreeMap::new();
    let mut is_away = false;
    for id in ids {
        let name = if is_away {
            None
        } else {
            let name = name(client, id).await;
            // Nobody waits for each of them in vain.
            is_away = name.as_ref().is_err_and(ClientError::may_pass);
            name.ok()
        };
        names.insert(id, name.unwrap_or_else(|| id.to_string()));
    }
    names
}

async fn name(client: &Client, id: TaskId) -> Result<String, ClientError> {
    let key = client.task(id).await?.task.key;
    Ok(key.unwrap_or_else(|| id.to_string()))
}
