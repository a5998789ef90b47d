//! The order in which the statements of a transaction are sent: that in which they took their places.

use std::future::poll_fn;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

#[derive(Debug, Default)]
pub(crate) struct SendingOrder {
    line: Mutex<Line>,
}

#[derive(Debug, Default)]
struct Line {
    /// The number that the next statement gets.
    next: u64,
    /// The statements that are not sent yet. The first of them may go.
    waiting: Vec<Waiting>,
    /// The commit was sent: no statement may follow.
    is_closed: bool,
}

#[derive(Debug)]
struct Waiting {
    number: u64,
    waker: Option<Waker>,
}

impl SendingOrder {
    /// Takes the place behind all that are taken already.
    pub(crate) fn take_place(&self) -> Place<'_> {
        self.must_be_open();
        let mut line = self.line();
        let number = line.next;
        line.next += 1;
        let waker = None;
        line.waiting.push(Waiting { number, waker });
        Place {
            order: self,
            number,
        }
    }

    /// Lets no further statement be sent.
    pub(crate) fn close(&self) {
        self.line().is_closed = true;
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.line().is_closed
    }

    pub(crate) fn must_be_open(&self) {
        assert!(
            !self.is_closed(),
            "a statement comes after the commit of its transaction"
        );
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The place of a statement that is not sent yet. Dropping it lets the next statement go.
#[derive(Debug)]
pub(crate) struct Place<'a> {
    order: &'a SendingOrder,
    number: u64,
}

impl Place<'_> {
    /// Returns when all statements before this one were sent or given up. The caller must send its
    /// statement in the same poll.
    pub(crate) async fn turn(self) {
        poll_fn(|context| {
            let mut line = self.order.line();
            let first = line.waiting.first();
            if first.is_some_and(|first| first.number == self.number) {
                return Poll::Ready(());
            }
            let mut waiting = line.waiting.iter_mut();
            if let Some(own) = waiting.find(|one| one.number == self.number) {
                own.waker = Some(context.waker().clone());
            }
            Poll::Pending
        })
        .await;
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut line = self.order.line();
        line.waiting.retain(|one| one.number != self.number);
        let first = line.waiting.first_mut();
        if let Some(waker) = first.and_then(|first| first.waker.take()) {
            waker.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures_util::FutureExt;
    use futures_util::future::poll_immediate;

    use super::*;

    #[test]
    fn a_statement_waits_for_one_before_it_that_is_still_being_prepared() {
        let order = SendingOrder::default();
        let (first, second) = (order.take_place(), order.take_place());
        let mut turn = pin!(second.turn());
        assert_eq!(poll_immediate(&mut turn).now_or_never(), Some(None));
        assert_eq!(first.turn().now_or_never(), Some(()));
        assert_eq!(turn.now_or_never(), Some(()));
    }

    #[test]
    fn a_statement_that_is_given_up_holds_none_back() {
        let order = SendingOrder::default();
        let (first, second) = (order.take_place(), order.take_place());
        drop(first);
        assert_eq!(second.turn().now_or_never(), Some(()));
    }

    #[test]
    #[should_panic(expected = "after the commit")]
    fn a_statement_after_the_commit_is_refused() {
        let order = SendingOrder::default();
        order.close();
        drop(order.take_place());
    }
}
