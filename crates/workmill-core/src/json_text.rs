//! JSON that is kept as text: it takes no more memory than was sent, and clones share it.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::exact::Exact;
use crate::read_state::ReadState;

/// JSON as it was written.
#[derive(Debug, Clone)]
pub struct JsonText(Arc<RawValue>);

impl JsonText {
    pub fn get(&self) -> &str {
        self.0.get()
    }

    pub fn raw(&self) -> &RawValue {
        &self.0
    }

    /// Reads the text. The value may take a hundred times as much memory: long texts are read with
    /// [`Self::value_within`].
    pub fn value(&self) -> Value {
        let mut all = usize::MAX;
        self.value_within(&mut all).unwrap_or_default()
    }

    /// Returns the value if it takes no more memory than is left, and takes that away.
    pub fn value_within(&self, left: &mut usize) -> Option<Value> {
        let state = ReadState::new(*left);
        let mut reading = serde_json::Deserializer::from_str(self.get());
        let value = Value::deserialize(Exact::new(&mut reading, &state)).ok()?;
        *left -= state.taken();
        Some(value)
    }
}

impl From<&RawValue> for JsonText {
    fn from(json: &RawValue) -> Self {
        JsonText(Arc::from(json.to_owned()))
    }
}

impl From<Box<RawValue>> for JsonText {
    fn from(json: Box<RawValue>) -> Self {
        JsonText(Arc::from(json))
    }
}

impl From<Value> for JsonText {
    fn from(value: Value) -> Self {
        JsonText::from(&value)
    }
}

impl From<&Value> for JsonText {
    fn from(value: &Value) -> Self {
        let json = serde_json::value::to_raw_value(value);
        JsonText::from(json.unwrap_or_else(|_| RawValue::NULL.to_owned()))
    }
}

/// Equal if the texts are: what is stored is written alike.
impl PartialEq for JsonText {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Serialize for JsonText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for JsonText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(JsonText::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_value_is_read_only_if_it_fits_into_the_memory_that_is_left() {
        let text = JsonText::from(&json!([{"a": 1}, {"b": 2}]));
        let mut left = 10_000;
        assert_eq!(text.value_within(&mut left), Some(text.value()));
        assert!(left < 9_000, "{left}");
        let before = 100;
        left = before;
        assert_eq!(text.value_within(&mut left), None);
        assert_eq!(left, before);
    }
}
