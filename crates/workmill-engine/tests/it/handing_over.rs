//! Who waits is handed what comes in by the transaction that takes it in.

mod elsewhere;

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use jiff::{SignedDuration, Timestamp};
use serde_json::value::RawValue;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use workmill_core::failure::Reason;
use workmill_core::gate::Limited;
use workmill_core::ids::TaskId;
use workmill_core::lifecycle::State;
use workmill_core::policy::Strategy;
use workmill_core::priority::Class;
use workmill_core::resource_lock::ResourceLock;
use workmill_core::task::NewTask;
use workmill_core::usage::Usage;
use workmill_engine::dispatch::{
    AgentChange, AgentDescription, AgentStatus, ClaimRequest, Claimed,
};
use workmill_engine::settlement::Ending;
use workmill_engine::{Caller, Engine, EngineError};
use workmill_store::clock::Clock;
use workmill_testkit::database::TestDatabase;
use workmill_testkit::factory::task;
use workmill_testkit::invariants::violations;

use crate::{engine, engine_timed_by, register};

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
        Scene::timed_by(Clock::Database, agents).await
    }

    async fn timed_by(clock: Clock, agents: &[&str]) -> Result<Scene> {
        let database = TestDatabase::new().await?;
        let (engine, caller) = engine_timed_by(clock, &database).await?;
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

    /// Another server takes it in; nobody here is called for it.
    async fn submit_elsewhere(&self, task: &NewTask) -> Result<TaskId> {
        let (other, _) = engine(&self.database).await?;
        let tasks = std::slice::from_ref(task);
        let submitted = other.submit_tasks(&self.caller, tasks, None).await?;
        Ok(submitted.tasks[0])
    }

    fn claim(&self, agent: &str, wait: Duration) -> Waiting {
        self.ask(request(agent, wait))
    }

    fn ask(&self, request: ClaimRequest) -> Waiting {
        let (engine, caller) = (Arc::clone(&self.engine), self.caller.clone());
        tokio::spawn(async move { engine.claim(&caller, &request).await })
    }

    /// Answers when so many wait, this one included.
    async fn wait(&self, agent: &str, together: usize) -> Waiting {
        self.wait_with(request(agent, LONG), together).await
    }

    async fn wait_with(&self, request: ClaimRequest, together: usize) -> Waiting {
        let waiting = self.ask(request);
        while self.engine.waiting_claims() < together {
            tokio::task::yield_now().await;
        }
        waiting
    }

    /// Whether it has looked and waits again, instead of having got something.
    async fn waits_on(&self, waiting: &Waiting) -> bool {
        while self.engine.waiting_claims() < 1 && !waiting.is_finished() {
            tokio::task::yield_now().await;
        }
        !waiting.is_finished()
    }

    /// The tasks that were claimed by the transaction that took them in.
    async fn handed_over(&self) -> Result<i64> {
        let handed = "select p.ns from workmill.spec p
            join workmill.lease l on l.task = p.task and l.xmin = p.xmin";
        self.count(handed).await
    }

    /// Rows of this namespace.
    async fn count(&self, rows: &str) -> Result<i64> {
        let client = self.database.client().await?;
        let count = format!("select count(*) from ({rows}) as r where r.ns = $1");
        Ok(client.query_one(&count, &[&self.caller.ns.0]).await?.get(0))
    }
}

