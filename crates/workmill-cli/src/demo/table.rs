//! A graph as a table of text: one line for each task.
//!
//! The most telling columns come first, since a narrow terminal cuts lines off on the right.

use std::time::Duration;

use workmill_core::lifecycle::State;
use workmill_protocol::graphs::Graph;
use workmill_protocol::tasks::Task;

use super::first_line::first_line;
use crate::paint::{Paint, painted};

const LONGEST_NAME: usize = 30;

/// A line of a heading, one of column names, then the tasks in the order of the graph.
pub(super) fn lines(graph: &Graph, elapsed: Duration, colour: bool) -> Vec<String> {
    let done = graph
        .tasks
        .iter()
        .filter(|task| task.status == State::Completed)
        .count();
    let heading = format!(
        "{}: {done} of {} tasks completed, {:.1} s",
        first_line(&graph.title, LONGEST_NAME),
        graph.tasks.len(),
        elapsed.as_secs_f64()
    );
    let columns = row("task", "state", "agent", "attempts", "cost", None);
    let mut lines = vec![heading, columns];
    lines.extend(graph.tasks.iter().map(|task| {
        row(
            &name(task),
            task.status.name(),
            &agent(task).unwrap_or_default(),
            &count(task.attempts_counted),
            &cost(task.cost_usd),
            Paint::of_state(task.status).filter(|_| colour),
        )
    }));
    lines
}

fn row(
    task: &str,
    state: &str,
    agent: &str,
    attempts: &str,
    cost: &str,
    paint: Option<Paint>,
) -> String {
    // Padded before it is painted: the letters of a colour take no room.
    let state = painted(&format!("{state:<13}"), paint);
    format!("  {task:<14}{state}  {agent:<17}{attempts:>8}  {cost:>8}")
}

/// The name that the task was asked for with, or its title.
pub(super) fn name(task: &Task) -> String {
    first_line(
        task.task.name.as_ref().unwrap_or(&task.task.title),
        LONGEST_NAME,
    )
}

/// Who works on it, or who did last.
pub(super) fn agent(task: &Task) -> Option<String> {
    let running = task.claim.as_ref().map(|claim| &claim.agent);
    let agent = running.or(task.attempts.last().map(|attempt| &attempt.agent))?;
    Some(first_line(agent, LONGEST_NAME))
}

fn count(attempts: i32) -> String {
    if attempts == 0 {
        String::new()
    } else {
        attempts.to_string()
    }
}

fn cost(usd: f64) -> String {
    if usd > 0.0 {
        format!("${usd:.4}")
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use workmill_core::graph::GraphStatus;

    use super::super::samples;
    use super::*;

    #[test]
    fn a_graph_under_way_is_drawn_task_by_task() {
        let graph = samples::under_way(GraphStatus::Running);
        let expected = [
            "Workmill demo: 0 of 3 tasks completed, 2.5 s",
            "  task          state          agent            attempts      cost",
            "  part_words    running        demo-writer             1          ",
            "  test          retrying       demo-reviewer           1   $0.0010",
            "  publish       pending                                           ",
        ];
        assert_eq!(lines(&graph, Duration::from_millis(2_500), false), expected);
    }

    #[test]
    fn colours_change_nothing_but_colours() {
        let graph = samples::under_way(GraphStatus::Running);
        let painted = lines(&graph, Duration::ZERO, true);
        assert!(painted[2].contains("\x1b[36mrunning"), "{painted:?}");
        let mut plain = painted.join("\n");
        for paint in ["0", "2", "33", "36"] {
            plain = plain.replace(&format!("\x1b[{paint}m"), "");
        }
        assert_eq!(plain, lines(&graph, Duration::ZERO, false).join("\n"));
    }
}
