//! Answers take memory until the client has read them, bounded for the server and shared between
//! namespaces.
//!
//! The memory is taken before the request gives back its share of the database, so no more answers
//! than shares are ever waiting for memory. Streams are not counted: they hold a few events each. A
//! client that stops reading is disconnected after a while, see `serve`.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::body::{Frame, SizeHint};
use workmill_core::ids::Namespace;
use workmill_protocol::error::ErrorCode;

use crate::memory_pool::{Pool, Taken};
use crate::problem::Refused;

/// Answers up to this size are not counted.
const SMALL_ANSWER: usize = 16 * 1024;

const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// The memory for all answers.
#[derive(Debug, Clone)]
pub(crate) struct AnswerMemory(Arc<Pool>);

/// On its way from where the memory is taken to where the answer is sent.
#[derive(Debug, Clone)]
struct Reserved(#[expect(dead_code, reason = "its drop gives the memory back")] Arc<Taken>);

impl AnswerMemory {
    pub(crate) fn new(bytes: usize) -> Self {
        AnswerMemory(Arc::new(Pool::new(bytes)))
    }

    /// Takes memory for an answer. If there is none, an answer that only shows something is refused; the
    /// others are sent, because their request has had its effect.
    pub(crate) async fn reserve(
        &self,
        ns: Namespace,
        only_shows: bool,
        mut answer: Response,
    ) -> Result<Response, Refused> {
        let bytes = answer.body().size_hint().exact().unwrap_or(0);
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        if bytes <= SMALL_ANSWER {
            return Ok(answer);
        }
        // One answer alone always fits.
        let bytes = bytes.min(self.0.share());
        match self.0.take(ns, bytes, LONGEST_WAIT).await {
            Some(taken) => {
                answer.extensions_mut().insert(Reserved(Arc::new(taken)));
                Ok(answer)
            }
            None if only_shows => {
                let detail = "too many large answers to this namespace are not read yet";
                Err(Refused::new(ErrorCode::Overloaded, detail))
            }
            None => Ok(answer),
        }
    }
}

/// Keeps the memory of an answer until it is sent or given up.
pub(crate) async fn keep(request: Request, next: Next) -> Response {
    let mut answer = next.run(request).await;
    let Some(reserved) = answer.extensions_mut().remove::<Reserved>() else {
        return answer;
    };
    let (parts, body) = answer.into_parts();
    // It is whole and in memory.
    let Ok(rest) = to_bytes(body, usize::MAX).await else {
        let detail = "the answer was cut off";
        return Refused::new(ErrorCode::Internal, detail).into_response();
    };
    Response::from_parts(parts, Body::new(Held { rest, reserved }))
}

/// The part of an answer that the connection has not asked for yet. It is handed over in pieces, because
/// the connection would keep a whole answer in a buffer of its own.
struct Held {
    rest: Bytes,
    #[expect(dead_code, reason = "its drop gives the memory back")]
    reserved: Reserved,
}

const PIECE: usize = 64 * 1024;

impl HttpBody for Held {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.rest.is_empty() {
            return Poll::Ready(None);
        }
        let length = PIECE.min(self.rest.len());
        let piece = self.rest.split_to(length);
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.rest.len() as u64)
    }
}
