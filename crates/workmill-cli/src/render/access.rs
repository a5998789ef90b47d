//! Keys, namespaces and events, as text for people.

use std::fmt::Write;

use workmill_protocol::events::Event;
use workmill_protocol::keys::{KeyList, NamespaceList};
use workmill_protocol::settings::NamespaceSettings;

use super::{moment, table, trimmed};
use crate::plain_text::plain;

pub(crate) fn keys(list: &KeyList) -> String {
    let mut table = table(&[
        "key",
        "~name",
        "role",
        "~namespace",
        "?created",
        "?last used",
    ]);
    for key in &list.items {
        let used = key.last_used_at;
        table.add_row([
            key.id.to_string(),
            plain(&key.name),
            plain(&key.role),
            plain(&key.namespace),
            moment(key.created_at),
            used.map_or_else(|| "never".to_owned(), moment),
        ]);
    }
    trimmed(&table)
}

pub(crate) fn namespaces(list: &NamespaceList) -> String {
    let names = list.items.iter().map(|namespace| plain(&namespace.name));
    names.collect::<Vec<_>>().join("\n")
}

pub(crate) fn namespace_settings(settings: &NamespaceSettings) -> String {
    let spawning = &settings.spawning;
    let lines = [
        (
            "most tasks per lease",
            spawning.most_tasks_per_lease.to_string(),
        ),
        (
            "most tasks per graph",
            spawning.most_tasks_per_graph.to_string(),
        ),
        ("most depth", spawning.most_depth.to_string()),
        ("spawn for", spawning.spawn_for.to_string()),
        ("locks", spawning.locks.to_string()),
    ];
    let lines = lines.map(|(what, value)| format!("{what:<20} {value}"));
    format!("Bounds on spawning by agents:\n{}", lines.join("\n"))
}

pub(crate) fn event(event: &Event) -> String {
    let about = event.task_id.as_ref().or(event.dag_id.as_ref());
    let mut line = format!("{} {} {}", event.id, event.at, plain(&event.event_type));
    if let Some(about) = about {
        line.push(' ');
        line.push_str(&plain(about));
    }
    for (name, value) in &event.data {
        let value = match value {
            serde_json::Value::String(text) => plain(text),
            other => plain(&other.to_string()),
        };
        // Writing to a string cannot fail.
        let _ = write!(line, " {}={value}", plain(name));
    }
    line
}
