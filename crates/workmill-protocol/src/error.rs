//! Errors as `application/problem+json`, with a code from a closed list.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The request is not well-formed or breaks a rule; `field` says where.
    Invalid,
    /// The dependencies form a cycle; `path` names it.
    Cycle,
    /// The key is missing or invalid.
    Unauthorized,
    /// The key's role does not allow it.
    Forbidden,
    NotFound,
    MethodNotAllowed,
    /// The lease is no longer the current one.
    LeaseLost,
    /// The task's state does not allow it.
    IllegalTransition,
    Conflict,
    /// The object does not have the edition that `If-Match` names.
    PreconditionFailed,
    TooLarge,
    /// The body of the request came too slowly.
    BodyTooSlow,
    /// The `Host` header names another server.
    WrongHost,
    /// There are as many as there may be.
    LimitReached,
    /// The request took too long.
    Timeout,
    /// The key has too many streams open.
    RateLimited,
    /// Too many requests are waiting.
    Overloaded,
    /// The database cannot be reached.
    Unavailable,
    /// The request may have been carried out; repeating it returns the outcome.
    UnknownOutcome,
    Internal,
}

impl ErrorCode {
    pub const ALL: [ErrorCode; 20] = [
        ErrorCode::Invalid,
        ErrorCode::Unauthorized,
        ErrorCode::Forbidden,
        ErrorCode::NotFound,
        ErrorCode::MethodNotAllowed,
        ErrorCode::Cycle,
        ErrorCode::LeaseLost,
        ErrorCode::IllegalTransition,
        ErrorCode::Conflict,
        ErrorCode::PreconditionFailed,
        ErrorCode::TooLarge,
        ErrorCode::BodyTooSlow,
        ErrorCode::WrongHost,
        ErrorCode::LimitReached,
        ErrorCode::RateLimited,
        ErrorCode::Internal,
        ErrorCode::Timeout,
        ErrorCode::Overloaded,
        ErrorCode::Unavailable,
        ErrorCode::UnknownOutcome,
    ];

