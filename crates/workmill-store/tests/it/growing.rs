//! Graphs that grow while they run, tasks that spawn others, and drafts.

use anyhow::{Context, Result};
use serde_json::json;
use workmill_core::graph::GraphStatus;
use workmill_core::ids::{GraphId, LeaseId, TaskId};
use workmill_core::lifecycle::State;
use workmill_store::intake::draft::{DraftRefusal, SubmitDraft};
use workmill_store::intake::edges::{AddEdge, Edge, EdgeRefusal, RemoveEdge};
use workmill_store::intake::grow::{GrowGraph, GrowRefusal};
use workmill_store::intake::spawn::{Spawn, SpawnRefusal};
use workmill_store::intake::spawning::SpawnLimits;
use workmill_store::intake::{Dependency, TaskDraft};
use workmill_testkit::factory::{draft, graph, task};

use crate::actors::{KEY, Queue};

pub fn after(title: &str, dependencies: &[Dependency]) -> TaskDraft {
    TaskDraft {
        depends_on: dependencies.to_vec(),
        ..draft(&task(title))
    }
}

impl Queue {
    pub async fn grow(
        &self,
        graph: GraphId,
        tasks: &[TaskDraft],
    ) -> Result<Result<Vec<TaskId>, GrowRefusal>> {
        let operation = GrowGraph {
            ns: self.ns,
            graph,
            created_by: "test",
            key: None,
            tasks,
            idempotency: None,
        };
        let grown = self.store.run(&operation).await?.0;
        Ok(grown.map(|grown| grown.tasks))
    }

    pub async fn add_edge(
        &self,
        task: TaskId,
        depends_on: TaskId,
    ) -> Result<Result<bool, EdgeRefusal>> {
        let operation = AddEdge {
            ns: self.ns,
            edge: Edge { task, depends_on },
        };
        Ok(self.store.run(&operation).await?.0)
    }

    pub async fn remove_edge(
        &self,
        task: TaskId,
        depends_on: TaskId,
    ) -> Result<Result<bool, EdgeRefusal>> {
        let operation = RemoveEdge {
            ns: self.ns,
            edge: Edge { task, depends_on },
        };
        Ok(self.store.run(&operation).await?.0)
    }

    pub async fn spawn(
        &self,
        lease: LeaseId,
        tasks: &[TaskDraft],
        wait: bool,
    ) -> Result<Result<Vec<TaskId>, SpawnRefusal>> {
        let operation = Spawn {
            ns: self.ns,
            key: KEY,
            lease,
            created_by: "agent",
            tasks,
            wait,
            idempotency: None,
            limits: SpawnLimits::Unlimited,
        };
        let spawned = self.store.run(&operation).await?.0;
        Ok(spawned.map(|grown| grown.tasks))
    }
}

#[tokio::test]
async fn a_new_task_waits_only_for_what_is_not_done() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let submitted = queue.submit(graph(&[("a", &[]), ("b", &[])])).await?;
    let (id, old) = (submitted.graph.expect("a graph"), submitted.tasks);
    let claims = agent.take(2).await?;
    let (done, open) = (claims[0].lease, claims[1].lease);
    agent.complete(done, json!(1)).await?.expect("completed");
    let existing = |task: TaskId| Dependency::Existing(task);
    let new = queue
        .grow(
            id,
            &[
                after("after the done one", &[existing(done.task)]),
                after("after both", &[existing(old[0]), existing(old[1])]),
                after("after the first new one", &[Dependency::New(0)]),
            ],
        )
        .await?
        .expect("grown");
    let mut states = Vec::new();
    for task in &new {
        states.push(queue.state(*task).await?);
    }
    assert_eq!(states, [State::Ready, State::Pending, State::Pending]);
    agent.complete(open, json!(1)).await?.expect("completed");
    assert_eq!(queue.state(new[1]).await?, State::Ready);
    assert_eq!(queue.graph_status(id).await?, GraphStatus::Running);
    Ok(())
}

#[tokio::test]
async fn what_is_not_in_the_graph_cannot_be_waited_for_and_nothing_changes() -> Result<()> {
    let queue = Queue::new().await?;
    let one = queue.submit(graph(&[("a", &[])])).await?;
    let other = queue.submit(graph(&[("b", &[])])).await?;
    let (id, foreign) = (one.graph.expect("a graph"), other.tasks[0]);
    let refused = queue
        .grow(id, &[after("c", &[Dependency::Existing(foreign)])])
        .await?;
    assert_eq!(refused, Err(GrowRefusal::NoSuchTask(foreign)));
    assert_eq!(
        queue.add_edge(one.tasks[0], foreign).await?,
        Err(EdgeRefusal::DifferentGraphs)
    );
    let found = queue
        .store
        .find_graph(queue.ns, id)
        .await?
        .expect("the graph is there");
    assert_eq!(found.tasks.len(), 1);
    Ok(())
}

/// F-12
#[tokio::test]
async fn an_edge_that_closes_a_cycle_is_refused_with_the_way_and_changes_nothing() -> Result<()> {
    let queue = Queue::new().await?;
    let ids = queue
        .submit(graph(&[("a", &[]), ("b", &[0]), ("c", &[1])]))
        .await?
        .tasks;
    let refused = queue.add_edge(ids[0], ids[2]).await?;
    assert_eq!(
        refused,
        Err(EdgeRefusal::Cycle(vec![ids[0], ids[2], ids[1], ids[0]]))
    );
    assert_eq!(queue.state(ids[0]).await?, State::Ready);
    assert_eq!(
        queue.add_edge(ids[1], ids[1]).await?,
        Err(EdgeRefusal::Cycle(vec![ids[1]; 2]))
    );
    Ok(())
}

