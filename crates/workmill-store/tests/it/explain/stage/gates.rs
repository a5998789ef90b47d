//! Gates, chosen among those that the tasks of a case can meet.

use anyhow::{Result, ensure};
use workmill_core::gate::{Gate, Limited, Paused, Purse};
use workmill_core::priority::Class;
use workmill_store::gates::change::{ChangeGates, GateChange, PATIENCE};

use super::super::step::{AGENTS, GateChoice, Step};
use super::{Stage, dollars, nth_of};

impl Stage<'_> {
    pub(super) fn change(&self, step: &Step) -> Option<GateChange> {
        match step {
            Step::SetGate(choice, cap) => {
                let gate = self.limit_or_budget(*choice)?;
                let is_money = matches!(gate, Gate::Budget(_));
                Some(GateChange::Set {
                    gate,
                    cap: if is_money { dollars(*cap).0 } else { *cap },
                    note: None,
                    time_zone: None,
                })
            }
            Step::Pause(choice) => Some(GateChange::Pause {
                what: self.paused(*choice)?,
                note: Some("for a while".to_owned()),
            }),
            Step::RemoveGate(nth) => {
                let gate = self
                    .gates
                    .get(usize::from(*nth) % self.gates.len().max(1))?;
                Some(GateChange::Remove { gate: gate.clone() })
            }
            _ => None,
        }
    }

    fn limit_or_budget(&self, (kind, nth): GateChoice) -> Option<Gate> {
        let agent = || AGENTS[usize::from(nth) % AGENTS.len()].to_owned();
        Some(match kind % 14 {
            0 => Gate::Limit(Limited::Namespace),
            1 => Gate::Limit(Limited::AllButCritical),
            2 => Gate::Limit(Limited::Class(Class::Normal)),
            3 => Gate::Limit(Limited::Source("cron".to_owned())),
            4 => Gate::Limit(Limited::Type("code".to_owned())),
            5 | 6 => Gate::Limit(Limited::Label("x".to_owned())),
            7 => Gate::Limit(Limited::Agent(agent())),
            8 => Gate::Budget(Purse::Namespace),
            9 | 12 | 13 => Gate::Budget(Purse::EachDay),
            10 => Gate::Budget(Purse::Agent(agent())),
            _ => Gate::Budget(Purse::Graph(nth_of(&self.graphs, nth)?)),
        })
    }

    fn paused(&self, (kind, nth): GateChoice) -> Option<Paused> {
        Some(match kind % 6 {
            0 => Paused::Namespace,
            1 => Paused::Graph(nth_of(&self.graphs, nth)?),
            2 => Paused::Type("review".to_owned()),
            3 => Paused::Label("y".to_owned()),
            4 => Paused::Lane(nth_of(&self.lanes, nth)?),
            _ => Paused::Agent(AGENTS[usize::from(nth) % AGENTS.len()].to_owned()),
        })
    }

    pub(super) async fn change_gate(&mut self, change: GateChange) -> Result<()> {
        match &change {
            GateChange::Set { gate, .. } => self.gates.push(gate.clone()),
            GateChange::Pause { what, .. } => self.gates.push(Gate::Pause(what.clone())),
            GateChange::Raise { .. } | GateChange::Leave { .. } | GateChange::Remove { .. } => {}
        }
        let operation = ChangeGates {
            ns: self.ns,
            by: "operator",
            changes: &[change],
            patience: PATIENCE,
        };
        let changed = self.store.change_gates(None, &operation).await?.0;
        ensure!(changed.is_ok(), "{changed:?}");
        Ok(())
    }
}
