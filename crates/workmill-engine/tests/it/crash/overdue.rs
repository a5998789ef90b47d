//! How long leases that have run out are left lying, watched from outside while servers are killed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Result;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};
use workmill_core::ids::Namespace;
use workmill_testkit::database::connect;

const LOOK_EVERY: Duration = Duration::from_millis(20);

pub struct Watch {
    is_over: Arc<AtomicBool>,
    watching: JoinHandle<Result<Overdue>>,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct Overdue {
    /// The longest that a lease was left lying.
    pub longest: Duration,
    /// The longest that the watch itself was kept from looking: the machine was busy.
    pub distracted: Duration,
}

impl Watch {
    pub fn start(url: String, ns: Namespace) -> Watch {
        let is_over = Arc::new(AtomicBool::new(false));
        let watching = tokio::spawn(watch(url, ns, Arc::clone(&is_over)));
        Watch { is_over, watching }
    }

    pub async fn stop(self) -> Result<Overdue> {
        self.is_over.store(true, Ordering::SeqCst);
        self.watching.await?
    }
}

async fn watch(url: String, ns: Namespace, is_over: Arc<AtomicBool>) -> Result<Overdue> {
    let client = connect(&url).await?;
    let longest = "select coalesce(max(extract(epoch from
                       clock_timestamp() - renewed_at - ttl_ms * interval '1 millisecond'
                   )), 0)::float8
                   from workmill.lease where ns = $1";
    let mut overdue = Overdue::default();
    while !is_over.load(Ordering::SeqCst) {
        let begun = Instant::now();
        let seconds: f64 = client.query_one(longest, &[&ns.0]).await?.get(0);
        let left_lying = Duration::from_secs_f64(seconds.max(0.0));
        overdue.longest = overdue.longest.max(left_lying);
        sleep(LOOK_EVERY).await;
        let distracted = begun.elapsed().saturating_sub(LOOK_EVERY);
        overdue.distracted = overdue.distracted.max(distracted);
    }
    Ok(overdue)
}
