//! Money: millionths of a dollar on the inside, dollars with up to six decimals outside.
//!
//! In comes a number of dollars, out goes the same number: nothing is rounded on the way. Sums are
//! whole numbers, so that a thousand cents are ten dollars.

use std::fmt;
use std::str::FromStr;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// An amount of money in millionths of a dollar. It may be negative: what remains of a budget that
/// was overdrawn. Who takes it from outside decides whether that makes sense there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Micros(pub i64);

/// What cannot be an amount of money.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InvalidMoney {
    #[error("`{0}` is not an amount in dollars")]
    NoNumber(String),
    #[error("`{0}` has more than 6 decimals")]
    TooManyDecimals(String),
    #[error("`{0}` is more than a billion dollars")]
    TooLarge(String),
}

impl Micros {
    pub const ZERO: Micros = Micros(0);
    pub const ONE_DOLLAR: Micros = Micros(1_000_000);
    /// The most that is taken from outside: a billion dollars. A 64-bit float, which is what JSON's
    /// numbers become, tells all amounts below it apart.
    pub const LARGEST: Micros = Micros(1_000_000_000 * Micros::ONE_DOLLAR.0);

    /// The amount that a number stands for, as it would be written: 0.1 is a tenth, though no float
    /// is.
    pub fn from_dollars(dollars: f64) -> Result<Micros, InvalidMoney> {
        // Printing a float gives the shortest text that is read back as it, without an exponent.
        dollars.to_string().parse()
    }

    /// The float that is nearest to the amount; `from_dollars` gives the amount back.
    #[expect(
        clippy::cast_precision_loss,
        reason = "exact up to nine billion dollars"
    )]
    pub fn dollars(self) -> f64 {
        self.0 as f64 / Micros::ONE_DOLLAR.0 as f64
    }

    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }

    #[must_use]
    pub const fn saturating_add(self, other: Micros) -> Micros {
        Micros(self.0.saturating_add(other.0))
    }

    #[must_use]
    pub const fn saturating_sub(self, other: Micros) -> Micros {
        Micros(self.0.saturating_sub(other.0))
    }
}

impl FromStr for Micros {
    type Err = InvalidMoney;

    /// Dollars as a plain decimal number: `12`, `0.5`, `-0.000001`.
    fn from_str(text: &str) -> Result<Self, InvalidMoney> {
        let no_number = || InvalidMoney::NoNumber(text.to_owned());
        let (is_negative, amount) = match text.strip_prefix('-') {
            Some(amount) => (true, amount),
            None => (false, text),
        };
        let (whole, decimals) = amount.split_once('.').unwrap_or((amount, "0"));
        let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if !is_digits(whole) || !is_digits(decimals) {
            return Err(no_number());
        }
        let decimals = decimals.trim_end_matches('0');
        if decimals.len() > 6 {
            return Err(InvalidMoney::TooManyDecimals(text.to_owned()));
        }
        let micros = format!("{whole}{decimals:0<6}")
            .parse::<i64>()
            .ok()
            .filter(|micros| *micros <= Micros::LARGEST.0)
            .ok_or_else(|| InvalidMoney::TooLarge(text.to_owned()))?;
        Ok(Micros(if is_negative { -micros } else { micros }))
    }
}

/// For people: `$1.50`, `$0.000001`, `-$12.00`.
impl fmt::Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = Micros::ONE_DOLLAR.0.unsigned_abs();
        let (whole, millionths) = (self.0.unsigned_abs() / one, self.0.unsigned_abs() % one);
        let decimals = format!("{millionths:06}");
        let shown = decimals.trim_end_matches('0').len().max(2);
        let sign = if self.is_negative() { "-" } else { "" };
        f.pad(&format!("{sign}${whole}.{}", &decimals[..shown]))
    }
}

impl Serialize for Micros {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.dollars())
    }
}

impl<'de> Deserialize<'de> for Micros {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Dollars;

