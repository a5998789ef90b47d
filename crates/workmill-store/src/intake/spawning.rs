//! How far agents may go when they spawn: what a namespace says, and what has been used of it.
//!
//! Counts and budgets change under the locks of the lease, the graph and the spawning task, so they
//! are exact whoever spawns at the same time.

use serde::Serialize;
use serde_json::json;
use uuid::Uuid;
use workmill_core::audit::{Action, AuditEntry, Subject};
use workmill_core::ids::{GraphId, LeaseId, Namespace};
use workmill_core::money::Micros;
use workmill_core::policy::Policy;
use workmill_core::spawning::{SpawnFor, SpawnLocks, SpawnSettings, left_of_budget};
use workmill_core::task::NewTask;
use workmill_queries::client::{GenericClient, Params};
use workmill_queries::queries::intake::spawn as statements;
use workmill_queries::queries::intake::submit;

use crate::connect::Store;
use crate::error::StoreError;
use crate::event::{Event, EventType};
use crate::locked_rows::LockedRows;
use crate::operation::{Operation, Work};
use crate::settlement::Ledger;

/// What bounds a call that spawns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpawnLimits {
    /// The caller is not bound.
    Unlimited,
    Limited {
        per_lease: u32,
        per_graph: u32,
    },
    /// The caller has found the tasks beyond their bounds: they enter only if they did before.
    Exceeded,
}

/// More tasks than may be spawned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TooMany {
    PerLease(u32),
    PerGraph(u32),
}

/// The task of a lease, and the agent that holds it.
#[derive(Debug, Clone)]
pub struct Spawner {
    pub asked: NewTask,
    pub policy: Policy,
    pub depth: i16,
    /// Tasks on the longest chain behind it.
    pub critical_path: u8,
    /// What it has cost, the attempt that runs included.
    pub spent: Micros,
    pub agent: String,
    pub agent_type: String,
    /// The key that has registered the agent.
    pub key: Uuid,
}

fn read_spawner(row: statements::FindSpawner, lease: LeaseId) -> Result<Spawner, StoreError> {
    let unreadable = |error: serde_json::Error| StoreError::Corrupt(format!("{lease}: {error}"));
    Ok(Spawner {
        asked: serde_json::from_value(row.body).map_err(unreadable)?,
        policy: serde_json::from_value(row.policy).map_err(unreadable)?,
        depth: row.depth,
        critical_path: u8::try_from(row.critical_path).unwrap_or(0),
        spent: Micros(row.spent_micros.saturating_add(row.cost_micros)),
        agent: row.agent,
        agent_type: row.r#type,
        key: row.key,
    })
}

async fn find<C: GenericClient>(
    client: &C,
    ns: Namespace,
    lease: LeaseId,
    failed: impl FnOnce(tokio_postgres::Error) -> StoreError,
) -> Result<Option<Spawner>, StoreError> {
    let found = statements::find_spawner()
        .bind(client, &ns.0, &lease.task.0, &lease.epoch)
        .opt()
        .await;
    let row = found.map_err(failed)?;
    row.map(|row| read_spawner(row, lease)).transpose()
}

/// The task of a lease that is held.
pub(super) async fn find_spawner(work: &Work<'_>, lease: LeaseId) -> Result<Spawner, StoreError> {
    let found = find(work.transaction, Namespace(work.ns), lease, |error| {
        work.failed(error)
    });
    let missing = || StoreError::Corrupt(format!("{lease} is gone under its lock"));
    found.await?.ok_or_else(missing)
}

/// Counts tasks that are spawned, and refuses those beyond the limits.
pub(super) async fn count(
    work: &Work<'_>,
    held: &mut LockedRows,
    lease: LeaseId,
    graph: GraphId,
    tasks: usize,
    limits: SpawnLimits,
) -> Result<Result<(), TooMany>, StoreError> {
    let more = i32::try_from(tasks).unwrap_or(i32::MAX);
    let under_lease = statements::count_under_lease()
        .bind(
            work.transaction,
            &more,
            &work.ns,
            &lease.task.0,
            &lease.epoch,
        )
        .one()
        .await?;
    if let Some(row) = held.leases.get_mut(&lease) {
        row.spawned = under_lease;
    }
    let in_graph = statements::count_in_graph()
        .bind(work.transaction, &more, &work.ns, &graph.0)
        .one()
        .await?;
    let (per_lease, per_graph) = match limits {
        SpawnLimits::Unlimited | SpawnLimits::Exceeded => return Ok(Ok(())),
        SpawnLimits::Limited {
            per_lease,
            per_graph,
        } => (per_lease, per_graph),
    };
    let exceeds = |count: i32, most: u32| u32::try_from(count).is_ok_and(|count| count > most);
    Ok(if exceeds(under_lease, per_lease) {
        Err(TooMany::PerLease(per_lease))
    } else if exceeds(in_graph, per_graph) {
        Err(TooMany::PerGraph(per_graph))
    } else {
        Ok(())
    })
}

