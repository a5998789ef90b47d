//! What is read exactly, and what is refused.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::*;
use crate::json_look::{check, has_member};

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
    let state = ReadState::new(usize::MAX);
    Outer::deserialize(Exact::new(
        &mut serde_json::Deserializer::from_str(json),
        &state,
    ))
}

/// Each of these shapes takes many times its text.
#[test]
fn values_that_take_more_than_their_share_end_the_reading() {
    const MOST: usize = 1024 * 1024;
    for item in [r#"{"":0}"#, "[0]", "{}", r#"{"":{"":[0]}}"#, r#""""#, "0"] {
        let text = format!(
            "{{\"a\":{{\"b\":[{}0]}}}}",
            format!("{item},").repeat(100_000)
        );
        let state = ReadState::new(MOST);
        let mut reading = serde_json::Deserializer::from_str(&text);
        let refused = Value::deserialize(Exact::new(&mut reading, &state)).unwrap_err();
        assert!(refused.to_string().contains("more than 1024 KiB"), "{item}");
        assert!(state.is_exhausted(), "{item}");
        assert!(state.place().starts_with("a.b["), "{}", state.place());
        let raw = RawValue::from_string(text).unwrap();
        check(&raw).expect("what is only looked at takes nothing");
    }
    let members: Vec<String> = (0..200_000).map(|n| format!("\"{n}\":0,")).collect();
    let members = members.concat();
    let raw = RawValue::from_string(format!("{{{members}\"z\":0}}")).unwrap();
    assert!(check(&raw).is_err(), "the names take too much");
}

#[test]
fn names_of_members_are_given_back_when_their_object_has_been_read() {
    #[derive(Deserialize)]
    struct Empty {}
    let text = format!("[{}{{}}]", r#"{"name": 0},"#.repeat(10_000));
    let state = ReadState::new(2 * NAMES_OF_ONE);
    let mut reading = serde_json::Deserializer::from_str(&text);
    let read = Vec::<Empty>::deserialize(Exact::new(&mut reading, &state));
    assert_eq!(read.map(|list| list.len()).unwrap(), 10_001);
    assert_eq!(state.taken(), 0);
}

const NAMES_OF_ONE: usize = 500;

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
fn a_member_is_found_without_reading_on() {
    assert!(has_member(br#"{"a": {"tasks": 1}, "tasks": [{]"#, "tasks"));
    for other in [
        r#"{"a": {"tasks": 1}}"#,
        "[]",
        "",
        r#"{"task": 1}"#,
        r#""tasks""#,
    ] {
        assert!(!has_member(other.as_bytes(), "tasks"), "{other}");
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
