//! The rows that the store really holds, as the same lines of text that the model writes.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use jiff::Timestamp;
use tokio_postgres::{Client, Row, Statement};
use uuid::Uuid;
use workmill_core::graph::Tally;
use workmill_core::lifecycle::State;

use super::step::Label;
use super::world::beginning;

/// One statement for each kind of line.
const STATEMENTS: [&str; 11] = [
    "select task, state, epoch, attempts, crashes, unmet, due from workmill.state where ns = $1",
    "select task, lane, rank from workmill.ready where ns = $1",
    "select task, at from workmill.due where ns = $1",
    "select task, until from workmill.blocked where ns = $1",
    "select task, 'finished' from workmill.finished where ns = $1
     union all select task, 'dead' from workmill.dead_letter where ns = $1",
    "select task, epoch, output::text from workmill.result where ns = $1",
    "select task, data::text from workmill.checkpoint where ns = $1",
    "select task, epoch, resumed, agent, outcome, reason from workmill.attempt where ns = $1",
    "select task, epoch, was_accepted from workmill.late_result where ns = $1",
    "select task, epoch, agent, resumed, started_at, renewed_at, ttl_ms, max_duration_ms,
            stop is not null
     from workmill.lease where ns = $1",
    "select graph, status, is_draining, tasks, completed, cancelled, stale, dead, moving
     from workmill.graph where ns = $1",
];

/// Reads whole namespaces on a connection of its own.
pub struct Reader {
    client: Client,
    statements: Vec<Statement>,
}

/// What the model calls the things of the store.
#[derive(Default)]
pub struct Names {
    pub tasks: BTreeMap<Uuid, Label>,
    pub graphs: BTreeMap<Uuid, Label>,
}

impl Names {
    fn task(&self, row: &Row) -> String {
        match self.tasks.get(&row.get(0)) {
            Some(label) => format!("t{label}"),
            None => "an unknown task".to_owned(),
        }
    }
}

impl Reader {
    pub async fn new(client: Client) -> Result<Reader> {
        let mut statements = Vec::new();
        for statement in STATEMENTS {
            statements.push(client.prepare(statement).await?);
        }
        Ok(Reader { client, statements })
    }

    /// Two equal rows of a table become one line, so a doubled one is marked.
    pub async fn rows(&self, ns: i64, names: &Names) -> Result<BTreeSet<String>> {
        // Asked all at once: one wait for the whole picture.
        let asked = self.statements.iter().map(|statement| async {
            let parameters: [&(dyn tokio_postgres::types::ToSql + Sync); 1] = [&ns];
            self.client.query(statement, &parameters).await
        });
        let tables = futures_util::future::try_join_all(asked).await?;
        let mut lines = BTreeSet::new();
        for (table, rows) in tables.iter().enumerate() {
            for row in rows {
                let mut text = line(table, row, names);
                while lines.contains(&text) {
                    text.push_str(" once more");
                }
                lines.insert(text);
            }
        }
        Ok(lines)
    }
}

fn ms(at: Timestamp) -> i64 {
    at.duration_since(beginning())
        .as_millis()
        .try_into()
        .expect("a short time")
}

fn line(table: usize, row: &Row, names: &Names) -> String {
    let task = names.task(row);
    let at = |column: usize| row.get::<_, Option<Timestamp>>(column).map(ms);
    let number = |column: usize| row.get::<_, i32>(column);
    match table {
        0 => format!(
            "task {task} {} epoch {} attempts {} crashes {} unmet {} due {:?}",
            State::from_code(row.get(1)).expect("a known state"),
            number(2),
            number(3),
            number(4),
            number(5),
            at(6)
        ),
        1 => format!(
            "ready {task} lane {} rank {}",
            row.get::<_, i64>(1),
            row.get::<_, i64>(2)
        ),
        2 => format!("due {task} at {}", at(1).unwrap_or(-1)),
        3 => format!("blocked {task} until {:?}", at(1)),
        4 => format!("{} {task}", row.get::<_, &str>(1)),
        5 => format!("result {task}#{} {}", number(1), row.get::<_, &str>(2)),
        6 => format!("checkpoint {task} {}", row.get::<_, &str>(1)),
        7 => format!(
            "attempt {task}#{}.{} {} {} {:?}",
            number(1),
            row.get::<_, i16>(2),
            row.get::<_, &str>(3),
            row.get::<_, &str>(4),
            row.get::<_, Option<&str>>(5)
        ),
        8 => format!(
            "late {task}#{} accepted {}",
            number(1),
            row.get::<_, bool>(2)
        ),
        9 => format!(
            "lease {task}#{} {} resumed {} started {:?} renewed {} ttl {} most {:?} stop {}",
            number(1),
            row.get::<_, &str>(2),
            row.get::<_, i16>(3),
            at(4),
            at(5).unwrap_or(-1),
            row.get::<_, i64>(6),
            row.get::<_, Option<i64>>(7),
            row.get::<_, bool>(8)
        ),
        _ => {
            let tally = Tally {
                tasks: number(3),
                completed: number(4),
                cancelled: number(5),
                stale: number(6),
                dead: number(7),
                moving: number(8),
            };
            let graph = names.graphs.get(&row.get(0));
            format!(
                "graph g{} {} draining {} {tally:?}",
                graph.map_or(-1, |label| i64::from(*label)),
                row.get::<_, &str>(1),
                row.get::<_, bool>(2)
            )
        }
    }
}

/// The lines that only one side has.
pub fn difference(model: &BTreeSet<String>, store: &BTreeSet<String>) -> Option<String> {
    let only = |name: &str, these: &BTreeSet<String>, those: &BTreeSet<String>| -> String {
        let lines = these
            .difference(those)
            .map(|line| format!("  {name}: {line}\n"));
        lines.collect()
    };
    let difference = only("model", model, store) + &only("store", store, model);
    (!difference.is_empty()).then_some(difference)
}
