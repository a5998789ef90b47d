//! Taking the address that the server listens on, before anything slow happens.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use anyhow::{Context, Result};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use tokio::net::TcpListener;

use crate::arguments::ListenArguments;
use crate::configuration::variable;
use crate::exit::Exit;
use crate::output::Output;

const USUAL_PORT: u16 = 7070;

/// A taken address; nothing answers there yet.
#[derive(Debug)]
pub(crate) struct Listening {
    pub(crate) listener: TcpListener,
    /// How clients on this machine reach it.
    pub(crate) url: String,
}

/// With `any_port`, a free port does when nobody asked for a certain one and the usual is taken.
pub(crate) async fn bind(
    arguments: &ListenArguments,
    any_port: bool,
    output: Output,
) -> Result<Listening> {
    let asked = match arguments.port {
        Some(port) => Some(port),
        None => port_of_environment()?,
    };
    open_many_files();
    let host = arguments.host.as_str();
    let port = asked.unwrap_or(USUAL_PORT);
    let listener = match TcpListener::bind((host, port)).await {
        Err(error) if any_port && asked.is_none() && is_taken(&error) => {
            let listener = TcpListener::bind((host, 0)).await;
            let listener = listener.with_context(|| format!("cannot listen on {host}"))?;
            output.note(&format!("Port {port} is taken; using a free one instead."));
            listener
        }
        Err(error) => {
            let explanation = explanation(host, port, is_taken(&error));
            return Err(anyhow::Error::new(error).context(explanation));
        }
        Ok(listener) => listener,
    };
    let address = listener
        .local_addr()
        .context("cannot tell the own address")?;
    if !address.ip().is_loopback() {
        output.note(&format!(
            "Listening on {address}: other machines can reach this server. Every call needs a key."
        ));
    }
    Ok(Listening {
        listener,
        url: format!("http://{}", for_clients_here(address)),
    })
}

/// Every connection is an open file, and the usual limit is for programs that have few.
fn open_many_files() {
    let raised = getrlimit(Resource::RLIMIT_NOFILE)
        .and_then(|(_, most)| setrlimit(Resource::RLIMIT_NOFILE, most, most));
    if let Err(error) = raised {
        tracing::debug!(%error, "the limit of open files stays as it is");
    }
}

fn port_of_environment() -> Result<Option<u16>> {
    variable("PORT")
        .map(|text| {
            text.parse()
                .map_err(|_| Exit::Usage.because(format!("PORT is `{text}`, which is no port")))
        })
        .transpose()
}

fn is_taken(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::AddrInUse
}

fn explanation(host: &str, port: u16, is_taken: bool) -> String {
    let remedy = if is_taken {
        ": another program has that port, perhaps another Workmill; choose a free one with --port"
    } else {
        ""
    };
    format!("cannot listen on {host}:{port}{remedy}")
}

/// "Any address" is where a server listens, not where it is called.
fn for_clients_here(mut address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    address
}
