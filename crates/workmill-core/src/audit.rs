//! The record of what people and programs have done by hand: who did what to which thing, with
//! before and after. It is read by people long afterwards, so it holds no secrets and no novels.

use std::fmt;

use serde_json::{Map, Value};
use uuid::Uuid;

use crate::ids::{GraphId, ProjectId, TaskId};

/// Who did it: the name of the key that was presented, and its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    pub name: String,
    /// None: nobody asked, Workmill did it by itself.
    pub key: Option<Uuid>,
}

impl Actor {
    /// Where nobody has asked.
    pub fn workmill() -> Self {
        Actor {
            name: "workmill".to_owned(),
            key: None,
        }
    }
}

macro_rules! actions {
    ($($(#[$doc:meta])* $action:ident = $name:literal,)*) => {
        /// What was done. The name is what is stored: never give one a second meaning.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Action {
            $($(#[$doc])* $action,)*
        }

        impl Action {
            pub const ALL: &'static [Action] = &[$(Action::$action,)*];

            pub const fn name(self) -> &'static str {
                match self {
                    $(Action::$action => $name,)*
                }
            }
        }
    };
}

actions! {
    TaskCancelled = "task.cancel",
    TaskAnswered = "task.answer",
    ResultAdopted = "task.adopt",
    TaskEdited = "task.edit",
    TaskReprioritised = "task.reprioritise",
    TaskTagged = "task.tag",
    TaskUntagged = "task.untag",
    DependencyAdded = "task.add_dependency",
    DependencyRemoved = "task.remove_dependency",
    GraphCancelled = "graph.cancel",
    PlanSynced = "plan.sync",
    DeadLetterRetried = "dead_letter.retry",
    DeadLetterModified = "dead_letter.modify_and_retry",
    DeadLetterCancelled = "dead_letter.cancel",
    AgentRegistered = "agent.register",
    AgentStatusSet = "agent.set_status",
    AgentRemoved = "agent.remove",
    KeyCreated = "key.create",
    KeyRotated = "key.rotate",
    KeyRevoked = "key.revoke",
    NamespaceCreated = "namespace.create",
    ProjectChanged = "project.edit",
    InboxGranted = "inbox.grant",
    InboxRevoked = "inbox.revoke",
    RetentionSet = "retention.set",
    SpawningSet = "spawning.set",
    GateSet = "gate.set",
    GateRemoved = "gate.remove",
}

impl Action {
    pub fn from_name(name: &str) -> Option<Action> {
        Action::ALL
            .iter()
            .copied()
            .find(|action| action.name() == name)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What it was done to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    Task(TaskId),
    Graph(GraphId),
    Project(ProjectId),
    DeadLetter(TaskId),
    Agent(String),
    Key(Uuid),
    /// A limit, a budget or a pause, by its name.
    Gate(String),
    /// The namespace as a whole.
    Namespace,
}

impl Subject {
    pub const KINDS: [&str; 8] = [
        "task",
        "graph",
        "project",
        "dead_letter",
        "agent",
        "key",
        "gate",
        "namespace",
    ];

    pub const fn kind(&self) -> &'static str {
        match self {
            Subject::Task(_) => "task",
            Subject::Graph(_) => "graph",
            Subject::Project(_) => "project",
            Subject::DeadLetter(_) => "dead_letter",
            Subject::Agent(_) => "agent",
            Subject::Key(_) => "key",
            Subject::Gate(_) => "gate",
            Subject::Namespace => "namespace",
        }
    }

    /// As it is printed everywhere else, so that one can search for it.
    pub fn name(&self) -> String {
        match self {
            Subject::Task(task) | Subject::DeadLetter(task) => task.to_string(),
            Subject::Graph(graph) => graph.to_string(),
            Subject::Project(project) => project.to_string(),
            Subject::Key(key) => key.to_string(),
            Subject::Agent(name) | Subject::Gate(name) => name.clone(),
            Subject::Namespace => String::new(),
        }
    }
}

/// One thing that was done. [`AuditEntry::new`] takes out what must not be kept.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditEntry {
    pub action: Action,
    pub subject: Subject,
    pub before: Value,
    pub after: Value,
    pub note: Option<String>,
}

impl AuditEntry {
    /// `before` and `after` hold what the change is about; null where there was or is nothing.
    pub fn new(action: Action, subject: Subject, before: Value, after: Value) -> Self {
        AuditEntry {
            action,
            subject,
            before: presentable(before),
            after: presentable(after),
            note: None,
        }
    }

    /// Why, in the words of whoever did it.
    #[must_use]
    pub fn with_note(self, note: Option<&str>) -> Self {
        AuditEntry {
            note: note.map(presentable_text),
            ..self
        }
    }
}

/// What differs between two values: members of objects that are in both and alike are left out.
pub fn difference(before: Value, after: Value) -> (Value, Value) {
    let (old, mut new) = match (before, after) {
        (Value::Object(old), Value::Object(new)) => (old, new),
        others => return others,
    };
    let mut lost = Map::new();
    for (name, value) in old {
        match new.remove(&name) {
            Some(other) if other == value => {}
            Some(other) => {
                let (was, is) = difference(value, other);
                new.insert(name.clone(), is);
                lost.insert(name, was);
            }
            None => drop(lost.insert(name, value)),
        }
    }
    (Value::Object(lost), Value::Object(new))
}

/// What stands in the place of a secret.
pub const HIDDEN: &str = "[hidden]";

/// Longer texts are cut.
pub const LONGEST_TEXT: usize = 500;

/// Names of members whose values are nobody's business.
const SECRETIVE: [&str; 10] = [
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "api_key",
    "apikey",
    "authorization",
    "credential",
    "private_key",
];

fn presentable(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members.into_iter().map(|(name, value)| {
                let value = if is_secretive(&name) && !value.is_null() {
                    Value::from(HIDDEN)
                } else {
                    presentable(value)
                };
                (name, value)
            });
            Value::Object(members.collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(presentable).collect()),
        Value::String(text) => Value::String(presentable_text(&text)),
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}

/// Counts of tokens are no secrets.
fn is_secretive(name: &str) -> bool {
    let name = name.to_lowercase().replace('-', "_");
    let name = name.replace("tokens", "");
    SECRETIVE.iter().any(|secretive| name.contains(secretive))
}

/// Keys of Workmill are known by their look, wherever they were pasted.
fn presentable_text(text: &str) -> String {
    let mut shown = String::with_capacity(text.len().min(LONGEST_TEXT));
    for word in text.split_inclusive(|letter: char| !is_of_a_key(letter)) {
        let key = word.trim_end_matches(|letter: char| !is_of_a_key(letter));
        if key.starts_with("wm_") && key.len() >= SHORTEST_KEY {
            shown.push_str(HIDDEN);
            shown.push_str(&word[key.len()..]);
        } else {
            shown.push_str(word);
        }
    }
    if let Some((cut, _)) = shown.char_indices().nth(LONGEST_TEXT) {
        shown.truncate(cut);
        shown.push('…');
    }
    shown
}

const SHORTEST_KEY: usize = 16;

fn is_of_a_key(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn a_difference_names_what_changed_and_nothing_else() {
        let before = json!({"title": "a", "tags": ["x"], "spec": {"prompt": "p", "n": 1}});
        let after = json!({"title": "b", "spec": {"prompt": "p", "n": 2}, "priority": 5});
        assert_eq!(
            difference(before, after),
            (
                json!({"title": "a", "tags": ["x"], "spec": {"n": 1}}),
                json!({"title": "b", "spec": {"n": 2}, "priority": 5}),
            )
        );
    }

    #[test]
    fn secrets_are_hidden_wherever_they_are_and_long_texts_are_cut() {
        let entry = AuditEntry::new(
            Action::TaskEdited,
            Subject::Namespace,
            json!({"metadata": {"API-Key": "k", "password": null, "max_tokens": 7}}),
            json!({"list": ["use wm_0123456789abcdef_01, please", "é".repeat(600)]}),
        )
        .with_note(Some("wm_0123456789abcdef"));
        assert_eq!(
            entry.before,
            json!({"metadata": {"API-Key": HIDDEN, "password": null, "max_tokens": 7}})
        );
        assert_eq!(entry.after["list"][0], "use [hidden], please");
        assert_eq!(
            entry.after["list"][1].as_str().unwrap().chars().count(),
            501
        );
        assert_eq!(entry.note.as_deref(), Some(HIDDEN));
    }

    #[test]
    fn every_kind_of_subject_is_in_the_list() {
        let (task, key) = (TaskId(Uuid::nil()), Uuid::nil());
        let all = [
            Subject::Task(task),
            Subject::Graph(GraphId(key)),
            Subject::Project(ProjectId(key)),
            Subject::DeadLetter(task),
            Subject::Agent(String::new()),
            Subject::Key(key),
            Subject::Gate(String::new()),
            Subject::Namespace,
        ];
        assert_eq!(all.map(|subject| subject.kind()), Subject::KINDS);
    }

    #[test]
    fn names_of_actions_are_different_and_found_again() {
        for action in Action::ALL {
            assert_eq!(Action::from_name(action.name()), Some(*action));
        }
    }

    proptest! {
        #[test]
        fn ordinary_texts_stay_as_they_are(text in "[a-z A-Z.,]{0,400}") {
            prop_assert_eq!(presentable_text(&text), text);
        }

        #[test]
        fn no_key_is_left_in_any_text(
            before in ".{0,40}[^a-zA-Z0-9_]", random in "[a-zA-Z0-9]{20}", after in "[^a-zA-Z0-9_].{0,40}"
        ) {
            let shown = presentable_text(&format!("{before}wm_{random}_ab{after}"));
            prop_assert!(!shown.contains(&random));
        }
    }
}