impl Spawner {
    pub fn left(&self) -> Option<Micros> {
        left_of_budget(&self.policy, self.spent)
    }

    /// Takes what spawned tasks may cost from what the spawning one may; answers what is left if that
    /// is less. It is described anew with the rest.
    pub(super) async fn give(
        mut self,
        work: &Work<'_>,
        held: &mut LockedRows,
        ledger: &mut Ledger,
        lease: LeaseId,
        limits: SpawnLimits,
        cost: Micros,
    ) -> Result<Result<(), Micros>, StoreError> {
        let (Some(left), Some(most)) = (self.left(), self.policy.admission.max_cost) else {
            return Ok(Ok(()));
        };
        if limits == SpawnLimits::Unlimited || cost == Micros::ZERO {
            return Ok(Ok(()));
        }
        if cost > left {
            return Ok(Err(left));
        }
        let Some(row) = held.tasks.get_mut(&lease.task) else {
            return Ok(Ok(()));
        };
        let rest = most.saturating_sub(cost);
        self.asked.spec.constraints.max_cost_usd = Some(rest);
        self.policy.admission.max_cost = Some(rest);
        let parameters = submit::InsertSpecVersionsParams {
            ns: work.ns,
            tasks: vec![lease.task.0],
            versions: vec![row.spec_version],
            bodies: vec![postgres_types::Json(&self.asked)],
            policies: vec![postgres_types::Json(&self.policy)],
        };
        submit::insert_spec_versions()
            .params(work.transaction, &parameters)
            .await?;
        row.spec_version += 1;
        let data = json!({"by": self.agent, "version": row.spec_version});
        let event = Event::of_task(EventType::TaskEdited, row.graph, lease.task, data);
        ledger.events.push(event);
        Ok(Ok(()))
    }
}

/// Says how far the agents of a namespace may go.
#[derive(Debug)]
pub struct SetSpawning {
    pub ns: Namespace,
    pub settings: SpawnSettings,
}

impl Operation for SetSpawning {
    type Answer = ();
    const DOING: &'static str = "set the bounds on spawning";

    fn namespace(&self) -> Namespace {
        self.ns
    }

    async fn run(&self, work: &mut Work<'_>) -> Result<(), StoreError> {
        let before = statements::find_spawning()
            .bind(work.transaction, &work.ns)
            .opt()
            .await;
        let before = read_settings(before?)?;
        let whole = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
        let parameters = statements::WriteSpawningParams {
            ns: work.ns,
            most_per_lease: whole(self.settings.most_tasks_per_lease),
            most_per_graph: whole(self.settings.most_tasks_per_graph),
            most_depth: i16::try_from(self.settings.most_depth).unwrap_or(i16::MAX),
            spawn_for: self.settings.spawn_for.name(),
            locks: self.settings.locks.name(),
            now: work.now().await?,
        };
        statements::write_spawning()
            .params(work.transaction, &parameters)
            .await?;
        if before != self.settings {
            let told = |settings: &SpawnSettings| json!(Told { spawning: settings });
            work.audit(AuditEntry::new(
                Action::SpawningSet,
                Subject::Namespace,
                told(&before),
                told(&self.settings),
            ));
        }
        Ok(())
    }
}

/// As it is recorded.
#[derive(Serialize)]
struct Told<'a> {
    spawning: &'a SpawnSettings,
}

fn read_settings(row: Option<statements::FindSpawning>) -> Result<SpawnSettings, StoreError> {
    let Some(row) = row else {
        return Ok(SpawnSettings::default());
    };
    let corrupt = |what: &str| StoreError::Corrupt(format!("spawning: {what}"));
    let number = |number: i32| u32::try_from(number).unwrap_or(0);
    Ok(SpawnSettings {
        most_tasks_per_lease: number(row.most_per_lease),
        most_tasks_per_graph: number(row.most_per_graph),
        most_depth: u16::try_from(row.most_depth).unwrap_or(0),
        spawn_for: SpawnFor::from_name(&row.spawn_for).ok_or_else(|| corrupt(&row.spawn_for))?,
        locks: SpawnLocks::from_name(&row.locks).ok_or_else(|| corrupt(&row.locks))?,
    })
}

impl Store {
    /// How far the agents of a namespace may go when they spawn.
    pub async fn find_spawn_settings(&self, ns: Namespace) -> Result<SpawnSettings, StoreError> {
        const DOING: &str = "read the bounds on spawning";
        let client = self.client(DOING).await?;
        let found = statements::find_spawning().bind(&client, &ns.0).opt().await;
        read_settings(found.map_err(|error| StoreError::from_statement(DOING, error))?)
    }

    /// The task of a lease, while it is held.
    pub async fn find_spawner(
        &self,
        ns: Namespace,
        lease: LeaseId,
    ) -> Result<Option<Spawner>, StoreError> {
        const DOING: &str = "look at a task that spawns";
        let client = self.client(DOING).await?;
        let failed = |error| StoreError::from_statement(DOING, error);
        find(&client, ns, lease, failed).await
    }
}
