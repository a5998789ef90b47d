//! How PostgreSQL answers the statements of the hot path on a connection of the store: from indexes,
//! with all that the statement names of a key, in an empty queue, with ten tasks, with ten thousand
//! and with a million, with and without statistics, whether or not the plan knows the parameters.
//!
//! A plan that was made for the empty queue is still followed when it has filled.

use anyhow::Result;
use tokio_postgres::Client;
use workmill_store::connect::SESSION_SETTINGS;
use workmill_testkit::database::TestDatabase;

use crate::statements::{Plan, PlanKind, read_statement};

const HOT: &[(&str, &str)] = &[
    // Claim
    ("dispatch/claim", "pick_ready"),
    ("dispatch/claim", "claim_states"),
    ("dispatch/claim", "lock_agents"),
    ("dispatch/claim", "count_leases"),
    ("dispatch/claim", "find_lanes_with_excluded_tasks"),
    ("dispatch/lanes", "find_ready_lanes"),
    ("dispatch/lanes", "count_ready_lanes"),
    ("dispatch/lanes", "find_gated_lanes"),
    ("dispatch/lanes", "find_lanes"),
    ("task/locked_rows", "find_specs"),
    // Settle
    ("task/locked_rows", "lock_graphs_of_tasks"),
    ("task/locked_rows", "lock_states"),
    ("task/locked_rows", "lock_leases"),
    ("task/locked_rows", "find_dependents"),
    ("task/locked_rows", "find_spec_versions"),
    ("task/locked_rows", "find_attempts"),
    ("task/locked_rows", "find_details"),
    ("upkeep/consistency", "find_disagreements"),
    ("settlement/settle", "delete_leases"),
    ("task/write_back", "update_states"),
    ("task/write_back", "delete_ready"),
    ("task/write_back", "delete_due"),
    // Reap
    ("upkeep/due", "find_lost_leases"),
    ("upkeep/agenda", "read_agenda"),
    // Keep deadlines
    ("upkeep/deadlines", "find_passed_deadlines"),
    ("upkeep/deadlines", "find_passed_deadlines_among"),
    ("upkeep/deadlines", "find_namespaces_with_pressing_tasks"),
    ("upkeep/deadlines", "find_pressing_tasks"),
    ("task/write_back", "delete_deadlines"),
    // Promote
    ("upkeep/due", "find_namespaces_with_due_tasks"),
    ("upkeep/due", "find_due_tasks"),
    ("upkeep/due", "lock_due_states"),
    // Start and heartbeat
    ("execution/attempt", "start_leases"),
    ("execution/attempt", "lock_named_leases"),
    ("execution/attempt", "renew_leases"),
    ("execution/attempt", "find_reported"),
    ("execution/attempt", "update_reported"),
    // Order events
    ("events/sequence", "find_namespaces_with_pending_events"),
    // Decide about dead letters
    ("look/dead_letters", "find_end_of_look"),
    ("look/dead_letters", "find_dead_letters"),
    ("look/dead_letters", "find_end_of_resolved"),
    ("look/dead_letters", "find_resolved"),
    ("intake/submit", "insert_spec_versions"),
    // Gates
    ("gates/gates", "find_gates_version"),
    ("gates/gates", "find_gates"),
    ("gates/gates", "find_gates_of_holds"),
    ("gates/gates", "find_holds"),
    ("gates/gates", "delete_holds"),
    ("gates/gates", "find_held_locks"),
    ("gates/gates", "find_held_paths"),
    ("gates/gates", "delete_held_locks"),
    ("gates/gates", "insert_gated"),
    ("gates/gates", "lock_waiters"),
    ("gates/gates", "return_to_ready"),
    ("gates/gates", "delete_gated"),
    ("gates/gates", "delete_gated_tasks"),
    ("gates/gates", "find_gates_with_waiters"),
    // Remove what is old
    ("upkeep/retention", "find_finished"),
    ("upkeep/retention", "delete_finished_at"),
    ("upkeep/retention", "delete_task_keys"),
    ("upkeep/retention", "delete_edges"),
    ("upkeep/retention", "delete_states"),
    ("upkeep/retention", "delete_specs"),
    ("upkeep/retention", "delete_attempts"),
    ("upkeep/retention", "delete_results"),
    ("upkeep/retention", "delete_late_results"),
    ("upkeep/retention", "delete_answers"),
    ("upkeep/retention", "delete_resolutions"),
    ("upkeep/retention", "delete_checkpoints"),
    ("upkeep/retention", "delete_graphs"),
    ("events/old", "delete_old_events"),
    ("experience/tally", "find_namespaces_with_old_tallies"),
    ("experience/tally", "delete_old_tallies"),
    // Act on many tasks
    ("look/bulk", "find_stretch_of_everything"),
    ("look/bulk", "find_stretch_of_graph"),
    ("look/bulk", "find_stretch_of_ready"),
    ("look/bulk", "find_stretch_of_due"),
    ("look/bulk", "find_stretch_of_leases"),
    ("look/bulk", "find_stretch_of_dead_letters"),
    ("look/bulk", "find_stretch_of_finished"),
    ("look/bulk", "describe_tasks"),
    // List the newest first
    ("look/bulk", "find_newest_of_everything"),
    ("look/bulk", "find_newest_of_graph"),
    ("look/bulk", "find_newest_of_project"),
    ("look/bulk", "find_newest_of_leases"),
    ("look/bulk", "find_newest_of_dead_letters"),
    ("look/bulk", "find_last_finished"),
    ("look/graphs", "find_newest_graphs"),
    ("look/graphs", "find_newest_graphs_of_project"),
    ("look/graphs", "find_newest_open_graphs"),
    ("intake/submit", "find_task_keys"),
    // The inbox
    ("intake/inbox", "find_inboxes"),
    ("intake/inbox", "find_letters"),
    ("intake/inbox", "lock_letters"),
    ("intake/inbox", "write_outcomes"),
    ("intake/inbox", "find_old_inboxes"),
    ("intake/inbox", "delete_old_letters"),
    // Projects
    ("look/bulk", "find_stretch_of_project"),
    ("intake/projects", "find_known_projects"),
    ("intake/projects", "count_tasks_of_project"),
    // Count
    ("look/stats", "count_places"),
    ("look/queue", "count_queue"),
    ("look/graphs", "count_waiting_tasks"),
    ("look/queue", "count_agents"),
    ("look/queue", "find_agents_at_work"),
    ("look/queue", "find_daily_spend"),
    ("look/queue", "find_watched_gates"),
    ("look/queue", "find_oldest_pending_events"),
    // Count by type
    ("experience/record", "find_types"),
    // Explain
    ("look/explain", "find_explained_task"),
    ("look/explain", "find_explained_dependencies"),
    ("look/explain", "find_explained_gate"),
    ("look/explain", "find_explained_lease"),
    ("look/explain", "find_last_attempt"),
    ("look/explain", "find_explained_attempts"),
    ("look/explain", "find_tallies"),
    ("look/explain", "find_explained_dead_letter"),
    ("look/explain", "find_locks_in_the_way"),
    ("look/explain", "count_taken_slots"),
    ("look/explain", "count_ahead"),
    ("look/explain", "find_ahead"),
    ("look/explain", "find_recent_attempts"),
    ("look/explain", "find_candidates"),
];

