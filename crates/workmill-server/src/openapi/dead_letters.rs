//! Dead letters.

use workmill_core::schema::TaskName;
use workmill_protocol::dead_letters::{
    DeadLetter, DeadLetterGroups, DeadLetterList, DeadLetterPreview, ListDeadLetters,
    ResolveDeadLetter, ResolveDeadLetters, ResolvedDeadLetters, ReviewDeadLetter,
};
use workmill_protocol::error::ErrorCode::Conflict;
use workmill_protocol::role::Permission::{Look, Steer};
use workmill_protocol::tasks::TaskStatus;

use super::Group;
use super::call::Call;
use crate::routes::dead_letters::Largest;

pub(super) fn group() -> Group {
    Group {
        name: "Dead letters",
        description: "Tasks that wait for a decision of a person or an orchestrator.",
        calls: vec![
            Call::get("/v1/dead-letters", "list_dead_letters", "List dead letters")
                .says("With their failure history. With `resolved=true` those that were resolved, the \
                       newest decision first, each with the decision, its author, its time and the \
                       note.")
                .needs(Look)
                .asking::<ListDeadLetters>()
                .answering::<DeadLetterList>(200, "A page of dead letters."),
            Call::get("/v1/dead-letters/groups", "group_dead_letters", "Group dead letters by failure")
                .says("The largest groups first.")
                .needs(Look)
                .asking::<Largest>()
                .answering::<DeadLetterGroups>(200, "The groups."),
            Call::get("/v1/dead-letters/{id}", "show_dead_letter", "Show a dead letter")
                .says("Also returns a resolved dead letter, with the decision, its author and its \
                       time.")
                .needs(Look)
                .naming::<TaskName>("id", "The task.")
                .answering::<DeadLetter>(200, "The dead letter."),
            Call::patch("/v1/dead-letters/{id}", "review_dead_letter", "Mark a dead letter as reviewed")
                .needs(Steer)
                .naming::<TaskName>("id", "The task.")
                .taking::<ReviewDeadLetter>()
                .answering::<DeadLetter>(200, "The dead letter.")
                .refusing(&[Conflict]),
            Call::post("/v1/dead-letters/{id}/resolve", "resolve_dead_letter", "Resolve a dead letter")
                .says("`retry`, `cancel`, or `modify_and_retry` with `changes`, a JSON merge patch.")
                .needs(Steer)
                .naming::<TaskName>("id", "The task.")
                .taking::<ResolveDeadLetter>()
                .answering::<TaskStatus>(200, "The new status of the task.")
                .refusing(&[Conflict]),
            Call::post("/v1/dead-letters/resolve", "resolve_dead_letters", "Resolve all matching dead letters")
                .says(
                    "With `dry_run`, returns what would happen. Name its `until` in the real call to resolve the same dead letters. A \
                     call stops after 20 seconds; repeat it while `more` is true.",
                )
                .needs(Steer)
                .taking::<ResolveDeadLetters>()
                .answering::<ResolvedDeadLetters>(200, "The outcome, or the preview.")
                .answering::<DeadLetterPreview>(200, ""),
        ],
    }
}
