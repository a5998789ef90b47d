//! Reading queries strictly: what is not understood is refused by name.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use workmill_core::plain_words::in_plain_words;
use workmill_protocol::error::ErrorCode;

use crate::discretion::without_value;
use crate::problem::Refused;

/// What stands behind the question mark, as this type. The type has to deny unknown fields.
#[derive(Debug)]
pub(crate) struct Asked<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Refused> {
        match Query::try_from_uri(&parts.uri) {
            Ok(Query(asked)) => Ok(Asked(asked)),
            Err(error) => Err(refuse(&error.body_text())),
        }
    }
}

fn refuse(problem: &str) -> Refused {
    let told = in_plain_words(&without_value(problem));
    let refused = Refused::new(ErrorCode::Invalid, told);
    let unknown = problem.split_once("unknown field `");
    match unknown.and_then(|(_, rest)| rest.split_once('`')) {
        Some((field, _)) => refused.at(field),
        None => refused,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_member_of_a_query_is_named() {
        let refused = refuse("failed: unknown field `colour`, expected one of `a`, `b`");
        assert_eq!(refused.0.field.as_deref(), Some("colour"));
        assert_eq!(refuse("limit: invalid digit").0.field, None);
    }
}
