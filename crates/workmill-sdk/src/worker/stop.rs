//! Stopping a worker: first it drains, then it lets go.

use std::sync::Arc;

use tokio::sync::watch;

/// Stops a worker from outside; clones stop the same one.
#[derive(Debug, Clone)]
pub struct Stop {
    wish: Arc<watch::Sender<Wish>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Wish {
    Work,
    Drain,
    Release,
}

impl Default for Stop {
    fn default() -> Self {
        Stop {
            wish: Arc::new(watch::Sender::new(Wish::Work)),
        }
    }
}

impl Stop {
    /// Nothing new is claimed; what runs is finished.
    pub fn drain(&self) {
        self.at_least(Wish::Drain);
    }

    /// What runs is cancelled and given back, so that others can do it at once.
    pub fn release(&self) {
        self.at_least(Wish::Release);
    }

    /// The next step: drain, and when asked again release. Answers whether it is that.
    pub fn further(&self) -> bool {
        let is_draining = self.is_draining();
        self.at_least(if is_draining {
            Wish::Release
        } else {
            Wish::Drain
        });
        is_draining
    }

    pub(super) fn is_draining(&self) -> bool {
        *self.wish.borrow() >= Wish::Drain
    }

    /// Returns when nothing new is to be claimed.
    pub(super) async fn drained(&self) {
        self.reached(Wish::Drain).await;
    }

    /// Returns when everything is to be given back.
    pub(super) async fn released(&self) {
        self.reached(Wish::Release).await;
    }

    fn at_least(&self, wish: Wish) {
        self.wish.send_if_modified(|now| {
            let is_more = wish > *now;
            *now = (*now).max(wish);
            is_more
        });
    }

    async fn reached(&self, wish: Wish) {
        let mut wishes = self.wish.subscribe();
        // The sender lives as long as this.
        let _ = wishes.wait_for(|now| *now >= wish).await;
    }
}
