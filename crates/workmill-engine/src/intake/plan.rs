//! A planner's list as JSON Lines: read whole, and refused with everything that is wrong with it.

use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use workmill_core::plan::PlanLine;
use workmill_store::beside::beside;
use workmill_store::intake::plan::{PlanProblem, PlanRefusal, PlannedTask, SyncPlan};

pub use workmill_store::intake::plan::{PlanAction, PlanChange, PlanChanges, PlanMode};

use super::draft;
use super::limits::{LONGEST_WORD, check_text};
use crate::engine::{Caller, Engine};
use crate::error::{BadLine, EngineError};
use crate::strict;

/// The most tasks of one list. All of them are compared with the plan in memory.
pub const MOST_LINES: usize = 100_000;

/// The most dependencies of all tasks of one list together: four for each of the most lines.
pub const MOST_DEPENDENCIES: usize = 4 * MOST_LINES;

/// A task may have 1 MiB, and the ids that it depends on come with it.
const LONGEST_LINE: usize = 8 * 1024 * 1024;

/// Every line can be named once. Where lines have so many faults that this is not enough, the others are
/// counted.
const MOST_NAMED: usize = MOST_LINES;

/// The problems that are named have so many bytes in all: enough for a short one of each line.
const MOST_TEXT: usize = 16 * 1024 * 1024;

/// A problem may repeat what the line says.
const LONGEST_PROBLEM: usize = 300;

impl Engine {
    /// Brings the plan of the namespace up to date with a list, all of it or nothing.
    pub async fn sync_plan(
        &self,
        caller: &Caller,
        list: Vec<u8>,
        mode: PlanMode,
        is_preview: bool,
    ) -> Result<PlanChanges, EngineError> {
        let (List { lines, tasks }, _turn) = read_in_turn(&self.shared.large_turns, list).await?;
        let operation = SyncPlan {
            ns: caller.ns,
            planner: &caller.name,
            key: Some(caller.key),
            tasks: &tasks,
            mode,
            is_preview,
        };
        let answer = self.run_by(caller, &operation).await?;
        answer.map_err(|refusal| match refusal {
            PlanRefusal::Cycle(path) => EngineError::Cycle { path },
            PlanRefusal::Tasks(problems) => beside(problems.len() > A_FEW, || {
                let mut bad = BadLines::default();
                for (place, problem) in &problems {
                    bad.add(lines[*place], || said(&tasks[*place], problem));
                }
                bad.refusal()
            }),
        })
    }
}

/// More problems than these take longer to describe than a change of threads.
const A_FEW: usize = 100;

fn said(task: &PlannedTask, problem: &PlanProblem) -> String {
    match problem {
        PlanProblem::UnknownDependency(on) => {
            format!("depends on '{on}', which is neither in the list nor in the plan")
        }
        PlanProblem::RemovedDependency(on) => {
            format!("depends on '{on}', which the list leaves out and so deletes")
        }
        PlanProblem::KeyTaken => format!("another task has the id '{}'", task.key),
    }
}

/// The tasks of a list, and the line that each stands on.
#[derive(Debug)]
struct List {
    lines: Vec<usize>,
    tasks: Vec<PlannedTask>,
}

/// Lines that cannot be used.
#[derive(Default)]
struct BadLines {
    named: Vec<BadLine>,
    more: usize,
    bytes: usize,
}

impl BadLines {
    fn add(&mut self, line: usize, problem: impl FnOnce() -> String) {
        if self.named.len() < MOST_NAMED && self.bytes < MOST_TEXT {
            let problem: String = problem().chars().take(LONGEST_PROBLEM).collect();
            self.bytes += problem.len();
            self.named.push(BadLine { line, problem });
        } else {
            self.more += 1;
        }
    }

    fn refusal(self) -> EngineError {
        EngineError::BadLines {
            lines: self.named,
            more: self.more,
        }
    }
}

