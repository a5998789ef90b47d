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

/// `GET /v1/limits` and `GET /v1/pauses`
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListGates {
    /// Items per page: 50 by default, at most 500.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(minimum = 1, maximum = 500)]
    pub limit: Option<usize>,
    /// The `next_cursor` of the previous page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// The answer of `GET /v1/limits`, in the order of the scopes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LimitList {
    pub items: Vec<Limit>,
    pub next_cursor: Option<String>,
}

/// A limit on the number of running attempts; for a label, on the sum of their `cost_units`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Limit {
    /// `namespace`, `all_but_critical`, `class:low`, `source:cron`, `type:review`,
    /// `label:provider:anthropic` or `agent:coder_01`.
    pub scope: String,
    pub max: i64,
    /// Current use.
    pub used: i64,
    /// Ready tasks wait for this gate.
    pub has_waiting: bool,
    pub set_by: String,
    pub set_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// `PUT /v1/limits/{scope}`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SetLimit {
    /// 0 stops all new attempts.
    #[schema(minimum = 0, maximum = 1_000_000)]
    pub max: i64,
    /// For the scope `namespace`: also give each priority class a share and keep a reserve for critical
    /// tasks. Sets `all_but_critical` and `class:…` too.
    #[serde(default, skip_serializing_if = "is_false")]
    pub shares: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Title>)]
    pub note: Option<String>,
}

/// The answer of `GET /v1/budgets`, in the order of the scopes; those of ended graphs newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BudgetList {
    pub items: Vec<Budget>,
    pub next_cursor: Option<String>,
}

/// A budget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Budget {
    /// `namespace`, `each_day`, `graph:dag_…` or `agent:coder_01`.
    pub scope: String,
    pub budget_usd: Micros,
    /// Spent and reserved money; for `each_day` that of today.
    pub used_usd: Micros,
    /// The part of `used_usd` that ended attempts have cost.
    pub spent_usd: Micros,
    pub remaining_usd: Micros,
    /// Ready tasks wait for this gate.
    pub has_waiting: bool,
    /// Time zone of the days of `each_day`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
    pub set_by: String,
    pub set_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// `GET /v1/budgets`
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListBudgets {
    /// List the budgets of completed and cancelled graphs, of the newest 500 graphs. By default,
    /// list all other budgets.
    #[serde(skip_serializing_if = "is_false")]
    pub ended: bool,
    /// Items per page: 50 by default, at most 500.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(minimum = 1, maximum = 500)]
    pub limit: Option<usize>,
    /// The `next_cursor` of the previous page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// `PUT /v1/budgets/{scope}`. When the call is answered, the waiting tasks that fit are ready.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SetBudget {
    /// The whole amount, including money that is already spent.
    #[schema(value_type = Amount)]
    pub budget_usd: Micros,
    /// Time zone of the days of `each_day`: `Europe/Berlin`; UTC by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<TimeZoneName>)]
    pub time_zone: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Title>)]
    pub note: Option<String>,
}

/// The answer of `GET /v1/pauses`, in the order of the scopes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PauseList {
    pub items: Vec<Pause>,
    pub next_cursor: Option<String>,
}

/// A pause: no matching task starts until the pause is removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Pause {
    /// `namespace`, `graph:dag_…`, `type:review`, `lane:…`, `label:provider:anthropic` or
    /// `agent:coder_01`.
    pub scope: String,
    /// Ready tasks wait for this gate.
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
