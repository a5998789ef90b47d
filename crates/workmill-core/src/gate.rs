//! Gates: what can hold a ready task back besides its lane. A pause, a limit on running work, a
//! budget, a lock.
//!
//! A gate is named by a text, `limit:type:review`, that is the same in the database, in events and
//! in answers. The order of the variants is the order in which gates are asked; a task waits at
//! the first one that stops it.

use std::fmt;
use std::str::FromStr;

use jiff::civil::Date;
use thiserror::Error;

use crate::ids::GraphId;
use crate::lane::LaneId;
use crate::priority::Class;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gate {
    /// Closed until somebody opens it.
    Pause(Paused),
    /// So many attempts at a time.
    Limit(Limited),
    /// So much money.
    Budget(Purse),
    /// The locks below one root.
    Locks(String),
}

/// What is paused.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Paused {
    Namespace,
    Graph(GraphId),
    Type(String),
    Lane(LaneId),
    Label(String),
    Agent(String),
}

/// Of what only so much may run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Limited {
    Namespace,
    /// All that is not critical: what is left of the namespace's maximum is the reserve.
    AllButCritical,
    Class(Class),
    Source(String),
    Type(String),
    /// Counts `cost_units`, not tasks.
    Label(String),
    Agent(String),
}

/// Whose money it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purse {
    Namespace,
    /// What the namespace may spend each day. Nothing is taken from it: it says what the budget of
    /// a day that begins is.
    EachDay,
    /// The namespace's, of one day.
    Day(Date),
    Graph(GraphId),
    Agent(String),
}

impl Gate {
    /// Those that a task asks because of who takes it.
    pub fn of_agent(agent: &str) -> [Gate; 2] {
        [
            Gate::Limit(Limited::Agent(agent.to_owned())),
            Gate::Budget(Purse::Agent(agent.to_owned())),
        ]
    }

    /// Whether it stops one agent only: another one may take the task, so it stays in its lane.
    pub fn is_of_an_agent(&self) -> bool {
        matches!(
            self,
            Gate::Pause(Paused::Agent(_))
                | Gate::Limit(Limited::Agent(_))
                | Gate::Budget(Purse::Agent(_))
        )
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not the name of a gate")]
pub struct InvalidGate(pub String);

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Gate::Pause(Paused::Namespace) => f.write_str("pause:namespace"),
            Gate::Pause(Paused::Graph(graph)) => write!(f, "pause:graph:{graph}"),
            Gate::Pause(Paused::Type(name)) => write!(f, "pause:type:{name}"),
            Gate::Pause(Paused::Lane(lane)) => write!(f, "pause:lane:{}", lane.0),
            Gate::Pause(Paused::Label(name)) => write!(f, "pause:label:{name}"),
            Gate::Pause(Paused::Agent(name)) => write!(f, "pause:agent:{name}"),
            Gate::Limit(Limited::Namespace) => f.write_str("limit:namespace"),
            Gate::Limit(Limited::AllButCritical) => f.write_str("limit:all_but_critical"),
            Gate::Limit(Limited::Class(class)) => write!(f, "limit:class:{class}"),
            Gate::Limit(Limited::Source(name)) => write!(f, "limit:source:{name}"),
            Gate::Limit(Limited::Type(name)) => write!(f, "limit:type:{name}"),
            Gate::Limit(Limited::Label(name)) => write!(f, "limit:label:{name}"),
            Gate::Limit(Limited::Agent(name)) => write!(f, "limit:agent:{name}"),
            Gate::Budget(Purse::Namespace) => f.write_str("budget:namespace"),
            Gate::Budget(Purse::EachDay) => f.write_str("budget:each_day"),
            Gate::Budget(Purse::Day(day)) => write!(f, "budget:day:{day}"),
            Gate::Budget(Purse::Graph(graph)) => write!(f, "budget:graph:{graph}"),
            Gate::Budget(Purse::Agent(name)) => write!(f, "budget:agent:{name}"),
            Gate::Locks(root) => write!(f, "lock:{root}"),
        }
    }
}

impl FromStr for Gate {
    type Err = InvalidGate;

    fn from_str(text: &str) -> Result<Self, InvalidGate> {
        read(text).ok_or_else(|| InvalidGate(text.to_owned()))
    }
}