        impl Visitor<'_> for Dollars {
            type Value = Micros;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of dollars with up to 6 decimals")
            }

            fn visit_f64<E: serde::de::Error>(self, dollars: f64) -> Result<Micros, E> {
                Micros::from_dollars(dollars).map_err(E::custom)
            }

            fn visit_u64<E: serde::de::Error>(self, dollars: u64) -> Result<Micros, E> {
                dollars.to_string().parse().map_err(E::custom)
            }

            fn visit_i64<E: serde::de::Error>(self, dollars: i64) -> Result<Micros, E> {
                dollars.to_string().parse().map_err(E::custom)
            }
        }

        deserializer.deserialize_any(Dollars)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Micros, String> {
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    /// F-4
    #[test]
    fn dollars_are_read_and_written_without_rounding() {
        for (json, micros) in [
            ("0", 0),
            ("0.5", 500_000),
            ("0.1", 100_000),
            ("1e-6", 1),
            ("0.000001", 1),
            ("45", 45_000_000),
            ("45.00", 45_000_000),
            ("999999999.999999", 999_999_999_999_999),
            ("1e9", Micros::LARGEST.0),
            ("-0.25", -250_000),
        ] {
            assert_eq!(read(json), Ok(Micros(micros)), "{json}");
        }
    }

    #[test]
    fn what_is_written_is_read_back_as_it_was() {
        // Multiplying by a number without a common divisor scatters the amounts over the range.
        let scattered = (0..20_000_i64).map(|at| at * 7_919_000_003 % Micros::LARGEST.0);
        for micros in scattered.chain(0..2_000).chain([Micros::LARGEST.0]) {
            for money in [Micros(micros), Micros(-micros)] {
                let json = serde_json::to_string(&money).unwrap();
                assert_eq!(read(&json), Ok(money), "{json}");
            }
        }
    }

    #[test]
    fn more_than_six_decimals_a_billion_dollars_or_no_number_at_all_is_refused() {
        for (json, problem) in [
            ("0.0000001", "more than 6 decimals"),
            ("0.1234567", "more than 6 decimals"),
            ("1000000000.01", "more than a billion dollars"),
            ("1e300", "more than a billion dollars"),
            ("18446744073709551615", "more than a billion dollars"),
            ("\"0.5\"", "a number of dollars with up to 6 decimals"),
            ("null", "a number of dollars with up to 6 decimals"),
        ] {
            let refusal = read(json).unwrap_err();
            assert!(refusal.contains(problem), "{json}: {refusal}");
        }
        for text in ["", ".", "1.", ".5", "1e3", "$1", "1,50", "+1", "--1", "NaN"] {
            assert!(matches!(
                text.parse::<Micros>(),
                Err(InvalidMoney::NoNumber(_))
            ));
        }
        assert!(Micros::from_dollars(f64::NAN).is_err());
        assert!(Micros::from_dollars(f64::INFINITY).is_err());
    }

    #[test]
    fn people_read_dollars_and_cents_and_as_many_decimals_as_there_are() {
        for (micros, text) in [
            (0, "$0.00"),
            (1_500_000, "$1.50"),
            (1, "$0.000001"),
            (120_000, "$0.12"),
            (12_000_000, "$12.00"),
            (-12_345_000, "-$12.345"),
            (i64::MIN, "-$9223372036854.775808"),
        ] {
            assert_eq!(Micros(micros).to_string(), text);
        }
    }

    #[test]
    fn sums_stay_at_the_ends_of_the_range() {
        let cents = [Micros(10_000); 1_000].into_iter();
        assert_eq!(
            cents.fold(Micros::ZERO, Micros::saturating_add),
            Micros(10_000_000)
        );
        assert_eq!(Micros(i64::MAX).saturating_add(Micros(1)).0, i64::MAX);
        assert_eq!(Micros(i64::MIN).saturating_sub(Micros(1)).0, i64::MIN);
        assert!(Micros::ZERO.saturating_sub(Micros(1)).is_negative());
    }
}
