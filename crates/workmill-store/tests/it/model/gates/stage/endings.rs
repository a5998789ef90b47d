//! How attempts end, and who comes back after that.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};
use serde_json::value::to_raw_value;
use workmill_core::failure::Reason;
use workmill_core::gate::Gate;
use workmill_core::ids::LeaseId;
use workmill_store::execution::{Beat, Heartbeat};
use workmill_store::settlement::resume::ResumeLease;
use workmill_store::settlement::{Ending, Refusal, Settle, Settled, Settlement, Settler, Spent};

use super::super::step::{End, Pick};
use super::super::world::{Fate, Life, Verdict};
use super::{Stage, chosen};
use crate::actors::KEY;

/// The lease of the `task` profile.
const LEASE_SECONDS: i64 = 600;

impl Stage<'_> {
    async fn settle(&self, settlements: &[Settlement]) -> Result<Vec<Result<Settled, Refusal>>> {
        let operation = Settle {
            ns: self.ns,
            settlements,
        };
        Ok(self.store.run(&operation).await?.0)
    }

    /// An attempt that is alive ends. One whose agent has said so is told of again in the same
    /// words, which changes nothing. One that was lost has its last word, and a result after it.
    pub(super) async fn end(&mut self, pick: Pick, end: End, cost: i64) -> Result<()> {
        let all: Vec<usize> = (0..self.world.attempts.len()).collect();
        let alive = all.iter().copied();
        let alive = alive.filter(|number| self.world.attempts[*number].fate == Fate::Alive);
        let alive: Vec<usize> = alive.collect();
        let is_about_one_alive = !pick.is_multiple_of(3) && !alive.is_empty();
        let among = if is_about_one_alive { &alive } else { &all };
        match chosen(among, pick) {
            Some(number) => self.end_attempt(number, end, cost).await,
            None => Ok(()),
        }
    }

    async fn end_attempt(&mut self, number: usize, end: End, cost: i64) -> Result<()> {
        let attempt = self.world.attempts[number].clone();
        let is_over = self.world.tasks[attempt.place].life == Life::Over;
        if is_over && matches!(attempt.fate, Fate::Said(End::Fail, _)) {
            // Said again of what was cancelled, it counts as something that came late.
            return Ok(());
        }
        let (end, cost) = match attempt.fate {
            Fate::Said(end, cost) => (end, cost),
            Fate::Lost | Fate::SaidLate(..) if end == End::Release => (End::Complete, cost),
            _ => (end, cost),
        };
        let freed: BTreeSet<Gate> = self.freed_by(number);
        let before = self.rows.gated.clone();
        let settlement = self.settlement(number, end, cost)?;
        let answer = self.settle(&[settlement]).await?.remove(0);
        let known = &mut self.world.tasks[attempt.place];
        let is_cancelled = known.life == Life::Over;
        match attempt.fate {
            Fate::Alive => {
                known.life = match end {
                    End::Complete => Life::Over,
                    End::Release | End::Fail if is_cancelled => Life::Over,
                    End::Release | End::Fail => Life::Ready,
                };
                self.world.pay(number, cost);
                self.world.give_back(number, Fate::Said(end, cost));
            }
            // A result is heard even after the same agent has said that it failed.
            Fate::Lost | Fate::SaidLate(End::Fail, _)
                if attempt.fate == Fate::Lost || end == End::Complete =>
            {
                let may_count = known.life == Life::Ready && known.epoch == attempt.epoch;
                let is_accepted = may_count && end == End::Complete;
                ensure!(
                    answer.is_ok() == is_accepted,
                    "a late {end:?} is answered {answer:?}"
                );
                if is_accepted {
                    known.life = Life::Over;
                }
                let told = match attempt.fate {
                    Fate::SaidLate(_, told) => told,
                    _ => 0,
                };
                self.world.attempts[number].fate = Fate::SaidLate(end, told.max(cost));
                self.world.pay(number, (cost - told).max(0));
            }
            Fate::Lost | Fate::Said(..) | Fate::SaidLate(..) => {}
        }
        self.look().await?;
        self.next_is_let_in(&before, &freed)
    }

    fn settlement(&self, number: usize, end: End, cost: i64) -> Result<Settlement> {
        let ending = match end {
            End::Complete => Ending::Complete {
                output: to_raw_value(&number)?,
                artifacts: Vec::new(),
            },
            End::Release => Ending::Release,
            End::Fail => Ending::Fail {
                reason: Reason::Network,
                message: "it broke".to_owned(),
                details: None,
                retry_after_ms: None,
            },
        };
        Ok(Settlement {
            settler: Settler::Key(KEY),
            lease: self.lease(number),
            ending,
            spent: crate::gates::spent(cost),
            random: 0.5,
        })
    }

    /// The gates that an attempt gives something back to.
    fn freed_by(&self, number: usize) -> BTreeSet<Gate> {
        let attempt = &self.world.attempts[number];
        let roots = attempt.locks.iter().map(|lock| lock.root().to_owned());
        let gates = attempt.holds.keys().cloned();
        gates.chain(roots.map(Gate::Locks)).collect()
    }

    /// Everybody shows signs of life but the agents of these attempts. What nobody holds any more
    /// is given back, whatever its task has become.
    pub(super) async fn lose(&mut self, picks: &[Pick]) -> Result<()> {
        let alive = (0..self.world.attempts.len())
            .filter(|number| self.world.attempts[*number].fate == Fate::Alive);
        let alive: Vec<usize> = alive.collect();
        let lost: BTreeSet<usize> = picks
            .iter()
            .filter_map(|pick| chosen(&alive, *pick))
            .collect();
        self.pass(LEASE_SECONDS / 2);
        let beats: Vec<Beat> = alive
            .iter()
            .filter(|number| !lost.contains(number))
            .map(|number| Beat {
                key: KEY,
                lease: self.lease(*number),
                progress: None,
                checkpoint: None,
                usage: None,
            })
            .collect();
        let operation = Heartbeat {
            ns: self.ns,
            beats: &beats,
        };
        self.store.run(&operation).await?;
        self.pass(LEASE_SECONDS / 2 + 1);
        let leases = self.find_lost().await?;
        let settlements: Vec<Settlement> = leases
            .iter()
            .map(|lease| Settlement {
                settler: Settler::Upkeep,
                lease: *lease,
                ending: Ending::Expire,
                spent: Spent::default(),
                random: 0.5,
            })
            .collect();
        let before = self.rows.gated.clone();
        let answers = self.settle(&settlements).await?;
        ensure!(answers.iter().all(Result::is_ok), "{answers:?}");
        let mut freed = BTreeSet::new();
        for number in alive {
            if !leases.contains(&self.lease(number)) {
                ensure!(!lost.contains(&number), "attempt {number} lives for ever");
                continue;
            }
            freed.extend(self.freed_by(number));
            let place = self.world.attempts[number].place;
            let known = &mut self.world.tasks[place];
            if known.life == Life::Running {
                known.life = Life::Ready;
            }
            self.world.give_back(number, Fate::Lost);
        }
        self.look().await?;
        self.next_is_let_in(&before, &freed)
    }

    async fn find_lost(&self) -> Result<BTreeSet<LeaseId>> {
        let now = self.clock.now();
        let mut lost = self.store.find_lost_leases(now, 1_000_000).await?;
        let lost = lost.remove(&self.ns).unwrap_or_default();
        Ok(lost.into_iter().collect())
    }

    /// A lost attempt is taken up again if nobody has claimed its task since, and if gates let it
    /// pass: what it had is given back, and may be taken.
    pub(super) async fn resume(&mut self, pick: Pick) -> Result<()> {
        // Who has had its last word is not heard again, should it be lost once more.
        let lost = (0..self.world.attempts.len())
            .filter(|number| self.world.attempts[*number].fate == Fate::Lost);
        let Some(number) = chosen(&lost.collect::<Vec<_>>(), pick) else {
            return Ok(());
        };
        let attempt = self.world.attempts[number].clone();
        let (known, now) = (&self.world.tasks[attempt.place], self.clock.now());
        let is_free = known.life == Life::Ready && known.epoch == attempt.epoch;
        if is_free {
            self.world.begin_day(now);
        }
        let verdict = self.world.judge(attempt.place, attempt.agent, now);
        let operation = ResumeLease {
            ns: self.ns,
            key: KEY,
            lease: self.lease(number),
        };
        let answer = self.store.run(&operation).await?.0;
        let may_go_on = is_free && verdict == Verdict::Passes;
        ensure!(
            answer.is_ok() == may_go_on,
            "{number} comes back, which is {verdict:?}: {answer:?}"
        );
        if may_go_on {
            let (place, epoch, agent) = (attempt.place, attempt.epoch, attempt.agent);
            self.world.take(place, epoch, agent, now);
        }
        Ok(())
    }

    pub(super) async fn complete_all(&mut self) -> Result<()> {
        for number in 0..self.world.attempts.len() {
            if self.world.attempts[number].fate == Fate::Alive {
                self.end_attempt(number, End::Complete, 1).await?;
            }
        }
        Ok(())
    }
}
