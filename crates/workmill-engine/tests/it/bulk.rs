//! Many tasks are changed by filter: first a preview, then what it said, once for each task.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::Duration;

use anyhow::Result;
use workmill_core::ids::TaskId;
use workmill_core::lifecycle::State;
use workmill_core::priority::{Class, Priority};
use workmill_core::task::NewTask;
use workmill_engine::dispatch::ClaimRequest;
use workmill_engine::look::AuditFilter;
use workmill_engine::settlement::bulk::{BulkAction, Change, Preview, Progress, TaskFilter};
use workmill_engine::{Caller, Engine, EngineError};
use workmill_testkit::burial::bury_ready_tasks;
use workmill_testkit::database::TestDatabase;
use workmill_testkit::factory::task;
use workmill_testkit::invariants;

use crate::{engine, register};

struct Stage {
    engine: Engine,
    caller: Caller,
    database: TestDatabase,
}

impl Stage {
    async fn new() -> Result<Self> {
        let database = TestDatabase::new().await?;
        let (engine, caller) = engine(&database).await?;
        Ok(Stage {
            engine,
            caller,
            database,
        })
    }

    async fn submit(&self, tasks: &[NewTask]) -> Result<Vec<TaskId>> {
        let submitted = self.engine.submit_tasks(&self.caller, tasks, None).await?;
        Ok(submitted.tasks)
    }

    async fn preview(&self, action: &BulkAction) -> Result<Preview, EngineError> {
        self.engine.preview_bulk(&self.caller, action).await
    }

    async fn carry_out(
        &self,
        action: &BulkAction,
        preview: &Preview,
    ) -> Result<Progress, EngineError> {
        let go_on = |_: &Progress| ControlFlow::Continue(());
        self.engine
            .carry_out_bulk(&self.caller, action, preview.moment, go_on)
            .await
    }

    async fn states(&self, tasks: &[TaskId]) -> Result<BTreeMap<State, usize>> {
        let mut states = BTreeMap::new();
        for task in tasks {
            let task = self.engine.task(&self.caller, *task).await?;
            *states.entry(task.state).or_default() += 1;
        }
        Ok(states)
    }

    async fn audited(&self, action: &str) -> Result<usize> {
        let filter = AuditFilter::default();
        let (mut count, mut before) = (0, None);
        loop {
            let page = self
                .engine
                .audit(&self.caller, &filter, before, 500)
                .await?;
            let fitting = page.entries.iter().filter(|entry| entry.action == action);
            count += fitting.count();
            before = page.next;
            if before.is_none() {
                return Ok(count);
            }
        }
    }

    async fn claim(&self, agent: &str) -> Result<Vec<TaskId>> {
        let request = ClaimRequest {
            agent: agent.to_owned(),
            most: 1,
            start: true,
            wait: Duration::ZERO,
            request_id: None,
            selection: workmill_core::lane::Selection::default(),
            lease: None,
        };
        let claims = self.engine.claim(&self.caller, &request).await?;
        Ok(claims.into_iter().map(|claim| claim.lease.task).collect())
    }

    async fn check_rows(&self) -> Result<()> {
        let client = self.database.client().await?;
        let wrong = invariants::violations(&client, self.caller.ns.0).await?;
        assert_eq!(wrong, Vec::<String>::new());
        Ok(())
    }
}

fn act(filter: TaskFilter, change: Change) -> BulkAction {
    BulkAction {
        filter,
        change,
        note: Some("spring cleaning".to_owned()),
    }
}

fn of_type(task_type: &str) -> TaskFilter {
    TaskFilter {
        task_type: Some(task_type.to_owned()),
        ..TaskFilter::default()
    }
}

fn review() -> NewTask {
    NewTask {
        task_type: "review".to_owned(),
        ..task("other")
    }
}