fn read(text: &str) -> Option<Gate> {
    let (kind, rest) = text.split_once(':')?;
    let (of, name) = rest.split_once(':').unwrap_or((rest, ""));
    let named = || Some(name.to_owned()).filter(|name| !name.is_empty());
    let unnamed = || rest.strip_suffix(':').is_none() && name.is_empty();
    Some(match (kind, of) {
        ("pause", "namespace") if unnamed() => Gate::Pause(Paused::Namespace),
        ("pause", "graph") => Gate::Pause(Paused::Graph(name.parse().ok()?)),
        ("pause", "type") => Gate::Pause(Paused::Type(named()?)),
        ("pause", "lane") => Gate::Pause(Paused::Lane(LaneId(name.parse().ok()?))),
        ("pause", "label") => Gate::Pause(Paused::Label(named()?)),
        ("pause", "agent") => Gate::Pause(Paused::Agent(named()?)),
        ("limit", "namespace") if unnamed() => Gate::Limit(Limited::Namespace),
        ("limit", "all_but_critical") if unnamed() => Gate::Limit(Limited::AllButCritical),
        ("limit", "class") => {
            let mut classes = Class::ALL.into_iter();
            Gate::Limit(Limited::Class(classes.find(|class| class.name() == name)?))
        }
        ("limit", "source") => Gate::Limit(Limited::Source(named()?)),
        ("limit", "type") => Gate::Limit(Limited::Type(named()?)),
        ("limit", "label") => Gate::Limit(Limited::Label(named()?)),
        ("limit", "agent") => Gate::Limit(Limited::Agent(named()?)),
        ("budget", "namespace") if unnamed() => Gate::Budget(Purse::Namespace),
        ("budget", "each_day") if unnamed() => Gate::Budget(Purse::EachDay),
        ("budget", "day") => Gate::Budget(Purse::Day(name.parse().ok()?)),
        ("budget", "graph") => Gate::Budget(Purse::Graph(name.parse().ok()?)),
        ("budget", "agent") => Gate::Budget(Purse::Agent(named()?)),
        ("lock", _) if !rest.is_empty() => Gate::Locks(rest.to_owned()),
        _ => return None,
    })
}

/// How far a gate is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capacity {
    /// What is taken: attempts, units, or money spent and reserved.
    pub used: i64,
    /// None: no end of capacity.
    pub cap: Option<i64>,
}

impl Capacity {
    pub fn left(self) -> i64 {
        self.cap
            .map_or(i64::MAX, |cap| cap.saturating_sub(self.used).max(0))
    }

    /// Whether this much fits in, besides what is in already. Nothing always fits into what is not
    /// overfull.
    pub fn takes(self, amount: i64) -> bool {
        self.cap
            .is_none_or(|cap| self.used.saturating_add(amount) <= cap)
    }
}

/// Shares of a namespace's concurrent maximum, by class: percent, rounded down, at least 1; and the
/// most that a class may have, whatever its share.
pub const CLASS_SHARES: [(Class, i64, Option<i64>); 3] = [
    (Class::High, 40, None),
    (Class::Normal, 35, None),
    (Class::Low, 15, Some(5)),
];

/// Percent of the maximum that is always free for critical work.
pub const CRITICAL_RESERVE: i64 = 20;

