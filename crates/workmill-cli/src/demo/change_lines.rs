//! What has changed since the last look at a graph, one plain line for each task that moved.

use std::collections::BTreeMap;

use jiff::Timestamp;
use workmill_core::failure::Reason;
use workmill_core::ids::TaskId;
use workmill_core::lifecycle::State;
use workmill_protocol::graphs::Graph;
use workmill_protocol::tasks::Task;

use super::first_line::first_line;
use super::table;

const LONGEST_ERROR: usize = 100;

/// What was last seen of each task: its state and how many attempts count.
#[derive(Debug, Default)]
pub(super) struct ChangeLines {
    seen: BTreeMap<TaskId, (State, i32)>,
}

impl ChangeLines {
    /// Lines for what moved. A task that was never seen is taken to have been pending.
    pub(super) fn since_last(&mut self, graph: &Graph, now: Timestamp) -> Vec<String> {
        let mut lines = Vec::new();
        for task in &graph.tasks {
            let is = (task.status, task.attempts_counted);
            let was = self.seen.insert(task.id, is).unwrap_or((State::Pending, 0));
            if was != is {
                lines.push(line(task, now));
            }
        }
        lines
    }
}

/// `12:00:01Z  part_words  running  by demo-writer`
fn line(task: &Task, now: Timestamp) -> String {
    let time = now.strftime("%H:%M:%SZ");
    let mut line = format!("{time}  {}  {}", table::name(task), task.status.name());
    if task.status != State::Ready
        && let Some(agent) = table::agent(task)
    {
        line.push_str("  by ");
        line.push_str(&agent);
    }
    if task.attempts_counted > 1 {
        line.push_str(", attempt ");
        line.push_str(&task.attempts_counted.to_string());
    }
    if matches!(task.status, State::Retrying | State::DeadLettered)
        && let Some(last) = task.attempts.last()
    {
        let why = last.error.as_deref().or(last.reason.map(Reason::name));
        line.push_str(": ");
        line.push_str(&first_line(why.unwrap_or_default(), LONGEST_ERROR));
    }
    line
}

#[cfg(test)]
mod tests {
    use workmill_core::graph::GraphStatus;

    use super::super::samples;
    use super::*;

    #[test]
    fn each_change_is_told_once() {
        let mut changes = ChangeLines::default();
        let now: Timestamp = "2026-01-01T12:00:01Z".parse().unwrap();
        let under_way = samples::under_way(GraphStatus::Running);
        let expected = [
            "12:00:01Z  part_words  running  by demo-writer",
            "12:00:01Z  test  retrying  by demo-reviewer: on purpose",
        ];
        assert_eq!(changes.since_last(&under_way, now), expected);
        assert!(changes.since_last(&under_way, now).is_empty());
        let mut later = under_way;
        later.tasks[1].status = State::Running;
        later.tasks[1].attempts_counted = 2;
        let expected = ["12:00:01Z  test  running  by demo-reviewer, attempt 2"];
        assert_eq!(changes.since_last(&later, now), expected);
    }
}
