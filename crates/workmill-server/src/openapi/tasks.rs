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
        calls: [
            submitting_and_reading(),
            changing(),
            questions(),
            dependencies(),
        ]
        .into_iter()
        .flatten()
        .collect(),
    }
}

fn submitting_and_reading() -> Vec<Call> {
    vec![
            Call::post("/v1/tasks", "submit_tasks", "Submit tasks")
                .says(
                    "One task, or `{\"tasks\": […]}` with up to 10,000 tasks in one transaction. Tasks with \
                     `depends_on` are refused: create a graph for them. A task has at most 1 MiB, a call 64 MiB.",
                )
                .needs(Submit)
                .repeatable()
                .taking_up_to::<SubmitTasks>(64 * MIB)
                .answering::<SubmittedTasks>(201, "The tasks were submitted.")
                .answering::<SubmittedTasks>(200, "The tasks were submitted by an earlier call with the same key.")
                .refusing(&[LimitReached]),
            Call::get("/v1/tasks", "list_tasks", "List tasks")
                .says(
                    "A task has to match all filters. `sort=newest` and `sort=oldest` sort by \
                     submission, `sort=ended` by end. A page can be empty although more tasks \
                     follow: only `next_cursor: null` is the end. A cursor is valid only with the \
                     filters of its list.",
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
                    "The output alone, as JSON. If an output is too large for a claim, the claim \
                     contains this address instead. Agents and lease tokens can read the outputs \
                     to which a claim refers.",
                )
                .needs(LookAtOutput)
                .naming::<TaskName>("id", "The id of the task, or its `key`.")
                .asking::<WhichOutput>()
                .answering_raw("application/json", 200, "The output.", json!({"$ref": "#/components/schemas/Json"})),
    ]
}

fn changing() -> Vec<Call> {
    vec![
            Call::post("/v1/tasks/{id}/adopt", "adopt_result", "Make a late result the outcome")
                .says(
                    "A result that came after its attempt had ended is kept with the attempt \
                     (`attempts[].late`). This call makes it the outcome of the task, and \
                     dependent tasks continue. It is refused while an agent works on the task, and \
                     after the task has completed.",
                )
                .needs(Steer)
                .naming::<TaskName>("id", "The task.")
                .taking::<AdoptResult>()
                .answering::<TaskStatus>(200, "The new status of the task.")
                .refusing(&[Conflict, IllegalTransition]),
            Call::post("/v1/plan-sync", "sync_plan", "Apply a planner's list")
                .says("JSON Lines, one task per line. The list has to be complete for each \
                       document (`spec_ref`) that it names: new tasks are inserted, changed tasks \
                       are updated, tasks that are not listed are deleted, and tasks that are done \
                       stay unchanged. All changes are made in one transaction. The same list \
                       again changes nothing.")
                .needs(Steer)
                .asking::<Mode>()
                .taking_lines::<PlanLine>(MOST_LINES, 64 * MIB)
                .answering::<SyncedPlan>(200, "The number of changes.")
                .refusing(&[Cycle, LimitReached]),
            Call::patch("/v1/tasks/{id}", "edit_task", "Edit a task")
                .says("Takes a JSON merge patch over the submitted task. The task must not be \
                       running.")
                .needs(Steer)
                .naming::<TaskName>("id", "The task.")
                .guarded()
                .taking_up_to::<TaskChanges>(MIB)
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
    ]
}

fn questions() -> Vec<Call> {
    vec![
        Call::post(
            "/v1/tasks/{id}/answer",
            "answer_task",
            "Answer a blocked task",
        )
        .says(
            "The task continues, and its next claim contains the question and the \
             answer. Both stay readable in the task.",
        )
        .needs(Steer)
        .naming::<TaskName>("id", "The task.")
        .taking::<AnswerTask>()
        .answering::<TaskStatus>(200, "The new status of the task.")
        .refusing(&[IllegalTransition]),
        Call::get("/v1/questions", "list_questions", "List open questions")
            .says(
                "Blocked tasks that wait for input, an approval or a review, with their \
                 questions. The task that expires soonest comes first.",
            )
            .needs(Look)
            .asking::<ListQuestions>()
            .answering::<QuestionList>(200, "A page of questions."),
    ]
}

fn dependencies() -> Vec<Call> {
    vec![
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
