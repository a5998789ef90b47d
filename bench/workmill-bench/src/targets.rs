//! What must be reached, and what was.

use crate::measures::YARDSTICK;
use crate::peers::{self, About};
use crate::samples::{OURS, Samples};

/// One line of "what it must reach".
pub struct Target {
    pub measure: &'static str,
    pub ours: f64,
    /// Whom it is compared with, and what that one reached.
    pub against: Against,
    pub bound: Bound,
}

pub enum Against {
    /// The number itself is bounded.
    Nothing,
    NotMeasured,
    Other {
        who: String,
        value: f64,
        ratio: Option<f64>,
    },
}

#[derive(Clone, Copy)]
pub enum Bound {
    AtLeast(f64),
    AtMost(f64),
    /// The comparison is shown without a target.
    Shown,
}

impl Bound {
    pub fn is_met_by(self, value: f64) -> bool {
        match self {
            Bound::AtLeast(least) => value >= least,
            Bound::AtMost(most) => value <= most,
            Bound::Shown => true,
        }
    }
}

impl Target {
    /// What the bound is about.
    pub fn reached(&self) -> Option<f64> {
        match &self.against {
            Against::Nothing => Some(self.ours),
            Against::NotMeasured => None,
            Against::Other { ratio, .. } => *ratio,
        }
    }

    pub fn is_met(&self) -> Option<bool> {
        Some(self.bound.is_met_by(self.reached()?))
    }
}

