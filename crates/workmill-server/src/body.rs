//! Reading request bodies strictly: what is not understood is refused by name.
//!
//! A body is read as fast as its [`Pace`] demands, takes memory as it arrives ([`Place`]), and is
//! parsed beside the threads that answer requests unless it is small.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::body::{Body, BodyDataStream, HttpBody};
use axum::extract::{FromRequest, Request};
use futures_util::TryStreamExt;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::sync::Semaphore;
use tokio::task::JoinError;
use tokio::time::{Instant, timeout_at};
use workmill_engine::strict::{self, Unreadable};
use workmill_protocol::error::ErrorCode;

use crate::database_share::DatabaseShare;
use crate::problem::Refused;
use crate::request_memory::Place;

/// Longer bodies are parsed on a thread of their own.
const PARSED_AT_ONCE: usize = 32 * 1024;

/// Bodies that are parsed beside the threads that answer requests: more would only take turns.
const PARSERS: usize = 2;

/// Of a body that a call does not take, so much is looked at.
const LARGEST_UNEXPECTED: usize = 1024;

/// The largest body of the call, set by the guard.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LargestBody(pub(crate) usize);

/// How fast a body has to come: in each window so many bytes, or its end.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    pub window: Duration,
    pub bytes: usize,
}

impl Default for Pace {
    fn default() -> Self {
        Pace {
            window: Duration::from_secs(10),
            bytes: 160 * 1024,
        }
    }
}

/// A body of this type, and nothing that the type does not know.
#[derive(Debug)]
pub(crate) struct Strict<T>(pub(crate) T);

impl<T: DeserializeOwned + Send + 'static, S: Send + Sync> FromRequest<S> for Strict<T> {
    type Rejection = Refused;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Refused> {
        parsed(request, strict::measure).await.map(Strict)
    }
}

/// Reads the body and parses it.
pub(crate) async fn parsed<T: Send + 'static>(
    request: Request,
    parse: fn(&[u8]) -> Result<strict::Read<T>, Unreadable>,
) -> Result<T, Refused> {
    static TURNS: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(PARSERS)));
    let (place, bytes) = read(request).await?;
    let length = bytes.len();
    place.expect_parsing(length).await?;
    let parse = move |place: Place| {
        // An empty body reads as `{}`.
        let text: &[u8] = if bytes.is_empty() { b"{}" } else { &bytes };
        let read = parse(text).map_err(|unreadable| refuse(&unreadable))?;
        place.has_parsed(length, read.memory);
        Ok(read.value)
    };
    if length <= PARSED_AT_ONCE {
        return parse(place);
    }
    in_turn(&TURNS, move || parse(place))
        .await
        .unwrap_or_else(|error| {
            tracing::error!(%error, "a body could not be parsed");
            Err(Refused::new(
                ErrorCode::Internal,
                "an internal error; the server's log has the cause",
            ))
        })
}

/// Computes something beside the threads that answer requests when it is its turn. It keeps its turn to
/// its end, also when the request is given up.
async fn in_turn<T: Send + 'static>(
    turns: &Arc<Semaphore>,
    compute: impl FnOnce() -> T + Send + 'static,
) -> Result<T, JoinError> {
    // Never closed.
    let turn = Arc::clone(turns).acquire_owned().await;
    let computing = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        compute()
    });
    computing.await
}

/// The body as it came, for calls that parse it later.
#[derive(Debug)]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

impl<S: Send + Sync> FromRequest<S> for Bytes {
    type Rejection = Refused;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Refused> {
        let (place, bytes) = read(request).await?;
        place.expect_parsing(bytes.len()).await?;
        Ok(Bytes(bytes))
    }
}

/// Refuses a body where none is taken. `{}` says nothing, and is fine.
pub(crate) async fn refuse_body(request: Request, pace: Pace) -> Result<Request, Refused> {
    #[derive(Deserialize)]
    struct Nothing {}
    let (parts, body) = request.into_parts();
    if body.size_hint().exact() != Some(0) {
        let mut bytes = Vec::new();
        let mut arriving = Arriving::new(body, pace);
        while let Some(piece) = arriving.next().await? {
            bytes.extend_from_slice(&piece);
            if bytes.len() > LARGEST_UNEXPECTED {
                let detail = "this call takes no body";
                return Err(Refused::new(ErrorCode::Invalid, detail));
            }
        }
        if !bytes.trim_ascii().is_empty() {
            strict::read::<Nothing>(&bytes).map_err(|unreadable| refuse(&unreadable))?;
        }
    }
    Ok(Request::from_parts(parts, Body::empty()))
}

async fn read(request: Request) -> Result<(Place, Vec<u8>), Refused> {
    let (parts, body) = request.into_parts();
    let extensions = &parts.extensions;
    let (Some(place), Some(LargestBody(largest)), Some(slowest)) = (
        extensions.get::<Place>(),
        extensions.get(),
        extensions.get::<Pace>(),
    ) else {
        return Err(Refused::new(
            ErrorCode::Internal,
            "no body is expected here",
        ));
    };
    let announced = body.size_hint().exact().unwrap_or(0);
    let announced = usize::try_from(announced).unwrap_or(usize::MAX);
    check_size(announced, *largest)?;
    let mut arriving = Arriving::new(body, *slowest);
    let mut bytes = Vec::with_capacity(announced.min(PARSED_AT_ONCE));
    while let Some(piece) = arriving.next().await? {
        let size = bytes.len() + piece.len();
        check_size(size, *largest)?;
        if let Err(refused) = place.arrive(size).await {
            // A client that is still sending would not see the answer.
            drop(bytes);
            while let Some(_piece) = arriving.next().await? {}
            return Err(refused);
        }
        bytes.extend_from_slice(&piece);
    }
    if let Some(share) = extensions.get::<DatabaseShare>() {
        share.take().await?;
    }
    Ok((place.clone(), bytes))
}