/// Never read from end to end by a hot statement.
const GROWING: &[&str] = &[
    "state",
    "ready",
    "spec",
    "lease",
    "edge",
    "deadline",
    "attempt",
    "revival",
    "due",
    "graph",
    "dead_letter",
    "event_pending",
    "gated",
    "hold",
    "held_lock",
    "finished",
    "result",
    "attempt_tally",
    "inbox",
];

/// Tables with two indexes that begin with `ns`: the column that has to lead on from there.
const SECOND_COLUMNS: &[(&str, &str)] = &[
    ("lease_pkey", "task"),
    ("lease_by_agent", "agent"),
    ("edge_pkey", "(task"),
    ("edge_by_dependency", "depends_on"),
    ("deadline_pkey", "presses_at"),
    ("deadline_by_task", "task"),
    ("gated_pkey", "gate"),
    ("gated_by_task", "task"),
];

/// So many rows of a lane may be sorted.
const A_HANDFUL: f64 = 10.0;

#[tokio::test]
async fn hot_statements_use_indexes_from_ten_to_a_million_ready_tasks() -> Result<()> {
    let database = TestDatabase::new().await?;
    let client = database.client().await?;
    client.batch_execute(SESSION_SETTINGS).await?;
    let mut wrong = Vec::new();
    wrong.extend(look("no task", &client).await?);
    client.batch_execute("vacuum analyze").await?;
    wrong.extend(look("no task, analyzed", &client).await?);
    fill(&client, 1, 10).await?;
    wrong.extend(look("ten tasks", &client).await?);
    client.batch_execute("vacuum analyze").await?;
    wrong.extend(look("ten tasks, analyzed", &client).await?);
    fill(&client, 11, 10_000).await?;
    client.batch_execute("analyze").await?;
    wrong.extend(look("ten thousand tasks", &client).await?);
    fill(&client, 10_001, 1_000_000).await?;
    client.batch_execute("analyze").await?;
    wrong.extend(look("a million tasks", &client).await?);
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    crate::explain::speed::measure(&database, &client).await?;
    Ok(())
}

