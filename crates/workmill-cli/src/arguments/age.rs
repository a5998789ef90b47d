//! Lengths of time as people write them: `90d`, `12h`, `1h 30m`, `forever`.

use std::str::FromStr;

use jiff::SignedDuration;

/// How long something is kept; `None` is forever.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Age(pub(crate) Option<f64>);

const HOURS_A_DAY: i64 = 24;

impl FromStr for Age {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "forever" {
            return Ok(Age(None));
        }
        let length = length(text)
            .filter(|length| !length.is_negative())
            .ok_or_else(|| format!("`{text}` is no length of time like 90d, 12h or 30m"))?;
        Ok(Age(Some(length.as_secs_f64())))
    }
}

/// A length of time; days have 24 hours here.
pub(crate) fn length(text: &str) -> Option<SignedDuration> {
    let text = text.trim();
    let Some(days) = text.strip_suffix('d').or_else(|| text.strip_suffix("days")) else {
        return text.parse().ok();
    };
    let hours = days.trim().parse::<i64>().ok()?.checked_mul(HOURS_A_DAY)?;
    hours.checked_mul(3600).map(SignedDuration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_of_time_is_read_as_people_write_it() {
        let seconds = |text: &str| text.parse::<Age>().map(|Age(seconds)| seconds);
        assert_eq!(seconds("90d"), Ok(Some(7_776_000.0)));
        assert_eq!(seconds("12h"), Ok(Some(43_200.0)));
        assert_eq!(seconds("1h 30m"), Ok(Some(5_400.0)));
        assert_eq!(seconds("forever"), Ok(None));
        for wrong in ["", "d", "soon", "-1h", "9999999999999999d"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