#[tokio::test]
async fn what_a_preview_says_is_what_happens_and_nothing_else() -> Result<()> {
    let stage = Stage::new().await?;
    let mut tasks = stage
        .submit(&[vec![task("a"); 30], vec![review(); 5]].concat())
        .await?;
    let others = tasks.split_off(30);
    register(&stage.engine, &stage.caller, "agent", 1).await?;
    let running = stage.claim("agent").await?;
    assert!(tasks.contains(&running[0]));
    let action = act(of_type("code"), Change::Cancel);
    let preview = stage.preview(&action).await?;
    assert_eq!((preview.tasks, preview.is_whole), (30, true));
    let states = BTreeMap::from([(State::Ready, 29), (State::Running, 1)]);
    assert_eq!(preview.states, states);
    assert_eq!(preview.becoming, BTreeMap::from([(State::Cancelled, 30)]));
    assert_eq!(preview.types, BTreeMap::from([("code".to_owned(), 30)]));
    assert_eq!(preview.sample.len(), 20);
    let late = stage.submit(&[task("late")]).await?;
    let progress = stage.carry_out(&action, &preview).await?;
    assert_eq!((progress.changed, progress.is_done), (30, true));
    assert_eq!(stage.states(&tasks).await?, preview.becoming);
    assert_eq!(
        stage.states(&others).await?,
        BTreeMap::from([(State::Ready, 5)])
    );
    let came_later = stage.states(&late).await?;
    assert_eq!(came_later, BTreeMap::from([(State::Ready, 1)]));
    assert_eq!(stage.audited("task.cancel").await?, 30);
    let again = stage.carry_out(&action, &preview).await?;
    assert_eq!(
        (again.changed, again.is_done),
        (0, true),
        "repeated is harmless"
    );
    assert_eq!(stage.audited("task.cancel").await?, 30);
    stage.check_rows().await
}

#[tokio::test]
async fn what_was_cut_off_goes_on_when_it_is_repeated() -> Result<()> {
    let stage = Stage::new().await?;
    let tasks = stage.submit(&vec![task("a"); 1200]).await?;
    let tag = Change::AddTag("old".to_owned());
    let action = act(TaskFilter::default(), tag);
    let preview = stage.preview(&action).await?;
    let (engine, caller) = (&stage.engine, &stage.caller);
    let cut = engine
        .carry_out_bulk(caller, &action, preview.moment, |_: &Progress| {
            ControlFlow::Break(())
        })
        .await?;
    assert_eq!((cut.changed, cut.is_done), (500, false));
    engine.store().test_points.fail_at("commit", usize::MAX);
    assert!(stage.carry_out(&action, &preview).await.is_err());
    engine.store().test_points.disarm("commit");
    let rest = stage.carry_out(&action, &preview).await?;
    assert_eq!((rest.changed, rest.is_done), (700, true));
    assert_eq!(
        stage.audited("task.tag").await?,
        1200,
        "each is recorded once"
    );
    for id in [tasks[0], tasks[1199]] {
        let found = engine.task(caller, id).await?;
        assert_eq!(
            (found.version, found.asked.tags),
            (2, vec!["old".to_owned()])
        );
    }
    stage.check_rows().await
}

#[tokio::test]
async fn tasks_get_another_priority_and_other_tags_as_by_an_edit() -> Result<()> {
    let stage = Stage::new().await?;
    let first = stage.submit(&[review()]).await?;
    let wanted = stage.submit(&[task("a")]).await?;
    register(&stage.engine, &stage.caller, "agent", 2).await?;
    let urgent = Change::Reprioritise(Priority::new(1)?);
    let of_class = TaskFilter {
        class: Some(Class::Normal),
        ..of_type("code")
    };
    let action = act(of_class, urgent);
    let preview = stage.preview(&action).await?;
    assert_eq!(stage.carry_out(&action, &preview).await?.changed, 1);
    assert_eq!(stage.claim("agent").await?, wanted, "it overtakes");

    for (change, tags) in [
        (Change::AddTag("x".to_owned()), vec!["x".to_owned()]),
        (Change::RemoveTag("x".to_owned()), vec![]),
    ] {
        let ready = TaskFilter {
            states: BTreeSet::from([State::Ready, State::Running]),
            ..TaskFilter::default()
        };
        let action = act(ready, change);
        let preview = stage.preview(&action).await?;
        let progress = stage.carry_out(&action, &preview).await?;
        assert_eq!(progress.changed, 1, "what runs is left");
        let found = stage.engine.task(&stage.caller, first[0]).await?;
        assert_eq!(found.asked.tags, tags);
    }
    stage.check_rows().await
}

