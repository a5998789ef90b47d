//! What holds for a namespace until somebody changes it, actions on many tasks, and their record.

use utoipa::ToSchema;
use workmill_core::schema::{BudgetScope, LimitScope, PauseScope};
use workmill_protocol::audit::{AuditList, ListAudit};
use workmill_protocol::bulk::{ChangePreview, ChangeTasks, ChangedTasks};
use workmill_protocol::error::ErrorCode::Invalid;
use workmill_protocol::gates::{
    Budget, BudgetList, Limit, LimitList, ListBudgets, Pause, PauseList, SetBudget, SetLimit,
    SetPause,
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
            .naming::<S>("scope", "What it is set on. A `/` in it is written `%2F`.")
            .refusing(&[Invalid])
    }
    Group {
        name: "Limits, budgets, pauses",
        description: "What can hold ready tasks back.",
        calls: vec![
            Call::get("/v1/limits", "list_limits", "List limits")
                .needs(Look)
                .answering::<LimitList>(200, "All limits, with what runs."),
            of::<LimitScope>(Call::put("/v1/limits/{scope}", "set_limit", "Limit what runs at a time"))
                .says("`\"shares\": true` with the scope `namespace` gives each class its share.")
                .taking::<SetLimit>()
                .answering::<Limit>(200, "The limit."),
            of::<LimitScope>(Call::delete("/v1/limits/{scope}", "remove_limit", "Remove a limit"))
                .answering_nothing(204, "It is gone."),
            Call::get("/v1/budgets", "list_budgets", "List budgets")
                .says("Without those of graphs that have ended: with `ended`, only these.")
                .needs(Look)
                .asking::<ListBudgets>()
                .answering::<BudgetList>(200, "All budgets, with what is used; of `each_day`, today."),
            of::<BudgetScope>(Call::put("/v1/budgets/{scope}", "set_budget", "Limit what is spent"))
                .says(
                    "What waited for it and fits now is ready when the call is answered. `time_zone` is for `each_day` \
                     only.",
                )
                .taking::<SetBudget>()
                .answering::<Budget>(200, "The budget."),
            of::<BudgetScope>(Call::delete("/v1/budgets/{scope}", "remove_budget", "Remove a budget"))
                .answering_nothing(204, "It is gone."),
            Call::get("/v1/pauses", "list_pauses", "List pauses")
                .needs(Look)
                .answering::<PauseList>(200, "All pauses."),
            of::<PauseScope>(Call::put("/v1/pauses/{scope}", "pause", "Start nothing of it"))
                .taking::<SetPause>()
                .answering::<Pause>(200, "The pause."),
            of::<PauseScope>(Call::delete("/v1/pauses/{scope}", "resume", "Resume"))
                .answering_nothing(204, "It goes on."),
        ],
    }
}

pub(super) fn many() -> Group {
    Group {
        name: "Many at once",
        description: "One action on all tasks that fit, the record of what was done by hand, and how much there is.",
        calls: vec![
            Call::post("/v1/bulk", "change_tasks", "One action on all tasks that fit")
                .says(
                    "With `dry_run`, what would happen; its `moment` named in the real call, the same tasks are meant. A \
                     call ends after 20 seconds, and `more` says that it is to be repeated.",
                )
                .needs(Operate)
                .taking::<ChangeTasks>()
                .answering::<ChangedTasks>(200, "What was done, or would be.")
                .answering::<ChangePreview>(200, ""),
            Call::get("/v1/audit", "list_audit", "Who did what by hand")
                .says("Newest first.")
                .needs(Operate)
                .asking::<ListAudit>()
                .answering::<AuditList>(200, "A page of the record."),
            Call::get("/v1/stats", "show_stats", "How much there is")
                .says("By where tasks rest; each place is counted up to 10,000.")
                .needs(Look)
                .answering::<Stats>(200, "How much there is."),
        ],
    }
}

pub(super) fn retention() -> Group {
    Group {
        name: "What is kept",
        description: "How long finished tasks are kept.",
        calls: vec![
            Call::get(
                "/v1/retention",
                "show_retention",
                "How long finished tasks are kept",
            )
            .says("With `dry_run`, what would go now.")
            .needs(Look)
            .asking::<Mode>()
            .answering::<Retention>(200, "How long, or what would go.")
            .answering::<RetentionPreview>(200, ""),
            Call::put(
                "/v1/retention",
                "set_retention",
                "Say how long finished tasks are kept",
            )
            .says("What is not named is kept for ever. With `dry_run`, what would go now.")
            .needs(Operate)
            .asking::<Mode>()
            .guarded()
            .taking::<Retention>()
            .answering::<Retention>(200, "How long, or what would go.")
            .answering::<RetentionPreview>(200, ""),
            Call::delete("/v1/retention", "remove_retention", "Keep everything")
                .needs(Operate)
                .asking::<Mode>()
                .guarded()
                .answering::<Retention>(200, "How long, or what would go.")
                .answering::<RetentionPreview>(200, ""),
        ],
    }
}
