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
        description: "Submit, read and change tasks.",
        calls: submitting_and_reading()
            .into_iter()
            .chain(changing())
            .collect(),
    }
}

fn submitting_and_reading() -> Vec<Call> {
    vec![
            Call::post("/v1/tasks", "submit_tasks", "Submit tasks")
                .says(
                    "One task, or `{\"tasks\": […]}` with up to 10,000 tasks in one transaction. Tasks that \
                     depend on each other form a graph. A task has at most 1 MiB, a call 64 MiB.",
                )
                .needs(Submit)
                .repeatable()
                .taking_up_to::<SubmitTasks>(64 * MIB)
                .answering::<SubmittedTasks>(201, "The tasks were submitted.")
                .answering::<SubmittedTasks>(200, "The tasks were submitted by an earlier call with the same key.")
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
                    "With its spec, attempts, dependencies, lease and cost. An agent can read the tasks that a \
                     claim handed to it.",
                )
                .needs(LookAtTask)
                .naming::<TaskName>("id", "The task.")
                .answering::<Task>(200, "The task."),
            Call::get("/v1/tasks/{id}/output", "show_output", "Fetch the output of a task")
                .says(
                    "The output alone, as JSON; claims name this address where an output is too large to hand over. Agents, and \
                     tokens of leases, fetch what a claim has handed them.",
                )
                .needs(LookAtOutput)
                .naming::<TaskName>("id", "The id of the task, or a planner's id.")
                .asking::<WhichOutput>()
                .answering_raw("application/json", 200, "The output.", json!({"$ref": "#/components/schemas/Json"})),
    ]
}

fn changing() -> Vec<Call> {
    vec![
            Call::post("/v1/tasks/{id}/adopt", "adopt_result", "Make a late result the outcome")
                .says(
                    "A result that came after its attempt had ended is kept with the attempt (`attempts[].late`). This makes it \
                     the outcome of the task, and what waits for the task goes on. Refused while an agent works on the task, and \
                     when it has completed.",
                )
                .needs(Steer)
                .naming::<TaskName>("id", "The task.")
                .taking::<AdoptResult>()
                .answering::<TaskStatus>(200, "The new status of the task.")
                .refusing(&[Conflict, IllegalTransition]),
            Call::post("/v1/plan-sync", "sync_plan", "Apply a planner's list")
                .says("JSON Lines, a task a line. The list speaks for the documents (`spec_ref`) that it names: what is new is \
                       inserted, what is another one is updated, what is not on it is deleted, what is done is left alone; all of it \
                       or nothing. The same list again changes nothing.")
                .needs(Steer)
                .asking::<Mode>()
                .taking_lines::<PlanLine>(MOST_LINES, 64 * MIB)
                .answering::<SyncedPlan>(200, "The number of changes.")
                .refusing(&[Cycle, LimitReached]),
            Call::patch("/v1/tasks/{id}", "edit_task", "Edit a task")
                .says("While the task is not running: a JSON merge patch over the submitted task.")
                .needs(Steer)
                .naming::<TaskName>("id", "The task.")
                .guarded()
                .taking::<TaskChanges>()
                .answering::<TaskStatus>(200, "The task was edited.")
                .refusing(&[Conflict]),
            Call::get("/v1/tasks/{id}/explain", "explain_task", "Explain why a task is not running")
                .says("Lists each condition between the task and its start, met or not; for a claimed task, why this agent has it.")
                .needs(Look)
                .naming::<TaskName>("id", "The task.")
                .answering::<Explanation>(200, "The explanation."),
            Call::post("/v1/tasks/{id}/cancel", "cancel_task", "Cancel a task")
                .says("A producer can cancel only what its key submitted.")
                .needs(Cancel)
                .naming::<TaskName>("id", "The task.")
                .answering::<TaskStatus>(200, "The new status of the task.")
                .refusing(&[IllegalTransition]),
            Call::post("/v1/tasks/{id}/answer", "answer_task", "Answer a blocked task")
                .says("It goes on, and its next claim is handed the question and the answer. Both stay readable in the task.")
                .needs(Steer)
                .naming::<TaskName>("id", "The task.")
                .taking::<AnswerTask>()
                .answering::<TaskStatus>(200, "The new status of the task.")
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
                "Add a dependency",
            )
            .says("Both tasks belong to one graph. A cycle is refused with its path.")
            .needs(Steer)
            .naming::<TaskName>("id", "The task that waits.")
            .naming::<TaskName>("on", "The task that it waits for.")
            .answering_nothing(201, "The dependency was added.")
            .answering_nothing(200, "The dependency existed already.")
            .refusing(&[Cycle, Conflict]),
            Call::delete(
                "/v1/tasks/{id}/dependencies/{on}",
                "remove_dependency",
                "Remove a dependency",
            )
            .needs(Steer)
            .naming::<TaskName>("id", "The task that waits.")
            .naming::<TaskName>("on", "The task that it waits for.")
            .answering_nothing(204, "The dependency was removed.")
            .refusing(&[Conflict]),
    ]
}
