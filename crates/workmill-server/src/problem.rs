//! Refusals as `application/problem+json`.

use axum::http::header::{CONNECTION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use workmill_engine::error::StoreError;
use workmill_engine::{EngineError, beside};
use workmill_protocol::error::{BadLine, ErrorCode, Problem};

use crate::permissions::without_keys;

/// More lines of a list take longer to describe than a change of threads.
const A_FEW: usize = 100;

/// What a route answers instead of its result.
#[derive(Debug)]
pub(crate) struct Refused(pub(crate) Box<Problem>);

impl Refused {
    pub(crate) fn new(code: ErrorCode, detail: impl Into<String>) -> Self {
        let detail = without_keys(detail.into());
        Refused(Box::new(Problem::new(code, detail)))
    }

    /// Names the field of the request that is at fault.
    pub(crate) fn at(mut self, field: impl Into<String>) -> Self {
        self.0.field = Some(without_keys(field.into()));
        self
    }

    /// Says what to do about it.
    pub(crate) fn hint(mut self, hint: &str) -> Self {
        self.0.hint = Some(hint.to_owned());
        self
    }

    pub(crate) fn not_found(what: impl std::fmt::Display) -> Self {
        Refused::new(ErrorCode::NotFound, format!("{what} does not exist"))
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let status =
            StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let is_long = self.0.lines.len() > A_FEW;
        let body = beside(is_long, || serde_json::to_vec(&self.0).unwrap_or_default());
        let mut response = (status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(
            CONTENT_TYPE,
            HeaderValue::from_static("application/problem+json"),
        );
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(
                WWW_AUTHENTICATE,
                HeaderValue::from_static("Bearer realm=\"workmill\""),
            );
        }
        if status == StatusCode::REQUEST_TIMEOUT {
            // The rest of the body may still come.
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        if let Some(seconds) = self.0.retry_after_sec {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        } else if status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

pub(crate) const GRAPH_FOR_TASK: &str =
    "this is the id of a graph: use `workmill graph show` or `workmill graph cancel`";

impl From<EngineError> for Refused {
    fn from(error: EngineError) -> Self {
        let detail = error.to_string();
        match error {
            EngineError::Invalid { at, problem } => {
                Refused::new(ErrorCode::Invalid, problem).at(at)
            }
            EngineError::TooLarge { at, problem } => {
                Refused::new(ErrorCode::TooLarge, problem).at(at)
            }
            EngineError::BadLines { lines, more } => {
                let mut refused = Refused::new(ErrorCode::Invalid, detail);
                let said = |line: workmill_engine::error::BadLine| BadLine {
                    line: line.line,
                    problem: without_keys(line.problem),
                };
                refused.0.lines = beside(lines.len() > A_FEW, || {
                    lines.into_iter().map(said).collect()
                });
                refused.0.more_lines = (more > 0).then_some(more);
                refused
            }
            EngineError::Cycle { path } => {
                let mut refused = Refused::new(ErrorCode::Cycle, detail);
                refused.0.path = path;
                refused
            }
            EngineError::NotFound { .. } | EngineError::NoOutput { .. } => {
                Refused::new(ErrorCode::NotFound, detail)
            }
            EngineError::GraphForTask { .. } => {
                Refused::new(ErrorCode::NotFound, detail).hint(GRAPH_FOR_TASK)
            }
            EngineError::LeaseLost { .. } => Refused::new(ErrorCode::LeaseLost, detail).hint(
                "stop this work: the lease expired or was ended, another agent has claimed the \
                 task, or the task has ended",
            ),
            EngineError::Forbidden { .. } => Refused::new(ErrorCode::Forbidden, detail),
            EngineError::NotAllowed { at, problem } => {
                Refused::new(ErrorCode::Forbidden, problem).at(at)
            }
            EngineError::IllegalTransition { .. } => {
                Refused::new(ErrorCode::IllegalTransition, detail)
            }
            EngineError::Conflict { .. } => Refused::new(ErrorCode::Conflict, detail),
            EngineError::Changed { .. } => Refused::new(ErrorCode::PreconditionFailed, detail)
                .hint("read the object again and repeat the edit"),
            EngineError::LateOutput { .. } | EngineError::LateReport { .. } => {
                Refused::new(ErrorCode::LeaseLost, detail).hint("stop this work")
            }
            EngineError::Overloaded => Refused::new(ErrorCode::Overloaded, detail),
            EngineError::Store(error) => from_store(&error),
        }
    }
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        from_store(&error)
    }
}

/// The cause is logged here and nowhere else; the client gets no inside of the database.
fn from_store(error: &StoreError) -> Refused {
    let cause = std::error::Error::source(error).map(ToString::to_string);
    match error {
        StoreError::Unavailable { .. } => {
            tracing::warn!(%error, cause, "the database cannot be reached");
            Refused::new(ErrorCode::Unavailable, error.to_string())
        }
        StoreError::ClaimsUnderWay => {
            tracing::warn!(%error, "claims have not ended in time");
            Refused::new(ErrorCode::Unavailable, error.to_string()).hint("repeat the same request")
        }
        StoreError::UnknownOutcome { .. } => {
            tracing::warn!(%error, cause, "an outcome is unknown");
            Refused::new(ErrorCode::UnknownOutcome, error.to_string())
                .hint("repeat the same request to find out")
        }
        StoreError::TooManyLanes { .. } => Refused::new(ErrorCode::LimitReached, error.to_string())
            .hint("reuse types, capabilities and models instead of new combinations"),
        _ => {
            tracing::error!(%error, cause, "the store failed");
            Refused::new(
                ErrorCode::Internal,
                "an internal error; the server's log has the cause",
            )
        }
    }
}
