//! Dead letters: look at them, decide about one or about all that fit.

use std::sync::Arc;

use axum::extract::{self, Path};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::IntoParams;
use workmill_core::ids::TaskId;
use workmill_core::money::Micros;
use workmill_engine::look;
use workmill_engine::settlement::dead_letters::{self, BulkDecision, UnfitLetters};
use workmill_engine::{Caller, Engine};
use workmill_protocol::dead_letters::{
    DeadLetter, DeadLetterFilter, DeadLetterGroups, DeadLetterList, DeadLetterPreview,
    ListDeadLetters, Resolution, ResolveDeadLetter, ResolveDeadLetters, ResolvedDeadLetters,
    ReviewDeadLetter, Unfit, UnfitTask,
};
use workmill_protocol::error::ErrorCode;
use workmill_protocol::tasks::TaskStatus;

use super::{EndInTime, USUAL_LIMIT, read_cursor};
use crate::answers;
use crate::body::Strict;
use crate::problem::Refused;
use crate::query::Asked;

pub(super) async fn list(
    extract::State(engine): extract::State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Asked(mut asked): Asked<ListDeadLetters>,
) -> Result<Json<DeadLetterList>, Refused> {
    let limit = asked.limit.unwrap_or(USUAL_LIMIT);
    let cursor = asked.cursor.take();
    if asked.resolved {
        let after: Option<look::ResolvedPosition> = read_cursor(cursor)?;
        let filter = read_filter("", asked.into())?;
        let page = engine.resolved_dead_letters(&caller, &filter, after, limit);
        let page = page.await?;
        return Ok(Json(DeadLetterList {
            items: page.letters.into_iter().map(answers::dead_letter).collect(),
            next_cursor: page.next.map(|next| next.to_string()),
        }));
    }
    let after: Option<TaskId> = read_cursor(cursor)?;
    let filter = read_filter("", asked.into())?;
    let page = engine.dead_letters(&caller, &filter, after, limit).await?;
    Ok(Json(DeadLetterList {
        items: page.letters.into_iter().map(answers::dead_letter).collect(),
        next_cursor: page.next.map(|next| next.to_string()),
    }))
}

pub(super) async fn show(
    extract::State(engine): extract::State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<DeadLetter>, Refused> {
    let id = engine.named_task(&caller, &id).await?;
    let letter = engine.dead_letter(&caller, id).await?;
    Ok(Json(answers::dead_letter(letter)))
}

pub(super) async fn review(
    extract::State(engine): extract::State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Strict(request): Strict<ReviewDeadLetter>,
) -> Result<Json<DeadLetter>, Refused> {
    let id = engine.named_task(&caller, &id).await?;
    engine
        .review_dead_letter(&caller, id, request.reviewed)
        .await?;
    let letter = engine.dead_letter(&caller, id).await?;
    Ok(Json(answers::dead_letter(letter)))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct Largest {
    /// Number of groups: 50 by default, at most 500.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<usize>,
}

pub(super) async fn groups(
    extract::State(engine): extract::State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Asked(asked): Asked<Largest>,
) -> Result<Json<DeadLetterGroups>, Refused> {
    let limit = asked.limit.unwrap_or(USUAL_LIMIT);
    let groups = engine.dead_letter_groups(&caller, limit).await?;
    let items = groups.iter().map(answers::dead_letter_group).collect();
    Ok(Json(DeadLetterGroups { items }))
}

pub(super) async fn resolve(
    extract::State(engine): extract::State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Strict(request): Strict<ResolveDeadLetter>,
) -> Result<Json<TaskStatus>, Refused> {
    let id = engine.named_task(&caller, &id).await?;
    let resolution = read_resolution(request.resolution, request.changes)?;
    let status = engine
        .resolve_dead_letter(&caller, id, &resolution, request.note.as_deref())
        .await?;
    Ok(Json(TaskStatus { id, status }))
}

pub(super) async fn resolve_all(
    extract::State(engine): extract::State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Strict(request): Strict<ResolveDeadLetters>,
) -> Result<Response, Refused> {
    let decision = BulkDecision {
        filter: read_filter("filter.", request.filter)?,
        resolution: read_resolution(request.resolution, request.changes)?,
        note: request.note,
    };
    if request.dry_run {
        let preview = engine.preview_dead_letters(&caller, &decision).await?;
        return Ok(Json(show_preview(preview)).into_response());
    }
    let until = match request.until {
        Some(until) => until,
        None => engine.store().now().await?,
    };
    let in_time = EndInTime::new();
    let progress = engine
        .resolve_dead_letters(&caller, &decision, until, |_| in_time.go_on())
        .await?;
    let answer = ResolvedDeadLetters {
        resolved: progress.resolved,
        skipped: progress.skipped,
        unfit: unfit(progress.unfit),
        more: !progress.is_done,
        until,
    };
    Ok(Json(answer).into_response())
}

fn show_preview(preview: dead_letters::Preview) -> DeadLetterPreview {
    let groups = preview.groups.iter();
    let sample = preview.sample.into_iter();
    DeadLetterPreview {
        count: preview.letters,
        is_whole: preview.is_whole,
        until: preview.until,
        cost_usd: Micros(preview.cost_micros),
        dependents: preview.dependents,
        becoming: preview.becoming,
        unfit: unfit(preview.unfit),
        groups: groups.map(answers::dead_letter_group).collect(),
        groups_in_all: preview.groups_in_all,
        sample: sample.map(|one| one.letter.task).collect(),
    }
}

fn unfit(letters: UnfitLetters) -> Unfit {
    let examples = letters.examples.into_iter();
    Unfit {
        count: letters.letters,
        examples: examples
            .map(|(task, problem)| UnfitTask { task, problem })
            .collect(),
    }
}

/// `at` is where the filter stands in the request.
fn read_filter(at: &str, filter: DeadLetterFilter) -> Result<look::DeadLetterFilter, Refused> {
    let fingerprint = filter.fingerprint.map(|text| {
        let number: Option<i64> = text.parse().ok();
        let shown = number.filter(|number| number.to_string() == text);
        shown.ok_or_else(|| {
            let detail = "this is not a fingerprint: dead letters and their groups have one each";
            Refused::new(ErrorCode::Invalid, detail).at(format!("{at}fingerprint"))
        })
    });
    let fingerprint = fingerprint.transpose()?;
    Ok(look::DeadLetterFilter {
        task_type: filter.task_type,
        tag: filter.tag,
        created_by: filter.created_by,
        graph: filter.graph,
        agent: filter.agent,
        reason: filter.reason,
        cause: filter.cause,
        fingerprint,
        is_reviewed: filter.reviewed,
        since: filter.since,
        until: filter.until,
    })
}

/// Only a modification has changes.
fn read_resolution(
    named: Resolution,
    changes: Map<String, Value>,
) -> Result<dead_letters::Resolution, Refused> {
    match named {
        Resolution::ModifyAndRetry => Ok(dead_letters::Resolution::ModifyAndRetry { changes }),
        Resolution::Retry | Resolution::Cancel if !changes.is_empty() => {
            let detail = "only `modify_and_retry` takes changes";
            Err(Refused::new(ErrorCode::Invalid, detail).at("changes"))
        }
        Resolution::Retry => Ok(dead_letters::Resolution::Retry),
        Resolution::Cancel => Ok(dead_letters::Resolution::Cancel),
    }
}
