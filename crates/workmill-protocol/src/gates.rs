//! Limits, budgets and pauses: what can hold ready tasks back.
//!
//! A scope names what it is set on: `namespace`, `type:review`, `label:provider:anthropic`,
//! `agent:coder_01`, `graph:dag_…` and so on, each kind of gate with those that make sense for it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use workmill_core::money::Micros;

use crate::usage::is_false;
use workmill_core::schema::{Amount, TimeZoneName, Title};

/// `GET /v1/limits`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LimitList {
    pub items: Vec<Limit>,
}

/// So many attempts at a time; of a label, so many `cost_units`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Limit {
    /// `namespace`, `all_but_critical`, `class:low`, `source:cron`, `type:review`,
    /// `label:provider:anthropic` or `agent:coder_01`.
    pub scope: String,
    pub max: i64,
    /// What runs now.
    pub used: i64,
    /// Ready tasks wait for it.
    pub has_waiting: bool,
    pub set_by: String,
    pub set_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// `PUT /v1/limits/{scope}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SetLimit {
    /// 0 lets nobody in.
    #[schema(minimum = 0, maximum = 1_000_000)]
    pub max: i64,
    /// Of the namespace: give each class its share, and keep a reserve for critical work. Sets
    /// `all_but_critical` and `class:…`, too.
    #[serde(default, skip_serializing_if = "is_false")]
    pub shares: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Title>)]
    pub note: Option<String>,
}

/// `GET /v1/budgets`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BudgetList {
    pub items: Vec<Budget>,
}

/// So much money.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Budget {
    /// `namespace`, `each_day`, `graph:dag_…` or `agent:coder_01`.
    pub scope: String,
    pub budget_usd: Micros,
    /// What is spent and reserved; of `each_day`, today.
    pub used_usd: Micros,
    /// Of that, what attempts have cost that have ended.
    pub spent_usd: Micros,
    pub remaining_usd: Micros,
    /// Ready tasks wait for it.
    pub has_waiting: bool,
    /// Where a day begins, of `each_day`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
    pub set_by: String,
    pub set_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// `GET /v1/budgets`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListBudgets {
    /// Those of graphs that have completed or were cancelled, of the newest 500 graphs; without it, all
    /// others.
    #[serde(skip_serializing_if = "is_false")]
    pub ended: bool,
}

/// `PUT /v1/budgets/{scope}`. What waited for it and fits now is ready again when this is answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SetBudget {
    /// All of it, what is spent already included.
    #[schema(value_type = Amount)]
    pub budget_usd: Micros,
    /// Where a day begins, of `each_day`: `Europe/Berlin`; UTC unless said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<TimeZoneName>)]
    pub time_zone: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Title>)]
    pub note: Option<String>,
}

/// `GET /v1/pauses`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PauseList {
    pub items: Vec<Pause>,
}

/// Nothing of it starts until it is resumed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Pause {
    /// `namespace`, `graph:dag_…`, `type:review`, `lane:…`, `label:provider:anthropic` or
    /// `agent:coder_01`.
    pub scope: String,
    /// Ready tasks wait for it.
    pub has_waiting: bool,
    pub set_by: String,
    pub set_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// `PUT /v1/pauses/{scope}`; `DELETE` resumes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct SetPause {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Title>)]
    pub note: Option<String>,
}
