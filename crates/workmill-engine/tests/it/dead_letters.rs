//! Dead letters are decided about in bulk: first a preview, then what it said.

mod carrying_out;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use anyhow::Result;
use serde_json::{Map, Value, json};
use workmill_core::ids::TaskId;
use workmill_core::lifecycle::State;
use workmill_core::task::NewTask;
use workmill_engine::look::DeadLetterFilter;
use workmill_engine::settlement::dead_letters::{
    BulkDecision, Effect, Preview, Progress, Resolution,
};
use workmill_engine::{Caller, Engine, EngineError};
use workmill_testkit::burial::bury_ready_tasks;
use workmill_testkit::database::TestDatabase;
use workmill_testkit::factory::task;

use crate::engine;

struct Graveyard {
    engine: Engine,
    caller: Caller,
    database: TestDatabase,
}

impl Graveyard {
    async fn new() -> Result<Self> {
        let database = TestDatabase::new().await?;
        let (engine, caller) = engine(&database).await?;
        Ok(Graveyard {
            engine,
            caller,
            database,
        })
    }

    async fn bury(&self, tasks: &[NewTask]) -> Result<Vec<TaskId>> {
        let submitted = self.engine.submit_tasks(&self.caller, tasks, None).await?;
        let client = self.database.client().await?;
        bury_ready_tasks(&client, self.engine.store().now().await?).await?;
        Ok(submitted.tasks)
    }

    async fn preview(&self, decision: &BulkDecision) -> Result<Preview, EngineError> {
        self.engine
            .preview_dead_letters(&self.caller, decision)
            .await
    }

    /// Carries out what was previewed, to the end.
    async fn carry_out(
        &self,
        decision: &BulkDecision,
        preview: &Preview,
    ) -> Result<Progress, EngineError> {
        let go_on = |_: &Progress| ControlFlow::Continue(());
        self.engine
            .resolve_dead_letters(&self.caller, decision, preview.until, go_on)
            .await
    }

    async fn state(&self, task: TaskId) -> Result<State> {
        Ok(self.engine.task(&self.caller, task).await?.state)
    }

    async fn letters(&self) -> Result<usize> {
        let all = BulkDecision {
            filter: DeadLetterFilter::default(),
            ..decide(Resolution::Retry)
        };
        Ok(self.preview(&all).await?.letters)
    }
}

fn decide(resolution: Resolution) -> BulkDecision {
    BulkDecision {
        filter: DeadLetterFilter::default(),
        resolution,
        note: None,
    }
}

fn modify(changes: Value) -> Resolution {
    let changes: Map<String, Value> = serde_json::from_value(changes).expect("an object");
    Resolution::ModifyAndRetry { changes }
}

fn decided(resolution: &Resolution) -> &'static str {
    match resolution {
        Resolution::Retry => "retry",
        Resolution::Cancel => "cancel",
        Resolution::ModifyAndRetry { .. } => "modify and retry",
    }
}

fn problem<T: std::fmt::Debug>(answer: Result<T, EngineError>) -> String {
    answer.expect_err("it is refused").to_string()
}

/// F-26
#[tokio::test]
async fn what_a_preview_says_is_what_happens() -> Result<()> {
    for resolution in [
        Resolution::Retry,
        Resolution::Cancel,
        modify(json!({"title": "better", "max_attempts": 7})),
    ] {
        let graveyard = Graveyard::new().await?;
        let wanted = vec![task("wanted"); 30];
        let other = NewTask {
            task_type: "review".to_owned(),
            ..task("other")
        };
        let mut tasks = graveyard.bury(&[wanted, vec![other; 5]].concat()).await?;
        let others = tasks.split_off(30);
        let decision = BulkDecision {
            filter: DeadLetterFilter {
                task_type: Some("code".to_owned()),
                ..DeadLetterFilter::default()
            },
            ..decide(resolution.clone())
        };
        let preview = graveyard.preview(&decision).await?;
        assert_eq!((preview.letters, preview.is_whole), (30, true));
        assert_eq!(preview.cost_micros, 30 * 100);
        assert_eq!(preview.groups_in_all, 3);
        let in_groups: i64 = preview.groups.iter().map(|group| group.letters).sum();
        assert_eq!(in_groups, 30);
        let foretold: Vec<TaskId> = preview.sample.iter().map(|one| one.letter.task).collect();
        assert_eq!(foretold, tasks[..20], "the first of them");
        assert_eq!(graveyard.letters().await?, 35, "a preview changes nothing");

        let progress = graveyard.carry_out(&decision, &preview).await?;
        assert_eq!((progress.matched, progress.resolved), (30, 30));
        assert_eq!((progress.skipped, progress.is_done), (0, true));
        for one in &preview.sample {
            let now = Effect::Becomes(graveyard.state(one.letter.task).await?);
            assert_eq!(one.effect, now, "{resolution:?}");
        }
        let mut states: BTreeMap<State, usize> = BTreeMap::new();
        for id in &tasks {
            let task = graveyard.engine.task(&graveyard.caller, *id).await?;
            *states.entry(task.state).or_default() += 1;
            if let Resolution::ModifyAndRetry { .. } = resolution {
                let asked = (task.asked.title.as_str(), task.asked.max_attempts);
                assert_eq!((task.version, asked), (2, ("better", Some(7))));
            }
        }
        assert_eq!(preview.becoming, states);
        for other in others {
            assert_eq!(graveyard.state(other).await?, State::DeadLettered);
        }
    }
    Ok(())
}

