//! The pages of the docs that are drawn from the code.

use std::fmt::Write;
use std::path::PathBuf;

use workmill_protocol::error::ErrorCode;

use crate::generated::Files;

pub fn docs() -> Files {
    Files::from([
        (PathBuf::from("docs/lifecycle.md"), lifecycle()),
        (PathBuf::from("docs/errors.md"), errors()),
        (
            PathBuf::from("docs/openapi.json"),
            workmill_server::openapi::document().to_owned(),
        ),
    ])
}

fn lifecycle() -> String {
    format!(
        "# The life of a task\n\n\
         <!-- Generated from workmill-core's lifecycle table by `./dev docs`. -->\n\n\
         ```mermaid\n{}```\n",
        workmill_core::lifecycle::diagram()
    )
}

fn errors() -> String {
    let mut page = "# Errors\n\n\
         <!-- Generated from workmill-protocol's list of codes by `./dev docs`. -->\n\n\
         Every refusal is `application/problem+json` with `title`, `status`, `code`, `detail` and `retryable`, and where it helps `field`,\n\
         `path`, `hint` and `retry_after_sec`. Programs go by `code`; there are no others than these.\n\n\
         | code | status | may succeed later | what it means | what to do |\n\
         |---|---|---|---|---|\n"
        .to_owned();
    for code in ErrorCode::ALL {
        let later = if code.is_retryable() { "yes" } else { "" };
        let (name, status, title) = (code.name(), code.status(), code.title());
        // Writing to a string cannot fail.
        let _ = writeln!(
            page,
            "| `{name}` | {status} | {later} | {title} | {} |",
            code.advice()
        );
    }
    page
}
