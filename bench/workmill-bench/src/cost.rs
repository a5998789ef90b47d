//! What an interval of a measure costs: processor time and WAL.
//!
//! `Meter::start` opens the interval and `Meter::stop` closes it. Work before or after the interval,
//! such as filling and vacuuming, does not count.

use std::iter::Sum;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use nix::sys::resource::{UsageWho, getrusage};
use tokio_postgres::Client;

use crate::measures::{Numbers, float, per_second};
use crate::server::Server;

/// Suffixes of the numbers that `Interval::add` writes beside a rate.
pub const SERVER_US: &str = "_server_us";
pub const CLIENT_US: &str = "_client_us";
pub const CPU_US: &str = "_cpu_us";
pub const WAL_BYTES: &str = "_wal_bytes";

/// An interval that has begun.
pub struct Meter {
    // Connected before the interval begins, so that starting the backend is not part of it.
    client: Client,
    postmaster: Option<i32>,
    server_cpu: Option<Duration>,
    client_cpu: Duration,
    wal: i64,
    start: Instant,
}

/// An interval that has ended.
#[derive(Clone, Copy, Default)]
pub struct Interval {
    pub took: Duration,
    /// Processor time of PostgreSQL's processes; unknown if they run on another machine.
    pub server_cpu: Option<Duration>,
    /// Processor time of this process.
    pub client_cpu: Duration,
    pub wal_bytes: u64,
}

impl Meter {
    pub async fn start(server: &Server) -> Result<Meter> {
        let client = server.client("postgres").await?;
        let postmaster = postmaster(&client).await;
        Ok(Meter {
            wal: wal_position(&client).await?,
            client,
            postmaster,
            server_cpu: postmaster.and_then(server_cpu),
            client_cpu: client_cpu()?,
            start: Instant::now(),
        })
    }

    pub async fn stop(self) -> Result<Interval> {
        let took = self.start.elapsed();
        let client_cpu = client_cpu()?.saturating_sub(self.client_cpu);
        let server_cpu = self.postmaster.and_then(server_cpu);
        let wal = wal_position(&self.client).await? - self.wal;
        Ok(Interval {
            took,
            server_cpu: server_cpu
                .zip(self.server_cpu)
                .map(|(after, before)| after.saturating_sub(before)),
            client_cpu,
            wal_bytes: u64::try_from(wal)?,
        })
    }
}

impl Interval {
    /// Writes the rate of `count` tasks as `name`, and what each task cost beside it.
    pub fn add(&self, numbers: &mut Numbers, name: &str, count: usize) {
        let a_task = |total: f64| total / float(count);
        numbers.insert(name.to_owned(), per_second(count, self.took));
        let client = a_task(self.client_cpu.as_secs_f64() * 1e6);
        numbers.insert(format!("{name}{CLIENT_US}"), client);
        if let Some(server) = self.server_cpu {
            let server = a_task(server.as_secs_f64() * 1e6);
            numbers.insert(format!("{name}{SERVER_US}"), server);
            numbers.insert(format!("{name}{CPU_US}"), server + client);
        }
        #[expect(clippy::cast_precision_loss, reason = "far below 2^52 bytes")]
        let wal = a_task(self.wal_bytes as f64);
        numbers.insert(format!("{name}{WAL_BYTES}"), wal);
    }
}

/// The intervals of turns, taken together.
impl Sum for Interval {
    fn sum<I: Iterator<Item = Interval>>(intervals: I) -> Interval {
        let add = |one: Interval, other: Interval| Interval {
            took: one.took + other.took,
            server_cpu: one.server_cpu.zip(other.server_cpu).map(|(a, b)| a + b),
            client_cpu: one.client_cpu + other.client_cpu,
            wal_bytes: one.wal_bytes + other.wal_bytes,
        };
        intervals.reduce(add).unwrap_or_default()
    }
}

async fn wal_position(client: &Client) -> Result<i64> {
    let find = "select (pg_current_wal_insert_lsn() - '0/0')::bigint";
    let row = client.query_one(find, &[]).await?;
    row.try_get(0).context("the WAL position")
}

/// The process id of the server, if it runs on this machine and the user may read it.
async fn postmaster(client: &Client) -> Option<i32> {
    let find = "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int";
    client.query_one(find, &[]).await.ok()?.try_get(0).ok()
}

fn client_cpu() -> Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_SELF).context("getrusage")?;
    let total = usage.user_time() + usage.system_time();
    Ok(Duration::new(
        u64::try_from(total.tv_sec())?,
        u32::try_from(total.tv_usec())? * 1000,
    ))
}

/// The processor time of the postmaster and of all its children, ended ones included.
fn server_cpu(postmaster: i32) -> Option<Duration> {
    // A child that ends during the walk would be missed: then the walk is repeated.
    loop {
        let ended = ended_children(postmaster)?;
        let mut ticks = own_ticks(postmaster)? + ended;
        for entry in std::fs::read_dir("/proc").ok()?.flatten() {
            let pid = entry
                .file_name()
                .to_str()
                .and_then(|name| name.parse().ok());
            if let Some(pid) = pid
                && parent_of(pid) == Some(postmaster)
            {
                ticks += own_ticks(pid).unwrap_or(0);
            }
        }
        if ended_children(postmaster)? == ended {
            // Linux counts in ticks of 10 ms.
            return Some(Duration::from_millis(ticks * 10));
        }
    }
}

/// The fields of `/proc/PID/stat` after the process's name, which may contain spaces.
fn stat(pid: i32) -> Option<Vec<String>> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let after = text.rsplit_once(')')?.1;
    Some(after.split_whitespace().map(ToOwned::to_owned).collect())
}

fn parent_of(pid: i32) -> Option<i32> {
    stat(pid)?.get(1)?.parse().ok()
}

/// The fields utime and stime.
fn own_ticks(pid: i32) -> Option<u64> {
    sum(stat(pid)?.get(11..13)?)
}

/// The fields cutime and cstime.
fn ended_children(pid: i32) -> Option<u64> {
    sum(stat(pid)?.get(13..15)?)
}

fn sum(fields: &[String]) -> Option<u64> {
    fields.iter().map(|field| field.parse::<u64>().ok()).sum()
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::time::Duration;

    use super::{Interval, Numbers, server_cpu};

    #[test]
    fn the_processor_time_of_an_ended_child_counts() {
        let own = i32::try_from(std::process::id()).unwrap();
        let before = server_cpu(own).unwrap();
        let count = "i=0; while [ $i -lt 1000000 ]; do i=$((i+1)); done";
        let ended = Command::new("sh").args(["-c", count]).status().unwrap();
        assert!(ended.success());
        // The other tests of this process take much less.
        let least = before + Duration::from_millis(100);
        assert!(server_cpu(own).unwrap() >= least);
    }

    #[test]
    fn a_rate_has_its_costs_beside_it() {
        let interval = Interval {
            took: Duration::from_secs(2),
            server_cpu: Some(Duration::from_millis(30)),
            client_cpu: Duration::from_millis(10),
            wal_bytes: 5_000,
        };
        let mut numbers = Numbers::new();
        interval.add(&mut numbers, "drain", 1000);
        let expected = [
            ("drain", 500.0),
            ("drain_client_us", 10.0),
            ("drain_cpu_us", 40.0),
            ("drain_server_us", 30.0),
            ("drain_wal_bytes", 5.0),
        ];
        let expected = expected.map(|(name, value)| (name.to_owned(), value));
        assert_eq!(numbers, Numbers::from(expected));
    }
}