    /// As it is written in answers.
    pub const fn name(self) -> &'static str {
        match self {
            ErrorCode::Invalid => "invalid",
            ErrorCode::Cycle => "cycle",
            ErrorCode::Unauthorized => "unauthorized",
            ErrorCode::Forbidden => "forbidden",
            ErrorCode::NotFound => "not_found",
            ErrorCode::MethodNotAllowed => "method_not_allowed",
            ErrorCode::LeaseLost => "lease_lost",
            ErrorCode::IllegalTransition => "illegal_transition",
            ErrorCode::Conflict => "conflict",
            ErrorCode::PreconditionFailed => "precondition_failed",
            ErrorCode::TooLarge => "too_large",
            ErrorCode::BodyTooSlow => "body_too_slow",
            ErrorCode::WrongHost => "wrong_host",
            ErrorCode::LimitReached => "limit_reached",
            ErrorCode::Timeout => "timeout",
            ErrorCode::RateLimited => "rate_limited",
            ErrorCode::Overloaded => "overloaded",
            ErrorCode::Unavailable => "unavailable",
            ErrorCode::UnknownOutcome => "unknown_outcome",
            ErrorCode::Internal => "internal",
        }
    }

    /// What a client does about it.
    pub const fn advice(self) -> &'static str {
        match self {
            ErrorCode::Invalid => {
                "Correct the request; `field` names the place. Nothing was changed."
            }
            ErrorCode::Cycle => "Remove one of the dependencies on `path`. Nothing was changed.",
            ErrorCode::Unauthorized => "Send `Authorization: Bearer <key>` with a valid key.",
            ErrorCode::Forbidden => "Use a key whose role allows the call.",
            ErrorCode::NotFound => {
                "Check the id and the namespace of the key. Objects of other namespaces are not found either."
            }
            ErrorCode::MethodNotAllowed => "Use a method that the path supports.",
            ErrorCode::LeaseLost => {
                "Stop the work: the lease expired or was ended, another agent has claimed the task, or the task has ended."
            }
            ErrorCode::IllegalTransition => {
                "Read the task: its current state does not allow the call."
            }
            ErrorCode::Conflict => {
                "Read the object again: another request was first, or the idempotency key belongs to another request."
            }
            ErrorCode::PreconditionFailed => {
                "Read the object again and repeat the edit: it has a newer version. Nothing was changed."
            }
            ErrorCode::TooLarge => "Send less per request. Nothing was stored.",
            ErrorCode::BodyTooSlow => {
                "Send the whole body without pauses, on a new connection. Nothing was changed."
            }
            ErrorCode::WrongHost => {
                "Call the server by an address that it listens on, or start it with `--allow-host`."
            }
            ErrorCode::LimitReached => {
                "The detail names the limit. Nothing was stored; finish or remove something first."
            }
            ErrorCode::Timeout => "Repeat the same request.",
            ErrorCode::RateLimited => "Close streams that are not needed, then open the new one.",
            ErrorCode::Overloaded | ErrorCode::Unavailable => {
                "Wait as long as `Retry-After` says and repeat the same request."
            }
            ErrorCode::UnknownOutcome => {
                "The request may have been carried out. Repeat the same request: it returns the outcome and does nothing twice."
            }
            ErrorCode::Internal => "Look into the server's log, and report the error.",
        }
    }

    pub const fn status(self) -> u16 {
        match self {
            ErrorCode::Invalid => 400,
            ErrorCode::Unauthorized => 401,
            ErrorCode::Forbidden => 403,
            ErrorCode::NotFound => 404,
            ErrorCode::MethodNotAllowed => 405,
            ErrorCode::Cycle
            | ErrorCode::LeaseLost
            | ErrorCode::IllegalTransition
            | ErrorCode::Conflict
            | ErrorCode::LimitReached => 409,
            ErrorCode::PreconditionFailed => 412,
            ErrorCode::BodyTooSlow => 408,
            ErrorCode::TooLarge => 413,
            ErrorCode::WrongHost => 421,
            ErrorCode::RateLimited => 429,
            ErrorCode::Internal => 500,
            ErrorCode::Timeout
            | ErrorCode::Overloaded
            | ErrorCode::Unavailable
            | ErrorCode::UnknownOutcome => 503,
        }
    }

    /// Whether the same request may succeed later.
    pub const fn is_retryable(self) -> bool {
        matches!(
            self,
            ErrorCode::BodyTooSlow
                | ErrorCode::Timeout
                | ErrorCode::RateLimited
                | ErrorCode::Overloaded
                | ErrorCode::Unavailable
                | ErrorCode::UnknownOutcome
        )
    }

    pub const fn title(self) -> &'static str {
        match self {
            ErrorCode::Invalid => "The request is invalid",
            ErrorCode::Cycle => "The dependencies form a cycle",
            ErrorCode::Unauthorized => "A valid key is needed",
            ErrorCode::Forbidden => "Not allowed",
            ErrorCode::NotFound => "Not found",
            ErrorCode::MethodNotAllowed => "Method not allowed",
            ErrorCode::LeaseLost => "The lease is lost",
            ErrorCode::IllegalTransition => "The task's state does not allow it",
            ErrorCode::Conflict => "Conflict",
            ErrorCode::PreconditionFailed => "Changed in the meantime",
            ErrorCode::TooLarge => "Too large",
            ErrorCode::BodyTooSlow => "The body came too slowly",
            ErrorCode::WrongHost => "The request is for another server",
            ErrorCode::LimitReached => "Limit reached",
            ErrorCode::Timeout => "Took too long",
            ErrorCode::RateLimited => "Too many streams",
            ErrorCode::Overloaded => "Too many requests are waiting",
            ErrorCode::Unavailable => "Temporarily unavailable",
            ErrorCode::UnknownOutcome => "The outcome is unknown",
            ErrorCode::Internal => "Internal error",
        }
    }
}

/// The body of every error answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    pub title: String,
    pub status: u16,
    pub code: ErrorCode,
    /// What failed, on which object, and why.
    pub detail: String,
    pub retryable: bool,
    /// The invalid field of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The cycle, for `cycle`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<String>,
    /// The invalid lines of a list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<BadLine>,
    /// Number of further invalid lines that are not listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub more_lines: Option<usize>,
    /// What the caller can do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Seconds after which the same request may succeed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_sec: Option<u64>,
}

/// An invalid line of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BadLine {
    /// Lines are counted from 1.
    pub line: usize,
    pub problem: String,
}

impl Problem {
    pub fn new(code: ErrorCode, detail: impl Into<String>) -> Self {
        Problem {
            title: code.title().to_owned(),
            status: code.status(),
            code,
            detail: detail.into(),
            retryable: code.is_retryable(),
            field: None,
            path: Vec::new(),
            lines: Vec::new(),
            more_lines: None,
            hint: None,
            retry_after_sec: None,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A detail that begins like the title says more than it.
        let begin = self.detail.get(..self.title.len());
        match begin {
            Some(begin) if begin.eq_ignore_ascii_case(&self.title) => {
                write!(f, "{}{}", self.title, &self.detail[begin.len()..])?;
            }
            _ => write!(f, "{}: {}", self.title, self.detail)?,
        }
        match &self.hint {
            Some(hint) => write!(f, " ({hint})"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_title_and_detail_both_say_is_said_once() {
        let says = |detail: &str| Problem::new(ErrorCode::Cycle, detail).to_string();
        let cycle = "The dependencies form a cycle: a → a";
        assert_eq!(says("the dependencies form a cycle: a → a"), cycle);
        assert_eq!(says("a → a"), cycle);
    }

    #[test]
    fn a_code_is_written_by_its_name() {
        for code in ErrorCode::ALL {
            let written = serde_json::to_value(code).unwrap();
            assert_eq!(written, code.name());
        }
    }
}
