//! Many leases in one call, each answered for itself.

use anyhow::Result;
use reqwest::Method;
use serde_json::{Value, json};
use workmill_core::ids::LeaseId;
use workmill_core::lifecycle::State;
use workmill_protocol::batches::{LeaseHeartbeat, LeaseSettlement, SendHeartbeats, SettleLeases};
use workmill_protocol::error::ErrorCode;
use workmill_protocol::leases::{CompleteTask, Directive};
use workmill_protocol::role::Role;
use workmill_sdk::Client;
use workmill_testkit::factory::task;

use crate::actors::{Server, agent, claim, status};
use crate::refusals::Raw;

async fn leases(client: &Client, count: usize) -> Result<Vec<LeaseId>> {
    let tasks = (0..count).map(|nth| task(&format!("t{nth}"))).collect();
    client.submit(tasks).await?;
    let mut worker = agent("ann");
    worker.max_concurrent_tasks = i32::try_from(count)?;
    client.register(&worker).await?;
    let mut request = claim("ann", 0);
    request.max = worker.max_concurrent_tasks;
    let claimed = client.claim(&request).await?;
    assert_eq!(claimed.len(), count);
    Ok(claimed.into_iter().map(|claimed| claimed.lease).collect())
}

fn complete(lease: LeaseId, output: &Value) -> LeaseSettlement {
    let complete: CompleteTask =
        serde_json::from_str(&json!({ "output": output }).to_string()).expect("a completion");
    LeaseSettlement {
        lease: lease.to_string(),
        complete: Some(complete),
        ..LeaseSettlement::default()
    }
}

#[tokio::test]
async fn a_thousand_leases_are_renewed_and_ended_in_a_call_each() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    let leases = leases(&client, 1000).await?;
    let heartbeats = leases.iter().map(|lease| LeaseHeartbeat {
        lease: lease.to_string(),
        ..LeaseHeartbeat::default()
    });
    let heartbeats = SendHeartbeats {
        heartbeats: heartbeats.collect(),
    };
    let answers = client.heartbeats(&heartbeats).await?.items;
    let named: Vec<String> = answers.iter().map(|answer| answer.lease.clone()).collect();
    let asked: Vec<String> = leases.iter().map(ToString::to_string).collect();
    assert_eq!(named, asked, "in the order of the request");
    for answer in answers {
        let alive = answer.result.expect("it is alive");
        assert_eq!(alive.directive, Directive::Continue);
    }
    let settlements = leases.iter().map(|lease| complete(*lease, &json!(1)));
    let settlements = SettleLeases {
        settlements: settlements.collect(),
    };
    for answer in client.settlements(&settlements).await?.items {
        assert_eq!(
            answer.result.map(|settled| settled.status),
            Some(State::Completed)
        );
    }
    Ok(())
}

#[tokio::test]
async fn what_is_wrong_with_one_lease_is_no_trouble_for_the_others() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    let leases = leases(&client, 6).await?;
    let failing: LeaseSettlement = serde_json::from_value(json!({
        "lease": leases[1], "fail": {"reason": "not_found", "message": "no such file"},
    }))?;
    let reserved: LeaseSettlement = serde_json::from_value(json!({
        "lease": leases[5], "fail": {"reason": "heartbeat_timeout"},
    }))?;
    let settlements = vec![
        complete(leases[0], &json!("a")),
        failing,
        serde_json::from_value(json!({"lease": leases[2], "release": {}}))?,
        serde_json::from_value(json!({"lease": leases[3], "block": {"waits_for": "input"}}))?,
        LeaseSettlement {
            lease: leases[4].to_string(),
            ..LeaseSettlement::default()
        },
        reserved,
        LeaseSettlement {
            lease: "nonsense".to_owned(),
            ..complete(leases[4], &json!(1))
        },
        // Said again, and then otherwise: the first word counts.
        complete(leases[0], &json!("a")),
        complete(leases[0], &json!("b")),
    ];
    let settlements = SettleLeases { settlements };
    let answers = client.settlements(&settlements).await?.items;
    let status = |place: usize| answers[place].result.as_ref().map(|result| result.status);
    let code = |place: usize| answers[place].problem.as_ref().map(|problem| problem.code);
    assert_eq!(status(0), Some(State::Completed));
    assert_eq!(status(1), Some(State::DeadLettered));
    assert_eq!(status(2), Some(State::Ready));
    assert_eq!(status(3), Some(State::Blocked));
    assert_eq!(code(4), Some(ErrorCode::Invalid));
    assert_eq!(code(5), Some(ErrorCode::Invalid));
    assert_eq!(code(6), Some(ErrorCode::NotFound));
    assert_eq!(status(7), Some(State::Completed));
    assert_eq!(code(8), Some(ErrorCode::LeaseLost));
    assert_eq!(client.task(leases[4].task).await?.status, State::Running);

    let heartbeats = SendHeartbeats {
        heartbeats: vec![
            serde_json::from_value(json!({"lease": leases[4], "progress": {"percent": 40}}))?,
            serde_json::from_value(json!({"lease": leases[0]}))?,
            serde_json::from_value(json!({"lease": leases[4], "usage": {"cost_usd": -1}}))?,
        ],
    };
    let answers = client.heartbeats(&heartbeats).await?.items;
    assert!(answers[0].result.is_some());
    let code = |place: usize| answers[place].problem.as_ref().map(|problem| problem.code);
    assert_eq!(code(1), Some(ErrorCode::LeaseLost));
    assert_eq!(code(2), Some(ErrorCode::Invalid));
    let running = client.task(leases[4].task).await?.claim.expect("it runs");
    assert_eq!(running.progress, Some(json!({"percent": 40})));
    Ok(())
}

#[tokio::test]
async fn a_batch_that_cannot_be_read_changes_nothing_and_foreign_leases_are_lost() -> Result<()> {
    let server = Server::start().await?;
    let client = server.client(Role::Admin).await?;
    let lease = leases(&client, 1).await?[0];
    let raw = Raw::new(&server, Role::Admin).await?;
    for (path, body) in [
        ("/v1/heartbeats", json!({"heartbeats": []})),
        (
            "/v1/heartbeats",
            json!({"heartbeats": vec![json!({"lease": lease}); 1001]}),
        ),
        (
            "/v1/heartbeats",
            json!({"heartbeats": [{"lease": lease, "colour": 1}]}),
        ),
        ("/v1/settlements", json!({"settlements": []})),
        (
            "/v1/settlements",
            json!({"settlements": [{"lease": lease, "complete": {}}, {"lease": lease, "complete": {"outputs": 1}}]}),
        ),
        (
            "/v1/settlements",
            json!({"settlements": [{"complete": {}}]}),
        ),
    ] {
        let (status, problem) = raw.call(Method::POST, path, &body.to_string()).await?;
        assert_eq!(
            (status.as_u16(), &problem["code"]),
            (400, &json!("invalid")),
            "{body}"
        );
    }
    assert_eq!(client.task(lease.task).await?.status, State::Running);
    let settlements = SettleLeases {
        settlements: vec![complete(lease, &json!(1))],
    };
    let foreign = server.foreign_client(Role::Operator).await?;
    let problem = foreign
        .settlements(&settlements)
        .await?
        .items
        .remove(0)
        .problem;
    let single = foreign.complete(lease, &serde_json::from_str("{}")?).await;
    assert_eq!(problem.map(|problem| problem.status), Some(status(single)));
    assert_eq!(client.task(lease.task).await?.status, State::Running);
    let producer = server.client(Role::Producer).await?;
    assert_eq!(status(producer.settlements(&settlements).await), 403);
    Ok(())
}
