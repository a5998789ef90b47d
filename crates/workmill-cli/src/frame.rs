//! Frames: lines that are drawn over and over in the same place of a terminal.
//!
//! Every frame is written at once and leaves the terminal as it found it, cursor and line
//! wrapping included: a process killed between two frames leaves nothing behind.

const HIDE_CURSOR: &str = "\x1b[?25l";
const SHOW_CURSOR: &str = "\x1b[?25h";
/// Cuts off what is wider than the terminal, so that a line of the frame is a line of the screen.
const CUT_LINES: &str = "\x1b[?7l";
const WRAP_LINES: &str = "\x1b[?7h";
const CLEAR_REST_OF_LINE: &str = "\x1b[K";
const CLEAR_BELOW: &str = "\x1b[J";

/// The lines, drawn over the `lines_above` that were drawn before.
pub(crate) fn frame(lines: &[String], lines_above: usize) -> String {
    let mut frame = [HIDE_CURSOR, CUT_LINES].concat();
    if lines_above > 0 {
        frame += &cursor_up(lines_above);
    }
    for line in lines {
        frame.push_str(line);
        frame.push_str(CLEAR_REST_OF_LINE);
        frame.push_str("\r\n");
    }
    if lines.len() < lines_above {
        frame.push_str(CLEAR_BELOW);
    }
    frame.push_str(WRAP_LINES);
    frame.push_str(SHOW_CURSOR);
    frame
}

fn cursor_up(lines: usize) -> String {
    format!("\x1b[{lines}A\r")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_drawn_over_the_one_before_and_restores_the_terminal() {
        let lines = ["one".to_owned(), "two".to_owned()];
        let body = "one\x1b[K\r\ntwo\x1b[K\r\n";
        let end = "\x1b[?7h\x1b[?25h";
        assert_eq!(frame(&lines, 0), format!("\x1b[?25l\x1b[?7l{body}{end}"));
        assert_eq!(
            frame(&lines, 2),
            format!("\x1b[?25l\x1b[?7l\x1b[2A\r{body}{end}")
        );
        assert_eq!(
            frame(&lines, 3),
            format!("\x1b[?25l\x1b[?7l\x1b[3A\r{body}\x1b[J{end}"),
            "what was below is wiped away"
        );
    }
}
