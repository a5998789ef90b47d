//! How long finished work is kept, and what goes when.
//!
//! Nothing that is alive ever goes, and no dead letter. A task goes when it has ended as long ago
//! as its namespace says for its final state and nothing in its graph is unfinished: what still
//! runs may ask for the results of what it depends on.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::graph::Tally;
use crate::ids::first_id_at;
use crate::lifecycle::State;

/// How long tasks are kept after they have ended; none: forever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Retention {
    pub completed: Option<Duration>,
    pub cancelled: Option<Duration>,
    pub stale: Option<Duration>,
}

impl Retention {
    /// How long tasks that ended like this are kept; none: forever.
    pub const fn age(&self, state: State) -> Option<Duration> {
        match state {
            State::Completed => self.completed,
            State::Cancelled => self.cancelled,
            State::Stale => self.stale,
            // They have not ended.
            State::Created
            | State::Pending
            | State::Ready
            | State::Claimed
            | State::Running
            | State::Validating
            | State::Blocked
            | State::Retrying
            | State::DeadLettered => None,
        }
    }

    /// Only what ended at this moment or earlier can be due; none: nothing ever is.
    pub fn latest_end(&self, now: Timestamp) -> Option<Timestamp> {
        let ages = [self.completed, self.cancelled, self.stale];
        let shortest = ages.into_iter().flatten().min()?;
        Some(before(now, shortest))
    }

    /// Whether a task goes. `graph` is the tally of its graph, if it is in one; `is_leased` when an
    /// agent that was told to stop has not confirmed it yet.
    pub fn is_due(
        &self,
        state: State,
        ended_at: Timestamp,
        graph: Option<&Tally>,
        is_leased: bool,
        now: Timestamp,
    ) -> bool {
        let is_old_enough = self
            .age(state)
            .is_some_and(|age| ended_at <= before(now, age));
        is_old_enough && !is_leased && graph.is_none_or(Tally::has_ended)
    }
}

