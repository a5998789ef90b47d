//! Locks on resources that a task names: `repo:app/src/auth`.
//!
//! A lock on a path covers everything below it, so two locks conflict when one path is the other
//! or lies above it, unless both are shared. The first part of a path, `repo:app`, is its root:
//! locks of different roots have nothing to do with each other.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// A lock that a task asks for, written as a path or as `{"path": …, "shared": true}`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct ResourceLock {
    pub path: String,
    /// Other tasks may hold the lock too, if they share it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub shared: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a path: parts between single slashes; no part may be blank or consist only of dots"
)]
pub struct InvalidPath(pub String);

impl ResourceLock {
    pub fn exclusive(path: &str) -> Self {
        ResourceLock {
            path: path.to_owned(),
            shared: false,
        }
    }

    pub fn shared(path: &str) -> Self {
        ResourceLock {
            path: path.to_owned(),
            shared: true,
        }
    }

    /// The path without a slash at its end; refused when its parts are not plain names.
    pub fn normalised(self) -> Result<Self, InvalidPath> {
        let path = self.path.strip_suffix('/').unwrap_or(&self.path);
        let is_nothing = |letter: char| letter == '.' || letter.is_whitespace();
        let is_plain =
            |part: &str| !part.chars().all(is_nothing) && !part.chars().any(char::is_control);
        if !path.split('/').all(is_plain) {
            return Err(InvalidPath(self.path));
        }
        Ok(ResourceLock {
            path: path.to_owned(),
            shared: self.shared,
        })
    }

    pub fn root(&self) -> &str {
        self.path.split('/').next().unwrap_or_default()
    }

    /// Whether the path of the other one is that of this one, or lies below it.
    pub fn covers(&self, other: &ResourceLock) -> bool {
        covers(&self.path, &other.path)
    }

    pub fn conflicts_with(&self, other: &ResourceLock) -> bool {
        let one_covers_the_other =
            covers(&self.path, &other.path) || covers(&other.path, &self.path);
        one_covers_the_other && !(self.shared && other.shared)
    }
}

/// Whether a path is the other or lies above it: `a/b` covers `a/b/c`, not `a/bc`.
fn covers(above: &str, below: &str) -> bool {
    below
        .strip_prefix(above)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Each once, in one order for all.
pub fn roots_of(locks: &[ResourceLock]) -> Vec<&str> {
    let mut roots: Vec<&str> = locks.iter().map(ResourceLock::root).collect();
    roots.sort_unstable();
    roots.dedup();
    roots
}

/// The first two that cannot be held at the same time by different tasks.
pub fn find_conflict<'a>(
    wanted: &[ResourceLock],
    held: impl IntoIterator<Item = &'a ResourceLock>,
) -> Option<&'a ResourceLock> {
    held.into_iter()
        .find(|held| wanted.iter().any(|lock| lock.conflicts_with(held)))
}

impl<'de> Deserialize<'de> for ResourceLock {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PathOrWhole)
    }
}

struct PathOrWhole;

impl<'de> Visitor<'de> for PathOrWhole {
    type Value = ResourceLock;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a path or an object with `path` and `shared`")
    }

    fn visit_str<E: Error>(self, path: &str) -> Result<ResourceLock, E> {
        Ok(ResourceLock::exclusive(path))
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<ResourceLock, A::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Whole {
            path: String,
            #[serde(default)]
            shared: bool,
        }
        let Whole { path, shared } = Whole::deserialize(MapAccessDeserializer::new(members))?;
        Ok(ResourceLock { path, shared })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_lock_covers_what_lies_below_it_and_nothing_beside_it() {
        let lock = ResourceLock::exclusive("repo:app/src");
        for (path, conflicts) in [
            ("repo:app/src", true),
            ("repo:app/src/auth", true),
            ("repo:app", true),
            ("repo:app/srcs", false),
            ("repo:app/docs", false),
            ("repo:other/src", false),
        ] {
            let other = ResourceLock::exclusive(path);
            assert_eq!(lock.conflicts_with(&other), conflicts, "{path}");
            assert!(
                !ResourceLock::shared("repo:app/src").conflicts_with(&ResourceLock::shared(path))
            );
        }
    }

    #[test]
    fn paths_are_names_between_slashes() {
        for bad in [
            "", "/", "/a", "a//b", "a/../b", "a/.", "a/\n", "a/ /b", "a/. .",
        ] {
            assert!(
                ResourceLock::exclusive(bad).normalised().is_err(),
                "{bad:?}"
            );
        }
        let lock = ResourceLock::exclusive("repo:app/src/").normalised();
        assert_eq!(lock.unwrap().path, "repo:app/src");
    }

    #[test]
    fn a_lock_is_written_as_a_path_or_as_an_object() {
        let locks: Vec<ResourceLock> =
            serde_json::from_str(r#"["a/b", {"path": "c", "shared": true}]"#).unwrap();
        assert_eq!(
            locks,
            [ResourceLock::exclusive("a/b"), ResourceLock::shared("c")]
        );
        assert!(serde_json::from_str::<ResourceLock>(r#"{"path": "c", "share": true}"#).is_err());
    }

    fn any_lock() -> impl Strategy<Value = ResourceLock> {
        let part = prop::sample::select(vec!["a", "b", "ab"]);
        (prop::collection::vec(part, 1..4), any::<bool>()).prop_map(|(parts, shared)| {
            ResourceLock {
                path: parts.join("/"),
                shared,
            }
        })
    }

    proptest! {
        /// Against the rule written out: two paths conflict when the parts of the shorter one
        /// are the first parts of the longer one.
        #[test]
        fn conflicts_equal_the_plain_rule(one in any_lock(), other in any_lock()) {
            let parts = |lock: &ResourceLock| -> Vec<String> {
                lock.path.split('/').map(str::to_owned).collect()
            };
            let (first, second) = (parts(&one), parts(&other));
            let shorter = first.len().min(second.len());
            let expected = first[..shorter] == second[..shorter] && !(one.shared && other.shared);
            prop_assert_eq!(one.conflicts_with(&other), expected);
            prop_assert_eq!(other.conflicts_with(&one), expected);
            prop_assert!(!expected || one.root() == other.root());
        }
    }
}
