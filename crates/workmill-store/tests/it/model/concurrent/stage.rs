//! What all actors of a run share: the servers, the tasks, the history, and chance.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Result;
use workmill_core::dependency::OnDependencyFailure;
use workmill_core::ids::{GraphId, TaskId};
use workmill_core::policy::{Profile, Strategy};
use workmill_core::task::NewTask;
use workmill_store::StoreError;
use workmill_store::intake::{Dependency, NewGraph, Submission, TaskDraft};
use workmill_testkit::chance::Chance;
use workmill_testkit::factory::{draft, task};
use workmill_testkit::history::{Graphs, History, count};

use super::super::arena::Arena;

const SERVERS: usize = 3;

/// What all actors share.
pub struct Stage {
    pub arena: Arena,
    pub history: History,
    pub tasks: Vec<TaskId>,
    pub graph_ids: Vec<GraphId>,
    pub graphs: Graphs,
    /// What agents have spawned, as they were told.
    pub spawned: Mutex<Graphs>,
    pub is_over: AtomicBool,
}

impl Stage {
    /// Now and then the caller dies in the middle of its call and never hears the answer.
    pub async fn call<T>(
        &self,
        chance: &mut Chance,
        call: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<Option<T>> {
        if chance.one_in(8) {
            let patience = Duration::from_micros(chance.below(4000));
            let Ok(answer) = tokio::time::timeout(patience, call).await else {
                count(&self.history.counts.killed, 1);
                return Ok(None);
            };
            return Ok(Some(answer?));
        }
        Ok(Some(call.await?))
    }
}

fn some_task(chance: &mut Chance, number: u64) -> NewTask {
    let profiles = [
        Profile::Agent,
        Profile::Task,
        Profile::Workflow,
        Profile::Hub,
        Profile::Work,
    ];
    let mut asked = NewTask {
        profile: chance.pick(&profiles).expect("there are five"),
        on_dependency_failure: chance.pick(&OnDependencyFailure::ALL),
        ..task(&format!("task {number}"))
    };
    if chance.one_in(2) {
        asked.retry.strategy = Some(Strategy::Immediate);
    }
    asked
}

/// Tasks of their own and graphs with random edges.
pub async fn set_the_stage(seed: u64, fault: Option<&'static str>) -> Result<Stage> {
    let arena = Arena::new(SERVERS, fault).await?;
    let mut chance = Chance(seed);
    let mut stage = Stage {
        arena,
        history: History::default(),
        tasks: Vec::new(),
        graph_ids: Vec::new(),
        graphs: Graphs::new(),
        spawned: Mutex::default(),
        is_over: AtomicBool::new(false),
    };
    for number in 0..12_usize {
        let size = if number % 2 == 0 { 8 } else { 10 };
        let is_graph = number % 2 == 0;
        let drafts: Vec<TaskDraft> = (0..size)
            .map(|place| TaskDraft {
                depends_on: (0..if is_graph { place } else { 0 })
                    .filter(|_| chance.one_in(3))
                    .map(Dependency::New)
                    .collect(),
                ..draft(&some_task(&mut chance, seed))
            })
            .collect();
        let submission = Submission {
            created_by: "concurrent".to_owned(),
            key: None,
            graph: is_graph.then(|| NewGraph {
                title: "graph".to_owned(),
                is_draft: false,
                budget: None,
                project: None,
            }),
            idempotency: None,
            tasks: drafts.clone(),
        };
        let submitted = stage.arena.server(number).submit(submission).await?;
        for (draft, id) in drafts.iter().zip(&submitted.tasks) {
            let on = draft.depends_on.iter().map(|on| match on {
                Dependency::New(place) => submitted.tasks[*place],
                Dependency::Existing(task) => *task,
            });
            let edges = (draft.on_dependency_failure, on.collect());
            stage.graphs.insert(*id, edges);
        }
        stage.tasks.extend(submitted.tasks);
        stage.graph_ids.extend(submitted.graph);
    }
    Ok(stage)
}
