//! Lists: in which order things come, and which graphs are meant.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::graph::{GraphStatus, Tally};
use crate::ids::{GraphId, ProjectId};
use crate::money::Micros;

/// The order of a list of tasks. An index serves each order, so the server does not sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// By when they were submitted, the first one first.
    Oldest,
    /// By when they were submitted, the last one first.
    Newest,
    /// By when they ended, the last one first; for tasks that are completed, cancelled or stale.
    Ended,
}

impl Order {
    pub const ALL: [Order; 3] = [Order::Oldest, Order::Newest, Order::Ended];

    pub const fn name(self) -> &'static str {
        match self {
            Order::Oldest => "oldest",
            Order::Newest => "newest",
            Order::Ended => "ended",
        }
    }

    /// Whether a walk in this order goes from the end of a place to its beginning.
    pub const fn is_descending(self) -> bool {
        match self {
            Order::Oldest => false,
            Order::Newest | Order::Ended => true,
        }
    }
}

/// Which graphs; what is not named does not matter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GraphFilter {
    /// With one of these; empty: with any.
    pub statuses: BTreeSet<GraphStatus>,
    /// A part of the title; upper and lower case are equal.
    pub title: Option<String>,
    pub project: Option<ProjectId>,
    pub created_by: Option<String>,
    /// Created at this time or later.
    pub since: Option<Timestamp>,
    /// Created at this time or earlier.
    pub until: Option<Timestamp>,
}

/// A graph as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedGraph {
    pub id: GraphId,
    pub project: Option<ProjectId>,
    pub title: String,
    pub status: GraphStatus,
    pub created_by: String,
    pub created_at: Timestamp,
    pub tally: Tally,
    /// What the attempts have cost that have ended.
    pub spent: Micros,
}

impl GraphFilter {
    pub fn fits(&self, graph: &ListedGraph) -> bool {
        (self.statuses.is_empty() || self.statuses.contains(&graph.status))
            && self.title.as_ref().is_none_or(|wanted| {
                let title = graph.title.to_lowercase();
                title.contains(&wanted.to_lowercase())
            })
            && self
                .project
                .is_none_or(|project| graph.project == Some(project))
            && self
                .created_by
                .as_ref()
                .is_none_or(|name| *name == graph.created_by)
            && self.since.is_none_or(|since| graph.created_at >= since)
            && self.until.is_none_or(|until| graph.created_at <= until)
    }

    /// The statuses to look for, if all of them are statuses of graphs that have not completed nor
    /// been cancelled: there are few of these, and they are found without going over the others.
    pub fn open_statuses(&self) -> Option<Vec<GraphStatus>> {
        let are_open = self.statuses.iter().all(|status| status.is_open());
        (are_open && !self.statuses.is_empty()).then(|| self.statuses.iter().copied().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_member_of_a_filter_alone_tells_graphs_apart() {
        let graph = ListedGraph {
            id: GraphId(uuid::Uuid::from_u128(1)),
            project: None,
            title: "Mend the Roof".to_owned(),
            status: GraphStatus::Failed,
            created_by: "ada".to_owned(),
            created_at: Timestamp::UNIX_EPOCH,
            tally: Tally::default(),
            spent: Micros::ZERO,
        };
        let all = GraphFilter::default();
        let with = |change: fn(&mut GraphFilter)| {
            let mut filter = all.clone();
            change(&mut filter);
            filter
        };
        for fitting in [
            all.clone(),
            with(|all| all.title = Some("the ROOF".to_owned())),
            with(|all| all.statuses = BTreeSet::from([GraphStatus::Failed, GraphStatus::Running])),
            with(|all| all.created_by = Some("ada".to_owned())),
            with(|all| all.since = Some(Timestamp::UNIX_EPOCH)),
            with(|all| all.until = Some(Timestamp::UNIX_EPOCH)),
        ] {
            assert!(fitting.fits(&graph), "{fitting:?}");
        }
        for other in [
            with(|all| all.title = Some("floor".to_owned())),
            with(|all| all.statuses = BTreeSet::from([GraphStatus::Running])),
            with(|all| all.project = Some(ProjectId(uuid::Uuid::nil()))),
            with(|all| all.created_by = Some("bob".to_owned())),
            with(|all| all.since = Timestamp::from_second(1).ok()),
            with(|all| all.until = Timestamp::from_second(-1).ok()),
        ] {
            assert!(!other.fits(&graph), "{other:?}");
        }
    }

    #[test]
    fn only_statuses_of_open_graphs_are_looked_up_by_status() {
        let of = |statuses: &[GraphStatus]| GraphFilter {
            statuses: statuses.iter().copied().collect(),
            ..GraphFilter::default()
        };
        assert_eq!(of(&[]).open_statuses(), None);
        assert_eq!(of(&[GraphStatus::Completed]).open_statuses(), None);
        let mixed = of(&[GraphStatus::Failed, GraphStatus::Cancelled]);
        assert_eq!(mixed.open_statuses(), None);
        let open = of(&[GraphStatus::Running, GraphStatus::Failed]).open_statuses();
        assert_eq!(open.map(|open| open.len()), Some(2));
    }
}
