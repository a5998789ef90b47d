//! Lists in a query: several words, with commas between them.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use serde_json::Value;

pub(crate) fn serialize<T: Serialize, S: Serializer>(
    words: &[T],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut text = Vec::with_capacity(words.len());
    for word in words {
        match serde_json::to_value(word) {
            Ok(Value::String(word)) => text.push(word),
            _ => return Err(ser::Error::custom("only words can be listed in a query")),
        }
    }
    serializer.serialize_str(&text.join(","))
}

pub(crate) fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let words = text.split(',').map(|word| Value::from(word.trim()));
    let words = words.map(|word| serde_json::from_value(word).map_err(de::Error::custom));
    words.collect()
}
