//! Editions: which state of a thing somebody has seen, before changing it.
//!
//! A reader is told the edition of what it reads. Whoever changes the thing may say which editions
//! it takes for the current one; that is compared in the transaction of the change. An edition
//! moves with what can be changed, and with nothing else: a heartbeat is no edit.

use std::fmt;

use serde::Serialize;
use sha2::{Digest, Sha256};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edition(String);

impl Edition {
    /// Of what counts its versions.
    pub fn numbered(version: i32) -> Self {
        Edition(version.to_string())
    }

    /// Of what does not: a hash of all that can be changed.
    pub fn of(changeable: &impl Serialize) -> Self {
        // A value that cannot be written is like no other.
        let written = serde_json::to_vec(changeable).unwrap_or_default();
        Edition(short_hash(&written))
    }

    /// As somebody has written it down.
    pub fn read(text: &str) -> Self {
        Edition(text.to_owned())
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What tells one answer from another.
pub fn short_hash(bytes: &[u8]) -> String {
    use std::fmt::Write;
    let mut hash = String::with_capacity(2 * SHORT);
    for byte in &Sha256::digest(bytes)[..SHORT] {
        let _ = write!(hash, "{byte:02x}");
    }
    hash
}

const SHORT: usize = 12;

/// What whoever changes a thing takes for its current edition.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Expected {
    /// Whatever it is.
    #[default]
    Any,
    OneOf(Vec<Edition>),
}

impl Expected {
    pub fn admits(&self, current: &Edition) -> bool {
        match self {
            Expected::Any => true,
            Expected::OneOf(editions) => editions.contains(current),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_seen_is_admitted() {
        let current = Edition::numbered(3);
        assert!(Expected::Any.admits(&current));
        let read = |texts: &[&str]| {
            Expected::OneOf(texts.iter().map(|text| Edition::read(text)).collect())
        };
        assert!(read(&["2", "3"]).admits(&current));
        assert!(!read(&["2"]).admits(&current));
        assert!(!read(&[]).admits(&current));
        assert_ne!(Edition::of(&(1, "a")), Edition::of(&(1, "b")));
    }
}
