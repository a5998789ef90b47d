//! Connections: who is let in, for how long, and what every answer carries.

use std::time::Duration;

use anyhow::Result;
use reqwest::header::HeaderMap;
use reqwest::{Certificate, Method, StatusCode};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use workmill_server::{Hosts, Listening, Origins, TlsError, read_certificates};

use crate::actors::Server;

const HEALTH: &str = "GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n";

async fn connect(server: &Server) -> Result<TcpStream> {
    Ok(TcpStream::connect(server.url.trim_start_matches("http://")).await?)
}

/// What is read until the server hangs up or, with `end`, until that was read.
async fn read(stream: &mut TcpStream, end: Option<&str>) -> Result<String> {
    let mut text = Vec::new();
    loop {
        let read = stream.read_buf(&mut text).await?;
        let so_far = String::from_utf8_lossy(&text);
        if read == 0 || end.is_some_and(|end| so_far.contains(end)) {
            return Ok(so_far.into_owned());
        }
    }
}

#[tokio::test]
async fn who_sends_half_a_request_is_hung_up_on() -> Result<()> {
    let server = Server::start_listening(Listening {
        longest_beginning: Duration::from_millis(100),
        ..Listening::default()
    })
    .await?;
    let mut stream = connect(&server).await?;
    stream.write_all(b"GET /health HTT").await?;
    let answer = tokio::time::timeout(Duration::from_secs(10), read(&mut stream, None)).await??;
    assert!(!answer.contains("200 OK"), "{answer}");
    Ok(())
}

/// A kept connection may be idle for longer than the beginning of the first request may take.
#[tokio::test]
async fn a_connection_lives_on_between_requests() -> Result<()> {
    assert!(Listening::default().longest_idle >= Duration::from_secs(75));
    let server = Server::start_listening(Listening {
        longest_beginning: Duration::from_millis(200),
        ..Listening::default()
    })
    .await?;
    let mut stream = connect(&server).await?;
    stream.write_all(HEALTH.as_bytes()).await?;
    read(&mut stream, Some("\"ok\"")).await?;
    let idle = tokio::time::timeout(Duration::from_millis(500), stream.read_u8()).await;
    assert!(idle.is_err(), "nothing comes, and nothing ends");
    stream.write_all(HEALTH.as_bytes()).await?;
    read(&mut stream, Some("\"ok\"")).await?;
    Ok(())
}

/// A page from elsewhere can give its own name the address of this machine.
#[tokio::test]
async fn a_server_on_loopback_answers_to_its_own_names_only() -> Result<()> {
    let server = Server::start_listening(Listening {
        hosts: Hosts(vec!["board.example".to_owned()]),
        ..Listening::default()
    })
    .await?;
    for host in ["localhost", "127.0.0.1:1", "[::1]", "Board.Example:7070"] {
        let (status, _) = call(&server, Method::GET, &[("host", host)]).await?;
        assert_eq!(status, StatusCode::OK, "{host}");
    }
    let foreign = "evil.example";
    let origin = format!("http://{foreign}");
    let headers = [("host", foreign), ("origin", origin.as_str())];
    let (status, headers) = call(&server, Method::GET, &headers).await?;
    assert_eq!(status, StatusCode::MISDIRECTED_REQUEST);
    assert_eq!(headers["content-type"], "application/problem+json");
    Ok(())
}

#[tokio::test]
async fn headers_that_are_too_large_are_refused() -> Result<()> {
    let server = Server::start().await?;
    let mut stream = connect(&server).await?;
    let large = format!(
        "GET /health HTTP/1.1\r\nx: {}\r\n\r\n",
        "y".repeat(1_000_000)
    );
    // The server may hang up before it has read all of it.
    let _ = stream.write_all(large.as_bytes()).await;
    let answer = read(&mut stream, None).await.unwrap_or_default();
    assert!(
        answer.is_empty() || answer.starts_with("HTTP/1.1 431"),
        "{answer}"
    );
    Ok(())
}

