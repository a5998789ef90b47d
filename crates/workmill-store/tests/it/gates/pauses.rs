//! Pausing and going on.

use anyhow::Result;
use workmill_core::gate::{Gate, Paused};
use workmill_core::task::NewTask;
use workmill_store::gates::change::GateChange;
use workmill_store::intake::edit::EditTask;
use workmill_testkit::factory::{draft, graph, singles, task};

use super::tasks_of;
use crate::actors::Queue;

fn pause(what: Paused) -> GateChange {
    GateChange::Pause {
        what,
        note: Some("deploy".to_owned()),
    }
}

#[tokio::test]
async fn what_is_paused_waits_and_the_rest_goes_on() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let labelled = NewTask {
        labels: vec!["provider:x".to_owned()],
        ..task("labelled")
    };
    let typed = NewTask {
        task_type: "review".to_owned(),
        ..task("typed")
    };
    let in_graph = queue.submit(graph(&[("a", &[]), ("b", &[])])).await?;
    let whole = in_graph.graph.expect("a graph");
    let ids = queue
        .submit(singles(&[labelled, typed, task("plain")]))
        .await?
        .tasks;
    let paused = [
        Paused::Graph(whole),
        Paused::Label("provider:x".to_owned()),
        Paused::Type("review".to_owned()),
    ];
    for what in &paused {
        let changed = queue.change_gates(&[pause(what.clone())]).await?.remove(0);
        let gate = changed.after.expect("paused");
        assert_eq!(gate.set_by, "operator");
        assert_eq!(gate.note.as_deref(), Some("deploy"));
    }
    assert_eq!(tasks_of(&agent.take(10).await?), [ids[2]]);
    assert!(agent.take(10).await?.is_empty());
    for (what, expected) in paused.into_iter().zip([2, 1, 1]) {
        queue.remove_gate(Gate::Pause(what)).await?;
        assert_eq!(agent.take(10).await?.len(), expected);
    }
    Ok(())
}

#[tokio::test]
async fn a_paused_namespace_or_agent_claims_nothing() -> Result<()> {
    let queue = Queue::new().await?;
    let (one, other) = (queue.agent("one").await?, queue.agent("other").await?);
    let ids = queue.submit(singles(&[task("a"), task("b")])).await?.tasks;
    queue
        .change_gates(&[pause(Paused::Agent("one".to_owned()))])
        .await?;
    assert!(one.take(1).await?.is_empty());
    assert_eq!(tasks_of(&other.take(1).await?), [ids[0]]);
    queue.change_gates(&[pause(Paused::Namespace)]).await?;
    assert!(other.take(1).await?.is_empty());
    queue
        .remove_gate(Gate::Pause(Paused::Agent("one".to_owned())))
        .await?;
    queue.remove_gate(Gate::Pause(Paused::Namespace)).await?;
    assert_eq!(tasks_of(&one.take(1).await?), [ids[1]]);
    Ok(())
}

/// A paused graph of many tasks costs the lane nothing: they leave it once, and come back.
#[tokio::test]
async fn many_paused_tasks_leave_the_lane_and_come_back() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let names: Vec<String> = (0..2500).map(|number| number.to_string()).collect();
    let tasks: Vec<(&str, &[usize])> = names.iter().map(|name| (name.as_str(), &[][..])).collect();
    let whole = queue.submit(graph(&tasks)).await?.graph.expect("a graph");
    queue.change_gates(&[pause(Paused::Graph(whole))]).await?;
    let plain = queue.submit_task(&task("plain")).await?;
    assert_eq!(tasks_of(&agent.take(1).await?), [plain]);
    queue.remove_gate(Gate::Pause(Paused::Graph(whole))).await?;
    let mut rounds = 0;
    while queue.keep_gates().await?.more {
        rounds += 1;
    }
    assert!(rounds < 10);
    assert_eq!(
        agent.take(100).await?.len(),
        99,
        "all the slots it has left"
    );
    assert_eq!(queue.keep_gates().await?.returned, 0);
    assert!(queue.store.find_gates(queue.ns).await?.is_empty());
    Ok(())
}

/// What runs goes on, and its agent hears that it may rest.
#[tokio::test]
async fn an_agent_hears_that_what_it_does_is_paused() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let submitted = queue.submit(graph(&[("a", &[])])).await?;
    let whole = submitted.graph.expect("a graph");
    let lease = agent.take_one().await?.lease;
    let mut heard = Vec::new();
    for what in [
        Paused::Graph(whole),
        Paused::Agent("agent".to_owned()),
        Paused::Namespace,
        Paused::Agent("other".to_owned()),
    ] {
        queue.change_gates(&[pause(what.clone())]).await?;
        let alive = agent.heartbeat(lease).await?.expect("alive");
        heard.push(alive.pause == Some(Gate::Pause(what.clone()).to_string()));
        assert_eq!(alive.stop, None);
        queue.remove_gate(Gate::Pause(what)).await?;
        let alive = agent.heartbeat(lease).await?.expect("alive");
        assert_eq!(alive.pause, None);
    }
    assert_eq!(heard, [true, true, true, false]);
    Ok(())
}

/// An edit makes it another task: it does not wait on for what it has no more to do with.
#[tokio::test]
async fn a_task_that_is_edited_leaves_the_gate_it_waited_at() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let labelled = NewTask {
        labels: vec!["provider:x".to_owned()],
        ..task("labelled")
    };
    let id = queue.submit_task(&labelled).await?;
    let label = Paused::Label("provider:x".to_owned());
    queue.change_gates(&[pause(label)]).await?;
    assert!(agent.take(1).await?.is_empty());
    let operation = EditTask {
        ns: queue.ns,
        task: id,
        version: 1,
        draft: &draft(&task("plain")),
        edited_by: "operator",
    };
    queue.store.run(&operation).await?.0.expect("it waits");
    assert_eq!(tasks_of(&agent.take(1).await?), [id]);
    Ok(())
}
