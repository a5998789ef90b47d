//! What the demo came to: a graph that is over comes in, a few lines go out.

use std::io::{self, Write};
use std::time::Duration;

use serde_json::Value;
use workmill_core::failure::Reason;
use workmill_core::graph::GraphStatus;
use workmill_core::ids::GraphId;
use workmill_core::lifecycle::State;
use workmill_protocol::graphs::Graph;
use workmill_protocol::tasks::Task;

use super::agents::USD_PER_SECOND;
use super::first_line::first_line;
use super::table;

const MOST_OUTPUT_LINES: usize = 10;
const LONGEST_OUTPUT_LINE: usize = 100;

/// How the demo ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Outcome {
    /// Whether every task is completed.
    pub(crate) is_complete: bool,
    pub(crate) graph: GraphId,
    pub(crate) tasks_completed: usize,
    pub(crate) tasks: usize,
    /// Attempts that count, of all tasks, earlier runs included.
    pub(crate) attempts: i32,
    /// Those among them that were not the first of their task.
    pub(crate) retries: i32,
    pub(crate) cost_usd: f64,
    /// Of this run.
    pub(crate) wall_time: Duration,
    /// Whether an earlier run has begun it.
    pub(crate) is_resumed: bool,
}

impl Outcome {
    pub(super) fn of(graph: &Graph, wall_time: Duration, is_resumed: bool) -> Self {
        let counted = || graph.tasks.iter().map(|task| task.attempts_counted);
        Outcome {
            is_complete: graph.status == GraphStatus::Completed,
            graph: graph.id,
            tasks_completed: completed(graph).count(),
            tasks: graph.tasks.len(),
            attempts: counted().sum(),
            retries: counted().map(|attempts| (attempts - 1).max(0)).sum(),
            cost_usd: graph.cost_usd,
            wall_time,
            is_resumed,
        }
    }
}

fn completed(graph: &Graph) -> impl Iterator<Item = &Task> {
    graph
        .tasks
        .iter()
        .filter(|task| task.status == State::Completed)
}

pub(super) fn print(to: &mut impl Write, graph: &Graph, outcome: &Outcome) -> io::Result<()> {
    let ended = match (outcome.is_complete, outcome.is_resumed) {
        (true, false) => "The demo is complete.",
        (true, true) => "The demo that was interrupted earlier is complete.",
        (false, _) => "The demo did not complete.",
    };
    let seconds = outcome.wall_time.as_secs_f64();
    let retries = match outcome.retries {
        0 => "no retry".to_owned(),
        1 => "1 retry".to_owned(),
        several => format!("{several} retries"),
    };
    let on_purpose = if failed_on_purpose(graph) {
        ", 1 on purpose: `test` fails once"
    } else {
        ""
    };
    writeln!(to, "\n{ended}")?;
    writeln!(
        to,
        "  tasks     {} of {} completed",
        outcome.tasks_completed, outcome.tasks
    )?;
    writeln!(
        to,
        "  attempts  {} ({retries}{on_purpose})",
        outcome.attempts
    )?;
    writeln!(to, "  time      {seconds:.1} s")?;
    writeln!(
        to,
        "  cost      ${:.4}, at the demo's price of ${USD_PER_SECOND} per second of work",
        outcome.cost_usd
    )?;
    writeln!(to, "  graph     {}", outcome.graph)?;
    if outcome.is_complete {
        print_last_output(to, graph)?;
    } else {
        print_what_is_left(to, graph)?;
    }
    to.flush()
}

/// Whether the failure that the demo shows has happened: an interruption can take its place.
fn failed_on_purpose(graph: &Graph) -> bool {
    let is_test = |task: &&Task| task.task.name.as_deref() == Some("test");
    let attempts = graph
        .tasks
        .iter()
        .filter(is_test)
        .flat_map(|task| &task.attempts);
    attempts
        .into_iter()
        .any(|attempt| attempt.reason == Some(Reason::Crash))
}

fn print_last_output(to: &mut impl Write, graph: &Graph) -> io::Result<()> {
    let Some(task) = graph.tasks.last() else {
        return Ok(());
    };
    let text = match task.output.as_ref().map(|output| &output.data) {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    };
    writeln!(to, "\nOutput of `{}`:", table::name(task))?;
    for line in text.lines().take(MOST_OUTPUT_LINES) {
        writeln!(to, "  {}", first_line(line, LONGEST_OUTPUT_LINE))?;
    }
    Ok(())
}

fn print_what_is_left(to: &mut impl Write, graph: &Graph) -> io::Result<()> {
    writeln!(to, "\nNot completed:")?;
    for task in graph
        .tasks
        .iter()
        .filter(|task| task.status != State::Completed)
    {
        let error = task
            .attempts
            .last()
            .and_then(|attempt| attempt.error.as_deref());
        let error = first_line(error.unwrap_or_default(), LONGEST_OUTPUT_LINE);
        writeln!(
            to,
            "  {}  {}  {error}",
            table::name(task),
            task.status.name()
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    fn printed(graph: &Graph) -> String {
        let outcome = Outcome::of(graph, Duration::from_millis(7_340), false);
        let mut text = Vec::new();
        print(&mut text, graph, &outcome).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn attempts_beyond_the_first_of_a_task_are_retries() {
        let outcome = Outcome::of(&samples::completed(), Duration::ZERO, false);
        assert_eq!((outcome.tasks_completed, outcome.tasks), (2, 2));
        assert_eq!((outcome.attempts, outcome.retries), (3, 1));
        assert!(outcome.is_complete);
    }

    #[test]
    fn a_complete_demo_shows_its_numbers_and_the_last_output() {
        let expected = "
The demo is complete.
  tasks     2 of 2 completed
  attempts  3 (1 retry, 1 on purpose: `test` fails once)
  time      7.3 s
  cost      $0.0031, at the demo's price of $0.002 per second of work
  graph     dag_0000000001000000000000000A

Output of `publish`:
  words: 3
  \\u{1b}[31mred
";
        assert_eq!(printed(&samples::completed()), expected);
    }

    #[test]
    fn a_demo_that_did_not_complete_says_what_is_left() {
        let text = printed(&samples::under_way(GraphStatus::Failed));
        assert!(text.contains("The demo did not complete."), "{text}");
        assert!(text.contains("test  retrying  on purpose"), "{text}");
    }
}
