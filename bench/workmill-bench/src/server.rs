//! The PostgreSQL that everything runs on, and what is known about the machine.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use tokio_postgres::{Client, NoTls};
use workmill_local_postgres::{Cluster, Owner, Settings};

/// As in the table that the targets come from.
const SETTINGS: &str = "shared_buffers = '1GB'\nmax_wal_size = '4GB'\n";

pub enum Server {
    Own {
        cluster: Option<Box<Cluster>>,
        _owner: Owner,
        folder: PathBuf,
    },
    Given {
        url: String,
    },
}

impl Server {
    /// The one that `DATABASE_URL` names, or a durable one of its own in a temporary folder.
    pub fn start(with_statistics: bool) -> Result<Server> {
        if let Some(url) = std::env::var("DATABASE_URL")
            .ok()
            .filter(|url| !url.is_empty())
        {
            return Ok(Server::Given { url });
        }
        let folder = std::env::temp_dir().join(format!("workmill-bench-{}", std::process::id()));
        let owner = Owner::take(&folder, "the benchmarks")?;
        let mut settings = SETTINGS.to_owned();
        if with_statistics {
            settings.push_str("shared_preload_libraries = 'pg_stat_statements'\npg_stat_statements.track_planning = on\n");
        }
        // For trying things out, such as plan_cache_mode or auto_explain.
        if let Ok(more) = std::env::var("WORKMILL_BENCH_SETTINGS") {
            settings.push_str(&more.replace(';', "\n"));
            settings.push('\n');
        }
        std::fs::write(folder.join("user.conf"), settings)?;
        let cluster = Cluster::start(&owner, &Settings::default())?;
        Ok(Server::Own {
            cluster: Some(Box::new(cluster)),
            _owner: owner,
            folder,
        })
    }

    /// In the form that tokio-postgres and libpq take.
    pub fn url(&self, database: &str) -> String {
        match self {
            Server::Own { cluster, .. } => cluster
                .as_ref()
                .map(|cluster| cluster.url(database))
                .unwrap_or_default(),
            Server::Given { url } if url.contains("://") => {
                let (server, options) = url.split_once('?').unwrap_or((url, ""));
                let start = server.find("://").map_or(0, |at| at + 3);
                let end = server[start..]
                    .find('/')
                    .map_or(server.len(), |at| start + at);
                format!("{}/{database}?{options}", &server[..end])
            }
            Server::Given { url } => format!("{url} dbname={database}"),
        }
    }

    /// What peers read: the variables of libpq, which every driver knows in some way.
    pub fn variables(&self, database: &str) -> Result<Vec<(&'static str, String)>> {
        let config: tokio_postgres::Config = self.url(database).parse()?;
        let host = match config.get_hosts().first() {
            Some(tokio_postgres::config::Host::Tcp(host)) => host.clone(),
            Some(tokio_postgres::config::Host::Unix(path)) => path.display().to_string(),
            None => "localhost".to_owned(),
        };
        let port = config.get_ports().first().copied().unwrap_or(5432);
        let mut variables = vec![
            ("PGHOST", host),
            ("PGPORT", port.to_string()),
            ("PGUSER", config.get_user().unwrap_or("postgres").to_owned()),
            ("PGDATABASE", database.to_owned()),
        ];
        if let Some(password) = config.get_password() {
            variables.push(("PGPASSWORD", String::from_utf8_lossy(password).into_owned()));
        }
        Ok(variables)
    }

    pub async fn client(&self, database: &str) -> Result<Client> {
        connect(&self.url(database)).await
    }

    /// A fresh, empty database; what was there under the name is dropped.
    pub async fn fresh_database(&self, name: &str) -> Result<String> {
        self.drop_database(name).await?;
        let client = self.client("postgres").await?;
        client
            .batch_execute(&format!("create database {name}"))
            .await?;
        Ok(self.url(name))
    }

    pub async fn drop_database(&self, name: &str) -> Result<()> {
        let client = self.client("postgres").await?;
        client
            .batch_execute(&format!("drop database if exists {name} with (force)"))
            .await?;
        // What the last measure left behind shall not slow the next one down.
        client.batch_execute("checkpoint").await?;
        Ok(())
    }

    /// Drops what a measure that failed has left behind.
    pub async fn drop_leftovers(&self) -> Result<()> {
        let client = self.client("postgres").await?;
        let find = "select datname::text from pg_database where datname like 'wm\\_bench\\_%'";
        for row in client.query(find, &[]).await? {
            self.drop_database(row.get(0)).await?;
        }
        Ok(())
    }

    pub async fn reset_statistics(&self) -> Result<()> {
        let client = self.client("postgres").await?;
        client
            .batch_execute(
                "create extension if not exists pg_stat_statements; select pg_stat_statements_reset()",
            )
            .await?;
        Ok(())
    }

