//! Where claims begin to look in a lane whose head is littered.
//!
//! Until a vacuum, tasks that have left a lane are still in its index, and every claim passes over
//! all of them: after many have left for a gate, after a burst of claims, and above all while
//! somebody keeps a snapshot open. So, while looking is measurably slow, a claim begins where the
//! last one ended. Work may have come in before that place since; hence a look from the beginning
//! at least once a second, and always before the answer is "nothing".
//!
//! This is a memory of one process, and only ever an optimisation.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;
use workmill_core::lane::LaneId;

/// A place in a lane: a rank and, among equals, a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cursor {
    pub(crate) rank: i64,
    pub(crate) task: Uuid,
}

impl Cursor {
    /// Before everything.
    pub(crate) const BEGINNING: Cursor = Cursor {
        rank: i64::MIN,
        task: Uuid::nil(),
    };
}

/// How long work that came in before a cursor may be overlooked.
const LONGEST: SignedDuration = SignedDuration::from_secs(1);

/// A look that keeps the database busy for longer than this, and this for each task, is slow.
const SLOW: Duration = Duration::from_micros(400);
const SLOW_FOR_EACH: Duration = Duration::from_micros(40);

/// So many slow looks in a row are no coincidence; nor are so many quick ones, once a second.
const SLOW_IN_A_ROW: u32 = 16;
const QUICK_IN_A_ROW: u32 = 3;

#[derive(Debug, Default)]
pub(crate) struct LaneCursors {
    lanes: Mutex<HashMap<(i64, LaneId), Lane>>,
}

#[derive(Debug, Clone, Copy)]
struct Lane {
    /// Where the last claim ended, once the lane is slow.
    cursor: Option<Cursor>,
    slow_in_a_row: u32,
    /// From the beginning, while there is a cursor.
    quick_in_a_row: u32,
    looked_from_the_beginning_at: Timestamp,
}

impl LaneCursors {
    /// Where to begin in each of the lanes.
    pub(crate) fn of(
        &self,
        ns: i64,
        lanes: impl Iterator<Item = LaneId>,
        now: Timestamp,
    ) -> Vec<Cursor> {
        let known = self.lock();
        let cursor = |lane: LaneId| {
            let lane = known.get(&(ns, lane))?;
            let age = now.duration_since(lane.looked_from_the_beginning_at);
            lane.cursor.filter(|_| age < LONGEST)
        };
        lanes
            .map(|lane| cursor(lane).unwrap_or(Cursor::BEGINNING))
            .collect()
    }

    /// Remembers a look from `begun`, which took tasks up to `ended`.
    pub(crate) fn looked(&self, ns: i64, look: &Look, now: Timestamp) {
        let is_slow = look.counts_as_slow || look.took > SLOW + SLOW_FOR_EACH * look.tasks;
        let mut known = self.lock();
        if !is_slow && known.is_empty() {
            return;
        }
        for LookAtLane { lane, begun, ended } in &look.lanes {
            let is_from_the_beginning = *begun == Cursor::BEGINNING;
            let Some(ended) = ended else { continue };
            let key = (ns, *lane);
            let lane = known.entry(key).or_insert(Lane {
                cursor: None,
                slow_in_a_row: 0,
                quick_in_a_row: 0,
                looked_from_the_beginning_at: now,
            });
            if is_from_the_beginning {
                lane.looked_from_the_beginning_at = now;
                if is_slow {
                    lane.slow_in_a_row += 1;
                    lane.quick_in_a_row = 0;
                } else {
                    lane.quick_in_a_row += 1;
                }
                if lane.cursor.is_none() && !is_slow || lane.quick_in_a_row >= QUICK_IN_A_ROW {
                    known.remove(&key);
                    continue;
                }
            }
            if lane.slow_in_a_row >= SLOW_IN_A_ROW || look.counts_as_slow {
                lane.cursor = Some(*ended);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<(i64, LaneId), Lane>> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One look at some lanes.
#[derive(Debug)]
pub(crate) struct Look {
    pub(crate) took: Duration,
    pub(crate) tasks: u32,
    /// A test wants to see it so.
    pub(crate) counts_as_slow: bool,
    pub(crate) lanes: Vec<LookAtLane>,
}

#[derive(Debug)]
pub(crate) struct LookAtLane {
    pub(crate) lane: LaneId,
    /// Where the look began.
    pub(crate) begun: Cursor,
    /// The last task that it took, if any.
    pub(crate) ended: Option<Cursor>,
}

#[cfg(test)]
mod tests {
    use super::*;

    const LANE: LaneId = LaneId(1);

    fn after(seconds: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_secs(seconds)
    }

    fn place(rank: i64) -> Cursor {
        Cursor {
            rank,
            task: Uuid::nil(),
        }
    }

    /// A look from wherever the lane's cursor is, which takes one task; where it began.
    fn look(cursors: &LaneCursors, took: Duration, ended: i64, now: Timestamp) -> Cursor {
        let begun = cursors.of(0, [LANE].into_iter(), now)[0];
        let look = Look {
            took,
            tasks: 1,
            counts_as_slow: false,
            lanes: vec![LookAtLane {
                lane: LANE,
                begun,
                ended: Some(place(ended)),
            }],
        };
        cursors.looked(0, &look, now);
        begun
    }

    #[test]
    fn after_many_slow_looks_a_look_begins_where_the_last_one_ended() {
        let cursors = LaneCursors::default();
        for _ in 0..SLOW_IN_A_ROW {
            assert_eq!(look(&cursors, SLOW * 2, 7, after(0)), Cursor::BEGINNING);
        }
        assert_eq!(look(&cursors, Duration::ZERO, 8, after(0)), place(7));
        assert_eq!(look(&cursors, Duration::ZERO, 9, after(0)), place(8));
    }

    #[test]
    fn a_few_slow_looks_are_forgotten_after_a_quick_one() {
        let cursors = LaneCursors::default();
        for _ in 0..3 {
            for _ in 1..SLOW_IN_A_ROW {
                look(&cursors, SLOW * 2, 7, after(0));
            }
            look(&cursors, Duration::ZERO, 7, after(0));
        }
        assert!(cursors.lock().is_empty());
    }

    #[test]
    fn once_a_second_a_look_begins_at_the_beginning_and_when_that_is_quick_all_do() {
        let cursors = LaneCursors::default();
        for _ in 0..SLOW_IN_A_ROW {
            look(&cursors, SLOW * 2, 7, after(0));
        }
        for second in 1..=3 {
            let quick = look(&cursors, Duration::ZERO, 3, after(second));
            assert_eq!(quick, Cursor::BEGINNING);
        }
        assert_eq!(
            look(&cursors, Duration::ZERO, 3, after(3)),
            Cursor::BEGINNING
        );
        assert!(cursors.lock().is_empty());
    }
}
