//! Which web pages may call.
//!
//! A browser says from which page a call comes. Pages of this server may call it; those of others may
//! not, unless they were named: a page that somebody happens to have open must not reach the server on
//! their machine. Programs that are no browsers say nothing and are not concerned.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, HOST,
    ORIGIN, VARY,
};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use workmill_protocol::error::ErrorCode;

use crate::problem::Refused;

/// Other origins that may call, as a browser writes them: `https://board.example.com`.
#[derive(Debug, Clone, Default)]
pub struct Origins(pub Vec<String>);

impl Origins {
    fn contains(&self, origin: &str) -> bool {
        self.0.iter().any(|known| known == origin)
    }
}

pub(crate) async fn check(
    State(origins): State<Arc<Origins>>,
    request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    let Some(origin) = headers.get(ORIGIN).cloned() else {
        return next.run(request).await;
    };
    let is_named = origin.to_str().is_ok_and(|origin| origins.contains(origin));
    let host = headers.get(HOST).map(HeaderValue::as_bytes);
    if !is_named {
        if is_of_host(origin.as_bytes(), host) {
            return next.run(request).await;
        }
        return Refused::new(
            ErrorCode::Forbidden,
            "pages of this origin may not call this server",
        )
        .hint("start the server with `--allow-origin` to allow it")
        .into_response();
    }
    let asks_first =
        request.method() == Method::OPTIONS && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    let mut response = if asks_first {
        StatusCode::NO_CONTENT.into_response()
    } else {
        next.run(request).await
    };
    let answer = response.headers_mut();
    if asks_first {
        for (name, value) in [
            (
                ACCESS_CONTROL_ALLOW_METHODS,
                "GET, POST, PUT, PATCH, DELETE",
            ),
            (
                ACCESS_CONTROL_ALLOW_HEADERS,
                "authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, x-request-id",
            ),
            (ACCESS_CONTROL_MAX_AGE, "600"),
        ] {
            answer.insert(name, HeaderValue::from_static(value));
        }
    }
    answer.insert(
        ACCESS_CONTROL_EXPOSE_HEADERS,
        HeaderValue::from_static("etag, retry-after, x-request-id"),
    );
    answer.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    answer.append(VARY, HeaderValue::from_static("origin"));
    response
}

/// Whether a page comes from where it calls.
fn is_of_host(origin: &[u8], host: Option<&[u8]>) -> bool {
    let without_scheme = origin
        .strip_prefix(b"http://")
        .or_else(|| origin.strip_prefix(b"https://"));
    without_scheme.is_some() && without_scheme == host
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_of_this_host_only_with_the_same_name_and_port() {
        let host = Some(&b"127.0.0.1:7070"[..]);
        assert!(is_of_host(b"http://127.0.0.1:7070", host));
        assert!(!is_of_host(b"http://127.0.0.1", host));
        assert!(!is_of_host(b"http://evil.example:7070", host));
        assert!(!is_of_host(b"null", host));
        assert!(!is_of_host(b"http://127.0.0.1:7070", None));
        assert!(!is_of_host(b"null", None));
    }
}
