//! A database for each test, cloned from a template that is named after the migrations.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, Result};
use jiff::Timestamp;
use tokio::sync::OnceCell;
use tokio_postgres::{Client, NoTls};
use workmill_core::ids::Namespace;
use workmill_store::Store;
use workmill_store::access::EnsureNamespace;
use workmill_store::clock::{Clock, ManualClock};

use crate::{citus, cluster, partitions};

/// Whoever makes the template or sweeps holds this lock on the maintenance database.
const TEMPLATE_LOCK: i64 = 0x7465_7374_6b69_7400;

/// A database of its own, dropped with this value.
#[derive(Debug)]
pub struct TestDatabase {
    name: String,
    url: String,
}

impl TestDatabase {
    pub async fn new() -> Result<Self> {
        if citus::url().is_some() {
            return TestDatabase::distributed().await;
        }
        let template = template().await?;
        let name = fresh_name();
        let client = connect(&cluster::url("postgres")?).await?;
        client
            .batch_execute(&format!("create database {name} template {template}"))
            .await
            .with_context(|| format!("cannot clone {template}"))?;
        let url = cluster::url(&name)?;
        Ok(TestDatabase { name, url })
    }

    /// On Citus, whose databases cannot be cloned.
    async fn distributed() -> Result<Self> {
        let database = TestDatabase::empty().await?;
        workmill_store::migrate::migrate(database.url()).await?;
        citus::distribute(&database.client().await?).await?;
        Ok(database)
    }

    /// An empty database without the schema.
    pub async fn empty() -> Result<Self> {
        let name = fresh_name();
        let client = connect(&cluster::url("postgres")?).await?;
        client
            .batch_execute(&format!("create database {name}"))
            .await?;
        let url = cluster::url(&name)?;
        Ok(TestDatabase { name, url })
    }

    /// A database whose growing tables are partitioned by namespace, as they would be spread over
    /// the machines of a distributed engine. The partitions of `state` are `state_p0`, `state_p1`
    /// and so on.
    pub async fn partitioned() -> Result<Self> {
        let database = TestDatabase::empty().await?;
        let client = database.client().await?;
        client.batch_execute("create schema workmill").await?;
        let script = partitions::partition(&workmill_store::migrate::texts().join("\n"))?;
        client
            .batch_execute(&script)
            .await
            .context("cannot make the partitioned tables")?;
        Ok(database)
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    /// A plain connection, for looking at what was written.
    pub async fn client(&self) -> Result<Client> {
        connect(&self.url).await
    }
}

impl Drop for TestDatabase {
    /// A sweep at the next start removes what is left when this cannot.
    fn drop(&mut self) {
        let statement = format!("drop database if exists {} with (force)", self.name);
        let dropped = std::thread::spawn(move || -> Result<()> {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()?;
            runtime.block_on(async {
                let client = connect(&cluster::url("postgres")?).await?;
                Ok(client.batch_execute(&statement).await?)
            })
        });
        if !matches!(dropped.join(), Ok(Ok(()))) {
            eprintln!(
                "the test database {} stays behind until the next run",
                self.name
            );
        }
    }
}

/// A store on a database of its own, with one namespace and a clock that the test moves.
#[derive(Debug)]
pub struct TestStore {
    pub store: Arc<Store>,
    pub ns: Namespace,
    pub clock: ManualClock,
    pub database: TestDatabase,
}

impl TestStore {
    pub async fn new() -> Result<Self> {
        TestStore::on(TestDatabase::new().await?).await
    }

    /// On [`TestDatabase::partitioned`].
    pub async fn partitioned() -> Result<Self> {
        TestStore::on(TestDatabase::partitioned().await?).await
    }

    async fn on(database: TestDatabase) -> Result<Self> {
        let clock = ManualClock::at(Timestamp::from_second(1_800_000_000)?);
        let store = Store::with_clock(database.url(), 16, Clock::Manual(clock.clone()))?;
        let (ns, _) = store.run(&EnsureNamespace { name: "test" }).await?;
        Ok(TestStore {
            store: Arc::new(store),
            ns,
            clock,
            database,
        })
    }
}

/// The name holds the process, so that a sweep can tell what is left over.
fn fresh_name() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let random: u32 = rand::random();
    format!("wm_test_{}_{count}_{random:08x}", std::process::id())
}

/// Makes the template once; other processes wait for it.
async fn template() -> Result<&'static str> {
    static TEMPLATE: OnceCell<String> = OnceCell::const_new();
    let name = TEMPLATE
        .get_or_try_init(|| async {
            let client = connect(&cluster::url("postgres")?).await?;
            client
                .execute("select pg_advisory_lock($1)", &[&TEMPLATE_LOCK])
                .await?;
            sweep(&client).await?;
            let name = format!(
                "wm_template_{:016x}",
                workmill_store::migrate::fingerprint()
            );
            let whole = client
                .query_opt("select 1 from pg_database where datname = $1", &[&name])
                .await?
                .is_some();
            if !whole {
                // Migrated under another name first: a template that exists is whole.
                let making = format!("{name}_new");
                client
                    .batch_execute(&format!("drop database if exists {making} with (force)"))
                    .await?;
                client
                    .batch_execute(&format!("create database {making}"))
                    .await?;
                workmill_store::migrate::migrate(&cluster::url(&making)?).await?;
                wait_until_unused(&client, &making).await?;
                client
                    .batch_execute(&format!("alter database {making} rename to {name}"))
                    .await?;
            }
            anyhow::Ok(name)
        })
        .await?;
    Ok(name)
}

/// The connection that migrated closes on its own time.
async fn wait_until_unused(client: &Client, database: &str) -> Result<()> {
    client
        .execute(
            "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1",
            &[&database],
        )
        .await?;
    Ok(())
}

/// Drops databases whose process is gone.
async fn sweep(client: &Client) -> Result<()> {
    let rows = client
        .query(
            "select datname from pg_database where datname like 'wm\\_test\\_%'",
            &[],
        )
        .await?;
    for row in rows {
        let name: String = row.get(0);
        let process = name
            .split('_')
            .nth(2)
            .and_then(|text| text.parse::<i32>().ok());
        let is_alive = process.is_some_and(|pid| {
            nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), None).is_ok()
        });
        if !is_alive {
            client
                .batch_execute(&format!("drop database if exists {name} with (force)"))
                .await?;
        }
    }
    Ok(())
}

/// A plain connection.
pub async fn connect(url: &str) -> Result<Client> {
    let (client, connection) = tokio_postgres::connect(url, NoTls)
        .await
        .context("cannot connect to the PostgreSQL for tests")?;
    tokio::spawn(connection);
    Ok(client)
}
