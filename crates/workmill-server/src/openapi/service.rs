//! The service itself.

use serde_json::json;
use workmill_protocol::error::ErrorCode::Unavailable;
use workmill_protocol::role::Permission::Administer;

use super::Group;
use super::call::Call;
use crate::routes::health::{Health, Ready};

pub(super) fn group() -> Group {
    let text = || json!({"type": "string"});
    Group {
        name: "Service",
        description: "Is it there, how does it do, and what can it do.",
        calls: vec![
            Call::get("/health", "health", "Alive").answering::<Health>(200, "It is."),
            Call::get("/ready", "ready", "The database answers")
                .answering::<Ready>(200, "It does.")
                .refusing(&[Unavailable]),
            Call::get("/metrics", "metrics", "What Prometheus reads")
                .says("Without a key where the server was started with `--metrics-open`.")
                .needs(Administer)
                .answering_raw("text/plain", 200, "The metrics.", text()),
            Call::get("/openapi.json", "openapi", "This document").answering_raw(
                "application/json",
                200,
                "This document.",
                json!({"type": "object"}),
            ),
            Call::get("/docs", "docs", "This document as a page").answering_raw(
                "text/html",
                200,
                "The page.",
                text(),
            ),
            Call::get("/docs/docs.js", "docs_script", "The script of the page").answering_raw(
                "text/javascript",
                200,
                "The script.",
                text(),
            ),
            Call::get("/docs/docs.css", "docs_style", "The style of the page").answering_raw(
                "text/css",
                200,
                "The style.",
                text(),
            ),
        ],
    }
}
