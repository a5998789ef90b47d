//! Words of a closed list, so that the help names them and a typo is told.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use jiff::{Span, SpanRelativeTo, Timestamp};
use serde::de::DeserializeOwned;
use serde_json::Value;
use workmill_core::failure::Reason;
use workmill_core::graph::GraphStatus;
use workmill_core::lifecycle::State;
use workmill_core::list::Order;
use workmill_core::priority::Class;

pub(super) fn states() -> impl TypedValueParser<Value = State> {
    one_of(State::ALL.map(State::name))
}

pub(super) fn classes() -> impl TypedValueParser<Value = Class> {
    one_of(Class::ALL.map(Class::name))
}

pub(super) fn reasons() -> impl TypedValueParser<Value = Reason> {
    one_of(Reason::ALL.map(Reason::name))
}

pub(super) fn orders() -> impl TypedValueParser<Value = Order> {
    one_of(Order::ALL.map(Order::name))
}

pub(super) fn graph_statuses() -> impl TypedValueParser<Value = GraphStatus> {
    one_of(GraphStatus::ALL.map(GraphStatus::name))
}

/// Reads a moment, or how long ago it was.
pub(super) fn past_moment(text: &str) -> Result<Timestamp, String> {
    if let Ok(moment) = text.parse() {
        return Ok(moment);
    }
    let ago = || {
        let span: Span = text.parse().ok()?;
        let ago = span.to_duration(SpanRelativeTo::days_are_24_hours()).ok()?;
        if ago.is_negative() {
            return None;
        }
        Timestamp::now().checked_sub(ago).ok()
    };
    ago().ok_or_else(|| "a time is like 90s, 15m, 1h, 2d or 2027-01-15T08:00:00Z".to_owned())
}

/// The names are those that the type has in JSON.
pub(super) fn one_of<T, const N: usize>(
    names: [&'static str; N],
) -> impl TypedValueParser<Value = T>
where
    T: DeserializeOwned + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(names)
        .try_map(|name| serde_json::from_value::<T>(Value::String(name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::SignedDuration;

    #[test]
    fn a_moment_is_a_time_or_how_long_ago_it_was() {
        let exact = past_moment("2027-01-15T08:00:00Z").map(|moment| moment.to_string());
        assert_eq!(exact.as_deref(), Ok("2027-01-15T08:00:00Z"));
        for (text, seconds) in [
            ("90s", 90),
            ("15m", 900),
            ("1h", 3600),
            ("1h 30m", 5400),
            ("2d", 172_800),
            ("1w", 604_800),
        ] {
            let ago = Timestamp::now().duration_since(past_moment(text).unwrap());
            let off = ago - SignedDuration::from_secs(seconds);
            assert!(off.abs() < SignedDuration::from_secs(60), "{text}: {ago}");
        }
        for bad in ["", "1", "yesterday", "-1h", "1y"] {
            assert!(past_moment(bad).is_err(), "{bad}");
        }
    }
}
