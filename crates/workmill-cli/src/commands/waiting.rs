//! Staying until something is over, or going on to draw it.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde::Serialize;
use workmill_core::graph::GraphStatus;
use workmill_core::ids::{GraphId, TaskId};
use workmill_core::lifecycle::State;
use workmill_protocol::graphs::Graph;
use workmill_protocol::tasks::Task;

use crate::arguments::WaitArguments;
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::frame::frame;

/// How often to look, at first and later.
const SOON: Duration = Duration::from_millis(100);
const LATER: Duration = Duration::from_secs(2);
/// How often to draw.
const REDRAW: Duration = Duration::from_secs(1);
/// As long as nobody says how long to stay.
const WITHOUT_END: Duration = Duration::from_secs(u64::MAX / 4);
/// Lines of a screen whose size nobody knows.
const USUAL_LINES: usize = 24;

/// How what was waited for has come out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    Completed,
    /// Failed or cancelled: no more comes of it by itself.
    Otherwise,
    NotYet,
}

impl Ended {
    pub(super) fn exit(self) -> Exit {
        match self {
            Ended::Completed => Exit::Done,
            Ended::Otherwise => Exit::Error,
            Ended::NotYet => Exit::TimedOut,
        }
    }

    fn of_task(state: State) -> Ended {
        match state {
            State::Completed => Ended::Completed,
            State::DeadLettered => Ended::Otherwise,
            state if state.is_finished() => Ended::Otherwise,
            _ => Ended::NotYet,
        }
    }

    pub(super) fn of_graph(status: GraphStatus) -> Ended {
        match status {
            GraphStatus::Completed => Ended::Completed,
            GraphStatus::Failed | GraphStatus::Cancelled => Ended::Otherwise,
            GraphStatus::Pending | GraphStatus::Running => Ended::NotYet,
        }
    }

    /// What is not over outweighs what failed, and that what is completed.
    fn and(self, other: Ended) -> Ended {
        match (self, other) {
            (Ended::NotYet, _) | (_, Ended::NotYet) => Ended::NotYet,
            (Ended::Otherwise, _) | (_, Ended::Otherwise) => Ended::Otherwise,
            (Ended::Completed, Ended::Completed) => Ended::Completed,
        }
    }
}

/// The tasks as they stand when all are over, or when the time is.
pub(super) async fn for_tasks(
    context: &CommandContext,
    ids: &[TaskId],
    arguments: &WaitArguments,
) -> Result<(Vec<Task>, Ended)> {
    let client = context.patient_client()?;
    let mut pace = Pace::new(arguments);
    let mut tasks = Vec::with_capacity(ids.len());
    // One after the other: whoever waits for all waits for the last.
    for id in ids {
        loop {
            let task = client.task(id).await?;
            if Ended::of_task(task.status) != Ended::NotYet || !pace.rest().await {
                tasks.push(task);
                break;
            }
        }
    }
    let all = tasks.iter().map(|task| Ended::of_task(task.status));
    let ended = all.fold(Ended::Completed, Ended::and);
    Ok((tasks, ended))
}

/// The graph as it stands when it is over, or when the time is.
pub(super) async fn for_graph(
    context: &CommandContext,
    id: GraphId,
    arguments: &WaitArguments,
) -> Result<(Graph, Ended)> {
    let client = context.patient_client()?;
    let mut pace = Pace::new(arguments);
    loop {
        let graph = client.graph(id).await?;
        let ended = Ended::of_graph(graph.status);
        if ended != Ended::NotYet || !pace.rest().await {
            return Ok((graph, ended));
        }
    }
}

/// Looks often at first, then less often.
struct Pace {
    ends: Instant,
    next: Duration,
}

impl Pace {
    fn new(arguments: &WaitArguments) -> Self {
        let longest = arguments.timeout.map_or(WITHOUT_END, Duration::from_secs);
        let now = Instant::now();
        Pace {
            ends: now.checked_add(longest).unwrap_or(now + LATER * 1_000_000),
            next: SOON,
        }
    }

    /// False when the time is over.
    async fn rest(&mut self) -> bool {
        let left = self.ends.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        tokio::time::sleep(self.next.min(left)).await;
        self.next = (self.next * 3 / 2).min(LATER);
        true
    }
}

/// Shows what `ask` answers again and again: drawn in place on a terminal, elsewhere anew whenever
/// it has changed. Ends when `is_over` says so, or when nobody reads any more.
pub(super) async fn watch<T: Serialize>(
    context: &CommandContext,
    mut ask: impl AsyncFnMut() -> Result<T>,
    for_people: impl Fn(&T) -> String,
    is_over: impl Fn(&T) -> bool,
) -> Result<T> {
    let is_drawn = !context.output.json && std::io::stdout().is_terminal();
    let (mut lines_above, mut last) = (0, String::new());
    loop {
        let data = ask().await?;
        let text = context.output.text(&data, &for_people)?;
        if is_drawn {
            let lines = fitting(&text);
            write(&frame(&lines, lines_above))?;
            lines_above = lines.len();
        } else if text != last {
            if !context.output.next_answer(&data, &for_people)? {
                return Ok(data);
            }
            last = text;
        }
        if is_over(&data) {
            return Ok(data);
        }
        tokio::time::sleep(REDRAW).await;
    }
}

/// As many lines as the screen has, but for the one with the cursor.
fn fitting(text: &str) -> Vec<String> {
    let lines = terminal_size::terminal_size().map(|(_, height)| usize::from(height.0));
    let most = lines.unwrap_or(USUAL_LINES).saturating_sub(1).max(1);
    let mut all: Vec<String> = text.trim_end().lines().map(str::to_owned).collect();
    if all.len() > most {
        let hidden = all.len() - most + 1;
        all.truncate(most - 1);
        all.push(format!("… {hidden} more lines"));
    }
    all
}

fn write(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.context("cannot draw on the terminal")
}
