//! `workmill list`: tasks that fit.

use anyhow::Result;
use workmill_protocol::bulk::TaskFilter;
use workmill_protocol::lists::{ListTasks, TaskList};

use crate::arguments::{ListArguments, TaskFilterArguments};
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::render;

/// As many as a page may have.
pub(super) const LARGEST_PAGE: usize = 500;

pub(crate) async fn run(context: &CommandContext, arguments: &ListArguments) -> Result<Exit> {
    let client = context.client()?;
    let page = &arguments.page;
    let mut list = ListTasks {
        limit: page.limit.map(usize::from),
        cursor: page.cursor.clone(),
        count: arguments.count,
        ..asked(filter(&arguments.filter))
    };
    if page.all {
        list.limit = Some(LARGEST_PAGE);
    }
    let mut all = TaskList {
        items: Vec::new(),
        next_cursor: None,
        count: None,
    };
    // A page may end early because much was looked over that does not fit.
    let wanted = list.limit.unwrap_or(50);
    loop {
        let some = client.tasks(&list).await?;
        all.items.extend(some.items);
        all.count = all.count.or(some.count);
        all.next_cursor = some.next_cursor;
        let is_enough = !page.all && all.items.len() >= wanted;
        if is_enough || all.next_cursor.is_none() {
            break;
        }
        list.cursor.clone_from(&all.next_cursor);
        list.count = false;
        if !page.all {
            list.limit = Some(wanted - all.items.len());
        }
    }
    context.output.answer(&all, render::tasks)?;
    if let Some(count) = all.count {
        let least = if count.is_whole { "" } else { "at least " };
        let note = format!("In all: {least}{}", render::count(count.tasks, "task"));
        context.output.note(&note);
    }
    if let Some(cursor) = &all.next_cursor {
        let note = format!("There are more: --all, or --cursor {cursor}");
        context.output.note(&note);
    }
    Ok(Exit::Done)
}

/// What `bulk` takes, too.
pub(super) fn filter(arguments: &TaskFilterArguments) -> TaskFilter {
    TaskFilter {
        status: arguments.status.clone(),
        task_type: arguments.task_type.clone(),
        tag: arguments.tag.clone(),
        agent: arguments.agent.clone(),
        graph: arguments.graph,
        project: arguments.project,
        created_by: arguments.created_by.clone(),
        source: arguments.source.clone(),
        priority_tier: arguments.priority_tier,
        since: arguments.since,
        until: None,
        q: arguments.title_has.clone(),
    }
}

fn asked(filter: TaskFilter) -> ListTasks {
    ListTasks {
        status: filter.status,
        task_type: filter.task_type,
        tag: filter.tag,
        agent: filter.agent,
        graph: filter.graph,
        project: filter.project,
        created_by: filter.created_by,
        source: filter.source,
        priority_tier: filter.priority_tier,
        since: filter.since,
        q: filter.q,
        ..ListTasks::default()
    }
}
