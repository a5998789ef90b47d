//! JSON taken exactly: an object where an object is meant, no member twice, and whole numbers however
//! they are written.
//!
//! Reading structs, serde also takes lists of their members in order, which nobody means. Of members
//! that are there twice, maps keep the last one. Reading whole numbers, it does not take `27.0`, which
//! JSON does not tell from `27`. [`Exact`] lies around the reader of the JSON and changes these three,
//! at any depth.

use std::collections::BTreeSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};
use serde_json::Value;
use serde_json::value::RawValue;

/// Whether JSON that is kept as it came could be read at all: how deep it goes is bounded, and no
/// member is there twice.
pub fn check(json: &RawValue) -> Result<(), serde_json::Error> {
    let mut reading = serde_json::Deserializer::from_str(json.get());
    Value::deserialize(Exact(&mut reading)).map(drop)
}

#[derive(Debug)]
pub struct Exact<T>(pub T);

/// What is about to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meant {
    Members,
    WholeNumber,
    Anything,
}

struct ExactVisitor<V>(V, Meant);

/// Up to here each whole number has a float of its own.
const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;

macro_rules! read {
    ($($method:ident($($argument:ident: $type:ty),*) $meant:ident;)*) => {
        $(fn $method<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            self.0.$method($($argument,)* ExactVisitor(visitor, Meant::$meant))
        })*
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Exact<D> {
    type Error = D::Error;

    read! {
        deserialize_i8() WholeNumber;
        deserialize_i16() WholeNumber;
        deserialize_i32() WholeNumber;
        deserialize_i64() WholeNumber;
        deserialize_i128() WholeNumber;
        deserialize_u8() WholeNumber;
        deserialize_u16() WholeNumber;
        deserialize_u32() WholeNumber;
        deserialize_u64() WholeNumber;
        deserialize_u128() WholeNumber;
        deserialize_struct(name: &'static str, fields: &'static [&'static str]) Members;
        deserialize_any() Anything;
        deserialize_bool() Anything;
        deserialize_f32() Anything;
        deserialize_f64() Anything;
        deserialize_char() Anything;
        deserialize_str() Anything;
        deserialize_string() Anything;
        deserialize_bytes() Anything;
        deserialize_byte_buf() Anything;
        deserialize_option() Anything;
        deserialize_unit() Anything;
        deserialize_unit_struct(name: &'static str) Anything;
        deserialize_newtype_struct(name: &'static str) Anything;
        deserialize_seq() Anything;
        deserialize_tuple(len: usize) Anything;
        deserialize_tuple_struct(name: &'static str, len: usize) Anything;
        deserialize_map() Anything;
        deserialize_enum(name: &'static str, variants: &'static [&'static str]) Anything;
        deserialize_identifier() Anything;
        deserialize_ignored_any() Anything;
    }
}

macro_rules! visit {
    ($($method:ident: $type:ty;)*) => {
        $(fn $method<E: Error>(self, value: $type) -> Result<V::Value, E> {
            self.0.$method(value)
        })*
    };
}

impl<'de, V: Visitor<'de>> Visitor<'de> for ExactVisitor<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    visit! {
        visit_bool: bool;
        visit_i64: i64;
        visit_i128: i128;
        visit_u64: u64;
        visit_u128: u128;
        visit_str: &str;
        visit_borrowed_str: &'de str;
        visit_string: String;
        visit_bytes: &[u8];
        visit_borrowed_bytes: &'de [u8];
        visit_byte_buf: Vec<u8>;
    }

    #[expect(clippy::cast_possible_truncation, reason = "whole and small enough")]
    fn visit_f64<E: Error>(self, value: f64) -> Result<V::Value, E> {
        let is_whole = value.fract() == 0.0 && value.abs() <= LARGEST_EXACT;
        if self.1 == Meant::WholeNumber && is_whole {
            self.0.visit_i64(value as i64)
        } else {
            self.0.visit_f64(value)
        }
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, value: D) -> Result<V::Value, D::Error> {
        self.0.visit_some(Exact(value))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, value: D) -> Result<V::Value, D::Error> {
        self.0.visit_newtype_struct(Exact(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<V::Value, A::Error> {
        if self.1 == Meant::Members {
            return Err(A::Error::invalid_type(Unexpected::Seq, &self.0));
        }
        self.0.visit_seq(Exact(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(Members {
            members,
            names: BTreeSet::new(),
        })
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variant: A) -> Result<V::Value, A::Error> {
        self.0.visit_enum(Exact(variant))
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Exact<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(Exact(value))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Exact<A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        self.0.next_element_seed(Exact(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

/// The members of an object, and the names of those that were read.
struct Members<A> {
    members: A,
    names: BTreeSet<String>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Members<A> {
    type Error = A::Error;

    /// Names of members are what they are.
    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        let Some(name) = self.members.next_key::<String>()? else {
            return Ok(None);
        };
        if self.names.contains(&name) {
            return Err(A::Error::custom(format_args!("duplicate field `{name}`")));
        }
        let key = seed.deserialize(name.as_str().into_deserializer())?;
        self.names.insert(name);
        Ok(Some(key))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.members.next_value_seed(Exact(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.members.size_hint()
    }
}

impl<'de, A: EnumAccess<'de>> EnumAccess<'de> for Exact<A> {
    type Error = A::Error;
    type Variant = Exact<A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Self::Variant), A::Error> {
        let (value, variant) = self.0.variant_seed(seed)?;
        Ok((value, Exact(variant)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Exact<A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.0.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        self.0.newtype_variant_seed(Exact(seed))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        self.0
            .tuple_variant(len, ExactVisitor(visitor, Meant::Anything))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.0
            .struct_variant(fields, ExactVisitor(visitor, Meant::Members))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(default)]
    struct Outer {
        whole: Option<i32>,
        real: f64,
        inner: Inner,
        many: Vec<Inner>,
        named: BTreeMap<String, Inner>,
        raw: Box<RawValue>,
    }

    impl Default for Outer {
        fn default() -> Self {
            Outer {
                whole: None,
                real: 0.0,
                inner: Inner::default(),
                many: Vec::new(),
                named: BTreeMap::new(),
                raw: RawValue::NULL.to_owned(),
            }
        }
    }

    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct Inner {
        count: u64,
    }

    fn read(json: &str) -> Result<Outer, serde_json::Error> {
        Outer::deserialize(Exact(&mut serde_json::Deserializer::from_str(json)))
    }

    #[test]
    fn a_list_is_no_object_at_any_depth() {
        for json in [
            "[]",
            "[1, 2.5]",
            r#"{"inner": []}"#,
            r#"{"inner": [7]}"#,
            r#"{"many": [[7]]}"#,
            r#"{"named": {"a": [7]}}"#,
        ] {
            let error = read(json).unwrap_err().to_string();
            assert!(error.contains("invalid type: sequence"), "{json}: {error}");
        }
    }

    #[test]
    fn no_member_is_there_twice_at_any_depth() {
        for json in [
            r#"{"real": 1, "real": 1}"#,
            r#"{"inner": {"count": 1, "count": 2}}"#,
            r#"{"named": {"a": {}, "b": {}, "a": {}}}"#,
            r#"{"named": {"a": {}, "\u0061": {}}}"#,
        ] {
            let error = read(json).unwrap_err().to_string();
            assert!(error.contains("duplicate field `"), "{json}: {error}");
        }
        let check = |json: &str| check(&RawValue::from_string(json.to_owned()).unwrap());
        assert!(check(r#"[{"a": {"x": 1}}, {"a": {"x": 1}}]"#).is_ok());
        assert!(check(r#"[{"a": {"x": 1, "y": 2, "x": 3}}]"#).is_err());
        assert!(check(&format!("{}{}", "[".repeat(200), "]".repeat(200))).is_err());
    }

    /// PostgreSQL writes them out, all digits and no exponent.
    #[test]
    fn the_largest_and_the_smallest_numbers_are_read_back_exactly() {
        for number in [f64::MAX, f64::MIN, f64::MIN_POSITIVE, 0.1 + 0.2, 1e23] {
            let written = format!("{number:.400}");
            let read: f64 =
                serde_json::from_str(written.trim_end_matches('0').trim_end_matches('.')).unwrap();
            assert_eq!(read.to_bits(), number.to_bits(), "{number}");
        }
    }

    #[test]
    fn whole_numbers_are_whole_however_they_are_written() {
        let json = r#"{"whole": 27.0, "real": 1, "inner": {"count": 3e2}, "many": [{"count": 1.0}],
            "named": {"a": {"count": 2.0}}, "raw": [1.0, {"x": 2.50}]}"#;
        let read_all = read(json).unwrap();
        assert_eq!((read_all.whole, read_all.inner.count), (Some(27), 300));
        assert_eq!((read_all.many[0].count, read_all.named["a"].count), (1, 2));
        assert_eq!(read_all.raw.get(), r#"[1.0, {"x": 2.50}]"#, "as it was");
        for json in [
            r#"{"whole": 27.5}"#,
            r#"{"whole": 1e10}"#,
            r#"{"inner": {"count": -1.0}}"#,
            r#"{"inner": {"count": 1e19}}"#,
        ] {
            assert!(read(json).is_err(), "{json}");
        }
    }
}
