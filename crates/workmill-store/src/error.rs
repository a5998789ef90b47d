//! What can go wrong between a request and its commit.

use thiserror::Error;
use tokio_postgres::error::SqlState;

#[derive(Debug, Error)]
pub enum StoreError {
    /// Nothing was changed: the database could not be reached.
    #[error("the database cannot be reached while trying to {doing}")]
    Unavailable {
        doing: &'static str,
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The connection was lost while the commit was on its way. Repeating the request with the
    /// same idempotency key, request id or lease finds out.
    #[error("the outcome of trying to {doing} is unknown: the connection was lost in the commit")]
    UnknownOutcome {
        doing: &'static str,
        #[source]
        source: tokio_postgres::Error,
    },
    /// Nothing was changed: the database refused.
    #[error("the database refused to {doing}")]
    Refused {
        doing: &'static str,
        #[source]
        source: tokio_postgres::Error,
    },
    /// Another transaction changed what this one stands on; it begins again by itself.
    #[error("another transaction was faster")]
    Overtaken,
    /// Nothing was changed: claims that began before did not end in time.
    #[error(
        "the gate was not changed: claims that began before have not ended within the time to wait"
    )]
    ClaimsUnderWay,
    /// A row says what no row should say.
    #[error("the database contains an inconsistent row: {0}")]
    Corrupt(String),
    /// Nothing was changed: the namespace has as many lanes as it may.
    #[error(
        "the tasks of this namespace ask for {most} different combinations of type, agent, \
         capabilities and models already, and no more are accepted; unused ones are removed \
         after ten minutes"
    )]
    TooManyLanes { most: usize },
    #[error("the connection settings cannot be used: {0}")]
    Settings(String),
    #[error("{0}")]
    Unfit(#[from] crate::fitness::Unfit),
    #[error("{0}")]
    Schema(#[from] crate::migrate::SchemaError),
}

/// A statement of an operation failed. [`Store::run`](crate::Store::run) adds what the operation was doing.
impl From<tokio_postgres::Error> for StoreError {
    fn from(source: tokio_postgres::Error) -> StoreError {
        StoreError::from_statement("", source)
    }
}

impl StoreError {
    /// Says what was being done when a statement failed, if the error does not say it yet.
    pub(crate) fn while_doing(mut self, operation: &'static str) -> StoreError {
        if let StoreError::Unavailable { doing, .. }
        | StoreError::UnknownOutcome { doing, .. }
        | StoreError::Refused { doing, .. } = &mut self
            && doing.is_empty()
        {
            *doing = operation;
        }
        self
    }

    /// Tells a lost connection from a refusal.
    pub(crate) fn from_statement(doing: &'static str, source: tokio_postgres::Error) -> Self {
        let cause = std::error::Error::source(&source);
        let is_io = cause.is_some_and(<dyn std::error::Error>::is::<std::io::Error>);
        if source.is_closed() || is_io || source.code().is_some_and(is_connection_trouble) {
            StoreError::Unavailable {
                doing,
                source: Box::new(source),
            }
        } else {
            StoreError::Refused { doing, source }
        }
    }

    /// The same when the commit was sent already: whoever hears nothing any more does not know whether
    /// it was made. What the database itself has refused was not.
    pub(crate) fn with_the_commit_on_its_way(self) -> Self {
        let StoreError::Unavailable { doing, source } = self else {
            return self;
        };
        match source.downcast::<tokio_postgres::Error>() {
            Ok(source) if source.code().is_none() => StoreError::UnknownOutcome {
                doing,
                source: *source,
            },
            Ok(source) => StoreError::Unavailable { doing, source },
            Err(source) => StoreError::Unavailable { doing, source },
        }
    }

    /// A conflict with another transaction, or a connection lost before the commit was sent:
    /// nothing has happened and the same transaction may go through the next time.
    pub(crate) fn is_worth_repeating(&self) -> bool {
        match self {
            StoreError::Unavailable { .. } | StoreError::Overtaken => true,
            StoreError::Refused { source, .. } => matches!(
                source.code(),
                Some(&SqlState::T_R_SERIALIZATION_FAILURE | &SqlState::T_R_DEADLOCK_DETECTED)
            ),
            _ => false,
        }
    }

    /// What was to be written cannot be, now or later: values that no column takes (class 22),
    /// constraints (23), more than fits (54). Asked where one of many may be at fault.
    pub fn is_about_the_data(&self) -> bool {
        match self {
            StoreError::Refused { source, .. } => source
                .code()
                .is_some_and(|code| matches!(&code.code()[..2], "22" | "23" | "54")),
            StoreError::Corrupt(_) | StoreError::TooManyLanes { .. } => true,
            _ => false,
        }
    }
}

/// The server is going away or not there yet; classes 08 and 57P.
fn is_connection_trouble(code: &SqlState) -> bool {
    code.code().starts_with("08") || code.code().starts_with("57P") || code.code() == "53300"
}
