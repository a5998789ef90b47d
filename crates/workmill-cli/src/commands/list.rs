//! `workmill list`: tasks that fit.

use anyhow::Result;
use workmill_protocol::bulk::TaskFilter;
use workmill_protocol::lists::{ListTasks, TaskList};

use crate::arguments::{ListArguments, PageArguments, TaskFilterArguments};
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::render;

/// As many as a page may have.
pub(super) const LARGEST_PAGE: usize = 500;

/// Items on a page, unless the caller says.
const USUAL_PAGE: usize = 50;

pub(crate) async fn run(context: &CommandContext, arguments: &ListArguments) -> Result<Exit> {
    let client = context.client()?;
    let mut count = None;
    let ask = async |limit, cursor| {
        let list = ListTasks {
            limit: Some(limit),
            cursor,
            sort: arguments.order(),
            count: arguments.count && count.is_none(),
            ..asked(filter(&arguments.filter))
        };
        let page = client.tasks(&list).await?;
        count = count.or(page.count);
        Ok((page.items, page.next_cursor))
    };
    let (items, next_cursor) = pages(&arguments.page, ask).await?;
    let all = TaskList {
        items,
        next_cursor,
        count,
    };
    context.output.answer(&all, render::tasks)?;
    if let Some(count) = all.count {
        let least = if count.is_whole { "" } else { "at least " };
        let note = format!("In all: {least}{}", render::count(count.tasks, "task"));
        context.output.note(&note);
    }
    note_more(context, all.next_cursor.as_deref());
    Ok(Exit::Done)
}

/// Asks for pages until there are as many items as are wanted, with `--all` until the last page; a page
/// may end early because the server looked at many that do not fit.
pub(super) async fn pages<T>(
    page: &PageArguments,
    mut ask: impl AsyncFnMut(usize, Option<String>) -> Result<(Vec<T>, Option<String>)>,
) -> Result<(Vec<T>, Option<String>)> {
    let wanted = match page.limit {
        _ if page.all => usize::MAX,
        Some(limit) => usize::from(limit),
        None => USUAL_PAGE,
    };
    let (mut items, mut cursor) = (Vec::new(), page.cursor.clone());
    loop {
        let limit = (wanted - items.len()).min(LARGEST_PAGE);
        let (some, next) = ask(limit, cursor).await?;
        items.extend(some);
        cursor = next;
        if cursor.is_none() || items.len() >= wanted {
            return Ok((items, cursor));
        }
    }
}

pub(super) fn note_more(context: &CommandContext, cursor: Option<&str>) {
    if let Some(cursor) = cursor {
        let note = format!("There are more: --all, or --cursor {cursor}");
        context.output.note(&note);
    }
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
