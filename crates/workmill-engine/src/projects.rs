//! Projects: made, changed, listed, and looked at with what belongs to them.

use serde_json::{Map, Value};
use workmill_core::edition::Expected;
use workmill_core::ids::ProjectId;
use workmill_core::project::{ProjectChange, ProjectDescription};
use workmill_store::intake::projects::{
    ChangeProject, CreateProject, OtherRequest, ProjectRefusal,
};

pub use workmill_store::intake::projects::Project;
pub use workmill_store::look::projects::ProjectTally;

use crate::engine::{Caller, Engine};
use crate::error::EngineError;
use crate::filter::check_limit;
use crate::intake::limits::{check_depth, check_no_nul};
use crate::intake::{LONGEST_TITLE, check_text, idempotency};

/// Of projects, or graphs of one, on a page.
pub const MOST_LISTED: usize = 500;

const LONGEST_DESCRIPTION: usize = 10_000;
const LONGEST_REFERENCE: usize = 2_000;
const LARGEST_METADATA: usize = 64 * 1024;
const DEEPEST_METADATA: usize = 64;

/// Some of what is listed.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// There may be more behind the last one.
    pub is_full: bool,
}

impl Engine {
    /// Answers whether the same request had made it before.
    pub async fn create_project(
        &self,
        caller: &Caller,
        said: &ProjectDescription,
        key: Option<&str>,
    ) -> Result<(ProjectId, bool), EngineError> {
        check(said)?;
        let idempotency = key
            .map(|key| idempotency(key, &("project", said)))
            .transpose()?;
        let operation = CreateProject {
            ns: caller.ns,
            said,
            created_by: &caller.name,
            idempotency: idempotency.as_ref(),
        };
        let created = self.run(&operation).await?;
        created.map_err(|OtherRequest| EngineError::Conflict {
            problem: "the idempotency key belongs to another request".to_owned(),
        })
    }

    pub async fn change_project(
        &self,
        caller: &Caller,
        project: ProjectId,
        change: &ProjectChange,
        expected: &Expected,
    ) -> Result<Project, EngineError> {
        // What is changed is checked as a whole would be, with nothing else in it.
        let only = ProjectDescription {
            name: change
                .name
                .clone()
                .unwrap_or_else(|| "unchanged".to_owned()),
            description: change.description.clone().flatten(),
            status: change.status.unwrap_or_default(),
            external_ref: change.external_ref.clone().flatten(),
            metadata: change.metadata.clone().flatten(),
        };
        check(&only)?;
        let operation = ChangeProject {
            ns: caller.ns,
            project,
            change,
            expected,
        };
        let changed = self.run_by(caller, &operation).await?;
        changed.map_err(|refusal| match refusal {
            ProjectRefusal::Unknown => missing(project),
            ProjectRefusal::Changed => EngineError::Changed {
                problem: format!("{project} was changed meanwhile"),
            },
        })
    }

    pub async fn project(
        &self,
        caller: &Caller,
        project: ProjectId,
    ) -> Result<Project, EngineError> {
        let found = self.store().find_project(caller.ns, project).await?;
        found.ok_or_else(|| missing(project))
    }

    /// How many tasks it has, by state, as far as it is worth to count.
    pub async fn project_tally(
        &self,
        caller: &Caller,
        project: ProjectId,
    ) -> Result<ProjectTally, EngineError> {
        let store = self.store();
        Ok(store.count_tasks_of_project(caller.ns, project).await?)
    }

    /// Projects in the order they were made, after the one named.
    pub async fn projects(
        &self,
        caller: &Caller,
        after: Option<ProjectId>,
        most: usize,
    ) -> Result<Page<Project>, EngineError> {
        let limit = limit(most)?;
        let items = self.store().find_projects(caller.ns, after, limit).await?;
        Ok(page(items, most))
    }
}

fn limit(most: usize) -> Result<i64, EngineError> {
    check_limit(most, MOST_LISTED)?;
    Ok(i64::try_from(most).unwrap_or(i64::MAX))
}

fn page<T>(items: Vec<T>, most: usize) -> Page<T> {
    Page {
        is_full: items.len() >= most,
        items,
    }
}

fn missing(project: ProjectId) -> EngineError {
    EngineError::NotFound {
        what: project.to_string(),
    }
}

fn check(said: &ProjectDescription) -> Result<(), EngineError> {
    check_text("name", &said.name, LONGEST_TITLE)?;
    if let Some(description) = &said.description {
        check_text("description", description, LONGEST_DESCRIPTION)?;
    }
    if let Some(reference) = &said.external_ref {
        check_text("external_ref", reference, LONGEST_REFERENCE)?;
    }
    said.metadata.as_ref().map_or(Ok(()), check_metadata)
}

fn check_metadata(metadata: &Map<String, Value>) -> Result<(), EngineError> {
    const AT: &str = "metadata";
    let unreadable = |error: serde_json::Error| EngineError::invalid(AT, error.to_string());
    let text = serde_json::to_string(metadata).map_err(unreadable)?;
    if text.len() > LARGEST_METADATA {
        let problem = format!("{} bytes; at most {LARGEST_METADATA}", text.len());
        return Err(EngineError::invalid(AT, problem));
    }
    check_no_nul(AT, &text)?;
    let mut members = metadata.values();
    members.try_for_each(|member| check_depth(AT, member, DEEPEST_METADATA - 1))
}
