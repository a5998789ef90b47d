//! A client that repeats what it got no answer to, at whichever engine is there.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::{Semaphore, watch};
use workmill_testkit::chance::Chance;
use workmill_testkit::history::History;

use super::acknowledged::Acknowledged;
use super::engines::{Engines, Silence};
use super::wire::{Answer, Call};
use super::{NOBODY_PANICKED, Shared};

/// A client's pause before it asks again.
const PAUSE: Duration = Duration::from_millis(20);

/// What all clients share.
pub struct Stage {
    pub engines: Engines,
    pub history: History,
    pub acknowledged: Shared<Acknowledged>,
    /// How many answers were heard.
    pub answers: watch::Sender<u64>,
    /// Agents that found too little to do: a permit for each, and a submission for each permit.
    /// Closed when nothing more is to be submitted.
    pub hunger: Semaphore,
    /// Everybody goes home.
    pub is_over: AtomicBool,
}

impl Stage {
    pub fn new(engines: Engines) -> Stage {
        Stage {
            engines,
            history: History::default(),
            acknowledged: Shared::default(),
            answers: watch::Sender::new(0),
            hunger: Semaphore::new(0),
            is_over: AtomicBool::new(false),
        }
    }

    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }

    /// Writes down what a client was told.
    pub fn note<T>(&self, write: impl FnOnce(&mut Acknowledged) -> T) -> T {
        write(&mut self.acknowledged.lock().expect(NOBODY_PANICKED))
    }
}

pub struct Client {
    pub stage: Arc<Stage>,
    pub chance: Chance,
}

/// An answer, and how it came about.
pub struct Told {
    pub answer: Answer,
    /// A moment of the history, before the first time of asking.
    pub asked: u64,
    /// An earlier answer was lost, so the call may have been done before it was repeated.
    pub was_in_doubt: bool,
    pub asked_at: Timestamp,
    pub last_asked_at: Timestamp,
}

impl Client {
    pub async fn ask(&mut self, call: Call) -> Told {
        let stage = Arc::clone(&self.stage);
        let asked = stage.history.moment();
        let asked_at = Timestamp::now();
        let mut was_in_doubt = false;
        loop {
            let place = self.chance.place(stage.engines.many());
            let last_asked_at = Timestamp::now();
            match stage.engines.call(place, &call).await {
                Err(Silence::NotAsked) | Ok(Answer::Unavailable) => {}
                Err(Silence::Lost) => {
                    was_in_doubt = true;
                    stage.note(|told| told.doubts.lost += 1);
                }
                Ok(Answer::Unknown) => {
                    was_in_doubt = true;
                    stage.note(|told| told.doubts.unknown += 1);
                }
                Ok(answer) => {
                    stage.answers.send_modify(|many| *many += 1);
                    return Told {
                        answer,
                        asked,
                        was_in_doubt,
                        asked_at,
                        last_asked_at,
                    };
                }
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Something that cannot be was answered.
    pub fn wonder(&self, call: &str, told: &Told) {
        let strange = format!("{call} was answered: {:?}", told.answer);
        self.stage.note(|told| told.strange.push(strange));
    }
}
