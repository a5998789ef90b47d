//! Which tasks are listed or an action on many is about, and what becomes of each.
//!
//! There is no index on a task's state. Tasks of a state are found where they rest, so a filter
//! also says in which places to look: [`places`].

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::admission::source_of;
use crate::audit::Action;
use crate::ids::{GraphId, ProjectId};
use crate::lifecycle::{self, State, Trigger};
use crate::list::Order;
use crate::money::Micros;
use crate::priority::{Class, Priority};
use crate::question::WaitsFor;
use crate::task::NewTask;

/// Which tasks; what is not named does not matter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TaskFilter {
    /// In one of these; empty: in any.
    pub states: BTreeSet<State>,
    pub task_type: Option<String>,
    pub tag: Option<String>,
    /// The agent that holds the task, that the task is addressed to, or, for an ended task, that
    /// worked on it last.
    pub agent: Option<String>,
    pub graph: Option<GraphId>,
    pub project: Option<ProjectId>,
    pub created_by: Option<String>,
    /// Where the work comes from: `cron` of `cron:nightly`.
    pub source: Option<String>,
    pub class: Option<Class>,
    /// A part of the title; upper and lower case are equal.
    pub title: Option<String>,
    /// Submitted at this moment or later.
    pub since: Option<Timestamp>,
    /// Submitted at this moment or earlier.
    pub until: Option<Timestamp>,
}

/// What there is to know of a task without its history: enough to tell whether it is meant, and to
/// list it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    pub state: State,
    pub graph: GraphId,
    pub project: Option<ProjectId>,
    pub task_type: String,
    pub title: String,
    pub tags: Vec<String>,
    pub created_by: String,
    pub priority: Priority,
    pub submitted_at: Timestamp,
    /// Those that hold it.
    pub held_by: Vec<String>,
    /// The one whose attempt ended last.
    pub last_agent: Option<String>,
    /// The one that it is addressed to.
    pub target_agent: Option<String>,
    /// The task's `key`: the planner's own id.
    pub key: Option<String>,
    /// Since when it is a dead letter.
    pub dead_since: Option<Timestamp>,
    /// What it waits for, while it is blocked.
    pub waits_for: Option<WaitsFor>,
    /// Not before this moment: a retry's or the task's own.
    pub due: Option<Timestamp>,
    /// Attempts that count.
    pub attempts: i32,
    /// What its attempts have cost that have ended.
    pub spent: Micros,
}

impl Candidate {
    fn is_of(&self, agent: &str) -> bool {
        self.target_agent.as_deref() == Some(agent)
            || self.held_by.iter().any(|one| one == agent)
            || self.done_by() == Some(agent)
    }

    /// The agent that worked on it last, once it has ended or become a dead letter.
    pub fn done_by(&self) -> Option<&str> {
        let is_over = self.state.is_finished() || self.state == State::DeadLettered;
        self.last_agent.as_deref().filter(|_| is_over)
    }

    /// `wanted` is in small letters.
    fn is_called(&self, wanted: &str) -> bool {
        self.title.to_lowercase().contains(wanted)
    }
}

impl TaskFilter {
    pub fn fits(&self, task: &Candidate) -> bool {
        let is = |wanted: &Option<String>, found: &String| {
            wanted.as_ref().is_none_or(|wanted| wanted == found)
        };
        let all = |wanted: &Option<String>, fits: &dyn Fn(&String) -> bool| {
            wanted.as_ref().is_none_or(fits)
        };
        self.names(task.state)
            && is(&self.task_type, &task.task_type)
            && is(&self.created_by, &task.created_by)
            && all(&self.source, &|wanted| {
                source_of(&task.created_by) == wanted
            })
            && all(&self.tag, &|wanted| task.tags.contains(wanted))
            && all(&self.agent, &|wanted| task.is_of(wanted))
            && all(&self.title, &|wanted| {
                task.is_called(&wanted.to_lowercase())
            })
            && self.graph.is_none_or(|graph| graph == task.graph)
            && self
                .project
                .is_none_or(|project| task.project == Some(project))
            && self
                .class
                .is_none_or(|class| class == task.priority.class())
            && self.since.is_none_or(|since| task.submitted_at >= since)
            && self.until.is_none_or(|until| task.submitted_at <= until)
    }

    fn names(&self, state: State) -> bool {
        self.states.is_empty() || self.states.contains(&state)
    }
}

/// What shall become of all tasks that fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    Cancel,
    /// Dead letters go round again, with all their attempts anew.
    Retry,
    Reprioritise(Priority),
    AddTag(String),
    RemoveTag(String),
}

