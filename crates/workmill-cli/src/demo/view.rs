//! Watching a graph until it is over: a table redrawn in place on a terminal, elsewhere a plain
//! line for each change.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use workmill_core::ids::GraphId;
use workmill_protocol::graphs::Graph;
use workmill_sdk::Client;

use super::View;
use super::change_lines::ChangeLines;
use super::graph::is_over;
use super::retries::until_answered;
use super::table;
use crate::frame::frame;

const INTERVAL: Duration = Duration::from_millis(150);

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

fn write(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}
