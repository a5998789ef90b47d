//! Debugging is SELECT.

use anyhow::Result;
use serde_json::json;
use workmill_core::failure::Reason;
use workmill_testkit::factory::{graph, singles, task};

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
