//! Tasks.

use serde_json::json;
use workmill_core::schema::{TaskChanges, TaskName};
use workmill_engine::intake::plan::MOST_LINES;
use workmill_protocol::error::ErrorCode::{Conflict, Cycle, IllegalTransition, LimitReached};
use workmill_protocol::explain::Explanation;
use workmill_protocol::lists::{ListTasks, TaskList};
use workmill_protocol::plan::{PlanLine, SyncedPlan};
use workmill_protocol::questions::{ListQuestions, QuestionList};
use workmill_protocol::role::Permission::{Cancel, Look, LookAtOutput, LookAtTask, Steer, Submit};
use workmill_protocol::tasks::{
    AdoptResult, AnswerTask, SubmitTasks, SubmittedTasks, Task, TaskStatus,
};

use super::Group;
use super::call::{Call, MIB};
use crate::routes::plan::Mode;
use crate::routes::tasks::WhichOutput;

pub(super) fn group() -> Group {
    Group {
        name: "Tasks",
        description: "Submit work, look at it, steer it.",
        calls: vec![
            Call::post("/v1/tasks", "submit_tasks", "Submit tasks")
                .says(
                    "One task, or `{\"tasks\": […]}` with up to 10,000 that enter together or not at all. Tasks that \
                     depend on each other are a graph. A task is at most 1 MiB, a call 64 MiB.",
                )
                .needs(Submit)
                .repeatable()
                .taking_up_to::<SubmitTasks>(64 * MIB)
                .answering::<SubmittedTasks>(201, "They are submitted.")
                .answering::<SubmittedTasks>(200, "They were submitted by the same call before.")
                .refusing(&[LimitReached]),
            Call::get("/v1/tasks", "list_tasks", "List tasks")
                .says(
                    "Filters go together. `sort=newest` and `sort=oldest` go by when tasks were submitted, `sort=ended` by when \
                     they ended. A page may be empty while there is more: only `next_cursor: null` is \
                     the end. A cursor goes with the filters it came from.",
                )
                .needs(Look)
                .asking::<ListTasks>()
                .answering::<TaskList>(200, "A page of tasks."),
            Call::get("/v1/tasks/{id}", "show_task", "Show a task")
                .says(
                    "With all there is: what was asked for, attempts, dependencies, the lease, cost. Agents see what a \
                     claim has handed them.",
                )
                .needs(LookAtTask)
                .naming::<TaskName>("id", "The task.")
                .answering::<Task>(200, "The task as it stands."),
            Call::get("/v1/tasks/{id}/output", "show_output", "Fetch the output of a task")
                .says(
                    "The output alone, as JSON; claims name this address where an output is too large to hand over. Agents, and \
                     tokens of leases, fetch what a claim has handed them.",
                )
                .needs(LookAtOutput)
                .naming::<Word>("id", "The task; a planner's own id does, too.")
                .asking::<WhichOutput>()
                .answering_raw("application/json", 200, "The output.", json!({})),
            Call::post("/v1/tasks/{id}/adopt", "adopt_result", "Make a late result the outcome")
                .says(
                    "A result that came after its attempt had ended is kept with the attempt (`attempts[].late`). This makes it \
                     the outcome of the task, and what waits for the task goes on. Refused while an agent works on the task, and \
                     when it has completed.",
                )
                .needs(Steer)
                .naming::<TaskName>("id", "The task.")
                .taking::<AdoptResult>()
                .answering::<TaskStatus>(200, "What became of it.")
                .refusing(&[Conflict, IllegalTransition]),
            Call::post("/v1/plan-sync", "sync_plan", "Bring a planner's list up to date")
                .says("JSON Lines, a task a line. The list speaks for the documents (`spec_ref`) that it names: what is new is \
                       inserted, what is another one is updated, what is not on it is deleted, what is done is left alone; all of it \
                       or nothing. The same list again changes nothing.")
                .needs(Steer)
                .asking::<Mode>()
                .taking_lines::<PlanLine>(MOST_LINES, 64 * MIB)
                .answering::<SyncedPlan>(200, "How many of what.")
                .refusing(&[Cycle, LimitReached]),
            Call::patch("/v1/tasks/{id}", "edit_task", "Edit a task")
                .says("While it waits: a JSON merge patch over what was asked for.")
                .needs(Steer)
                .naming::<TaskName>("id", "The task.")
                .guarded()
                .taking::<TaskChanges>()
                .answering::<TaskStatus>(200, "It is edited.")
                .refusing(&[Conflict]),
            Call::get("/v1/tasks/{id}/explain", "explain_task", "Why a task is not running")
                .says("Each condition between it and an agent, met or not; or why it runs where it does.")
                .needs(Look)
                .naming::<TaskName>("id", "The task.")
                .answering::<Explanation>(200, "Why."),
            Call::post("/v1/tasks/{id}/cancel", "cancel_task", "Cancel a task")
                .says("Producers cancel what they have submitted.")
                .needs(Cancel)
                .naming::<TaskName>("id", "The task.")
                .answering::<TaskStatus>(200, "What became of it.")
                .refusing(&[IllegalTransition]),
            Call::post("/v1/tasks/{id}/answer", "answer_task", "Answer a blocked task")
                .says("It goes on, and its next claim is handed the question and the answer. Both stay readable in the task.")
                .needs(Steer)
                .naming::<TaskName>("id", "The task.")
                .taking::<AnswerTask>()
                .answering::<TaskStatus>(200, "What became of it.")
                .refusing(&[IllegalTransition]),
            Call::get("/v1/questions", "list_questions", "List what waits for a person")
                .says(
                    "Blocked tasks that wait for input, an approval or a look, with what they ask. The one that \
                     expires soonest comes first.",
                )
                .needs(Look)
                .asking::<ListQuestions>()
                .answering::<QuestionList>(200, "A page of questions."),
            Call::put(
                "/v1/tasks/{id}/dependencies/{on}",
                "add_dependency",
                "Make a task wait for another",
            )
            .says("Both are of one graph. A cycle is refused with its path.")
            .needs(Steer)
            .naming::<TaskName>("id", "The task that waits.")
            .naming::<TaskName>("on", "The task that it waits for.")
            .answering_nothing(201, "It waits.")
            .answering_nothing(200, "It waited for it already.")
            .refusing(&[Cycle, Conflict]),
            Call::delete(
                "/v1/tasks/{id}/dependencies/{on}",
                "remove_dependency",
                "Let a task wait for another no longer",
            )
            .needs(Steer)
            .naming::<TaskName>("id", "The task that waits.")
            .naming::<TaskName>("on", "The task that it waits for.")
            .answering_nothing(204, "It does not wait for it any more.")
            .refusing(&[Conflict]),
        ],
    }
}
