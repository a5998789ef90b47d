//! Reading JSON strictly: what is not understood is refused by name, and so is what would take too much
//! memory.

use serde::de::DeserializeOwned;

use workmill_core::exact::Exact;
use workmill_core::fields::{no_such_field, written};
use workmill_core::plain_words::in_discreet_words;
use workmill_core::read_state::ReadState;

/// What a text may take once it is read, as a multiple of its length: enough for lists of small objects.
const MULTIPLE: usize = 64;
/// A short text may take this much in any case.
const LEAST: usize = 64 * 1024;
/// No text may take more.
const MOST: usize = 96 * 1024 * 1024;

/// The most memory that a text of this length may take once it is read.
pub const fn largest_reading(length: usize) -> usize {
    let most = length.saturating_mul(MULTIPLE);
    if most < LEAST {
        LEAST
    } else if most > MOST {
        MOST
    } else {
        most
    }
}

/// Why a text could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// Where it is wrong: an unknown or missing member, or a value that is not what is expected there.
    pub field: Option<String>,
    pub problem: String,
    /// The problem names the member: it is unknown or missing.
    pub names_its_field: bool,
    /// It would take too much memory.
    pub is_too_large: bool,
}

/// A value and what it takes.
#[derive(Debug)]
pub struct Read<T> {
    pub value: T,
    /// In bytes.
    pub memory: usize,
}

/// An object of this type, and nothing that the type does not know.
pub fn read<T: DeserializeOwned>(json: &[u8]) -> Result<T, Unreadable> {
    measure(json).map(|read| read.value)
}

/// The same, with what it takes.
pub fn measure<T: DeserializeOwned>(json: &[u8]) -> Result<Read<T>, Unreadable> {
    // Said in plain words; further down the reader of the JSON says it.
    if json.trim_ascii_start().first() == Some(&b'[') {
        return Err(Unreadable {
            field: None,
            problem: "expected an object, not a list".to_owned(),
            names_its_field: false,
            is_too_large: false,
        });
    }
    let mut unknown = None;
    let mut reading = serde_json::Deserializer::from_slice(json);
    let state = ReadState::new(largest_reading(json.len()));
    let value = serde_ignored::deserialize(Exact::new(&mut reading, &state), |path| {
        unknown.get_or_insert_with(|| path.to_string());
    });
    let value = value.and_then(|value| reading.end().map(|()| value));
    match (value, unknown) {
        (Ok(value), None) => Ok(Read {
            value,
            memory: state.taken(),
        }),
        (Ok(_), Some(path)) => Err(no_field::<T>(&path)),
        // A member with the wrong name says more than that the right one is missing.
        (Err(error), Some(path)) if error.is_data() && !state.is_exhausted() => {
            Err(no_field::<T>(&path))
        }
        (Err(error), _) => Err(unreadable(&error, &state)),
    }
}

fn no_field<T: DeserializeOwned>(path: &str) -> Unreadable {
    Unreadable {
        problem: no_such_field::<T>(path),
        field: Some(written(path)),
        names_its_field: true,
        is_too_large: false,
    }
}

fn unreadable(error: &serde_json::Error, state: &ReadState) -> Unreadable {
    let said = error.to_string();
    // Of a list that is too long, its name says more than the column.
    let problem = match said.rsplit_once(" at line ") {
        Some((problem, _)) if problem.starts_with("at most ") || state.is_exhausted() => problem,
        _ => &said,
    };
    let place = state.place();
    let missing = missing_field(problem);
    let field = match missing {
        Some(name) if place.is_empty() => name.to_owned(),
        Some(name) => format!("{place}.{name}"),
        None => place,
    };
    Unreadable {
        field: Some(field).filter(|field| !field.is_empty()),
        problem: in_discreet_words(problem),
        names_its_field: missing.is_some(),
        is_too_large: state.is_exhausted(),
    }
}

/// Returns the name of the member that an object does not have.
fn missing_field(problem: &str) -> Option<&str> {
    let rest = problem.strip_prefix("missing field `")?;
    rest.split_once('`').map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use workmill_core::task::NewTask;

    #[test]
    fn a_list_that_is_too_long_is_named_and_not_read_to_its_end() {
        let tags = format!(r#"{{"title": "t", "tags": [{}"#, r#""a","#.repeat(101));
        let refused = read::<NewTask>(tags.as_bytes()).unwrap_err();
        assert_eq!(refused.field.as_deref(), Some("tags"));
        assert_eq!(refused.problem, "at most 100");
    }

    #[test]
    fn json_that_is_nested_too_deep_is_named_by_the_field_that_holds_it() {
        for (open, close) in [("[", "]"), (r#"{"a":"#, "}"), (r#"[{"a":"#, "}]")] {
            let deep = format!("{}0{}", open.repeat(2_000), close.repeat(2_000));
            let task = format!(r#"{{"title": "t", "spec": {{"payload": {deep}}}}}"#);
            let refused = read::<NewTask>(task.as_bytes()).unwrap_err();
            assert_eq!(refused.field.as_deref(), Some("spec.payload"));
        }
    }

    #[test]
    fn free_form_json_that_takes_too_much_is_refused_by_name() {
        let task = |items: &str| format!(r#"{{"title": "t", "metadata": {{"a": [{items}0]}}}}"#);
        read::<NewTask>(task(&r#"{"file": "a.rs", "line": 1},"#.repeat(10_000)).as_bytes())
            .expect("a list of small objects is fine");
        let refused = read::<NewTask>(task(&r#"{"":0},"#.repeat(10_000)).as_bytes()).unwrap_err();
        assert!(refused.is_too_large, "{refused:?}");
        assert!(
            refused
                .field
                .is_some_and(|field| field.starts_with("metadata.a["))
        );
        assert!(refused.problem.ends_with("too many small values"));
    }
}