/// Reads a list when it is its turn: its tasks take many times the memory of the list, while one
/// that waits takes no more than was sent. The turn is to be kept as long as the tasks.
async fn read_in_turn(
    turns: &Arc<Semaphore>,
    list: Vec<u8>,
) -> Result<(List, OwnedSemaphorePermit), EngineError> {
    let turn = Arc::clone(turns).acquire_owned().await;
    // Never closed.
    let turn = turn.map_err(|_| EngineError::Overloaded)?;
    // A long one takes a while, and others shall not wait for it. It is read to its end also when
    // the caller has gone away, so the turn goes with it.
    let reading = tokio::task::spawn_blocking(move || read(&list).map(|list| (list, turn)));
    reading.await.map_err(|_| EngineError::Overloaded)?
}

/// The lines that are not blank, with their numbers.
fn written_lines(list: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let lines = (1..).zip(list.split(|byte| *byte == b'\n'));
    lines.filter(|(_, text)| !text.trim_ascii().is_empty())
}

fn read(list: &[u8]) -> Result<List, EngineError> {
    // Some editors begin a file with a mark of its encoding.
    let list = list.strip_prefix(b"\xef\xbb\xbf").unwrap_or(list);
    // Before anything is made of them: a file that was meant for another program may have millions.
    if written_lines(list).nth(MOST_LINES).is_some() {
        return Err(EngineError::invalid(
            "body",
            format!("at most {MOST_LINES} tasks; split the list by `spec_ref`"),
        ));
    }
    let (mut lines, mut tasks, mut bad) = (Vec::new(), Vec::new(), BadLines::default());
    let mut first_with: BTreeMap<String, usize> = BTreeMap::new();
    let mut dependencies = 0;
    for (line, text) in written_lines(list) {
        match read_line(text) {
            Err(problem) => bad.add(line, || problem),
            Ok(task) => {
                dependencies += task.deps.len();
                if dependencies > MOST_DEPENDENCIES {
                    return Err(EngineError::invalid(
                        "body",
                        format!("at most {MOST_DEPENDENCIES} dependencies in one list"),
                    ));
                }
                let key = task.key.clone();
                if let Some(first) = first_with.insert(key, line) {
                    bad.add(line, || {
                        format!("'{}' is on line {first} already", task.key)
                    });
                }
                // Of a list that is refused, no task is needed.
                if bad.named.is_empty() {
                    lines.push(line);
                    tasks.push(task);
                } else {
                    tasks = Vec::new();
                }
            }
        }
    }
    if !bad.named.is_empty() {
        return Err(bad.refusal());
    }
    if tasks.is_empty() {
        let problem = "the list is empty: it names no document, so nothing would be done";
        return Err(EngineError::invalid("body", problem));
    }
    Ok(List { lines, tasks })
}

