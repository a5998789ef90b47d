//! Tasks as `submit` and `spawn` are given them: from flags, or from a file.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use workmill_core::task::NewTask;
use workmill_sdk::ClientError;

use super::input;
use crate::arguments::NewTaskArguments;
use crate::document::Document;
use crate::exit::Exit;

pub(super) struct NewTasks {
    json: Box<RawValue>,
    document: Option<Document>,
}

/// Several tasks as a file holds them, to find the place of what is wrong with them.
#[derive(Deserialize)]
struct Several {
    #[serde(rename = "tasks")]
    _tasks: Vec<NewTask>,
}

/// Tasks below the one that is held, each as it was written down.
#[derive(Serialize)]
struct Spawn<'a> {
    tasks: Vec<&'a RawValue>,
    wait: bool,
}

/// A task that joins the graph of those it depends on.
#[derive(Serialize)]
struct Grow<'a> {
    tasks: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Written<'a> {
    #[serde(borrow, default)]
    tasks: Option<Vec<&'a RawValue>>,
    #[serde(borrow, default)]
    title: Option<&'a RawValue>,
}

impl NewTasks {
    pub(super) fn read(arguments: &NewTaskArguments) -> Result<Self> {
        if let Some(file) = &arguments.file {
            let document = input::read_document(file)?;
            return Ok(NewTasks {
                json: document.json().to_owned(),
                document: Some(document),
            });
        }
        Ok(NewTasks {
            json: to_raw_value(&task(arguments)?).context("cannot write the task as JSON")?,
            document: None,
        })
    }

    /// One task, or `{"tasks": […]}`.
    pub(super) fn json(&self) -> &RawValue {
        &self.json
    }

    /// Refuses a file with the title of a graph beside its tasks.
    pub(super) fn refuse_graph(&self) -> Result<()> {
        let written: Option<Written> = serde_json::from_str(self.json.get()).ok();
        if written.is_some_and(|written| written.tasks.is_some() && written.title.is_some()) {
            let message = "this file describes a graph: use `workmill graph create -f FILE`";
            return Err(Exit::InvalidInput.because(message));
        }
        Ok(())
    }

    /// The body of a call that adds them to a graph.
    pub(super) fn grown(&self) -> Result<Box<RawValue>> {
        let tasks = vec![&*self.json];
        to_raw_value(&Grow { tasks }).context("cannot write the tasks as JSON")
    }

    /// The body of a call that spawns them.
    pub(super) fn spawned(&self, wait: bool) -> Result<Box<RawValue>> {
        let written: Option<Written> = serde_json::from_str(self.json.get()).ok();
        let tasks = written.and_then(|written| written.tasks);
        let tasks = tasks.unwrap_or_else(|| vec![&self.json]);
        to_raw_value(&Spawn { tasks, wait }).context("cannot write the tasks as JSON")
    }

    /// Says where in the file it is that the server did not like.
    pub(super) fn place(&self, mut error: ClientError) -> anyhow::Error {
        let written: Option<Written> = serde_json::from_str(self.json.get()).ok();
        let is_list = written.is_some_and(|written| written.tasks.is_some());
        // One that stands alone is the first of those that were sent.
        if !is_list
            && let ClientError::Refused(problem) = &mut error
            && let Some(field) = &problem.field
            && let Some(own) = field.strip_prefix("tasks[0].")
        {
            problem.field = Some(own.to_owned());
        }
        match &self.document {
            None => error.into(),
            Some(document) if is_list => document.place::<Several>(error),
            Some(document) => document.place::<NewTask>(error),
        }
    }
}

fn task(arguments: &NewTaskArguments) -> Result<NewTask> {
    let mut task = NewTask {
        title: arguments.title.clone().unwrap_or_default(),
        task_type: arguments.task_type.clone(),
        priority: arguments.priority.unwrap_or_default(),
        max_attempts: arguments.max_attempts,
        tags: arguments.tags.clone(),
        project_id: arguments.project,
        target_agent: arguments.target_agent.clone(),
        depends_on: arguments.depends_on.clone(),
        locks: arguments.locks.clone(),
        scheduled_for: arguments.at.map(|at| at.moment),
        ..NewTask::default()
    };
    if let Some(prompt) = &arguments.prompt {
        task.spec.prompt = input::text(prompt)?;
    }
    let constraints = &mut task.spec.constraints;
    constraints
        .required_capabilities
        .clone_from(&arguments.capabilities);
    constraints.max_cost_usd = arguments.max_cost_usd;
    Ok(task)
}
