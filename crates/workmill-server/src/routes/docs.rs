//! The document of the API, and the page that shows it. Both are the same for everybody.

use axum::http::HeaderName;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};

use crate::openapi;

/// The page loads its script, its style and the document from here, and nothing else from anywhere.
const ONLY_FROM_HERE: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                              base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

type Page = ([(HeaderName, &'static str); 3], &'static str);

pub(super) async fn document() -> Page {
    file("application/json", openapi::document())
}

pub(super) async fn page() -> Page {
    file("text/html; charset=utf-8", include_str!("docs/docs.html"))
}

pub(super) async fn script() -> Page {
    file(
        "text/javascript; charset=utf-8",
        include_str!("docs/docs.js"),
    )
}

pub(super) async fn style() -> Page {
    file("text/css; charset=utf-8", include_str!("docs/docs.css"))
}

/// Asked for anew each time: another release has another one.
fn file(content_type: &'static str, text: &'static str) -> Page {
    let headers = [
        (CONTENT_TYPE, content_type),
        (CONTENT_SECURITY_POLICY, ONLY_FROM_HERE),
        (CACHE_CONTROL, "no-cache"),
    ];
    (headers, text)
}
