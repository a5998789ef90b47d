//! Why the engine refused. Nothing was changed, except where the store says that it is unknown.

use std::sync::Arc;

use thiserror::Error;
use workmill_core::failure::Reason;
use workmill_core::ids::{LeaseId, TaskId};
use workmill_core::lifecycle::IllegalTransition;
use workmill_store::settlement::Refusal;

pub use workmill_store::StoreError;

#[derive(Debug, Error)]
pub enum EngineError {
    /// `at` is the path of the offending field, as the client wrote it.
    #[error("{at}: {problem}")]
    Invalid { at: String, problem: String },
    /// `at` is the path of what is larger than it may be.
    #[error("{at}: {problem}")]
    TooLarge { at: String, problem: String },
    /// Of a list; nothing of it was taken.
    #[error("{} of the list cannot be used", how_many(lines, *more))]
    BadLines {
        lines: Vec<BadLine>,
        /// Lines that are not named.
        more: usize,
    },
    #[error("the dependencies form a cycle: {}", path.join(" → "))]
    Cycle { path: Vec<String> },
    #[error("{what} does not exist")]
    NotFound { what: String },
    #[error("{what} does not exist or has no output")]
    NoOutput { what: String },
    /// The id of a graph stands where a task is named.
    #[error("a task `{name}` does not exist")]
    GraphForTask { name: String },
    #[error("{lease} is not the current lease of its task")]
    LeaseLost { lease: LeaseId },
    /// The output and its cost are kept with the attempt.
    #[error(
        "the attempt of {lease} had already ended; its output is stored but is not the result of \
         the task; an operator can make it the result with `workmill adopt {}`",
        lease.task
    )]
    LateOutput { lease: LeaseId },
    /// The report of a failure and its cost are kept with the attempt.
    #[error(
        "the attempt of {lease} had already ended; the late report is stored with it and changes \
         nothing"
    )]
    LateReport { lease: LeaseId },
    #[error("{problem}")]
    Forbidden { problem: String },
    /// `at` is the path of a field that others may send, or send otherwise.
    #[error("{at}: {problem}")]
    NotAllowed { at: String, problem: String },
    #[error("{task}: {illegal}")]
    IllegalTransition {
        task: TaskId,
        illegal: IllegalTransition,
    },
    #[error("{problem}")]
    Conflict { problem: String },
    /// It is not at the edition that the caller has seen.
    #[error("{problem}")]
    Changed { problem: String },
    /// The queue is full; nothing was done.
    #[error("too many requests are waiting")]
    Overloaded,
    #[error("{0}")]
    Store(#[source] Arc<StoreError>),
}

/// What is wrong with a line of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadLine {
    /// The first one is 1.
    pub line: usize,
    pub problem: String,
}

fn how_many(lines: &[BadLine], more: usize) -> String {
    match (lines, more) {
        ([one], 0) => format!("line {}", one.line),
        (many, more) => format!("{} lines", many.len() + more),
    }
}

impl From<StoreError> for EngineError {
    fn from(error: StoreError) -> Self {
        EngineError::Store(Arc::new(error))
    }
}

impl EngineError {
    pub(crate) fn invalid(at: impl Into<String>, problem: impl Into<String>) -> Self {
        EngineError::Invalid {
            at: at.into(),
            problem: problem.into(),
        }
    }

    pub(crate) fn not_allowed(at: impl Into<String>, problem: impl Into<String>) -> Self {
        EngineError::NotAllowed {
            at: at.into(),
            problem: problem.into(),
        }
    }

    pub(crate) fn reserved_reason(reason: Reason) -> Self {
        let why = if reason.may_be_reported(true) {
            "is for agents that were told to stop, and this one was not"
        } else {
            "is for Workmill itself to find out"
        };
        let others: Vec<&str> = Reason::ALL
            .into_iter()
            .filter(|other| other.may_be_reported(false))
            .map(Reason::name)
            .collect();
        let problem = format!("`{reason}` {why}; give one of {}", others.join(", "));
        EngineError::invalid("reason", problem)
    }

    pub(crate) fn refused_task(task: TaskId, refusal: Refusal) -> Self {
        match refusal {
            Refusal::Illegal(illegal) => EngineError::IllegalTransition { task, illegal },
            _ => EngineError::NotFound {
                what: task.to_string(),
            },
        }
    }

    pub(crate) fn refused(lease: LeaseId, refusal: Refusal) -> Self {
        match refusal {
            Refusal::LeaseLost | Refusal::StillAlive => EngineError::LeaseLost { lease },
            Refusal::TooLate => EngineError::LateOutput { lease },
            Refusal::NotFound => EngineError::NotFound {
                what: lease.task.to_string(),
            },
            Refusal::ReservedReason(reason) => EngineError::reserved_reason(reason),
            Refusal::NotTheHolder => EngineError::Forbidden {
                problem: format!("{lease} is held by an agent that another key registered"),
            },
            Refusal::Illegal(illegal) => EngineError::IllegalTransition {
                task: lease.task,
                illegal,
            },
        }
    }
}
