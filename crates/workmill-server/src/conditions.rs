//! `ETag`, `If-None-Match` and `If-Match`, as RFC 9110 has them.
//!
//! What a GET answers as JSON has an `ETag` that changes with every byte of it. Where the thing can be
//! edited, the edition it stands at comes first: `"3-9f86d081884c7d659a2feaa0"`. A read compares the
//! whole tag, an edit only the edition, inside its own transaction: what merely happened to a task,
//! an attempt that began, does not stand in the way of an edit.

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequestParts, MatchedPath, Request};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_MATCH, IF_NONE_MATCH};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use workmill_core::edition::{Edition, Expected, short_hash};
use workmill_protocol::error::ErrorCode;

use crate::openapi;
use crate::problem::Refused;

/// The edits that take `If-Match`. To all others it would be a promise that nobody keeps.
pub(crate) const GUARDED_EDITS: &[(Method, &str)] = &[
    (Method::PATCH, "/v1/tasks/{id}"),
    (Method::PATCH, "/v1/agents/{id}"),
    (Method::PATCH, "/v1/projects/{id}"),
    (Method::PUT, "/v1/retention"),
    (Method::DELETE, "/v1/retention"),
];

/// The calls that take an `Idempotency-Key`: those that create something. To all others it would be a
/// promise that is not kept.
pub(crate) const KEYED_CALLS: &[(Method, &str)] = &[
    (Method::POST, "/v1/tasks"),
    (Method::POST, "/v1/graphs"),
    (Method::POST, "/v1/graphs/{id}/tasks"),
    (Method::POST, "/v1/leases/{lease}/spawn"),
    (Method::POST, "/v1/projects"),
];

/// The headers with one value. `If-Match` and the like are lists, which may be sent in parts.
const SENT_ONCE: [&str; 6] = [
    "Authorization",
    "Host",
    "Idempotency-Key",
    "Last-Event-ID",
    "Origin",
    "Workmill-Namespace",
];

/// Refuses a header that is sent twice: only one of its values would have an effect.
fn check_sent_once(headers: &HeaderMap) -> Result<(), Refused> {
    for name in SENT_ONCE {
        if headers.get_all(name).iter().nth(1).is_some() {
            let detail = format!("{name} is sent more than once; send it with one value");
            return Err(Refused::new(ErrorCode::Invalid, detail).at(name));
        }
    }
    Ok(())
}

/// Refuses an `Idempotency-Key` where it would not be looked at.
fn check_key(request: &Request) -> Result<(), Refused> {
    if !request.headers().contains_key("idempotency-key") {
        return Ok(());
    }
    let path = request.extensions().get::<MatchedPath>();
    let path = path.map_or("", MatchedPath::as_str);
    let is_keyed = KEYED_CALLS.contains(&(request.method().clone(), path));
    let is_call = openapi::takes(request.method(), path).is_some();
    if is_keyed || !is_call {
        return Ok(());
    }
    let detail = match path {
        "/v1/claims" => "a claim takes no Idempotency-Key; name it as `request_id` in the body",
        "/v1/keys" | "/v1/keys/{id}/rotate" => {
            "this call takes no Idempotency-Key: a token is shown once, and never again"
        }
        _ => "this call takes no Idempotency-Key",
    };
    Err(Refused::new(ErrorCode::Invalid, detail).at("Idempotency-Key"))
}

/// What a handler says with its answer, for the tag: `Extension(Edited(edition))`.
#[derive(Debug, Clone)]
pub(crate) struct Edited(pub(crate) Edition);

/// Tags what is read, and answers 304 to those who have it; refuses a condition or an idempotency key
/// where it would not be looked at, and a header that is sent twice.
pub(crate) async fn check(request: Request, next: Next) -> Response {
    let checked = check_sent_once(request.headers()).and_then(|()| check_key(&request));
    if let Err(refused) = checked {
        return refused.into_response();
    }
    if request.method() != Method::GET {
        let path = request.extensions().get::<MatchedPath>();
        let path = path.map_or("", MatchedPath::as_str);
        let is_guarded = GUARDED_EDITS.contains(&(request.method().clone(), path));
        let has_condition = request.headers().contains_key(IF_MATCH);
        let is_call = openapi::takes(request.method(), path).is_some();
        if has_condition && !is_guarded && is_call {
            let detail = "this call takes no If-Match";
            return Refused::new(ErrorCode::Invalid, detail)
                .at("If-Match")
                .into_response();
        }
        return next.run(request).await;
    }
    let known = tags(request.headers(), &IF_NONE_MATCH);
    let response = next.run(request).await;
    if response.status() != StatusCode::OK || !is_json(&response) {
        return response;
    }
    tagged(response, known.as_deref()).await
}