fn request(agent: &str, wait: Duration) -> ClaimRequest {
    ClaimRequest {
        agent: agent.to_owned(),
        most: 1,
        start: true,
        wait,
        request_id: None,
        selection: workmill_core::lane::Selection::default(),
        lease: None,
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

/// F-22: what is written as taken is as if it had been ready and was claimed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_handed_over_is_as_if_it_had_been_claimed() -> Result<()> {
    let scene = Scene::new(&["busy", "agent"]).await?;
    assert_eq!(titles(scene.claim("busy", LONG)).await?, ["first"]);
    let waiting = scene.wait("agent", 1).await;
    let second = NewTask {
        deadline: Some(Timestamp::now() + SignedDuration::from_hours(1)),
        key: Some("mine".to_owned()),
        ..task("second")
    };
    let tasks = std::slice::from_ref(&second);
    let (engine, caller) = (&scene.engine, &scene.caller);
    let submitted = engine.submit_tasks(caller, tasks, Some("key")).await?;
    let claimed = timeout(SOON, waiting).await???;
    assert_eq!(scene.handed_over().await?, 1);
    let lease = claimed[0].lease;
    assert_eq!(lease.task, submitted.tasks[0]);
    assert_eq!((lease.epoch, claimed[0].attempt), (1, 1));
    assert_eq!(claimed[0].state, State::Running);
    assert_eq!(claimed[0].created_by, "test");

    let client = scene.database.client().await?;
    let find = "select array_agg(f ->> 'type' order by e.batch, n)
        from workmill.event e, json_array_elements(e.facts::json) with ordinality as u (f, n)
        where f ->> 'task_id' = $1";
    let told: Vec<String> = client
        .query_one(find, &[&lease.task.to_string()])
        .await?
        .get(0);
    let expected = [
        "task.submitted",
        "task.ready",
        "task.claimed",
        "task.started",
    ];
    assert_eq!(told, expected);
    assert_eq!(scene.count("table workmill.ready").await?, 0);
    assert_eq!(scene.count("table workmill.deadline").await?, 1);

    // It is known again, and can be completed.
    let again = engine.submit_tasks(caller, tasks, Some("key")).await?;
    assert!(again.is_repeat);
    assert_eq!(again.tasks, submitted.tasks);
    assert_eq!(violations(&client, caller.ns.0).await?, [""; 0]);
    let ending = Ending::Complete {
        output: RawValue::from_string("{}".to_owned())?,
        artifacts: Vec::new(),
    };
    engine
        .settle(caller, lease, ending, Usage::default())
        .await?;
    assert_eq!(violations(&client, caller.ns.0).await?, [""; 0]);
    Ok(())
}

/// F-22: several go to several, the best to who has waited longest, and what is left can be claimed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_are_handed_to_several() -> Result<()> {
    let scene = Scene::new(&["busy", "one", "another", "later"]).await?;
    assert_eq!(titles(scene.claim("busy", LONG)).await?, ["first"]);
    let one = scene.wait("one", 1).await;
    let another = scene.wait("another", 2).await;
    let urgent = NewTask {
        priority: Class::Critical.base(),
        ..task("urgent")
    };
    let tasks = [task("second"), urgent, task("third")];
    let (engine, caller) = (&scene.engine, &scene.caller);
    engine.submit_tasks(caller, &tasks, None).await?;
    assert_eq!(titles(one).await?, ["urgent"]);
    assert_eq!(titles(another).await?, ["second"]);
    assert_eq!(scene.handed_over().await?, 2);
    assert_eq!(titles(scene.claim("later", LONG)).await?, ["third"]);
    Ok(())
}

/// F-22: a task that asks for something that no task has asked for before takes part by its rank, like
/// any other.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_opens_a_new_lane_is_handed_over_by_its_rank() -> Result<()> {
    let scene = Scene::new(&["busy"]).await?;
    assert_eq!(titles(scene.claim("busy", LONG)).await?, ["first"]);
    let (engine, caller) = (&scene.engine, &scene.caller);
    let agent = AgentDescription {
        agent_type: "test".to_owned(),
        models: vec!["large".to_owned()],
        slots: 2,
        ..AgentDescription::new("agent")
    };
    engine.register_agent(caller, &agent).await?;
    let waiting = scene.wait("agent", 1).await;
    let mut new = NewTask {
        priority: Class::Critical.base(),
        ..task("new")
    };
    new.spec.constraints.model_preferences = vec!["large".to_owned()];
    engine
        .submit_tasks(caller, &[task("second"), new], None)
        .await?;
    let claimed = timeout(SOON, waiting).await???;
    assert_eq!(claimed.len(), 1);
    assert_eq!(claimed[0].models, ["large"]);
    assert_eq!(scene.handed_over().await?, 1);
    assert_eq!(titles(scene.claim("agent", LONG)).await?, ["second"]);
    Ok(())
}

/// F-22: so is one whose lane this server has not read yet, because it has only just started.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_has_just_started_hands_over() -> Result<()> {
    let mut scene = Scene::new(&["busy", "agent"]).await?;
    assert_eq!(titles(scene.claim("busy", LONG)).await?, ["first"]);
    let (started, _) = engine(&scene.database).await?;
    scene.engine = Arc::new(started.looking_again_after(LONG));
    let waiting = scene.wait("agent", 1).await;
    scene.submit(&task("second")).await?;
    assert_eq!(titles(waiting).await?, ["second"]);
    assert_eq!(scene.handed_over().await?, 1);
    Ok(())
}

/// F-22: who claims without starting has claimed what it is handed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_does_not_start_at_once_is_handed_a_claim() -> Result<()> {
    let scene = Scene::new(&["busy", "agent"]).await?;
    assert_eq!(titles(scene.claim("busy", LONG)).await?, ["first"]);
    let asking = ClaimRequest {
        start: false,
        ..request("agent", LONG)
    };
    let waiting = scene.wait_with(asking, 1).await;
    scene.submit(&task("second")).await?;
    let claimed = timeout(SOON, waiting).await???;
    assert_eq!(claimed[0].state, State::Claimed);
    assert_eq!(scene.handed_over().await?, 1);
    let claimed = "select ns from workmill.lease where started_at is null";
    assert_eq!(scene.count(claimed).await?, 1);
    Ok(())
}

