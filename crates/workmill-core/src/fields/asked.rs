//! Asks a type which fields it has at a place: a deserialiser that hands over nothing but the way there
//! and gives up once the type has named the fields that it looks for.

use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor,
};
use serde::forward_to_deserialize_any;

/// `None` if there is no struct at this place.
pub(super) fn fields<T: DeserializeOwned>(path: &[&str]) -> Option<&'static [&'static str]> {
    match T::deserialize(Way(path)) {
        Err(GivenUp { fields }) => fields,
        Ok(_) => None,
    }
}

/// What is left of the way.
#[derive(Clone, Copy)]
struct Way<'a>(&'a [&'a str]);

#[derive(Debug)]
struct GivenUp {
    fields: Option<&'static [&'static str]>,
}

impl fmt::Display for GivenUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nothing is read here")
    }
}

impl std::error::Error for GivenUp {}

impl Error for GivenUp {
    fn custom<M: fmt::Display>(_message: M) -> Self {
        GivenUp { fields: None }
    }
}

impl<'de> Deserializer<'de> for Way<'_> {
    type Error = GivenUp;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, GivenUp> {
        if self.0.is_empty() {
            return Err(GivenUp {
                fields: Some(fields),
            });
        }
        visitor.visit_map(self)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, GivenUp> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, GivenUp> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, GivenUp> {
        visitor.visit_seq(self)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, GivenUp> {
        visitor.visit_map(self)
    }

    /// A type that takes anything knows no fields.
    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, GivenUp> {
        Err(GivenUp { fields: None })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct tuple tuple_struct enum identifier ignored_any
    }
}

/// An object with the next step as its only member.
impl<'de> MapAccess<'de> for Way<'_> {
    type Error = GivenUp;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, GivenUp> {
        let step = self.0.first().copied().ok_or(GivenUp { fields: None })?;
        let step: StrDeserializer<'_, GivenUp> =
            serde::de::IntoDeserializer::into_deserializer(step);
        seed.deserialize(step).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, GivenUp> {
        seed.deserialize(Way(self.0.get(1..).unwrap_or_default()))
    }
}

/// A list with one item, whatever its number.
impl<'de> SeqAccess<'de> for Way<'_> {
    type Error = GivenUp;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, GivenUp> {
        let rest = self.0.get(1..).ok_or(GivenUp { fields: None })?;
        seed.deserialize(Way(rest)).map(Some)
    }
}
