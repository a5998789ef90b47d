//! Priority: 0 (critical) to 100 (background), smaller first, and the five classes by name. Tasks of
//! the `task` profile may have any integer: their source has no scale.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;
use utoipa::ToSchema;

/// The five tiers of priority. Limits and metrics use the class.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    Critical,
    High,
    Normal,
    Low,
    Background,
}

impl Class {
    pub const ALL: [Class; 5] = [
        Class::Critical,
        Class::High,
        Class::Normal,
        Class::Low,
        Class::Background,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Class::Critical => "critical",
            Class::High => "high",
            Class::Normal => "normal",
            Class::Low => "low",
            Class::Background => "background",
        }
    }

    /// The priority that a class name stands for.
    pub const fn base(self) -> Priority {
        Priority(match self {
            Class::Critical => 5,
            Class::High => 20,
            Class::Normal => 45,
            Class::Low => 70,
            Class::Background => 90,
        })
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A base priority. On the scale, it is between 0 and 100.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Priority(i32);

/// Neither an integer nor the name of a class.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "`{0}` is not a priority: a whole number, usually from 0 (first) to 100 (last), or critical, high, \
     normal, low or background"
)]
pub struct InvalidPriority(pub String);

impl Priority {
    pub fn new(value: i64) -> Result<Self, InvalidPriority> {
        i32::try_from(value)
            .map(Priority)
            .map_err(|_| InvalidPriority(value.to_string()))
    }

    pub const fn value(self) -> i32 {
        self.0
    }

    /// Returns whether it is on the scale that all profiles but `task` keep to.
    pub const fn is_on_the_scale(self) -> bool {
        matches!(self.0, 0..=100)
    }

    pub const fn class(self) -> Class {
        match self.0 {
            ..=9 => Class::Critical,
            10..=29 => Class::High,
            30..=59 => Class::Normal,
            60..=79 => Class::Low,
            _ => Class::Background,
        }
    }
}

impl Default for Priority {
    /// The middle of the scale, as the factory's schema has it; it is of class `normal`.
    fn default() -> Self {
        Priority(50)
    }
}

impl std::str::FromStr for Priority {
    type Err = InvalidPriority;

    fn from_str(text: &str) -> Result<Self, InvalidPriority> {
        match Class::ALL.into_iter().find(|class| class.name() == text) {
            Some(class) => Ok(class.base()),
            None => text
                .parse()
                .map_err(|_| InvalidPriority(text.to_owned()))
                .and_then(Priority::new),
        }
    }
}

impl Serialize for Priority {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i32(self.0)
    }
}

impl<'de> Deserialize<'de> for Priority {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(
            untagged,
            expecting = "expected a whole number, critical, high, normal, low or background"
        )]
        enum NumberOrName {
            // JSON does not tell 45.0 from 45.
            Number(f64),
            Name(Class),
        }
        match NumberOrName::deserialize(deserializer)? {
            NumberOrName::Number(number) => whole(number)
                .map(Priority)
                .ok_or_else(|| serde::de::Error::custom(InvalidPriority(number.to_string()))),
            NumberOrName::Name(class) => Ok(class.base()),
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "compared afterwards")]
fn whole(number: f64) -> Option<i32> {
    let whole = number as i32;
    f64::from(whole).total_cmp(&number).is_eq().then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// F-14
    #[test]
    fn tiers_have_their_ranges_and_can_be_named() {
        for (value, class) in [
            (0, Class::Critical),
            (9, Class::Critical),
            (10, Class::High),
            (29, Class::High),
            (30, Class::Normal),
            (59, Class::Normal),
            (60, Class::Low),
            (79, Class::Low),
            (80, Class::Background),
            (100, Class::Background),
        ] {
            assert_eq!(Priority::new(value).unwrap().class(), class, "{value}");
        }
        for class in Class::ALL {
            assert_eq!(class.name().parse::<Priority>().unwrap().class(), class);
        }
        for (value, class) in [(-7, Class::Critical), (2_000_000_000, Class::Background)] {
            let beyond = Priority::new(value).unwrap();
            assert_eq!(beyond.class(), class);
            assert!(!beyond.is_on_the_scale());
        }
        assert!(Priority::new(3_000_000_000).is_err());
        assert!("urgent".parse::<Priority>().is_err());
    }

    #[test]
    fn json_has_a_number_or_the_name_of_a_class() {
        let read = |json| serde_json::from_str::<Priority>(json).ok();
        for json in ["45", "45.0", "\"normal\""] {
            assert_eq!(read(json), Some(Priority(45)), "{json}");
        }
        assert_eq!(read("-3"), Some(Priority(-3)));
        for json in ["3e9", "45.5", "1e99", "\"45\"", "\"Normal\"", "null"] {
            assert_eq!(read(json), None, "{json}");
        }
    }
}
