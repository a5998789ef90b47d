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
        description: "Health, metrics and this document.",
        calls: vec![
            Call::get("/health", "health", "Liveness")
                .answering::<Health>(200, "The server is running."),
            Call::get("/ready", "ready", "Readiness")
                .answering::<Ready>(200, "The database answers and is migrated.")
                .refusing(&[Unavailable]),
            Call::get("/metrics", "metrics", "Prometheus metrics")
                .says("Without a key if the server was started with `--metrics-open`.")
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
