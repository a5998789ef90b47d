//! What the end of a command means for its task.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use nix::sys::signal::Signal;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use workmill_core::failure::Reason;
use workmill_core::json_look;
use workmill_sdk::worker::Failure;

use super::kept::Kept;

/// JSON that is deeper is kept as text: answers of the server hold an output some levels deep, and readers
/// of JSON accept 127.
const DEEPEST: usize = 100;

/// None if it has ended well.
pub(super) fn failure(status: ExitStatus, complaints: &Kept) -> Option<Failure> {
    if status.success() {
        return None;
    }
    let (reason, what) = match status.code() {
        Some(code) => (reason_of(code), format!("the command ended with {code}")),
        None => (Reason::Crash, killed_by(status)),
    };
    Some(Failure::new(reason, with_tail(what, complaints)))
}

/// The command was stopped because it ran for as long as it may.
pub(super) fn timeout(limit: Duration, complaints: &Kept) -> Failure {
    let what = format!(
        "the command was stopped after {} s, the longest that this attempt may run (`max_duration_sec`)",
        limit.as_secs_f64()
    );
    Failure::new(Reason::Timeout, with_tail(what, complaints))
}

/// The message with the end of what was printed on standard error.
fn with_tail(what: String, complaints: &Kept) -> String {
    let tail = complaints.text();
    match tail.trim() {
        "" => what,
        tail => format!("{what}: {tail}"),
    }
}

/// Of `sysexits.h`, those that say what to do about it.
fn reason_of(code: i32) -> Reason {
    match code {
        65 => Reason::InvalidInput,
        75 => Reason::Network,
        77 => Reason::PermissionDenied,
        _ => Reason::Crash,
    }
}

fn killed_by(status: ExitStatus) -> String {
    let number = status.signal().unwrap_or_default();
    match Signal::try_from(number) {
        Ok(signal) => format!("the command was killed by {signal}"),
        Err(_) => format!("the command was killed by signal {number}"),
    }
}

/// What was printed: as JSON if it is JSON, otherwise as text.
pub(super) fn printed(kept: &Kept) -> Box<RawValue> {
    let text = kept.text();
    match kept.left_out() {
        0 => json_or_text(&text),
        left_out => as_text(&format!("{text}\n[{left_out} bytes more were left out]")),
    }
}

/// Returns JSON if the server can store it as JSON, and a text otherwise.
pub(super) fn json_or_text(text: &str) -> Box<RawValue> {
    let text = text.trim_end();
    let json = serde_json::from_str::<&RawValue>(text).ok();
    let json = json.filter(|json| json_look::check_up_to(json, DEEPEST).is_ok());
    json.map_or_else(|| as_text(text), ToOwned::to_owned)
}

fn as_text(text: &str) -> Box<RawValue> {
    to_raw_value(&Value::from(text)).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::kept::Part;
    use super::*;

    fn ended(code: i32) -> ExitStatus {
        ExitStatus::from_raw(code << 8)
    }

    #[tokio::test]
    async fn exit_codes_say_what_to_do_about_it() {
        let mut complaints = Kept::new(Part::End, 100);
        complaints.read(Some(&b"why\n"[..])).await.unwrap();
        assert_eq!(failure(ended(0), &complaints), None);
        for (code, reason) in [
            (65, Reason::InvalidInput),
            (75, Reason::Network),
            (77, Reason::PermissionDenied),
            (1, Reason::Crash),
        ] {
            let message = format!("the command ended with {code}: why");
            let failure = failure(ended(code), &complaints);
            assert_eq!(failure, Some(Failure::new(reason, message)));
        }
        let killed = ExitStatus::from_raw(9);
        let failure = failure(killed, &Kept::new(Part::End, 1)).unwrap();
        assert_eq!(failure.message, "the command was killed by SIGKILL");
    }

    #[test]
    fn json_stays_as_it_stands_and_all_else_is_text() {
        assert_eq!(json_or_text("{\"a\":  1.00}\n").get(), "{\"a\":  1.00}");
        assert_eq!(json_or_text("hello\n").get(), "\"hello\"");
        assert_eq!(json_or_text("").get(), "\"\"");
    }

    #[test]
    fn json_that_the_server_would_refuse_is_kept_as_text() {
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        let long = "9".repeat(200_000);
        for printed in ["1e400", &deep, &long, r#"{"a": 1, "a": 2}"#] {
            let kept = json_or_text(printed);
            let kept: Value = serde_json::from_str(kept.get()).unwrap();
            assert_eq!(kept, Value::from(printed));
        }
    }
}
