//! Another namespace's things do not exist.

use anyhow::Result;
use workmill_protocol::graphs::CreateGraph;
use workmill_protocol::leases::SendHeartbeat;
use workmill_protocol::role::Role;
use workmill_sdk::ClientError;
use workmill_testkit::factory::task;

use crate::actors::{Server, agent, claim};

fn status<T>(answer: Result<T, ClientError>) -> u16 {
    match answer {
        Err(ClientError::Refused(problem)) => problem.status,
        Err(error) => panic!("{error}"),
        Ok(_) => 200,
    }
}

#[tokio::test]
async fn foreign_ids_and_foreign_leases_answer_404() -> Result<()> {
    let server = Server::start().await?;
    let (mine, foreign) = (
        server.client(Role::Admin).await?,
        server.foreign_client(Role::Operator).await?,
    );
    let id = mine.submit(vec![task("secret")]).await?.tasks[0].id;
    let graph = CreateGraph {
        draft: false,
        budget_usd: None,
        project_id: None,
        created_by: None,
        title: "g".to_owned(),
        tasks: vec![task("secret")],
    };
    let graph = mine.create_graph(&graph).await?.id;
    mine.register(&agent("a")).await?;
    let lease = mine.claim(&claim("a", 0)).await?.remove(0).lease;

    assert_eq!(status(foreign.task(id).await), 404);
    assert_eq!(status(foreign.explain(id).await), 404);
    assert_eq!(status(foreign.graph(graph).await), 404);
    assert_eq!(
        status(foreign.claim(&claim("a", 0)).await),
        404,
        "the agent is not theirs"
    );
    assert_eq!(
        status(foreign.heartbeat(lease, &SendHeartbeat::default()).await),
        404
    );
    assert_eq!(status(foreign.release(lease).await), 404);
    foreign.register(&agent("a")).await?;
    assert!(
        foreign.claim(&claim("a", 0)).await?.is_empty(),
        "nothing to claim over there"
    );
    mine.heartbeat(lease, &SendHeartbeat::default()).await?;
    Ok(())
}
