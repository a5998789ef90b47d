//! What other servers do while a claim waits here counts when a submission is handed over to it.

use std::sync::Arc;

use anyhow::{Result, bail};
use jiff::{SignedDuration, Timestamp};
use tokio::time::timeout;
use uuid::Uuid;
use workmill_engine::dispatch::{AgentChange, AgentStatus};
use workmill_engine::{Engine, EngineError};
use workmill_store::clock::{Clock, ManualClock};
use workmill_store::test_points::Pause;
use workmill_store::{Store, StoreError};
use workmill_testkit::factory::task;
use workmill_testkit::proxy::Proxy;

use super::{ClaimRequest, LONG, SOON, Scene, request, titles};
use crate::{engine, register};

impl Scene {
    /// An agent waits, and nothing is ready.
    async fn with_one_who_waits() -> Result<(Scene, super::Waiting)> {
        let scene = Scene::new(&["busy", "agent"]).await?;
        assert_eq!(titles(scene.claim("busy", LONG)).await?, ["first"]);
        let waiting = scene.wait("agent", 1).await;
        Ok((scene, waiting))
    }

    /// Behind a proxy, with one connection that has prepared all statements; `another` is free.
    async fn behind_a_door() -> Result<(Scene, Proxy)> {
        let mut scene = Scene::new(&["busy", "agent", "another"]).await?;
        assert_eq!(titles(scene.claim("busy", LONG)).await?, ["first"]);
        let proxy = Proxy::in_front_of(scene.database.url()).await?;
        let engine = Engine::new(Arc::new(Store::new(proxy.url(), 1)?));
        scene.engine = Arc::new(engine.looking_again_after(LONG));
        let waiting = scene.wait("agent", 1).await;
        scene.submit(&task("second")).await?;
        assert_eq!(titles(waiting).await?, ["second"]);
        assert_eq!(scene.handed_over().await?, 1);
        Ok((scene, proxy))
    }

    fn pause_at_commit(&self) -> Pause {
        self.engine.store().test_points.pause_at("commit")
    }

    /// Lets a transaction come as far as its commit, and loses the answer to that.
    async fn lose_a_commit(mut commit: Pause, proxy: &Proxy) {
        let paused = commit.arrival().await;
        drop(commit);
        proxy.lose_a_commit();
        paused.go_on();
    }

    async fn leases_of(&self, agent: &str) -> Result<i64> {
        let leases = format!("select ns from workmill.lease where agent = '{agent}'");
        self.count(&leases).await
    }
}

/// F-22: an agent that another server has sent away is handed nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_was_changed_meanwhile_is_looked_at_again() -> Result<()> {
    let (scene, waiting) = Scene::with_one_who_waits().await?;
    let (other, _) = engine(&scene.database).await?;
    let change = AgentChange {
        status: Some(AgentStatus::Draining),
        ..AgentChange::default()
    };
    other
        .change_agent(&scene.caller, "agent", change, None)
        .await?;
    scene.submit(&task("second")).await?;
    let refused = timeout(SOON, waiting).await??;
    assert!(
        matches!(refused, Err(EngineError::Conflict { .. })),
        "{refused:?}"
    );
    assert_eq!(scene.leases_of("agent").await?, 0);
    assert_eq!(scene.count("table workmill.ready").await?, 1);
    Ok(())
}

/// F-22: a slot that was taken through another server is not there any more.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_was_given_something_elsewhere_has_a_slot_less() -> Result<()> {
    let (scene, waiting) = Scene::with_one_who_waits().await?;
    let (other, _) = engine(&scene.database).await?;
    scene.submit_elsewhere(&task("elsewhere")).await?;
    let elsewhere = other.claim(&scene.caller, &request("agent", LONG)).await?;
    assert_eq!(elsewhere.len(), 1);
    scene.submit(&task("second")).await?;
    assert!(scene.waits_on(&waiting).await);
    assert_eq!(scene.leases_of("agent").await?, 1);
    assert_eq!(scene.count("table workmill.ready").await?, 1);
    scene.engine.stop_waiting();
    assert!(titles(waiting).await?.is_empty());
    Ok(())
}

/// F-22: the same while the other server is still at it: what it has written when it lets go of the
/// agent counts.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_being_given_something_elsewhere_is_waited_for() -> Result<()> {
    let (scene, here) = Scene::with_one_who_waits().await?;
    let (other, _) = engine(&scene.database).await?;
    let (other, caller) = (Arc::new(other), &scene.caller);
    let there = tokio::spawn({
        let (other, caller) = (Arc::clone(&other), caller.clone());
        async move { other.claim(&caller, &request("agent", LONG)).await }
    });
    while other.waiting_claims() < 1 {
        tokio::task::yield_now().await;
    }
    let mut commit = other.store().test_points.pause_at("commit");
    let (elsewhere, second) = ([task("elsewhere")], task("second"));
    let client = scene.database.client().await?;
    let (submitted, released) = tokio::join!(other.submit_tasks(caller, &elsewhere, None), async {
        let paused = commit.arrival().await;
        drop(commit);
        let (submitted, released) = tokio::join!(
            scene.submit(&second),
            timeout(SOON, async {
                let waits = "select from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock'";
                while client.query(waits, &[]).await?.is_empty() {
                    tokio::task::yield_now().await;
                }
                paused.go_on();
                anyhow::Ok(())
            })
        );
        submitted?;
        released?
    });
    submitted?;
    released?;
    assert_eq!(titles(there).await?, ["elsewhere"]);
    assert!(scene.waits_on(&here).await);
    assert_eq!(scene.leases_of("agent").await?, 1, "it has one slot");
    assert_eq!(scene.handed_over().await?, 1);
    assert_eq!(scene.count("table workmill.ready").await?, 1);
    scene.engine.stop_waiting();
    assert!(titles(here).await?.is_empty());
    Ok(())
}

