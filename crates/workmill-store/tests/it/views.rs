//! Debugging is SELECT.

use anyhow::Result;
use jiff::Timestamp;
use serde_json::json;
use workmill_core::dependency::OnDependencyFailure;
use workmill_core::failure::Reason;
use workmill_core::lifecycle::State;
use workmill_core::priority::Priority;
use workmill_core::task::NewTask;
use workmill_store::intake::Submission;
use workmill_store::settlement::dead_letters::Resolution;
use workmill_testkit::factory::{draft, graph, singles, task};

use crate::actors::Queue;

/// F-38 (part)
#[tokio::test]
async fn every_task_is_in_the_view_once_under_its_status() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.submit(singles(&vec![task("single"); 5])).await?;
    let claims = agent.take(4).await?;
    agent
        .complete(claims[0].lease, json!(1))
        .await?
        .expect("completed");
    agent
        .fail(claims[1].lease, Reason::Crash)
        .await?
        .expect("failed");
    agent
        .fail(claims[2].lease, Reason::InvalidInput)
        .await?
        .expect("failed");
    let waiting = queue.submit(graph(&[("a", &[]), ("b", &[0])])).await?;
    queue.cancel(waiting.tasks[0]).await?.expect("cancelled");
    let mut draft = graph(&[("a", &[])]);
    draft.graph.as_mut().expect("a graph").is_draft = true;
    queue.submit(draft).await?;
    let client = queue.test.database.client().await?;
    let rows = client
        .query(
            "select status, count(*) from workmill.tasks group by status order by status",
            &[],
        )
        .await?;
    let counts: Vec<(String, i64)> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
    let expected = [
        ("CANCELLED", 2),
        ("COMPLETED", 1),
        ("CREATED", 1),
        ("DEAD_LETTERED", 1),
        ("READY", 1),
        ("RETRYING", 1),
        ("RUNNING", 1),
    ];
    let expected: Vec<(String, i64)> = expected
        .into_iter()
        .map(|(status, count)| (status.to_owned(), count))
        .collect();
    assert_eq!(counts, expected);
    Ok(())
}

/// F-38 (part)
#[tokio::test]
async fn asking_for_what_runs_reads_only_what_runs() -> Result<()> {
    let queue = Queue::new().await?;
    let client = queue.test.database.client().await?;
    let plan: String = client
        .query(
            "explain select * from workmill.tasks where status = 'RUNNING'",
            &[],
        )
        .await?
        .iter()
        .map(|row| row.get::<_, String>(0) + "\n")
        .collect();
    assert!(plan.contains("lease"), "{plan}");
    for elsewhere in ["ready", "finished", "dead_letter", "blocked", " due"] {
        assert!(!plan.contains(elsewhere), "{elsewhere} in\n{plan}");
    }
    Ok(())
}

/// F-38, T-13 (part): a running task in plain SQL, with who holds it and until when.
#[tokio::test]
async fn a_running_task_is_selected_with_its_lease_and_what_waits_for_it() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let submitted = queue.submit(graph(&[("a", &[]), ("b", &[0])])).await?;
    agent.take_one().await?;
    let client = queue.test.database.client().await?;
    client
        .batch_execute("set search_path = workmill, public")
        .await?;
    let running = client
        .query_one("SELECT * FROM tasks WHERE status = 'RUNNING'", &[])
        .await?;
    assert_eq!(running.get::<_, uuid::Uuid>("id"), submitted.tasks[0].0);
    assert_eq!(running.get::<_, String>("agent_id"), "agent");
    assert_eq!(running.get::<_, String>("title"), "a");
    let (claimed, expires): (jiff::Timestamp, jiff::Timestamp) =
        (running.get("claimed_at"), running.get("lease_expires_at"));
    assert!(expires > claimed);
    assert_eq!(running.get::<_, jiff::Timestamp>("updated_at"), claimed);
    let waits = client.query_one("select * from task_deps", &[]).await?;
    let ids: (uuid::Uuid, uuid::Uuid) = (waits.get("task_id"), waits.get("blocker_id"));
    assert_eq!(ids, (submitted.tasks[1].0, submitted.tasks[0].0));
    assert!(!waits.get::<_, bool>("is_resolved"));
    Ok(())
}

#[tokio::test]
async fn a_failed_task_says_why_and_a_completed_one_when() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.submit(singles(&vec![task("single"); 2])).await?;
    let claims = agent.take(2).await?;
    let done = agent.complete(claims[0].lease, json!(1)).await?;
    done.expect("completed");
    queue.pass(5);
    let failed = agent.fail(claims[1].lease, Reason::Crash).await?;
    failed.expect("failed");
    let client = queue.test.database.client().await?;
    let row = "select completed_at, failure_reason, updated_at > created_at as is_later
        from workmill.tasks where status = $1";
    let completed = client.query_one(row, &[&"COMPLETED"]).await?;
    assert!(completed.get::<_, Option<jiff::Timestamp>>(0).is_some());
    assert_eq!(completed.get::<_, Option<String>>(1), None);
    let retrying = client.query_one(row, &[&"RETRYING"]).await?;
    assert_eq!(
        retrying.get::<_, Option<String>>(1).as_deref(),
        Some("crash")
    );
    assert!(retrying.get::<_, bool>(2));
    Ok(())
}

