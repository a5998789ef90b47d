//! Where in its walk a look is, and how that is written down for whoever comes back.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use uuid::Uuid;
use workmill_core::bulk::Place;
use workmill_core::ids::{GraphId, ProjectId};

/// Behind which task a look begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The walk goes from the end of the place to its beginning.
    pub(super) is_descending: bool,
    pub(super) place: Place,
    pub(super) key: Key,
}

/// Where a task stands in the order of its place; each place knows the members it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) lane: i64,
    pub(super) rank: i64,
    pub(super) at: Timestamp,
    pub(super) task: Uuid,
}

impl Key {
    pub(super) const FIRST: Key = Key {
        lane: i64::MIN,
        rank: i64::MIN,
        at: Timestamp::UNIX_EPOCH,
        task: Uuid::nil(),
    };

    pub(super) const LAST: Key = Key {
        lane: i64::MAX,
        rank: i64::MAX,
        at: Timestamp::MAX,
        task: Uuid::max(),
    };

    pub(super) fn of(task: Uuid) -> Key {
        Key { task, ..Key::FIRST }
    }

    /// The key of a task in a place that is ordered by time.
    pub(super) fn of_time(at: Timestamp, task: Uuid) -> Key {
        Key {
            at,
            ..Key::of(task)
        }
    }

    /// Where a walk begins.
    pub(super) const fn start(is_descending: bool) -> Key {
        if is_descending { Key::LAST } else { Key::FIRST }
    }
}

impl Position {
    /// Whether a walk over these places in this direction comes by here.
    pub fn is_in(&self, places: &[Place], is_descending: bool) -> bool {
        self.is_descending == is_descending && places.contains(&self.place)
    }
}

/// What the position of a walk from the end begins with.
const DESCENDING: &str = "down_";

/// Letters, digits and a few signs that mean nothing in an address.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Key {
            lane,
            rank,
            at,
            task,
        } = self.key;
        let (at, task) = (at.as_microsecond(), task.simple());
        if self.is_descending {
            f.write_str(DESCENDING)?;
        }
        match self.place {
            Place::Everything => write!(f, "all_{task}"),
            Place::Graph(graph) => write!(f, "graph_{}_{task}", graph.0.simple()),
            Place::Project(project) => write!(f, "project_{}_{task}", project.0.simple()),
            Place::Ready => write!(f, "ready_{lane}_{rank}_{task}"),
            Place::Gated => write!(f, "gated_{task}"),
            Place::Due => write!(f, "due_{at}_{task}"),
            Place::Leases => write!(f, "lease_{task}"),
            Place::Blocked => write!(f, "blocked_{task}"),
            Place::DeadLetters => write!(f, "dead_{task}"),
            Place::Finished => write!(f, "finished_{at}_{task}"),
        }
    }
}

/// It is no place in a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidPosition;

impl FromStr for Position {
    type Err = InvalidPosition;

    fn from_str(text: &str) -> Result<Self, InvalidPosition> {
        read(text).ok_or(InvalidPosition)
    }
}

fn read(text: &str) -> Option<Position> {
    let (is_descending, text) = match text.strip_prefix(DESCENDING) {
        Some(text) => (true, text),
        None => (false, text),
    };
    let (rest, task) = text.rsplit_once('_')?;
    let key = Key::of(Uuid::try_parse(task).ok()?);
    let (name, rest) = rest.split_once('_').unwrap_or((rest, ""));
    let at = || Timestamp::from_microsecond(rest.parse().ok()?).ok();
    let (place, key) = match name {
        "all" => (Place::Everything, key),
        "graph" => {
            let graph = Uuid::try_parse(rest).ok()?;
            (Place::Graph(GraphId(graph)), key)
        }
        "project" => {
            let project = Uuid::try_parse(rest).ok()?;
            (Place::Project(ProjectId(project)), key)
        }
        "ready" => {
            let (lane, rank) = rest.split_once('_')?;
            let (lane, rank) = (lane.parse().ok()?, rank.parse().ok()?);
            (Place::Ready, Key { lane, rank, ..key })
        }
        "gated" => (Place::Gated, key),
        "due" => (Place::Due, Key { at: at()?, ..key }),
        "lease" => (Place::Leases, key),
        "blocked" => (Place::Blocked, key),
        "dead" => (Place::DeadLetters, key),
        "finished" => (Place::Finished, Key { at: at()?, ..key }),
        _ => return None,
    };
    Some(Position {
        is_descending,
        place,
        key,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_read_back_as_it_was() {
        let key = Key::of(Uuid::from_u128(7));
        let at = Timestamp::from_microsecond(1_800_000_000_123_456).unwrap();
        let (lane, rank) = (i64::MIN, -3);
        let graph = GraphId(Uuid::from_u128(9));
        for (place, key) in [
            (Place::Everything, key),
            (Place::Graph(graph), key),
            (Place::Project(ProjectId(graph.0)), key),
            (Place::Ready, Key { lane, rank, ..key }),
            (Place::Gated, Key::FIRST),
            (Place::Due, Key { at, ..key }),
            (Place::Leases, key),
            (Place::Blocked, key),
            (Place::DeadLetters, key),
            (Place::Finished, Key { at, ..key }),
        ] {
            for is_descending in [false, true] {
                let position = Position {
                    is_descending,
                    place,
                    key,
                };
                assert_eq!(position.to_string().parse(), Ok(position));
            }
        }
        for bad in [
            "",
            "all",
            "all_",
            "all_7",
            "ready_1_00000000000000000000000000000007",
            "x_y",
        ] {
            assert_eq!(bad.parse::<Position>(), Err(InvalidPosition), "{bad}");
        }
    }
}
