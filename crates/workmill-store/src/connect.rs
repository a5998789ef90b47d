//! The way to the database: settings, pool, and what every operation shares.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use deadpool_postgres::{
    Hook, HookError, Manager, ManagerConfig, Object, Pool, QueueMode, RecyclingMethod, Runtime,
};
use jiff::Timestamp;
use tokio_postgres::{Config, NoTls};
use uuid::Uuid;
use workmill_core::ids::IdSource;

use crate::clock::Clock;
use crate::error::StoreError;
use crate::experience::UsualCosts;
use crate::gates::cache::GateCache;
use crate::lane_cursors::LaneCursors;
use crate::lanes::LaneCache;
use crate::lease_counts::LeaseCounts;
use crate::test_points::TestPoints;
use crate::upkeep::agenda::LastReach;
use crate::upkeep::reach::Reach;

/// A database that Workmill works on.
#[derive(Debug)]
pub struct Store {
    pool: Pool,
    /// For connections of their own, outside the pool.
    pub(crate) settings: Config,
    ids: Mutex<IdSource>,
    pub(crate) clock: Clock,
    pub(crate) lanes: LaneCache,
    pub(crate) gates: GateCache,
    pub(crate) usual: UsualCosts,
    pub(crate) lane_cursors: LaneCursors,
    pub(crate) lease_counts: LeaseCounts,
    pub(crate) reach: Reach,
    pub(crate) last_reach: LastReach,
    pub test_points: TestPoints,
}

/// The connections of the pool, and those who wait for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connections {
    pub in_use: usize,
    pub idle: usize,
    pub waiting: usize,
    pub most: usize,
}

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const WAIT_TIMEOUT: Duration = Duration::from_secs(10);

/// Every statement is planned once for a connection, whatever its values: making a plan costs
/// more than following it. The tables may be empty in that hour and have millions of rows in the
/// next, so the plan shall be the one that looks at the fewest rows, not the one that is cheapest
/// at this size: an index always, and as much of it as the statement names. A row that an index
/// leads to is therefore dear, and a place in the table is not. Pinned by `tests/it/plans.rs`.
///
/// Citus chooses the machine by the value of `ns` and refuses most statements without their values, so
/// generic plans are not forced there.
pub const SESSION_SETTINGS: &str = "set plan_cache_mode = force_generic_plan; \
    set cpu_index_tuple_cost = 1000; set enable_seqscan = off; set enable_bitmapscan = off; \
    set max_parallel_workers_per_gather = 0; set jit = off; \
    select set_config('plan_cache_mode', 'auto', false) from pg_extension where extname = 'citus'";

/// Makes a session act as the role that owns the schema, if its own role may: what servers and migrations
/// create then belongs to that role, whichever of its members they log in as. It holds for the connection.
pub(crate) const ACT_AS_OWNER: &str = "
    select set_config('role', r.rolname::text, false)
    from pg_namespace n
    join pg_roles r on r.oid = n.nspowner
    where n.nspname = 'workmill' and r.rolname <> current_user
      and pg_has_role(r.oid, case when current_setting('server_version_num')::int < 160000
                                  then 'member' else 'set' end)";

impl Store {
    /// `url` is what PostgreSQL clients take: `postgres://…` or `host=… dbname=…`, several hosts
    /// allowed. Nothing is contacted yet.
    pub fn new(url: &str, connections: usize) -> Result<Self, StoreError> {
        Store::with_clock(url, connections, Clock::Database)
    }

    pub fn with_clock(url: &str, connections: usize, clock: Clock) -> Result<Self, StoreError> {
        let config = ManagerConfig {
            recycling_method: RecyclingMethod::Fast,
        };
        let settings = settings(url)?;
        let manager = Manager::from_config(settings.clone(), NoTls, config);
        let pool = Pool::builder(manager)
            .max_size(connections)
            // The one that was used last has its caches warm.
            .queue_mode(QueueMode::Lifo)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(WAIT_TIMEOUT))
            .create_timeout(Some(CONNECT_TIMEOUT))
            .post_create(Hook::async_fn(|client, _| {
                Box::pin(async move {
                    let script = format!("{SESSION_SETTINGS}; {ACT_AS_OWNER}");
                    let set = client.batch_execute(&script).await;
                    set.map_err(HookError::Backend)
                })
            }))
            .build()
            .map_err(|error| StoreError::Settings(error.to_string()))?;
        Ok(Store {
            pool,
            settings,
            ids: Mutex::new(IdSource::default()),
            clock,
            lanes: LaneCache::default(),
            gates: GateCache::default(),
            usual: UsualCosts::default(),
            lane_cursors: LaneCursors::default(),
            lease_counts: LeaseCounts::default(),
            reach: Reach::default(),
            last_reach: LastReach::default(),
            test_points: TestPoints::default(),
        })
    }

    pub(crate) async fn client(&self, doing: &'static str) -> Result<Object, StoreError> {
        self.pool
            .get()
            .await
            .map_err(|error| StoreError::Unavailable {
                doing,
                source: Box::new(error),
            })
    }

    pub(crate) fn mint(&self, now: Timestamp) -> Uuid {
        let random = rand::random();
        self.ids
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .next(now, random)
    }

    /// How busy the connections are.
    pub fn connections(&self) -> Connections {
        let status = self.pool.status();
        Connections {
            in_use: status.size.saturating_sub(status.available),
            idle: status.available,
            waiting: status.waiting,
            most: status.max_size,
        }
    }

    /// Closes every connection.
    pub fn close(&self) {
        self.pool.close();
    }
}

/// Reads the connection settings. What goes wrong never repeats them: they hold a password.
pub(crate) fn settings(url: &str) -> Result<Config, StoreError> {
    let mut config: Config = url.parse().map_err(|error: tokio_postgres::Error| {
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        let cause = cause.unwrap_or_else(|| error.to_string());
        StoreError::Settings(match cause.as_str() {
            "unexpected EOF" => "the text ends too early".to_owned(),
            _ => cause,
        })
    })?;
    if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
        return Err(StoreError::Settings("they name no host".to_owned()));
    }
    config
        .application_name("workmill")
        .connect_timeout(CONNECT_TIMEOUT);
    Ok(config)
}
