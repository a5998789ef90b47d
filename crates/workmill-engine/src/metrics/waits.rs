//! How long tasks waited for their first claim: a histogram that can be added up over servers, and
//! quantiles of the last waits of this server.

use std::collections::VecDeque;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use super::long_times;

/// Waits that the quantiles are taken of.
const MOST: usize = 1_000;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Quantile {
    quantile: &'static str,
}

#[derive(Debug)]
pub(super) struct Waits {
    all: Histogram,
    last: Mutex<VecDeque<f64>>,
}

impl Default for Waits {
    fn default() -> Self {
        Waits {
            all: long_times(),
            last: Mutex::default(),
        }
    }
}

impl Waits {
    pub(super) fn observe(&self, waits: impl Iterator<Item = f64>) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        for wait in waits {
            self.all.observe(wait);
            if last.len() == MOST {
                last.pop_front();
            }
            last.push_back(wait);
        }
    }

    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register(
            "workmill_queue_wait_seconds",
            "Time from submission or scheduled time to the first claim, for tasks without dependencies",
            self.all.clone(),
        );
        let quantiles = Family::<Quantile, Gauge<f64, AtomicU64>>::default();
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let mut last: Vec<f64> = last.iter().copied().collect();
        last.sort_by(f64::total_cmp);
        for (quantile, percent) in [("p50", 50), ("p95", 95), ("p99", 99)] {
            if let Some(wait) = nearest_rank(&last, percent) {
                let labels = Quantile { quantile };
                quantiles.get_or_create(&labels).set(wait);
            }
        }
        registry.register(
            "task_queue_wait_seconds",
            "Quantiles of the time from submission or scheduled time to the first claim, for the last \
             thousand such claims of tasks without dependencies on this server",
            quantiles,
        );
    }
}

/// The smallest of the sorted values that so many percent of them do not exceed.
fn nearest_rank(sorted: &[f64], percent: usize) -> Option<f64> {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.checked_sub(1)?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_of_the_last_waits() {
        assert_eq!(nearest_rank(&[], 50), None);
        assert_eq!(nearest_rank(&[7.0], 99), Some(7.0));
        let hundred: Vec<f64> = (1..=100).map(f64::from).collect();
        let of = |percent| nearest_rank(&hundred, percent);
        assert_eq!(
            (of(50), of(95), of(99)),
            (Some(50.0), Some(95.0), Some(99.0))
        );
        let waits = Waits::default();
        waits.observe((0..1_000).map(|_| 1_000.0));
        waits.observe((0..1_000).map(f64::from));
        assert_eq!(waits.last.lock().unwrap().len(), MOST);
        assert_eq!(waits.last.lock().unwrap().back(), Some(&999.0));
    }
}
