//! Projects: a label over graphs and tasks, with an outside reference. They hold nothing back and
//! start nothing.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProjectStatus {
    #[default]
    Active,
    /// For people: nobody works on it any more.
    Archived,
}

impl ProjectStatus {
    pub const fn name(self) -> &'static str {
        match self {
            ProjectStatus::Active => "active",
            ProjectStatus::Archived => "archived",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        [ProjectStatus::Active, ProjectStatus::Archived]
            .into_iter()
            .find(|status| status.name() == name)
    }
}

/// What is said of a project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProjectDescription {
    pub name: String,
    pub description: Option<String>,
    pub status: ProjectStatus,
    /// What it is called elsewhere: a repository, the id of an issue tracker.
    pub external_ref: Option<String>,
    pub metadata: Option<Map<String, Value>>,
}

/// What is changed of it; what is not named stays.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProjectChange {
    pub name: Option<String>,
    pub description: Option<Option<String>>,
    pub status: Option<ProjectStatus>,
    pub external_ref: Option<Option<String>>,
    pub metadata: Option<Option<Map<String, Value>>>,
}

impl ProjectChange {
    #[must_use]
    pub fn applied_to(&self, before: &ProjectDescription) -> ProjectDescription {
        let change = self.clone();
        let before = before.clone();
        ProjectDescription {
            name: change.name.unwrap_or(before.name),
            description: change.description.unwrap_or(before.description),
            status: change.status.unwrap_or(before.status),
            external_ref: change.external_ref.unwrap_or(before.external_ref),
            metadata: change.metadata.unwrap_or(before.metadata),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_replaces_what_it_names_and_null_removes() {
        let before = ProjectDescription {
            name: "a".to_owned(),
            description: Some("d".to_owned()),
            status: ProjectStatus::Active,
            external_ref: Some("r".to_owned()),
            metadata: None,
        };
        let change = ProjectChange {
            description: Some(None),
            status: Some(ProjectStatus::Archived),
            ..ProjectChange::default()
        };
        let after = change.applied_to(&before);
        assert_eq!(after.description, None);
        assert_eq!(after.status, ProjectStatus::Archived);
        assert_eq!(
            (after.name, after.external_ref),
            (before.name, before.external_ref)
        );
    }
}
