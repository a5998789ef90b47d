//! The PostgreSQL server that tests run on.
//!
//! When neither `CITUS_DATABASE_URL` nor `DATABASE_URL` is set, all test processes of a user share one private cluster in the
//! temporary folder. Whoever comes first starts it; `test-postgres stop` ends it. It is not
//! durable: tests that kill a server start a durable one of their own.

use std::path::PathBuf;
use std::sync::OnceLock;

use crate::citus;
use anyhow::Result;
use workmill_local_postgres::{Cluster, Owner, Settings};

const MAX_CONNECTIONS: u32 = 300;

/// Connection settings of a database on the test server, ready for more `key=value` pairs.
pub fn url(database: &str) -> Result<String> {
    static SERVER: OnceLock<Result<Cluster, String>> = OnceLock::new();
    let own = std::env::var("DATABASE_URL").ok();
    let own = citus::url().or(own.filter(|url| !url.is_empty()));
    if let Some(url) = own {
        return Ok(with_database(&url, database));
    }
    match SERVER.get_or_init(|| start().map_err(|error| format!("{error:#}"))) {
        Ok(cluster) => Ok(cluster.url(database)),
        Err(error) => anyhow::bail!("the PostgreSQL for tests does not start: {error}"),
    }
}

/// Starts the shared cluster, or finds it running.
pub fn start() -> Result<Cluster> {
    let owner = owner()?;
    Ok(Cluster::start(&owner, &settings())?)
}

/// Stops the shared cluster if it runs.
pub fn stop() -> Result<()> {
    if folder().join("postgres").exists() {
        start()?.stop()?;
    }
    Ok(())
}

/// Held only while starting: from then on the server itself shows that it is there.
fn owner() -> Result<Owner> {
    let what = format!("tests (process {})", std::process::id());
    Ok(Owner::take_waiting(&folder(), &what)?)
}

fn settings() -> Settings {
    Settings {
        max_connections: MAX_CONNECTIONS,
        ..Settings::for_tests()
    }
}

fn folder() -> PathBuf {
    std::env::temp_dir().join(format!("workmill-test-{}", nix::unistd::Uid::effective()))
}

/// The same server, another database.
fn with_database(url: &str, database: &str) -> String {
    if !url.contains("://") {
        return format!("{url} dbname={database}");
    }
    let (server, options) = match url.split_once('?') {
        Some((server, options)) => (server, format!("?{options}")),
        None => (url, String::new()),
    };
    let after_scheme = server.find("://").map_or(0, |at| at + 3);
    let server = match server[after_scheme..].find('/') {
        Some(slash) => &server[..after_scheme + slash],
        None => server,
    };
    format!("{server}/{database}{options}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_database_of_a_url_is_exchanged_and_the_rest_stays() {
        for (url, expected) in [
            ("postgres://u:p@h:5/x?a=b", "postgres://u:p@h:5/t?a=b"),
            ("postgres://u@h", "postgres://u@h/t"),
            ("host=/run dbname=x", "host=/run dbname=x dbname=t"),
        ] {
            assert_eq!(with_database(url, "t"), expected);
        }
    }
}
