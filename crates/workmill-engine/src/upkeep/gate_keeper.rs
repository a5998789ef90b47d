//! Lets in what waits at a gate although there is room, and compares the figures of gates with
//! what runs. Must mend nothing. Gates of graphs that have ended are put aside.

use std::collections::BTreeSet;

use workmill_core::ids::Namespace;
use workmill_store::StoreError;
use workmill_store::gates::keep::KeepGates;
use workmill_store::gates::retire::RetireGates;

use crate::engine::Engine;

/// Turns from one comparison to the next.
pub const TURNS: u32 = 30;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Report {
    pub returned: usize,
    pub mended: usize,
    /// Gates of ended graphs that were put aside.
    pub retired: usize,
}

/// `reconciles`: looks after all gates in use, and compares. Otherwise where somebody waits.
pub async fn run_once(engine: &Engine, reconciles: bool) -> Result<Report, StoreError> {
    let store = engine.store();
    let mut namespaces: BTreeSet<Namespace> = BTreeSet::new();
    let restless = store.namespaces(store.find_namespaces_with_restless_gates());
    namespaces.extend(restless.await?);
    if reconciles {
        let in_use = store.namespaces(store.find_namespaces_with_gates_in_use());
        namespaces.extend(in_use.await?);
    }
    let mut report = Report::default();
    for ns in namespaces {
        let kept = engine.run(&KeepGates { ns, reconciles }).await?;
        report.returned += kept.returned;
        report.mended += kept.mended;
        if kept.mended > 0 {
            tracing::error!(
                ns = ns.0,
                mended = kept.mended,
                "gates disagreed with what runs and were mended; this is a bug"
            );
        }
    }
    // After what has waited there for nothing was forgotten.
    if reconciles {
        let of_graphs = store.namespaces(store.find_namespaces_with_gates_of_graphs());
        for ns in of_graphs.await? {
            report.retired += engine.run(&RetireGates { ns }).await?;
        }
    }
    Ok(report)
}
