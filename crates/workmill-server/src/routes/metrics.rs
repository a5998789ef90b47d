//! Metrics, in the text format of Prometheus.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode_registry;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use workmill_engine::Engine;
use workmill_protocol::error::ErrorCode;

use crate::http_metrics::HttpMetrics;
use crate::problem::Refused;

const TEXT_FORMAT: &str = "text/plain; version=0.0.4; charset=utf-8";

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Build {
    version: &'static str,
}

pub(super) async fn show(
    State(engine): State<Arc<Engine>>,
    Extension(requests): Extension<HttpMetrics>,
) -> Result<Response, Refused> {
    let mut registry = Registry::default();
    engine.register_metrics(&mut registry).await;
    requests.register(&mut registry);
    let build = Family::<Build, Gauge>::default();
    let version = env!("CARGO_PKG_VERSION");
    build.get_or_create(&Build { version }).set(1);
    registry.register(
        "workmill_build_info",
        "The running version; always 1",
        build,
    );
    let mut text = String::new();
    if let Err(error) = encode_registry(&mut text, &registry) {
        tracing::error!(%error, "the metrics cannot be written");
        let detail = "an internal error; the server's log has the cause";
        return Err(Refused::new(ErrorCode::Internal, detail));
    }
    Ok(([(CONTENT_TYPE, TEXT_FORMAT)], text_format(&text)).into_response())
}

/// `OpenMetrics`, which the encoder writes, as the older text format, which everybody reads: there, a
/// counter is described under the name that its samples have.
fn text_format(open_metrics: &str) -> String {
    let mut text = String::with_capacity(open_metrics.len());
    let mut help = None;
    for line in open_metrics.lines() {
        if line.starts_with("# HELP ") {
            help = Some(line);
            continue;
        }
        match line
            .strip_prefix("# TYPE ")
            .and_then(|rest| rest.split_once(' '))
        {
            None => text.push_str(line),
            Some((name, kind)) => {
                let suffix = if kind == "counter" { "_total" } else { "" };
                let described = help.take().and_then(|line| line.splitn(4, ' ').nth(3));
                for part in ["# HELP ", name, suffix, " ", described.unwrap_or_default()] {
                    text.push_str(part);
                }
                for part in ["\n# TYPE ", name, suffix, " ", kind] {
                    text.push_str(part);
                }
            }
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use prometheus_client::metrics::counter::Counter;

    use super::*;

    #[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
    struct Label {
        r#type: String,
    }

    #[test]
    fn counters_are_described_by_their_full_name_and_no_text_breaks_a_line() {
        let mut registry = Registry::default();
        let done = Family::<Label, Counter>::default();
        let evil = "a\"} 9\n# TYPE x counter\nx\\";
        let label = Label {
            r#type: evil.to_owned(),
        };
        done.get_or_create(&label).inc();
        registry.register("done", "What was done", done);
        registry.register("depth", "How much there is", Gauge::<i64>::default());
        let mut text = String::new();
        encode_registry(&mut text, &registry).unwrap();
        assert_eq!(
            text_format(&text),
            "# HELP done_total What was done.\n\
             # TYPE done_total counter\n\
             done_total{type=\"a\\\"} 9\\n# TYPE x counter\\nx\\\\\"} 1\n\
             # HELP depth How much there is.\n\
             # TYPE depth gauge\n\
             depth 0\n"
        );
    }
}
