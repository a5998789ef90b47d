//! Listing graphs: the newest first, page by page.
//!
//! A filter may fit few of very many graphs. A page therefore ends, too, when many were looked at that did
//! not fit, and says where the next one begins.

use workmill_core::ids::GraphId;
use workmill_core::list::{GraphFilter, ListedGraph};

use crate::engine::{Caller, Engine};
use crate::error::EngineError;
use crate::filter::{check_graph_filter, check_limit};

/// Of graphs on a page.
pub const MOST_GRAPHS: usize = 500;

/// Graphs that a page looks at at most, however few of them fit.
const MOST_LOOKED_AT: usize = 20_000;

/// Graphs that one statement reads at most.
const LONGEST_STRETCH: usize = 5_000;

/// How much longer each stretch is than the one before: few graphs seem to fit.
const GROWTH: usize = 4;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphPage {
    /// The newest first. There may be fewer than were asked for, even none, and more further on.
    pub graphs: Vec<ListedGraph>,
    /// The last graph that was looked at, if there may be more behind it.
    pub next: Option<GraphId>,
}

impl Engine {
    /// Returns a page of graphs that fit, from behind the one that the page before has ended with.
    pub async fn graphs(
        &self,
        caller: &Caller,
        filter: &GraphFilter,
        before: Option<GraphId>,
        most: usize,
    ) -> Result<GraphPage, EngineError> {
        check_graph_filter(filter)?;
        check_limit(most, MOST_GRAPHS)?;
        let (mut graphs, mut last) = (Vec::new(), before);
        let (mut length, mut looked_at) = (most, 0);
        loop {
            let wanted = i64::try_from(length).unwrap_or(i64::MAX);
            let stretch = self
                .store()
                .find_newest_graphs(caller.ns, filter, last, wanted)
                .await?;
            let is_end = stretch.len() < length;
            for graph in stretch {
                last = Some(graph.id);
                if filter.fits(&graph) {
                    graphs.push(graph);
                    if graphs.len() == most {
                        return Ok(GraphPage { graphs, next: last });
                    }
                }
            }
            looked_at += length;
            if is_end || looked_at >= MOST_LOOKED_AT {
                let next = last.filter(|_| !is_end);
                return Ok(GraphPage { graphs, next });
            }
            length = (length * GROWTH).min(LONGEST_STRETCH);
        }
    }
}
