//! Looking through everything, a page at a turn; and duties that skip turns.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

/// Turns from the beginning of a round to that of the next one, at least: where there is little to
/// look through, it is not looked through again and again.
const LEAST_TURNS: u32 = 60;

/// How far a duty has come; it goes on from there at its next turn.
#[derive(Debug)]
pub struct Round<P>(Mutex<Progress<P>>);

#[derive(Debug)]
struct Progress<P> {
    /// None at the end of a round.
    place: Option<P>,
    turns: u32,
}

impl<P> Default for Round<P> {
    fn default() -> Self {
        Round(Mutex::new(Progress {
            place: None,
            turns: LEAST_TURNS,
        }))
    }
}

impl<P> Round<P> {
    /// Where to go on at this turn; nowhere while it rests.
    pub(super) fn turn(&self, first: P) -> Option<P> {
        let mut progress = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        progress.turns = progress.turns.saturating_add(1);
        if let Some(place) = progress.place.take() {
            return Some(place);
        }
        if progress.turns <= LEAST_TURNS {
            return None;
        }
        progress.turns = 1;
        Some(first)
    }

    /// Where the next page begins; none at the end. A turn that fails begins anew.
    pub(super) fn went(&self, next: Option<P>) {
        let mut progress = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        progress.place = next;
    }
}

/// Lets a duty run at the first turn, and then at one turn in `TURNS`.
#[derive(Debug, Default)]
pub struct EveryFew<const TURNS: u32>(AtomicU32);

impl<const TURNS: u32> EveryFew<TURNS> {
    /// Counts a turn. Returns whether the duty runs at it.
    pub fn is_due(&self) -> bool {
        let turn = self.0.fetch_add(1, Ordering::Relaxed);
        turn.is_multiple_of(TURNS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duty_that_skips_turns_runs_at_the_first_and_then_at_one_in_three() {
        let turns = EveryFew::<3>::default();
        let ran: Vec<bool> = (0..7).map(|_| turns.is_due()).collect();
        assert_eq!(ran, [true, false, false, true, false, false, true]);
    }

    #[test]
    fn it_goes_on_page_by_page_and_rests_at_the_end() {
        let round = Round::default();
        assert_eq!(round.turn(0), Some(0));
        round.went(Some(1));
        assert_eq!(round.turn(0), Some(1));
        round.went(None);
        for turn in 3..=LEAST_TURNS {
            assert_eq!(round.turn(0), None, "{turn}");
        }
        assert_eq!(round.turn(0), Some(0));
        for page in 1..=2 * LEAST_TURNS {
            round.went(Some(page));
            assert_eq!(round.turn(0), Some(page));
        }
        round.went(None);
        assert_eq!(round.turn(0), Some(0), "it took longer than it has to");
    }
}
