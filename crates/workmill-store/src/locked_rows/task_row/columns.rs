//! The columns of `state`, as arrays for statements.

use jiff::Timestamp;
use uuid::Uuid;

use super::TaskRow;

#[derive(Default)]
pub(crate) struct StateColumns {
    pub(crate) tasks: Vec<Uuid>,
    pub(crate) graphs: Vec<Uuid>,
    pub(crate) states: Vec<i16>,
    pub(crate) lanes: Vec<i64>,
    pub(crate) ranks: Vec<i64>,
    pub(crate) dues: Vec<Option<Timestamp>>,
    pub(crate) spec_versions: Vec<i32>,
    pub(crate) epochs: Vec<i32>,
    pub(crate) attempts: Vec<i32>,
    pub(crate) crashes: Vec<i32>,
    pub(crate) unmets: Vec<i32>,
    pub(crate) critical_paths: Vec<i16>,
    pub(crate) on_dependency_failures: Vec<i16>,
    pub(crate) in_graphs: Vec<bool>,
    pub(crate) has_deadlines: Vec<bool>,
    pub(crate) freed_runners: Vec<bool>,
    /// Lines of one text: PostgreSQL has no arrays of arrays of different lengths.
    pub(crate) shunned: Vec<String>,
    pub(crate) shunned_untils: Vec<Option<Timestamp>>,
    pub(crate) spent: Vec<i64>,
}

impl StateColumns {
    pub(crate) fn of<'a>(rows: impl IntoIterator<Item = &'a TaskRow>) -> StateColumns {
        let mut columns = StateColumns::default();
        for row in rows {
            columns.push(row);
        }
        columns
    }

    /// Names every field of a row, so that a new one cannot be left out of a statement.
    fn push(&mut self, row: &TaskRow) {
        let TaskRow {
            task,
            graph,
            state,
            lane,
            rank,
            due,
            spec_version,
            epoch,
            attempts,
            crashes,
            unmet,
            critical_path,
            on_dependency_failure,
            in_graph,
            has_deadline,
            freed_runners,
            shunned,
            shunned_until,
            spent_micros,
        } = row;
        self.tasks.push(task.0);
        self.graphs.push(graph.0);
        self.states.push(state.code());
        self.lanes.push(lane.0);
        self.ranks.push(*rank);
        self.dues.push(*due);
        self.spec_versions.push(*spec_version);
        self.epochs.push(*epoch);
        self.attempts.push(*attempts);
        self.crashes.push(*crashes);
        self.unmets.push(*unmet);
        self.critical_paths.push(*critical_path);
        self.on_dependency_failures
            .push(on_dependency_failure.code());
        self.in_graphs.push(*in_graph);
        self.has_deadlines.push(*has_deadline);
        self.freed_runners.push(*freed_runners);
        self.shunned.push(shunned.join("\n"));
        self.shunned_untils.push(*shunned_until);
        self.spent.push(*spent_micros);
    }
}
