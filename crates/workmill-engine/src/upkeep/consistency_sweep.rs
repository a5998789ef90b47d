//! Looks through all tasks, a page at a time, for rows that disagree. Must find nothing.

use std::sync::{Mutex, PoisonError};

use uuid::Uuid;
use workmill_core::ids::{Namespace, TaskId};
use workmill_store::StoreError;
use workmill_store::upkeep::consistency::Mend;

use crate::engine::Engine;

/// At one page a second this is some thousandths of a processor.
const PAGE: i64 = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Report {
    pub mended: usize,
}

/// How far the sweep has come; it goes on from there at its next turn.
#[derive(Debug, Default)]
pub struct Position {
    left: Mutex<Vec<(Namespace, TaskId)>>,
}

impl Position {
    fn take(&self) -> Option<(Namespace, TaskId)> {
        self.left
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop()
    }

    fn put(&self, places: impl IntoIterator<Item = (Namespace, TaskId)>) {
        self.left
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend(places);
    }
}

/// Looks at one page.
pub async fn run_once(engine: &Engine, position: &Position) -> Result<Report, StoreError> {
    let Some((ns, after)) = next(engine, position).await? else {
        return Ok(Report::default());
    };
    let page = engine.store().find_disagreements(ns, after, PAGE).await?;
    position.put(page.next.map(|next| (ns, next)));
    if page.suspects.is_empty() {
        return Ok(Report::default());
    }
    let mended = engine
        .run(&Mend {
            ns,
            tasks: page.suspects,
        })
        .await?;
    if mended > 0 {
        tracing::error!(
            ns = ns.0,
            mended,
            "rows disagreed and were mended; this is a bug"
        );
    }
    Ok(Report { mended })
}

/// Where to go on; from the beginning when the end was reached.
async fn next(
    engine: &Engine,
    position: &Position,
) -> Result<Option<(Namespace, TaskId)>, StoreError> {
    if let Some(place) = position.take() {
        return Ok(Some(place));
    }
    let namespaces = engine.store().find_namespaces().await?;
    position.put(namespaces.into_iter().map(|ns| (ns, TaskId(Uuid::nil()))));
    Ok(position.take())
}
