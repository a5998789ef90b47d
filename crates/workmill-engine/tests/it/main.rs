//! The guarantees of the engine, on a real PostgreSQL.

mod agents;
mod audit;
mod bulk;
mod churn;
mod crash;
mod dead_letters;
mod execution;
mod gates_beside_claims;
mod gathering;
mod handing_over;
mod inbox;
mod sick_agents;
mod waking;

use std::sync::Arc;

use anyhow::Result;
use uuid::Uuid;
use workmill_core::authority::Authority;
use workmill_core::ids::Namespace;
use workmill_engine::dispatch::AgentDescription;
use workmill_engine::{Caller, Engine, EngineError};
use workmill_store::Store;
use workmill_store::access::EnsureNamespace;
use workmill_store::clock::Clock;
use workmill_testkit::database::TestDatabase;

/// A server's engine on a database that others may share.
async fn engine(database: &TestDatabase) -> Result<(Engine, Caller)> {
    engine_timed_by(Clock::Database, database).await
}

async fn engine_timed_by(clock: Clock, database: &TestDatabase) -> Result<(Engine, Caller)> {
    let store = Arc::new(Store::with_clock(database.url(), 8, clock)?);
    let (ns, _) = store.run(&EnsureNamespace { name: "test" }).await?;
    Ok((Engine::new(store), caller(ns)))
}

fn caller(ns: Namespace) -> Caller {
    Caller {
        ns,
        key: Uuid::from_u128(1),
        name: "test".to_owned(),
        authority: Authority::Orchestrator,
    }
}

async fn register(
    engine: &Engine,
    caller: &Caller,
    name: &str,
    slots: i32,
) -> Result<(), EngineError> {
    let agent = AgentDescription {
        slots,
        ..AgentDescription::new(name)
    };
    engine.register_agent(caller, &agent).await.map(drop)
}
