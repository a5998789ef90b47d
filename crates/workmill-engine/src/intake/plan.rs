//! A planner's list as JSON Lines: read whole, and refused with everything that is wrong with it.

use std::collections::BTreeMap;

use workmill_core::plan::PlanLine;
use workmill_store::intake::plan::{PlanProblem, PlanRefusal, PlannedTask, SyncPlan};

pub use workmill_store::intake::plan::{PlanAction, PlanChange, PlanChanges, PlanMode};

use super::draft;
use super::limits::{LONGEST_WORD, check_text};
use crate::engine::{Caller, Engine};
use crate::error::{BadLine, EngineError};
use crate::strict;

/// The most tasks of one list.
pub const MOST_LINES: usize = 200_000;

impl Engine {
    /// Brings the plan of the namespace up to date with a list, all of it or nothing.
    pub async fn sync_plan(
        &self,
        caller: &Caller,
        list: Vec<u8>,
        mode: PlanMode,
        is_preview: bool,
    ) -> Result<PlanChanges, EngineError> {
        // A long one takes a while, and others shall not wait for it.
        let reading = tokio::task::spawn_blocking(move || read(&list)).await;
        let List { lines, tasks } = reading.map_err(|_| EngineError::Overloaded)??;
        let operation = SyncPlan {
            ns: caller.ns,
            planner: &caller.name,
            key: Some(caller.key),
            tasks: &tasks,
            mode,
            is_preview,
        };
        // Never closed.
        let _turn = self.shared.large_turns.acquire().await;
        let answer = self.run_by(caller, &operation).await?;
        answer.map_err(|refusal| match refusal {
            PlanRefusal::Cycle(path) => EngineError::Cycle { path },
            PlanRefusal::Tasks(problems) => EngineError::BadLines {
                lines: problems
                    .into_iter()
                    .map(|(place, problem)| BadLine {
                        line: lines[place],
                        problem: said(&tasks[place], &problem),
                    })
                    .collect(),
            },
        })
    }
}

fn said(task: &PlannedTask, problem: &PlanProblem) -> String {
    match problem {
        PlanProblem::UnknownDependency(on) => {
            format!("depends on '{on}', which is neither in the list nor in the plan")
        }
        PlanProblem::RemovedDependency(on) => {
            format!("depends on '{on}', which the list leaves out and so deletes")
        }
        PlanProblem::KeyTaken => format!("another task has the id '{}'", task.key()),
    }
}

/// The tasks of a list, and the line that each stands on.
struct List {
    lines: Vec<usize>,
    tasks: Vec<PlannedTask>,
}

fn read(list: &[u8]) -> Result<List, EngineError> {
    // Some editors begin a file with a mark of its encoding.
    let list = list.strip_prefix(b"\xef\xbb\xbf").unwrap_or(list);
    let (mut lines, mut tasks, mut bad) = (Vec::new(), Vec::new(), Vec::new());
    let mut first_with: BTreeMap<String, usize> = BTreeMap::new();
    for (place, text) in list.split(|byte| *byte == b'\n').enumerate() {
        let line = place + 1;
        if text.trim_ascii().is_empty() {
            continue;
        }
        match read_line(text) {
            Err(problem) => bad.push(BadLine { line, problem }),
            Ok(task) => {
                let key = task.key().to_owned();
                if let Some(first) = first_with.insert(key.clone(), line) {
                    let problem = format!("'{key}' is on line {first} already");
                    bad.push(BadLine { line, problem });
                }
                lines.push(line);
                tasks.push(task);
            }
        }
    }
    if !bad.is_empty() {
        return Err(EngineError::BadLines { lines: bad });
    }
    if tasks.is_empty() {
        let problem = "the list is empty: it names no document, so nothing would be done";
        return Err(EngineError::invalid("body", problem));
    }
    if tasks.len() > MOST_LINES {
        return Err(EngineError::invalid(
            "body",
            format!("at most {MOST_LINES} tasks"),
        ));
    }
    Ok(List { lines, tasks })
}

fn read_line(text: &[u8]) -> Result<PlannedTask, String> {
    let line: PlanLine = strict::read(text).map_err(|unreadable| {
        // Of this line, that is; which one it is in the list is said beside it.
        unreadable.problem.replace("at line 1 column", "at column")
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
        draft("", &line.task())
    };
    let draft = checked().map_err(|error| error.to_string())?;
    Ok(PlannedTask {
        spec_ref: line.spec_ref,
        deps: line.deps,
        draft,
    })
}
