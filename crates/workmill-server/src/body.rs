//! Reading request bodies strictly: what is not understood is refused by name.

use axum::body::HttpBody;
use axum::extract::{FromRequest, Request};
use futures_util::TryStreamExt;
use serde::de::DeserializeOwned;
use workmill_engine::strict;
use workmill_protocol::error::ErrorCode;

use crate::discretion::without_value;
use crate::problem::Refused;
use crate::room::Place;

/// The largest body of any call.
pub(crate) const LARGEST_BODY: usize = 64 * 1024 * 1024;

/// A body of this type, and nothing that the type does not know.
#[derive(Debug)]
pub(crate) struct Strict<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Strict<T> {
    type Rejection = Refused;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Refused> {
        parse(&read(request).await?).map(Strict)
    }
}

/// The body as it came, for routes that look before they read.
#[derive(Debug)]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

impl<S: Send + Sync> FromRequest<S> for Bytes {
    type Rejection = Refused;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Refused> {
        read(request).await.map(Bytes)
    }
}

/// Takes room before it takes in what comes: at once for a body that says how large it is, piece by
/// piece for others.
async fn read(request: Request) -> Result<Vec<u8>, Refused> {
    let (parts, body) = request.into_parts();
    let Some(place) = parts.extensions.get::<Place>() else {
        return Err(Refused::new(
            ErrorCode::Internal,
            "no body is expected here",
        ));
    };
    let announced = body.size_hint().exact();
    let announced = announced.map_or(0, |bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
    check_size(announced)?;
    let mut pieces = body.into_data_stream();
    if let Err(refused) = place.take(announced).await {
        // Who is still sending would not see the answer.
        while let Ok(Some(_)) = pieces.try_next().await {}
        return Err(refused);
    }
    let mut bytes = Vec::with_capacity(announced);
    loop {
        match pieces.try_next().await {
            Ok(None) => return Ok(bytes),
            Ok(Some(piece)) => {
                let size = bytes.len() + piece.len();
                check_size(size)?;
                place.take(size).await?;
                bytes.extend_from_slice(&piece);
            }
            Err(error) => {
                let detail = format!("the body could not be read: {error}");
                return Err(Refused::new(ErrorCode::Invalid, detail));
            }
        }
    }
}

fn check_size(bytes: usize) -> Result<(), Refused> {
    if bytes > LARGEST_BODY {
        let detail = format!("the body is over {LARGEST_BODY} bytes");
        return Err(Refused::new(ErrorCode::TooLarge, detail));
    }
    Ok(())
}

/// An empty body reads as `{}`.
pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Refused> {
    let bytes = if bytes.is_empty() { b"{}" } else { bytes };
    strict::read(bytes).map_err(|unreadable| {
        let problem = without_value(&unreadable.problem);
        let Some(field) = unreadable.field else {
            let detail = format!("the body is not what is expected: {problem}");
            return Refused::new(ErrorCode::Invalid, detail);
        };
        Refused::new(ErrorCode::Invalid, problem).at(field)
    })
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
        assert!(problem(" [\"name\"]").detail.contains("an object"));
        assert!(
            problem(r#"{"title": 7}"#)
                .detail
                .contains("expected a string")
        );
    }
}