/// So far back; the beginning of time when that is further than time goes.
fn before(now: Timestamp, age: Duration) -> Timestamp {
    let age = SignedDuration::try_from(age).unwrap_or(SignedDuration::MAX);
    now.checked_sub(age).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// Events are kept so long unless it is said otherwise.
pub const DEFAULT_EVENT_AGE: Duration = Duration::from_hours(30 * 24);

/// Partitions of events are made for today and this many days to come.
pub const DAYS_AHEAD: i64 = 3;

/// A day of events, in UTC: they are stored by day, so that old days are dropped whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventDay(Date);

impl EventDay {
    pub fn of(at: Timestamp) -> EventDay {
        EventDay(at.to_zoned(TimeZone::UTC).date())
    }

    /// The name of its partition.
    pub fn name(self) -> String {
        format!(
            "event_{:04}{:02}{:02}",
            self.0.year(),
            self.0.month(),
            self.0.day()
        )
    }

    /// The day of a partition; none for a table that is called otherwise.
    pub fn from_name(name: &str) -> Option<EventDay> {
        let digits = name
            .strip_prefix("event_")
            .filter(|digits| digits.len() == 8)?;
        let number = |part: &str| part.parse::<i16>().ok();
        let (year, month, day) = (&digits[..4], &digits[4..6], &digits[6..]);
        let month = i8::try_from(number(month)?).ok()?;
        let day = i8::try_from(number(day)?).ok()?;
        Date::new(number(year)?, month, day).ok().map(EventDay)
    }

    pub fn begins_at(self) -> Timestamp {
        let midnight = self.0.to_zoned(TimeZone::UTC);
        midnight.map_or(Timestamp::UNIX_EPOCH, |midnight| midnight.timestamp())
    }

    fn following(self) -> EventDay {
        EventDay(self.0.tomorrow().unwrap_or(Date::MAX))
    }

    /// Ids of its events: from the first one on, before the second one.
    pub fn ids(self) -> (Uuid, Uuid) {
        let (first, next) = (self.begins_at(), self.following().begins_at());
        (first_id_at(first), first_id_at(next))
    }
}

/// Which days shall have a partition.
pub fn days_wanted(now: Timestamp) -> Vec<EventDay> {
    let mut days = vec![EventDay::of(now)];
    for _ in 0..DAYS_AHEAD {
        days.extend(days.last().map(|day| day.following()));
    }
    days
}

/// Of these days, those whose last event is as old as that.
pub fn days_to_drop(days: &[EventDay], now: Timestamp, age: Duration) -> Vec<EventDay> {
    let limit = before(now, age);
    let is_old = |day: &&EventDay| day.following().begins_at() <= limit;
    days.iter().filter(is_old).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const HOUR: Duration = Duration::from_hours(1);

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn everything_after(age: Duration) -> Retention {
        Retention {
            completed: Some(age),
            cancelled: Some(age),
            stale: Some(age),
        }
    }

    #[test]
    fn by_default_everything_is_kept() {
        for state in State::ALL {
            let kept = Retention::default();
            assert!(!kept.is_due(state, at(0), None, false, at(1 << 35)));
        }
        assert_eq!(Retention::default().latest_end(at(0)), None);
    }

    #[test]
    fn each_final_state_has_its_own_age_and_nothing_else_ever_goes() {
        let retention = Retention {
            completed: Some(HOUR),
            cancelled: Some(2 * HOUR),
            stale: None,
        };
        let due = |state, second| retention.is_due(state, at(0), None, false, at(second));
        for state in State::ALL {
            let goes = (due(state, 3599), due(state, 3600), due(state, 7200));
            let expected = match state {
                State::Completed => (false, true, true),
                State::Cancelled => (false, false, true),
                _ => (false, false, false),
            };
            assert_eq!(goes, expected, "{state}");
        }
        assert_eq!(retention.latest_end(at(7200)), Some(at(3600)));
    }

    #[test]
    fn what_an_agent_still_holds_stays() {
        let retention = everything_after(HOUR);
        assert!(!retention.is_due(State::Cancelled, at(0), None, true, at(7200)));
    }

    #[test]
    fn the_name_of_a_day_is_read_back_and_others_are_not_days() {
        let day = EventDay::of(at(1_800_000_000));
        assert_eq!(day.name(), "event_20270115");
        assert_eq!(EventDay::from_name(&day.name()), Some(day));
        for other in [
            "event_default",
            "event_2027011",
            "event_20271315",
            "event_2027é15",
        ] {
            assert_eq!(EventDay::from_name(other), None, "{other}");
        }
    }

    #[test]
    fn a_day_goes_when_its_last_event_is_old_enough() {
        let days = [EventDay::of(at(0)), EventDay::of(at(24 * 3600))];
        assert_eq!(days_to_drop(&days, at(25 * 3600 - 1), HOUR), []);
        assert_eq!(days_to_drop(&days, at(25 * 3600), HOUR), [days[0]]);
    }

    proptest! {
        #[test]
        fn no_task_goes_while_its_graph_has_something_unfinished(
            state in proptest::sample::select(State::ALL.to_vec()),
            others in proptest::collection::vec(proptest::sample::select(State::ALL.to_vec()), 0..5),
            waits: bool,
        ) {
            let mut tally = Tally::default();
            tally.add(state, false, 1);
            for other in &others {
                tally.add(*other, waits && !other.is_finished(), 1);
            }
            let all_ended = state.is_finished() && others.iter().all(|other| other.is_finished());
            let goes = everything_after(HOUR).is_due(state, at(0), Some(&tally), false, at(7200));
            prop_assert_eq!(goes, all_ended);
        }

        #[test]
        fn days_follow_each_other_without_a_gap(second in 0i64..100_000_000_000) {
            let days = days_wanted(at(second));
            let (first, next) = days[0].ids();
            let id = first_id_at(at(second));
            prop_assert!(first <= id && id < next);
            for pair in days.windows(2) {
                prop_assert_eq!(pair[0].ids().1, pair[1].ids().0);
            }
        }
    }
}
