//! The store on tables that are partitioned by namespace: it behaves as on plain ones, and each
//! statement touches one partition of each table. The text of each statement follows the rules that a
//! distributed database asks for.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use serde_json::json;
use workmill_core::failure::Reason;
use workmill_core::ids::TaskId;
use workmill_core::task::NewTask;
use workmill_testkit::database::TestStore;
use workmill_testkit::factory::{draft, graph, task};
use workmill_testkit::partitions::TABLES;

use crate::actors::Queue;
use crate::events;
use crate::statements::{Plan, PlanKind, Statement, read_all_statements};

mod rules;
mod syntax;

use rules::{Rule, broken};

/// Reads that go over many namespaces, and why. Each is a hint, or a look for people; nothing is written
/// or locked by it.
const OVER_ALL_NAMESPACES: &[(&str, &str)] = &[
    ("count_agents", "metrics"),
    ("count_queue", "metrics"),
    (
        "count_ready_lanes",
        "wakes waiting claims of several namespaces",
    ),
    ("count_waiting_tasks", "metrics"),
    ("find_agents_at_work", "metrics"),
    ("find_daily_spend", "metrics"),
    ("find_expired_blocks", "duty block_expirer"),
    ("find_lost_leases", "duty lease_reaper"),
    ("find_namespaces_with_due_tasks", "duty due_promoter"),
    ("find_namespaces_with_gates_in_use", "duty gate_keeper"),
    ("find_namespaces_with_gates_of_graphs", "duty gate_keeper"),
    ("find_namespaces_with_old_events", "duty event_pruner"),
    ("find_namespaces_with_old_lanes", "duty lane_pruner"),
    ("find_namespaces_with_old_tasks", "duty task_pruner"),
    ("find_namespaces_with_old_tallies", "duty tally_pruner"),
    (
        "find_namespaces_with_pending_events",
        "duty event_sequencer",
    ),
    ("find_namespaces_with_pressing_tasks", "duty rank_refresher"),
    ("find_namespaces_with_restless_gates", "duty gate_keeper"),
    ("find_oldest_pending_events", "metrics"),
    ("find_passed_deadlines", "duty deadline_watcher"),
    ("find_restless_agents", "duty agent_watcher"),
    ("find_watched_gates", "metrics"),
    ("read_agenda", "every turn of the duties"),
];

/// Statements that may break a rule, and why.
const EXCEPTIONS: &[(&str, Rule, &str)] = &[
    (
        "insert_events",
        Rule::NoNestedInsert,
        "both inserts have values and one namespace, so both go to one machine; a second statement \
         would be one more in every transaction",
    ),
    (
        "insert_events",
        Rule::NoClock,
        "the clock among values is read where the statement is planned, behind all that the \
         transaction has read",
    ),
    (
        "read_agenda",
        Rule::NoClock,
        "a hint for the duties, which read the clock again; alone, it would double what an idle \
         server sends",
    ),
    (
        "pick_ready",
        Rule::NoClock,
        "the difference of two clocks of one machine, for statistics",
    ),
];

fn is_over_all_namespaces(name: &str) -> bool {
    OVER_ALL_NAMESPACES.iter().any(|(wide, _)| *wide == name)
}

#[tokio::test]
async fn a_story_ends_alike_on_partitioned_and_on_plain_tables() -> Result<()> {
    let plain = tell(&Queue::on(TestStore::new().await?)).await?;
    let partitioned = tell(&Queue::on(TestStore::partitioned().await?)).await?;
    assert_eq!(plain, partitioned);
    Ok(())
}

