//! Names of tasks: a task is named by its id, or by the key that its planner has given it.
//!
//! Every call that takes a task's id comes through here, so a key works wherever an id does.

use std::collections::BTreeMap;

use workmill_core::ids::{GraphId, TaskId};

use crate::engine::{Caller, Engine};
use crate::error::EngineError;

impl Engine {
    /// Returns the task with this id or this planner's key. An id is not looked up.
    pub async fn named_task(&self, caller: &Caller, name: &str) -> Result<TaskId, EngineError> {
        let mut found = self.named_tasks(caller, &[name]).await?;
        found.remove(name).ok_or_else(|| {
            if name.parse::<GraphId>().is_ok() {
                let name = name.to_owned();
                return EngineError::GraphForTask { name };
            }
            EngineError::NotFound {
                what: format!("a task `{name}`"),
            }
        })
    }

    /// Returns the tasks with these ids or planners' keys; names that are neither are left out.
    pub(crate) async fn named_tasks(
        &self,
        caller: &Caller,
        names: &[&str],
    ) -> Result<BTreeMap<String, TaskId>, EngineError> {
        let (ids, keys): (Vec<&str>, Vec<&str>) = names.iter().partition(|name| is_id(name));
        let mut found = BTreeMap::new();
        // No key has a NUL: PostgreSQL cannot store one.
        let storable: Vec<&str> = keys
            .iter()
            .copied()
            .filter(|key| !key.contains('\0'))
            .collect();
        if !storable.is_empty() {
            found = self.store().find_tasks_by_key(caller.ns, &storable).await?;
        }
        for name in ids.into_iter().chain(keys) {
            if !found.contains_key(name)
                && let Ok(id) = name.parse::<TaskId>()
            {
                found.insert(name.to_owned(), id);
            }
        }
        Ok(found)
    }
}

/// Whether the name can only be an id. No planner's key begins like one, but a key may be a UUID, which
/// names a task, too.
fn is_id(name: &str) -> bool {
    name.starts_with("task_") && name.parse::<TaskId>().is_ok()
}
