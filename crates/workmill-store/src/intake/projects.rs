//! Projects are made and changed; tasks and graphs that name one are checked against what is there.
//! None is ever removed, so what was there when it was checked is there at the commit.

use std::collections::BTreeSet;

use jiff::Timestamp;
use postgres_types::Json;
use serde_json::{Map, Value, json};
use uuid::Uuid;
use workmill_core::audit::{Action, AuditEntry, Subject, difference};
use workmill_core::edition::{Edition, Expected};
use workmill_core::ids::{GraphId, Namespace, ProjectId};
use workmill_core::project::{ProjectChange, ProjectDescription, ProjectStatus};
use workmill_queries::client::Params;
use workmill_queries::queries::intake::projects as statements;

pub use super::keys::OtherRequest;
use super::submit::Idempotency;
use crate::error::StoreError;
use crate::operation::{Operation, Work};

/// A project as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Project {
    pub id: ProjectId,
    pub said: ProjectDescription,
    pub version: i32,
    pub created_by: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl Project {
    pub fn edition(&self) -> Edition {
        Edition::numbered(self.version)
    }
}

/// Statements that read the same columns have row types of their own; this reads any of them.
macro_rules! read_project {
    ($row:expr) => {{
        let row = $row;
        let id = workmill_core::ids::ProjectId(row.project);
        $crate::intake::projects::read_description(
            id,
            row.name,
            row.description,
            &row.status,
            row.external_ref,
            row.metadata,
        )
        .map(|said| $crate::intake::projects::Project {
            id,
            said,
            version: row.version,
            created_by: row.created_by,
            created_at: row.created_at,
            updated_at: row.updated_at,
        })
    }};
}
pub(crate) use read_project;

pub(crate) fn read_description(
    id: ProjectId,
    name: String,
    description: Option<String>,
    status: &str,
    external_ref: Option<String>,
    metadata: Option<Value>,
) -> Result<ProjectDescription, StoreError> {
    let corrupt = |what: &str| StoreError::Corrupt(format!("{id}: {what}"));
    Ok(ProjectDescription {
        name,
        description,
        status: ProjectStatus::from_name(status).ok_or_else(|| corrupt("its status"))?,
        external_ref,
        metadata: match metadata {
            None | Some(Value::Null) => None,
            Some(Value::Object(members)) => Some(members),
            Some(_) => return Err(corrupt("its metadata")),
        },
    })
}

fn written(metadata: Option<&Map<String, Value>>) -> Option<Json<&Map<String, Value>>> {
    metadata.map(Json)
}

#[derive(Debug)]
pub struct CreateProject<'a> {
    pub ns: Namespace,
    pub said: &'a ProjectDescription,
    pub created_by: &'a str,
    pub idempotency: Option<&'a Idempotency>,
}

impl Operation for CreateProject<'_> {
    /// The project, and whether the same request had made it before.
    type Answer = Result<(ProjectId, bool), OtherRequest>;
    const DOING: &'static str = "create a project";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        if let Some(known) = self.find_known(work).await? {
            return Ok(known);
        }
        let now = work.now().await?;
        let project = work.mint().await?;
        if let Some(idempotency) = self.idempotency {
            let parameters = statements::InsertIdempotentProjectParams {
                ns: work.ns,
                key: idempotency.key.as_str(),
                digest: idempotency.digest.as_slice(),
                now,
                project,
            };
            let inserted = statements::insert_idempotent_project()
                .params(work.transaction, &parameters)
                .await;
            // Whoever was faster is found at the next try.
            if inserted? == 0 {
                return Err(StoreError::Overtaken);
            }
        }
        let parameters = statements::InsertProjectParams {
            ns: work.ns,
            project,
            name: self.said.name.as_str(),
            description: self.said.description.as_deref(),
            status: self.said.status.name(),
            external_ref: self.said.external_ref.as_deref(),
            metadata: written(self.said.metadata.as_ref()),
            created_by: self.created_by,
            now,
        };
        statements::insert_project()
            .params(work.transaction, &parameters)
            .await?;
        Ok(Ok((ProjectId(project), false)))
    }
}

impl CreateProject<'_> {
    /// What an earlier call with the same key was answered.
    async fn find_known(
        &self,
        work: &Work<'_>,
    ) -> Result<Option<Result<(ProjectId, bool), OtherRequest>>, StoreError> {
        let Some(idempotency) = self.idempotency else {
            return Ok(None);
        };
        let known = statements::find_idempotent_project()
            .bind(work.transaction, &work.ns, &idempotency.key)
            .opt()
            .await?;
        Ok(known.map(|known| match known.project {
            Some(project) if known.digest == idempotency.digest => Ok((ProjectId(project), true)),
            Some(_) | None => Err(OtherRequest),
        }))
    }
}

#[derive(Debug)]
pub struct ChangeProject<'a> {
    pub ns: Namespace,
    pub project: ProjectId,
    pub change: &'a ProjectChange,
    /// Only if it is at one of these.
    pub expected: &'a Expected,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProjectRefusal {
    Unknown,
    /// It is not as the caller has seen it.
    Changed,
}

impl Operation for ChangeProject<'_> {
    type Answer = Result<Project, ProjectRefusal>;
    const DOING: &'static str = "change a project";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, StoreError> {
        let row = statements::lock_project()
            .bind(work.transaction, &work.ns, &self.project.0)
            .opt()
            .await;
        let Some(row) = row? else {
            return Ok(Err(ProjectRefusal::Unknown));
        };
        let before: Project = read_project!(row)?;
        if !self.expected.admits(&before.edition()) {
            return Ok(Err(ProjectRefusal::Changed));
        }
        let after = Project {
            said: self.change.applied_to(&before.said),
            version: before.version + 1,
            updated_at: work.now().await?,
            ..before.clone()
        };
        let parameters = statements::UpdateProjectParams {
            name: after.said.name.as_str(),
            description: after.said.description.as_deref(),
            status: after.said.status.name(),
            external_ref: after.said.external_ref.as_deref(),
            metadata: written(after.said.metadata.as_ref()),
            version: after.version,
            now: after.updated_at,
            ns: work.ns,
            project: self.project.0,
        };
        statements::update_project()
            .params(work.transaction, &parameters)
            .await?;
        let (was, is) = difference(json!(before.said), json!(after.said));
        let subject = Subject::Project(self.project);
        work.audit(AuditEntry::new(Action::ProjectChanged, subject, was, is));
        Ok(Ok(after))
    }
}

/// The first of these that there is not. Asks nothing where none is named.
pub(super) async fn find_missing(
    work: &Work<'_>,
    named: impl Iterator<Item = ProjectId>,
) -> Result<Option<ProjectId>, StoreError> {
    let named: BTreeSet<Uuid> = named.map(|project| project.0).collect();
    if named.is_empty() {
        return Ok(None);
    }
    let ids: Vec<Uuid> = named.iter().copied().collect();
    let known = statements::find_known_projects()
        .bind(work.transaction, &ids, &work.ns)
        .all()
        .await;
    let known: BTreeSet<Uuid> = known?.into_iter().collect();
    Ok(named.difference(&known).next().copied().map(ProjectId))
}

/// The project of a graph that is locked.
pub(super) async fn of_graph(
    work: &Work<'_>,
    graph: GraphId,
) -> Result<Option<ProjectId>, StoreError> {
    let found = statements::find_project_of_graph()
        .bind(work.transaction, &work.ns, &graph.0)
        .opt()
        .await?;
    Ok(found.flatten().map(ProjectId))
}
