//! Moments as clients write them: whatever cannot be read is refused with an example of what can.

use std::fmt;

use jiff::Timestamp;
use serde::de::{Deserializer, Error, Unexpected, Visitor};

/// What is wanted in the place of something else.
pub const A_MOMENT: &str = "a time like 2027-01-15T08:00:00Z";

/// Reads a moment that may be left out.
pub fn optional<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Timestamp>, D::Error> {
    deserializer.deserialize_option(Optional)
}

struct Optional;

impl<'de> Visitor<'de> for Optional {
    type Value = Option<Timestamp>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(A_MOMENT)
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, value: D) -> Result<Self::Value, D::Error> {
        value.deserialize_str(self)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        let moment = text.parse().map(Some);
        moment.map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
    }
}

#[cfg(test)]
mod tests {
    use crate::plain_words::in_plain_words;
    use crate::task::NewTask;

    #[test]
    fn a_moment_that_cannot_be_read_is_refused_with_an_example() {
        let read = |json: &str| serde_json::from_str::<NewTask>(json);
        let task = read(r#"{"deadline": "2027-01-15T08:00:00Z", "scheduled_for": null}"#).unwrap();
        assert_eq!(task.deadline.unwrap().to_string(), "2027-01-15T08:00:00Z");
        assert_eq!(
            (task.scheduled_for, read("{}").unwrap().deadline),
            (None, None)
        );
        for bad in [r#""soon""#, "7", r#""1h""#] {
            let refused = read(&format!(r#"{{"deadline": {bad}}}"#)).unwrap_err();
            let said = in_plain_words(&refused.to_string());
            assert!(
                said.starts_with("expected a time like 2027-01-15T08:00:00Z"),
                "{said}"
            );
        }
    }
}
