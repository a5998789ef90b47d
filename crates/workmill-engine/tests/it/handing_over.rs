//! Who waits is handed what comes in by the transaction that takes it in.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use workmill_core::task::NewTask;
use workmill_engine::dispatch::{ClaimRequest, Claimed};
use workmill_engine::{Caller, Engine, EngineError};
use workmill_testkit::database::TestDatabase;
use workmill_testkit::factory::task;

use crate::{engine, register};

const LONG: Duration = Duration::from_secs(40);
/// Far shorter than the time after which the lanes are looked over.
const SOON: Duration = Duration::from_secs(20);

struct Scene {
    database: TestDatabase,
    engine: Arc<Engine>,
    caller: Caller,
}

type Waiting = JoinHandle<Result<Vec<Claimed>, EngineError>>;

impl Scene {
    /// Agents with a slot each, and a lane that is known.
    async fn new(agents: &[&str]) -> Result<Scene> {
        let database = TestDatabase::new().await?;
        let (engine, caller) = engine(&database).await?;
        let engine = Arc::new(engine.looking_again_after(LONG));
        for agent in agents {
            register(&engine, &caller, agent, 1).await?;
        }
        let scene = Scene {
            database,
            engine,
            caller,
        };
        scene.submit(&task("first")).await?;
        Ok(scene)
    }

    async fn submit(&self, task: &NewTask) -> Result<(), EngineError> {
        let tasks = std::slice::from_ref(task);
        let submitted = self.engine.submit_tasks(&self.caller, tasks, None).await;
        submitted.map(drop)
    }

    fn claim(&self, agent: &str, wait: Duration) -> Waiting {
        let request = ClaimRequest {
            agent: agent.to_owned(),
            most: 1,
            start: true,
            wait,
            request_id: None,
            lease: None,
        };
        let (engine, caller) = (Arc::clone(&self.engine), self.caller.clone());
        tokio::spawn(async move { engine.claim(&caller, &request).await })
    }

    /// Answers when so many wait, this one included.
    async fn wait(&self, agent: &str, together: usize) -> Waiting {
        let waiting = self.claim(agent, LONG);
        while self.engine.waiting_claims() < together {
            tokio::task::yield_now().await;
        }
        waiting
    }

    /// The tasks that were claimed by the transaction that took them in.
    async fn handed_over(&self) -> Result<i64> {
        let count = "select count(*) from workmill.spec p
            join workmill.lease l on l.task = p.task and l.xmin = p.xmin";
        let client = self.database.client().await?;
        Ok(client.query_one(count, &[]).await?.get(0))
    }
}

async fn titles(waiting: Waiting) -> Result<Vec<String>> {
    let claimed = timeout(SOON, waiting).await???;
    let titles = claimed.iter().map(|claimed| {
        let task: NewTask = serde_json::from_str(claimed.body.get())?;
        anyhow::Ok(task.title)
    });
    titles.collect()
}

/// F-22: one transaction takes a task in and hands it to who waits.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_waits_is_handed_what_comes_in_by_the_same_transaction() -> Result<()> {
    let scene = Scene::new(&["busy", "agent"]).await?;
    assert_eq!(titles(scene.claim("busy", LONG)).await?, ["first"]);
    assert_eq!(scene.handed_over().await?, 0, "it was there before");
    let waiting = scene.wait("agent", 1).await;
    scene.submit(&task("second")).await?;
    assert_eq!(titles(waiting).await?, ["second"]);
    assert_eq!(scene.handed_over().await?, 1);
    Ok(())
}

/// F-22: what one of them cannot take is there for the next one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_taken_by_who_came_first_goes_to_who_can() -> Result<()> {
    let scene = Scene::new(&["busy", "agent"]).await?;
    assert_eq!(titles(scene.claim("busy", LONG)).await?, ["first"]);
    let busy = scene.wait("busy", 1).await;
    let waiting = scene.wait("agent", 2).await;
    scene.submit(&task("second")).await?;
    assert_eq!(titles(waiting).await?, ["second"]);
    assert!(!busy.is_finished(), "it has no slot");
    scene.engine.stop_waiting();
    assert!(titles(busy).await?.is_empty());
    Ok(())
}

/// F-22: a task that was leased to it is not lost because its time is up.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_shall_not_wait_any_longer_gets_what_it_is_being_handed() -> Result<()> {
    let scene = Scene::new(&["busy", "agent"]).await?;
    assert_eq!(titles(scene.claim("busy", LONG)).await?, ["first"]);
    let waiting = scene.wait("agent", 1).await;
    let points = &scene.engine.store().test_points;
    let mut looked = points.pause_at("hand_over.looked");
    let second = task("second");
    let (submitted, ()) = tokio::join!(scene.submit(&second), async {
        let paused = looked.arrival().await;
        scene.engine.stop_waiting();
        paused.go_on();
    });
    submitted?;
    assert_eq!(titles(waiting).await?, ["second"]);
    Ok(())
}

/// F-22: who waits is none the worse for a submission that is refused, or fails.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_waits_waits_on_when_nothing_comes_in() -> Result<()> {
    let scene = Scene::new(&["busy", "agent"]).await?;
    assert_eq!(titles(scene.claim("busy", LONG)).await?, ["first"]);
    let named = NewTask {
        key: Some("mine".to_owned()),
        ..task("second")
    };
    let waiting = scene.wait("agent", 1).await;
    scene.submit(&named).await?;
    assert_eq!(titles(waiting).await?, ["second"]);

    register(&scene.engine, &scene.caller, "another", 1).await?;
    let waiting = scene.wait("another", 1).await;
    let refused = scene.submit(&named).await;
    assert!(matches!(refused, Err(EngineError::Conflict { .. })));
    let points = &scene.engine.store().test_points;
    points.fail_at("hand_over.looked", 100);
    let failed = scene.submit(&task("third")).await;
    assert!(matches!(failed, Err(EngineError::Store(_))), "{failed:?}");
    points.disarm("hand_over.looked");
    while scene.engine.waiting_claims() < 1 {
        tokio::task::yield_now().await;
    }
    assert!(!waiting.is_finished());
    scene.submit(&task("third")).await?;
    assert_eq!(titles(waiting).await?, ["third"]);
    Ok(())
}

/// F-22: a row that nobody can read stops who would get it, and not who submits something else.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_handed_over_comes_in_all_the_same() -> Result<()> {
    let scene = Scene::new(&["busy", "agent"]).await?;
    assert_eq!(titles(scene.claim("busy", LONG)).await?, ["first"]);
    let waiting = scene.wait("agent", 1).await;
    // Nobody is called for what another server has taken in, before the lanes are looked over.
    let (other, _) = engine(&scene.database).await?;
    let unreadable = [task("unreadable")];
    let submitted = other.submit_tasks(&scene.caller, &unreadable, None).await?;
    let spoil = "update workmill.spec set policy = '[]' where task = $1";
    let client = scene.database.client().await?;
    client.execute(spoil, &[&submitted.tasks[0].0]).await?;

    scene.submit(&task("second")).await?;
    let failed = timeout(SOON, waiting).await??;
    assert!(matches!(failed, Err(EngineError::Store(_))), "{failed:?}");
    Ok(())
}
