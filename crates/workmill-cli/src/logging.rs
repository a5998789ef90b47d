//! What the program says about its work, on standard error.
//!
//! `WORKMILL_LOG` chooses what is said, in the words of tracing's filters: `debug`,
//! `workmill_engine=trace,warn`; `access=info` is a line for each request that was answered.
//! `WORKMILL_LOG_FORMAT=json` or `--json` writes one JSON object a line. `events=info` is a line for each event.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::Subscriber;

use crate::configuration::variable;

/// `usual` is the filter when nobody asks for another one. With `as_json`, lines are JSON in any case.
pub(crate) fn start(usual: &str, as_json: bool) {
    let filter = variable("WORKMILL_LOG")
        .and_then(|filter| EnvFilter::try_new(filter).ok())
        .unwrap_or_else(|| EnvFilter::new(usual));
    let on_terminal = std::io::stderr().is_terminal();
    let builder = Subscriber::builder()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_target(false)
        // Whoever reads it may go away. To complain of that where nobody reads would be a panic.
        .log_internal_errors(false)
        .with_ansi(on_terminal && std::env::var_os("NO_COLOR").is_none());
    let as_json = as_json || variable("WORKMILL_LOG_FORMAT").as_deref() == Some("json");
    // Started twice only in tests; the first one stays.
    let _ = if as_json {
        tracing::subscriber::set_global_default(builder.json().with_target(true).finish())
    } else if on_terminal {
        tracing::subscriber::set_global_default(builder.without_time().finish())
    } else {
        tracing::subscriber::set_global_default(builder.finish())
    };
}
