//! One action on all tasks that fit a filter.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use workmill_core::priority::Priority;
use workmill_engine::look;
use workmill_engine::settlement::bulk::{BulkAction, Change, Preview};
use workmill_engine::{Caller, Engine};
use workmill_protocol::bulk::{Action, ChangePreview, ChangeTasks, ChangedTasks, TaskFilter};
use workmill_protocol::dead_letters::{Unfit, UnfitTask};
use workmill_protocol::error::ErrorCode;

use super::EndInTime;
use crate::body::Strict;
use crate::problem::Refused;

pub(super) async fn change(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Strict(request): Strict<ChangeTasks>,
) -> Result<Response, Refused> {
    let action = BulkAction {
        filter: read_filter(request.filter),
        change: read_change(request.action, request.priority, request.tag)?,
        note: request.note,
    };
    if request.dry_run {
        let preview = engine.preview_bulk(&caller, &action).await?;
        return Ok(Json(show_preview(preview)).into_response());
    }
    let moment = match request.moment {
        Some(moment) => moment,
        None => engine.store().now().await?,
    };
    let in_time = EndInTime::new();
    let progress = engine
        .carry_out_bulk(&caller, &action, moment, |_| in_time.go_on())
        .await?;
    let examples = progress.unfit_examples.into_iter();
    let answer = ChangedTasks {
        changed: progress.changed,
        skipped: progress.skipped,
        unfit: Unfit {
            count: progress.unfit,
            examples: examples
                .map(|(task, problem)| UnfitTask { task, problem })
                .collect(),
        },
        more: !progress.is_done,
        moment,
    };
    Ok(Json(answer).into_response())
}

fn show_preview(preview: Preview) -> ChangePreview {
    ChangePreview {
        count: preview.tasks,
        is_whole: preview.is_whole,
        moment: preview.moment,
        statuses: preview.states,
        becoming: preview.becoming,
        types: preview.types,
        sample: preview.sample,
    }
}

fn read_filter(filter: TaskFilter) -> look::TaskFilter {
    look::TaskFilter {
        states: filter.status.into_iter().collect(),
        task_type: filter.task_type,
        tag: filter.tag,
        agent: filter.agent,
        graph: filter.graph,
        project: filter.project,
        created_by: filter.created_by,
        source: filter.source,
        class: filter.priority_tier,
        title: filter.q,
        since: filter.since,
        until: filter.until,
    }
}

/// Each action takes what it needs and nothing else: what was given for another one is a mistake.
fn read_change(
    action: Action,
    priority: Option<Priority>,
    tag: Option<String>,
) -> Result<Change, Refused> {
    let refuse =
        |field: &str, detail: &str| Err(Refused::new(ErrorCode::Invalid, detail).at(field));
    match (action, priority, tag) {
        (Action::Cancel, None, None) => Ok(Change::Cancel),
        (Action::Retry, None, None) => Ok(Change::Retry),
        (Action::Reprioritise, Some(priority), None) => Ok(Change::Reprioritise(priority)),
        (Action::Tag, None, Some(tag)) => Ok(Change::AddTag(tag)),
        (Action::Untag, None, Some(tag)) => Ok(Change::RemoveTag(tag)),
        (Action::Reprioritise, None, _) => refuse("priority", "`reprioritise` needs `priority`"),
        (Action::Tag | Action::Untag, _, None) => refuse("tag", "`tag` and `untag` need `tag`"),
        (Action::Cancel | Action::Retry | Action::Tag | Action::Untag, Some(_), _) => {
            refuse("priority", "is for `reprioritise`")
        }
        (Action::Cancel | Action::Retry | Action::Reprioritise, _, Some(_)) => refuse(
            "tag",
            "is for `tag` and `untag`; the filter has one of its own",
        ),
    }
}