    /// The statements that took the most time since the last reset.
    pub async fn statistics(&self) -> Result<Vec<String>> {
        let client = self.client("postgres").await?;
        let rows = client
            .query(
                "select calls, rows, total_exec_time, total_plan_time, plans, shared_blks_hit,
                        regexp_replace(regexp_replace(query, '--[^\\n]*', '', 'g'), '\\s+', ' ', 'g'),
                        (total_exec_time + total_plan_time) / greatest(calls, 1)
                 from pg_stat_statements
                 order by total_exec_time + total_plan_time desc limit 16",
                &[],
            )
            .await?;
        let mut lines = vec![format!(
            "{:>8} {:>8} {:>9} {:>9} {:>8} {:>7} {:>9}  statement",
            "calls", "rows", "exec ms", "plan ms", "ms/call", "plans", "hit/call"
        )];
        for row in rows {
            let (calls, count, exec, plan): (i64, i64, f64, f64) =
                (row.get(0), row.get(1), row.get(2), row.get(3));
            let (plans, hits, text): (i64, i64, String) = (row.get(4), row.get(5), row.get(6));
            let each: f64 = row.get(7);
            let hits = hits / calls.max(1);
            let text: String = text.trim().chars().take(90).collect();
            lines.push(format!(
                "{calls:>8} {count:>8} {exec:>9.0} {plan:>9.0} {each:>8.3} {plans:>7} {hits:>9}  {text}"
            ));
        }
        Ok(lines)
    }

    pub async fn facts(&self) -> Result<Facts> {
        let client = self.client("postgres").await?;
        let version: String = client.query_one("show server_version", &[]).await?.get(0);
        let mut settings = Vec::new();
        for name in [
            "fsync",
            "synchronous_commit",
            "shared_buffers",
            "max_wal_size",
        ] {
            let value: String = client.query_one(&format!("show {name}"), &[]).await?.get(0);
            settings.push(format!("{name} {value}"));
        }
        Ok(Facts {
            cores: std::thread::available_parallelism().map_or(0, usize::from),
            memory_gb: memory_gb(),
            postgres: version.split(' ').next().unwrap_or_default().to_owned(),
            settings: settings.join(", "),
            fdatasync_us: fdatasync_us(),
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Server::Own {
            cluster, folder, ..
        } = self
        {
            if let Some(cluster) = cluster.take()
                && let Err(error) = cluster.stop()
            {
                eprintln!("bench: could not stop PostgreSQL: {error}");
                return;
            }
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

pub struct Facts {
    pub cores: usize,
    pub memory_gb: u64,
    pub postgres: String,
    pub settings: String,
    pub fdatasync_us: Option<f64>,
}

impl Facts {
    pub fn line(&self) -> String {
        let sync = self
            .fdatasync_us
            .map_or(String::new(), |us| format!(", fdatasync {us:.0} µs"));
        format!(
            "{} cores, {} GB, PostgreSQL {} ({}){sync}; client and server share the cores",
            self.cores, self.memory_gb, self.postgres, self.settings
        )
    }
}

pub async fn connect(url: &str) -> Result<Client> {
    let (client, connection) = tokio_postgres::connect(url, NoTls)
        .await
        .context("cannot connect to PostgreSQL")?;
    tokio::spawn(connection);
    Ok(client)
}

/// The load average over one minute: others may be at work on this machine.
pub fn load() -> f64 {
    std::fs::read_to_string("/proc/loadavg")
        .ok()
        .and_then(|text| text.split(' ').next()?.parse().ok())
        .unwrap_or(0.0)
}

fn memory_gb() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("MemTotal"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    kilobytes.unwrap_or(0).div_ceil(1024 * 1024)
}

/// The median of writing 8 KB and making them durable, where the server's files are too.
fn fdatasync_us() -> Option<f64> {
    let path = std::env::temp_dir().join(format!("workmill-bench-sync-{}", std::process::id()));
    let took = sync_times(&path);
    let _ = std::fs::remove_file(path);
    let mut took = took.ok()?;
    took.sort();
    Some(took.get(took.len() / 2)?.as_secs_f64() * 1e6)
}

fn sync_times(path: &Path) -> std::io::Result<Vec<Duration>> {
    let file = File::create(path)?;
    let block = [7u8; 8192];
    let begin = Instant::now();
    let mut took = Vec::new();
    while begin.elapsed() < Duration::from_secs(1) {
        let start = Instant::now();
        // Over and over the same place, as in a file of the WAL that is used again.
        file.write_all_at(&block, 0)?;
        file.sync_data()?;
        took.push(start.elapsed());
    }
    Ok(took)
}