#[tokio::test]
async fn beyond_the_most_connections_the_next_one_waits_for_a_free_place() -> Result<()> {
    let server = Server::start_listening(Listening {
        most_connections: 1,
        ..Listening::default()
    })
    .await?;
    let mut first = connect(&server).await?;
    first.write_all(HEALTH.as_bytes()).await?;
    read(&mut first, Some("\"ok\"")).await?;
    let mut second = connect(&server).await?;
    second.write_all(HEALTH.as_bytes()).await?;
    let waits = Duration::from_millis(200);
    let early = tokio::time::timeout(waits, read(&mut second, Some("\"ok\""))).await;
    assert!(early.is_err(), "the first one still has the only place");
    drop(first);
    read(&mut second, Some("\"ok\"")).await?;
    Ok(())
}

async fn call(
    server: &Server,
    method: Method,
    headers: &[(&str, &str)],
) -> Result<(StatusCode, HeaderMap)> {
    let mut request = reqwest::Client::new().request(method, format!("{}/health", server.url));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = request.send().await?;
    Ok((response.status(), response.headers().clone()))
}

#[tokio::test]
async fn every_answer_carries_the_id_of_its_request() -> Result<()> {
    let server = Server::start().await?;
    let (_, headers) = call(&server, Method::GET, &[("x-request-id", "mine-1")]).await?;
    assert_eq!(headers["x-request-id"], "mine-1");
    let (_, one) = call(&server, Method::GET, &[]).await?;
    let (_, other) = call(&server, Method::DELETE, &[]).await?;
    assert_ne!(one["x-request-id"], other["x-request-id"]);
    Ok(())
}

#[tokio::test]
async fn pages_from_elsewhere_may_call_only_when_they_are_named() -> Result<()> {
    const BOARD: &str = "https://board.example";
    let server = Server::start_listening(Listening {
        origins: Origins(vec![BOARD.to_owned()]),
        ..Listening::default()
    })
    .await?;
    let own = server.url.clone();
    let (status, headers) = call(&server, Method::GET, &[("origin", &own)]).await?;
    assert_eq!(status, StatusCode::OK);
    assert!(!headers.contains_key("access-control-allow-origin"));
    for foreign in ["https://evil.example", "null", "https://board.example.evil"] {
        let (status, headers) = call(&server, Method::GET, &[("origin", foreign)]).await?;
        assert_eq!(status, StatusCode::FORBIDDEN, "{foreign}");
        assert_eq!(headers["content-type"], "application/problem+json");
        assert!(!headers.contains_key("access-control-allow-origin"));
    }
    let (status, headers) = call(&server, Method::GET, &[("origin", BOARD)]).await?;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(headers["access-control-allow-origin"], BOARD);
    assert_eq!(headers["vary"], "origin");
    let asks = [("origin", BOARD), ("access-control-request-method", "POST")];
    let (status, headers) = call(&server, Method::OPTIONS, &asks).await?;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert!(
        headers["access-control-allow-headers"]
            .to_str()?
            .contains("authorization")
    );
    Ok(())
}

#[tokio::test]
async fn with_certificates_https_is_spoken_and_nothing_else() -> Result<()> {
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()])?;
    let folder = tempfile::tempdir()?;
    let (chain, key) = (
        folder.path().join("chain.pem"),
        folder.path().join("key.pem"),
    );
    std::fs::write(&chain, made.cert.pem())?;
    std::fs::write(&key, made.signing_key.serialize_pem())?;
    let server = Server::start_listening(Listening {
        tls: Some(read_certificates(&chain, &key)?),
        ..Listening::default()
    })
    .await?;
    let client = reqwest::Client::builder()
        .tls_certs_only([Certificate::from_pem(made.cert.pem().as_bytes())?])
        .build()?;
    let url = server.url.replace("http://", "https://");
    assert_eq!(
        client.get(format!("{url}/health")).send().await?.status(),
        StatusCode::OK
    );
    assert!(
        call(&server, Method::GET, &[]).await.is_err(),
        "in the clear"
    );
    assert!(matches!(
        read_certificates(&key, &key),
        Err(TlsError::NoCertificate(_))
    ));
    let other = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()])?;
    std::fs::write(&key, other.signing_key.serialize_pem())?;
    assert!(matches!(
        read_certificates(&chain, &key),
        Err(TlsError::Unusable(_))
    ));
    Ok(())
}
