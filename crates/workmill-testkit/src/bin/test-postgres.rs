//! The shared PostgreSQL of the tests, by hand: `start`, `stop`, or `url` to connect to it.

use anyhow::{Result, bail};
use workmill_testkit::cluster;

fn main() -> Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("start") => drop(cluster::start()?),
        Some("stop") => cluster::stop()?,
        Some("url") => println!("{}", cluster::url("postgres")?),
        _ => bail!("usage: test-postgres start|stop|url"),
    }
    Ok(())
}
