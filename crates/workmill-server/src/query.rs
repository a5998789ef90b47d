//! Reading queries strictly: what is not understood is refused by name.

use std::error::Error;

use axum::extract::{FromRequestParts, Query};
use axum::http::Uri;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use workmill_core::plain_words::in_discreet_words;
use workmill_protocol::error::ErrorCode;

use crate::problem::Refused;

/// What stands behind the question mark, as this type. The type has to deny unknown fields.
#[derive(Debug)]
pub(crate) struct Asked<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Refused> {
        match Query::try_from_uri(&parts.uri) {
            Ok(Query(asked)) => Ok(Asked(asked)),
            Err(error) => {
                // The error itself only says that a query could not be read.
                let cause = error.source().map(ToString::to_string);
                Err(refuse(&cause.unwrap_or_else(|| error.body_text())))
            }
        }
    }
}

/// Refuses a query where none is taken.
pub(crate) fn refuse_query(uri: &Uri) -> Result<(), Refused> {
    let asked = Query::<Vec<(String, String)>>::try_from_uri(uri);
    let first = asked.ok().and_then(|Query(asked)| asked.into_iter().next());
    match first {
        Some((field, _)) => {
            let detail = format!("this call takes no query: there is no field `{field}`");
            Err(Refused::new(ErrorCode::Invalid, detail).at(field))
        }
        None => Ok(()),
    }
}

/// `problem` is what serde says, behind the name of the field if that was read.
fn refuse(problem: &str) -> Refused {
    let is_name = |text: &str| {
        text.bytes()
            .all(|letter| letter.is_ascii_lowercase() || letter == b'_')
    };
    let (field, problem) = match problem.split_once(": ") {
        Some((field, problem)) if is_name(field) => (Some(field), problem),
        _ => (None, problem),
    };
    let field = field.or_else(|| {
        let named = problem.split_once(" field `");
        named.and_then(|(_, rest)| Some(rest.split_once('`')?.0))
    });
    let refused = Refused::new(ErrorCode::Invalid, in_discreet_words(problem));
    match field {
        Some(field) => refused.at(field),
        None => refused,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_that_is_unknown_or_cannot_be_read_is_named() {
        for (problem, field, said) in [
            (
                "unknown field `colour`, expected one of `a`, `b`",
                Some("colour"),
                "there is no field `colour`",
            ),
            (
                "limit: invalid digit found in string",
                Some("limit"),
                "expected a whole number",
            ),
            ("invalid escape: x", None, "invalid escape: x"),
        ] {
            let refused = refuse(problem);
            assert_eq!(refused.0.field.as_deref(), field);
            assert_eq!(refused.0.detail, said);
        }
    }
}