/// The reaper's look at everything that runs.
#[tokio::test]
async fn lost_leases_are_found_in_the_leases_alone() -> Result<()> {
    let database = TestDatabase::new().await?;
    let statement = read_statement("upkeep/due", "find_lost_leases")?;
    let client = database.client().await?;
    let plan = statement.explain(&client, PlanKind::Generic, 1).await?;
    for node in plan.nodes() {
        assert!(matches!(node.relation(), None | Some("lease")), "{plan}");
    }
    Ok(())
}

/// Rows for the tasks of the table `numbers`.
const ROWS: &str = "
    insert into workmill.state (
        ns, lane, rank, task, graph, spec_version, epoch, attempts, crashes, unmet, state,
        critical_path, on_dependency_failure, in_graph, has_deadline, freed_runners,
        spent_micros
    )
    select
        1, n.lane, n.rank, n.task, n.task, 1, 0, 0, 0, 0, 2, 0, 0, n.i % 2 = 0, false, false,
        0
    from numbers n;
    insert into workmill.ready (ns, lane, rank, task)
    select 1, n.lane, n.rank, n.task from numbers n;
    insert into workmill.spec (ns, task, version, submitted_at, created_by, body, policy)
    select 1, n.task, 1, '2026-01-01', '', '{}', '{}' from numbers n;
    insert into workmill.agent (
        ns, agent, type, capabilities, models, slots, status, poll_interval_ms, key,
        registered_at, seen_at
    )
    select
        1, 'agent ' || n.i, '', '{}', '{}', 100, 'active', 5000, n.task, '2026-01-01',
        '2026-01-01'
    from numbers n where n.i % 10000 = 5;
    insert into workmill.lease (
        ns, task, epoch, resumed, agent, claimed_at, started_at, renewed_at, ttl_ms, lease_ms,
        has_holds
    )
    select
        1, n.task, 1, 0, 'agent ' || n.i % 100 * 10000 + 5, '2026-01-01', '2026-01-01',
        '2026-01-01', 90000, 90000, false
    from numbers n where n.i % 10 = 5;
    insert into workmill.gated (ns, gate, lane, rank, task, amount, since)
    select 1, 'limit:type:' || n.i % 70, n.lane, n.rank, n.task, 1, '2026-01-01'
    from numbers n where n.i % 10 = 5;
    insert into workmill.hold (ns, task, epoch, gates, amounts)
    select 1, n.task, 1, '{limit:namespace}', '{1}' from numbers n where n.i % 10 = 5;
    insert into workmill.held_lock (ns, root, task, path, is_shared, agent)
    select 1, 'root' || n.i % 50, n.task, 'root/' || n.i, false, 'agent'
    from numbers n where n.i % 10 = 5;
    insert into workmill.due (ns, at, task)
    select 1, '2026-12-31'::timestamptz + n.i * interval '1 second', n.task
    from numbers n where n.i % 10 = 5;
    insert into workmill.deadline (ns, presses_at, task, at, submitted_at, estimate_ms, base, boost)
    select
        1, '2026-12-31'::timestamptz + n.i * interval '1 second', n.task, '2026-12-31', '2026-01-01',
        0, 0, ''
    from numbers n where n.i % 10 = 5;
    insert into workmill.edge (ns, task, depends_on)
    select 1, n.task, p.task
    from numbers n join numbers p on p.i = n.i + 1 where n.i % 10 = 5;
    insert into workmill.attempt (
        ns, task, epoch, resumed, agent, outcome, claimed_at, ended_at, cost_micros
    )
    select 1, n.task, 0, 0, '', 'failed', '2026-01-01', '2026-01-01', 0
    from numbers n where n.i % 10 = 5;
    insert into workmill.attempt_tally (ns, hour, agent, model, completed, failed)
    select 1, '2026-01-01'::timestamptz + n.i * interval '1 hour', 'agent', 'model', 1, 1
    from numbers n where n.i % 10 = 5;
    insert into workmill.revival (ns, task, epoch)
    select 1, n.task, 1 from numbers n where n.i % 10 = 5;
    insert into workmill.graph (
        ns, graph, title, created_by, created_at, is_draft, is_draining, status, tasks,
        completed, cancelled, stale, dead, moving
    )
    select
        1, n.task, '', '', '2026-01-01', false, false,
        case n.i % 1000 when 5 then 'running' else 'completed' end, 1, 0, 0, 0, 0, 1
    from numbers n where n.i % 10 = 5;
    insert into workmill.event_pending (ns, written_at, batch)
    select 1, '2026-01-01'::timestamptz + n.i * interval '1 second', n.task
    from numbers n where n.i % 10 = 5;
    insert into workmill.dead_letter (ns, task, at, cause, reason, fingerprint, is_reviewed)
    select 1, n.task, '2026-01-01', 'used_up', 'crash', n.i % 100, false
    from numbers n where n.i % 10 = 5;
    insert into workmill.resolution (ns, task, dead_at, epoch, at, cause, reason, fingerprint,
        is_reviewed, resolution, resolved_by)
    select
        1, n.task, '2026-01-01', 1, '2026-01-01'::timestamptz + n.i * interval '1 second',
        'used_up', 'crash', n.i % 100, false, 'retry', 'admin'
    from numbers n where n.i % 10 = 5;
