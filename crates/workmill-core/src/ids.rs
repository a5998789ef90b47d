//! Identities: 128 bit, time-ordered, stored as `uuid`, printed as `task_<ULID>`, `dag_<ULID>` or
//! `proj_<ULID>`.
//!
//! A namespace is a plain number that every row starts with. A lease is named by its task and
//! epoch; the string is opaque to agents but carries both, so the fence travels with every call.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;
use ulid::Ulid;
use uuid::Uuid;

/// A text that is not the id it should be.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{text}` is not {expected}")]
pub struct InvalidId {
    pub text: String,
    pub expected: &'static str,
}

/// The owner and isolation boundary of everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Namespace(pub i64);

macro_rules! time_ordered_id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal, $expected:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), Ulid::from(self.0.as_u128()))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            /// Accepts the printed form and, for the dialects that speak UUIDs, a UUID.
            fn from_str(text: &str) -> Result<Self, InvalidId> {
                let uuid = match text.strip_prefix($prefix) {
                    Some(ulid) => Ulid::from_string(ulid).ok().map(|ulid| Uuid::from_u128(ulid.into())),
                    None => Uuid::try_parse(text).ok(),
                };
                uuid.map($name).ok_or_else(|| InvalidId { text: text.to_owned(), expected: $expected })
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

time_ordered_id!(
    /// A unit of work.
    TaskId,
    "task_",
    "the id of a task, like task_01M7HMRKXS1JNRSM27H7W3YKXE"
);
time_ordered_id!(
    /// A graph of tasks. A task of its own is its own graph: both ids have the same 128 bits.
    GraphId,
    "dag_",
    "the id of a graph, like dag_01M7HMRKXS1JNRSM27H7W3YKXE"
);

time_ordered_id!(
    /// A label over graphs and tasks.
    ProjectId,
    "proj_",
    "the id of a project, like proj_01M7HMRKXS1JNRSM27H7W3YKXE"
);

impl From<TaskId> for GraphId {
    fn from(task: TaskId) -> Self {
        GraphId(task.0)
    }
}

/// The right to work on a task: the task and the epoch of the claim that granted it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LeaseId {
    pub task: TaskId,
    pub epoch: i32,
}

impl fmt::Display for LeaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "lease_{}_{}",
            Ulid::from(self.task.0.as_u128()),
            self.epoch
        )
    }
}

impl FromStr for LeaseId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let parts = || {
            let (ulid, epoch) = text.strip_prefix("lease_")?.split_once('_')?;
            let task = TaskId(Uuid::from_u128(Ulid::from_string(ulid).ok()?.into()));
            let epoch = epoch.parse().ok().filter(|epoch| *epoch > 0)?;
            Some(LeaseId { task, epoch })
        };
        parts().ok_or_else(|| InvalidId {
            text: text.to_owned(),
            expected: "a lease, like lease_01M7HMRKXS1JNRSM27H7W3YKXE_1",
        })
    }
}

impl Serialize for LeaseId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for LeaseId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// The smallest id of a moment: what was named earlier is smaller, what was named at that moment or
/// later is not. Ids know milliseconds.
pub fn first_id_at(at: jiff::Timestamp) -> Uuid {
    let milliseconds = u64::try_from(at.as_millisecond()).unwrap_or(0);
    Uuid::from_u128(Ulid::from_parts(milliseconds, 0).into())
}

/// Hands out ids that grow in the order they were asked for, also within one millisecond.
#[derive(Debug, Default)]
pub struct IdSource {
    last: u128,
}

impl IdSource {
    /// `random` needs 80 random bits; what it has more is ignored.
    pub fn next(&mut self, now: jiff::Timestamp, random: u128) -> Uuid {
        let milliseconds = u64::try_from(now.as_millisecond()).unwrap_or(0);
        let fresh = u128::from(Ulid::from_parts(milliseconds, random));
        self.last = if fresh > self.last {
            fresh
        } else {
            self.last + 1
        };
        Uuid::from_u128(self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_id_of_a_moment_divides_what_came_before_from_what_came_after() {
        let at = |milliseconds| jiff::Timestamp::from_millisecond(milliseconds).unwrap();
        let mut source = IdSource::default();
        let before = source.next(at(999), u128::MAX);
        let after = source.next(at(1000), 0);
        assert!(before < first_id_at(at(1000)) && first_id_at(at(1000)) <= after);
        assert_eq!(first_id_at(at(-5)), Uuid::nil());
    }

    /// F-2
    #[test]
    fn ids_grow_in_the_order_they_were_asked_for_and_sort_by_time() {
        let mut source = IdSource::default();
        let early = jiff::Timestamp::from_millisecond(1_000_000).unwrap();
        let late = jiff::Timestamp::from_millisecond(1_000_001).unwrap();
        let first = TaskId(source.next(early, u128::MAX));
        let second = TaskId(source.next(early, 0));
        let third = TaskId(source.next(late, 0));
        assert!(first < second && second < third);
        assert!(first.to_string() < second.to_string() && second.to_string() < third.to_string());
    }

    #[test]
    fn a_printed_id_is_read_back_and_a_foreign_kind_is_refused() {
        let task = TaskId(IdSource::default().next(jiff::Timestamp::UNIX_EPOCH, 42));
        assert_eq!(task.to_string().parse(), Ok(task));
        assert_eq!(task.0.to_string().parse(), Ok(task));
        assert!(GraphId::from(task).to_string().parse::<TaskId>().is_err());
        let lease = LeaseId { task, epoch: 7 };
        assert_eq!(lease.to_string().parse(), Ok(lease));
        assert!("lease_x_7".parse::<LeaseId>().is_err());
        assert!(format!("{lease}x").parse::<LeaseId>().is_err());
        assert!(
            LeaseId { task, epoch: 0 }
                .to_string()
                .parse::<LeaseId>()
                .is_err()
        );
    }
}
