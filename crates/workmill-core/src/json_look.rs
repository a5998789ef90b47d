//! Looking at JSON without keeping it.

use std::cell::Cell;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::exact::Exact;
use crate::read_state::ReadState;

/// For the names of the members of the objects around one place of a text.
const LARGEST_NAMES: usize = 16 * 1024 * 1024;

/// Whether JSON that is kept as it came could be read at all: how deep it goes is bounded, and no
/// member is there twice. The values are looked at and not kept.
pub fn check(json: &RawValue) -> Result<(), serde_json::Error> {
    let mut reading = serde_json::Deserializer::from_str(json.get());
    let state = ReadState::look(LARGEST_NAMES);
    Looked::deserialize(Exact::new(&mut reading, &state)).map(drop)
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

/// Any JSON, of which nothing is kept.
struct Looked;

impl<'de> Deserialize<'de> for Looked {
    fn deserialize<D: Deserializer<'de>>(value: D) -> Result<Self, D::Error> {
        value.deserialize_any(Looked)
    }
}

macro_rules! look {
    ($($method:ident: $type:ty;)*) => {
        $(fn $method<E: Error>(self, _: $type) -> Result<Looked, E> {
            Ok(Looked)
        })*
    };
}

impl<'de> Visitor<'de> for Looked {
    type Value = Looked;

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

    fn visit_unit<E: Error>(self) -> Result<Looked, E> {
        Ok(Looked)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Looked, A::Error> {
        while items.next_element::<Looked>()?.is_some() {}
        Ok(Looked)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Looked, A::Error> {
        while members.next_entry::<IgnoredAny, Looked>()?.is_some() {}
        Ok(Looked)
    }
}