#[tokio::test]
async fn a_retry_takes_the_dead_letters_that_fit_and_those_that_came_back_only_once() -> Result<()>
{
    let stage = Stage::new().await?;
    let mut tasks = stage
        .submit(&[vec![task("a"); 3], vec![review(); 2]].concat())
        .await?;
    let others = tasks.split_off(3);
    let client = stage.database.client().await?;
    bury_ready_tasks(&client, stage.engine.store().now().await?).await?;
    let action = act(of_type("code"), Change::Retry);
    let preview = stage.preview(&action).await?;
    assert_eq!(preview.states, BTreeMap::from([(State::DeadLettered, 3)]));
    assert_eq!(stage.carry_out(&action, &preview).await?.changed, 3);
    assert_eq!(
        stage.states(&tasks).await?,
        BTreeMap::from([(State::Ready, 3)])
    );
    let dead = BTreeMap::from([(State::DeadLettered, 2)]);
    assert_eq!(stage.states(&others).await?, dead);
    // They fail again, which is another matter than what was decided.
    client.batch_execute("delete from workmill.attempt").await?;
    bury_ready_tasks(&client, stage.engine.store().now().await?).await?;
    assert_eq!(stage.carry_out(&action, &preview).await?.changed, 0);
    assert_eq!(stage.audited("dead_letter.retry").await?, 3);
    Ok(())
}

#[tokio::test]
async fn tasks_of_a_graph_and_of_an_agent_are_found_wherever_they_rest() -> Result<()> {
    let stage = Stage::new().await?;
    let addressed = NewTask {
        target_agent: Some("ada".to_owned()),
        ..task("for ada")
    };
    let tasks = stage
        .submit(&[addressed, task("own"), task("held")])
        .await?;
    register(&stage.engine, &stage.caller, "bob", 1).await?;
    let held = stage.claim("bob").await?;
    for (agent, meant) in [("ada", tasks[0]), ("bob", held[0])] {
        let filter = TaskFilter {
            agent: Some(agent.to_owned()),
            ..TaskFilter::default()
        };
        let preview = stage.preview(&act(filter, Change::Cancel)).await?;
        assert_eq!(preview.sample, [meant], "{agent}");
    }
    let own = TaskFilter {
        graph: Some(tasks[2].into()),
        ..TaskFilter::default()
    };
    let preview = stage.preview(&act(own, Change::Cancel)).await?;
    assert_eq!(
        preview.sample,
        [tasks[2]],
        "a task of its own is its own graph"
    );
    Ok(())
}

#[tokio::test]
async fn what_cannot_be_meant_is_refused() -> Result<()> {
    let stage = Stage::new().await?;
    let no_tag = act(TaskFilter::default(), Change::AddTag(String::new()));
    assert!(stage.preview(&no_tag).await.is_err());
    let cancel = act(TaskFilter::default(), Change::Cancel);
    let ahead = stage.engine.store().now().await? + jiff::SignedDuration::from_hours(1);
    let go_on = |_: &Progress| ControlFlow::Continue(());
    let refused = stage
        .engine
        .carry_out_bulk(&stage.caller, &cancel, ahead, go_on)
        .await;
    assert!(refused.is_err());
    Ok(())
}