/// What a change does to a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Becomes(State),
    /// It gets another version and stays where it is.
    Edited,
    /// It is so already, runs, has ended, or is no dead letter.
    None,
}

impl Change {
    /// Under which name it is recorded.
    pub const fn action(&self) -> Action {
        match self {
            Change::Cancel => Action::TaskCancelled,
            Change::Retry => Action::DeadLetterRetried,
            Change::Reprioritise(_) => Action::TaskReprioritised,
            Change::AddTag(_) => Action::TaskTagged,
            Change::RemoveTag(_) => Action::TaskUntagged,
        }
    }

    /// What it does to a task, if the decision was made at `moment`. A task that was sent round
    /// again and came back as a dead letter since then is left: so a decision is carried out once
    /// for each, however often it is repeated.
    pub fn effect(&self, task: &Candidate, moment: Timestamp) -> Effect {
        if task.submitted_at > moment || !self.touches(task.state) {
            return Effect::None;
        }
        match self {
            Change::Cancel => {
                let next = lifecycle::next(task.state, Trigger::Cancel);
                next.map_or(Effect::None, Effect::Becomes)
            }
            // A dead letter has run before, so it waits for nothing.
            Change::Retry if task.dead_since.is_some_and(|since| since <= moment) => {
                Effect::Becomes(State::Ready)
            }
            Change::Retry => Effect::None,
            Change::Reprioritise(priority) => edited(task.priority != *priority),
            Change::AddTag(tag) => edited(!task.tags.contains(tag)),
            Change::RemoveTag(tag) => edited(task.tags.contains(tag)),
        }
    }

    /// The task as it shall be asked for from now on.
    #[must_use]
    pub fn edit(&self, asked: &NewTask) -> NewTask {
        let mut edited = asked.clone();
        match self {
            Change::Cancel | Change::Retry => {}
            Change::Reprioritise(priority) => edited.priority = *priority,
            Change::AddTag(tag) => {
                if !edited.tags.contains(tag) {
                    edited.tags.push(tag.clone());
                }
            }
            Change::RemoveTag(tag) => edited.tags.retain(|other| other != tag),
        }
        edited
    }

    /// Whether there is anything that it could do to a task in this state.
    fn touches(&self, state: State) -> bool {
        match self {
            Change::Cancel => !state.is_finished(),
            Change::Retry => state == State::DeadLettered,
            Change::Reprioritise(_) | Change::AddTag(_) | Change::RemoveTag(_) => {
                !state.is_finished() && !state.is_leased()
            }
        }
    }
}

fn edited(is_another: bool) -> Effect {
    if is_another {
        Effect::Edited
    } else {
        Effect::None
    }
}

/// Where tasks are looked for, one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// All tasks of the namespace, in the order they came in.
    Everything,
    Graph(GraphId),
    Project(ProjectId),
    Ready,
    /// Ready, but stopped at a gate.
    Gated,
    Due,
    Leases,
    Blocked,
    DeadLetters,
    Finished,
}

impl Place {
    /// Whether the tasks stand in the order of their ids, that is of their age.
    const fn is_in_order_of_ids(self) -> bool {
        match self {
            Place::Everything
            | Place::Graph(_)
            | Place::Project(_)
            | Place::Leases
            | Place::Blocked
            | Place::DeadLetters => true,
            Place::Ready | Place::Gated | Place::Due | Place::Finished => false,
        }
    }

    /// Whether a task of this state is listed from here. A cancelled task can have a lease still,
    /// and shall not be listed twice.
    pub const fn is_home_of(self, state: State) -> bool {
        match self {
            Place::Leases => state.is_leased(),
            Place::Everything
            | Place::Graph(_)
            | Place::Project(_)
            | Place::Ready
            | Place::Gated
            | Place::Due
            | Place::Blocked
            | Place::DeadLetters
            | Place::Finished => true,
        }
    }
}

/// Where to look for what the filter names and the change could touch.
pub fn places(filter: &TaskFilter, change: &Change) -> Vec<Place> {
    places_of(filter, |state| change.touches(state))
}

/// Tasks are asked for by when they ended, and some of them cannot have ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HaveNotEnded;

