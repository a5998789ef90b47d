//! What a key for agents cannot do.

use anyhow::Result;
use workmill_core::policy::Profile;
use workmill_core::task::NewTask;
use workmill_protocol::agents::RegisterAgent;
use workmill_protocol::graphs::CreateGraph;
use workmill_protocol::role::Role;
use workmill_sdk::Client;
use workmill_testkit::factory::task;

use super::spawning;
use crate::actors::{Server, agent, claim, status};

fn for_agent(name: &str) -> NewTask {
    NewTask {
        target_agent: Some(name.to_owned()),
        ..task("for one")
    }
}

fn for_type(agent_type: &str) -> NewTask {
    NewTask {
        agent_type: Some(agent_type.to_owned()),
        ..task("for a kind")
    }
}

/// A-8 (part)
#[tokio::test]
async fn an_agents_key_creates_no_task_but_below_one_that_it_holds() -> Result<()> {
    let server = Server::start().await?;
    let (producer, worker, thief) = (
        server.client(Role::Producer).await?,
        server.client(Role::Agent).await?,
        server.client(Role::Agent).await?,
    );
    assert_eq!(status(worker.submit(vec![task("mine")]).await), 403);
    let graph = CreateGraph {
        title: "mine".to_owned(),
        draft: false,
        budget_usd: None,
        project_id: None,
        created_by: None,
        tasks: vec![task("mine")],
    };
    assert_eq!(status(worker.create_graph(&graph).await), 403);
    let parent = producer.submit(vec![task("parent")]).await?.tasks[0].id;
    worker.register(&agent("a")).await?;
    thief.register(&agent("thief")).await?;
    let lease = worker.claim(&claim("a", 0)).await?.remove(0).lease;
    let child = spawning(task("child"), false);
    assert_eq!(status(thief.spawn(lease, &child).await), 403);
    let spawned = worker.spawn(lease, &child).await?.tasks[0];
    assert_eq!(producer.task(spawned).await?.parent_id, Some(parent));
    worker.release(lease).await?;
    assert_eq!(status(worker.spawn(lease, &child).await), 409, "no longer");
    Ok(())
}

/// A-8 (part): of the workflow profile. The type of an agent is what it registers with: a key is not
/// bound to one.
#[tokio::test]
async fn an_agents_key_spawns_no_task_for_agents_that_are_not_its_own() -> Result<()> {
    let server = Server::start().await?;
    let (operator, worker, stranger) = (
        server.client(Role::Operator).await?,
        server.client(Role::Agent).await?,
        server.client(Role::Agent).await?,
    );
    let of_workflow = |title: &str| NewTask {
        profile: Profile::Workflow,
        ..task(title)
    };
    operator
        .submit(vec![of_workflow("one"), of_workflow("two")])
        .await?;
    let reviewer = RegisterAgent {
        agent_type: "reviewer".to_owned(),
        capabilities: vec!["review".to_owned()],
        ..agent("stranger")
    };
    stranger.register(&reviewer).await?;
    for (client, name) in [(&worker, "a"), (&worker, "sibling"), (&operator, "o")] {
        client.register(&agent(name)).await?;
    }
    let lease = worker.claim(&claim("a", 0)).await?.remove(0).lease;
    let token = worker.lease_token(lease).await?.token;
    let helper = Client::new(&server.url, &token)?;
    for client in [&worker, &helper] {
        for refused in [
            for_agent("stranger"),
            for_agent("nobody"),
            for_type("reviewer"),
        ] {
            assert_eq!(
                status(client.spawn(lease, &spawning(refused, false)).await),
                403
            );
        }
        let mut capable = task("whatever it requires");
        let required = &mut capable.spec.constraints.required_capabilities;
        required.push("review".to_owned());
        for taken in [
            capable,
            for_agent("a"),
            for_agent("sibling"),
            for_type("coder"),
            task("any"),
        ] {
            client.spawn(lease, &spawning(taken, false)).await?;
        }
    }
    let lease = operator.claim(&claim("o", 0)).await?.remove(0).lease;
    let cross = spawning(for_agent("stranger"), false);
    let handed = operator.spawn(lease, &cross).await?.tasks[0];
    let claimed = stranger.claim(&claim("stranger", 0)).await?;
    assert_eq!(claimed[0].task.id, handed, "what an operator has spawned");
    assert!(stranger.claim(&claim("stranger", 0)).await?.is_empty());
    Ok(())
}
