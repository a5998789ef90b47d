//! Which calls are sent again after a lost reply, tried with a server that reads each request and
//! closes the connection.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::value::RawValue;
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;
use workmill_core::ids::ProjectId;
use workmill_core::money::Micros;
use workmill_protocol::projects::ChangeProject;

use super::*;

/// Starts the server; returns its address and how many requests it has read.
async fn mute_server() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let requests = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&requests);
    tokio::spawn(async move {
        loop {
            let (mut connection, _) = listener.accept().await.unwrap();
            let mut bytes = [0; 4096];
            if connection.read(&mut bytes).await.unwrap() > 0 {
                counted.fetch_add(1, Ordering::SeqCst);
            }
        }
    });
    (url, requests)
}

/// Calls with patience for two attempts; returns how many the server has read.
async fn attempts<T: std::fmt::Debug>(
    call: impl AsyncFnOnce(Client) -> Result<T, ClientError>,
) -> usize {
    let (url, requests) = mute_server().await;
    let client = Client::new(&url, "").unwrap();
    let error = call(client.with_patience(Duration::from_millis(100))).await;
    assert!(error.unwrap_err().may_have_been_done());
    requests.load(Ordering::SeqCst)
}

#[tokio::test]
async fn a_change_is_not_sent_again_after_a_lost_reply() {
    let change = ChangeAgent {
        budget_remaining_usd: Some(Micros(1_000_000)),
        ..ChangeAgent::default()
    };
    let sent = attempts(async |client| client.change_agent("a", &change).await).await;
    assert_eq!(sent, 1, "the budget of an agent");
    let patch = RawValue::from_string(r#"{"priority": 10}"#.to_owned()).unwrap();
    for version in [None, Some(1)] {
        let sent = attempts(async |client| client.edit_task("key", &patch, version).await).await;
        assert_eq!(sent, 1, "a task, of version {version:?}");
    }
    let id = ProjectId(Uuid::nil());
    let change = ChangeProject::default();
    let sent = attempts(async |client| client.change_project(id, &change).await).await;
    assert_eq!(sent, 1, "a project");
}

#[tokio::test]
async fn a_read_is_sent_again_after_a_lost_reply() {
    let sent = attempts(async |client| client.agent("a").await).await;
    assert!(sent > 1, "{sent}");
}