#[tokio::test]
async fn a_ready_task_goes_back_to_pending_and_comes_again_when_the_edge_goes() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let ids = queue.submit(graph(&[("a", &[]), ("b", &[])])).await?.tasks;
    assert_eq!(queue.add_edge(ids[1], ids[0]).await?, Ok(true));
    assert_eq!(
        queue.add_edge(ids[1], ids[0]).await?,
        Ok(false),
        "twice is once"
    );
    assert_eq!(queue.state(ids[1]).await?, State::Pending);
    assert_eq!(agent.take(10).await?.len(), 1);
    assert_eq!(
        queue.add_edge(ids[0], ids[1]).await?.unwrap_err(),
        EdgeRefusal::TooLate(State::Running)
    );
    assert_eq!(queue.remove_edge(ids[1], ids[0]).await?, Ok(true));
    assert_eq!(queue.remove_edge(ids[1], ids[0]).await?, Ok(false));
    assert_eq!(agent.take_one().await?.lease.task, ids[1]);
    Ok(())
}

/// F-11
#[tokio::test]
async fn a_task_that_waits_for_its_children_gets_their_outputs_with_its_next_claim() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let parent = queue.submit_task(&task("parent")).await?;
    let lease = agent.take_one().await?.lease;
    let children = queue
        .spawn(
            lease,
            &[draft(&task("x")), after("y", &[Dependency::New(0)])],
            true,
        )
        .await?
        .expect("spawned");
    assert_eq!(queue.state(parent).await?, State::Pending);
    assert!(
        agent.heartbeat(lease).await?.is_err(),
        "its lease has ended"
    );
    for child in &children {
        let claim = agent.take_one().await?;
        assert_eq!(claim.lease.task, *child);
        agent
            .complete(claim.lease, json!("found"))
            .await?
            .expect("completed");
    }
    let again = agent.take_one().await?;
    assert_eq!(
        (again.lease.task, again.attempt),
        (parent, 1),
        "waiting burns no attempt"
    );
    assert_eq!(again.dependencies.len(), 2);
    assert!(
        again
            .dependencies
            .iter()
            .all(|child| child.output == Some(json!("found").into()))
    );
    agent
        .complete(again.lease, json!("all"))
        .await?
        .expect("completed");
    assert_eq!(
        queue.graph_status(GraphId::from(parent)).await?,
        GraphStatus::Completed
    );
    Ok(())
}

/// F-7, F-11
#[tokio::test]
async fn a_task_may_spawn_and_go_on() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let parent = queue.submit_task(&task("parent")).await?;
    let lease = agent.take_one().await?.lease;
    let children = queue
        .spawn(lease, &[draft(&task("x"))], false)
        .await?
        .expect("spawned");
    assert_eq!(queue.task(children[0]).await?.graph, GraphId::from(parent));
    agent.complete(lease, json!(1)).await?.expect("completed");
    assert_eq!(
        queue.graph_status(GraphId::from(parent)).await?,
        GraphStatus::Running
    );
    let child = agent.take_one().await?.lease;
    agent.complete(child, json!(1)).await?.expect("completed");
    assert_eq!(
        queue.graph_status(GraphId::from(parent)).await?,
        GraphStatus::Completed
    );
    Ok(())
}

#[tokio::test]
async fn a_refused_spawn_leaves_nothing_behind() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let parent = queue.submit_task(&task("parent")).await?;
    let lease = agent.take_one().await?.lease;
    let ghost = TaskId(uuid::Uuid::from_u128(7));
    let refused = queue
        .spawn(lease, &[after("x", &[Dependency::Existing(ghost)])], false)
        .await?;
    assert_eq!(
        refused,
        Err(SpawnRefusal::Growth(GrowRefusal::NoSuchTask(ghost)))
    );
    let graph = queue.store.find_graph(queue.ns, GraphId::from(parent));
    let graph = graph.await?.context("the graph of the parent alone")?;
    assert_eq!(graph.tasks.len(), 1);
    let own = after("x", &[Dependency::Existing(parent)]);
    let refused = queue.spawn(lease, &[own], true).await?;
    assert!(
        matches!(refused, Err(SpawnRefusal::Growth(GrowRefusal::Cycle(_)))),
        "{refused:?}"
    );
    agent.complete(lease, json!(1)).await?.expect("completed");
    Ok(())
}

#[tokio::test]
async fn nothing_of_a_draft_runs_before_it_is_submitted() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let mut work = graph(&[("a", &[]), ("b", &[0])]);
    work.graph.as_mut().expect("a graph").is_draft = true;
    let submitted = queue.submit(work).await?;
    let id = submitted.graph.expect("a graph");
    assert_eq!(queue.graph_status(id).await?, GraphStatus::Pending);
    assert!(agent.take(10).await?.is_empty());
    let added = queue
        .grow(id, &[draft(&task("c"))])
        .await?
        .expect("a draft grows too");
    assert_eq!(queue.state(added[0]).await?, State::Created);
    let submit = SubmitDraft {
        ns: queue.ns,
        graph: id,
    };
    assert_eq!(queue.store.run(&submit).await?.0, Ok(3));
    assert_eq!(
        queue.store.run(&submit).await?.0,
        Err(DraftRefusal::NotADraft)
    );
    assert_eq!(agent.take(10).await?.len(), 2);
    Ok(())
}
