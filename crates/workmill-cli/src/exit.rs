//! Exit codes: a contract with scripts, and the one place that knows which error is which.

use std::fmt;
use std::process::ExitCode;

use workmill_local_postgres::LocalPostgresError;
use workmill_protocol::error::ErrorCode;
use workmill_sdk::ClientError;
use workmill_store::StoreError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    Done = 0,
    Error = 1,
    NothingToClaim = 2,
    NotFound = 3,
    NotAllowed = 4,
    /// A conflict, or the lease is lost.
    Conflict = 5,
    InvalidInput = 6,
    Limit = 7,
    /// The server or the database cannot be reached.
    Unreachable = 8,
    Usage = 64,
    TimedOut = 124,
    Interrupted = 130,
}

/// Something that this program itself refuses, or that it says in its own words.
#[derive(Debug)]
struct Refusal {
    exit: Exit,
    message: String,
    /// What the server answered; the message says all of it that people need.
    answer: Option<ClientError>,
}

impl Exit {
    /// The first error of the chain that has a code decides.
    pub(crate) fn of(error: &anyhow::Error) -> Exit {
        error.chain().find_map(of_cause).unwrap_or(Exit::Error)
    }

    /// For programs that read errors as JSON.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Exit::Done => "done",
            Exit::Error => "error",
            Exit::NothingToClaim => "nothing_to_claim",
            Exit::NotFound => "not_found",
            Exit::NotAllowed => "not_allowed",
            Exit::Conflict => "conflict",
            Exit::InvalidInput => "invalid_input",
            Exit::Limit => "limit",
            Exit::Unreachable => "unreachable",
            Exit::Usage => "usage",
            Exit::TimedOut => "timed_out",
            Exit::Interrupted => "interrupted",
        }
    }

    pub(crate) fn because(self, message: impl Into<String>) -> anyhow::Error {
        anyhow::Error::new(Refusal {
            exit: self,
            message: message.into(),
            answer: None,
        })
    }

    /// Says in other words what the server refused. Programs still get the server's answer.
    pub(crate) fn instead_of(
        self,
        answer: ClientError,
        message: impl Into<String>,
    ) -> anyhow::Error {
        anyhow::Error::new(Refusal {
            exit: self,
            message: message.into(),
            answer: Some(answer),
        })
    }
}

/// Returns whether this error says everything: those behind it are for programs.
pub(crate) fn says_everything(cause: &(dyn std::error::Error + 'static)) -> bool {
    cause
        .downcast_ref::<Refusal>()
        .is_some_and(|refusal| refusal.answer.is_some())
}

fn of_cause(cause: &(dyn std::error::Error + 'static)) -> Option<Exit> {
    if let Some(refusal) = cause.downcast_ref::<Refusal>() {
        return Some(refusal.exit);
    }
    if let Some(error) = cause.downcast_ref::<ClientError>() {
        return Some(of_client(error));
    }
    if let Some(error) = cause.downcast_ref::<StoreError>() {
        return Some(of_store(error));
    }
    cause.is::<LocalPostgresError>().then_some(Exit::Error)
}

fn of_client(error: &ClientError) -> Exit {
    match error {
        ClientError::Refused(problem) => of_problem(problem.code),
        ClientError::Unreachable { source, .. } if source.is_timeout() && !source.is_connect() => {
            Exit::TimedOut
        }
        ClientError::Unreachable { .. } | ClientError::NotWorkmill { .. } => Exit::Unreachable,
        ClientError::BadAddress(_) | ClientError::CredentialsInAddress(_) => Exit::Usage,
    }
}

fn of_problem(code: ErrorCode) -> Exit {
    match code {
        ErrorCode::Invalid | ErrorCode::Cycle => Exit::InvalidInput,
        ErrorCode::Unauthorized | ErrorCode::Forbidden | ErrorCode::WrongHost => Exit::NotAllowed,
        ErrorCode::NotFound => Exit::NotFound,
        ErrorCode::LeaseLost
        | ErrorCode::IllegalTransition
        | ErrorCode::Conflict
        | ErrorCode::PreconditionFailed => Exit::Conflict,
        ErrorCode::TooLarge | ErrorCode::LimitReached | ErrorCode::RateLimited => Exit::Limit,
        ErrorCode::Timeout | ErrorCode::BodyTooSlow => Exit::TimedOut,
        ErrorCode::Overloaded | ErrorCode::Unavailable | ErrorCode::UnknownOutcome => {
            Exit::Unreachable
        }
        ErrorCode::MethodNotAllowed | ErrorCode::Internal => Exit::Error,
    }
}

fn of_store(error: &StoreError) -> Exit {
    match error {
        StoreError::Overtaken
        | StoreError::Unavailable { .. }
        | StoreError::UnknownOutcome { .. }
        | StoreError::ClaimsUnderWay => Exit::Unreachable,
        StoreError::Settings(_) => Exit::Usage,
        StoreError::Unfit(unfit) if unfit.is_about_the_login() => Exit::Unreachable,
        StoreError::TooManyLanes { .. } => Exit::Limit,
        StoreError::Refused { .. }
        | StoreError::Corrupt(_)
        | StoreError::Unfit(_)
        | StoreError::Schema(_) => Exit::Error,
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let answer = self.answer.as_ref();
        answer.map(|answer| answer as &(dyn std::error::Error + 'static))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;
    use workmill_protocol::error::Problem;

    #[test]
    fn an_error_keeps_its_code_below_any_context() {
        let problem = Problem::new(ErrorCode::LeaseLost, "gone");
        let error = Err::<(), _>(ClientError::Refused(Box::new(problem)))
            .context("cannot finish")
            .context("twice")
            .unwrap_err();
        assert_eq!(Exit::of(&error), Exit::Conflict);
        assert_eq!(
            Exit::of(&Exit::NotFound.because("x").context("y")),
            Exit::NotFound
        );
        assert_eq!(Exit::of(&anyhow::anyhow!("anything")), Exit::Error);
    }
}
