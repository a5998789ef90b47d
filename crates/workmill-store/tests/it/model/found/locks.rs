//! Locks and the clock, in the order in which they must be.

use std::sync::Arc;

use anyhow::Result;
use jiff::Timestamp;
use tokio_postgres::{Client, Transaction};
use workmill_store::Store;
use workmill_store::clock::Clock;
use workmill_store::dispatch::claim::{Claim, ClaimRequest};
use workmill_store::execution::Start;
use workmill_store::settlement::Settle;
use workmill_testkit::factory::graph;

use super::ask;
use crate::actors::{KEY, Queue};
use crate::model::arena::completion;

/// A connection prepares each statement once. Statements that are sent together must not
/// overtake one that this connection has to prepare first.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_graph_is_locked_before_its_tasks_whatever_the_connection_has_prepared() -> Result<()> {
    let queue = Queue::new().await?;
    queue.agent("agent").await?;
    let submitted = queue.submit(graph(&[("a", &[])])).await?;
    let url = queue.test.database.url();
    let store = Store::with_clock(url, 1, Clock::Manual(queue.test.clock.clone()))?;
    let request = ClaimRequest {
        start: false,
        ..ask("agent", KEY, None)
    };
    let operation = Claim {
        ns: queue.ns,
        requests: &[request],
    };
    let mut claimed = store.run(&operation).await?.0.remove(0).expect("admitted");
    let lease = claimed.pop().expect("claimed").lease;
    let operation = Start {
        ns: queue.ns,
        leases: &[(KEY, lease)],
    };
    store.run(&operation).await?.0.remove(0).expect("started");

    let mut client = queue.test.database.client().await?;
    let watcher = queue.test.database.client().await?;
    let holding = client.transaction().await?;
    let graph = submitted.graph.expect("a graph");
    let lock_graph = "select 1 from workmill.graph where graph = $1 for update";
    holding.query_one(lock_graph, &[&graph.0]).await?;
    let ns = queue.ns;
    let completing = tokio::spawn(async move {
        let one = completion(lease);
        let operation = Settle {
            ns,
            settlements: &[one],
        };
        store.run(&operation).await
    });
    wait_for_a_waiter(&watcher).await?;
    let lock_task = "select 1 from workmill.state where task = $1 for update nowait";
    let is_free = holding.query_one(lock_task, &[&lease.task.0]).await.is_ok();
    holding.commit().await.ok();
    completing.await??.0.remove(0).expect("completed");
    assert!(is_free, "the task was locked before its graph");
    Ok(())
}

async fn wait_for_a_waiter(client: &Client) -> Result<()> {
    let waiting = "select count(*) from pg_stat_activity
                   where datname = current_database() and wait_event_type = 'Lock'";
    while client.query_one(waiting, &[]).await?.get::<_, i64>(0) == 0 {
        tokio::task::yield_now().await;
    }
    Ok(())
}

/// Whoever waits for a lock must not act on the time at which it began to wait.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_clock_is_read_after_the_locks_are_held() -> Result<()> {
    let queue = Queue::new().await?;
    queue.agent("agent").await?;
    let store = Arc::new(Store::new(queue.test.database.url(), 1)?);
    queue.submit(graph(&[("a", &[]), ("b", &[])])).await?;
    let claim = {
        let (store, ns) = (Arc::clone(&store), queue.ns);
        move || {
            let store = Arc::clone(&store);
            async move {
                let requests = [ask("agent", KEY, None)];
                let operation = Claim {
                    ns,
                    requests: &requests,
                };
                store.run(&operation).await
            }
        }
    };
    let mut claimed = claim().await?.0.remove(0).expect("admitted");
    let lease = claimed.pop().expect("claimed").lease;
    let mut client = queue.test.database.client().await?;
    let watcher = queue.test.database.client().await?;

    let holding = client.transaction().await?;
    let agents = "select 1 from workmill.agent for update";
    holding.query_one(agents, &[]).await?;
    let claiming = tokio::spawn(claim());
    wait_for_a_waiter(&watcher).await?;
    let released = let_go(holding).await?;
    claiming.await??.0.remove(0).expect("admitted");
    let claimed_at = "select max(claimed_at) from workmill.lease";
    let claimed_at: Timestamp = watcher.query_one(claimed_at, &[]).await?.get(0);
    assert!(claimed_at >= released, "{claimed_at} < {released}");

    let holding = client.transaction().await?;
    let graphs = "select 1 from workmill.graph for update";
    holding.query_one(graphs, &[]).await?;
    let ns = queue.ns;
    let completing = tokio::spawn(async move {
        let one = completion(lease);
        let operation = Settle {
            ns,
            settlements: &[one],
        };
        store.run(&operation).await
    });
    wait_for_a_waiter(&watcher).await?;
    let released = let_go(holding).await?;
    completing.await??.0.remove(0).expect("completed");
    let ended_at = "select ended_at from workmill.attempt";
    let ended_at: Timestamp = watcher.query_one(ended_at, &[]).await?.get(0);
    assert!(ended_at >= released, "{ended_at} < {released}");
    Ok(())
}

/// The last moment at which the locks were surely held by this transaction.
async fn let_go(holding: Transaction<'_>) -> Result<Timestamp> {
    let now = holding
        .query_one("select clock_timestamp()", &[])
        .await?
        .get(0);
    holding.commit().await?;
    Ok(now)
}
