//! What changes the order, but for time, claims and single edges: what comes in, grows, is edited
//! and ends.

use std::collections::BTreeMap;

use anyhow::Result;
use serde_json::value::to_raw_value;
use workmill_core::failure::Reason;
use workmill_core::graph;
use workmill_core::ids::{GraphId, LeaseId, TaskId};
use workmill_store::intake::edit::EditTask;
use workmill_store::intake::grow::GrowGraph;
use workmill_store::intake::spawn::Spawn;
use workmill_store::intake::spawning::SpawnLimits;
use workmill_store::intake::{Dependency, NewGraph, Submission, Submit, TaskDraft};
use workmill_store::settlement::{Ending, Settle, Settlement, Settler, Spent};
use workmill_testkit::factory::draft;

use super::super::step::{Ask, End, Pick, Step};
use super::super::world::Place;
use super::Stage;
use crate::actors::KEY;

/// Longer than what a chain counts for.
const LONG_CHAIN: usize = 23;

impl Stage<'_> {
    pub(super) async fn change(&mut self, step: &Step) -> Result<()> {
        match step {
            Step::Submit(asks) => {
                let asks: Vec<_> = asks.iter().map(|ask| (ask, vec![])).collect();
                self.submit(&asks, false).await
            }
            Step::SubmitGraph(nodes) => {
                let nodes = nodes.iter().enumerate();
                let nodes: Vec<_> = nodes
                    .map(|(place, (ask, on))| (ask, earlier(place, on)))
                    .collect();
                self.submit(&nodes, true).await
            }
            Step::SubmitChain(ask) => {
                let links = 0..LONG_CHAIN;
                let links: Vec<_> = links
                    .map(|place| (ask, place.checked_sub(1).into_iter().collect()))
                    .collect();
                self.submit(&links, true).await
            }
            Step::Grow(above, asks) => self.grow(*above, asks).await,
            Step::SpawnAndWait(parent, ask) => self.spawn_and_wait(*parent, ask).await,
            Step::AddEdge(task, on) => self.add_edge(*task, *on).await,
            Step::RemoveEdge(edge) => self.remove_edge(*edge).await,
            Step::Edit(task, ask) => self.edit(*task, ask).await,
            Step::End(lease, end) => self.end(*lease, *end).await,
            Step::Pass(..) | Step::Claim(_) | Step::FailInTurn => Ok(()),
        }
    }

    async fn submit(&mut self, nodes: &[(&Ask, Vec<usize>)], is_graph: bool) -> Result<()> {
        let submission = Submission {
            created_by: "order".to_owned(),
            key: None,
            graph: is_graph.then(|| NewGraph {
                title: "graph".to_owned(),
                is_draft: false,
                budget: None,
                project: None,
            }),
            idempotency: None,
            tasks: self.drafts(nodes),
        };
        let operation = Submit {
            ns: self.ns,
            submissions: &[submission],
        };
        let submitted = self.store.run(&operation).await?.0.remove(0);
        let submitted = submitted.expect("it breaks no rule");
        self.remember(nodes, &submitted.tasks, submitted.graph);
        Ok(())
    }

    /// As intake hands them over: with the length of the chain below each.
    fn drafts(&self, nodes: &[(&Ask, Vec<usize>)]) -> Vec<TaskDraft> {
        let depends_on: BTreeMap<_, _> = nodes
            .iter()
            .enumerate()
            .map(|(place, (_, on))| (place, on.iter().copied().collect()))
            .collect();
        let shape = graph::shape(&depends_on).expect("only earlier ones are depended on");
        nodes
            .iter()
            .enumerate()
            .map(|(place, (ask, on))| TaskDraft {
                depends_on: on.iter().copied().map(Dependency::New).collect(),
                critical_path: shape.critical_path[&place],
                ..draft(&ask.task(self.clock.now()))
            })
            .collect()
    }

    fn remember(
        &mut self,
        nodes: &[(&Ask, Vec<usize>)],
        ids: &[TaskId],
        graph: Option<GraphId>,
    ) -> Place {
        let first = self.world.tasks.len();
        for ((ask, on), id) in nodes.iter().zip(ids) {
            let place = self.world.add(*id, graph, ask);
            let edges = on.iter().map(|on| (place, first + on));
            self.world.edges.extend(edges);
        }
        self.world.measure(first..self.world.tasks.len());
        first
    }

    /// A chain below a task of a graph.
    async fn grow(&mut self, above: Pick, asks: &[Ask]) -> Result<()> {
        let members = self.places(|stage, place| stage.graph_of(place).is_some());
        let waits = |place: &Place| self.world.edges.iter().any(|(task, _)| task == place);
        let roots: Vec<Place> = members.iter().copied().filter(|one| !waits(one)).collect();
        // Those that can be claimed feel it at once.
        let among = if above.is_multiple_of(2) {
            &roots
        } else {
            &members
        };
        let Some(above) = chosen(among, above) else {
            return Ok(());
        };
        let graph = self.graph_of(above).expect("it was chosen for its graph");
        let links: Vec<(&Ask, Vec<usize>)> = asks
            .iter()
            .enumerate()
            .map(|(place, ask)| (ask, place.checked_sub(1).into_iter().collect()))
            .collect();
        let mut drafts = self.drafts(&links);
        drafts[0]
            .depends_on
            .push(Dependency::Existing(self.world.tasks[above].id));
        let operation = GrowGraph {
            ns: self.ns,
            graph,
            created_by: "order",
            key: None,
            tasks: &drafts,
            idempotency: None,
        };
        let ids = self
            .store
            .run(&operation)
            .await?
            .0
            .expect("it may grow")
            .tasks;
        let first = self.world.tasks.len();
        self.world.edges.insert((first, above));
        self.remember(&links, &ids, Some(graph));
        Ok(())
    }

    async fn spawn_and_wait(&mut self, parent: Pick, ask: &Ask) -> Result<()> {
        let Some((parent, lease)) = self.lease(parent) else {
            return Ok(());
        };
        let nodes = [(ask, vec![])];
        let operation = Spawn {
            ns: self.ns,
            key: KEY,
            lease,
            created_by: "order",
            tasks: &self.drafts(&nodes),
            wait: true,
            idempotency: None,
            limits: SpawnLimits::Unlimited,
        };
        // Who was told to stop spawns no more.
        let Ok(spawned) = self.store.run(&operation).await?.0 else {
            return Ok(());
        };
        let ids = spawned.tasks;
        self.world.leases.retain(|(_, held)| *held != lease);
        let id = self.world.tasks[parent].id;
        let graph = self.graph_of(parent).unwrap_or_else(|| id.into());
        self.world.tasks[parent].graph = Some(graph);
        let child = self.world.tasks.len();
        self.world.edges.insert((parent, child));
        self.remember(&nodes, &ids, Some(graph));
        Ok(())
    }

    async fn edit(&mut self, task: Pick, ask: &Ask) -> Result<()> {
        let all = self.places(|_, _| true);
        let failed = self.places(|stage, place| stage.world.tasks[place].failures > 0);
        // Few have failed, and what becomes of their models is worth a look.
        let Some(place) = chosen(&failed, task)
            .filter(|_| task.is_multiple_of(2))
            .or_else(|| chosen(&all, task))
        else {
            return Ok(());
        };
        let known = &self.world.tasks[place];
        let ask = Ask {
            profile: known.ask.profile,
            ..ask.clone()
        };
        let operation = EditTask {
            ns: self.ns,
            task: known.id,
            version: known.version,
            draft: &draft(&ask.task(self.clock.now())),
            edited_by: "order",
        };
        // What runs or has ended is not edited.
        if self.store.run(&operation).await?.0.is_ok() {
            self.world.edit(place, &ask);
        }
        Ok(())
    }

    async fn end(&mut self, lease: Pick, end: End) -> Result<()> {
        match self.lease(lease) {
            Some((place, lease)) => self.settle(place, lease, end).await,
            None => Ok(()),
        }
    }

    pub(super) async fn settle(&mut self, place: Place, lease: LeaseId, end: End) -> Result<()> {
        let ending = match end {
            End::Complete => Ending::Complete {
                output: to_raw_value(&place)?,
                artifacts: Vec::new(),
            },
            End::Release => Ending::Release,
            End::Fail => Ending::Fail {
                reason: Reason::Network,
                message: format!("{lease}"),
                details: None,
                retry_after_ms: None,
            },
        };
        let settlement = Settlement {
            settler: Settler::Key(KEY),
            lease,
            ending,
            spent: Spent::default(),
            random: 0.5,
        };
        let operation = Settle {
            ns: self.ns,
            settlements: &[settlement],
        };
        let settled = self.store.run(&operation).await?.0.remove(0);
        settled.expect("the lease is held");
        self.world.leases.retain(|(_, held)| *held != lease);
        self.world.tasks[place].failures += u32::from(end == End::Fail);
        Ok(())
    }

    pub(super) fn graph_of(&self, place: Place) -> Option<GraphId> {
        self.world.tasks[place].graph
    }

    pub(super) fn places(&self, is_wanted: impl Fn(&Self, Place) -> bool) -> Vec<Place> {
        let all = 0..self.world.tasks.len();
        all.filter(|place| is_wanted(self, *place)).collect()
    }

    fn lease(&self, pick: Pick) -> Option<(Place, LeaseId)> {
        chosen(&self.world.leases, pick)
    }
}

pub(super) fn chosen<T: Copy>(among: &[T], pick: Pick) -> Option<T> {
    let place = pick.checked_rem(among.len())?;
    among.get(place).copied()
}

/// Places before this one, each once.
fn earlier(place: usize, picks: &[Pick]) -> Vec<usize> {
    let mut places: Vec<usize> = picks
        .iter()
        .filter_map(|pick| pick.checked_rem(place))
        .collect();
    places.sort_unstable();
    places.dedup();
    places
}