fn read_line(text: &[u8]) -> Result<PlannedTask, String> {
    if text.len() > LONGEST_LINE {
        return Err(format!("{} bytes; at most {LONGEST_LINE}", text.len()));
    }
    let mut line: PlanLine = strict::read(text).map_err(|unreadable| {
        // Of this line, that is; which one it is in the list is said beside it.
        let problem = unreadable.problem.replace("(line 1, column", "(column");
        match unreadable.field {
            Some(field) if !unreadable.names_its_field => format!("{field}: {problem}"),
            Some(_) | None => problem,
        }
    })?;
    let checked = || {
        check_text("id", &line.id, LONGEST_WORD)?;
        check_text("spec_ref", &line.spec_ref, LONGEST_WORD)?;
        if let Some(category) = &line.category {
            check_text("category", category, LONGEST_WORD)?;
        }
        for on in &line.deps {
            check_text("deps", on, LONGEST_WORD)?;
        }
        Ok::<_, EngineError>(())
    };
    checked().map_err(|error| error.to_string())?;
    let (spec_ref, deps) = (line.spec_ref.clone(), mem::take(&mut line.deps));
    let key = line.id.clone();
    let draft = draft("", &line.into_task()).map_err(|error| error.to_string())?;
    Ok(PlannedTask {
        spec_ref,
        deps,
        key,
        body: draft.body,
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn lines(count: usize) -> String {
        let line = |n| format!("{{\"id\": \"t{n}\", \"spec_ref\": \"s\", \"title\": \"T\"}}\n\n");
        (0..count).map(line).collect()
    }

    /// That no line can be used is not said: none was looked at.
    #[test]
    fn a_list_that_is_too_long_is_refused_before_its_lines_are_read() {
        let refused = |lines: usize| read("x\n".repeat(lines).as_bytes()).unwrap_err();
        let problem = refused(MOST_LINES + 1).to_string();
        assert_eq!(
            problem,
            "body: at most 100000 tasks; split the list by `spec_ref`"
        );
        let problem = refused(MOST_LINES).to_string();
        assert_eq!(problem, "100000 lines of the list cannot be used");
    }

    #[test]
    fn all_bad_lines_are_named_and_more_faults_than_lines_are_counted() {
        let list = [lines(1), "x\n".repeat(5_000)].concat();
        let refused = read(list.as_bytes()).unwrap_err();
        assert_eq!(refused.to_string(), "5000 lines of the list cannot be used");
        let EngineError::BadLines { lines, more } = refused else {
            panic!("{refused}");
        };
        assert_eq!((lines.len(), more), (5_000, 0));
        assert_eq!((lines[0].line, lines[4_999].line), (3, 5_002));

        let mut bad = BadLines::default();
        for _ in 0..MOST_LINES + 3 {
            bad.add(1, String::new);
        }
        assert_eq!((bad.named.len(), bad.more), (MOST_LINES, 3));
        let mut long = BadLines::default();
        for _ in 0..MOST_LINES {
            long.add(1, || "x".repeat(2 * LONGEST_PROBLEM));
        }
        assert_eq!(long.named.len(), MOST_TEXT / LONGEST_PROBLEM + 1);
        assert_eq!(long.named.len() + long.more, MOST_LINES);
    }

    /// Neither what the tasks are nor what they depend on is kept beyond the bound.
    #[test]
    fn a_list_with_too_many_dependencies_is_refused_while_it_is_read() {
        let deps = vec!["\"a\""; 10_000].join(",");
        let line = |n: usize| {
            format!("{{\"id\":\"t{n}\",\"spec_ref\":\"s\",\"title\":\"T\",\"deps\":[{deps}]}}\n")
        };
        let full = MOST_DEPENDENCIES / 10_000;
        let list: String = (0..full).map(line).collect();
        assert_eq!(read(list.as_bytes()).unwrap().tasks.len(), full);
        let refused = read(format!("{list}{}x\n", line(full)).as_bytes()).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "body: at most 400000 dependencies in one list"
        );
    }

    #[test]
    fn blank_lines_are_no_tasks_but_have_numbers() {
        let list = read(lines(3).as_bytes()).unwrap();
        assert_eq!(list.lines, [1, 3, 5]);
        assert_eq!(list.tasks.len(), 3);
    }

    /// Time stands still while a list is read, and goes on when all wait.
    #[tokio::test(start_paused = true)]
    async fn a_list_is_not_read_before_its_turn_and_keeps_it_afterwards() {
        let turns = Arc::new(Semaphore::new(1));
        let first = read_in_turn(&turns, lines(1).into_bytes()).await.unwrap();
        let second = read_in_turn(&turns, b"x".to_vec());
        let second = tokio::time::timeout(Duration::from_secs(1), second);
        assert!(second.await.is_err(), "it was read beside the first one");
        drop(first);
        let refused = read_in_turn(&turns, b"x".to_vec()).await;
        assert!(matches!(refused, Err(EngineError::BadLines { .. })));
        assert_eq!(turns.available_permits(), 1);
    }

    #[test]
    fn who_goes_away_leaves_no_turn_to_others_while_the_list_is_read() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .max_blocking_threads(1)
            .build()
            .unwrap();
        let turns = Arc::new(Semaphore::new(1));
        runtime.block_on(async {
            // Until this ends, no list is read.
            let (let_go, held_up) = std::sync::mpsc::channel::<()>();
            tokio::task::spawn_blocking(move || held_up.recv());
            let mut reading = Box::pin(read_in_turn(&turns, lines(1).into_bytes()));
            assert!(futures_util::poll!(&mut reading).is_pending());
            drop(reading);
            assert_eq!(turns.available_permits(), 0);
            drop(let_go);
            assert!(turns.acquire().await.is_ok());
        });
    }
}