/// A body on its way.
struct Arriving {
    pieces: BodyDataStream,
    pace: Pace,
    window_ends: Instant,
    in_window: usize,
}

impl Arriving {
    fn new(body: Body, pace: Pace) -> Self {
        Arriving {
            pieces: body.into_data_stream(),
            pace,
            window_ends: Instant::now() + pace.window,
            in_window: 0,
        }
    }

    /// Waits for the next piece; refuses a body that is too slow.
    async fn next(&mut self) -> Result<Option<axum::body::Bytes>, Refused> {
        loop {
            let piece = timeout_at(self.window_ends, self.pieces.try_next()).await;
            if Instant::now() >= self.window_ends {
                if self.in_window < self.pace.bytes && !matches!(piece, Ok(Ok(None))) {
                    return Err(self.too_slow());
                }
                (self.in_window, self.window_ends) = (0, Instant::now() + self.pace.window);
            }
            match piece {
                Err(_window_ended) => {}
                Ok(Ok(piece)) => {
                    self.in_window += piece.as_ref().map_or(0, axum::body::Bytes::len);
                    return Ok(piece);
                }
                Ok(Err(error)) => {
                    let detail = format!("the body could not be read: {error}");
                    return Err(Refused::new(ErrorCode::Invalid, detail));
                }
            }
        }
    }

    fn too_slow(&self) -> Refused {
        let (least, seconds) = (self.pace.bytes / 1024, self.pace.window.as_secs_f64());
        let detail = format!("less than {least} KiB of the body came in {seconds} s");
        Refused::new(ErrorCode::BodyTooSlow, detail)
    }
}

fn check_size(bytes: usize, largest: usize) -> Result<(), Refused> {
    if bytes > largest {
        let detail = format!("the body is over {largest} bytes");
        return Err(Refused::new(ErrorCode::TooLarge, detail));
    }
    Ok(())
}

fn refuse(unreadable: &Unreadable) -> Refused {
    let problem = unreadable.problem.clone();
    let code = if unreadable.is_too_large {
        ErrorCode::TooLarge
    } else {
        ErrorCode::Invalid
    };
    match &unreadable.field {
        Some(field) => Refused::new(code, problem).at(field),
        None if unreadable.is_too_large => Refused::new(code, problem),
        None => Refused::new(code, format!("the body is invalid: {problem}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use workmill_core::task::NewTask;

    fn problem(body: &str) -> workmill_protocol::error::Problem {
        *refuse(&strict::read::<NewTask>(body.as_bytes()).unwrap_err()).0
    }

    #[test]
    fn an_unknown_field_is_refused_with_its_path() {
        let body = r#"{"title": "t", "spec": {"constraints": {"max_costs": 3}}}"#;
        assert_eq!(
            problem(body).field.as_deref(),
            Some("spec.constraints.max_costs")
        );
    }

    #[test]
    fn bad_json_is_refused_with_line_and_column() {
        assert!(
            problem("{\n  \"title\": }")
                .detail
                .ends_with("(line 2, column 12)")
        );
        assert!(problem("{} {}").detail.contains("follows the end"));
        assert!(problem(" [\"name\"]").detail.contains("an object"));
        let text = problem(r#"{"title": 7}"#);
        assert!(text.detail.contains("expected a text, not a whole number"));
        assert_eq!(text.field.as_deref(), Some("title"));
    }

    #[tokio::test]
    async fn a_request_that_is_given_up_keeps_its_turn_until_its_body_is_parsed() {
        let turns = Arc::new(Semaphore::new(1));
        let (let_go, held_up) = std::sync::mpsc::channel::<()>();
        let mut parsing = Box::pin(in_turn(&turns, move || held_up.recv()));
        assert!(futures_util::poll!(&mut parsing).is_pending());
        drop(parsing);
        assert_eq!(turns.available_permits(), 0);
        drop(let_go);
        drop(turns.acquire().await.unwrap());
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_trickles_is_refused_and_one_that_keeps_its_pace_is_not() {
        let pace = Pace {
            window: Duration::from_secs(10),
            bytes: 100,
        };
        let come = |bytes: usize, pieces: usize| async move {
            let pieces = futures_util::stream::unfold(0, move |sent| async move {
                tokio::time::sleep(Duration::from_secs(1)).await;
                let piece = Ok::<_, std::io::Error>(vec![b' '; bytes]);
                (sent < pieces).then_some((piece, sent + 1))
            });
            let mut arriving = Arriving::new(Body::from_stream(pieces), pace);
            let mut arrived = 0;
            while let Some(piece) = arriving.next().await? {
                arrived += piece.len();
            }
            Ok::<usize, Refused>(arrived)
        };
        assert_eq!(come(20, 60).await.unwrap(), 1_200);
        assert_eq!(come(1, 5).await.unwrap(), 5, "a short one needs no pace");
        assert_eq!(
            come(1, 60).await.unwrap_err().0.code,
            ErrorCode::BodyTooSlow
        );
    }
}
