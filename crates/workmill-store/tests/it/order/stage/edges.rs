//! Single edges that come and go.

use anyhow::Result;
use workmill_store::intake::edges::{AddEdge, Edge, RemoveEdge};

use super::super::step::Pick;
use super::super::world::Place;
use super::Stage;
use super::changes::chosen;

impl Stage<'_> {
    pub(super) async fn add_edge(&mut self, task: Pick, on: Pick) -> Result<()> {
        let members = self.places(|stage, place| stage.graph_of(place).is_some());
        let Some(task) = chosen(&members, task) else {
            return Ok(());
        };
        let siblings = self.places(|stage, place| stage.graph_of(place) == stage.graph_of(task));
        let on = chosen(&siblings, on).expect("it is its own sibling");
        let operation = AddEdge {
            ns: self.ns,
            edge: self.edge(task, on),
        };
        // What would close a cycle, or comes too late, changes nothing.
        if self.store.run(&operation).await?.0 == Ok(true) {
            self.world.edges.insert((task, on));
            self.world.measure(0..0);
        }
        Ok(())
    }

    pub(super) async fn remove_edge(&mut self, edge: Pick) -> Result<()> {
        let edges: Vec<(Place, Place)> = self.world.edges.iter().copied().collect();
        let Some((task, on)) = chosen(&edges, edge) else {
            return Ok(());
        };
        let operation = RemoveEdge {
            ns: self.ns,
            edge: self.edge(task, on),
        };
        assert_eq!(self.store.run(&operation).await?.0, Ok(true));
        self.world.edges.remove(&(task, on));
        self.world.measure(0..0);
        Ok(())
    }

    fn edge(&self, task: Place, on: Place) -> Edge {
        Edge {
            task: self.world.tasks[task].id,
            depends_on: self.world.tasks[on].id,
        }
    }
}
