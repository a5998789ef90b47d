//! Projects.

use workmill_core::ids::ProjectId;
use workmill_protocol::projects::{ChangeProject, CreateProject, Project, ProjectList};

use super::{Client, in_a_path};
use crate::error::ClientError;

impl Client {
    pub async fn create_project(&self, project: &CreateProject) -> Result<Project, ClientError> {
        self.create("/v1/projects", project).await
    }

    /// A project with how many tasks it has.
    pub async fn project(&self, id: ProjectId) -> Result<Project, ClientError> {
        self.get(&format!("/v1/projects/{id}")).await
    }

    /// A page of projects; `cursor` is the last page's `next_cursor`.
    pub async fn projects(&self, cursor: Option<&str>) -> Result<ProjectList, ClientError> {
        match cursor {
            None => self.get("/v1/projects").await,
            Some(cursor) => {
                let path = format!("/v1/projects?cursor={}", in_a_path(cursor));
                self.get(&path).await
            }
        }
    }

    pub async fn change_project(
        &self,
        id: ProjectId,
        change: &ChangeProject,
    ) -> Result<Project, ClientError> {
        let path = format!("/v1/projects/{id}");
        self.patch(&path, change).await
    }
}
