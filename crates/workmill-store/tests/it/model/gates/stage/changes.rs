//! What comes in, what is edited and cancelled, and the gates themselves.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};
use workmill_core::gate::Gate;
use workmill_store::gates::change::{ChangeGates, GateChange, PATIENCE};
use workmill_store::intake::edit::EditTask;
use workmill_store::intake::{NewGraph, Submission, Submit};
use workmill_store::settlement::cancel::CancelTasks;
use workmill_testkit::factory::draft;

use super::super::step::{Pick, Plan, SOURCES, Step};
use super::super::world::{EACH_DAY, Known, Life, Place, day_of};
use super::{Stage, chosen};

impl Stage<'_> {
    pub(super) async fn submit(
        &mut self,
        plans: &[Plan],
        as_graph: bool,
        source: usize,
    ) -> Result<()> {
        let submission = Submission {
            created_by: SOURCES[source].to_owned(),
            key: None,
            graph: as_graph.then(|| NewGraph {
                title: "graph".to_owned(),
                is_draft: false,
                budget: None,
                project: None,
            }),
            idempotency: None,
            tasks: plans.iter().map(|plan| draft(&plan.task())).collect(),
        };
        let operation = Submit {
            ns: self.ns,
            submissions: &[submission],
        };
        let submitted = self.store.run(&operation).await?.0.remove(0);
        let submitted = submitted.expect("it breaks no rule");
        self.world.graphs.extend(submitted.graph);
        for (plan, id) in plans.iter().zip(submitted.tasks) {
            self.world.tasks.push(Known {
                id,
                graph: submitted.graph,
                source,
                plan: plan.clone(),
                version: 1,
                life: Life::Ready,
                epoch: 0,
                spent: 0,
            });
        }
        Ok(())
    }

    fn ready(&self, pick: Pick) -> Option<Place> {
        let places = 0..self.world.tasks.len();
        let ready = places.filter(|place| self.world.tasks[*place].life == Life::Ready);
        chosen(&ready.collect::<Vec<_>>(), pick)
    }

    /// What waits at a gate that it has no more to do with goes back to its lane. Every other time
    /// only that changes which does not change its rank.
    pub(super) async fn edit(&mut self, pick: Pick, plan: &Plan) -> Result<()> {
        let Some(place) = self.ready(pick) else {
            return Ok(());
        };
        let known = &self.world.tasks[place];
        let mut plan = plan.clone();
        if pick.is_multiple_of(2) {
            plan.priority = known.plan.priority;
            plan.needs_gpu = known.plan.needs_gpu;
        }
        let operation = EditTask {
            ns: self.ns,
            task: known.id,
            version: known.version,
            draft: &draft(&plan.task()),
            edited_by: "model",
        };
        let edited = self.store.run(&operation).await?.0;
        ensure!(edited.is_ok(), "{place} cannot be edited: {edited:?}");
        let known = &mut self.world.tasks[place];
        known.version += 1;
        known.plan = plan;
        self.look().await?;
        ensure!(
            self.rows.ready.contains(&place),
            "{place} is another one now and waits on: {:?}",
            self.rows.gated.get(&place)
        );
        Ok(())
    }

    /// What runs keeps what it holds until its agent confirms or is lost.
    pub(super) async fn cancel(&mut self, pick: Pick) -> Result<()> {
        let places = 0..self.world.tasks.len();
        let open = places.filter(|place| self.world.tasks[*place].life != Life::Over);
        let Some(place) = chosen(&open.collect::<Vec<_>>(), pick) else {
            return Ok(());
        };
        let operation = CancelTasks {
            ns: self.ns,
            tasks: vec![self.world.tasks[place].id],
            cancelled_by: "model".to_owned(),
        };
        let cancelled = self.store.run(&operation).await?.0.remove(0);
        ensure!(cancelled.is_ok(), "{cancelled:?}");
        self.world.tasks[place].life = Life::Over;
        Ok(())
    }

    pub(super) async fn change(&mut self, step: &Step) -> Result<()> {
        let (Step::Set(named, _) | Step::Raise(named, _) | Step::Remove(named)) = step else {
            unreachable!("{step:?} changes no gate");
        };
        let Some(gate) = self.gate(*named) else {
            return Ok(());
        };
        let now = self.clock.now();
        let change = match step {
            Step::Set(_, cap) => {
                self.world.set(&gate, *cap, now);
                match &gate {
                    Gate::Pause(what) => GateChange::Pause {
                        what: what.clone(),
                        note: None,
                    },
                    _ => GateChange::Set {
                        gate: gate.clone(),
                        cap: *cap,
                        note: None,
                        time_zone: None,
                    },
                }
            }
            Step::Raise(_, by) => {
                let Some(meter) = self.world.gates.get(&gate) else {
                    return Ok(());
                };
                let cap = (meter.cap + by).max(0);
                self.world.set(&gate, cap, now);
                GateChange::Raise {
                    gate: gate.clone(),
                    by: *by,
                }
            }
            _ => {
                self.world.remove(&gate, now);
                GateChange::Remove { gate: gate.clone() }
            }
        };
        self.change_gates(vec![change], BTreeSet::from([gate]))
            .await
    }

    pub(super) async fn remove_all(&mut self, gates: Vec<Gate>) -> Result<()> {
        let now = self.clock.now();
        for gate in gates {
            self.world.remove(&gate, now);
            let change = GateChange::Remove { gate: gate.clone() };
            let freed = BTreeSet::from([gate]);
            self.change_gates(vec![change], freed).await?;
        }
        Ok(())
    }

    async fn change_gates(
        &mut self,
        changes: Vec<GateChange>,
        mut freed: BTreeSet<Gate>,
    ) -> Result<()> {
        let before = self.rows.gated.clone();
        let operation = ChangeGates {
            ns: self.ns,
            by: "model",
            changes: &changes,
            patience: PATIENCE,
        };
        let answer = self.store.change_gates(None, &operation).await?.0;
        ensure!(answer.is_ok(), "{answer:?}");
        if freed.contains(&EACH_DAY) {
            freed.insert(day_of(self.clock.now()));
        }
        self.look().await?;
        self.next_is_let_in(&before, &freed)
    }
}