/// The limits that follow from a namespace's concurrent maximum.
pub fn class_limits(maximum: i64) -> Vec<(Limited, i64)> {
    let share = |percent: i64| (maximum.saturating_mul(percent) / 100).max(1);
    let mut limits = vec![(
        Limited::AllButCritical,
        (maximum - share(CRITICAL_RESERVE)).max(1),
    )];
    for (class, percent, most) in CLASS_SHARES {
        let cap = share(percent).min(most.unwrap_or(i64::MAX));
        limits.push((Limited::Class(class), cap));
    }
    limits
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_name_of_a_gate_says_all_of_it() {
        let graph = "dag_01J8K2M0000000000000000000".parse().unwrap();
        let gates = [
            Gate::Pause(Paused::Namespace),
            Gate::Pause(Paused::Graph(graph)),
            Gate::Pause(Paused::Type("a:b".into())),
            Gate::Pause(Paused::Lane(LaneId(-7))),
            Gate::Pause(Paused::Label("provider:x".into())),
            Gate::Pause(Paused::Agent("one".into())),
            Gate::Limit(Limited::Namespace),
            Gate::Limit(Limited::AllButCritical),
            Gate::Limit(Limited::Class(Class::Low)),
            Gate::Limit(Limited::Source("cron".into())),
            Gate::Limit(Limited::Type("review".into())),
            Gate::Limit(Limited::Label("provider:x".into())),
            Gate::Limit(Limited::Agent("one".into())),
            Gate::Budget(Purse::Namespace),
            Gate::Budget(Purse::EachDay),
            Gate::Budget(Purse::Day("2026-11-15".parse().unwrap())),
            Gate::Budget(Purse::Graph(graph)),
            Gate::Budget(Purse::Agent("one".into())),
            Gate::Locks("repo:app".into()),
        ];
        for gate in gates {
            assert_eq!(gate.to_string().parse(), Ok(gate.clone()), "{gate}");
        }
        for bad in [
            "",
            "limit",
            "limit:",
            "limit:type",
            "limit:type:",
            "limit:class:urgent",
            "lock:",
            "budget:day:soon",
            "pause:namespace:x",
            "limit:all",
        ] {
            assert!(bad.parse::<Gate>().is_err(), "{bad}");
        }
    }

    /// H-3 (part)
    #[test]
    fn a_fifth_is_free_for_critical_work_and_low_never_has_more_than_five() {
        let caps = |maximum| -> Vec<i64> {
            class_limits(maximum)
                .into_iter()
                .map(|(_, cap)| cap)
                .collect()
        };
        assert_eq!(caps(100), [80, 40, 35, 5]);
        assert_eq!(caps(10), [8, 4, 3, 1]);
        assert_eq!(caps(1), [1, 1, 1, 1], "a class always has a place");
    }

    #[test]
    fn room_is_exact_at_its_edge() {
        let capacity = Capacity {
            used: 3,
            cap: Some(5),
        };
        assert!(capacity.takes(2) && !capacity.takes(3) && capacity.left() == 2);
        let over = Capacity {
            used: 6,
            cap: Some(5),
        };
        assert!(!over.takes(0) && over.left() == 0);
        assert!(Capacity { used: 6, cap: None }.takes(i64::MAX));
    }
    /// What somebody does at a gate.
    #[derive(Debug, Clone, Copy)]
    enum Does {
        /// Takes so much if it fits.
        Takes(i64),
        /// The one that has been in longest, or so, goes.
        GivesBack(usize),
        Caps(Option<i64>),
    }

    fn does() -> impl Strategy<Value = Does> {
        prop_oneof![
            3 => prop_oneof![0_i64..9, Just(i64::MAX)].prop_map(Does::Takes),
            2 => any::<usize>().prop_map(Does::GivesBack),
            1 => prop::option::weighted(0.8, 0_i64..30).prop_map(Does::Caps),
        ]
    }

    proptest! {
        /// H-8 (part): compared with a list of the running tasks, added up at each step.
        #[test]
        fn room_is_what_those_who_are_in_have_left(steps in prop::collection::vec(does(), 1..60)) {
            let (mut capacity, mut inside) = (Capacity { used: 0, cap: Some(10) }, Vec::<i64>::new());
            for step in steps {
                let sum: i128 = inside.iter().copied().map(i128::from).sum();
                match step {
                    Does::Takes(amount) => {
                        let fits = capacity.cap.is_none_or(|cap| sum + i128::from(amount) <= cap.into());
                        prop_assert_eq!(capacity.takes(amount), fits);
                        // More than can be counted is never in: it would have to be let in first.
                        if fits && amount < i64::MAX {
                            capacity.used += amount;
                            inside.push(amount);
                        }
                    }
                    Does::GivesBack(pick) => {
                        if let Some(place) = pick.checked_rem(inside.len()) {
                            capacity.used -= inside.remove(place);
                        }
                    }
                    Does::Caps(cap) => capacity.cap = cap,
                }
                let sum: i64 = inside.iter().sum();
                prop_assert_eq!(capacity.used, sum);
                let left = capacity.cap.map_or(i64::MAX, |cap| (cap - sum).max(0));
                prop_assert_eq!(capacity.left(), left);
                prop_assert!(left == 0 || capacity.takes(left), "what is left can be taken");
            }
        }

        /// H-3 (part): for every maximum, each class has at least one place and at most the
        /// maximum, and tasks that are not critical leave the reserve free.
        #[test]
        fn shares_follow_the_table_whatever_the_maximum(maximum in 1_i64..100_000) {
            let limits = class_limits(maximum);
            let cap = |of: &Limited| limits.iter().find(|(limited, _)| limited == of).map(|(_, cap)| *cap);
            for (_, cap) in &limits {
                prop_assert!((1..=maximum).contains(cap));
            }
            let reserve = (maximum / 5).max(1);
            prop_assert_eq!(cap(&Limited::AllButCritical), Some((maximum - reserve).max(1)));
            prop_assert_eq!(cap(&Limited::Class(Class::High)), Some((maximum * 2 / 5).max(1)));
            prop_assert_eq!(cap(&Limited::Class(Class::Normal)), Some((maximum * 7 / 20).max(1)));
            prop_assert_eq!(cap(&Limited::Class(Class::Low)), Some((maximum * 3 / 20).clamp(1, 5)));
        }
    }
}
