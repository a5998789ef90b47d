//! Words of a closed list, so that the help names them and a typo is told.

use std::ops::{Bound, RangeBounds};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use jiff::{Span, SpanRelativeTo, Timestamp};
use serde::de::DeserializeOwned;
use serde_json::Value;
use workmill_core::failure::Reason;
use workmill_core::graph::GraphStatus;
use workmill_core::lifecycle::State;
use workmill_core::list::Order;
use workmill_core::moment::A_MOMENT;
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

/// Reads a time that does not depend on the current one.
pub(super) fn exact_moment(text: &str) -> Result<Timestamp, String> {
    let moment = text.parse();
    moment.map_err(|_| format!("`{text}` is not {A_MOMENT}"))
}

/// Reads whole numbers of a range.
pub(super) fn whole<T>(
    range: impl RangeBounds<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: Copy + Into<i128> + TryFrom<i128>,
{
    let least = match range.start_bound() {
        Bound::Included(&least) => least.into(),
        Bound::Excluded(&least) => least.into() + 1,
        Bound::Unbounded => i128::MIN,
    };
    let most = match range.end_bound() {
        Bound::Included(&most) => Some(most.into()),
        Bound::Excluded(&most) => Some(most.into() - 1),
        Bound::Unbounded => None,
    };
    move |text| {
        let is_in_range =
            |number: &i128| *number >= least && most.is_none_or(|most| *number <= most);
        let number = text.parse().ok().filter(is_in_range);
        let number = number.ok_or_else(|| match most {
            Some(most) => format!("`{text}` is not a whole number between {least} and {most}"),
            None => format!("`{text}` is not a whole number from {least} on"),
        })?;
        T::try_from(number).map_err(|_| format!("`{text}` is too large"))
    }
}

/// Reads an amount of money.
pub(super) fn dollars(text: &str) -> Result<f64, String> {
    let dollars = text.parse().ok();
    let dollars = dollars.filter(|dollars: &f64| dollars.is_finite());
    dollars.ok_or_else(|| format!("`{text}` is not a number of dollars"))
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
    fn a_number_that_cannot_be_is_refused_in_plain_words() {
        let limit = whole::<u16>(1..=500);
        assert_eq!(limit("500"), Ok(500));
        for bad in ["", "x", "0", "501", "1.5", "99999999999999999999"] {
            let said = format!("`{bad}` is not a whole number between 1 and 500");
            assert_eq!(limit(bad), Err(said));
        }
        let epoch = whole::<i32>(1..);
        assert_eq!(epoch("7"), Ok(7));
        assert_eq!(
            epoch("0"),
            Err("`0` is not a whole number from 1 on".to_owned())
        );
        assert_eq!(
            epoch("99999999999"),
            Err("`99999999999` is too large".to_owned())
        );
        assert_eq!(dollars("0.5"), Ok(0.5));
        for bad in ["", "x", "NaN", "inf"] {
            assert_eq!(
                dollars(bad),
                Err(format!("`{bad}` is not a number of dollars"))
            );
        }
    }

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
