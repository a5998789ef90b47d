//! What a task asks for, as a claim reads it.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::value::RawValue;
use uuid::Uuid;
use workmill_core::ids::TaskId;
use workmill_core::policy::Policy;
use workmill_queries::queries::task::locked_rows as statements;

use crate::error::StoreError;
use crate::operation::Work;

/// The spec of a task in the version that counts.
pub(super) struct Spec {
    pub(super) submitted_at: Timestamp,
    pub(super) created_by: String,
    pub(super) body: Box<RawValue>,
    pub(super) policy: Policy,
}

/// A row with a spec. Its policy is parsed while the row is borrowed; the id of the task, which an
/// error names, is known only later.
pub(super) struct UncheckedSpec {
    pub(super) submitted_at: Timestamp,
    pub(super) created_by: String,
    pub(super) body: Box<RawValue>,
    pub(super) policy: serde_json::Result<Policy>,
}

impl UncheckedSpec {
    pub(super) fn of(self, task: TaskId) -> Result<Spec, StoreError> {
        let UncheckedSpec {
            submitted_at,
            created_by,
            body,
            policy,
        } = self;
        let policy = policy
            .map_err(|error| StoreError::Corrupt(format!("the policy of {task}: {error}")))?;
        Ok(Spec {
            submitted_at,
            created_by,
            body,
            policy,
        })
    }
}

/// Reads the specs of these tasks.
pub(super) async fn find_specs(
    work: &Work<'_>,
    tasks: &[Uuid],
) -> Result<BTreeMap<TaskId, Spec>, StoreError> {
    if tasks.is_empty() {
        return Ok(BTreeMap::new());
    }
    let rows = statements::find_specs()
        .bind(work.transaction, &tasks, &work.ns)
        .map(|row| {
            let spec = UncheckedSpec {
                submitted_at: row.submitted_at,
                created_by: row.created_by.to_owned(),
                body: row.body.0.to_owned(),
                policy: serde_json::from_str(row.policy.0.get()),
            };
            (TaskId(row.task), spec)
        })
        .all()
        .await?;
    let specs = rows
        .into_iter()
        .map(|(task, spec)| Ok((task, spec.of(task)?)));
    specs.collect()
}
