//! The look at the whole queue: what it tells, and that it costs the same however much there is.

use std::collections::BTreeMap;

use anyhow::Result;
use tokio_postgres::Client;
use workmill_core::agent::AgentStatus;
use workmill_core::lifecycle::State;
use workmill_store::connect::SESSION_SETTINGS;
use workmill_store::look::queue::{MOST_ROWS, Queue};
use workmill_testkit::database::TestStore;

use crate::statements::read_statement;

const STATEMENTS: &[&str] = &[
    "count_queue",
    "count_agents",
    "find_agents_at_work",
    "find_watched_gates",
    "find_oldest_pending_events",
];

/// Fills every place: of ten tasks six are ready, and one each is gated, due, held and buried.
async fn fill(client: &Client, ns: i64, first: i64, last: i64) -> Result<()> {
    let script = format!(
        "create temporary table numbers as
         select
             {ns}::bigint as ns, i, lpad(to_hex(i), 32, '0')::uuid as task, i % 10 as kind,
             case i % 10 when 7 then 7 when 8 then 4 when 9 then 9 else 2 end as state
         from generate_series({first}::bigint, {last}::bigint) as i;
         insert into workmill.state (
             ns, lane, rank, task, graph, spec_version, epoch, attempts, crashes, unmet, state,
             critical_path, on_dependency_failure, in_graph, has_deadline, freed_runners,
             spent_micros
         )
         select ns, 1, i, task, task, 1, 0, 0, 0, 0, state, 0, 0, false, false, false, 0
         from numbers;
         insert into workmill.spec (ns, task, version, submitted_at, created_by, body, policy)
         select
             ns, task, 1, '2026-01-01', 'cron:' || i, '{{}}',
             '{{\"admission\": {{\"type\": \"x\", \"priority\": 20}}}}'
         from numbers;
         insert into workmill.ready (ns, lane, rank, task)
         select ns, 1, i, task from numbers where kind < 6;
         insert into workmill.gated (ns, gate, lane, rank, task, amount, since)
         select ns, 'limit:type:x', 1, i, task, 1, '2026-01-01' from numbers where kind = 6;
         insert into workmill.due (ns, at, task)
         select ns, '2027-01-01', task from numbers where kind = 7;
         insert into workmill.lease (
             ns, task, epoch, resumed, agent, claimed_at, started_at, renewed_at, ttl_ms, lease_ms,
             has_holds
         )
         select
             ns, task, 1, 0, 'agent ' || i - 8, '2026-01-01', '2026-01-01', '2026-01-01', 90000,
             90000, false
         from numbers where kind = 8;
         insert into workmill.dead_letter (ns, task, at, cause, reason, fingerprint, is_reviewed)
         select ns, task, '2026-01-01', 'used_up', 'crash', 1, false from numbers where kind = 9;
         insert into workmill.event_pending (ns, written_at, batch)
         select ns, '2026-01-01'::timestamptz + i * interval '1 second', task from numbers;
         insert into workmill.gate (
             ns, gate, cap, used, spent, has_waiters, is_nearly_used_up, is_used_up, is_removed,
             set_by, set_at
         )
         select
             ns, 'budget:agent:' || i, 10, 1, 0, false, false, false, false, '', '2026-01-01'
         from numbers where kind = 0;
         insert into workmill.agent (
             ns, agent, type, capabilities, models, slots, status, poll_interval_ms, key,
             registered_at, seen_at
         )
         select
             ns, 'agent ' || i, '', '{{}}', '{{}}', 10, 'active', 5000, task, '2026-01-01',
             '2026-01-01'
         from numbers where kind = 0;
         drop table numbers"
    );
    Ok(client.batch_execute(&script).await?)
}

/// Rows that each statement looks at, as it is carried out now.
async fn touched(client: &Client, ns: i64) -> Result<BTreeMap<&'static str, f64>> {
    client.batch_execute(SESSION_SETTINGS).await?;
    let mut touched = BTreeMap::new();
    for name in STATEMENTS {
        let statement = read_statement("look/queue", name)?;
        let mut values = vec![format!("array[{ns}]::bigint[]")];
        if statement.text.contains("$2") {
            values.insert(0, MOST_ROWS.to_string());
        }
        let plan = statement.analyze(client, &values).await?;
        let scans = plan.nodes().into_iter().filter(|node| {
            assert_ne!(node.node(), "Seq Scan", "{name}: {plan}");
            // Each namespace has one anchor.
            node.relation().is_some_and(|relation| relation != "anchor")
        });
        touched.insert(*name, scans.map(|node| node.touched()).sum());
    }
    Ok(touched)
}

fn counted(queue: &Queue, state: State) -> i64 {
    let places = queue.places.iter().filter(|place| place.state == state);
    places.map(|place| place.tasks).sum()
}

/// F-36 (part): a scrape costs the same however much there is.
#[tokio::test]
async fn a_look_at_two_hundred_thousand_tasks_touches_no_more_rows_than_one_at_sixty_thousand()
-> Result<()> {
    let test = TestStore::new().await?;
    let client = test.database.client().await?;
    fill(&client, test.ns.0, 1, 1_000).await?;
    let queue = test.store.look_at_queue().await?;
    assert!(queue.is_whole);
    assert_eq!(counted(&queue, State::Ready), 700, "gated ones included");
    assert_eq!(counted(&queue, State::Running), 100);
    assert_eq!(counted(&queue, State::DeadLettered), 100);
    assert_eq!(queue.agents[&AgentStatus::Active].agents, 100);

    fill(&client, test.ns.0, 1_001, 60_000).await?;
    client.batch_execute("analyze").await?;
    let before = touched(&client, test.ns.0).await?;
    fill(&client, test.ns.0, 60_001, 200_000).await?;
    client.batch_execute("analyze").await?;
    assert_eq!(touched(&client, test.ns.0).await?, before);
    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    let most = MOST_ROWS as f64;
    // Six places, and for each task its state and its description.
    assert!(before["count_queue"] <= 3.0 * 6.0 * most, "{before:?}");
    assert!(before["find_watched_gates"] <= most, "{before:?}");
    assert!(before["find_oldest_pending_events"] <= 1.0, "{before:?}");

    let queue = test.store.look_at_queue().await?;
    assert!(!queue.is_whole);
    let most = i64::try_from(MOST_ROWS)?;
    assert_eq!(counted(&queue, State::Ready), 2 * most, "of two places");
    Ok(())
}
