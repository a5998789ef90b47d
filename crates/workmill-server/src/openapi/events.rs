//! Events.

use serde_json::json;
use workmill_protocol::events::EventPage;
use workmill_protocol::role::Permission::Look;

use super::Group;
use super::call::Call;
use crate::routes::events::ListEvents;

pub(super) fn group() -> Group {
    let last = json!({"type": "string", "pattern": "^[0-9]{1,18}$"});
    let stream = json!({"type": "string", "description": "Messages with `id`, `event` and `data`, an event as JSON."});
    Group {
        name: "Events",
        description: "Events in pages or as a stream.",
        calls: vec![
            Call::get("/v1/events", "list_events", "Read events")
                .says(
                    "A page of the events after `after`, oldest first. With `Accept: text/event-stream`, a stream that continues \
                     with new events; `Last-Event-ID` says where to continue.",
                )
                .needs(Look)
                .asking::<ListEvents>()
                .heading("Last-Event-ID", "For a stream: continue after this event.", &last)
                .answering::<EventPage>(200, "A page of events, or a stream of them.")
                .answering_raw("text/event-stream", 200, "", stream),
        ],
    }
}
