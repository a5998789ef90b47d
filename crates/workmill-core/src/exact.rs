//! JSON taken exactly: an object where an object is meant, no member twice, and whole numbers however
//! they are written.
//!
//! Reading structs, serde also takes lists of their members in order, which nobody means. Of members
//! that are there twice, maps keep the last one. Reading whole numbers, it does not take `27.0`, which
//! JSON does not tell from `27`. [`Exact`] lies around the reader of the JSON and changes these three,
//! at any depth. It tells the [`ReadState`] what each value takes and where an error is.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};

use crate::read_state::ReadState;

#[derive(Debug)]
pub struct Exact<'s, T> {
    inner: T,
    state: &'s ReadState,
}

impl<'s, T> Exact<'s, T> {
    pub fn new(inner: T, state: &'s ReadState) -> Self {
        Exact { inner, state }
    }
}

/// What is about to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meant {
    Members,
    WholeNumber,
    Anything,
}

struct ExactVisitor<'s, V> {
    inner: V,
    meant: Meant,
    state: &'s ReadState,
}

/// Up to here each whole number has a float of its own.
const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;

macro_rules! read {
    ($($method:ident($($argument:ident: $type:ty),*) $meant:ident;)*) => {
        $(fn $method<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            let (meant, state) = (Meant::$meant, self.state);
            self.inner.$method($($argument,)* ExactVisitor { inner: visitor, meant, state })
        })*
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Exact<'_, D> {
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
            self.inner.$method(value)
        })*
    };
}

macro_rules! visit_text {
    ($($method:ident: $type:ty;)*) => {
        $(fn $method<E: Error>(self, value: $type) -> Result<V::Value, E> {
            self.state.text(value.len())?;
            self.inner.$method(value)
        })*
    };
}

impl<'de, V: Visitor<'de>> Visitor<'de> for ExactVisitor<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    visit! {
        visit_bool: bool;
        visit_i64: i64;
        visit_i128: i128;
        visit_u64: u64;
        visit_u128: u128;
    }

    visit_text! {
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
        if self.meant == Meant::WholeNumber && is_whole {
            self.inner.visit_i64(value as i64)
        } else {
            self.inner.visit_f64(value)
        }
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, value: D) -> Result<V::Value, D::Error> {
        self.inner.visit_some(Exact::new(value, self.state))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, value: D) -> Result<V::Value, D::Error> {
        self.inner
            .visit_newtype_struct(Exact::new(value, self.state))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<V::Value, A::Error> {
        if self.meant == Meant::Members {
            return Err(A::Error::invalid_type(Unexpected::Seq, &self.inner));
        }
        self.inner.visit_seq(Items {
            inner: items,
            count: 0,
            state: self.state,
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<V::Value, A::Error> {
        self.inner.visit_map(Members {
            inner: members,
            // The members of a struct take no more than the struct.
            is_map: self.meant != Meant::Members,
            names: BTreeSet::new(),
            current: String::new(),
            taken: 0,
            state: self.state,
        })
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variant: A) -> Result<V::Value, A::Error> {
        self.inner.visit_enum(Exact::new(variant, self.state))
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Exact<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<S::Value, D::Error> {
        self.inner.deserialize(Exact::new(value, self.state))
    }
}

/// The items of a list, counted.
struct Items<'s, A> {
    inner: A,
    count: usize,
    state: &'s ReadState,
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Items<'_, A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        let (at, state) = (self.count, self.state);
        let item = self.inner.next_element_seed(Exact::new(seed, state));
        let item = item.and_then(|item| match item {
            Some(item) => {
                state.item(at, size_of::<S::Value>())?;
                Ok(Some(item))
            }
            None => Ok(None),
        });
        self.count += 1;
        item.inspect_err(|_| state.failed_in_item(at))
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

/// The members of an object, and the names of those that were read.
struct Members<'s, A> {
    inner: A,
    is_map: bool,
    names: BTreeSet<String>,
    /// The name of the member that is read now.
    current: String,
    /// What the names take.
    taken: usize,
    state: &'s ReadState,
}

impl<A> Drop for Members<'_, A> {
    fn drop(&mut self) {
        self.state.forget_names(self.taken);
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Members<'_, A> {
    type Error = A::Error;

    /// Names of members are what they are.
    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        let Some(name) = self.inner.next_key::<String>()? else {
            return Ok(None);
        };
        if self.names.contains(&name) {
            return Err(A::Error::custom(format_args!("duplicate field `{name}`")));
        }
        self.taken += self.state.name(self.names.len(), &name)?;
        if self.is_map {
            self.state.member(self.names.len(), &name)?;
        }
        let key = seed.deserialize(name.as_str().into_deserializer())?;
        self.current.clone_from(&name);
        self.names.insert(name);
        Ok(Some(key))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let value = self.inner.next_value_seed(Exact::new(seed, self.state));
        value.inspect_err(|_| {
            if self.is_map {
                self.state.failed_in_member(&self.current);
            } else {
                self.state.failed_in_field(&self.current);
            }
        })
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, 's, A: EnumAccess<'de>> EnumAccess<'de> for Exact<'s, A> {
    type Error = A::Error;
    type Variant = Exact<'s, A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Self::Variant), A::Error> {
        let (value, variant) = self.inner.variant_seed(seed)?;
        Ok((value, Exact::new(variant, self.state)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Exact<'_, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        self.inner
            .newtype_variant_seed(Exact::new(seed, self.state))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        let (meant, state) = (Meant::Anything, self.state);
        self.inner.tuple_variant(
            len,
            ExactVisitor {
                inner: visitor,
                meant,
                state,
            },
        )
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let (meant, state) = (Meant::Members, self.state);
        self.inner.struct_variant(
            fields,
            ExactVisitor {
                inner: visitor,
                meant,
                state,
            },
        )
    }
}

#[cfg(test)]
mod tests;
