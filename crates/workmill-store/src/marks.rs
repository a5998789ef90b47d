//! Where claims begin to look in a lane whose head is littered.
//!
//! While somebody keeps a snapshot open, tasks that have left a lane are still in its index, and
//! every claim passes over all of them. So, while looking is measurably slow, a claim begins
//! where the last one ended. Work may have come in before that place since; hence a look from
//! the beginning at least once a second, and always before the answer is "nothing".
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
pub(crate) struct Mark {
    pub(crate) rank: i64,
    pub(crate) task: Uuid,
}

impl Mark {
    /// Before everything.
    pub(crate) const BEGINNING: Mark = Mark {
        rank: i64::MIN,
        task: Uuid::nil(),
    };
}

/// How long work that came in before a mark may be overlooked.
const LONGEST: SignedDuration = SignedDuration::from_secs(1);

/// A look that takes longer than this, and this for each task, is slow.
const SLOW: Duration = Duration::from_millis(2);
const SLOW_FOR_EACH: Duration = Duration::from_micros(40);

/// So many slow looks in a row are no coincidence.
const SLOW_IN_A_ROW: u32 = 16;

#[derive(Debug, Default)]
pub(crate) struct Marks {
    lanes: Mutex<HashMap<(i64, LaneId), Lane>>,
}

#[derive(Debug, Clone, Copy)]
struct Lane {
    /// Where the last claim ended, once the lane is slow.
    mark: Option<Mark>,
    slow_in_a_row: u32,
    looked_from_the_beginning_at: Timestamp,
}

impl Marks {
    /// Where to begin in each of the lanes.
    pub(crate) fn of(&self, ns: i64, lanes: &[(LaneId, i64)], now: Timestamp) -> Vec<Mark> {
        let known = self.lock();
        let mark = |lane: &LaneId| {
            let lane = known.get(&(ns, *lane))?;
            let age = now.duration_since(lane.looked_from_the_beginning_at);
            lane.mark.filter(|_| age < LONGEST)
        };
        lanes
            .iter()
            .map(|(lane, _)| mark(lane).unwrap_or(Mark::BEGINNING))
            .collect()
    }

    /// Remembers a look from `begun`, which took tasks up to `ended`.
    pub(crate) fn looked(&self, ns: i64, look: &Look, now: Timestamp) {
        let is_slow = look.counts_as_slow || look.took > SLOW + SLOW_FOR_EACH * look.tasks;
        let mut known = self.lock();
        if !is_slow && known.is_empty() {
            return;
        }
        for (lane, begun, ended) in &look.lanes {
            let is_from_the_beginning = *begun == Mark::BEGINNING;
            let Some(ended) = ended else { continue };
            if is_from_the_beginning && !is_slow {
                known.remove(&(ns, *lane));
                continue;
            }
            let lane = known.entry((ns, *lane)).or_insert(Lane {
                mark: None,
                slow_in_a_row: 0,
                looked_from_the_beginning_at: now,
            });
            if is_from_the_beginning {
                lane.slow_in_a_row += 1;
                lane.looked_from_the_beginning_at = now;
            }
            if lane.slow_in_a_row >= SLOW_IN_A_ROW || look.counts_as_slow {
                lane.mark = Some(*ended);
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
    /// Where it began in each lane, and the last task that it took there, if any.
    pub(crate) lanes: Vec<(LaneId, Mark, Option<Mark>)>,
}
