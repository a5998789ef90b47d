//! Counts the statements that go to a database, by passing them on.

use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::task::JoinHandle;
use tokio_postgres::Config;
use tokio_postgres::config::Host;

/// A door to a database, as long as this value lives.
#[derive(Debug)]
pub struct Counted {
    url: String,
    statements: Arc<AtomicU64>,
    passing: JoinHandle<()>,
}

impl Counted {
    pub async fn in_front_of(url: &str) -> Result<Counted> {
        let database: Config = url.parse()?;
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let mut door = format!("host=127.0.0.1 port={}", listener.local_addr()?.port());
        if let Some(user) = database.get_user() {
            write!(door, " user='{user}'")?;
        }
        if let Some(password) = database.get_password() {
            let password = String::from_utf8(password.to_vec())?;
            write!(door, " password='{password}'")?;
        }
        if let Some(name) = database.get_dbname() {
            write!(door, " dbname='{name}'")?;
        }
        let statements = Arc::new(AtomicU64::new(0));
        let passing = tokio::spawn(pass(listener, database, Arc::clone(&statements)));
        Ok(Counted {
            url: door,
            statements,
            passing,
        })
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    /// How many there were so far: queries, and executions of prepared statements.
    pub fn statements(&self) -> u64 {
        self.statements.load(Ordering::Relaxed)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.passing.abort();
    }
}

async fn pass(listener: TcpListener, database: Config, statements: Arc<AtomicU64>) {
    while let Ok((client, _)) = listener.accept().await {
        let (database, statements) = (database.clone(), Arc::clone(&statements));
        tokio::spawn(async move {
            // Whoever hangs up, the connection ends.
            let _ = pass_on(client, &database, &statements).await;
        });
    }
}

async fn pass_on(client: TcpStream, database: &Config, statements: &AtomicU64) -> Result<()> {
    let port = database.get_ports().first().copied().unwrap_or(5432);
    match database.get_hosts().first().context("no host")? {
        Host::Unix(folder) => {
            let socket = folder.join(format!(".s.PGSQL.{port}"));
            between(client, UnixStream::connect(socket).await?, statements).await
        }
        Host::Tcp(host) => {
            let server = TcpStream::connect((host.as_str(), port)).await?;
            between(client, server, statements).await
        }
    }
}

async fn between(
    client: TcpStream,
    server: impl AsyncRead + AsyncWrite,
    statements: &AtomicU64,
) -> Result<()> {
    client.set_nodelay(true)?;
    let (mut asks, mut hears) = client.into_split();
    let (mut answers, mut to_server) = tokio::io::split(server);
    let back = tokio::io::copy(&mut answers, &mut hears);
    let forth = async {
        // The first message has no letter in front of its length.
        let start = asks.read_u32().await?;
        forward(&mut asks, &mut to_server, None, start).await?;
        loop {
            let letter = asks.read_u8().await?;
            if matches!(letter, b'Q' | b'E') {
                statements.fetch_add(1, Ordering::Relaxed);
            }
            let length = asks.read_u32().await?;
            forward(&mut asks, &mut to_server, Some(letter), length).await?;
        }
    };
    tokio::select! {
        passed = forth => passed,
        ended = back => Ok(ended.map(drop)?),
    }
}

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
