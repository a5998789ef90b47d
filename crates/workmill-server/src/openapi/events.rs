//! Events.

use serde_json::json;
use workmill_protocol::events::EventPage;
use workmill_protocol::role::Permission::Look;

use super::Group;
use super::call::Call;
use crate::routes::events::Asked;

pub(super) fn group() -> Group {
    let last = json!({"type": "string", "pattern": "^[0-9]{1,18}$"});
    let stream = json!({"type": "string", "description": "Messages with `id`, `event` and `data`, an event as JSON."});
    Group {
        name: "Events",
        description: "What happened, in pages or as it happens.",
        calls: vec![
            Call::get("/v1/events", "list_events", "Events")
                .says(
                    "A page of what followed `after`, oldest first. With `Accept: text/event-stream`, a stream of it that goes on \
                     with what happens: `Last-Event-ID` says where to go on.",
                )
                .needs(Look)
                .asking::<Asked>()
                .heading("Last-Event-ID", "Of a stream: go on after this event.", &last)
                .answering::<EventPage>(200, "A page of events, or a stream of them.")
                .answering_raw("text/event-stream", 200, "", stream),
        ],
    }
}
