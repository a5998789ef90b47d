//! Watching a graph until it is over: a table redrawn in place on a terminal, elsewhere a plain
//! line for each change.
//!
//! Every frame is written at once and leaves the terminal as it found it, cursor and line
//! wrapping included: a process killed between two frames leaves nothing behind.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use workmill_core::ids::GraphId;
use workmill_protocol::graphs::Graph;
use workmill_sdk::Client;

use super::View;
use super::change_lines::ChangeLines;
use super::graph::is_over;
use super::patience::until_answered;
use super::table;

const INTERVAL: Duration = Duration::from_millis(150);

const HIDE_CURSOR: &str = "\x1b[?25l";
const SHOW_CURSOR: &str = "\x1b[?25h";
/// Cuts off what is wider than the terminal, so that a line of the table is a line of the screen.
const CUT_LINES: &str = "\x1b[?7l";
const WRAP_LINES: &str = "\x1b[?7h";
const CLEAR_REST_OF_LINE: &str = "\x1b[K";

/// Draws until nothing in the graph moves any more; hands back how it stands then.
pub(super) async fn watch(
    client: &Client,
    id: GraphId,
    view: View,
    began: Instant,
) -> anyhow::Result<Graph> {
    let mut changes = ChangeLines::default();
    let mut lines_above = 0;
    loop {
        let graph = until_answered(|| client.graph(id)).await?;
        let text = if view.is_terminal {
            let lines = table::lines(&graph, began.elapsed(), view.colour);
            let frame = frame(&lines, lines_above);
            lines_above = lines.len();
            frame
        } else {
            let lines = changes.since_last(&graph, Timestamp::now());
            lines
                .iter()
                .flat_map(|line| [line.as_str(), "\n"])
                .collect()
        };
        write(&text)?;
        if is_over(graph.status) {
            return Ok(graph);
        }
        tokio::time::sleep(INTERVAL).await;
    }
}

/// The lines, drawn over the `lines_above` that were drawn before.
fn frame(lines: &[String], lines_above: usize) -> String {
    let mut frame = [HIDE_CURSOR, CUT_LINES].concat();
    if lines_above > 0 {
        frame += &cursor_up(lines_above);
    }
    for line in lines {
        frame.push_str(line);
        frame.push_str(CLEAR_REST_OF_LINE);
        frame.push_str("\r\n");
    }
    frame.push_str(WRAP_LINES);
    frame.push_str(SHOW_CURSOR);
    frame
}

fn cursor_up(lines: usize) -> String {
    format!("\x1b[{lines}A\r")
}

fn write(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_drawn_over_the_one_before_and_restores_the_terminal() {
        let lines = ["one".to_owned(), "two".to_owned()];
        let body = "one\x1b[K\r\ntwo\x1b[K\r\n\x1b[?7h\x1b[?25h";
        assert_eq!(frame(&lines, 0), format!("\x1b[?25l\x1b[?7l{body}"));
        assert_eq!(
            frame(&lines, 2),
            format!("\x1b[?25l\x1b[?7l\x1b[2A\r{body}")
        );
    }
}
