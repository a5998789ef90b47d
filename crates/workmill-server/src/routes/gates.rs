//! Limits, budgets and pauses: look at them, set them, remove them.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use workmill_core::gate::{Gate, Limited, Paused, Purse};
use workmill_core::money::Micros;
use workmill_engine::gates::{GateView, check_page};
use workmill_engine::{Caller, Engine};
use workmill_protocol::error::ErrorCode;
use workmill_protocol::gates::{
    Budget, BudgetList, Limit, LimitList, ListBudgets, ListGates, Pause, PauseList, SetBudget,
    SetLimit, SetPause,
};

use super::{USUAL_LIMIT, read_cursor};
use crate::body::Strict;
use crate::problem::Refused;
use crate::query::Asked;

const LIMITS: &str = "namespace, all_but_critical, class:…, source:…, type:…, label:…, agent:…";
const BUDGETS: &str = "namespace, each_day, graph:dag_…, agent:…";
const PAUSES: &str = "namespace, graph:dag_…, type:…, lane:…, label:…, agent:…";

#[derive(Clone, Copy)]
enum Order {
    Scope,
    /// Ids of graphs grow with time.
    NewestFirst,
}

struct Page<T> {
    items: Vec<T>,
    next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// The gates after the cursor that can be shown as this kind.
    fn of(
        mut gates: Vec<GateView>,
        show: fn(GateView) -> Option<T>,
        order: Order,
        asked: ListGates,
    ) -> Result<Page<T>, Refused> {
        let limit = asked.limit.unwrap_or(USUAL_LIMIT);
        check_page(limit)?;
        let after: Option<Gate> = read_cursor(asked.cursor)?;
        gates.sort_by(|one, other| match order {
            Order::Scope => one.gate.cmp(&other.gate),
            Order::NewestFirst => other.gate.cmp(&one.gate),
        });
        gates.retain(|view| {
            after.as_ref().is_none_or(|after| match order {
                Order::Scope => view.gate > *after,
                Order::NewestFirst => view.gate < *after,
            })
        });
        let mut shown = gates.into_iter().filter_map(|view| {
            let gate = view.gate.to_string();
            show(view).map(|item| (gate, item))
        });
        let (names, items): (Vec<String>, Vec<T>) = shown.by_ref().take(limit).unzip();
        let has_more = shown.next().is_some();
        let next_cursor = names.into_iter().next_back().filter(|_| has_more);
        Ok(Page { items, next_cursor })
    }
}

pub(super) async fn limits(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Asked(asked): Asked<ListGates>,
) -> Result<Json<LimitList>, Refused> {
    let page = Page::of(engine.gates(&caller).await?, limit, Order::Scope, asked)?;
    let Page { items, next_cursor } = page;
    Ok(Json(LimitList { items, next_cursor }))
}

pub(super) async fn set_limit(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(scope): Path<String>,
    Strict(request): Strict<SetLimit>,
) -> Result<Json<Limit>, Refused> {
    let limited = read_limited(&scope)?;
    let SetLimit { max, shares, note } = request;
    let changed = if shares {
        if limited != Limited::Namespace {
            let detail = "`shares` is allowed only for the scope `namespace`";
            return Err(Refused::new(ErrorCode::Invalid, detail).at("shares"));
        }
        let changed = engine.set_namespace_limit(&caller, max, note).await?;
        changed.into_iter().next()
    } else {
        Some(engine.set_limit(&caller, limited, max, note).await?)
    };
    let set = changed.and_then(|changed| changed.after);
    answer(set.and_then(limit), &scope)
}

