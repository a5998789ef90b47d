//! Projects as they stand, and what belongs to them.

use std::collections::BTreeMap;

use uuid::Uuid;
use workmill_core::ids::{Namespace, ProjectId};
use workmill_core::lifecycle::State;
use workmill_queries::queries::intake::projects as statements;

use crate::connect::Store;
use crate::error::StoreError;
use crate::intake::projects::{Project, read_project};

const DOING: &str = "look at projects";

/// Tasks of a project that are counted at most.
pub const MOST_COUNTED: i64 = 10_000;

/// How many tasks a project has, by state.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProjectTally {
    pub tasks: BTreeMap<State, i64>,
    /// False: there are more than were counted.
    pub is_whole: bool,
}

impl Store {
    /// Projects in the order they were made, after the one named.
    pub async fn find_projects(
        &self,
        ns: Namespace,
        after: Option<ProjectId>,
        most: i64,
    ) -> Result<Vec<Project>, StoreError> {
        let after = after.map_or(Uuid::nil(), |project| project.0);
        let client = self.client(DOING).await?;
        let rows = statements::find_projects()
            .bind(&client, &ns.0, &after, &most)
            .all()
            .await;
        let rows = rows.map_err(|error| StoreError::from_statement(DOING, error))?;
        rows.into_iter().map(|row| read_project!(row)).collect()
    }

    pub async fn find_project(
        &self,
        ns: Namespace,
        project: ProjectId,
    ) -> Result<Option<Project>, StoreError> {
        let before = Uuid::from_u128(project.0.as_u128().saturating_sub(1));
        let found = self.find_projects(ns, Some(ProjectId(before)), 1).await?;
        Ok(found.into_iter().find(|found| found.id == project))
    }

    pub async fn count_tasks_of_project(
        &self,
        ns: Namespace,
        project: ProjectId,
    ) -> Result<ProjectTally, StoreError> {
        let client = self.client(DOING).await?;
        let rows = statements::count_tasks_of_project()
            .bind(&client, &ns.0, &project.0, &(MOST_COUNTED + 1))
            .all()
            .await;
        let rows = rows.map_err(|error| StoreError::from_statement(DOING, error))?;
        let counted: i64 = rows.iter().map(|row| row.tasks).sum();
        let corrupt = |code| StoreError::Corrupt(format!("a task of {project} has state {code}"));
        let tasks = rows.into_iter().map(|row| {
            let state = State::from_code(row.state).ok_or_else(|| corrupt(row.state))?;
            Ok((state, row.tasks))
        });
        Ok(ProjectTally {
            tasks: tasks.collect::<Result<_, StoreError>>()?,
            is_whole: counted <= MOST_COUNTED,
        })
    }
}
