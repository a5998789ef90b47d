//! The store on tables that are partitioned by namespace: it behaves as on plain ones, and each
//! statement touches one partition of each table.

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

/// Reads that go over many namespaces, by design: the hints of the duties, and the look at the whole
/// queue.
const OVER_ALL_NAMESPACES: &[&str] = &[
    "count_agents",
    "count_queue",
    "count_ready_lanes",
    "count_waiting_tasks",
    "find_agents_at_work",
    "find_daily_spend",
    "find_disagreements",
    "find_lost_leases",
    "find_namespaces_with_due_tasks",
    "find_namespaces_with_gates_in_use",
    "find_namespaces_with_gates_of_graphs",
    "find_namespaces_with_old_events",
    "find_namespaces_with_old_tasks",
    "find_namespaces_with_old_tallies",
    "find_namespaces_with_pending_events",
    "find_oldest_pending_events",
    "find_passed_deadlines",
    "find_restless_agents",
    "find_served_keys",
    "find_watched_gates",
    "read_agenda",
];

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
        if OVER_ALL_NAMESPACES.contains(&statement.name.as_str()) {
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
