//! Text that agents and files have made, so that it can be shown on a terminal.
//!
//! Control characters, escape sequences among them, and characters that turn the direction of
//! writing are shown as what they are and not obeyed.

use std::fmt::Write;

/// On one line.
pub(crate) fn plain(text: &str) -> String {
    neutralised(text, |_| false)
}

/// Line breaks and tabs stay.
pub(crate) fn plain_lines(text: &str) -> String {
    neutralised(text, |letter| letter == '\n' || letter == '\t')
}

/// For JSON that `serde_json` has written: it escapes only what JSON itself forbids.
pub(crate) fn plain_json(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for letter in json.chars() {
        if is_obeyed(letter) && letter != '\n' {
            // All of them have four digits at most; writing to a string cannot fail.
            let _ = write!(safe, "\\u{:04x}", u32::from(letter));
        } else {
            safe.push(letter);
        }
    }
    safe
}

fn neutralised(text: &str, stays: impl Fn(char) -> bool) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_obeyed(letter) && !stays(letter) {
            safe.extend(letter.escape_default());
        } else {
            safe.push(letter);
        }
    }
    safe
}

fn is_obeyed(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_are_shown_and_not_obeyed() {
        assert_eq!(plain("a\u{1b}[2Jb\nc\u{9b}d"), "a\\u{1b}[2Jb\\nc\\u{9b}d");
        assert_eq!(plain_lines("a\n\tb\r"), "a\n\tb\\r");
        assert_eq!(plain("\u{202e}evil"), "\\u{202e}evil");
        assert_eq!(plain("Grüße, 任務"), "Grüße, 任務");
    }

    #[test]
    fn json_stays_the_same_value() {
        let value = serde_json::json!({"title": "\u{1b}\u{9b}\u{202e}x"});
        let safe = plain_json(&value.to_string());
        assert!(safe.is_ascii());
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&safe).unwrap(),
            value
        );
    }
}