/// The answer is whole and in memory: streams are no JSON.
async fn tagged(response: Response, known: Option<&[Tag]>) -> Response {
    let (mut parts, body) = response.into_parts();
    let Ok(body) = to_bytes(body, usize::MAX).await else {
        let detail = "the answer was cut off";
        return Refused::new(ErrorCode::Internal, detail).into_response();
    };
    let hash = short_hash(&body);
    let text = match parts.extensions.get::<Edited>() {
        Some(Edited(edition)) => format!("{edition}-{hash}"),
        None => hash,
    };
    if let Ok(value) = HeaderValue::try_from(format!("\"{text}\"")) {
        parts.headers.insert(ETAG, value);
    }
    let is_known = |tag: &Tag| match tag {
        Tag::Any => true,
        Tag::Strong(known) | Tag::Weak(known) => *known == text,
    };
    if known.is_some_and(|known| known.iter().any(is_known)) {
        parts.status = StatusCode::NOT_MODIFIED;
        parts.headers.remove(CONTENT_TYPE);
        parts.headers.remove(CONTENT_LENGTH);
        return Response::from_parts(parts, Body::empty());
    }
    Response::from_parts(parts, Body::from(body))
}

fn is_json(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"))
}

/// Which editions an edit is meant for. Without the header, any.
#[derive(Debug)]
pub(crate) struct IfMatch(pub(crate) Expected);

impl<S: Send + Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Refused> {
        let Some(tags) = tags(&parts.headers, &IF_MATCH) else {
            return Ok(IfMatch(Expected::Any));
        };
        if tags.contains(&Tag::Any) {
            return Ok(IfMatch(Expected::Any));
        }
        let editions = tags.iter().filter_map(|tag| match tag {
            // The edition is what stands before the hash of the answer.
            Tag::Strong(text) => Some(Edition::read(text.split('-').next().unwrap_or(text))),
            // A weak tag promises too little to edit by.
            Tag::Weak(_) | Tag::Any => None,
        });
        Ok(IfMatch(Expected::OneOf(editions.collect())))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Tag {
    /// `*`
    Any,
    Strong(String),
    Weak(String),
}

/// The tags of all headers of this name; none where there is no such header. What is no tag is like
/// no tag.
fn tags(headers: &HeaderMap, name: &HeaderName) -> Option<Vec<Tag>> {
    if !headers.contains_key(name) {
        return None;
    }
    let mut tags = Vec::new();
    for value in headers.get_all(name) {
        let mut rest = value.to_str().unwrap_or("").trim();
        while !rest.is_empty() {
            let Some((tag, after)) = first_tag(rest) else {
                break;
            };
            tags.push(tag);
            rest = after.trim_start().trim_start_matches([',', ' ', '\t']);
        }
    }
    Some(tags)
}

/// A tag may hold commas, so a list is not split at them.
fn first_tag(text: &str) -> Option<(Tag, &str)> {
    if let Some(rest) = text.strip_prefix('*') {
        return Some((Tag::Any, rest));
    }
    let (weak, text) = match text.strip_prefix("W/") {
        Some(text) => (true, text),
        None => (false, text),
    };
    let (tag, rest) = text.strip_prefix('"')?.split_once('"')?;
    let tag = tag.to_owned();
    Some((
        if weak {
            Tag::Weak(tag)
        } else {
            Tag::Strong(tag)
        },
        rest,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(values: &[&str]) -> Option<Vec<Tag>> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(IF_MATCH, HeaderValue::from_str(value).unwrap());
        }
        tags(&headers, &IF_MATCH)
    }

    #[test]
    fn tags_are_read_as_lists_weak_and_strong_and_nothing_else() {
        let strong = |text: &str| Tag::Strong(text.to_owned());
        assert_eq!(read(&[]), None);
        assert_eq!(read(&["*"]), Some(vec![Tag::Any]));
        assert_eq!(
            read(&[r#""a,b", W/"c""#, r#""d","#]),
            Some(vec![strong("a,b"), Tag::Weak("c".to_owned()), strong("d")])
        );
        for nonsense in ["3", "\"open", "w/\"a\"", ""] {
            assert_eq!(read(&[nonsense]), Some(vec![]), "{nonsense}");
        }
    }
}