/// Where to look for what the filter names, for a list in this order: by the ids of the tasks where they
/// are asked for by age, otherwise as each place has them.
pub fn places_to_look(
    filter: &TaskFilter,
    order: Option<Order>,
) -> Result<Vec<Place>, HaveNotEnded> {
    let places = places_of(filter, |_| true);
    match order {
        None => Ok(places),
        Some(Order::Oldest | Order::Newest) => Ok(match places[..] {
            [place] if place.is_in_order_of_ids() => places,
            _ => vec![Place::Everything],
        }),
        Some(Order::Ended) => {
            let have_ended = filter.states.iter().all(|state| state.is_finished());
            if have_ended && !filter.states.is_empty() {
                Ok(vec![Place::Finished])
            } else {
                Err(HaveNotEnded)
            }
        }
    }
}

/// What waits for a dependency rests nowhere, so looking for it means going over everything.
fn places_of(filter: &TaskFilter, touches: impl Fn(State) -> bool) -> Vec<Place> {
    let mut places = BTreeSet::new();
    for state in State::ALL {
        if !filter.names(state) || !touches(state) {
            continue;
        }
        if let Some(graph) = filter.graph {
            return vec![Place::Graph(graph)];
        }
        if let Some(project) = filter.project {
            return vec![Place::Project(project)];
        }
        let place = match state {
            State::Created | State::Pending => Place::Everything,
            State::Ready => {
                places.insert(Place::Gated);
                Place::Ready
            }
            State::Retrying => Place::Due,
            State::Claimed | State::Running | State::Validating => Place::Leases,
            State::Blocked => Place::Blocked,
            State::DeadLettered => Place::DeadLetters,
            State::Completed | State::Cancelled | State::Stale => Place::Finished,
        };
        places.insert(place);
    }
    if places.contains(&Place::Everything) {
        return vec![Place::Everything];
    }
    places.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn candidate(state: State) -> Candidate {
        Candidate {
            state,
            graph: GraphId(uuid::Uuid::from_u128(1)),
            project: None,
            task_type: "code".to_owned(),
            title: "Mend the Roof".to_owned(),
            tags: vec!["a".to_owned()],
            created_by: "ada".to_owned(),
            priority: Class::Normal.base(),
            submitted_at: Timestamp::UNIX_EPOCH,
            held_by: vec!["holder".to_owned()],
            last_agent: Some("doer".to_owned()),
            target_agent: Some("target".to_owned()),
            key: None,
            dead_since: (state == State::DeadLettered).then_some(Timestamp::UNIX_EPOCH),
            waits_for: None,
            due: None,
            attempts: 0,
            spent: Micros::ZERO,
        }
    }

    fn changes() -> [Change; 5] {
        [
            Change::Cancel,
            Change::Retry,
            Change::Reprioritise(Class::High.base()),
            Change::AddTag("b".to_owned()),
            Change::RemoveTag("a".to_owned()),
        ]
    }

    /// Where a task of this state rests, if it rests anywhere.
    fn rests_in(state: State) -> Option<Place> {
        match state {
            State::Ready => Some(Place::Ready),
            State::Retrying => Some(Place::Due),
            State::Claimed | State::Running | State::Validating => Some(Place::Leases),
            State::Blocked => Some(Place::Blocked),
            State::DeadLettered => Some(Place::DeadLetters),
            State::Completed | State::Cancelled | State::Stale => Some(Place::Finished),
            State::Created | State::Pending => None,
        }
    }

    #[test]
    fn nothing_that_ended_is_touched_and_edits_leave_alone_what_runs() {
        for change in changes() {
            for state in State::ALL {
                let effect = change.effect(&candidate(state), Timestamp::UNIX_EPOCH);
                if state.is_finished() || (state.is_leased() && change != Change::Cancel) {
                    assert_eq!(effect, Effect::None, "{change:?} {state}");
                }
            }
        }
    }

    #[test]
    fn what_came_after_the_moment_is_left() {
        let moment = Timestamp::from_second(-1).unwrap();
        for change in changes() {
            for state in State::ALL {
                assert_eq!(change.effect(&candidate(state), moment), Effect::None);
            }
        }
        let mut back = candidate(State::DeadLettered);
        back.dead_since = Some(Timestamp::from_second(5).unwrap());
        let effect = Change::Retry.effect(&back, Timestamp::from_second(4).unwrap());
        assert_eq!(effect, Effect::None, "it was retried and came back");
    }

    #[test]
    fn each_member_of_a_filter_alone_tells_tasks_apart() {
        let task = candidate(State::Ready);
        let other = Some("other".to_owned());
        let all = TaskFilter::default();
        assert!(all.fits(&task));
        let filters = [
            TaskFilter {
                states: BTreeSet::from([State::Blocked]),
                ..all.clone()
            },
            TaskFilter {
                task_type: other.clone(),
                ..all.clone()
            },
            TaskFilter {
                tag: other.clone(),
                ..all.clone()
            },
            TaskFilter {
                agent: other.clone(),
                ..all.clone()
            },
            TaskFilter {
                created_by: other.clone(),
                ..all.clone()
            },
            TaskFilter {
                source: other.clone(),
                ..all.clone()
            },
            TaskFilter {
                title: other,
                ..all.clone()
            },
            TaskFilter {
                graph: Some(GraphId(uuid::Uuid::nil())),
                ..all.clone()
            },
            TaskFilter {
                class: Some(Class::Low),
                ..all.clone()
            },
            TaskFilter {
                since: Timestamp::from_second(1).ok(),
                ..all.clone()
            },
            TaskFilter {
                until: Timestamp::from_second(-1).ok(),
                ..all
            },
        ];
        for filter in filters {
            assert!(!filter.fits(&task), "{filter:?}");
        }
    }

    #[test]
    fn an_agent_is_found_by_what_it_has_done_once_that_has_ended() {
        let filter = TaskFilter {
            agent: Some("doer".to_owned()),
            ..TaskFilter::default()
        };
        for state in State::ALL {
            let is_over = state.is_finished() || state == State::DeadLettered;
            assert_eq!(filter.fits(&candidate(state)), is_over, "{state}");
        }
    }

    #[test]
    fn a_list_by_age_goes_over_ids_and_only_what_ended_has_an_end() {
        let of = |states: &[State]| TaskFilter {
            states: states.iter().copied().collect(),
            ..TaskFilter::default()
        };
        let by = |states: &[State], order| places_to_look(&of(states), Some(order));
        let blocked = by(&[State::Blocked], Order::Newest);
        assert_eq!(blocked, Ok(vec![Place::Blocked]));
        let ready = by(&[State::Ready], Order::Newest);
        assert_eq!(ready, Ok(vec![Place::Everything]), "lanes know no age");
        let both = by(&[State::Blocked, State::Running], Order::Oldest);
        assert_eq!(
            both,
            Ok(vec![Place::Everything]),
            "two places have no order"
        );
        let ended = by(&[State::Completed, State::Stale], Order::Ended);
        assert_eq!(ended, Ok(vec![Place::Finished]));
        assert_eq!(
            by(&[State::Completed, State::Ready], Order::Ended),
            Err(HaveNotEnded)
        );
        assert_eq!(by(&[], Order::Ended), Err(HaveNotEnded));
    }

    #[test]
    fn a_filter_finds_parts_of_titles_sources_and_both_kinds_of_agents() {
        let task = Candidate {
            created_by: "cron:nightly".to_owned(),
            ..candidate(State::Running)
        };
        let some = |text: &str| Some(text.to_owned());
        let all = TaskFilter::default();
        let filters = [
            TaskFilter {
                title: some("END THE r"),
                ..all.clone()
            },
            TaskFilter {
                source: some("cron"),
                ..all.clone()
            },
            TaskFilter {
                agent: some("holder"),
                ..all.clone()
            },
            TaskFilter {
                agent: some("target"),
                ..all
            },
        ];
        for filter in filters {
            assert!(filter.fits(&task), "{filter:?}");
        }
    }

    proptest! {
        /// Whatever a change would do something to, it is looked for where it rests.
        #[test]
        fn no_task_that_is_meant_is_overlooked(
            states in proptest::collection::btree_set(proptest::sample::select(State::ALL.to_vec()), 0..5),
            in_graph: bool,
        ) {
            for change in changes() {
                for state in State::ALL {
                    let task = candidate(state);
                    let filter = TaskFilter {
                        states: states.clone(),
                        graph: in_graph.then_some(task.graph),
                        ..TaskFilter::default()
                    };
                    if !filter.fits(&task) {
                        continue;
                    }
                    let is_found = |places: &[Place]| {
                        places.contains(&Place::Everything)
                            || places.contains(&Place::Graph(task.graph)) && in_graph
                            || rests_in(state).is_some_and(|place| places.contains(&place))
                    };
                    for order in [None, Some(Order::Oldest), Some(Order::Newest), Some(Order::Ended)] {
                        // What has not ended is refused in the order of the ends.
                        if let Ok(places) = places_to_look(&filter, order) {
                            prop_assert!(is_found(&places), "{} {:?} {:?}", state, filter, order);
                        }
                    }
                    if change.effect(&task, Timestamp::UNIX_EPOCH) != Effect::None {
                        let places = places(&filter, &change);
                        prop_assert!(is_found(&places), "{:?} {} {:?}", change, state, places);
                    }
                }
            }
        }
    }
}
