//! What blocked tasks ask, and what they were answered.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;
use workmill_core::ids::{GraphId, Namespace, ProjectId, TaskId};
use workmill_core::question::WaitsFor;
use workmill_queries::client::{GenericClient, Params};
use workmill_queries::queries::dispatch::claim;
use workmill_queries::queries::look::questions;

use crate::connect::Store;
use crate::error::StoreError;

const DOING: &str = "look at questions";

/// What a blocked task waits for.
#[derive(Debug, Clone, PartialEq)]
pub struct Blocked {
    pub waits_for: WaitsFor,
    pub question: Option<Value>,
    pub since: Timestamp,
    /// The time at which the wait ends as a failed attempt.
    pub until: Option<Timestamp>,
}

/// An answer with the question that it answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// None in answers from before questions were kept.
    pub waits_for: Option<WaitsFor>,
    pub question: Option<Value>,
    pub input: Value,
    pub answered_by: String,
    pub answered_at: Timestamp,
}

/// A question that a person can answer, with what an answer needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    pub task: TaskId,
    pub graph: GraphId,
    pub project: Option<ProjectId>,
    pub task_type: String,
    pub title: String,
    /// The agent that asked, or whose lease ran out.
    pub agent: Option<String>,
    pub blocked: Blocked,
}

/// A page of questions, soonest expiry first.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionPage {
    pub questions: Vec<Question>,
    /// Where the next page begins; none after the last.
    pub next: Option<QuestionPosition>,
}

/// A place in the list of questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuestionPosition {
    until: Option<Timestamp>,
    task: TaskId,
}

impl QuestionPosition {
    const FIRST: QuestionPosition = QuestionPosition {
        until: Some(Timestamp::UNIX_EPOCH),
        task: TaskId(Uuid::nil()),
    };
}

/// Questions without an expiry come last.
const NEVER: &str = "never";

impl fmt::Display for QuestionPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.until {
            Some(until) => write!(f, "{}.{}", until.as_microsecond(), self.task),
            None => write!(f, "{NEVER}.{}", self.task),
        }
    }
}

impl FromStr for QuestionPosition {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (until, task) = text.split_once('.').ok_or(())?;
        let until = match until {
            NEVER => None,
            micros => {
                let micros = micros.parse().map_err(drop)?;
                Some(Timestamp::from_microsecond(micros).map_err(drop)?)
            }
        };
        let task = task.parse().map_err(drop)?;
        Ok(QuestionPosition { until, task })
    }
}

impl Store {
    /// Returns a page of what waits for a person.
    pub async fn find_questions(
        &self,
        ns: Namespace,
        after: Option<QuestionPosition>,
        most: i64,
    ) -> Result<QuestionPage, StoreError> {
        let client = self.client(DOING).await?;
        let after = after.unwrap_or(QuestionPosition::FIRST);
        let kinds = WaitsFor::ALL.into_iter();
        let kinds = kinds.filter(|kind| kind.is_for_a_person());
        let kinds: Vec<&str> = kinds.map(WaitsFor::name).collect();
        let parameters = questions::FindQuestionsParams {
            ns: ns.0,
            kinds: kinds.as_slice(),
            until: after.until,
            after: after.task.0,
            most,
        };
        let rows = questions::find_questions()
            .params(&client, &parameters)
            .all()
            .await;
        let rows = rows.map_err(|error| StoreError::from_statement(DOING, error))?;
        let mut questions = Vec::with_capacity(rows.len());
        for row in rows {
            let task = TaskId(row.task);
            questions.push(Question {
                task,
                graph: GraphId(row.graph),
                project: row.project.map(ProjectId),
                task_type: row.type_name,
                title: row.title,
                agent: row.agent,
                blocked: Blocked {
                    waits_for: read_waits_for(task, &row.waits_for)?,
                    question: row.question,
                    since: row.at,
                    until: row.until,
                },
            });
        }
        let is_full = i64::try_from(questions.len()).is_ok_and(|found| found >= most);
        let last = questions.last().filter(|_| is_full);
        let next = last.map(|last| QuestionPosition {
            until: last.blocked.until,
            task: last.task,
        });
        Ok(QuestionPage { questions, next })
    }
}

/// Reads what blocked tasks wait for.
pub(super) async fn read_blocks<C: GenericClient>(
    client: &C,
    ns: i64,
    tasks: &[Uuid],
) -> Result<BTreeMap<Uuid, Blocked>, StoreError> {
    let mut blocks = BTreeMap::new();
    if tasks.is_empty() {
        return Ok(blocks);
    }
    let rows = questions::find_blocks()
        .bind(client, &ns, &tasks)
        .all()
        .await;
    for row in rows.map_err(|error| StoreError::from_statement(DOING, error))? {
        let blocked = Blocked {
            waits_for: read_waits_for(TaskId(row.task), &row.waits_for)?,
            question: row.question,
            since: row.at,
            until: row.until,
        };
        blocks.insert(row.task, blocked);
    }
    Ok(blocks)
}

/// Reads what tasks were answered, oldest first.
pub(crate) async fn read_answers<C: GenericClient>(
    client: &C,
    ns: i64,
    tasks: &[Uuid],
) -> Result<BTreeMap<Uuid, Vec<Answered>>, StoreError> {
    let mut answers: BTreeMap<Uuid, Vec<Answered>> = BTreeMap::new();
    if tasks.is_empty() {
        return Ok(answers);
    }
    let rows = claim::find_answers().bind(client, &tasks, &ns).all().await;
    for row in rows.map_err(|error| StoreError::from_statement(DOING, error))? {
        answers.entry(row.task).or_default().push(Answered {
            waits_for: row.waits_for.as_deref().and_then(WaitsFor::from_name),
            question: row.question,
            input: row.input,
            answered_by: row.answered_by,
            answered_at: row.at,
        });
    }
    Ok(answers)
}

fn read_waits_for(task: TaskId, name: &str) -> Result<WaitsFor, StoreError> {
    WaitsFor::from_name(name)
        .ok_or_else(|| StoreError::Corrupt(format!("{task} waits for `{name}`")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_read_as_it_was_written() {
        for until in [None, Some(Timestamp::UNIX_EPOCH)] {
            let task = TaskId(Uuid::from_u128(7));
            let position = QuestionPosition { until, task };
            assert_eq!(position.to_string().parse(), Ok(position));
        }
        for text in ["", "never", "never.", "x.task_0", "1790000000000000"] {
            assert_eq!(text.parse::<QuestionPosition>(), Err(()), "{text}");
        }
    }
}
