//! Damage that the checker must notice, done to what a good run has stored.

use uuid::Uuid;
use workmill_core::ids::{LeaseId, TaskId};
use workmill_core::lifecycle::State;

use super::acknowledged::Acknowledged;
use super::checker;
use super::run::Finished;
use super::stored::Stored;
use super::wire::Ending;

/// Something that a crash could do; nothing if there was nothing to do it to.
type Damage = fn(&Acknowledged, &mut Stored) -> Option<()>;

const DAMAGES: [(&str, Damage); 10] = [
    ("a task is lost", |_, stored| {
        stored.rows.states.pop_first().map(drop)
    }),
    ("a task was made twice", |_, stored| {
        let (_, row) = stored.rows.states.first_key_value()?;
        let twin = TaskId(Uuid::from_u128(rand::random()));
        stored.rows.states.insert(twin, *row);
        Some(())
    }),
    ("a task never comes to its end", |_, stored| {
        let (_, row) = stored.rows.states.iter_mut().next()?;
        row.0 = State::Ready;
        Some(())
    }),
    ("an outcome is lost", |told, stored| {
        let lease = ended(told, |ending| matches!(ending, Ending::Complete { .. }))?;
        stored.rows.outcomes.remove(&lease.task).map(drop)
    }),
    ("an outcome is another one", |told, stored| {
        let lease = ended(told, |ending| matches!(ending, Ending::Complete { .. }))?;
        *stored.outputs.get_mut(&lease.task)? = "other".into();
        Some(())
    }),
    ("a failure is lost", |told, stored| {
        let lease = ended(told, |ending| matches!(ending, Ending::Fail { .. }))?;
        stored.attempts.remove(&lease).map(drop)
    }),
    ("a checkpoint is lost", |told, stored| {
        let (lease, _) = told.checkpoints.first_key_value()?;
        stored.checkpoints.remove(&lease.task).map(drop)
    }),
    ("a claim is lost", |_, stored| {
        let place = find(stored, "task.claimed")?;
        stored.events.remove(place);
        Some(())
    }),
    ("a claim happens twice", |_, stored| {
        let place = find(stored, "task.claimed")?;
        stored.events.insert(place, stored.events[place].clone());
        Some(())
    }),
    ("an agent has fewer slots than it held", |_, stored| {
        for slots in stored.slots.values_mut() {
            *slots = 1;
        }
        Some(())
    }),
];

fn ended(told: &Acknowledged, how: fn(&Ending) -> bool) -> Option<LeaseId> {
    let mut endings = told.endings.iter();
    endings
        .find(|(_, ending)| how(ending))
        .map(|(lease, _)| *lease)
}

fn find(stored: &Stored, event_type: &str) -> Option<usize> {
    stored.events.iter().position(|fact| fact.is(event_type))
}

pub fn is_noticed(finished: &Finished) {
    for (name, damage) in DAMAGES {
        let mut stored = finished.stored.clone();
        damage(&finished.told, &mut stored).unwrap_or_else(|| panic!("nothing to damage: {name}"));
        let found = checker::check(&finished.stage.history, &finished.told, &stored);
        assert_ne!(found, [""; 0], "not noticed: {name}");
    }
}
