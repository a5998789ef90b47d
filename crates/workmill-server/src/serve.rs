//! Listening, and stopping without cutting anybody off.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::{Extension, Router};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_io_timeout::TimeoutStream;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;
use workmill_engine::Engine;

use crate::body::Pace;
use crate::hosts::{self, Hosts, OwnNames};
use crate::http_metrics::HttpMetrics;
use crate::open_streams::OpenStreams;
use crate::origins::{self, Origins};
use crate::request_memory::RequestMemory;
use crate::response_memory::{self, AnswerMemory};
use crate::{responses, routes};

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
    /// Who has not finished the TLS handshake, or sent the headers of the first request, by then is
    /// hung up on.
    pub longest_beginning: Duration,
    /// So long a connection may be idle between two requests.
    pub longest_idle: Duration,
    /// A client that reads nothing of its answer for so long is disconnected.
    pub longest_unread: Duration,
    /// Names that the server answers to besides those of its address.
    pub hosts: Hosts,
    /// Web pages from elsewhere that may call.
    pub origins: Origins,
    /// Whoever reaches the server may read its metrics, without a key.
    pub has_open_metrics: bool,
    /// A Unix socket to listen on as well, for callers on this machine. It is not encrypted, and its
    /// callers show keys like all others.
    pub socket: Option<Arc<UnixListener>>,
    /// Bytes for all requests under way whose bodies are over 16 KiB: for the bodies and for what
    /// they become. One namespace may take a quarter.
    pub request_memory: usize,
    /// Bytes for all answers over 16 KiB that are not read yet. One namespace may take a quarter.
    pub answer_memory: usize,
    /// How fast a body has to come.
    pub pace: Pace,
    /// Streams of events that one key may have open.
    pub most_streams: usize,
}

impl Default for Listening {
    fn default() -> Self {
        Listening {
            tls: None,
            most_connections: 10_000,
            longest_beginning: Duration::from_secs(10),
            // Longer than the usual minute of proxies and clients: who reuses a connection must not
            // find that the server has just closed it.
            longest_idle: Duration::from_secs(90),
            longest_unread: Duration::from_secs(30),
            hosts: Hosts::default(),
            origins: Origins::default(),
            has_open_metrics: false,
            socket: None,
            request_memory: 512 * 1024 * 1024,
            answer_memory: 512 * 1024 * 1024,
            pace: Pace::default(),
            most_streams: 64,
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
        let own_names = OwnNames::new(listener.local_addr()?, &self.hosts);
        let metrics = HttpMetrics::default();
        let memory = Arc::new(RequestMemory::new(self.request_memory));
        let app = routes::all(&engine, &metrics, self.has_open_metrics)
            .layer(from_fn_with_state(Arc::new(self.origins), origins::check))
            .layer(from_fn_with_state(own_names, hosts::check))
            .layer(Extension(memory))
            .layer(Extension(self.pace))
            .layer(Extension(OpenStreams::new(self.most_streams)))
            .layer(Extension(AnswerMemory::new(self.answer_memory)))
            .layer(from_fn(response_memory::keep))
            .layer(from_fn_with_state(metrics, responses::answer));
        let attendant = Attendant {
            app,
            tls: self.tls.map(TlsAcceptor::from),
            longest_beginning: self.longest_beginning,
            longest_idle: self.longest_idle,
            longest_unread: self.longest_unread,
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
                    tracing::debug!(error, "a connection failed");
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
    Port(TcpStream),
    Socket(UnixStream),
}

impl Entrances {
    async fn accept(&self) -> io::Result<Caller> {
        let port = async {
            let (stream, _peer) = self.port.accept().await?;
            Ok(Caller::Port(stream))
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

type ConnectionError = Box<dyn std::error::Error + Send + Sync>;

/// Looks after one connection.
#[derive(Clone)]
struct Attendant {
    app: Router,
    tls: Option<TlsAcceptor>,
    longest_beginning: Duration,
    longest_idle: Duration,
    longest_unread: Duration,
}

impl Attendant {
    async fn attend(self, caller: Caller, watcher: Watcher) -> Result<(), ConnectionError> {
        let stream = match caller {
            Caller::Port(stream) => stream,
            Caller::Socket(stream) => return self.talk(stream, watcher).await,
        };
        // Answers are small and somebody waits for them.
        stream.set_nodelay(true)?;
        let Some(tls) = self.tls.clone() else {
            return self.talk(stream, watcher).await;
        };
        let secured = timeout(self.longest_beginning, tls.accept(stream));
        self.talk(secured.await??, watcher).await
    }

    async fn talk(
        self,
        stream: impl AsyncRead + AsyncWrite + Unpin + 'static,
        watcher: Watcher,
    ) -> Result<(), ConnectionError> {
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(self.longest_unread));
        let app = self.app;
        let begun = CancellationToken::new();
        let has_begun = begun.clone();
        let service = service_fn(move |request: hyper::Request<Incoming>| {
            has_begun.cancel();
            let request: Request = request.map(Body::new);
            app.clone().oneshot(request)
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            // This time begins when the answer before was sent.
            .header_read_timeout(self.longest_idle)
            .max_buf_size(LARGEST_HEAD)
            .serve_connection(TokioIo::new(Box::pin(stream)), service);
        let mut talking = pin!(watcher.watch(connection));
        let first = timeout(self.longest_beginning, begun.cancelled());
        tokio::select! {
            ended = &mut talking => return Ok(ended?),
            first = first => first?,
        }
        Ok(talking.await?)
    }
}
