//! Short ways to make what tests need.

use serde_json::json;
use workmill_core::policy::Policy;
use workmill_core::task::NewTask;
use workmill_store::intake::{Dependency, NewGraph, Submission, TaskDraft};

/// A plain task.
pub fn task(title: &str) -> NewTask {
    NewTask {
        title: title.to_owned(),
        task_type: "code".to_owned(),
        ..NewTask::default()
    }
}

/// A task as the store takes it, with no dependencies.
pub fn draft(task: &NewTask) -> TaskDraft {
    draft_with(task, task.policy())
}

pub fn draft_with(task: &NewTask, policy: Policy) -> TaskDraft {
    let body = serde_json::value::to_raw_value(&json!(task)).expect("a task is JSON");
    TaskDraft::new(task, policy, body)
}

/// A graph from a list of titles, each with the places of those it depends on.
pub fn graph(tasks: &[(&str, &[usize])]) -> Submission {
    let tasks = tasks
        .iter()
        .map(|(title, depends_on)| TaskDraft {
            depends_on: depends_on.iter().copied().map(Dependency::New).collect(),
            ..draft(&task(title))
        })
        .collect();
    Submission {
        created_by: "test".to_owned(),
        key: None,
        graph: Some(NewGraph {
            title: "graph".to_owned(),
            is_draft: false,
            budget: None,
            project: None,
        }),
        idempotency: None,
        tasks,
    }
}

/// Tasks of their own.
pub fn singles(tasks: &[NewTask]) -> Submission {
    Submission {
        created_by: "test".to_owned(),
        key: None,
        graph: None,
        idempotency: None,
        tasks: tasks.iter().map(draft).collect(),
    }
}