";

/// Ready tasks with these numbers, in four lanes of which one holds most, ranked in another order
/// than they came in; to each ten of them a lease, a due task, an edge, an attempt, a revival, a
/// graph, a batch of events and a dead letter.
async fn fill(client: &Client, first: i64, last: i64) -> Result<()> {
    const TABLES: &[&str] = &["state", "ready", "spec"];
    if first == 1 {
        // Nothing is read back after a crash.
        for table in TABLES {
            let unlogged = format!("alter table workmill.{table} set unlogged");
            client.batch_execute(&unlogged).await?;
        }
        client
            .batch_execute("insert into workmill.anchor values (1)")
            .await?;
    }
    let numbers = format!(
        "select i, lpad(to_hex(i), 32, '0')::uuid as task,
             case when i % 10 < 7 then 0 else i % 10 - 6 end as lane,
             abs(hashint8(i)::bigint) as rank
         from generate_series({first}::bigint, {last}::bigint) as i"
    );
    client
        .batch_execute(&format!("create temporary table numbers as {numbers}"))
        .await?;
    client.batch_execute(ROWS).await?;
    client.batch_execute("drop table numbers").await?;
    Ok(())
}

async fn look(at: &str, client: &Client) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    for (file, name) in HOT {
        let statement = read_statement(file, name)?;
        for kind in [PlanKind::Custom, PlanKind::Generic] {
            let plan = statement.explain(client, kind, 1).await?;
            for objection in objections(name, kind, &plan) {
                wrong.push(format!("{name} at {at}, {kind:?}: {objection}\n{plan}"));
            }
        }
    }
    Ok(wrong)
}

