//! A graph drawn in text: what follows what, how each task stands, and which of them hold up the
//! rest.
//!
//! Each task is drawn once, below the one of its dependencies that is done last; the others are
//! named beside it. What comes alone after a task stands under it without an indent, so that a long
//! chain stays narrow.

use std::collections::{BTreeMap, HashMap, HashSet};

use workmill_core::ids::TaskId;
use workmill_core::lifecycle::State;
use workmill_protocol::graphs::Graph;
use workmill_protocol::tasks::Task;

use super::{dollars, line, painted_words, short, table};
use crate::paint::Paint;

const LONGEST_NAME: usize = 40;

pub(crate) fn graph(graph: &Graph) -> String {
    let plan = Plan::of(&graph.tasks);
    let mut table = table(&[
        "",
        "~task",
        "state",
        "~agent",
        "?cost",
        "?attempts",
        "id",
        "~also",
    ]);
    let mut words = Vec::with_capacity(graph.tasks.len());
    for (branch, place) in plan.drawn() {
        let task = &graph.tasks[place];
        let mark = if plan.critical.contains(&place) {
            "*"
        } else {
            ""
        };
        let also = plan
            .also_after(place)
            .map(|other| name(&graph.tasks[other]));
        table.add_row([
            mark.to_owned(),
            format!("{branch}{}", name(task)),
            task.status.name().to_owned(),
            short(agent(task), LONGEST_NAME),
            dollars(task.cost_usd),
            task.attempts_counted.to_string(),
            task.id.to_string(),
            also.collect::<Vec<_>>().join(", "),
        ]);
        words.push((task.status.name(), Paint::of_state(task.status)));
    }
    let status = Paint::of_graph(graph.status).on(graph.status.name());
    let mut lines = vec![
        format!("{}  {status}", graph.id),
        line("title", &graph.title),
        line(
            "created",
            &format!("{} by {}", graph.created_at, graph.created_by),
        ),
        line("tasks", &counts(&graph.tasks)),
        line("cost", &dollars(graph.cost_usd)),
    ];
    lines.push(line("critical *", &plan.critical_path()));
    lines.push(String::new());
    lines.push(painted_words(&table, &words));
    lines.join("\n")
}

fn name(task: &Task) -> String {
    let name = task.task.name.as_ref().unwrap_or(&task.task.title);
    short(name, LONGEST_NAME)
}

/// Who works on it, or who did last.
fn agent(task: &Task) -> &str {
    let now = task.claim.as_ref().map(|claim| claim.agent.as_str());
    let last = task.attempts.last().map(|attempt| attempt.agent.as_str());
    now.or(last).unwrap_or_default()
}

fn counts(tasks: &[Task]) -> String {
    let mut by_state: BTreeMap<i16, (State, usize)> = BTreeMap::new();
    for task in tasks {
        let entry = by_state.entry(task.status.code());
        entry.or_insert((task.status, 0)).1 += 1;
    }
    let counts: Vec<String> = by_state
        .values()
        .map(|(state, count)| format!("{count} {}", state.name()))
        .collect();
    format!("{}: {}", tasks.len(), counts.join(", "))
}

/// What follows what; tasks by their place in the graph.
struct Plan {
    /// By the dependency that is done last; those without one come first.
    below: HashMap<Option<usize>, Vec<usize>>,
    dependencies: Vec<Vec<usize>>,
    /// The dependency that is done last.
    last: Vec<Option<usize>>,
    critical: HashSet<usize>,
    /// How long the critical path takes.
    seconds: f64,
    is_over: bool,
}

impl Plan {
    fn of(tasks: &[Task]) -> Plan {
        let places: HashMap<TaskId, usize> = tasks
            .iter()
            .enumerate()
            .map(|(place, task)| (task.id, place))
            .collect();
        let dependencies: Vec<Vec<usize>> = tasks
            .iter()
            .map(|task| {
                let on = task.depends_on.iter();
                on.filter_map(|id| places.get(id).copied()).collect()
            })
            .collect();
        // What is done holds up nothing; when all is done, the whole way is of interest.
        let is_over = tasks.iter().all(|task| task.status.is_finished());
        let takes: Vec<f64> = tasks
            .iter()
            .map(|task| {
                let counts = is_over || !task.status.is_finished();
                if counts {
                    task.task.estimate().as_secs_f64()
                } else {
                    0.0
                }
            })
            .collect();
        // When each is done at the earliest, and after how many steps.
        let mut done: Vec<(f64, usize)> = vec![(0.0, 0); tasks.len()];
        let mut last = vec![None; tasks.len()];
        for place in in_order(&dependencies) {
            let latest = dependencies[place].iter().copied();
            let latest = latest.max_by(|a, b| later(done[*a], done[*b]));
            let (seconds, steps) = latest.map_or((0.0, 0), |latest| done[latest]);
            done[place] = (seconds + takes[place], steps + 1);
            last[place] = latest;
        }
        let mut below: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
        for (place, last) in last.iter().enumerate() {
            below.entry(*last).or_default().push(place);
        }
        let end = (0..tasks.len()).max_by(|a, b| later(done[*a], done[*b]));
        let mut critical = HashSet::new();
        let mut step = end;
        while let Some(place) = step {
            if takes[place] > 0.0 {
                critical.insert(place);
            }
            step = last[place];
        }
        Plan {
            below,
            dependencies,
            last,
            critical,
            seconds: end.map_or(0.0, |end| done[end].0),
            is_over,
        }
    }

