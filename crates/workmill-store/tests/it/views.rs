//! Debugging is SELECT.

use anyhow::Result;
use serde_json::json;
use workmill_core::failure::Reason;
use workmill_testkit::factory::{graph, singles, task};

use crate::actors::Queue;

/// F-38
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

/// F-38
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
