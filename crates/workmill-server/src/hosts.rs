//! Which names a request may call the server by.
//!
//! A page from elsewhere can give its own name the address of this machine (DNS rebinding). Its calls
//! then seem to come from the same origin, but their `Host` header still has that name. A server on a
//! loopback address answers only to the names of this machine, and to those that it was told.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::HOST;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use workmill_protocol::error::ErrorCode;

use crate::problem::Refused;

/// Names that the server answers to besides those of its address: `workmill.internal`.
#[derive(Debug, Clone, Default)]
pub struct Hosts(pub Vec<String>);

/// The names of one server; `None` where any will do.
#[derive(Debug, Clone)]
pub(crate) struct OwnNames(Option<Arc<[String]>>);

impl OwnNames {
    /// Without names that were told, a server that others can reach answers to any.
    pub(crate) fn new(address: SocketAddr, told: &Hosts) -> Self {
        if !address.ip().is_loopback() && told.0.is_empty() {
            return OwnNames(None);
        }
        let ip = match address.ip() {
            std::net::IpAddr::V6(ip) => format!("[{ip}]"),
            std::net::IpAddr::V4(ip) => ip.to_string(),
        };
        let own = ["localhost", "127.0.0.1", "[::1]", &ip].map(str::to_owned);
        let told = told.0.iter().map(|name| name.to_ascii_lowercase());
        OwnNames(Some(own.into_iter().chain(told).collect()))
    }

    fn contain(&self, host: &str) -> bool {
        let name = without_port(host).to_ascii_lowercase();
        self.0.as_ref().is_none_or(|names| names.contains(&name))
    }
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        // The colons of an IPv6 address are in brackets.
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

/// A request without a name is answered: browsers always send one.
pub(crate) async fn check(State(names): State<OwnNames>, request: Request, next: Next) -> Response {
    let header = request
        .headers()
        .get(HOST)
        .map(|host| host.to_str().unwrap_or("?"));
    let host = request.uri().host().or(header);
    match host {
        Some(host) if !names.contain(host) => {
            let host: String = without_port(host).chars().take(100).collect();
            Refused::new(ErrorCode::WrongHost, format!("this server is not `{host}`"))
                .hint("call it by an address that it listens on, or start it with `--allow-host`")
                .into_response()
        }
        _ => next.run(request).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(address: &str, told: &[&str]) -> OwnNames {
        let told = told.iter().map(ToString::to_string).collect();
        OwnNames::new(address.parse().unwrap(), &Hosts(told))
    }

    #[test]
    fn a_server_on_loopback_answers_to_its_own_names_only() {
        let own = names("127.0.0.1:7070", &["Board.example"]);
        for host in [
            "127.0.0.1:7070",
            "localhost",
            "LOCALHOST:1",
            "[::1]:7070",
            "board.example",
        ] {
            assert!(own.contain(host), "{host}");
        }
        for host in [
            "evil.example:7070",
            "127.0.0.1.evil.example",
            "",
            "[::2]",
            "localhost:x",
        ] {
            assert!(!own.contain(host), "{host}");
        }
        assert!(names("127.0.0.2:1", &[]).contain("127.0.0.2:1"));
    }

    #[test]
    fn a_server_that_others_reach_answers_to_any_name_unless_it_was_told_some() {
        assert!(names("0.0.0.0:7070", &[]).contain("anything"));
        let told = names("10.0.0.1:7070", &["work.example"]);
        assert!(told.contain("work.example:7070") && told.contain("10.0.0.1:7070"));
        assert!(!told.contain("evil.example"));
    }
}
