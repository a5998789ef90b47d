//! Reading request bodies strictly: what is not understood is refused by name.

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest, Request};
use serde::de::DeserializeOwned;
use workmill_core::exact::Exact;
use workmill_protocol::error::ErrorCode;

use crate::problem::Refused;

/// The largest body of any call.
pub(crate) const LARGEST_BODY: usize = 64 * 1024 * 1024;

/// A body of this type, and nothing that the type does not know.
#[derive(Debug)]
pub(crate) struct Strict<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Strict<T> {
    type Rejection = Refused;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Refused> {
        parse(&read(request.into_body()).await?).map(Strict)
    }
}

/// The body as it came, for routes that look before they read.
#[derive(Debug)]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

impl<S: Send + Sync> FromRequest<S> for Bytes {
    type Rejection = Refused;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Refused> {
        read(request.into_body()).await.map(Bytes)
    }
}

async fn read(body: Body) -> Result<Vec<u8>, Refused> {
    match to_bytes(body, LARGEST_BODY).await {
        Ok(bytes) => Ok(bytes.into()),
        Err(error) => {
            let detail =
                format!("the body could not be read or is over {LARGEST_BODY} bytes: {error}");
            Err(Refused::new(ErrorCode::TooLarge, detail))
        }
    }
}

/// An empty body reads as `{}`.
pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Refused> {
    let bytes = if bytes.is_empty() { b"{}" } else { bytes };
    let mut unknown = Vec::new();
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = serde_ignored::deserialize(Exact(&mut json), |path| {
        // What may be left out is a step of its own on the way, which nobody has written.
        unknown.push(path.to_string().replace(".?", ""));
    });
    let value = value
        .and_then(|value| json.end().map(|()| value))
        .map_err(|error| {
            Refused::new(
                ErrorCode::Invalid,
                format!("the body is not what is expected: {error}"),
            )
        })?;
    match unknown.into_iter().next() {
        None => Ok(value),
        Some(field) => {
            let detail = format!("there is no field `{field}`");
            Err(Refused::new(ErrorCode::Invalid, detail).at(field))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use workmill_core::task::NewTask;

    fn problem(body: &str) -> workmill_protocol::error::Problem {
        *parse::<NewTask>(body.as_bytes()).unwrap_err().0
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
                .ends_with("line 2 column 12")
        );
        assert!(problem("{} {}").detail.contains("trailing"));
        assert!(
            problem(r#"{"title": 7}"#)
                .detail
                .contains("expected a string")
        );
    }
}
