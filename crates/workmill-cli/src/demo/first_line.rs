//! Text from tasks and agents, made fit for one place of a line.

use crate::plain_text::plain;

/// The first line of a text, at most `longest` characters of it, safe to print on a terminal.
pub(super) fn first_line(text: &str, longest: usize) -> String {
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(longest) {
        Some((end, _)) => plain(&line[..end]) + "…",
        None => plain(line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_line_is_kept_cut_to_length_and_made_safe() {
        assert_eq!(first_line("one\ntwo", 20), "one");
        assert_eq!(first_line("ünïcödé", 3), "ünï…");
        assert_eq!(first_line("ünï", 3), "ünï");
        assert_eq!(first_line("", 3), "");
        assert_eq!(first_line("a\x1b[2Jb", 20), "a\\u{1b}[2Jb");
    }
}
