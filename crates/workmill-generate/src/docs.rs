//! The pages of the docs that are generated from the code.

mod profiles;

use std::fmt::Write;
use std::path::PathBuf;

use workmill_protocol::error::ErrorCode;

use crate::generated::Files;

pub fn docs() -> Files {
    Files::from([
        (PathBuf::from("docs/lifecycle.md"), lifecycle()),
        (PathBuf::from("docs/errors.md"), errors()),
        (PathBuf::from("docs/profiles.md"), profiles::profiles()),
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
         Every state of a task, and every transition between states with its trigger. A request for any other transition is refused with\n\
         `illegal_transition` and changes nothing.\n\n\
         ```mermaid\n{}```\n",
        workmill_core::lifecycle::diagram()
    )
}

fn errors() -> String {
    let mut page = "# Errors\n\n\
         <!-- Generated from workmill-protocol's list of codes by `./dev docs`. -->\n\n\
         An error answer is `application/problem+json` with `title`, `status`, `code`, `detail` and `retryable`, and, where they help, `field`,\n\
         `path`, `hint` and `retry_after_sec`. Programs should decide by `code`; the list of codes is complete.\n\n\
         | code | status | retryable | meaning | what to do |\n\
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
