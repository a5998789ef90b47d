//! What is counted of requests: by route, never by path, so that nobody can make labels up.

use axum::http::{Method, StatusCode};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use std::time::Duration;

/// Seconds. A claim may wait for most of a minute.
const TIMES: [f64; 12] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 25.0, 60.0,
];

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    route: String,
    method: &'static str,
    status: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Asked {
    route: String,
    method: &'static str,
}

#[derive(Debug, Clone)]
pub(crate) struct HttpMetrics {
    requests: Family<Answered, Counter>,
    durations: Family<Asked, Histogram, fn() -> Histogram>,
}

impl Default for HttpMetrics {
    fn default() -> Self {
        HttpMetrics {
            requests: Family::default(),
            durations: Family::new_with_constructor(|| Histogram::new(TIMES)),
        }
    }
}

impl HttpMetrics {
    pub(crate) fn count(&self, route: &str, method: &Method, status: StatusCode, took: Duration) {
        let (route, method) = (route.to_owned(), name(method));
        let asked = Asked {
            route: route.clone(),
            method,
        };
        let answered = Answered {
            route,
            method,
            status: class(status),
        };
        self.requests.get_or_create(&answered).inc();
        let durations = self.durations.get_or_create(&asked);
        durations.observe(took.as_secs_f64());
    }

    pub(crate) fn register(&self, registry: &mut Registry) {
        registry.register(
            "workmill_http_requests",
            "Requests that were answered",
            self.requests.clone(),
        );
        registry.register(
            "workmill_http_request_duration_seconds",
            "Until a request was answered, waiting for work included",
            self.durations.clone(),
        );
    }
}

/// Anybody can ask with a method that nobody knows.
fn name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::HEAD => "HEAD",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

fn class(status: StatusCode) -> &'static str {
    match status.as_u16() {
        100..=199 => "1xx",
        200..=299 => "2xx",
        300..=399 => "3xx",
        400..=499 => "4xx",
        _ => "5xx",
    }
}
