//! Looking at JSON without keeping it.

use std::cell::Cell;
use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::exact::Exact;
use crate::read_state::ReadState;

/// For the names of the members of the objects around one place of a text.
const LARGEST_NAMES: usize = 16 * 1024 * 1024;

/// Whether JSON that is kept as it came could be read at all: how deep it goes is bounded, and no
/// member is there twice. The values are looked at and not kept.
pub fn check(json: &RawValue) -> Result<(), serde_json::Error> {
    check_up_to(json, usize::MAX)
}

/// The same, where values must not be nested deeper than this.
pub fn check_up_to(json: &RawValue, deepest: usize) -> Result<(), serde_json::Error> {
    let mut reading = serde_json::Deserializer::from_str(json.get());
    let state = ReadState::look(LARGEST_NAMES);
    let look = Looking {
        deepest,
        left: deepest,
    };
    look.deserialize(Exact::new(&mut reading, &state))
}

/// Whether two texts say the same: the order of the members of an object does not matter. Values are
/// compared by a hash, so nothing of them is kept.
pub fn is_same(one: &RawValue, other: &RawValue) -> bool {
    if one.get() == other.get() {
        return true;
    }
    let keys = RandomState::new();
    let hash = |json: &RawValue| {
        let mut reading = serde_json::Deserializer::from_str(json.get());
        Hashing(&keys).deserialize(&mut reading).ok()
    };
    hash(one).is_some_and(|hashed| Some(hashed) == hash(other))
}

/// Reads any JSON and answers its hash.
#[derive(Clone, Copy)]
struct Hashing<'a>(&'a RandomState);

impl<'de> DeserializeSeed<'de> for Hashing<'_> {
    type Value = u64;

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<u64, D::Error> {
        value.deserialize_any(self)
    }
}

macro_rules! hash {
    ($($method:ident: $type:ty, $kind:literal, $hashed:expr;)*) => {
        $(fn $method<E: Error>(self, value: $type) -> Result<u64, E> {
            let hashed: fn($type) -> _ = $hashed;
            Ok(self.0.hash_one(($kind, hashed(value))))
        })*
    };
}

impl<'de> Visitor<'de> for Hashing<'_> {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON")
    }

    hash! {
        visit_bool: bool, 1, |value| value;
        visit_i64: i64, 2, |value| i128::from(value);
        visit_u64: u64, 2, |value| i128::from(value);
        // Zero is zero with either sign.
        visit_f64: f64, 3, |value| if value == 0.0 { 0 } else { value.to_bits() };
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<u64, E> {
        Ok(self.0.hash_one((4, value)))
    }

    fn visit_unit<E: Error>(self) -> Result<u64, E> {
        Ok(self.0.hash_one(0))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<u64, A::Error> {
        let mut all = self.0.build_hasher();
        while let Some(item) = items.next_element_seed(self)? {
            all.write_u64(item);
        }
        Ok(self.0.hash_one((5, all.finish())))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<u64, A::Error> {
        // A sum, for the members come in any order.
        let (mut all, mut count) = (0_u64, 0_u64);
        while let Some(name) = members.next_key::<String>()? {
            let member = members.next_value_seed(self)?;
            all = all.wrapping_add(self.0.hash_one((name, member)));
            count += 1;
        }
        Ok(self.0.hash_one((6, count, all)))
    }
}

/// Whether a text begins as an object with this member. The text is read up to the member only.
pub fn has_member(json: &[u8], name: &str) -> bool {
    let mut reading = serde_json::Deserializer::from_slice(json);
    let found = Cell::new(false);
    // Ends with an error where the member is.
    let _ = reading.deserialize_map(Finding {
        name,
        found: &found,
    });
    found.get()
}

struct Finding<'a> {
    name: &'a str,
    found: &'a Cell<bool>,
}

impl<'de> Visitor<'de> for Finding<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(name) = members.next_key::<String>()? {
            if name == self.name {
                self.found.set(true);
                return Err(A::Error::custom("found"));
            }
            members.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

/// Reads any JSON, of which nothing is kept.
#[derive(Clone, Copy)]
struct Looking {
    deepest: usize,
    left: usize,
}

impl Looking {
    fn below<E: Error>(self) -> Result<Looking, E> {
        let too_deep = || E::custom(format_args!("nested deeper than {}", self.deepest));
        let left = self.left.checked_sub(1).ok_or_else(too_deep)?;
        Ok(Looking { left, ..self })
    }
}

impl<'de> DeserializeSeed<'de> for Looking {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        value.deserialize_any(self)
    }
}

macro_rules! look {
    ($($method:ident: $type:ty;)*) => {
        $(fn $method<E: Error>(self, _: $type) -> Result<(), E> {
            Ok(())
        })*
    };
}

impl<'de> Visitor<'de> for Looking {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON")
    }

    look! {
        visit_bool: bool;
        visit_i64: i64;
        visit_u64: u64;
        visit_f64: f64;
        visit_str: &str;
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let below = self.below()?;
        while items.next_element_seed(below)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let below = self.below()?;
        while members.next_key::<IgnoredAny>()?.is_some() {
            members.next_value_seed(below)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    #[test]
    fn texts_that_say_the_same_are_the_same_whatever_the_order_of_members() {
        let same = |one: &str, other: &str| is_same(&raw(one), &raw(other));
        assert!(same(
            r#"{"a": [1, {"b": null, "c": "d"}], "e": 0.5}"#,
            r#"{"e":0.5,"a":[1,{"c":"d","b":null}]}"#
        ));
        for (one, other) in [
            ("[1, 2]", "[2, 1]"),
            ("1", "1.0"),
            (r#"{"a": 1}"#, r#"{"a": "1"}"#),
            (r#"{"a": "b"}"#, r#"{"b": "a"}"#),
            ("[]", "{}"),
            ("[[1], 2]", "[[1, 2]]"),
        ] {
            assert!(!same(one, other), "{one} {other}");
        }
    }

    #[test]
    fn json_that_is_nested_deeper_than_asked_for_is_refused() {
        let json = raw(r#"{"a": [{"b": 1}]}"#);
        check_up_to(&json, 3).unwrap();
        let refused = check_up_to(&json, 2).unwrap_err().to_string();
        assert!(refused.starts_with("nested deeper than 2"), "{refused}");
    }
}
