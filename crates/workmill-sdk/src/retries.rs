//! Repeating calls that may succeed later.

use std::time::{Duration, Instant};

use rand::RngExt;
use reqwest::header::{HeaderMap, RETRY_AFTER};

use crate::error::ClientError;

/// The first pause; each is twice as long as the one before.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// An attempt that went wrong, and how long the server wants to be left alone.
#[derive(Debug)]
pub(crate) struct Attempt {
    pub(crate) error: ClientError,
    pub(crate) wait: Option<Duration>,
}

impl From<ClientError> for Attempt {
    fn from(error: ClientError) -> Self {
        Attempt { error, wait: None }
    }
}

/// How long a call is repeated.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience(pub(crate) Duration);

impl Default for Patience {
    fn default() -> Self {
        Patience(Duration::from_secs(30))
    }
}

/// When a call is sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// Also when its reply was lost: doing it twice is doing it once.
    Always,
    /// Only while it is certain that nothing was done.
    IfNotDone,
}

impl Patience {
    /// Calls until there is an answer that a repetition cannot change, or until the next pause would
    /// last too long.
    pub(crate) async fn repeat<T, Answer>(
        self,
        repeat: Repeat,
        call: impl Fn() -> Answer,
    ) -> Result<T, ClientError>
    where
        Answer: Future<Output = Result<T, Attempt>>,
    {
        let begun = Instant::now();
        let mut pause = FIRST_PAUSE;
        loop {
            let Attempt { error, wait } = match call().await {
                Ok(answer) => return Ok(answer),
                Err(attempt) => attempt,
            };
            let pause_now = wait.unwrap_or_default().max(jittered(pause));
            let is_safe = match repeat {
                Repeat::Always => true,
                Repeat::IfNotDone => !error.may_have_been_done(),
            };
            if !error.may_pass() || !is_safe || begun.elapsed() + pause_now >= self.0 {
                return Err(error);
            }
            tokio::time::sleep(pause_now).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }
}

/// Between half of it and all of it, so that those who were turned away together do not come back
/// together.
fn jittered(pause: Duration) -> Duration {
    pause.mul_f64(rand::rng().random_range(0.5..=1.0))
}

/// In seconds; the date that the header may carry instead is nothing that Workmill sends.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.parse().ok()?;
    Some(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use workmill_protocol::error::{ErrorCode, Problem};

    use super::*;

    fn refused(code: ErrorCode, wait: Option<Duration>) -> Attempt {
        let problem = Problem::new(code, "for a test");
        let error = ClientError::Refused(Box::new(problem));
        Attempt { error, wait }
    }

    /// How often it was called, and how long it took.
    async fn calls(patience: Duration, code: ErrorCode, wait: Option<Duration>) -> (u32, Duration) {
        let (made, begun) = (Cell::new(0), tokio::time::Instant::now());
        let answer: Result<(), _> = Patience(patience)
            .repeat(Repeat::Always, async || {
                made.set(made.get() + 1);
                Err(refused(code, wait))
            })
            .await;
        assert!(answer.is_err());
        (made.get(), begun.elapsed())
    }

    /// What is done twice when it is said twice is said again only if nothing was done.
    #[tokio::test]
    async fn a_call_that_is_not_idempotent_is_not_sent_again_after_a_lost_reply() {
        for (code, calls) in [(ErrorCode::UnknownOutcome, 1), (ErrorCode::Overloaded, 2)] {
            let made = Cell::new(0);
            let answer: Result<(), _> = Patience(Duration::from_secs(30))
                .repeat(Repeat::IfNotDone, async || {
                    made.set(made.get() + 1);
                    let code = if made.get() == 1 {
                        code
                    } else {
                        ErrorCode::Invalid
                    };
                    Err(refused(code, None))
                })
                .await;
            assert!(answer.is_err());
            assert_eq!(made.get(), calls, "{code:?}");
        }
    }

    #[tokio::test]
    async fn what_a_repetition_cannot_change_is_said_once() {
        let (calls, _) = calls(Duration::from_secs(30), ErrorCode::Invalid, None).await;
        assert_eq!(calls, 1);
    }

    #[tokio::test]
    async fn without_patience_nothing_is_repeated() {
        let (calls, _) = calls(Duration::ZERO, ErrorCode::Overloaded, None).await;
        assert_eq!(calls, 1);
    }

    #[tokio::test]
    async fn a_busy_server_is_asked_again_less_and_less_often_for_as_long_as_there_is_patience() {
        let patience = Duration::from_millis(500);
        let (calls, took) = calls(patience, ErrorCode::Overloaded, None).await;
        // Pauses of at most 50, 100, 200 ms, and one more that fits if they were short.
        assert!((3..=7).contains(&calls), "{calls}");
        assert!(took < patience, "{took:?}");
    }

    #[tokio::test]
    async fn who_is_told_when_to_come_back_comes_back_then_or_gives_up() {
        let wait = Some(Duration::from_millis(300));
        let patience = Duration::from_millis(500);
        let (calls, took) = calls(patience, ErrorCode::Overloaded, wait).await;
        assert_eq!(calls, 2);
        assert!(took >= Duration::from_millis(300), "{took:?}");
    }
}
