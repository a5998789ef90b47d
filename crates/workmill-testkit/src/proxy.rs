//! A proxy to a database: counts the statements that go through it, and can lose answers.

use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use anyhow::{Context, Result};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::task::JoinHandle;
use tokio_postgres::Config;
use tokio_postgres::config::Host;

/// It is there as long as this value lives.
#[derive(Debug)]
pub struct Proxy {
    url: String,
    traffic: Arc<Traffic>,
    passing: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Traffic {
    statements: AtomicU64,
    loses_a_commit: AtomicBool,
}

impl Proxy {
    pub async fn in_front_of(url: &str) -> Result<Proxy> {
        let database: Config = url.parse()?;
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let mut proxy = format!("host=127.0.0.1 port={}", listener.local_addr()?.port());
        if let Some(user) = database.get_user() {
            write!(proxy, " user='{user}'")?;
        }
        if let Some(password) = database.get_password() {
            let password = String::from_utf8(password.to_vec())?;
            write!(proxy, " password='{password}'")?;
        }
        if let Some(name) = database.get_dbname() {
            write!(proxy, " dbname='{name}'")?;
        }
        let traffic = Arc::new(Traffic::default());
        let passing = tokio::spawn(pass(listener, database, Arc::clone(&traffic)));
        Ok(Proxy {
            url: proxy,
            traffic,
            passing,
        })
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    /// How many there were so far: queries, and executions of prepared statements.
    pub fn statements(&self) -> u64 {
        self.traffic.statements.load(Ordering::Relaxed)
    }

    /// The answer to the next commit is withheld, and its connection ends.
    pub fn lose_a_commit(&self) {
        self.traffic.loses_a_commit.store(true, Ordering::SeqCst);
    }

    /// Whether the answer to a commit is still to be lost.
    pub fn will_lose_a_commit(&self) -> bool {
        self.traffic.loses_a_commit.load(Ordering::SeqCst)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.passing.abort();
    }
}

async fn pass(listener: TcpListener, database: Config, traffic: Arc<Traffic>) {
    while let Ok((client, _)) = listener.accept().await {
        let (database, traffic) = (database.clone(), Arc::clone(&traffic));
        tokio::spawn(async move {
            // Whoever hangs up, the connection ends.
            let _ = pass_on(client, &database, &traffic).await;
        });
    }
}

async fn pass_on(client: TcpStream, database: &Config, traffic: &Traffic) -> Result<()> {
    let port = database.get_ports().first().copied().unwrap_or(5432);
    match database.get_hosts().first().context("no host")? {
        Host::Unix(folder) => {
            let socket = folder.join(format!(".s.PGSQL.{port}"));
            between(client, UnixStream::connect(socket).await?, traffic).await
        }
        Host::Tcp(host) => {
            let server = TcpStream::connect((host.as_str(), port)).await?;
            between(client, server, traffic).await
        }
    }
}

async fn between(
    client: TcpStream,
    server: impl AsyncRead + AsyncWrite,
    traffic: &Traffic,
) -> Result<()> {
    client.set_nodelay(true)?;
    let (mut asks, mut hears) = client.into_split();
    let (mut answers, mut to_server) = tokio::io::split(server);
    let back = pass_back(&mut answers, &mut hears, traffic);
    let forth = async {
        // The first message has no letter in front of its length.
        let start = asks.read_u32().await?;
        forward(&mut asks, &mut to_server, None, start).await?;
        loop {
            let letter = asks.read_u8().await?;
            if matches!(letter, b'Q' | b'E') {
                traffic.statements.fetch_add(1, Ordering::Relaxed);
            }
            let length = asks.read_u32().await?;
            forward(&mut asks, &mut to_server, Some(letter), length).await?;
        }
    };
    tokio::select! {
        passed = forth => passed,
        ended = back => ended,
    }
}

async fn pass_back(
    from: &mut (impl AsyncRead + Unpin),
    to: &mut (impl AsyncWrite + Unpin),
    traffic: &Traffic,
) -> Result<()> {
    let mut answers = vec![0; 64 * 1024];
    loop {
        let length = from.read(&mut answers).await?;
        if length == 0 {
            return Ok(());
        }
        let answers = &answers[..length];
        let is_commit = || {
            answers
                .windows(COMMITTED.len())
                .any(|part| part == COMMITTED)
        };
        if traffic.loses_a_commit.load(Ordering::SeqCst)
            && is_commit()
            && traffic.loses_a_commit.swap(false, Ordering::SeqCst)
        {
            return Ok(());
        }
        to.write_all(answers).await?;
    }
}

/// What PostgreSQL says when it has committed.
const COMMITTED: &[u8] = b"COMMIT\0";

/// Passes on a message whose length counts itself.
async fn forward(
    from: &mut (impl AsyncRead + Unpin),
    to: &mut (impl AsyncWrite + Unpin),
    letter: Option<u8>,
    length: u32,
) -> Result<()> {
    let mut message = Vec::new();
    message.extend(letter);
    message.extend(length.to_be_bytes());
    let head = message.len();
    message.resize(head + (length as usize).saturating_sub(4), 0);
    from.read_exact(&mut message[head..]).await?;
    Ok(to.write_all(&message).await?)
}
