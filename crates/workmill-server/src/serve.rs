//! Listening, and stopping without cutting anybody off.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::middleware::from_fn_with_state;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio::sync::Semaphore;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;
use workmill_engine::Engine;

use crate::body::LARGEST_BODY;
use crate::http_metrics::HttpMetrics;
use crate::origins::{self, Origins};
use crate::{answering, room, routes};

/// For the request line and all headers.
const LARGEST_HEAD: usize = 64 * 1024;

/// How long to wait when no connection can be taken: mostly there are no file handles left.
const PAUSE: Duration = Duration::from_millis(100);

/// How the server listens.
#[derive(Debug, Clone)]
pub struct Listening {
    /// Without it, HTTP is spoken in the clear.
    pub tls: Option<Arc<ServerConfig>>,
    /// Whoever comes beyond that waits until somebody has hung up.
    pub most_connections: usize,
    /// Who has not finished the TLS handshake, or sent the headers of a request, by then is hung up
    /// on.
    pub longest_beginning: Duration,
    /// Web pages from elsewhere that may call.
    pub origins: Origins,
    /// Whoever reaches the server may read its metrics, without a key.
    pub has_open_metrics: bool,
    /// A Unix socket to listen on as well, for callers on this machine. It is not encrypted, and its
    /// callers show keys like all others.
    pub socket: Option<Arc<UnixListener>>,
    /// Bytes of the bodies of all requests under way, beyond the first 16 KiB of each.
    pub room_for_bodies: usize,
}

impl Default for Listening {
    fn default() -> Self {
        Listening {
            tls: None,
            most_connections: 10_000,
            longest_beginning: Duration::from_secs(10),
            origins: Origins::default(),
            has_open_metrics: false,
            socket: None,
            room_for_bodies: 2 * LARGEST_BODY,
        }
    }
}

impl Listening {
    /// Answers requests until told to stop; then those under way are answered, and those that wait
    /// for work are sent home.
    pub async fn serve(
        self,
        listener: TcpListener,
        engine: Arc<Engine>,
        stop: CancellationToken,
    ) -> io::Result<()> {
        let metrics = HttpMetrics::default();
        let room_for_bodies = Arc::new(Semaphore::new(self.room_for_bodies));
        let app = routes::all(&engine, &metrics, self.has_open_metrics)
            .layer(from_fn_with_state(Arc::new(self.origins), origins::check))
            .layer(from_fn_with_state(room_for_bodies, room::keep))
            .layer(from_fn_with_state(metrics, answering::answer));
        let attendant = Attendant {
            app,
            tls: self.tls.map(TlsAcceptor::from),
            longest_beginning: self.longest_beginning,
        };
        let entrances = Entrances {
            port: listener,
            socket: self.socket,
        };
        let seats = Arc::new(Semaphore::new(self.most_connections));
        let connections = GracefulShutdown::new();
        loop {
            let accepted = async {
                let seat = Arc::clone(&seats).acquire_owned().await;
                (seat, entrances.accept().await)
            };
            let (seat, accepted) = tokio::select! {
                () = stop.cancelled() => break,
                accepted = accepted => accepted,
            };
            let caller = match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be taken");
                    tokio::time::sleep(PAUSE).await;
                    continue;
                }
            };
            let (attendant, watcher) = (attendant.clone(), connections.watcher());
            tokio::spawn(async move {
                let _seat = seat;
                if let Err(error) = attendant.attend(caller, watcher).await {
                    tracing::debug!(error, "a connection ended badly");
                }
            });
        }
        // Nobody is kept waiting in the backlog of a server that goes.
        drop(entrances);
        engine.stop_waiting();
        connections.shutdown().await;
        Ok(())
    }
}

/// Where callers come in.
struct Entrances {
    port: TcpListener,
    socket: Option<Arc<UnixListener>>,
}

enum Caller {
    Port(TcpStream, SocketAddr),
    Socket(UnixStream),
}

impl Entrances {
    async fn accept(&self) -> io::Result<Caller> {
        let port = async {
            let (stream, peer) = self.port.accept().await?;
            Ok(Caller::Port(stream, peer))
        };
        let Some(socket) = &self.socket else {
            return port.await;
        };
        tokio::select! {
            caller = port => caller,
            accepted = socket.accept() => Ok(Caller::Socket(accepted?.0)),
        }
    }
}

/// Stands for the address of callers through the socket: they are on this machine.
const THIS_MACHINE: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

type ConnectionError = Box<dyn std::error::Error + Send + Sync>;

/// Looks after one connection.
#[derive(Clone)]
struct Attendant {
    app: Router,
    tls: Option<TlsAcceptor>,
    longest_beginning: Duration,
}

impl Attendant {
    async fn attend(self, caller: Caller, watcher: Watcher) -> Result<(), ConnectionError> {
        let (stream, peer) = match caller {
            Caller::Port(stream, peer) => (stream, peer),
            Caller::Socket(stream) => return self.talk(stream, THIS_MACHINE, watcher).await,
        };
        // Answers are small and somebody waits for them.
        stream.set_nodelay(true)?;
        let Some(tls) = self.tls.clone() else {
            return self.talk(stream, peer, watcher).await;
        };
        let secured = tokio::time::timeout(self.longest_beginning, tls.accept(stream));
        self.talk(secured.await??, peer, watcher).await
    }

    async fn talk(
        self,
        stream: impl AsyncRead + AsyncWrite + Unpin + 'static,
        peer: SocketAddr,
        watcher: Watcher,
    ) -> Result<(), ConnectionError> {
        let app = self.app;
        let service = service_fn(move |request: hyper::Request<Incoming>| {
            let mut request: Request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            app.clone().oneshot(request)
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.longest_beginning)
            .max_buf_size(LARGEST_HEAD)
            .serve_connection(TokioIo::new(stream), service);
        Ok(watcher.watch(connection).await?)
    }
}