/// F-22: nobody overtakes what was there before and is more urgent.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_there_before_goes_first() -> Result<()> {
    let scene = Scene::new(&["busy", "agent", "another"]).await?;
    assert_eq!(titles(scene.claim("busy", LONG)).await?, ["first"]);
    let waiting = scene.wait("agent", 1).await;
    scene.submit_elsewhere(&task("before")).await?;
    scene.submit(&task("second")).await?;
    assert_eq!(titles(waiting).await?, ["before"]);
    assert_eq!(titles(scene.claim("another", LONG)).await?, ["second"]);
    assert_eq!(scene.handed_over().await?, 0);
    Ok(())
}

/// F-22: what is handed over passes the same gates as what is claimed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_handed_over_passes_its_gates() -> Result<()> {
    let scene = Scene::new(&["busy", "agent", "another"]).await?;
    let (engine, caller) = (&scene.engine, &scene.caller);
    assert_eq!(titles(scene.claim("busy", LONG)).await?, ["first"]);
    let waiting = scene.wait("agent", 1).await;
    // By another server: this one has not heard of it.
    let (other, _) = crate::engine(&scene.database).await?;
    let limited = Limited::Type("code".to_owned());
    other.set_limit(caller, limited, 2, None).await?;
    scene.submit(&task("second")).await?;
    assert_eq!(titles(waiting).await?, ["second"]);
    assert_eq!(scene.handed_over().await?, 1);

    let waiting = scene.wait("another", 1).await;
    scene.submit(&task("third")).await?;
    assert!(scene.waits_on(&waiting).await, "two run already");
    assert_eq!(scene.count("table workmill.gated").await?, 1);
    engine.stop_waiting();
    assert!(titles(waiting).await?.is_empty());
    Ok(())
}

/// F-22: two that need the same resource are not handed over at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_handed_over_holds_its_locks() -> Result<()> {
    let scene = Scene::new(&["busy", "agent", "another"]).await?;
    assert_eq!(titles(scene.claim("busy", LONG)).await?, ["first"]);
    let locking = |title| NewTask {
        locks: vec![ResourceLock {
            path: "repo/file".to_owned(),
            shared: false,
        }],
        ..task(title)
    };
    let waiting = scene.wait("agent", 1).await;
    scene.submit(&locking("second")).await?;
    assert_eq!(titles(waiting).await?, ["second"]);
    let waiting = scene.wait("another", 1).await;
    scene.submit(&locking("third")).await?;
    assert!(scene.waits_on(&waiting).await, "the file is locked");
    scene.engine.stop_waiting();
    assert!(titles(waiting).await?.is_empty());
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
    let mut looked = points.pause_at("hand_over.locked");
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
    points.fail_at("hand_over.locked", 100);
    let failed = scene.submit(&task("third")).await;
    assert!(matches!(failed, Err(EngineError::Store(_))), "{failed:?}");
    points.disarm("hand_over.locked");
    assert!(scene.waits_on(&waiting).await);
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
    // Before the lanes are looked over, nobody here knows of it.
    let unreadable = scene.submit_elsewhere(&task("unreadable")).await?;
    let spoil = "update workmill.spec set policy = '[]' where task = $1";
    let client = scene.database.client().await?;
    client.execute(spoil, &[&unreadable.0]).await?;

    scene.submit(&task("second")).await?;
    let failed = timeout(SOON, waiting).await??;
    assert!(matches!(failed, Err(EngineError::Store(_))), "{failed:?}");
    Ok(())
}

/// It is not kept from the task any more when no other agent could run it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_that_waits_is_woken_for_the_task_it_failed_when_the_others_go() -> Result<()> {
    let scene = Scene::new(&["clumsy", "other"]).await?;
    let (engine, caller) = (&scene.engine, &scene.caller);
    let first = scene.claim("clumsy", LONG).await??.remove(0);
    engine.cancel_task(caller, first.lease.task).await?;
    engine
        .settle(caller, first.lease, Ending::Release, Usage::default())
        .await?;
    let mut odd = task("odd");
    odd.retry.strategy = Some(Strategy::Immediate);
    scene.submit(&odd).await?;
    let claimed = scene.claim("clumsy", LONG).await??.remove(0);
    let failure = Ending::Fail {
        reason: Reason::Crash,
        message: "no route".to_owned(),
        details: None,
        retry_after_ms: None,
    };
    engine
        .settle(caller, claimed.lease, failure, Usage::default())
        .await?;
    let waiting = scene.wait("clumsy", 1).await;
    assert!(scene.waits_on(&waiting).await, "the other one could");
    let away = AgentChange {
        status: Some(AgentStatus::Draining),
        ..AgentChange::default()
    };
    engine.change_agent(caller, "other", away, None).await?;
    assert_eq!(titles(waiting).await?, ["odd"]);
    Ok(())
}
