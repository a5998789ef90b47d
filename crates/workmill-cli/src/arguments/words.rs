//! Words of a closed list, so that the help names them and a typo is told.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::de::DeserializeOwned;
use serde_json::Value;
use workmill_core::failure::Reason;
use workmill_core::lifecycle::State;
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
