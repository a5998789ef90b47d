//! Who waits for work is woken, by this server or by another one.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use tokio::time::timeout;
use workmill_core::policy::Strategy;
use workmill_core::task::{NewTask, RetryOverrides};
use workmill_engine::Engine;
use workmill_engine::dispatch::{ClaimRequest, Claimed};
use workmill_engine::supervise::Supervisor;
use workmill_testkit::database::TestDatabase;
use workmill_testkit::factory::task;

use crate::{engine, register};

const LONG: Duration = Duration::from_secs(40);
/// Far shorter than the time after which the lanes are looked over.
const SOON: Duration = Duration::from_secs(20);

fn waiting() -> ClaimRequest {
    ClaimRequest {
        agent: "agent".to_owned(),
        most: 1,
        start: true,
        wait: LONG,
        request_id: None,
        selection: workmill_core::lane::Selection::default(),
        lease: None,
    }
}

/// One server waits, another one submits. `helped`: the other one sends hints.
async fn wait_on_one_submit_on_the_other(
    look_again: Duration,
    helped: bool,
) -> Result<Vec<Claimed>> {
    let database = TestDatabase::new().await?;
    let (one, caller) = engine(&database).await?;
    let (other, _) = engine(&database).await?;
    let one: Arc<Engine> = Arc::new(one.looking_again_after(look_again));
    let other = Arc::new(other);
    register(&one, &caller, "agent", 1).await?;
    let mut supervisors = vec![Supervisor::start(Arc::clone(&one))];
    if helped {
        supervisors.push(Supervisor::start(Arc::clone(&other)));
    }
    let claim = tokio::spawn({
        let (one, caller) = (Arc::clone(&one), caller.clone());
        async move { one.claim(&caller, &waiting()).await }
    });
    if helped {
        // A hint counts only once somebody listens.
        let client = database.client().await?;
        while client
            .query_one(
                "select count(*) from pg_stat_activity where query = 'listen workmill' and datname = current_database()",
                &[],
            )
            .await?
            .get::<_, i64>(0)
            < 2
        {
            tokio::task::yield_now().await;
        }
    }
    other
        .submit_tasks(&caller, &[task("awaited")], None)
        .await?;
    let claimed = timeout(SOON, claim).await???;
    for supervisor in supervisors {
        supervisor.stop().await;
    }
    Ok(claimed)
}

/// F-22
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hint_from_another_server_wakes_who_waits() -> Result<()> {
    assert_eq!(wait_on_one_submit_on_the_other(LONG, true).await?.len(), 1);
    Ok(())
}

/// F-22: promise 7, notifications are hints.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_any_hint_who_waits_gets_what_lies_in_the_lanes() -> Result<()> {
    assert_eq!(
        wait_on_one_submit_on_the_other(Duration::from_millis(200), false)
            .await?
            .len(),
        1
    );
    Ok(())
}

/// T-4: waiting is asked for; who does not ask is told at once that there is nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_does_not_want_to_wait_is_told_at_once_that_there_is_nothing() -> Result<()> {
    let database = TestDatabase::new().await?;
    let (engine, caller) = engine(&database).await?;
    let engine = engine.looking_again_after(LONG);
    register(&engine, &caller, "agent", 1).await?;
    let at_once = ClaimRequest {
        wait: Duration::ZERO,
        ..waiting()
    };
    let nothing = timeout(SOON, engine.claim(&caller, &at_once)).await??;
    assert!(nothing.is_empty());
    engine.submit_tasks(&caller, &[task("held")], None).await?;
    assert_eq!(engine.claim(&caller, &at_once).await?.len(), 1);
    let nothing = timeout(SOON, engine.claim(&caller, &at_once)).await??;
    assert!(nothing.is_empty(), "what is leased is not there to claim");
    Ok(())
}

/// F-21 F-25 T-6: nobody has to ask for it. The duties notice by themselves, within five seconds.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_retry_and_a_lease_that_ran_out_come_back_by_themselves() -> Result<()> {
    let database = TestDatabase::new().await?;
    let (engine, caller) = engine(&database).await?;
    let engine = Arc::new(engine.looking_again_after(LONG));
    for name in ["agent", "lost"] {
        register(&engine, &caller, name, 1).await?;
    }
    let supervisor = Supervisor::start(Arc::clone(&engine));
    let short = NewTask {
        lease_sec: Some(0.5),
        retry: RetryOverrides {
            strategy: Some(Strategy::Fixed),
            initial_delay_sec: Some(0.5),
            jitter: Some(false),
            ..RetryOverrides::default()
        },
        ..task("short")
    };
    engine.submit_tasks(&caller, &[short], None).await?;
    let lost = ClaimRequest {
        agent: "lost".to_owned(),
        ..waiting()
    };
    let abandoned = engine.claim(&caller, &lost).await?.remove(0);
    let began = Instant::now();
    // Half a second until the lease runs out, half a second until the retry is due.
    let again = timeout(SOON, engine.claim(&caller, &waiting())).await??;
    let took = began.elapsed();
    assert_eq!(again[0].lease.task, abandoned.lease.task);
    assert_eq!(again[0].attempt, 2);
    assert!(took >= Duration::from_secs(1), "{took:?}");
    assert!(took < Duration::from_secs(1 + 2 * 5), "{took:?}");
    supervisor.stop().await;
    Ok(())
}
