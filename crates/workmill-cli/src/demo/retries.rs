//! Waiting for a server that is away for a moment.

use std::time::Duration;

use workmill_protocol::error::ErrorCode;
use workmill_sdk::ClientError;

pub(super) const PAUSE: Duration = Duration::from_millis(300);

/// Repeats a call until the server answers. What a repetition cannot change is handed back.
pub(super) async fn until_answered<T, Answer>(call: impl Fn() -> Answer) -> Result<T, ClientError>
where
    Answer: Future<Output = Result<T, ClientError>>,
{
    loop {
        match call().await {
            Err(error) if error.may_pass() => tokio::time::sleep(PAUSE).await,
            answer => return answer,
        }
    }
}

/// Whether the right to work on the task is gone: somebody else has it, or decided.
pub(super) fn is_lost(error: &ClientError) -> bool {
    let ClientError::Refused(problem) = error else {
        return false;
    };
    matches!(
        problem.code,
        ErrorCode::LeaseLost
            | ErrorCode::IllegalTransition
            | ErrorCode::Conflict
            | ErrorCode::NotFound
    )
}

#[cfg(test)]
mod tests {
    use workmill_protocol::error::Problem;

    use super::*;

    fn refused(code: ErrorCode) -> ClientError {
        ClientError::Refused(Box::new(Problem::new(code, "for a test")))
    }

    #[tokio::test]
    async fn a_refusal_for_good_is_handed_back() {
        let answer = until_answered(|| async { Err::<(), _>(refused(ErrorCode::LeaseLost)) }).await;
        assert!(is_lost(&answer.unwrap_err()));
    }
}
