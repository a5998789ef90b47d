//! Graphs.

use workmill_core::ids::GraphId;
use workmill_protocol::error::ErrorCode::{Conflict, Cycle, LimitReached};
use workmill_protocol::graphs::{
    CancelGraph, CancelledGraph, CreateGraph, CreatedGraph, Graph, GraphList, GrowGraph,
    ListGraphs, RetriedGraph,
};
use workmill_protocol::role::Permission::{Cancel, Look, Steer, Submit};
use workmill_protocol::tasks::SubmittedTasks;

use super::Group;
use super::call::{Call, MIB};

pub(super) fn group() -> Group {
    Group {
        name: "Graphs",
        description: "Tasks that depend on each other.",
        calls: vec![
            Call::post("/v1/graphs", "create_graph", "Create a graph")
                .says("In one transaction. Tasks refer to each other by name in `depends_on`; a name is unique in the call.")
                .needs(Submit)
                .repeatable()
                .taking_up_to::<CreateGraph>(64 * MIB)
                .answering::<CreatedGraph>(201, "The graph was created.")
                .answering::<CreatedGraph>(200, "The graph was created by an earlier call with the same key.")
                .refusing(&[Cycle, LimitReached]),
            Call::get("/v1/graphs", "list_graphs", "List graphs")
                .says("Newest first, with the number of tasks by status and the cost. A single \
                       task that is its own graph is only in the list of tasks. A page can be \
                       empty although more graphs follow: only `next_cursor: null` is the end.")
                .needs(Look)
                .asking::<ListGraphs>()
                .answering::<GraphList>(200, "A page of graphs."),
            Call::get("/v1/graphs/{id}", "show_graph", "Show a graph")
                .says("With all its tasks and their dependencies.")
                .needs(Look)
                .naming::<GraphId>("id", "The graph.")
                .answering::<Graph>(200, "The graph."),
            Call::post("/v1/graphs/{id}/tasks", "grow_graph", "Add tasks to a graph")
                .says(
                    "`depends_on` names tasks of the call by name, and tasks of the graph by id. A \
                     task whose `idempotency_key` belongs to a task of the graph is not added \
                     again: the answer contains the existing task.",
                )
                .needs(Steer)
                .repeatable()
                .naming::<GraphId>("id", "The graph.")
                .taking_up_to::<GrowGraph>(64 * MIB)
                .answering::<SubmittedTasks>(201, "The tasks were added.")
                .answering::<SubmittedTasks>(200, "All of them were added before.")
                .refusing(&[Conflict, Cycle, LimitReached]),
            Call::post("/v1/graphs/{id}/submit", "submit_graph", "Submit a draft")
                .needs(Steer)
                .naming::<GraphId>("id", "The graph.")
                .answering::<Graph>(200, "The graph, which is running now.")
                .refusing(&[Conflict]),
            Call::post("/v1/graphs/{id}/cancel", "cancel_graph", "Cancel the unfinished tasks of a graph")
                .says("A producer can cancel only what its key submitted.")
                .needs(Cancel)
                .naming::<GraphId>("id", "The graph.")
                .taking::<CancelGraph>()
                .answering::<CancelledGraph>(200, "The number of cancelled tasks."),
            Call::post("/v1/graphs/{id}/retry", "retry_graph", "Retry the failed part of a graph")
                .says("A call stops after 20 seconds; repeat it while `more` is true.")
                .needs(Steer)
                .naming::<GraphId>("id", "The graph.")
                .answering::<RetriedGraph>(200, "The number of retried tasks."),
        ],
    }
}
