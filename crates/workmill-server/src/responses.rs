//! What every request gets, whatever it asks for: an id, a limit on its time, a line in the log, and a
//! place in the metrics.

use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use workmill_engine::Caller;
use workmill_protocol::error::ErrorCode;

use crate::http_metrics::HttpMetrics;
use crate::permissions::is_like_a_key;
use crate::problem::Refused;

/// Longer than the longest wait of a claim.
const LONGEST_REQUEST: Duration = Duration::from_mins(1);

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const LONGEST_REQUEST_ID: usize = 64;

/// Asked for by machines, every few seconds.
const HARDLY_WORTH_A_WORD: &[&str] = &["/health", "/ready", "/metrics"];

/// Answers a request in time, even one whose handler panics, and says so in the log: the route, not
/// the path, as people put secrets into paths.
pub(crate) async fn answer(
    State(metrics): State<HttpMetrics>,
    request: Request,
    next: Next,
) -> Response {
    let begun = Instant::now();
    let id = request_id(request.headers());
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or("unknown", MatchedPath::as_str);
    let answering = tokio::time::timeout(LONGEST_REQUEST, next.run(request));
    let mut response = match AssertUnwindSafe(answering).catch_unwind().await {
        Ok(Ok(response)) => response,
        Ok(Err(_)) => {
            let detail = format!("no answer within {} s", LONGEST_REQUEST.as_secs());
            Refused::new(ErrorCode::Timeout, detail).into_response()
        }
        Err(_) => {
            tracing::error!(request = id.to_str().ok(), route, "a handler panicked");
            let detail = "an internal error; the server's log has the cause";
            Refused::new(ErrorCode::Internal, detail).into_response()
        }
    };
    metrics.count(route, &method, response.status(), begun.elapsed());
    let status = response.status().as_u16();
    let caller = response.extensions().get::<Caller>();
    let (ns, key) = caller.map(|caller| (caller.ns.0, caller.key)).unzip();
    let key = key.map(tracing::field::display);
    let (request, ms) = (id.to_str().ok(), begun.elapsed().as_millis());
    let ms = u64::try_from(ms).unwrap_or(u64::MAX);
    macro_rules! say {
        ($level:ident) => {
            tracing::$level!(target: "access", request, %method, route, status, ms, ns, key, "answered")
        };
    }
    if HARDLY_WORTH_A_WORD.contains(&route) {
        say!(debug);
    } else if status >= 500 {
        say!(warn);
    } else {
        say!(info);
    }
    response.headers_mut().insert(REQUEST_ID, id);
    response
}

/// The client's own, so that its log and ours can be laid side by side; or a new one.
fn request_id(headers: &HeaderMap) -> HeaderValue {
    let is_plain = |id: &&HeaderValue| {
        let bytes = id.as_bytes();
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
        (1..=LONGEST_REQUEST_ID).contains(&bytes.len())
            && bytes.iter().all(is_plain)
            && !id.to_str().is_ok_and(is_like_a_key)
    };
    let given = headers.get(REQUEST_ID).filter(is_plain).cloned();
    given.unwrap_or_else(|| {
        let id = format!("{:016x}", rand::random::<u64>());
        HeaderValue::try_from(id).unwrap_or_else(|_| HeaderValue::from_static("none"))
    })
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::body::Body;
    use axum::middleware::from_fn_with_state;
    use axum::routing::get;
    use tower::ServiceExt;

    use super::*;

    /// What a handler that never answers, or panics, is answered with.
    async fn answered(path: &str) -> (u16, HeaderValue) {
        async fn panic() -> &'static str {
            panic!("for a test")
        }
        let app = Router::new()
            .route("/panic", get(panic))
            .route("/never", get(std::future::pending::<&'static str>))
            .layer(from_fn_with_state(HttpMetrics::default(), answer));
        let request = Request::get(path).body(Body::empty()).unwrap();
        let response = app.oneshot(request).await.unwrap();
        assert!(response.headers().contains_key(REQUEST_ID));
        let kind = response.headers()["content-type"].clone();
        (response.status().as_u16(), kind)
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_does_not_answer_is_answered_for() {
        let problem = HeaderValue::from_static("application/problem+json");
        assert_eq!(answered("/panic").await, (500, problem.clone()));
        assert_eq!(answered("/never").await, (503, problem));
    }

    fn id_for(given: &str) -> String {
        let mut headers = HeaderMap::new();
        headers.insert(REQUEST_ID, HeaderValue::from_str(given).unwrap());
        request_id(&headers).to_str().unwrap().to_owned()
    }

    #[test]
    fn a_plain_request_id_is_kept_and_anything_else_replaced() {
        assert_eq!(id_for("build-17.retry_2"), "build-17.retry_2");
        for odd in ["", "with space", "quote\"", "wm_key", &"x".repeat(65)] {
            let id = id_for(odd);
            assert_ne!(id, odd);
            assert_eq!(id.len(), 16);
        }
    }
}