/// F-38 (part)
#[tokio::test]
async fn tasks_are_sorted_and_filtered_by_every_column() -> Result<()> {
    let queue = Queue::new().await?;
    let of = |title: &str, priority: &str| NewTask {
        priority: priority.parse().expect("a priority"),
        tags: vec!["night".to_owned()],
        ..task(title)
    };
    let tasks = [of("low", "low"), of("high", "high"), of("critical", "0")];
    let submitted = queue.submit(singles(&tasks)).await?;
    let client = queue.test.database.client().await?;
    client
        .batch_execute("set search_path = workmill, public")
        .await?;
    let urgent = "select title from tasks where priority < 30 order by priority";
    let rows = client.query(urgent, &[]).await?;
    let titles: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    assert_eq!(titles, ["critical", "high"]);
    let priority: i64 = client
        .query_one("select priority from tasks where title = 'high'", &[])
        .await?
        .get(0);
    let high: Priority = "high".parse()?;
    assert_eq!(json!(priority), json!(high));
    let all = client.query("select distinct * from tasks", &[]).await?;
    assert_eq!(all.len(), submitted.tasks.len());
    let tagged = "select count(*) from tasks where tags ? 'night'";
    assert_eq!(client.query_one(tagged, &[]).await?.get::<_, i64>(0), 3);
    let spent = "update state set spent_micros = 1234560";
    client.execute(spent, &[]).await?;
    let cost = "select distinct cost_usd::text from tasks";
    let cost: String = client.query_one(cost, &[]).await?.get(0);
    assert_eq!(cost, "1.234560");
    Ok(())
}

/// F-38 (part)
#[tokio::test]
async fn a_task_without_a_lease_is_selected_with_its_last_agent_and_start() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("ann").await?;
    let submitted = queue.submit(singles(&vec![task("t"); 5])).await?;
    let leases: Vec<_> = agent.take(4).await?.iter().map(|one| one.lease).collect();
    queue.pass(5);
    agent.complete(leases[0], json!(1)).await?.expect("done");
    let failed = agent.fail(leases[1], Reason::Crash).await?;
    failed.expect("failed");
    let failed = agent.fail(leases[2], Reason::InvalidInput).await?;
    failed.expect("failed");
    agent.block(leases[3], None).await?.expect("blocked");
    let client = queue.test.database.client().await?;
    let row = "select started_at, agent_id from workmill.tasks where id = $1";
    for id in submitted.tasks {
        let shown = queue.task(id).await?;
        let row = client.query_one(row, &[&id.0]).await?;
        let last = shown.attempts.last();
        assert_eq!(
            (
                row.get::<_, Option<Timestamp>>(0),
                row.get::<_, Option<String>>(1)
            ),
            (shown.started_at(), last.map(|last| last.agent.clone())),
            "{:?}",
            shown.state
        );
        assert_eq!(last.is_some(), shown.state != State::Ready);
    }
    Ok(())
}

/// A task of each rule that waits for the first one.
fn waiting_for_one() -> Submission {
    let mut submission = graph(&[("first", &[])]);
    let on_first = graph(&[("first", &[]), ("waits", &[0])]).tasks.remove(1);
    for rule in OnDependencyFailure::ALL {
        let mut waits = draft(&NewTask {
            on_dependency_failure: Some(rule),
            ..task("waits")
        });
        waits.depends_on.clone_from(&on_first.depends_on);
        submission.tasks.push(waits);
    }
    submission
}

#[tokio::test]
async fn the_dependencies_that_are_not_resolved_are_those_that_a_task_is_blocked_by() -> Result<()>
{
    let queue = Queue::new().await?;
    let agent = queue.agent("ann").await?;
    let client = queue.test.database.client().await?;
    let row = "select t.unresolved_blockers,
            (
                select count(*) filter (where not d.is_resolved)
                from workmill.task_deps d
                where d.task_id = t.id
            )
        from workmill.tasks t where t.id = $1";
    for end in ["waits", "completed", "cancelled", "dead", "revived"] {
        let submitted = queue.submit(waiting_for_one()).await?;
        let first = submitted.tasks[0];
        let lease = match end {
            "waits" | "cancelled" => None,
            _ => Some(agent.take_one().await?.lease),
        };
        if let Some(lease) = lease {
            assert_eq!(lease.task, first);
            let settled = if end == "completed" {
                agent.complete(lease, json!(1)).await?
            } else {
                agent.fail(lease, Reason::InvalidInput).await?
            };
            settled.expect("settled");
        }
        if end == "cancelled" {
            queue.cancel(first).await?.expect("cancelled");
        }
        if end == "revived" {
            let revived = queue.resolve(first, Resolution::Retry).await?;
            assert_eq!(revived, Ok(State::Ready));
        }
        for (rule, id) in OnDependencyFailure::ALL.iter().zip(&submitted.tasks[1..]) {
            let blocked_by = queue.task(*id).await?.blocked_by.len();
            let row = client.query_one(row, &[&id.0]).await?;
            assert_eq!(
                (row.get::<_, i32>(0), row.get::<_, i64>(1)),
                (i32::try_from(blocked_by)?, i64::try_from(blocked_by)?),
                "{rule:?} {end}"
            );
        }
        // No later agent finds what is left of it.
        for id in submitted.tasks {
            let _cancelled = queue.cancel(id).await?;
        }
    }
    Ok(())
}
