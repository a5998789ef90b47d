//! Listing tasks: the walk of actions on many, ended as soon as a page is full.
//!
//! A filter may fit few of very many tasks. A page therefore ends, too, when it has gone over many
//! that did not fit, and says where the next one begins.

use workmill_core::bulk::{Candidate, HaveNotEnded, TaskFilter, places_to_look};
use workmill_core::ids::TaskId;
use workmill_core::list::Order;
use workmill_store::look::bulk::{LONGEST_STRETCH, Position, Walk};

use crate::engine::{Caller, Engine};
use crate::error::EngineError;
use crate::filter::{IN_A_QUERY, check_limit, check_task_filter};

/// Of tasks on a page.
pub const MOST_TASKS: usize = 500;

/// Tasks that a page or a count goes over at most, however few of them fit.
pub const MOST_LOOKED_AT: usize = 20_000;

/// The first stretch of a walk reads about as many as are asked for; the next ones more and more,
/// for few seem to fit.
const GROWTH: usize = 4;

/// What a look has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskPage {
    /// In the order that was asked for; without one, in that of the place where they rest: of all tasks
    /// or those of a graph, the oldest first. There may be fewer than were asked for, even none, and more further on.
    pub tasks: Vec<(TaskId, Candidate)>,
    /// Where the next page begins; none when there is no more.
    pub next: Option<String>,
}

/// How many tasks fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaskCount {
    pub tasks: usize,
    /// False: there are more than were looked at, and this is a lower bound.
    pub is_whole: bool,
}

impl Engine {
    /// A page of tasks that fit, from where the last one ended.
    pub async fn tasks(
        &self,
        caller: &Caller,
        filter: &TaskFilter,
        order: Option<Order>,
        cursor: Option<&str>,
        most: usize,
    ) -> Result<TaskPage, EngineError> {
        check_task_filter(IN_A_QUERY, filter)?;
        check_limit(most, MOST_TASKS)?;
        let walk = walk(filter, order)?;
        let mut position = cursor.map(|text| read_cursor(text, &walk)).transpose()?;
        let mut tasks = Vec::new();
        let (mut length, mut looked_at) = (most, 0);
        loop {
            let store = self.store();
            let stretch = store.find_stretch_to_list(caller.ns, filter, &walk, position, length);
            let stretch = stretch.await?;
            let last = stretch.tasks.last().map(|(id, _)| *id);
            for (id, task) in &stretch.tasks {
                if !filter.fits(task) || !stretch.is_home_of(task.state) {
                    continue;
                }
                tasks.push((*id, task.clone()));
                if tasks.len() == most {
                    let is_last = last == Some(*id);
                    let next = if is_last {
                        stretch.next
                    } else {
                        stretch.behind(*id)
                    };
                    return Ok(page(tasks, next));
                }
            }
            looked_at += length;
            position = stretch.next;
            if position.is_none() || looked_at >= MOST_LOOKED_AT {
                return Ok(page(tasks, position));
            }
            let left = MOST_LOOKED_AT - looked_at;
            length = (length * GROWTH).min(LONGEST_STRETCH).min(left);
        }
    }

    /// How many tasks fit, as far as can be told without going over very many.
    pub async fn count_tasks(
        &self,
        caller: &Caller,
        filter: &TaskFilter,
    ) -> Result<TaskCount, EngineError> {
        check_task_filter(IN_A_QUERY, filter)?;
        let walk = walk(filter, None)?;
        let (mut position, mut looked_at, mut tasks) = (None, 0, 0);
        loop {
            let store = self.store();
            let stretch =
                store.find_stretch_to_list(caller.ns, filter, &walk, position, LONGEST_STRETCH);
            let stretch = stretch.await?;
            let fitting = stretch
                .tasks
                .iter()
                .filter(|(_, task)| filter.fits(task) && stretch.is_home_of(task.state));
            tasks += fitting.count();
            looked_at += LONGEST_STRETCH;
            position = stretch.next;
            let is_whole = position.is_none();
            if is_whole || looked_at >= MOST_LOOKED_AT {
                return Ok(TaskCount { tasks, is_whole });
            }
        }
    }
}

fn page(tasks: Vec<(TaskId, Candidate)>, next: Option<Position>) -> TaskPage {
    TaskPage {
        tasks,
        next: next.map(|next| next.to_string()),
    }
}

fn walk(filter: &TaskFilter, order: Option<Order>) -> Result<Walk, EngineError> {
    let places = places_to_look(filter, order).map_err(|HaveNotEnded| {
        let problem = "`sort=ended` needs `status`: completed, cancelled or stale";
        EngineError::invalid("sort", problem)
    })?;
    Ok(Walk {
        places,
        is_descending: order.is_some_and(Order::is_descending),
    })
}

/// A cursor goes with its filter and its order: another walk may not come by its place at all.
fn read_cursor(text: &str, walk: &Walk) -> Result<Position, EngineError> {
    let position = text.parse::<Position>().ok();
    let known = position.filter(|position| position.is_in(&walk.places, walk.is_descending));
    known.ok_or_else(|| {
        let problem = "is not the `next_cursor` of a list with these filters in this order";
        EngineError::invalid("cursor", problem)
    })
}