    /// Each task with the branch that leads to it, from top to bottom.
    fn drawn(&self) -> Vec<(String, usize)> {
        let below = |place: Option<usize>| self.below.get(&place).map_or(&[][..], Vec::as_slice);
        let mut drawn = Vec::with_capacity(self.last.len());
        // What is still to be drawn, the next one last: its branch, and what its followers get.
        let roots = below(None).iter().rev();
        let mut rest: Vec<(String, String, usize)> = roots
            .map(|place| (String::new(), String::new(), *place))
            .collect();
        while let Some((branch, indent, place)) = rest.pop() {
            drawn.push((branch, place));
            match below(Some(place)) {
                [] => {}
                [only] => rest.push((format!("{indent}↓ "), indent, *only)),
                [first @ .., last] => {
                    rest.push((format!("{indent}└─ "), format!("{indent}   "), *last));
                    for place in first.iter().rev() {
                        rest.push((format!("{indent}├─ "), format!("{indent}│  "), *place));
                    }
                }
            }
        }
        drawn
    }

    fn also_after(&self, place: usize) -> impl Iterator<Item = usize> {
        let last = self.last[place];
        let all = self.dependencies[place].iter().copied();
        all.filter(move |other| Some(*other) != last)
    }

    fn critical_path(&self) -> String {
        let left = if self.is_over { "" } else { " left" };
        let tasks = super::count(self.critical.len(), "task");
        format!("{tasks}, about {:.0} s{left}", self.seconds)
    }
}

fn later(a: (f64, usize), b: (f64, usize)) -> std::cmp::Ordering {
    a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
}

/// Each after those it depends on; what is on a cycle comes nowhere.
fn in_order(dependencies: &[Vec<usize>]) -> Vec<usize> {
    let mut waits_for: Vec<usize> = dependencies.iter().map(Vec::len).collect();
    let mut followers: Vec<Vec<usize>> = vec![Vec::new(); dependencies.len()];
    for (place, on) in dependencies.iter().enumerate() {
        for dependency in on {
            followers[*dependency].push(place);
        }
    }
    let free = waits_for.iter().enumerate();
    let mut order: Vec<usize> = free.filter(|(_, on)| **on == 0).map(|(at, _)| at).collect();
    let mut next = 0;
    while let Some(place) = order.get(next).copied() {
        next += 1;
        for follower in &followers[place] {
            waits_for[*follower] -= 1;
            if waits_for[*follower] == 0 {
                order.push(*follower);
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The branches of a plan by the dependencies of its tasks, with a star at what is critical.
    fn drawing(dependencies: &[&[usize]], estimates: &[f64]) -> Vec<String> {
        let id = |place: usize| -> TaskId {
            format!("00000000-0000-0000-0000-{:012}", place + 1)
                .parse()
                .unwrap()
        };
        let tasks: Vec<Task> = dependencies
            .iter()
            .enumerate()
            .map(|(place, on)| {
                let on: Vec<TaskId> = on.iter().map(|on| id(*on)).collect();
                serde_json::from_value(serde_json::json!({
                    "id": id(place), "dag_id": "00000000-0000-0000-0000-000000000000",
                    "status": "pending", "version": 1,
                    "task": {"title": "t", "type": "t", "estimate_sec": estimates[place]},
                    "depends_on": on, "created_at": "2027-01-15T08:00:00Z", "created_by": "a",
                    "updated_at": "2027-01-15T08:00:00Z", "attempts_counted": 0, "attempts": [], "cost_usd": 0.0,
                }))
                .unwrap()
            })
            .collect();
        let plan = Plan::of(&tasks);
        let drawn = plan.drawn().into_iter().map(|(branch, place)| {
            let mark = if plan.critical.contains(&place) {
                "*"
            } else {
                ""
            };
            format!("{branch}{place}{mark}")
        });
        drawn.collect()
    }

    #[test]
    fn branches_are_drawn_below_what_is_done_last_and_chains_stay_narrow() {
        let on: &[&[usize]] = &[&[], &[0], &[0], &[1, 2], &[3], &[2], &[]];
        let estimates = [10.0, 60.0, 10.0, 10.0, 10.0, 10.0, 10.0];
        let expected = ["0*", "├─ 1*", "│  ↓ 3*", "│  ↓ 4*", "└─ 2", "   ↓ 5", "6"];
        assert_eq!(drawing(on, &estimates), expected);
    }

    #[test]
    fn a_long_chain_needs_no_stack_and_no_room() {
        let on: Vec<Vec<usize>> = (0..10_000_usize)
            .map(|place| place.checked_sub(1).into_iter().collect())
            .collect();
        let on: Vec<&[usize]> = on.iter().map(Vec::as_slice).collect();
        let drawn = drawing(&on, &vec![1.0; on.len()]);
        assert_eq!(drawn.last().map(String::as_str), Some("↓ 9999*"));
    }
}