/// F-22: what was submitted elsewhere with the same key is not submitted again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_submitted_elsewhere_is_known() -> Result<()> {
    let (scene, waiting) = Scene::with_one_who_waits().await?;
    let (other, _) = engine(&scene.database).await?;
    let (caller, tasks) = (&scene.caller, [task("second")]);
    register(&other, caller, "another", 1).await?;
    let first = other.submit_tasks(caller, &tasks, Some("key")).await?;
    let elsewhere = other.claim(caller, &request("another", LONG)).await?;
    assert_eq!(elsewhere.len(), 1, "it does not lie there");
    let again = scene.engine.submit_tasks(caller, &tasks, Some("key"));
    let again = again.await?;
    assert!(again.is_repeat);
    assert_eq!(again.tasks, first.tasks);
    let other_tasks = [task("something else")];
    let refused = scene.engine.submit_tasks(caller, &other_tasks, Some("key"));
    assert!(refused.await.is_err());
    assert!(scene.waits_on(&waiting).await);
    assert_eq!(scene.leases_of("agent").await?, 0);
    scene.engine.stop_waiting();
    assert!(titles(waiting).await?.is_empty());
    Ok(())
}

/// F-22: who has asked elsewhere with the same id gets what it was given there, and nothing else.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_has_asked_elsewhere_gets_what_it_was_given_there() -> Result<()> {
    let scene = Scene::new(&["busy"]).await?;
    let caller = &scene.caller;
    assert_eq!(titles(scene.claim("busy", LONG)).await?, ["first"]);
    register(&scene.engine, caller, "agent", 2).await?;
    let asking = ClaimRequest {
        request_id: Some(Uuid::from_u128(7)),
        ..request("agent", LONG)
    };
    let waiting = scene.wait_with(asking.clone(), 1).await;
    let (other, _) = engine(&scene.database).await?;
    scene.submit_elsewhere(&task("elsewhere")).await?;
    assert_eq!(other.claim(caller, &asking).await?.len(), 1);
    scene.submit(&task("second")).await?;
    assert_eq!(titles(waiting).await?, ["elsewhere"]);
    assert_eq!(scene.leases_of("agent").await?, 1);
    assert_eq!(scene.count("table workmill.ready").await?, 1);
    Ok(())
}

/// F-22: where the clock was set back, leases are counted from the beginning before more are given.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_was_set_back_hides_no_lease() -> Result<()> {
    let start: Timestamp = "2026-01-01T00:00:00Z".parse()?;
    let clock = ManualClock::at(start);
    let scene = Scene::timed_by(Clock::Manual(clock.clone()), &["busy", "agent"]).await?;
    assert_eq!(titles(scene.claim("busy", LONG)).await?, ["first"]);
    let waiting = scene.wait("agent", 1).await;
    let more = scene.wait("agent", 2).await;
    clock.advance(SignedDuration::from_millis(-500));
    scene.submit(&task("second")).await?;
    scene.submit(&task("third")).await?;
    assert_eq!(titles(waiting).await?, ["second"]);
    assert!(scene.waits_on(&more).await);
    assert_eq!(scene.leases_of("agent").await?, 1, "it has one slot");
    scene.engine.stop_waiting();
    assert!(titles(more).await?.is_empty());
    Ok(())
}

/// F-22: where the answer to the commit is lost, it is not known whether the commit was made, and it is
/// not made again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_committed_unheard_is_not_repeated() -> Result<()> {
    let (scene, proxy) = Scene::behind_a_door().await?;

    let waiting = scene.wait("another", 1).await;
    let commit = scene.pause_at_commit();
    let third = task("third");
    let submitting = timeout(SOON, scene.submit(&third));
    let (lost, ()) = tokio::join!(submitting, Scene::lose_a_commit(commit, &proxy));
    let lost = lost?;
    let Err(EngineError::Store(error)) = lost else {
        bail!("the answer to the commit was lost: {lost:?}");
    };
    assert!(
        matches!(*error, StoreError::UnknownOutcome { .. }),
        "{error:?}"
    );
    assert_eq!(scene.count("table workmill.spec").await?, 3);
    assert_eq!(scene.handed_over().await?, 2);
    assert!(scene.waits_on(&waiting).await, "its slot is taken");
    scene.engine.stop_waiting();
    assert!(titles(waiting).await?.is_empty());
    Ok(())
}

/// F-22: who shall not wait any longer when it was handed something unheard is not told that there is
/// nothing: it looks once more, and is known by its request.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_handed_over_unheard_is_not_kept_from_who_leaves() -> Result<()> {
    let (scene, proxy) = Scene::behind_a_door().await?;
    let asking = ClaimRequest {
        request_id: Some(Uuid::from_u128(1)),
        ..request("another", LONG)
    };
    let waiting = scene.wait_with(asking, 1).await;
    let mut looked = scene
        .engine
        .store()
        .test_points
        .pause_at("hand_over.locked");
    let third = task("third");
    let (lost, ()) = tokio::join!(scene.submit(&third), async {
        let paused = looked.arrival().await;
        scene.engine.stop_waiting();
        let commit = scene.pause_at_commit();
        paused.go_on();
        Scene::lose_a_commit(commit, &proxy).await;
    });
    assert!(matches!(lost, Err(EngineError::Store(_))), "{lost:?}");
    assert_eq!(titles(waiting).await?, ["third"]);
    Ok(())
}
