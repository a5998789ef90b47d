//! The rows that the store should hold, as lines of text.

use std::collections::BTreeSet;

use workmill_core::lifecycle::State;

use super::World;

impl World {
    /// Every row of every table, by the names of the model. A task's resting place follows from
    /// its state: one that is somewhere else, twice or nowhere shows as a difference.
    pub fn rows(&self) -> BTreeSet<String> {
        let mut rows = BTreeSet::new();
        for (label, task) in &self.tasks {
            let unmet = self.unmet(*label);
            rows.insert(format!(
                "task t{label} {} epoch {} attempts {} crashes {} unmet {unmet} due {:?}",
                task.state, task.epoch, task.attempts, task.crashes, task.due
            ));
            let place = match task.state {
                State::Pending if unmet > 0 => None,
                State::Pending | State::Retrying => {
                    Some(format!("due t{label} at {}", task.due.unwrap_or(-1)))
                }
                State::Ready => Some(format!(
                    "ready t{label} lane {} rank {}",
                    task.lane.id().0,
                    task.rank
                )),
                State::Blocked => Some(format!("blocked t{label} until {:?}", task.blocked_until)),
                State::Completed | State::Cancelled | State::Stale => {
                    Some(format!("finished t{label}"))
                }
                State::DeadLettered => Some(format!("dead t{label}")),
                State::Created | State::Claimed | State::Running | State::Validating => None,
            };
            rows.extend(place);
            if let Some((epoch, output)) = task.result {
                rows.insert(format!("result t{label}#{epoch} {output}"));
            }
            if let Some(checkpoint) = task.checkpoint {
                rows.insert(format!("checkpoint t{label} {checkpoint}"));
            }
            for past in &task.ended {
                rows.insert(format!(
                    "attempt t{label}#{}.{} a{} {} {:?}",
                    past.epoch,
                    past.resumed,
                    past.agent,
                    past.outcome.name(),
                    past.reason.map(workmill_core::failure::Reason::name)
                ));
            }
            for (epoch, late) in &task.late {
                rows.insert(format!(
                    "late t{label}#{epoch} accepted {}",
                    late.was_accepted
                ));
            }
        }
        for (hold, lease) in &self.leases {
            rows.insert(format!(
                "lease {hold:?} a{} resumed {} started {:?} renewed {} ttl {} most {:?} stop {}",
                lease.agent,
                lease.resumed,
                lease.started,
                lease.renewed,
                lease.ttl_ms,
                lease.max_duration_ms,
                lease.stopped.is_some()
            ));
        }
        for (graph, drawn) in &self.graphs {
            let tally = self.tally(*graph);
            rows.insert(format!(
                "graph g{graph} {} draining {} {tally:?}",
                tally.status(false, drawn.is_draining).name(),
                drawn.is_draining
            ));
        }
        rows
    }
}
