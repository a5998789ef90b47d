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
                .says("All of it or nothing. Tasks name each other in `depends_on`; a name is unique in the call.")
                .needs(Submit)
                .repeatable()
                .taking_up_to::<CreateGraph>(64 * MIB)
                .answering::<CreatedGraph>(201, "It is created.")
                .answering::<CreatedGraph>(200, "It was created by the same call before.")
                .refusing(&[Cycle, LimitReached]),
            Call::get("/v1/graphs", "list_graphs", "List graphs")
                .says("The newest first, with how many of their tasks are where and what they have cost. A task that is its own graph \
                       is in the list of tasks only. A page may be empty while there is more: only `next_cursor: null` is the end.")
                .needs(Look)
                .asking::<ListGraphs>()
                .answering::<GraphList>(200, "A page of graphs."),
            Call::get("/v1/graphs/{id}", "show_graph", "Show a graph")
                .says("All of its tasks, with what each depends on.")
                .needs(Look)
                .naming::<GraphId>("id", "The graph.")
                .answering::<Graph>(200, "The graph as it stands."),
            Call::post("/v1/graphs/{id}/tasks", "grow_graph", "Add tasks to a graph")
                .says(
                    "They depend on each other by name, and on tasks of the graph by id. A task whose `idempotency_key` stands \
                     for a task of the graph is not added again: the first one is answered in its place.",
                )
                .needs(Steer)
                .repeatable()
                .naming::<GraphId>("id", "The graph.")
                .taking_up_to::<GrowGraph>(64 * MIB)
                .answering::<SubmittedTasks>(201, "They are added.")
                .answering::<SubmittedTasks>(200, "All of them were added before.")
                .refusing(&[Conflict, Cycle, LimitReached]),
            Call::post("/v1/graphs/{id}/submit", "submit_graph", "Submit a draft")
                .needs(Steer)
                .naming::<GraphId>("id", "The graph.")
                .answering::<Graph>(200, "It runs.")
                .refusing(&[Conflict]),
            Call::post("/v1/graphs/{id}/cancel", "cancel_graph", "Cancel what is left of a graph")
                .says("Producers cancel what they have submitted.")
                .needs(Cancel)
                .naming::<GraphId>("id", "The graph.")
                .taking::<CancelGraph>()
                .answering::<CancelledGraph>(200, "How many tasks were cancelled."),
            Call::post("/v1/graphs/{id}/retry", "retry_graph", "Send the failed part of a graph round again")
                .says("A call ends after 20 seconds; `more` says that it is to be repeated.")
                .needs(Steer)
                .naming::<GraphId>("id", "The graph.")
                .answering::<RetriedGraph>(200, "How many go round again."),
        ],
    }
}
