//! Why a call did not go.

use thiserror::Error;
use workmill_protocol::error::{ErrorCode, Problem};

#[derive(Debug, Error)]
pub enum ClientError {
    /// The server refused, and says why.
    #[error("{0}")]
    Refused(Box<Problem>),
    #[error("no Workmill server answers at {url}")]
    Unreachable {
        url: String,
        #[source]
        source: reqwest::Error,
    },
    /// Something answered, but not as a Workmill server does.
    #[error("{url} answered {status} with something that is not Workmill's")]
    NotWorkmill { url: String, status: u16 },
    #[error("`{0}` is not the address of a server")]
    BadAddress(String),
    #[error(
        "the address of the server must not contain a user or a password; it is {0} without them, \
         and the key is a token of its own"
    )]
    CredentialsInAddress(String),
}

impl ClientError {
    /// Whether the same call may succeed later.
    pub fn may_pass(&self) -> bool {
        match self {
            ClientError::Unreachable { .. } => true,
            ClientError::Refused(problem) => problem.retryable,
            // A proxy speaks for a server that is away.
            ClientError::NotWorkmill { status, .. } => *status >= 500,
            ClientError::BadAddress(_) | ClientError::CredentialsInAddress(_) => false,
        }
    }

    /// Whether the server may have done what was asked although it did not say so.
    pub fn may_have_been_done(&self) -> bool {
        match self {
            ClientError::Unreachable { source, .. } => !source.is_connect(),
            ClientError::Refused(problem) => matches!(
                problem.code,
                ErrorCode::UnknownOutcome | ErrorCode::Timeout | ErrorCode::Internal
            ),
            // A proxy does not know.
            ClientError::NotWorkmill { status, .. } => *status >= 500,
            ClientError::BadAddress(_) | ClientError::CredentialsInAddress(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_may_pass_is_worth_a_repetition() {
        let refused = |code| ClientError::Refused(Box::new(Problem::new(code, "for a test")));
        let answered = |status| ClientError::NotWorkmill {
            url: String::new(),
            status,
        };
        for passing in [
            refused(ErrorCode::Unavailable),
            refused(ErrorCode::UnknownOutcome),
            answered(502),
        ] {
            assert!(passing.may_pass(), "{passing}");
        }
        for lasting in [
            refused(ErrorCode::Forbidden),
            refused(ErrorCode::LeaseLost),
            answered(200),
        ] {
            assert!(!lasting.may_pass(), "{lasting}");
        }
    }
}
