//! What holds for a namespace until somebody changes it, actions on many tasks, and their record.

use utoipa::ToSchema;
use workmill_core::schema::{BudgetScope, LimitScope, PauseScope};
use workmill_protocol::audit::{AuditList, ListAudit};
use workmill_protocol::bulk::{ChangePreview, ChangeTasks, ChangedTasks};
use workmill_protocol::error::ErrorCode::Invalid;
use workmill_protocol::gates::{
    Budget, BudgetList, Limit, LimitList, ListBudgets, ListGates, Pause, PauseList, SetBudget,
    SetLimit, SetPause,
};
use workmill_protocol::retention::{Retention, RetentionPreview};
use workmill_protocol::role::Permission::{Look, Operate};
use workmill_protocol::stats::Stats;

use super::Group;
use super::call::Call;
use crate::routes::retention::Mode;

pub(super) fn gates() -> Group {
    fn of<S: ToSchema>(call: Call) -> Call {
        call.needs(Operate)
            .naming::<S>("scope", "The scope. Encode a `/` as `%2F`.")
            .refusing(&[Invalid])
    }
    Group {
        name: "Limits, budgets, pauses",
        description: "Gates that can hold ready tasks back.",
        calls: vec![
            Call::get("/v1/limits", "list_limits", "List limits")
                .needs(Look)
                .asking::<ListGates>()
                .answering::<LimitList>(200, "A page of limits with their use."),
            of::<LimitScope>(Call::put("/v1/limits/{scope}", "set_limit", "Set a limit on running attempts"))
                .says("`\"shares\": true` with the scope `namespace` also gives each priority class a share.")
                .taking::<SetLimit>()
                .answering::<Limit>(200, "The limit."),
            of::<LimitScope>(Call::delete("/v1/limits/{scope}", "remove_limit", "Remove a limit"))
                .answering_nothing(204, "Removed."),
            Call::get("/v1/budgets", "list_budgets", "List budgets")
                .says("Without the budgets of ended graphs; `ended` lists only these.")
                .needs(Look)
                .asking::<ListBudgets>()
                .answering::<BudgetList>(200, "A page of budgets with their use; for `each_day` the use of today."),
            of::<BudgetScope>(Call::put("/v1/budgets/{scope}", "set_budget", "Set a budget"))
                .says(
                    "When the call is answered, the waiting tasks that fit are ready. `time_zone` is for `each_day` \
                     only.",
                )
                .taking::<SetBudget>()
                .answering::<Budget>(200, "The budget."),
            of::<BudgetScope>(Call::delete("/v1/budgets/{scope}", "remove_budget", "Remove a budget"))
                .answering_nothing(204, "Removed."),
            Call::get("/v1/pauses", "list_pauses", "List pauses")
                .needs(Look)
                .asking::<ListGates>()
                .answering::<PauseList>(200, "A page of pauses."),
            of::<PauseScope>(Call::put("/v1/pauses/{scope}", "pause", "Pause a scope"))
                .taking::<SetPause>()
                .answering::<Pause>(200, "The pause."),
            of::<PauseScope>(Call::delete("/v1/pauses/{scope}", "resume", "Remove a pause"))
                .answering_nothing(204, "The pause is removed."),
        ],
    }
}

pub(super) fn many() -> Group {
    Group {
        name: "Bulk actions and audit",
        description: "One action on all matching tasks, the audit log, and counts.",
        calls: vec![
            Call::post("/v1/bulk", "change_tasks", "Change all matching tasks")
                .says(
                    "With `dry_run`, returns what would happen. Name its `moment` in the real call to change the same tasks. A \
                     call stops after 20 seconds; repeat it while `more` is true.",
                )
                .needs(Operate)
                .taking::<ChangeTasks>()
                .answering::<ChangedTasks>(200, "The outcome, or the preview.")
                .answering::<ChangePreview>(200, ""),
            Call::get("/v1/audit", "list_audit", "Read the audit log")
                .says("Newest first.")
                .needs(Operate)
                .asking::<ListAudit>()
                .answering::<AuditList>(200, "A page of the audit log."),
            Call::get("/v1/stats", "show_stats", "Count tasks")
                .says("By status, each counted up to 10,000.")
                .needs(Look)
                .answering::<Stats>(200, "The counts."),
        ],
    }
}

pub(super) fn retention() -> Group {
    Group {
        name: "Retention",
        description: "The age at which finished tasks are deleted.",
        calls: vec![
            Call::get(
                "/v1/retention",
                "show_retention",
                "Show the retention",
            )
            .says("With `dry_run`, returns the tasks that would be deleted now.")
            .needs(Look)
            .asking::<Mode>()
            .answering::<Retention>(200, "The retention, or the preview.")
            .answering::<RetentionPreview>(200, ""),
            Call::put(
                "/v1/retention",
                "set_retention",
                "Set the retention",
            )
            .says("States without an age are kept forever. With `dry_run`, returns the tasks that would be deleted now.")
            .needs(Operate)
            .asking::<Mode>()
            .guarded()
            .taking::<Retention>()
            .answering::<Retention>(200, "The retention, or the preview.")
            .answering::<RetentionPreview>(200, ""),
            Call::delete("/v1/retention", "remove_retention", "Keep everything")
                .needs(Operate)
                .asking::<Mode>()
                .guarded()
                .answering::<Retention>(200, "The retention, or the preview.")
                .answering::<RetentionPreview>(200, ""),
        ],
    }
}