/// F-26
#[tokio::test]
async fn bad_input_is_refused_with_nothing_changed() -> Result<()> {
    let graveyard = Graveyard::new().await?;
    graveyard.bury(&[task("work")]).await?;
    let preview = graveyard.preview(&decide(Resolution::Retry)).await?;
    let empty_word = BulkDecision {
        filter: DeadLetterFilter {
            tag: Some(" ".to_owned()),
            ..DeadLetterFilter::default()
        },
        ..decide(Resolution::Retry)
    };
    let backwards = BulkDecision {
        filter: DeadLetterFilter {
            since: Some(preview.until),
            until: Some(preview.until - jiff::SignedDuration::from_secs(1)),
            ..DeadLetterFilter::default()
        },
        ..decide(Resolution::Retry)
    };
    for (decision, at) in [
        (decide(modify(json!({"tilte": "typo"}))), "tilte: "),
        (
            decide(modify(json!({"spec": {"promt": "typo"}}))),
            "spec.promt: ",
        ),
        (decide(modify(json!({"title": 7}))), "changes.title: "),
        (decide(modify(json!({"depends_on": []}))), "depends_on: "),
        (decide(modify(json!({}))), "changes: "),
        (empty_word, "filter.tag: "),
        (backwards, "filter.since: "),
    ] {
        let refused = problem(graveyard.preview(&decision).await);
        assert!(refused.starts_with(at), "{refused}");
        let refused = problem(graveyard.carry_out(&decision, &preview).await);
        assert!(refused.starts_with(at), "{refused}");
    }
    let ahead = Preview {
        until: preview.until + jiff::SignedDuration::from_hours(1),
        ..preview
    };
    let decision = decide(Resolution::Retry);
    let refused = problem(graveyard.carry_out(&decision, &ahead).await);
    assert!(refused.starts_with("until: "), "{refused}");
    assert_eq!(graveyard.letters().await?, 1);
    Ok(())
}

/// F-26
#[tokio::test]
async fn changes_that_do_not_fit_some_are_refused_for_all_with_their_names() -> Result<()> {
    let graveyard = Graveyard::new().await?;
    let large = NewTask {
        spec: workmill_core::task::Spec {
            prompt: "x".repeat(1024 * 1024 - 600),
            ..Default::default()
        },
        ..task("nearly too large")
    };
    let tasks = graveyard.bury(&[task("small"), large]).await?;
    let decision = decide(modify(json!({"metadata": {"why": "y".repeat(600)}})));
    let preview = graveyard.preview(&decision).await?;
    assert_eq!(preview.letters, 2);
    assert_eq!(preview.becoming, BTreeMap::from([(State::Ready, 1)]));
    assert_eq!(preview.unfit.letters, 1);
    assert!(matches!(preview.sample[1].effect, Effect::Unfit(_)));
    let refused = problem(graveyard.carry_out(&decision, &preview).await);
    assert!(refused.contains("1 of 2 dead letters"), "{refused}");
    assert!(refused.contains(&tasks[1].to_string()), "{refused}");
    assert_eq!(graveyard.letters().await?, 2);
    Ok(())
}

/// F-26
#[tokio::test]
async fn one_letter_is_resolved_each_way_and_what_is_no_letter_is_not() -> Result<()> {
    let graveyard = Graveyard::new().await?;
    let tasks = graveyard.bury(&vec![task("work"); 3]).await?;
    let better = modify(json!({"title": "better"}));
    let ways = [
        (Resolution::Retry, State::Ready),
        (Resolution::Cancel, State::Cancelled),
        (better.clone(), State::Ready),
    ];
    let (engine, caller) = (&graveyard.engine, &graveyard.caller);
    for (task, (resolution, becomes)) in tasks.iter().zip(ways) {
        let resolve = async || {
            engine
                .resolve_dead_letter(caller, *task, &resolution, Some("looked at"))
                .await
        };
        assert_eq!(resolve().await?, becomes);
        let said = format!("was decided: {} by ", decided(&resolution));
        assert!(problem(resolve().await).contains(&said), "{said}");
    }
    let again = engine.resolve_dead_letter(caller, tasks[0], &better, None);
    assert!(problem(again.await).contains("was decided: retry by "));
    let never: TaskId = "task_01J8K2M0000000000000000000".parse()?;
    let never = engine.resolve_dead_letter(caller, never, &Resolution::Retry, None);
    assert!(problem(never.await).contains("does not exist"));
    let ready = engine.task(caller, tasks[0]).await?;
    assert_eq!(
        (ready.version, ready.asked.title.as_str()),
        (1, "work"),
        "what waits is edited, not resolved"
    );
    Ok(())
}