#[tokio::test]
async fn each_statement_touches_one_partition_of_each_table() -> Result<()> {
    let test = TestStore::partitioned().await?;
    let client = test.database.client().await?;
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for statement in read_all_statements()? {
        if is_over_all_namespaces(&statement.name) {
            continue;
        }
        let plan = statement
            .explain(&client, PlanKind::Custom, test.ns.0)
            .await?;
        let touched = partitions(&plan);
        for table in tables_it_reads(&statement) {
            seen += 1;
            let found = touched.get(table).cloned().unwrap_or_default();
            if found.len() != 1 {
                wrong.push(format!("{}: {table} in {found:?}\n{plan}", statement.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(seen > 50, "only {seen} tables of statements were looked at");
    Ok(())
}

#[test]
fn each_statement_follows_the_rules_of_a_distributed_database() -> Result<()> {
    let mut wrong = Vec::new();
    for statement in read_all_statements()? {
        let is_wide = is_over_all_namespaces(&statement.name);
        let broken = broken(&statement.named, is_wide);
        let excepted = EXCEPTIONS
            .iter()
            .filter(|(name, ..)| *name == statement.name);
        let excepted = excepted.map(|(_, rule, _)| *rule).collect();
        if broken != excepted {
            let name = &statement.name;
            wrong.push(format!(
                "{name} breaks {broken:?}, its exceptions are {excepted:?}"
            ));
        }
        // A read that names its namespace leaves the list.
        if is_wide && rules::broken(&statement.named, false).is_empty() {
            wrong.push(format!("{} goes over one namespace only", statement.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

/// The partitions that a plan scans, by table.
fn partitions(plan: &Plan) -> BTreeMap<String, BTreeSet<String>> {
    let mut partitions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for node in plan.nodes() {
        let Some((table, number)) = node.relation().and_then(|name| name.rsplit_once("_p")) else {
            continue;
        };
        if TABLES.contains(&table) {
            partitions
                .entry(table.to_owned())
                .or_default()
                .insert(number.to_owned());
        }
    }
    partitions
}

/// An insert finds its partition by the row.
fn tables_it_reads(statement: &Statement) -> impl Iterator<Item = &'static str> {
    let words: Vec<&str> = statement.text.split_whitespace().collect();
    TABLES.iter().copied().filter(move |table| {
        words
            .windows(2)
            .any(|pair| pair[0] != "into" && pair[1].strip_prefix("workmill.") == Some(table))
    })
}

/// What everybody is told, and how each task ends.
async fn tell(queue: &Queue) -> Result<Vec<String>> {
    let mut tasks = work_on_single_tasks(queue).await?;
    tasks.extend(work_on_a_graph(queue).await?);
    let mut told = events::types(queue).await?;
    for id in tasks {
        let task = queue.task(id).await?;
        let outcomes: Vec<_> = task
            .attempts
            .iter()
            .map(|attempt| (attempt.epoch, attempt.reason))
            .collect();
        told.push(format!(
            "{:?} {} {outcomes:?}",
            task.state, task.attempts_counted
        ));
    }
    Ok(told)
}

/// Scheduled, failed and retried, blocked and answered, lost, cancelled.
async fn work_on_single_tasks(queue: &Queue) -> Result<Vec<TaskId>> {
    let agent = queue.agent("agent").await?;
    let now = queue.store.now().await?;
    let scheduled = NewTask {
        scheduled_for: Some(now + jiff::SignedDuration::from_secs(100)),
        ..task("scheduled")
    };
    let mut tasks = vec![queue.submit_task(&scheduled).await?];
    queue.pass(100);
    assert_eq!(queue.promote().await?, 1);
    let claims = agent.try_claim(1, false).await?.expect("may claim");
    let lease = claims[0].lease;
    agent.start(lease).await?.expect("started");
    agent.heartbeat(lease).await?.expect("alive");
    agent.fail(lease, Reason::Crash).await?.expect("failed");
    queue.pass(600);
    assert_eq!(queue.promote().await?, 1);
    let lease = agent.take_one().await?.lease;
    agent.complete(lease, json!(1)).await?.expect("completed");

    let blocked = queue.submit_task(&task("blocked")).await?;
    tasks.push(blocked);
    let lease = agent.take_one().await?.lease;
    agent.block(lease, None).await?.expect("blocked");
    queue
        .answer(blocked, json!("so"))
        .await?
        .expect("it was asked");
    let again = agent.take_one().await?;
    assert_eq!(again.answers[0].input, json!("so"));
    agent.release(again.lease).await?.expect("released");
    queue.cancel(blocked).await?.expect("cancelled");

    tasks.push(queue.submit_task(&task("lost")).await?);
    let lost = agent.take_one().await?.lease;
    queue.pass(90);
    assert_eq!(queue.reap().await?.len(), 1);
    assert!(agent.heartbeat(lost).await?.is_err());
    Ok(tasks)
}

/// A chain whose second task spawns another one and waits for it.
async fn work_on_a_graph(queue: &Queue) -> Result<Vec<TaskId>> {
    let agent = queue.agent("member").await?;
    let submitted = queue.submit(graph(&[("a", &[]), ("b", &[0])])).await?;
    let mut tasks = submitted.tasks;
    let first = agent.take_one().await?.lease;
    agent.complete(first, json!(1)).await?.expect("completed");
    let second = agent.take_one().await?;
    assert_eq!(second.dependencies[0].output, Some(json!(1).into()));
    let spawned = queue
        .spawn(second.lease, &[draft(&task("c"))], true)
        .await?;
    tasks.extend(spawned.expect("spawned"));
    for _ in 0..2 {
        let lease = agent.take_one().await?.lease;
        agent.complete(lease, json!(2)).await?.expect("completed");
    }
    Ok(tasks)
}