fn objections(statement: &str, kind: PlanKind, plan: &Plan) -> Vec<String> {
    let mut objections = Vec::new();
    for node in plan.nodes() {
        let relation = node.relation().unwrap_or("");
        let reaps = matches!(statement, "find_lost_leases" | "read_agenda");
        let is_the_reaper = reaps && relation == "lease";
        let looks_at_a_head = matches!(
            statement,
            "find_namespaces_with_pending_events"
                | "find_namespaces_with_old_tallies"
                | "find_recent_attempts"
                | "count_places"
                | "count_queue"
                | "find_inboxes"
                | "find_old_inboxes"
                | "find_letters"
                | "find_oldest_pending_events"
                | "find_ready_lanes"
                | "count_ready_lanes"
        );
        let is_head_of_agenda =
            statement == "read_agenda" && matches!(relation, "event_pending" | "ready");
        let looks_at_a_head = looks_at_a_head || is_head_of_agenda;
        let condition = node.index_condition();
        // The key of the inbox is the id alone.
        let leads_further = match second_column(&node) {
            Some(column) => condition.contains(column),
            None => condition.contains(" AND ") || node.index() == Some("inbox_pkey"),
        };
        match node.node() {
            "Index Scan" | "Index Only Scan" if GROWING.contains(&relation) => {
                // A plan for the values at hand may read a small namespace: nobody keeps it.
                let is_kept = matches!(kind, PlanKind::Generic);
                if is_kept && !leads_further && !is_the_reaper && !looks_at_a_head {
                    objections.push(format!("it reads all of a namespace in {relation}"));
                }
            }
            "Seq Scan" if GROWING.contains(&relation) && !is_the_reaper => {
                objections.push(format!("it reads all of {relation}"));
            }
            "Bitmap Heap Scan" if relation == "ready" && node.rows() > A_HANDFUL => {
                objections.push("it does not read ready in its order".to_owned());
            }
            "Sort" if sorts_a_lane(&node) && node.rows() > A_HANDFUL => {
                objections.push("it sorts a lane".to_owned());
            }
            _ => {}
        }
        match node.index() {
            Some(index) if relation == "ready" && index != "ready_pkey" => {
                objections.push(format!("it reaches ready through {index}"));
            }
            Some("state_by_project")
                if matches!(
                    statement,
                    "find_stretch_of_project" | "find_newest_of_project" | "count_tasks_of_project"
                ) => {}
            Some("state_by_graph")
                if matches!(statement, "find_stretch_of_graph" | "find_newest_of_graph") => {}
            Some(index) if relation == "state" && index != "state_pkey" => {
                objections.push(format!("it reaches state through {index}"));
            }
            Some(index)
                if matches!(statement, "find_newest_open_graphs" | "count_waiting_tasks")
                    && relation == "graph"
                    && index != "graph_open" =>
            {
                objections.push(format!("it reaches open graphs through {index}"));
            }
            Some(index) if statement == "find_newest_graphs" && index != "graph_pkey" => {
                objections.push(format!("it reaches graphs by age through {index}"));
            }
            _ => {}
        }
    }
    objections
}

fn second_column(node: &Plan) -> Option<&'static str> {
    let known = SECOND_COLUMNS
        .iter()
        .find(|(index, _)| node.index() == Some(index));
    known.map(|(_, column)| *column)
}

/// Whether what is sorted comes from a lane without a limit in between.
fn sorts_a_lane(node: &Plan) -> bool {
    node.below().iter().any(|plan| {
        plan.node() != "Limit" && (plan.relation() == Some("ready") || sorts_a_lane(plan))
    })
}