pub(super) async fn remove_limit(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(scope): Path<String>,
) -> Result<StatusCode, Refused> {
    let gate = Gate::Limit(read_limited(&scope)?);
    engine.remove_gate(&caller, gate).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn budgets(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Asked(asked): Asked<ListBudgets>,
) -> Result<Json<BudgetList>, Refused> {
    let ListBudgets {
        ended,
        limit,
        cursor,
    } = asked;
    let (budgets, order) = if ended {
        let budgets = engine.budgets_of_ended_graphs(&caller).await?;
        (budgets, Order::NewestFirst)
    } else {
        (engine.budgets(&caller).await?, Order::Scope)
    };
    let Page { items, next_cursor } =
        Page::of(budgets, budget, order, ListGates { limit, cursor })?;
    Ok(Json(BudgetList { items, next_cursor }))
}

pub(super) async fn set_budget(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(scope): Path<String>,
    Strict(request): Strict<SetBudget>,
) -> Result<Json<Budget>, Refused> {
    let purse = read_purse(&scope)?;
    let SetBudget {
        budget_usd,
        time_zone,
        note,
    } = request;
    if time_zone.is_some() && purse != Purse::EachDay {
        let detail = "`time_zone` is allowed only for the scope `each_day`";
        return Err(Refused::new(ErrorCode::Invalid, detail).at("time_zone"));
    }
    let gate = Gate::Budget(purse.clone());
    engine
        .set_budget(&caller, purse, budget_usd, time_zone, note)
        .await?;
    // Read again: the day's shows what today has used.
    let budgets = engine.budgets(&caller).await?;
    let set = budgets.into_iter().find(|view| view.gate == gate);
    answer(set.and_then(budget), &scope)
}

pub(super) async fn remove_budget(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(scope): Path<String>,
) -> Result<StatusCode, Refused> {
    let gate = Gate::Budget(read_purse(&scope)?);
    engine.remove_gate(&caller, gate).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn pauses(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Asked(asked): Asked<ListGates>,
) -> Result<Json<PauseList>, Refused> {
    let page = Page::of(engine.gates(&caller).await?, pause, Order::Scope, asked)?;
    let Page { items, next_cursor } = page;
    Ok(Json(PauseList { items, next_cursor }))
}

pub(super) async fn set_pause(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(scope): Path<String>,
    Strict(request): Strict<SetPause>,
) -> Result<Json<Pause>, Refused> {
    let what = read_paused(&scope)?;
    let changed = engine.pause(&caller, what, request.note).await?;
    answer(changed.after.and_then(pause), &scope)
}

pub(super) async fn remove_pause(
    State(engine): State<Arc<Engine>>,
    Extension(caller): Extension<Caller>,
    Path(scope): Path<String>,
) -> Result<StatusCode, Refused> {
    engine.resume(&caller, read_paused(&scope)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn limit(view: GateView) -> Option<Limit> {
    let (Gate::Limit(_), Some(max)) = (&view.gate, view.cap) else {
        return None;
    };
    Some(Limit {
        scope: scope_of(&view.gate),
        max,
        used: view.used,
        has_waiting: view.has_waiters,
        set_by: view.set_by,
        set_at: view.set_at,
        note: view.note,
    })
}

fn budget(view: GateView) -> Option<Budget> {
    let (Gate::Budget(_), Some(cap)) = (&view.gate, view.cap) else {
        return None;
    };
    Some(Budget {
        scope: scope_of(&view.gate),
        budget_usd: Micros(cap),
        used_usd: Micros(view.used),
        spent_usd: Micros(view.spent),
        remaining_usd: Micros(cap.saturating_sub(view.used).max(0)),
        has_waiting: view.has_waiters,
        time_zone: view.time_zone,
        set_by: view.set_by,
        set_at: view.set_at,
        note: view.note,
    })
}

fn pause(view: GateView) -> Option<Pause> {
    let Gate::Pause(_) = &view.gate else {
        return None;
    };
    Some(Pause {
        scope: scope_of(&view.gate),
        has_waiting: view.has_waiters,
        set_by: view.set_by,
        set_at: view.set_at,
        note: view.note,
    })
}

/// Somebody else may have removed it in between.
fn answer<T>(set: Option<T>, scope: &str) -> Result<Json<T>, Refused> {
    set.map(Json)
        .ok_or_else(|| Refused::not_found(format_args!("`{scope}`")))
}

/// The name of a gate without its kind.
fn scope_of(gate: &Gate) -> String {
    let name = gate.to_string();
    let scope = name.split_once(':').map(|(_, scope)| scope.to_owned());
    scope.unwrap_or(name)
}

fn read_limited(scope: &str) -> Result<Limited, Refused> {
    match format!("limit:{scope}").parse() {
        Ok(Gate::Limit(limited)) => Ok(limited),
        _ => Err(no_scope(scope, LIMITS)),
    }
}

fn read_purse(scope: &str) -> Result<Purse, Refused> {
    match format!("budget:{scope}").parse() {
        Ok(Gate::Budget(purse)) => Ok(purse),
        _ => Err(no_scope(scope, BUDGETS)),
    }
}

fn read_paused(scope: &str) -> Result<Paused, Refused> {
    match format!("pause:{scope}").parse() {
        Ok(Gate::Pause(paused)) => Ok(paused),
        _ => Err(no_scope(scope, PAUSES)),
    }
}

fn no_scope(scope: &str, known: &str) -> Refused {
    let detail = format!("`{scope}` is not a scope; use one of {known}");
    Refused::new(ErrorCode::Invalid, detail).at("scope")
}
