//! Forgets idempotency keys whose tasks ended long ago, a page at a time.

use std::sync::{Mutex, PoisonError};

use workmill_core::ids::Namespace;
use workmill_store::StoreError;
use workmill_store::upkeep::idempotency::ForgetKeys;

use crate::engine::Engine;

const PAGE: i64 = 500;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Report {
    pub forgotten: usize,
}

/// How far it has come; it goes on from there at its next turn.
#[derive(Debug, Default)]
pub struct Position {
    left: Mutex<Vec<(Namespace, String)>>,
}

impl Position {
    fn take(&self) -> Option<(Namespace, String)> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        left.pop()
    }

    fn put(&self, places: impl IntoIterator<Item = (Namespace, String)>) {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        left.extend(places);
    }
}

/// Looks at one page.
pub async fn run_once(engine: &Engine, position: &Position) -> Result<Report, StoreError> {
    let Some((ns, after)) = next(engine, position).await? else {
        return Ok(Report::default());
    };
    let page = engine
        .run(&ForgetKeys {
            ns,
            after: &after,
            most: PAGE,
        })
        .await?;
    position.put(page.next.map(|next| (ns, next)));
    Ok(Report {
        forgotten: page.forgotten,
    })
}

/// Where to go on; from the beginning when the end was reached.
async fn next(
    engine: &Engine,
    position: &Position,
) -> Result<Option<(Namespace, String)>, StoreError> {
    if let Some(place) = position.take() {
        return Ok(Some(place));
    }
    let namespaces = engine.store().find_namespaces().await?;
    position.put(namespaces.into_iter().map(|ns| (ns, String::new())));
    Ok(position.take())
}