/// What a number of ours is compared with.
enum Rival {
    Nobody,
    /// Another number of ours, called so.
    Own(&'static str, &'static str),
    /// The best of some peers in this number of theirs.
    Peer(&'static str, fn(&About) -> bool),
}

/// What is measured, our number, its rival, and what is wanted.
const WANTED: &[(&str, &str, Rival, Bound)] = {
    use Bound::{AtLeast, AtMost, Shown};
    use Rival::{Nobody, Own, Peer};
    const RAW: Rival = Own("raw INSERT", YARDSTICK);
    const NONE: Rival = Own("none", "submit_waiting_none");
    const BATCHED: &str = "drain_batched_best_engine";
    &[
        (
            "single submits × 8 / raw INSERT × 8",
            "submit_single_8",
            RAW,
            AtLeast(0.5),
        ),
        (
            "single submits × 8 / best peer",
            "submit_single_8",
            Peer("enqueue_single_8", |_| true),
            AtLeast(1.5),
        ),
        (
            "bulk submit, 1.5 KB / best peer",
            "submit_bulk",
            Peer("enqueue_bulk", |_| true),
            AtLeast(0.5),
        ),
        (
            "bulk submit, tiny payload / best peer",
            "submit_bulk_tiny",
            Peer("enqueue_bulk_tiny", |_| true),
            AtLeast(0.7),
        ),
        (
            "bulk submit, 1.5 KB: CPU µs a task",
            "submit_bulk_cpu_us",
            Nobody,
            AtMost(24.0),
        ),
        (
            "drain, 10 handlers / best peer asked one by one",
            "drain_single",
            Peer("drain_10", |peer| !peer.fetches_together),
            AtLeast(2.0),
        ),
        (
            "drain, 10 handlers / best peer that fetches ten together",
            "drain_single",
            Peer("drain_10", |peer| peer.fetches_together),
            AtLeast(0.9),
        ),
        (
            "drain, 10 handlers: CPU µs a task",
            "drain_single_cpu_us",
            Nobody,
            AtMost(220.0),
        ),
        (
            "drain, batched / awa's best, which keeps rows",
            BATCHED,
            Peer("drain_batched", |peer| peer.name == "awa"),
            AtLeast(1.5),
        ),
        (
            "drain, batched / pg-boss, which keeps rows",
            BATCHED,
            Peer("drain_batched", |peer| peer.name == "pg-boss"),
            AtLeast(0.6),
        ),
        (
            "drain, batched / fastest that deletes rows",
            BATCHED,
            Peer("drain_batched", |peer| !peer.keeps_rows),
            Shown,
        ),
        (
            "drain, batched: CPU µs a task",
            "drain_batched_best_engine_cpu_us",
            Nobody,
            AtMost(55.0),
        ),
        (
            "drain, batched: WAL bytes a task",
            "drain_batched_best_engine_wal_bytes",
            Nobody,
            AtMost(1331.0),
        ),
        (
            "claims at the deep backlog / at 10k",
            "claims_at_1m",
            Own("at 10k", "claims_at_10k"),
            AtLeast(0.8),
        ),
        (
            "claims, 99 % of the head for others / all mine",
            "claims_99_foreign",
            Own("all mine", "claims_all_mine"),
            AtLeast(0.8),
        ),
        (
            "claims through ten limits, two budgets and a lock / without",
            "claims_through_gates",
            Own("without", "claims_without_gates"),
            AtLeast(0.6),
        ),
        (
            "claims with as many gates for other tasks / without",
            "claims_gates_for_others",
            Own("without", "claims_no_gates_set"),
            AtLeast(0.95),
        ),
        (
            "claims, 99 % of the head paused, limited, locked, unaffordable / free",
            "claims_stopped_head",
            Own("free", "claims_free_head"),
            AtLeast(0.8),
        ),
        (
            "drain, batched, with many finished tasks / with 10k",
            "drain_finished_many",
            Own("with 10k", "drain_finished_few"),
            AtLeast(0.95),
        ),
        (
            "drain, batched, 64 workers in 64 namespaces / in one",
            "drain_64_namespaces",
            Own("in one", "drain_1_namespace"),
            AtLeast(0.8),
        ),
        (
            "drain, 12 handlers on 3 servers / on one",
            "drain_handlers_on_3",
            Own("on one", "drain_handlers_on_1"),
            AtLeast(0.8),
        ),
        (
            "drain, 6 batched workers on 3 servers / on one",
            "drain_batched_on_3",
            Own("on one", "drain_batched_on_1"),
            AtLeast(0.8),
        ),
        (
            "held snapshot, last 5 s / first 5 s",
            "snapshot_held_last",
            Own("first 5 s", "snapshot_held_first"),
            AtLeast(0.8),
        ),
        (
            "idle submit → start, p50 ms / best peer",
            "idle_p50_ms",
            Peer("idle_p50_ms", |_| true),
            AtMost(1.0),
        ),
        (
            "submits, 50 agents waiting / none",
            "submit_waiting_agents",
            NONE,
            AtLeast(0.8),
        ),
        (
            "submits, 50 servers waiting / none",
            "submit_waiting_servers",
            NONE,
            AtLeast(0.8),
        ),
        (
            "WAL bytes a finished task, one at a time",
            "cycle_single_wal_bytes",
            Nobody,
            AtMost(4096.0),
        ),
        (
            "WAL bytes a finished task, batched",
            "cycle_batched_wal_bytes",
            Nobody,
            AtMost(4096.0),
        ),
        (
            "10,000 leases, each beating on its own: % of a core",
            "heartbeats_spread_percent",
            Nobody,
            AtMost(2.0),
        ),
        (
            "10,000 leases, beating worker by worker: % of a core",
            "heartbeats_by_worker_percent",
            Nobody,
            AtMost(2.0),
        ),
        (
            "explain with a million tasks, p99 ms",
            "explain_p99_ms",
            Nobody,
            AtMost(20.0),
        ),
        (
            "submit, claim, complete 100 a call over HTTP / in the process",
            "http_bulk",
            Own("in the process", "engine_bulk"),
            AtLeast(0.6),
        ),
        (
            "HTTP submit → a waiting agent's answer, p50 ms",
            "http_idle_p50_ms",
            Nobody,
            AtMost(2.0),
        ),
        // Beside the bound, not instead of it: 2 ms where the best peer takes 1.4, as a ratio.
        (
            "HTTP submit → a waiting agent's answer, p50 ms / best peer in its own process",
            "http_idle_p50_ms",
            Peer("idle_p50_ms", |_| true),
            AtMost(1.43),
        ),
        (
            "HTTP submit → a waiting agent's answer, p99 ms",
            "http_idle_p99_ms",
            Nobody,
            AtMost(15.0),
        ),
    ]
};

/// All whose number of ours was measured.
pub fn all(samples: &Samples) -> Vec<Target> {
    let lines = WANTED.iter().filter_map(|(measure, name, rival, bound)| {
        Some(Target {
            measure,
            ours: samples.median(OURS, name)?,
            against: against(samples, name, rival, *bound),
            bound: *bound,
        })
    });
    lines.collect()
}

/// The bound of one of our numbers that is not compared with another.
pub fn bound(name: &str) -> Option<Bound> {
    let mut alone = WANTED
        .iter()
        .filter(|(_, _, rival, _)| matches!(rival, Rival::Nobody));
    let (.., bound) = alone.find(|(_, wanted, ..)| *wanted == name)?;
    Some(*bound)
}

fn against(samples: &Samples, name: &str, rival: &Rival, bound: Bound) -> Against {
    let other = match *rival {
        Rival::Nobody => return Against::Nothing,
        Rival::Own(who, other) => {
            let ratio = own_ratio(samples, name, other);
            samples.median(OURS, other).map(|value| (who, value, ratio))
        }
        Rival::Peer(theirs, among) => {
            let is_low_good = matches!(bound, Bound::AtMost(_));
            let is_among = |name: &str| peers::about(name).is_some_and(among);
            let best = samples.best(theirs, is_among, is_low_good);
            best.map(|(who, value)| (who, value, samples.ratio((OURS, name), (who, theirs))))
        }
    };
    other.map_or(Against::NotMeasured, |(who, value, ratio)| Against::Other {
        who: who.to_owned(),
        value,
        ratio,
    })
}

fn own_ratio(samples: &Samples, name: &str, other: &str) -> Option<f64> {
    // These compare turn by turn, which is better than the ratio of their medians.
    let finer = match name {
        "claims_at_1m" => "backlog_ratio",
        "claims_99_foreign" => "capability_ratio",
        "claims_through_gates" => "gates_in_use_ratio",
        "claims_gates_for_others" => "gates_for_others_ratio",
        "claims_stopped_head" => "stopped_head_ratio",
        "drain_finished_many" => "finished_tasks_ratio",
        "drain_64_namespaces" => "namespaces_ratio",
        "drain_handlers_on_3" => "servers_handlers_ratio",
        "drain_batched_on_3" => "servers_batched_ratio",
        "http_bulk" => "http_bulk_ratio",
        "submit_waiting_agents" => "waiting_agents_ratio",
        "submit_waiting_servers" => "waiting_servers_ratio",
        _ if other == YARDSTICK => return samples.to_raw(OURS, name),
        _ => return samples.ratio((OURS, name), (OURS, other)),
    };
    samples.median(OURS, finer)
}
