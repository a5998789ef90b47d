//! Lists and maps of requests, bounded while they are read.
//!
//! A count that is checked after parsing is checked too late: millions of empty items fit into a small
//! body. [`up_to`] stops at the first item beyond the bound, so a list never takes more memory than its
//! bound allows. Every list of every request uses it; a test of the server walks the OpenAPI document and
//! fails for a list that does not.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// Tasks in one call.
pub const MOST_TASKS: usize = 10_000;
/// Words of a kind on one task or agent: tags, labels, capabilities, models.
pub const MOST_WORDS: usize = 100;
/// Locks of one task.
pub const MOST_LOCKS: usize = 50;
/// Dependencies of one task.
pub const MOST_DEPENDENCIES: usize = 10_000;
/// Steps of one line of a planner's list.
pub const MOST_STEPS: usize = 1_000;
/// Words of a fixed vocabulary: reasons, statuses.
pub const MOST_CHOICES: usize = 50;
/// Leases in one call.
pub const MOST_LEASES: usize = 1_000;
/// Models in one report of usage.
pub const MOST_MODELS: usize = 32;

/// Reads a list or map of at most `MOST` items: `#[serde(deserialize_with = "up_to::<100, _, _>")]`.
pub fn up_to<'de, const MOST: usize, L: Bounded<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<L, D::Error> {
    L::read_up_to(MOST, deserializer)
}

/// A collection that can be read up to a bound.
pub trait Bounded<'de>: Sized {
    fn read_up_to<D: Deserializer<'de>>(most: usize, deserializer: D) -> Result<Self, D::Error>;
}

fn too_many<E: Error>(most: usize) -> E {
    E::custom(format_args!("at most {most}"))
}

impl<'de, T: Deserialize<'de>> Bounded<'de> for Vec<T> {
    fn read_up_to<D: Deserializer<'de>>(most: usize, deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ListVisitor(most, PhantomData))
    }
}

struct ListVisitor<T>(usize, PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ListVisitor<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of at most {}", self.0)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while list.len() < self.0 {
            match items.next_element()? {
                Some(item) => list.push(item),
                None => return Ok(list),
            }
        }
        match items.next_element_seed(Beyond)? {
            None => Ok(list),
            Some(()) => Err(too_many(self.0)),
        }
    }
}

/// The item beyond the bound. It is not read, nor ignored: what is ignored is reported as an unknown
/// field.
struct Beyond;

impl<'de> DeserializeSeed<'de> for Beyond {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, _: D) -> Result<(), D::Error> {
        Ok(())
    }
}

impl<'de, K: Deserialize<'de> + Ord, V: Deserialize<'de>> Bounded<'de> for BTreeMap<K, V> {
    fn read_up_to<D: Deserializer<'de>>(most: usize, deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MapVisitor(most, PhantomData))
    }
}

struct MapVisitor<K, V>(usize, PhantomData<(K, V)>);

impl<'de, K: Deserialize<'de> + Ord, V: Deserialize<'de>> Visitor<'de> for MapVisitor<K, V> {
    type Value = BTreeMap<K, V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object of at most {} members", self.0)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut map = BTreeMap::new();
        while let Some(name) = members.next_key()? {
            if map.len() == self.0 {
                return Err(too_many(self.0));
            }
            map.insert(name, members.next_value()?);
        }
        Ok(map)
    }
}

impl<'de, L: Bounded<'de>> Bounded<'de> for Option<L> {
    fn read_up_to<D: Deserializer<'de>>(most: usize, deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_option(OptionVisitor(most, PhantomData))
    }
}

struct OptionVisitor<L>(usize, PhantomData<L>);

impl<'de, L: Bounded<'de>> Visitor<'de> for OptionVisitor<L> {
    type Value = Option<L>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "null or at most {} items", self.0)
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, items: D) -> Result<Self::Value, D::Error> {
        L::read_up_to(self.0, items).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Default, Deserialize)]
    #[serde(default)]
    struct Lists {
        #[serde(deserialize_with = "up_to::<2, _, _>")]
        list: Vec<u8>,
        #[serde(deserialize_with = "up_to::<2, _, _>")]
        perhaps: Option<Vec<u8>>,
        #[serde(deserialize_with = "up_to::<2, _, _>")]
        map: BTreeMap<String, u8>,
    }

    #[test]
    fn a_list_is_read_up_to_its_bound_and_not_one_item_further() {
        let read = |json: &str| serde_json::from_str::<Lists>(json);
        let full = r#"{"list": [1, 2], "perhaps": [1, 2], "map": {"a": 1, "b": 2}}"#;
        assert_eq!(read(full).unwrap().perhaps, Some(vec![1, 2]));
        assert_eq!(read("{}").unwrap(), Lists::default());
        assert_eq!(read(r#"{"perhaps": null}"#).unwrap().perhaps, None);
        for over in [
            // The item beyond the bound is not read, nor what follows it: it is no JSON.
            r#"{"list": [1, 2, 3, "#,
            r#"{"list": [1, 2, nothing"#,
            r#"{"perhaps": [1, 2, 3, "#,
            r#"{"map": {"a": 1, "b": 2, "c": "#,
        ] {
            let error = read(over).unwrap_err().to_string();
            assert!(error.starts_with("at most 2 at line 1"), "{over}: {error}");
        }
    }
}
