//! Reading JSON strictly: what is not understood is refused by name.

use serde::de::DeserializeOwned;

use workmill_core::exact::Exact;

/// Why a text could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// The member that nobody knows.
    pub field: Option<String>,
    pub problem: String,
}

/// An object of this type, and nothing that the type does not know.
pub fn read<T: DeserializeOwned>(json: &[u8]) -> Result<T, Unreadable> {
    // Said in plain words; further down the reader of the JSON says it.
    if json.trim_ascii_start().first() == Some(&b'[') {
        return Err(Unreadable {
            field: None,
            problem: "expected an object, not a list".to_owned(),
        });
    }
    let mut unknown = None;
    let mut reading = serde_json::Deserializer::from_slice(json);
    let value = serde_ignored::deserialize(Exact(&mut reading), |path| {
        // What may be left out is a step of its own on the way, which nobody has written.
        unknown.get_or_insert_with(|| path.to_string().replace(".?", ""));
    });
    let value = value
        .and_then(|value| reading.end().map(|()| value))
        .map_err(|error| Unreadable {
            field: None,
            problem: error.to_string(),
        })?;
    match unknown {
        None => Ok(value),
        Some(field) => Err(Unreadable {
            problem: format!("there is no field `{field}`"),
            field: Some(field),
        }),
    }
}
