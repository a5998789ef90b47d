// This file was generated with `cornucopia`. Do not modify.

#[derive(Clone, Copy, Debug)]
pub struct BumpGatesVersionParams {
    pub at: i64,
    pub ns: i64,
}
#[derive(Debug)]
pub struct AwaitClaimsOfAgentParams<T1: crate::StringSql> {
    pub ns: i64,
    pub agent: T1,
}
#[derive(Clone, Copy, Debug)]
pub struct AwaitChangesOfLeaseParams {
    pub ns: i64,
    pub task: uuid::Uuid,
}
#[derive(Debug)]
pub struct FindGatesParams<T1: crate::StringSql, T2: crate::ArraySql<Item = T1>> {
    pub gates: T2,
    pub ns: i64,
}
#[derive(Debug)]
pub struct FindGatesOfHoldsParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
    T3: crate::StringSql,
    T4: crate::ArraySql<Item = T3>,
> {
    pub tasks: T1,
    pub epochs: T2,
    pub ns: i64,
    pub more: T4,
}
#[derive(Debug)]
pub struct FindHoldsParams<T1: crate::ArraySql<Item = uuid::Uuid>, T2: crate::ArraySql<Item = i32>>
{
    pub tasks: T1,
    pub epochs: T2,
    pub ns: i64,
}
#[derive(Debug)]
pub struct FindHeldLocksParams<T1: crate::StringSql, T2: crate::ArraySql<Item = T1>> {
    pub roots: T2,
    pub ns: i64,
}
#[derive(Debug)]
pub struct FindHeldPathsParams<
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::ArraySql<Item = bool>,
    T4: crate::ArraySql<Item = uuid::Uuid>,
> {
    pub roots: T2,
    pub are_shared: T3,
    pub ns: i64,
    pub except: T4,
}
#[derive(Debug)]
pub struct InsertHoldsParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
    T3: crate::StringSql,
    T4: crate::ArraySql<Item = T3>,
    T5: crate::StringSql,
    T6: crate::ArraySql<Item = T5>,
> {
    pub tasks: T1,
    pub epochs: T2,
    pub gates: T4,
    pub amounts: T6,
    pub ns: i64,
}
#[derive(Debug)]
pub struct DeleteHoldsParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
> {
    pub ns: i64,
    pub tasks: T1,
    pub epochs: T2,
}
#[derive(Debug)]
pub struct InsertHeldLocksParams<
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::ArraySql<Item = uuid::Uuid>,
    T4: crate::StringSql,
    T5: crate::ArraySql<Item = T4>,
    T6: crate::ArraySql<Item = bool>,
    T7: crate::StringSql,
    T8: crate::ArraySql<Item = T7>,
> {
    pub roots: T2,
    pub tasks: T3,
    pub paths: T5,
    pub are_shared: T6,
    pub agents: T8,
    pub ns: i64,
}
#[derive(Debug)]
pub struct DeleteHeldLocksParams<
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::ArraySql<Item = uuid::Uuid>,
> {
    pub ns: i64,
    pub roots: T2,
    pub tasks: T3,
}
#[derive(Debug)]
pub struct UpdateGatesParams<
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::ArraySql<Item = Option<i64>>,
    T4: crate::ArraySql<Item = i64>,
    T5: crate::ArraySql<Item = i64>,
    T6: crate::ArraySql<Item = bool>,
    T7: crate::ArraySql<Item = bool>,
    T8: crate::ArraySql<Item = bool>,
    T9: crate::ArraySql<Item = bool>,
    T10: crate::StringSql,
    T11: crate::ArraySql<Item = T10>,
    T12: crate::ArraySql<Item = jiff::Timestamp>,
    T13: crate::StringSql,
    T14: crate::ArraySql<Item = Option<T13>>,
    T15: crate::StringSql,
    T16: crate::ArraySql<Item = Option<T15>>,
    T17: crate::ArraySql<Item = Option<uuid::Uuid>>,
    T18: crate::ArraySql<Item = Option<jiff::Timestamp>>,
    T19: crate::JsonSql,
    T20: crate::ArraySql<Item = Option<T19>>,
> {
    pub gates: T2,
    pub caps: T3,
    pub used: T4,
    pub spent: T5,
    pub have_waiters: T6,
    pub are_nearly_used_up: T7,
    pub are_used_up: T8,
    pub are_removed: T9,
    pub set_by: T11,
    pub set_ats: T12,
    pub notes: T14,
    pub time_zones: T16,
    pub reserved_for: T17,
    pub reserved_ats: T18,
    pub reserved_locks: T20,
    pub ns: i64,
}
#[derive(Debug)]
pub struct DeleteGatesParams<T1: crate::StringSql, T2: crate::ArraySql<Item = T1>> {
    pub ns: i64,
    pub gates: T2,
}
#[derive(Debug)]
pub struct InsertGatedParams<
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::ArraySql<Item = i64>,
    T4: crate::JsonSql,
    T5: crate::ArraySql<Item = Option<T4>>,
    T6: crate::ArraySql<Item = i64>,
    T7: crate::ArraySql<Item = i64>,
    T8: crate::ArraySql<Item = uuid::Uuid>,
> {
    pub now: jiff::Timestamp,
    pub gates: T2,
    pub amounts: T3,
    pub locks: T5,
    pub lanes: T6,
    pub ranks: T7,
    pub tasks: T8,
    pub ns: i64,
}
#[derive(Debug)]
pub struct FindStillReadyParams<
    T1: crate::ArraySql<Item = i64>,
    T2: crate::ArraySql<Item = i64>,
    T3: crate::ArraySql<Item = uuid::Uuid>,
> {
    pub lanes: T1,
    pub ranks: T2,
    pub tasks: T3,
    pub ns: i64,
}
#[derive(Debug)]
pub struct LockWaitersParams<
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::ArraySql<Item = i64>,
    T4: crate::ArraySql<Item = i64>,
    T5: crate::ArraySql<Item = i64>,
    T6: crate::ArraySql<Item = i64>,
> {
    pub gates: T2,
    pub most: T3,
    pub left: T4,
    pub lanes: T5,
    pub aged: T6,
    pub ns: i64,
}
#[derive(Debug)]
pub struct ReturnToReadyParams<
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::ArraySql<Item = i64>,
    T4: crate::ArraySql<Item = i64>,
    T5: crate::ArraySql<Item = uuid::Uuid>,
> {
    pub gates: T2,
    pub lanes: T3,
    pub ranks: T4,
    pub tasks: T5,
    pub ns: i64,
}
#[derive(Debug)]
pub struct DeleteGatedParams<
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::ArraySql<Item = i64>,
    T4: crate::ArraySql<Item = i64>,
    T5: crate::ArraySql<Item = uuid::Uuid>,
> {
    pub ns: i64,
    pub gates: T2,
    pub lanes: T3,
    pub ranks: T4,
    pub tasks: T5,
}
#[derive(Debug)]
pub struct DeleteGatedTasksParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct FindCostsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub tasks: T1,
    pub ns: i64,
}
#[derive(Debug)]
pub struct FindWhereaboutsParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
> {
    pub tasks: T1,
    pub epochs: T2,
    pub ns: i64,
}
#[derive(Debug)]
pub struct FindLeasesAmongParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
> {
    pub tasks: T1,
    pub epochs: T2,
    pub ns: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindGraphCostParams {
    pub ns: i64,
    pub graph: uuid::Uuid,
}
#[derive(Debug)]
pub struct FindGatesWithWaitersParams<T1: crate::StringSql, T2: crate::ArraySql<Item = T1>> {
    pub gates: T2,
    pub ns: i64,
}
#[derive(Debug)]
pub struct FindContendersForLocksParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub tasks: T1,
    pub ns: i64,
    pub ready: i16,
}
#[derive(Debug)]
pub struct BeginWaitingAgainParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub now: jiff::Timestamp,
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindKnownGates {
    pub gates_version: i64,
    pub gate: Option<String>,
    pub time_zone: Option<String>,
}
pub struct FindKnownGatesBorrowed<'a> {
    pub gates_version: i64,
    pub gate: Option<&'a str>,
    pub time_zone: Option<&'a str>,
}
impl<'a> From<FindKnownGatesBorrowed<'a>> for FindKnownGates {
    fn from(
        FindKnownGatesBorrowed {
            gates_version,
            gate,
            time_zone,
        }: FindKnownGatesBorrowed<'a>,
    ) -> Self {
        Self {
            gates_version,
            gate: gate.map(|v| v.into()),
            time_zone: time_zone.map(|v| v.into()),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindAllGates {
    pub gate: String,
    pub cap: Option<i64>,
    pub used: i64,
    pub spent: i64,
    pub has_waiters: bool,
    pub is_nearly_used_up: bool,
    pub is_used_up: bool,
    pub is_removed: bool,
    pub set_by: String,
    pub set_at: jiff::Timestamp,
    pub note: Option<String>,
    pub time_zone: Option<String>,
    pub reserved_for: Option<uuid::Uuid>,
    pub reserved_at: Option<jiff::Timestamp>,
    pub reserved_locks: Option<serde_json::Value>,
}
pub struct FindAllGatesBorrowed<'a> {
    pub gate: &'a str,
    pub cap: Option<i64>,
    pub used: i64,
    pub spent: i64,
    pub has_waiters: bool,
    pub is_nearly_used_up: bool,
    pub is_used_up: bool,
    pub is_removed: bool,
    pub set_by: &'a str,
    pub set_at: jiff::Timestamp,
    pub note: Option<&'a str>,
    pub time_zone: Option<&'a str>,
    pub reserved_for: Option<uuid::Uuid>,
    pub reserved_at: Option<jiff::Timestamp>,
    pub reserved_locks: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
}
impl<'a> From<FindAllGatesBorrowed<'a>> for FindAllGates {
    fn from(
        FindAllGatesBorrowed {
            gate,
            cap,
            used,
            spent,
            has_waiters,
            is_nearly_used_up,
            is_used_up,
            is_removed,
            set_by,
            set_at,
            note,
            time_zone,
            reserved_for,
            reserved_at,
            reserved_locks,
        }: FindAllGatesBorrowed<'a>,
    ) -> Self {
        Self {
            gate: gate.into(),
            cap,
            used,
            spent,
            has_waiters,
            is_nearly_used_up,
            is_used_up,
            is_removed,
            set_by: set_by.into(),
            set_at,
            note: note.map(|v| v.into()),
            time_zone: time_zone.map(|v| v.into()),
            reserved_for,
            reserved_at,
            reserved_locks: reserved_locks.map(|v| serde_json::from_str(v.0.get()).unwrap()),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindGates {
    pub gate: String,
    pub cap: Option<i64>,
    pub used: i64,
    pub spent: i64,
    pub has_waiters: bool,
    pub is_nearly_used_up: bool,
    pub is_used_up: bool,
    pub is_removed: bool,
    pub set_by: String,
    pub set_at: jiff::Timestamp,
    pub note: Option<String>,
    pub time_zone: Option<String>,
    pub reserved_for: Option<uuid::Uuid>,
    pub reserved_at: Option<jiff::Timestamp>,
    pub reserved_locks: Option<serde_json::Value>,
}
pub struct FindGatesBorrowed<'a> {
    pub gate: &'a str,
    pub cap: Option<i64>,
    pub used: i64,
    pub spent: i64,
    pub has_waiters: bool,
    pub is_nearly_used_up: bool,
    pub is_used_up: bool,
    pub is_removed: bool,
    pub set_by: &'a str,
    pub set_at: jiff::Timestamp,
    pub note: Option<&'a str>,
    pub time_zone: Option<&'a str>,
    pub reserved_for: Option<uuid::Uuid>,
    pub reserved_at: Option<jiff::Timestamp>,
    pub reserved_locks: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
}
impl<'a> From<FindGatesBorrowed<'a>> for FindGates {
    fn from(
        FindGatesBorrowed {
            gate,
            cap,
            used,
            spent,
            has_waiters,
            is_nearly_used_up,
            is_used_up,
            is_removed,
            set_by,
            set_at,
            note,
            time_zone,
            reserved_for,
            reserved_at,
            reserved_locks,
        }: FindGatesBorrowed<'a>,
    ) -> Self {
        Self {
            gate: gate.into(),
            cap,
            used,
            spent,
            has_waiters,
            is_nearly_used_up,
            is_used_up,
            is_removed,
            set_by: set_by.into(),
            set_at,
            note: note.map(|v| v.into()),
            time_zone: time_zone.map(|v| v.into()),
            reserved_for,
            reserved_at,
            reserved_locks: reserved_locks.map(|v| serde_json::from_str(v.0.get()).unwrap()),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindGatesOfHolds {
    pub gate: String,
    pub cap: Option<i64>,
    pub used: i64,
    pub spent: i64,
    pub has_waiters: bool,
    pub is_nearly_used_up: bool,
    pub is_used_up: bool,
    pub is_removed: bool,
    pub set_by: String,
    pub set_at: jiff::Timestamp,
    pub note: Option<String>,
    pub time_zone: Option<String>,
    pub reserved_for: Option<uuid::Uuid>,
    pub reserved_at: Option<jiff::Timestamp>,
    pub reserved_locks: Option<serde_json::Value>,
}
pub struct FindGatesOfHoldsBorrowed<'a> {
    pub gate: &'a str,
    pub cap: Option<i64>,
    pub used: i64,
    pub spent: i64,
    pub has_waiters: bool,
    pub is_nearly_used_up: bool,
    pub is_used_up: bool,
    pub is_removed: bool,
    pub set_by: &'a str,
    pub set_at: jiff::Timestamp,
    pub note: Option<&'a str>,
    pub time_zone: Option<&'a str>,
    pub reserved_for: Option<uuid::Uuid>,
    pub reserved_at: Option<jiff::Timestamp>,
    pub reserved_locks: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
}
impl<'a> From<FindGatesOfHoldsBorrowed<'a>> for FindGatesOfHolds {
    fn from(
        FindGatesOfHoldsBorrowed {
            gate,
            cap,
            used,
            spent,
            has_waiters,
            is_nearly_used_up,
            is_used_up,
            is_removed,
            set_by,
            set_at,
            note,
            time_zone,
            reserved_for,
            reserved_at,
            reserved_locks,
        }: FindGatesOfHoldsBorrowed<'a>,
    ) -> Self {
        Self {
            gate: gate.into(),
            cap,
            used,
            spent,
            has_waiters,
            is_nearly_used_up,
            is_used_up,
            is_removed,
            set_by: set_by.into(),
            set_at,
            note: note.map(|v| v.into()),
            time_zone: time_zone.map(|v| v.into()),
            reserved_for,
            reserved_at,
            reserved_locks: reserved_locks.map(|v| serde_json::from_str(v.0.get()).unwrap()),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindHolds {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub gates: Vec<String>,
    pub amounts: Vec<i64>,
}
pub struct FindHoldsBorrowed<'a> {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub gates: crate::ArrayIterator<'a, &'a str>,
    pub amounts: crate::ArrayIterator<'a, i64>,
}
impl<'a> From<FindHoldsBorrowed<'a>> for FindHolds {
    fn from(
        FindHoldsBorrowed {
            task,
            epoch,
            gates,
            amounts,
        }: FindHoldsBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            epoch,
            gates: gates.map(|v| v.into()).collect(),
            amounts: amounts.map(|v| v).collect(),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindHeldLocks {
    pub root: String,
    pub task: uuid::Uuid,
    pub path: String,
    pub is_shared: bool,
    pub agent: String,
}
pub struct FindHeldLocksBorrowed<'a> {
    pub root: &'a str,
    pub task: uuid::Uuid,
    pub path: &'a str,
    pub is_shared: bool,
    pub agent: &'a str,
}
impl<'a> From<FindHeldLocksBorrowed<'a>> for FindHeldLocks {
    fn from(
        FindHeldLocksBorrowed {
            root,
            task,
            path,
            is_shared,
            agent,
        }: FindHeldLocksBorrowed<'a>,
    ) -> Self {
        Self {
            root: root.into(),
            task,
            path: path.into(),
            is_shared,
            agent: agent.into(),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindHeldPaths {
    pub path: String,
    pub is_shared: bool,
}
pub struct FindHeldPathsBorrowed<'a> {
    pub path: &'a str,
    pub is_shared: bool,
}
impl<'a> From<FindHeldPathsBorrowed<'a>> for FindHeldPaths {
    fn from(FindHeldPathsBorrowed { path, is_shared }: FindHeldPathsBorrowed<'a>) -> Self {
        Self {
            path: path.into(),
            is_shared,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct LockWaiters {
    pub gate: String,
    pub lane: i64,
    pub rank: i64,
    pub task: uuid::Uuid,
    pub amount: i64,
    pub since: jiff::Timestamp,
    pub locks: Option<serde_json::Value>,
}
pub struct LockWaitersBorrowed<'a> {
    pub gate: &'a str,
    pub lane: i64,
    pub rank: i64,
    pub task: uuid::Uuid,
    pub amount: i64,
    pub since: jiff::Timestamp,
    pub locks: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
}
impl<'a> From<LockWaitersBorrowed<'a>> for LockWaiters {
    fn from(
        LockWaitersBorrowed {
            gate,
            lane,
            rank,
            task,
            amount,
            since,
            locks,
        }: LockWaitersBorrowed<'a>,
    ) -> Self {
        Self {
            gate: gate.into(),
            lane,
            rank,
            task,
            amount,
            since,
            locks: locks.map(|v| serde_json::from_str(v.0.get()).unwrap()),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindRunning {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub agent: String,
    pub claimed_at: jiff::Timestamp,
    pub cost_micros: i64,
    pub graph: uuid::Uuid,
    pub lane: i64,
    pub spent_micros: i64,
    pub created_by: String,
    pub policy: serde_json::Value,
}
pub struct FindRunningBorrowed<'a> {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub agent: &'a str,
    pub claimed_at: jiff::Timestamp,
    pub cost_micros: i64,
    pub graph: uuid::Uuid,
    pub lane: i64,
    pub spent_micros: i64,
    pub created_by: &'a str,
    pub policy: postgres_types::Json<&'a serde_json::value::RawValue>,
}
impl<'a> From<FindRunningBorrowed<'a>> for FindRunning {
    fn from(
        FindRunningBorrowed {
            task,
            epoch,
            agent,
            claimed_at,
            cost_micros,
            graph,
            lane,
            spent_micros,
            created_by,
            policy,
        }: FindRunningBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            epoch,
            agent: agent.into(),
            claimed_at,
            cost_micros,
            graph,
            lane,
            spent_micros,
            created_by: created_by.into(),
            policy: serde_json::from_str(policy.0.get()).unwrap(),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindCosts {
    pub task: uuid::Uuid,
    pub graph: uuid::Uuid,
    pub spent_micros: i64,
    pub policy: serde_json::Value,
}
pub struct FindCostsBorrowed<'a> {
    pub task: uuid::Uuid,
    pub graph: uuid::Uuid,
    pub spent_micros: i64,
    pub policy: postgres_types::Json<&'a serde_json::value::RawValue>,
}
impl<'a> From<FindCostsBorrowed<'a>> for FindCosts {
    fn from(
        FindCostsBorrowed {
            task,
            graph,
            spent_micros,
            policy,
        }: FindCostsBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            graph,
            spent_micros,
            policy: serde_json::from_str(policy.0.get()).unwrap(),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindWhereabouts {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub agent: String,
    pub graph: uuid::Uuid,
}
pub struct FindWhereaboutsBorrowed<'a> {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub agent: &'a str,
    pub graph: uuid::Uuid,
}
impl<'a> From<FindWhereaboutsBorrowed<'a>> for FindWhereabouts {
    fn from(
        FindWhereaboutsBorrowed {
            task,
            epoch,
            agent,
            graph,
        }: FindWhereaboutsBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            epoch,
            agent: agent.into(),
            graph,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindAllHolds {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub gates: Vec<String>,
    pub amounts: Vec<i64>,
}
pub struct FindAllHoldsBorrowed<'a> {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub gates: crate::ArrayIterator<'a, &'a str>,
    pub amounts: crate::ArrayIterator<'a, i64>,
}
impl<'a> From<FindAllHoldsBorrowed<'a>> for FindAllHolds {
    fn from(
        FindAllHoldsBorrowed {
            task,
            epoch,
            gates,
            amounts,
        }: FindAllHoldsBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            epoch,
            gates: gates.map(|v| v.into()).collect(),
            amounts: amounts.map(|v| v).collect(),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindAllHeldLocks {
    pub root: String,
    pub task: uuid::Uuid,
    pub path: String,
    pub is_shared: bool,
    pub agent: String,
}
pub struct FindAllHeldLocksBorrowed<'a> {
    pub root: &'a str,
    pub task: uuid::Uuid,
    pub path: &'a str,
    pub is_shared: bool,
    pub agent: &'a str,
}
impl<'a> From<FindAllHeldLocksBorrowed<'a>> for FindAllHeldLocks {
    fn from(
        FindAllHeldLocksBorrowed {
            root,
            task,
            path,
            is_shared,
            agent,
        }: FindAllHeldLocksBorrowed<'a>,
    ) -> Self {
        Self {
            root: root.into(),
            task,
            path: path.into(),
            is_shared,
            agent: agent.into(),
        }
    }
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindLeasesAmong {
    pub task: uuid::Uuid,
    pub epoch: i32,
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct I64Query<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<i64, tokio_postgres::Error>,
    mapper: fn(i64) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> I64Query<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(i64) -> R) -> I64Query<'c, 'a, 's, C, R, N> {
        I64Query {
            client: self.client,
            params: self.params,
            query: self.query,
            cached: self.cached,
            extractor: self.extractor,
            mapper,
        }
    }
    pub async fn one(self) -> Result<T, tokio_postgres::Error> {
        let row =
            crate::client::async_::one(self.client, self.query, &self.params, self.cached).await?;
        Ok((self.mapper)((self.extractor)(&row)?))
    }
    pub async fn all(self) -> Result<Vec<T>, tokio_postgres::Error> {
        self.iter().await?.try_collect().await
    }
    pub async fn opt(self) -> Result<Option<T>, tokio_postgres::Error> {
        let opt_row =
            crate::client::async_::opt(self.client, self.query, &self.params, self.cached).await?;
        Ok(opt_row
            .map(|row| {
                let extracted = (self.extractor)(&row)?;
                Ok((self.mapper)(extracted))
            })
            .transpose()?)
    }
    pub async fn iter(
        self,
    ) -> Result<
        impl futures::Stream<Item = Result<T, tokio_postgres::Error>> + 'c,
        tokio_postgres::Error,
    > {
        let stream = crate::client::async_::raw(
            self.client,
            self.query,
            crate::slice_iter(&self.params),
            self.cached,
        )
        .await?;
        let mapped = stream
            .map(move |res| {
                res.and_then(|row| {
                    let extracted = (self.extractor)(&row)?;
                    Ok((self.mapper)(extracted))
                })
            })
            .into_stream();
        Ok(mapped)
    }
}
pub struct FindKnownGatesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindKnownGatesBorrowed, tokio_postgres::Error>,
    mapper: fn(FindKnownGatesBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindKnownGatesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindKnownGatesBorrowed) -> R,
    ) -> FindKnownGatesQuery<'c, 'a, 's, C, R, N> {
        FindKnownGatesQuery {
            client: self.client,
            params: self.params,
            query: self.query,
            cached: self.cached,
            extractor: self.extractor,
            mapper,
        }
    }
    pub async fn one(self) -> Result<T, tokio_postgres::Error> {
        let row =
            crate::client::async_::one(self.client, self.query, &self.params, self.cached).await?;
        Ok((self.mapper)((self.extractor)(&row)?))
    }
    pub async fn all(self) -> Result<Vec<T>, tokio_postgres::Error> {
        self.iter().await?.try_collect().await
    }
    pub async fn opt(self) -> Result<Option<T>, tokio_postgres::Error> {
        let opt_row =
            crate::client::async_::opt(self.client, self.query, &self.params, self.cached).await?;
        Ok(opt_row
            .map(|row| {
                let extracted = (self.extractor)(&row)?;
                Ok((self.mapper)(extracted))
            })
            .transpose()?)
    }
    pub async fn iter(
        self,
    ) -> Result<
        impl futures::Stream<Item = Result<T, tokio_postgres::Error>> + 'c,
        tokio_postgres::Error,
    > {
        let stream = crate::client::async_::raw(
            self.client,
            self.query,
            crate::slice_iter(&self.params),
            self.cached,
        )
        .await?;
        let mapped = stream
            .map(move |res| {
                res.and_then(|row| {
                    let extracted = (self.extractor)(&row)?;
                    Ok((self.mapper)(extracted))
                })
            })
            .into_stream();
        Ok(mapped)
    }
}
pub struct FindAllGatesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindAllGatesBorrowed, tokio_postgres::Error>,
    mapper: fn(FindAllGatesBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindAllGatesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindAllGatesBorrowed) -> R,
    ) -> FindAllGatesQuery<'c, 'a, 's, C, R, N> {
        FindAllGatesQuery {
            client: self.client,
            params: self.params,
            query: self.query,
            cached: self.cached,
            extractor: self.extractor,
            mapper,
        }
    }
    pub async fn one(self) -> Result<T, tokio_postgres::Error> {
        let row =
            crate::client::async_::one(self.client, self.query, &self.params, self.cached).await?;
        Ok((self.mapper)((self.extractor)(&row)?))
    }
    pub async fn all(self) -> Result<Vec<T>, tokio_postgres::Error> {
        self.iter().await?.try_collect().await
    }
    pub async fn opt(self) -> Result<Option<T>, tokio_postgres::Error> {
        let opt_row =
            crate::client::async_::opt(self.client, self.query, &self.params, self.cached).await?;
        Ok(opt_row
            .map(|row| {
                let extracted = (self.extractor)(&row)?;
                Ok((self.mapper)(extracted))
            })
            .transpose()?)
    }
    pub async fn iter(
        self,
    ) -> Result<
        impl futures::Stream<Item = Result<T, tokio_postgres::Error>> + 'c,
        tokio_postgres::Error,
    > {
        let stream = crate::client::async_::raw(
            self.client,
            self.query,
            crate::slice_iter(&self.params),
            self.cached,
        )
        .await?;
        let mapped = stream
            .map(move |res| {
                res.and_then(|row| {
                    let extracted = (self.extractor)(&row)?;
                    Ok((self.mapper)(extracted))
                })
            })
            .into_stream();
        Ok(mapped)
    }
}
pub struct StringQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<&str, tokio_postgres::Error>,
    mapper: fn(&str) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> StringQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(&str) -> R) -> StringQuery<'c, 'a, 's, C, R, N> {
        StringQuery {
            client: self.client,
            params: self.params,
            query: self.query,
            cached: self.cached,
            extractor: self.extractor,
            mapper,
        }
    }
    pub async fn one(self) -> Result<T, tokio_postgres::Error> {
        let row =
            crate::client::async_::one(self.client, self.query, &self.params, self.cached).await?;
        Ok((self.mapper)((self.extractor)(&row)?))
    }
    pub async fn all(self) -> Result<Vec<T>, tokio_postgres::Error> {
        self.iter().await?.try_collect().await
    }
    pub async fn opt(self) -> Result<Option<T>, tokio_postgres::Error> {
        let opt_row =
            crate::client::async_::opt(self.client, self.query, &self.params, self.cached).await?;
        Ok(opt_row
            .map(|row| {
                let extracted = (self.extractor)(&row)?;
                Ok((self.mapper)(extracted))
            })
            .transpose()?)
    }
    pub async fn iter(
        self,
    ) -> Result<
        impl futures::Stream<Item = Result<T, tokio_postgres::Error>> + 'c,
        tokio_postgres::Error,
    > {
        let stream = crate::client::async_::raw(
            self.client,
            self.query,
            crate::slice_iter(&self.params),
            self.cached,
        )
        .await?;
        let mapped = stream
            .map(move |res| {
                res.and_then(|row| {
                    let extracted = (self.extractor)(&row)?;
                    Ok((self.mapper)(extracted))
                })
            })
            .into_stream();
        Ok(mapped)
    }
}
pub struct UuidUuidQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<uuid::Uuid, tokio_postgres::Error>,
    mapper: fn(uuid::Uuid) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> UuidUuidQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(uuid::Uuid) -> R) -> UuidUuidQuery<'c, 'a, 's, C, R, N> {
        UuidUuidQuery {
            client: self.client,
            params: self.params,
            query: self.query,
            cached: self.cached,
            extractor: self.extractor,
            mapper,
        }
    }
    pub async fn one(self) -> Result<T, tokio_postgres::Error> {
        let row =
            crate::client::async_::one(self.client, self.query, &self.params, self.cached).await?;
        Ok((self.mapper)((self.extractor)(&row)?))
    }
    pub async fn all(self) -> Result<Vec<T>, tokio_postgres::Error> {
        self.iter().await?.try_collect().await
    }
    pub async fn opt(self) -> Result<Option<T>, tokio_postgres::Error> {
        let opt_row =
            crate::client::async_::opt(self.client, self.query, &self.params, self.cached).await?;
        Ok(opt_row
            .map(|row| {
                let extracted = (self.extractor)(&row)?;
                Ok((self.mapper)(extracted))
            })
            .transpose()?)
    }
    pub async fn iter(
        self,
    ) -> Result<
        impl futures::Stream<Item = Result<T, tokio_postgres::Error>> + 'c,
        tokio_postgres::Error,
    > {
        let stream = crate::client::async_::raw(
            self.client,
            self.query,
            crate::slice_iter(&self.params),
            self.cached,
        )
        .await?;
        let mapped = stream
            .map(move |res| {
                res.and_then(|row| {
                    let extracted = (self.extractor)(&row)?;
                    Ok((self.mapper)(extracted))
                })
            })
            .into_stream();
        Ok(mapped)
    }
}
pub struct FindGatesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindGatesBorrowed, tokio_postgres::Error>,
    mapper: fn(FindGatesBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindGatesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(FindGatesBorrowed) -> R) -> FindGatesQuery<'c, 'a, 's, C, R, N> {
        FindGatesQuery {
            client: self.client,
            params: self.params,
            query: self.query,
            cached: self.cached,
            extractor: self.extractor,
            mapper,
        }
    }
    pub async fn one(self) -> Result<T, tokio_postgres::Error> {
        let row =
            crate::client::async_::one(self.client, self.query, &self.params, self.cached).await?;
        Ok((self.mapper)((self.extractor)(&row)?))
    }
    pub async fn all(self) -> Result<Vec<T>, tokio_postgres::Error> {
        self.iter().await?.try_collect().await
    }
    pub async fn opt(self) -> Result<Option<T>, tokio_postgres::Error> {
        let opt_row =
            crate::client::async_::opt(self.client, self.query, &self.params, self.cached).await?;
        Ok(opt_row
            .map(|row| {
                let extracted = (self.extractor)(&row)?;
                Ok((self.mapper)(extracted))
            })
            .transpose()?)
    }
    pub async fn iter(
        self,
    ) -> Result<
        impl futures::Stream<Item = Result<T, tokio_postgres::Error>> + 'c,
        tokio_postgres::Error,
    > {
        let stream = crate::client::async_::raw(
            self.client,
            self.query,
            crate::slice_iter(&self.params),
            self.cached,
        )
        .await?;
        let mapped = stream
            .map(move |res| {
                res.and_then(|row| {
                    let extracted = (self.extractor)(&row)?;
                    Ok((self.mapper)(extracted))
                })
            })
            .into_stream();
        Ok(mapped)
    }
}
pub struct FindGatesOfHoldsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindGatesOfHoldsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindGatesOfHoldsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindGatesOfHoldsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindGatesOfHoldsBorrowed) -> R,
    ) -> FindGatesOfHoldsQuery<'c, 'a, 's, C, R, N> {
        FindGatesOfHoldsQuery {
            client: self.client,
            params: self.params,
            query: self.query,
            cached: self.cached,
            extractor: self.extractor,
            mapper,
        }
    }
    pub async fn one(self) -> Result<T, tokio_postgres::Error> {
        let row =
            crate::client::async_::one(self.client, self.query, &self.params, self.cached).await?;
        Ok((self.mapper)((self.extractor)(&row)?))
    }
    pub async fn all(self) -> Result<Vec<T>, tokio_postgres::Error> {
        self.iter().await?.try_collect().await
    }
    pub async fn opt(self) -> Result<Option<T>, tokio_postgres::Error> {
        let opt_row =
            crate::client::async_::opt(self.client, self.query, &self.params, self.cached).await?;
        Ok(opt_row
            .map(|row| {
                let extracted = (self.extractor)(&row)?;
                Ok((self.mapper)(extracted))
            })
            .transpose()?)
    }
    pub async fn iter(
        self,
    ) -> Result<
        impl futures::Stream<Item = Result<T, tokio_postgres::Error>> + 'c,
        tokio_postgres::Error,
    > {
        let stream = crate::client::async_::raw(
            self.client,
            self.query,
            crate::slice_iter(&self.params),
            self.cached,
        )
        .await?;
        let mapped = stream
            .map(move |res| {
                res.and_then(|row| {
                    let extracted = (self.extractor)(&row)?;
                    Ok((self.mapper)(extracted))
                })
            })
            .into_stream();
        Ok(mapped)
    }
}
pub struct FindHoldsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindHoldsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindHoldsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindHoldsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(FindHoldsBorrowed) -> R) -> FindHoldsQuery<'c, 'a, 's, C, R, N> {
        FindHoldsQuery {
            client: self.client,
            params: self.params,
            query: self.query,
            cached: self.cached,
            extractor: self.extractor,
            mapper,
        }
    }
    pub async fn one(self) -> Result<T, tokio_postgres::Error> {
        let row =
            crate::client::async_::one(self.client, self.query, &self.params, self.cached).await?;
        Ok((self.mapper)((self.extractor)(&row)?))
    }
    pub async fn all(self) -> Result<Vec<T>, tokio_postgres::Error> {
        self.iter().await?.try_collect().await
    }
    pub async fn opt(self) -> Result<Option<T>, tokio_postgres::Error> {
        let opt_row =
            crate::client::async_::opt(self.client, self.query, &self.params, self.cached).await?;
        Ok(opt_row
            .map(|row| {
                let extracted = (self.extractor)(&row)?;
                Ok((self.mapper)(extracted))
            })
            .transpose()?)
    }
    pub async fn iter(
        self,
    ) -> Result<
        impl futures::Stream<Item = Result<T, tokio_postgres::Error>> + 'c,
        tokio_postgres::Error,
    > {
        let stream = crate::client::async_::raw(
            self.client,
            self.query,
            crate::slice_iter(&self.params),
            self.cached,
        )
        .await?;
        let mapped = stream
            .map(move |res| {
                res.and_then(|row| {
                    let extracted = (self.extractor)(&row)?;
                    Ok((self.mapper)(extracted))
                })
            })
            .into_stream();
        Ok(mapped)
    }
}
pub struct FindHeldLocksQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindHeldLocksBorrowed, tokio_postgres::Error>,
    mapper: fn(FindHeldLocksBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindHeldLocksQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindHeldLocksBorrowed) -> R,
    ) -> FindHeldLocksQuery<'c, 'a, 's, C, R, N> {
        FindHeldLocksQuery {
            client: self.client,
            params: self.params,
            query: self.query,
            cached: self.cached,
            extractor: self.extractor,
            mapper,
        }
    }
    pub async fn one(self) -> Result<T, tokio_postgres::Error> {
        let row =
            crate::client::async_::one(self.client, self.query, &self.params, self.cached).await?;
        Ok((self.mapper)((self.extractor)(&row)?))
    }
    pub async fn all(self) -> Result<Vec<T>, tokio_postgres::Error> {
        self.iter().await?.try_collect().await
    }
    pub async fn opt(self) -> Result<Option<T>, tokio_postgres::Error> {
        let opt_row =
            crate::client::async_::opt(self.client, self.query, &self.params, self.cached).await?;
        Ok(opt_row
            .map(|row| {
                let extracted = (self.extractor)(&row)?;
                Ok((self.mapper)(extracted))
            })
            .transpose()?)
    }
    pub async fn iter(
        self,
    ) -> Result<
        impl futures::Stream<Item = Result<T, tokio_postgres::Error>> + 'c,
        tokio_postgres::Error,
    > {
        let stream = crate::client::async_::raw(
            self.client,
            self.query,
            crate::slice_iter(&self.params),
            self.cached,
        )
        .await?;
        let mapped = stream
            .map(move |res| {
                res.and_then(|row| {
                    let extracted = (self.extractor)(&row)?;
                    Ok((self.mapper)(extracted))
                })
            })
            .into_stream();
        Ok(mapped)
    }
}
pub struct FindHeldPathsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindHeldPathsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindHeldPathsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindHeldPathsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindHeldPathsBorrowed) -> R,
    ) -> FindHeldPathsQuery<'c, 'a, 's, C, R, N> {
        FindHeldPathsQuery {
            client: self.client,
            params: self.params,
            query: self.query,
            cached: self.cached,
            extractor: self.extractor,
            mapper,
        }
    }
    pub async fn one(self) -> Result<T, tokio_postgres::Error> {
        let row =
            crate::client::async_::one(self.client, self.query, &self.params, self.cached).await?;
        Ok((self.mapper)((self.extractor)(&row)?))
    }
    pub async fn all(self) -> Result<Vec<T>, tokio_postgres::Error> {
        self.iter().await?.try_collect().await
    }
    pub async fn opt(self) -> Result<Option<T>, tokio_postgres::Error> {
        let opt_row =
            crate::client::async_::opt(self.client, self.query, &self.params, self.cached).await?;
        Ok(opt_row
            .map(|row| {
                let extracted = (self.extractor)(&row)?;
                Ok((self.mapper)(extracted))
            })
            .transpose()?)
    }
    pub async fn iter(
        self,
    ) -> Result<
        impl futures::Stream<Item = Result<T, tokio_postgres::Error>> + 'c,
        tokio_postgres::Error,
    > {
        let stream = crate::client::async_::raw(
            self.client,
            self.query,
            crate::slice_iter(&self.params),
            self.cached,
        )
        .await?;
        let mapped = stream
            .map(move |res| {
                res.and_then(|row| {
                    let extracted = (self.extractor)(&row)?;
                    Ok((self.mapper)(extracted))
                })
            })
            .into_stream();
        Ok(mapped)
    }
}
pub struct LockWaitersQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<LockWaitersBorrowed, tokio_postgres::Error>,
    mapper: fn(LockWaitersBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> LockWaitersQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(LockWaitersBorrowed) -> R,
    ) -> LockWaitersQuery<'c, 'a, 's, C, R, N> {
        LockWaitersQuery {
            client: self.client,
            params: self.params,
            query: self.query,
            cached: self.cached,
            extractor: self.extractor,
            mapper,
        }
    }
    pub async fn one(self) -> Result<T, tokio_postgres::Error> {
        let row =
            crate::client::async_::one(self.client, self.query, &self.params, self.cached).await?;
        Ok((self.mapper)((self.extractor)(&row)?))
    }
    pub async fn all(self) -> Result<Vec<T>, tokio_postgres::Error> {
        self.iter().await?.try_collect().await
    }
    pub async fn opt(self) -> Result<Option<T>, tokio_postgres::Error> {
        let opt_row =
            crate::client::async_::opt(self.client, self.query, &self.params, self.cached).await?;
        Ok(opt_row
            .map(|row| {
                let extracted = (self.extractor)(&row)?;
                Ok((self.mapper)(extracted))
            })
            .transpose()?)
    }
    pub async fn iter(
        self,
    ) -> Result<
        impl futures::Stream<Item = Result<T, tokio_postgres::Error>> + 'c,
        tokio_postgres::Error,
    > {
        let stream = crate::client::async_::raw(
            self.client,
            self.query,
            crate::slice_iter(&self.params),
            self.cached,
        )
        .await?;
        let mapped = stream
            .map(move |res| {
                res.and_then(|row| {
                    let extracted = (self.extractor)(&row)?;
                    Ok((self.mapper)(extracted))
                })
            })
            .into_stream();
        Ok(mapped)
    }
}
pub struct FindRunningQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindRunningBorrowed, tokio_postgres::Error>,
    mapper: fn(FindRunningBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindRunningQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindRunningBorrowed) -> R,
    ) -> FindRunningQuery<'c, 'a, 's, C, R, N> {
        FindRunningQuery {
            client: self.client,
            params: self.params,
            query: self.query,
            cached: self.cached,
            extractor: self.extractor,
            mapper,
        }
    }
    pub async fn one(self) -> Result<T, tokio_postgres::Error> {
        let row =
            crate::client::async_::one(self.client, self.query, &self.params, self.cached).await?;
        Ok((self.mapper)((self.extractor)(&row)?))
    }
    pub async fn all(self) -> Result<Vec<T>, tokio_postgres::Error> {
        self.iter().await?.try_collect().await
    }
    pub async fn opt(self) -> Result<Option<T>, tokio_postgres::Error> {
        let opt_row =
            crate::client::async_::opt(self.client, self.query, &self.params, self.cached).await?;
        Ok(opt_row
            .map(|row| {
                let extracted = (self.extractor)(&row)?;
                Ok((self.mapper)(extracted))
            })
            .transpose()?)
    }
    pub async fn iter(
        self,
    ) -> Result<
        impl futures::Stream<Item = Result<T, tokio_postgres::Error>> + 'c,
        tokio_postgres::Error,
    > {
        let stream = crate::client::async_::raw(
            self.client,
            self.query,
            crate::slice_iter(&self.params),
            self.cached,
        )
        .await?;
        let mapped = stream
            .map(move |res| {
                res.and_then(|row| {
                    let extracted = (self.extractor)(&row)?;
                    Ok((self.mapper)(extracted))
                })
            })
            .into_stream();
        Ok(mapped)
    }
}
pub struct FindCostsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindCostsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindCostsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindCostsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(FindCostsBorrowed) -> R) -> FindCostsQuery<'c, 'a, 's, C, R, N> {
        FindCostsQuery {
            client: self.client,
            params: self.params,
            query: self.query,
            cached: self.cached,
            extractor: self.extractor,
            mapper,
        }
    }
    pub async fn one(self) -> Result<T, tokio_postgres::Error> {
        let row =
            crate::client::async_::one(self.client, self.query, &self.params, self.cached).await?;
        Ok((self.mapper)((self.extractor)(&row)?))
    }
    pub async fn all(self) -> Result<Vec<T>, tokio_postgres::Error> {
        self.iter().await?.try_collect().await
    }
    pub async fn opt(self) -> Result<Option<T>, tokio_postgres::Error> {
        let opt_row =
            crate::client::async_::opt(self.client, self.query, &self.params, self.cached).await?;
        Ok(opt_row
            .map(|row| {
                let extracted = (self.extractor)(&row)?;
                Ok((self.mapper)(extracted))
            })
            .transpose()?)
    }
    pub async fn iter(
        self,
    ) -> Result<
        impl futures::Stream<Item = Result<T, tokio_postgres::Error>> + 'c,
        tokio_postgres::Error,
    > {
        let stream = crate::client::async_::raw(
            self.client,
            self.query,
            crate::slice_iter(&self.params),
            self.cached,
        )
        .await?;
        let mapped = stream
            .map(move |res| {
                res.and_then(|row| {
                    let extracted = (self.extractor)(&row)?;
                    Ok((self.mapper)(extracted))
                })
            })
            .into_stream();
        Ok(mapped)
    }
}
pub struct FindWhereaboutsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindWhereaboutsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindWhereaboutsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindWhereaboutsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindWhereaboutsBorrowed) -> R,
    ) -> FindWhereaboutsQuery<'c, 'a, 's, C, R, N> {
        FindWhereaboutsQuery {
            client: self.client,
            params: self.params,
            query: self.query,
            cached: self.cached,
            extractor: self.extractor,
            mapper,
        }
    }
    pub async fn one(self) -> Result<T, tokio_postgres::Error> {
        let row =
            crate::client::async_::one(self.client, self.query, &self.params, self.cached).await?;
        Ok((self.mapper)((self.extractor)(&row)?))
    }
    pub async fn all(self) -> Result<Vec<T>, tokio_postgres::Error> {
        self.iter().await?.try_collect().await
    }
    pub async fn opt(self) -> Result<Option<T>, tokio_postgres::Error> {
        let opt_row =
            crate::client::async_::opt(self.client, self.query, &self.params, self.cached).await?;
        Ok(opt_row
            .map(|row| {
                let extracted = (self.extractor)(&row)?;
                Ok((self.mapper)(extracted))
            })
            .transpose()?)
    }
    pub async fn iter(
        self,
    ) -> Result<
        impl futures::Stream<Item = Result<T, tokio_postgres::Error>> + 'c,
        tokio_postgres::Error,
    > {
        let stream = crate::client::async_::raw(
            self.client,
            self.query,
            crate::slice_iter(&self.params),
            self.cached,
        )
        .await?;
        let mapped = stream
            .map(move |res| {
                res.and_then(|row| {
                    let extracted = (self.extractor)(&row)?;
                    Ok((self.mapper)(extracted))
                })
            })
            .into_stream();
        Ok(mapped)
    }
}
pub struct FindAllHoldsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindAllHoldsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindAllHoldsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindAllHoldsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindAllHoldsBorrowed) -> R,
    ) -> FindAllHoldsQuery<'c, 'a, 's, C, R, N> {
        FindAllHoldsQuery {
            client: self.client,
            params: self.params,
            query: self.query,
            cached: self.cached,
            extractor: self.extractor,
            mapper,
        }
    }
    pub async fn one(self) -> Result<T, tokio_postgres::Error> {
        let row =
            crate::client::async_::one(self.client, self.query, &self.params, self.cached).await?;
        Ok((self.mapper)((self.extractor)(&row)?))
    }
    pub async fn all(self) -> Result<Vec<T>, tokio_postgres::Error> {
        self.iter().await?.try_collect().await
    }
    pub async fn opt(self) -> Result<Option<T>, tokio_postgres::Error> {
        let opt_row =
            crate::client::async_::opt(self.client, self.query, &self.params, self.cached).await?;
        Ok(opt_row
            .map(|row| {
                let extracted = (self.extractor)(&row)?;
                Ok((self.mapper)(extracted))
            })
            .transpose()?)
    }
    pub async fn iter(
        self,
    ) -> Result<
        impl futures::Stream<Item = Result<T, tokio_postgres::Error>> + 'c,
        tokio_postgres::Error,
    > {
        let stream = crate::client::async_::raw(
            self.client,
            self.query,
            crate::slice_iter(&self.params),
            self.cached,
        )
        .await?;
        let mapped = stream
            .map(move |res| {
                res.and_then(|row| {
                    let extracted = (self.extractor)(&row)?;
                    Ok((self.mapper)(extracted))
                })
            })
            .into_stream();
        Ok(mapped)
    }
}
pub struct FindAllHeldLocksQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindAllHeldLocksBorrowed, tokio_postgres::Error>,
    mapper: fn(FindAllHeldLocksBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindAllHeldLocksQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindAllHeldLocksBorrowed) -> R,
    ) -> FindAllHeldLocksQuery<'c, 'a, 's, C, R, N> {
        FindAllHeldLocksQuery {
            client: self.client,
            params: self.params,
            query: self.query,
            cached: self.cached,
            extractor: self.extractor,
            mapper,
        }
    }
    pub async fn one(self) -> Result<T, tokio_postgres::Error> {
        let row =
            crate::client::async_::one(self.client, self.query, &self.params, self.cached).await?;
        Ok((self.mapper)((self.extractor)(&row)?))
    }
    pub async fn all(self) -> Result<Vec<T>, tokio_postgres::Error> {
        self.iter().await?.try_collect().await
    }
    pub async fn opt(self) -> Result<Option<T>, tokio_postgres::Error> {
        let opt_row =
            crate::client::async_::opt(self.client, self.query, &self.params, self.cached).await?;
        Ok(opt_row
            .map(|row| {
                let extracted = (self.extractor)(&row)?;
                Ok((self.mapper)(extracted))
            })
            .transpose()?)
    }
    pub async fn iter(
        self,
    ) -> Result<
        impl futures::Stream<Item = Result<T, tokio_postgres::Error>> + 'c,
        tokio_postgres::Error,
    > {
        let stream = crate::client::async_::raw(
            self.client,
            self.query,
            crate::slice_iter(&self.params),
            self.cached,
        )
        .await?;
        let mapped = stream
            .map(move |res| {
                res.and_then(|row| {
                    let extracted = (self.extractor)(&row)?;
                    Ok((self.mapper)(extracted))
                })
            })
            .into_stream();
        Ok(mapped)
    }
}
pub struct FindLeasesAmongQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindLeasesAmong, tokio_postgres::Error>,
    mapper: fn(FindLeasesAmong) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindLeasesAmongQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindLeasesAmong) -> R,
    ) -> FindLeasesAmongQuery<'c, 'a, 's, C, R, N> {
        FindLeasesAmongQuery {
            client: self.client,
            params: self.params,
            query: self.query,
            cached: self.cached,
            extractor: self.extractor,
            mapper,
        }
    }
    pub async fn one(self) -> Result<T, tokio_postgres::Error> {
        let row =
            crate::client::async_::one(self.client, self.query, &self.params, self.cached).await?;
        Ok((self.mapper)((self.extractor)(&row)?))
    }
    pub async fn all(self) -> Result<Vec<T>, tokio_postgres::Error> {
        self.iter().await?.try_collect().await
    }
    pub async fn opt(self) -> Result<Option<T>, tokio_postgres::Error> {
        let opt_row =
            crate::client::async_::opt(self.client, self.query, &self.params, self.cached).await?;
        Ok(opt_row
            .map(|row| {
                let extracted = (self.extractor)(&row)?;
                Ok((self.mapper)(extracted))
            })
            .transpose()?)
    }
    pub async fn iter(
        self,
    ) -> Result<
        impl futures::Stream<Item = Result<T, tokio_postgres::Error>> + 'c,
        tokio_postgres::Error,
    > {
        let stream = crate::client::async_::raw(
            self.client,
            self.query,
            crate::slice_iter(&self.params),
            self.cached,
        )
        .await?;
        let mapped = stream
            .map(move |res| {
                res.and_then(|row| {
                    let extracted = (self.extractor)(&row)?;
                    Ok((self.mapper)(extracted))
                })
            })
            .into_stream();
        Ok(mapped)
    }
}
pub struct FindGatesVersionStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_gates_version() -> FindGatesVersionStmt {
    FindGatesVersionStmt(
        "select gates_version from workmill.anchor where ns = $1",
        None,
    )
}
impl FindGatesVersionStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<'c, 'a, 's, C: GenericClient>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
    ) -> I64Query<'c, 'a, 's, C, i64, 1> {
        I64Query {
            client,
            params: [ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
pub struct FindKnownGatesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_known_gates() -> FindKnownGatesStmt {
    FindKnownGatesStmt(
        "select a.gates_version, g.gate, g.time_zone from workmill.anchor a left join workmill.gate g on g.ns = a.ns and g.ns = $1 and not g.is_removed and not starts_with(g.gate, 'lock:') where a.ns = $1",
        None,
    )
}
impl FindKnownGatesStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<'c, 'a, 's, C: GenericClient>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
    ) -> FindKnownGatesQuery<'c, 'a, 's, C, FindKnownGates, 1> {
        FindKnownGatesQuery {
            client,
            params: [ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindKnownGatesBorrowed, tokio_postgres::Error> {
                Ok(FindKnownGatesBorrowed {
                    gates_version: row.try_get(0)?,
                    gate: row.try_get(1)?,
                    time_zone: row.try_get(2)?,
                })
            },
            mapper: |it| FindKnownGates::from(it),
        }
    }
}
pub struct FindAllGatesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_all_gates() -> FindAllGatesStmt {
    FindAllGatesStmt(
        "select g.gate, g.cap, g.used, g.spent, g.has_waiters, g.is_nearly_used_up, g.is_used_up, g.is_removed, g.set_by, g.set_at, g.note, g.time_zone, g.reserved_for, g.reserved_at, g.reserved_locks from workmill.gate g where g.ns = $1 order by g.gate",
        None,
    )
}
impl FindAllGatesStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<'c, 'a, 's, C: GenericClient>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
    ) -> FindAllGatesQuery<'c, 'a, 's, C, FindAllGates, 1> {
        FindAllGatesQuery {
            client,
            params: [ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindAllGatesBorrowed, tokio_postgres::Error> {
                    Ok(FindAllGatesBorrowed {
                        gate: row.try_get(0)?,
                        cap: row.try_get(1)?,
                        used: row.try_get(2)?,
                        spent: row.try_get(3)?,
                        has_waiters: row.try_get(4)?,
                        is_nearly_used_up: row.try_get(5)?,
                        is_used_up: row.try_get(6)?,
                        is_removed: row.try_get(7)?,
                        set_by: row.try_get(8)?,
                        set_at: row.try_get(9)?,
                        note: row.try_get(10)?,
                        time_zone: row.try_get(11)?,
                        reserved_for: row.try_get(12)?,
                        reserved_at: row.try_get(13)?,
                        reserved_locks: row.try_get(14)?,
                    })
                },
            mapper: |it| FindAllGates::from(it),
        }
    }
}
pub struct LockAnchorStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_anchor() -> LockAnchorStmt {
    LockAnchorStmt(
        "select a.gates_version from workmill.anchor a where a.ns = $1 for update",
        None,
    )
}
impl LockAnchorStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<'c, 'a, 's, C: GenericClient>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
    ) -> I64Query<'c, 'a, 's, C, i64, 1> {
        I64Query {
            client,
            params: [ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
pub struct BumpGatesVersionStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn bump_gates_version() -> BumpGatesVersionStmt {
    BumpGatesVersionStmt(
        "update workmill.anchor set gates_version = greatest(gates_version + 1, $1::bigint) where ns = $2",
        None,
    )
}
impl BumpGatesVersionStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient>(
        &'s self,
        client: &'c C,
        at: &'a i64,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[at, ns])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        BumpGatesVersionParams,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for BumpGatesVersionStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a BumpGatesVersionParams,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.at, &params.ns))
    }
}
pub struct SetLockTimeoutStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn set_lock_timeout() -> SetLockTimeoutStmt {
    SetLockTimeoutStmt(
        "select set_config('lock_timeout', $1, true) as timeout",
        None,
    )
}
impl SetLockTimeoutStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<'c, 'a, 's, C: GenericClient, T1: crate::StringSql>(
        &'s self,
        client: &'c C,
        timeout: &'a T1,
    ) -> StringQuery<'c, 'a, 's, C, String, 1> {
        StringQuery {
            client,
            params: [timeout],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it.into(),
        }
    }
}
pub struct FindAgentsThatMayClaimStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_agents_that_may_claim() -> FindAgentsThatMayClaimStmt {
    FindAgentsThatMayClaimStmt(
        "select a.agent from workmill.agent a where a.ns = $1 order by a.agent",
        None,
    )
}
impl FindAgentsThatMayClaimStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<'c, 'a, 's, C: GenericClient>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
    ) -> StringQuery<'c, 'a, 's, C, String, 1> {
        StringQuery {
            client,
            params: [ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it.into(),
        }
    }
}
pub struct FindAgentsWithoutClaimsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_agents_without_claims() -> FindAgentsWithoutClaimsStmt {
    FindAgentsWithoutClaimsStmt(
        "select a.agent from workmill.agent a where a.ns = $1 order by a.agent for key share skip locked",
        None,
    )
}
impl FindAgentsWithoutClaimsStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<'c, 'a, 's, C: GenericClient>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
    ) -> StringQuery<'c, 'a, 's, C, String, 1> {
        StringQuery {
            client,
            params: [ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it.into(),
        }
    }
}
pub struct AwaitClaimsOfAgentStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn await_claims_of_agent() -> AwaitClaimsOfAgentStmt {
    AwaitClaimsOfAgentStmt(
        "select from workmill.agent where ns = $1 and agent = $2 for key share",
        None,
    )
}
impl AwaitClaimsOfAgentStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::StringSql>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        agent: &'a T1,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, agent])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::StringSql>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        AwaitClaimsOfAgentParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for AwaitClaimsOfAgentStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a AwaitClaimsOfAgentParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.agent))
    }
}
pub struct FindLeasesThatMayEndStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_leases_that_may_end() -> FindLeasesThatMayEndStmt {
    FindLeasesThatMayEndStmt(
        "select l.task from workmill.lease l where l.ns = $1 order by l.task",
        None,
    )
}
impl FindLeasesThatMayEndStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<'c, 'a, 's, C: GenericClient>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 1> {
        UuidUuidQuery {
            client,
            params: [ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
pub struct FindLeasesWithoutChangeStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_leases_without_change() -> FindLeasesWithoutChangeStmt {
    FindLeasesWithoutChangeStmt(
        "select l.task from workmill.lease l where l.ns = $1 order by l.task for key share skip locked",
        None,
    )
}
impl FindLeasesWithoutChangeStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<'c, 'a, 's, C: GenericClient>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 1> {
        UuidUuidQuery {
            client,
            params: [ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
pub struct AwaitChangesOfLeaseStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn await_changes_of_lease() -> AwaitChangesOfLeaseStmt {
    AwaitChangesOfLeaseStmt(
        "select from workmill.lease where ns = $1 and task = $2 for key share",
        None,
    )
}
impl AwaitChangesOfLeaseStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        task: &'a uuid::Uuid,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, task])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        AwaitChangesOfLeaseParams,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for AwaitChangesOfLeaseStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a AwaitChangesOfLeaseParams,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.task))
    }
}
pub struct FindGatesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_gates() -> FindGatesStmt {
    FindGatesStmt(
        "select g.gate, g.cap, g.used, g.spent, g.has_waiters, g.is_nearly_used_up, g.is_used_up, g.is_removed, g.set_by, g.set_at, g.note, g.time_zone, g.reserved_for, g.reserved_at, g.reserved_locks from unnest($1::text[]) as u (gate) cross join lateral ( select t.gate, t.cap, t.used, t.spent, t.has_waiters, t.is_nearly_used_up, t.is_used_up, t.is_removed, t.set_by, t.set_at, t.note, t.time_zone, t.reserved_for, t.reserved_at, t.reserved_locks from workmill.gate t where t.ns = $2 and t.gate = u.gate limit 1 ) as g",
        None,
    )
}
impl FindGatesStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<
        'c,
        'a,
        's,
        C: GenericClient,
        T1: crate::StringSql,
        T2: crate::ArraySql<Item = T1>,
    >(
        &'s self,
        client: &'c C,
        gates: &'a T2,
        ns: &'a i64,
    ) -> FindGatesQuery<'c, 'a, 's, C, FindGates, 2> {
        FindGatesQuery {
            client,
            params: [gates, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindGatesBorrowed, tokio_postgres::Error> {
                    Ok(FindGatesBorrowed {
                        gate: row.try_get(0)?,
                        cap: row.try_get(1)?,
                        used: row.try_get(2)?,
                        spent: row.try_get(3)?,
                        has_waiters: row.try_get(4)?,
                        is_nearly_used_up: row.try_get(5)?,
                        is_used_up: row.try_get(6)?,
                        is_removed: row.try_get(7)?,
                        set_by: row.try_get(8)?,
                        set_at: row.try_get(9)?,
                        note: row.try_get(10)?,
                        time_zone: row.try_get(11)?,
                        reserved_for: row.try_get(12)?,
                        reserved_at: row.try_get(13)?,
                        reserved_locks: row.try_get(14)?,
                    })
                },
            mapper: |it| FindGates::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::StringSql, T2: crate::ArraySql<Item = T1>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindGatesParams<T1, T2>,
        FindGatesQuery<'c, 'a, 's, C, FindGates, 2>,
        C,
    > for FindGatesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindGatesParams<T1, T2>,
    ) -> FindGatesQuery<'c, 'a, 's, C, FindGates, 2> {
        self.bind(client, &params.gates, &params.ns)
    }
}
pub struct FindGatesOfHoldsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_gates_of_holds() -> FindGatesOfHoldsStmt {
    FindGatesOfHoldsStmt(
        "select g.gate, g.cap, g.used, g.spent, g.has_waiters, g.is_nearly_used_up, g.is_used_up, g.is_removed, g.set_by, g.set_at, g.note, g.time_zone, g.reserved_for, g.reserved_at, g.reserved_locks from ( select h.gate from unnest($1::uuid[], $2::integer[]) as u (task, epoch) cross join lateral ( select unnest(t.gates) as gate from workmill.hold t where t.ns = $3 and t.task = u.task and t.epoch = u.epoch offset 0 ) as h union select unnest($4::text[]) ) as w cross join lateral ( select t.gate, t.cap, t.used, t.spent, t.has_waiters, t.is_nearly_used_up, t.is_used_up, t.is_removed, t.set_by, t.set_at, t.note, t.time_zone, t.reserved_for, t.reserved_at, t.reserved_locks from workmill.gate t where t.ns = $3 and t.gate = w.gate limit 1 ) as g",
        None,
    )
}
impl FindGatesOfHoldsStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<
        'c,
        'a,
        's,
        C: GenericClient,
        T1: crate::ArraySql<Item = uuid::Uuid>,
        T2: crate::ArraySql<Item = i32>,
        T3: crate::StringSql,
        T4: crate::ArraySql<Item = T3>,
    >(
        &'s self,
        client: &'c C,
        tasks: &'a T1,
        epochs: &'a T2,
        ns: &'a i64,
        more: &'a T4,
    ) -> FindGatesOfHoldsQuery<'c, 'a, 's, C, FindGatesOfHolds, 4> {
        FindGatesOfHoldsQuery {
            client,
            params: [tasks, epochs, ns, more],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindGatesOfHoldsBorrowed, tokio_postgres::Error> {
                Ok(FindGatesOfHoldsBorrowed {
                    gate: row.try_get(0)?,
                    cap: row.try_get(1)?,
                    used: row.try_get(2)?,
                    spent: row.try_get(3)?,
                    has_waiters: row.try_get(4)?,
                    is_nearly_used_up: row.try_get(5)?,
                    is_used_up: row.try_get(6)?,
                    is_removed: row.try_get(7)?,
                    set_by: row.try_get(8)?,
                    set_at: row.try_get(9)?,
                    note: row.try_get(10)?,
                    time_zone: row.try_get(11)?,
                    reserved_for: row.try_get(12)?,
                    reserved_at: row.try_get(13)?,
                    reserved_locks: row.try_get(14)?,
                })
            },
            mapper: |it| FindGatesOfHolds::from(it),
        }
    }
}
impl<
    'c,
    'a,
    's,
    C: GenericClient,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
    T3: crate::StringSql,
    T4: crate::ArraySql<Item = T3>,
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindGatesOfHoldsParams<T1, T2, T3, T4>,
        FindGatesOfHoldsQuery<'c, 'a, 's, C, FindGatesOfHolds, 4>,
        C,
    > for FindGatesOfHoldsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindGatesOfHoldsParams<T1, T2, T3, T4>,
    ) -> FindGatesOfHoldsQuery<'c, 'a, 's, C, FindGatesOfHolds, 4> {
        self.bind(
            client,
            &params.tasks,
            &params.epochs,
            &params.ns,
            &params.more,
        )
    }
}
pub struct FindHoldsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_holds() -> FindHoldsStmt {
    FindHoldsStmt(
        "select h.task, h.epoch, h.gates, h.amounts from unnest($1::uuid[], $2::integer[]) as u (task, epoch) cross join lateral ( select t.task, t.epoch, t.gates, t.amounts from workmill.hold t where t.ns = $3 and t.task = u.task and t.epoch = u.epoch limit 1 ) as h",
        None,
    )
}
impl FindHoldsStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<
        'c,
        'a,
        's,
        C: GenericClient,
        T1: crate::ArraySql<Item = uuid::Uuid>,
        T2: crate::ArraySql<Item = i32>,
    >(
        &'s self,
        client: &'c C,
        tasks: &'a T1,
        epochs: &'a T2,
        ns: &'a i64,
    ) -> FindHoldsQuery<'c, 'a, 's, C, FindHolds, 3> {
        FindHoldsQuery {
            client,
            params: [tasks, epochs, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindHoldsBorrowed, tokio_postgres::Error> {
                    Ok(FindHoldsBorrowed {
                        task: row.try_get(0)?,
                        epoch: row.try_get(1)?,
                        gates: row.try_get(2)?,
                        amounts: row.try_get(3)?,
                    })
                },
            mapper: |it| FindHolds::from(it),
        }
    }
}
impl<
    'c,
    'a,
    's,
    C: GenericClient,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindHoldsParams<T1, T2>,
        FindHoldsQuery<'c, 'a, 's, C, FindHolds, 3>,
        C,
    > for FindHoldsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindHoldsParams<T1, T2>,
    ) -> FindHoldsQuery<'c, 'a, 's, C, FindHolds, 3> {
        self.bind(client, &params.tasks, &params.epochs, &params.ns)
    }
}
pub struct FindHeldLocksStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_held_locks() -> FindHeldLocksStmt {
    FindHeldLocksStmt(
        "select u.root, l.task, l.path, l.is_shared, l.agent from unnest($1::text[]) as u (root) cross join lateral ( select t.task, t.path, t.is_shared, t.agent from workmill.held_lock t where t.ns = $2 and t.root = u.root offset 0 ) as l",
        None,
    )
}
impl FindHeldLocksStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<
        'c,
        'a,
        's,
        C: GenericClient,
        T1: crate::StringSql,
        T2: crate::ArraySql<Item = T1>,
    >(
        &'s self,
        client: &'c C,
        roots: &'a T2,
        ns: &'a i64,
    ) -> FindHeldLocksQuery<'c, 'a, 's, C, FindHeldLocks, 2> {
        FindHeldLocksQuery {
            client,
            params: [roots, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindHeldLocksBorrowed, tokio_postgres::Error> {
                    Ok(FindHeldLocksBorrowed {
                        root: row.try_get(0)?,
                        task: row.try_get(1)?,
                        path: row.try_get(2)?,
                        is_shared: row.try_get(3)?,
                        agent: row.try_get(4)?,
                    })
                },
            mapper: |it| FindHeldLocks::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::StringSql, T2: crate::ArraySql<Item = T1>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindHeldLocksParams<T1, T2>,
        FindHeldLocksQuery<'c, 'a, 's, C, FindHeldLocks, 2>,
        C,
    > for FindHeldLocksStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindHeldLocksParams<T1, T2>,
    ) -> FindHeldLocksQuery<'c, 'a, 's, C, FindHeldLocks, 2> {
        self.bind(client, &params.roots, &params.ns)
    }
}
pub struct FindHeldPathsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_held_paths() -> FindHeldPathsStmt {
    FindHeldPathsStmt(
        "select distinct l.path, l.is_shared from unnest($1::text[], $2::boolean[]) as u (root, is_shared) cross join lateral ( select t.path, t.is_shared from workmill.held_lock t where t.ns = $3 and t.root = u.root and t.is_shared = u.is_shared and t.task <> all($4::uuid[]) offset 0 ) as l",
        None,
    )
}
impl FindHeldPathsStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<
        'c,
        'a,
        's,
        C: GenericClient,
        T1: crate::StringSql,
        T2: crate::ArraySql<Item = T1>,
        T3: crate::ArraySql<Item = bool>,
        T4: crate::ArraySql<Item = uuid::Uuid>,
    >(
        &'s self,
        client: &'c C,
        roots: &'a T2,
        are_shared: &'a T3,
        ns: &'a i64,
        except: &'a T4,
    ) -> FindHeldPathsQuery<'c, 'a, 's, C, FindHeldPaths, 4> {
        FindHeldPathsQuery {
            client,
            params: [roots, are_shared, ns, except],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindHeldPathsBorrowed, tokio_postgres::Error> {
                    Ok(FindHeldPathsBorrowed {
                        path: row.try_get(0)?,
                        is_shared: row.try_get(1)?,
                    })
                },
            mapper: |it| FindHeldPaths::from(it),
        }
    }
}
impl<
    'c,
    'a,
    's,
    C: GenericClient,
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::ArraySql<Item = bool>,
    T4: crate::ArraySql<Item = uuid::Uuid>,
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindHeldPathsParams<T1, T2, T3, T4>,
        FindHeldPathsQuery<'c, 'a, 's, C, FindHeldPaths, 4>,
        C,
    > for FindHeldPathsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindHeldPathsParams<T1, T2, T3, T4>,
    ) -> FindHeldPathsQuery<'c, 'a, 's, C, FindHeldPaths, 4> {
        self.bind(
            client,
            &params.roots,
            &params.are_shared,
            &params.ns,
            &params.except,
        )
    }
}
pub struct InsertHoldsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_holds() -> InsertHoldsStmt {
    InsertHoldsStmt(
        "insert into workmill.hold (ns, task, epoch, gates, amounts) select a.ns, u.task, u.epoch, string_to_array(u.gates, chr(10)), string_to_array(u.amounts, ',')::bigint[] from workmill.anchor a, unnest($1::uuid[], $2::integer[], $3::text[], $4::text[]) as u (task, epoch, gates, amounts) where a.ns = $5 on conflict (ns, task, epoch) do update set gates = excluded.gates, amounts = excluded.amounts",
        None,
    )
}
impl InsertHoldsStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<
        'c,
        'a,
        's,
        C: GenericClient,
        T1: crate::ArraySql<Item = uuid::Uuid>,
        T2: crate::ArraySql<Item = i32>,
        T3: crate::StringSql,
        T4: crate::ArraySql<Item = T3>,
        T5: crate::StringSql,
        T6: crate::ArraySql<Item = T5>,
    >(
        &'s self,
        client: &'c C,
        tasks: &'a T1,
        epochs: &'a T2,
        gates: &'a T4,
        amounts: &'a T6,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[tasks, epochs, gates, amounts, ns],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
    T3: crate::StringSql,
    T4: crate::ArraySql<Item = T3>,
    T5: crate::StringSql,
    T6: crate::ArraySql<Item = T5>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertHoldsParams<T1, T2, T3, T4, T5, T6>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertHoldsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertHoldsParams<T1, T2, T3, T4, T5, T6>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.tasks,
            &params.epochs,
            &params.gates,
            &params.amounts,
            &params.ns,
        ))
    }
}
pub struct DeleteHoldsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_holds() -> DeleteHoldsStmt {
    DeleteHoldsStmt(
        "delete from workmill.hold h where h.ns = $1 and h.ctid = any( array( select ( select k.ctid from workmill.hold k where k.ns = $1 and k.task = u.task and k.epoch = u.epoch ) from unnest($2::uuid[], $3::integer[]) as u (task, epoch) ) )",
        None,
    )
}
impl DeleteHoldsStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<
        'c,
        'a,
        's,
        C: GenericClient,
        T1: crate::ArraySql<Item = uuid::Uuid>,
        T2: crate::ArraySql<Item = i32>,
    >(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        tasks: &'a T1,
        epochs: &'a T2,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, tasks, epochs])
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteHoldsParams<T1, T2>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteHoldsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteHoldsParams<T1, T2>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.tasks, &params.epochs))
    }
}
pub struct InsertHeldLocksStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_held_locks() -> InsertHeldLocksStmt {
    InsertHeldLocksStmt(
        "insert into workmill.held_lock (ns, root, task, path, is_shared, agent) select a.ns, u.root, u.task, u.path, u.is_shared, u.agent from workmill.anchor a, unnest( $1::text[], $2::uuid[], $3::text[], $4::boolean[], $5::text[] ) as u (root, task, path, is_shared, agent) where a.ns = $6 on conflict (ns, root, is_shared, task, path) do nothing",
        None,
    )
}
impl InsertHeldLocksStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<
        'c,
        'a,
        's,
        C: GenericClient,
        T1: crate::StringSql,
        T2: crate::ArraySql<Item = T1>,
        T3: crate::ArraySql<Item = uuid::Uuid>,
        T4: crate::StringSql,
        T5: crate::ArraySql<Item = T4>,
        T6: crate::ArraySql<Item = bool>,
        T7: crate::StringSql,
        T8: crate::ArraySql<Item = T7>,
    >(
        &'s self,
        client: &'c C,
        roots: &'a T2,
        tasks: &'a T3,
        paths: &'a T5,
        are_shared: &'a T6,
        agents: &'a T8,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[roots, tasks, paths, are_shared, agents, ns],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::ArraySql<Item = uuid::Uuid>,
    T4: crate::StringSql,
    T5: crate::ArraySql<Item = T4>,
    T6: crate::ArraySql<Item = bool>,
    T7: crate::StringSql,
    T8: crate::ArraySql<Item = T7>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertHeldLocksParams<T1, T2, T3, T4, T5, T6, T7, T8>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertHeldLocksStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertHeldLocksParams<T1, T2, T3, T4, T5, T6, T7, T8>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.roots,
            &params.tasks,
            &params.paths,
            &params.are_shared,
            &params.agents,
            &params.ns,
        ))
    }
}
pub struct DeleteHeldLocksStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_held_locks() -> DeleteHeldLocksStmt {
    DeleteHeldLocksStmt(
        "delete from workmill.held_lock l where l.ns = $1 and l.ctid = any( array( select k.ctid from unnest($2::text[], $3::uuid[]) as u (root, task) cross join unnest(array[false, true]) as b (is_shared) cross join lateral ( select t.ctid from workmill.held_lock t where t.ns = $1 and t.root = u.root and t.is_shared = b.is_shared and t.task = u.task offset 0 ) as k ) )",
        None,
    )
}
impl DeleteHeldLocksStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<
        'c,
        'a,
        's,
        C: GenericClient,
        T1: crate::StringSql,
        T2: crate::ArraySql<Item = T1>,
        T3: crate::ArraySql<Item = uuid::Uuid>,
    >(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        roots: &'a T2,
        tasks: &'a T3,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, roots, tasks])
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::ArraySql<Item = uuid::Uuid>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteHeldLocksParams<T1, T2, T3>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteHeldLocksStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteHeldLocksParams<T1, T2, T3>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.roots, &params.tasks))
    }
}
pub struct UpdateGatesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn update_gates() -> UpdateGatesStmt {
    UpdateGatesStmt(
        "insert into workmill.gate as g ( ns, gate, cap, used, spent, has_waiters, is_nearly_used_up, is_used_up, is_removed, set_by, set_at, note, time_zone, reserved_for, reserved_at, reserved_locks ) select a.ns, u.gate, u.cap, u.used, u.spent, u.has_waiters, u.is_nearly_used_up, u.is_used_up, u.is_removed, u.set_by, u.set_at, u.note, u.time_zone, u.reserved_for, u.reserved_at, u.reserved_locks from workmill.anchor a, unnest( $1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::boolean[], $6::boolean[], $7::boolean[], $8::boolean[], $9::text[], $10::timestamptz[], $11::text[], $12::text[], $13::uuid[], $14::timestamptz[], $15::jsonb[] ) as u ( gate, cap, used, spent, has_waiters, is_nearly_used_up, is_used_up, is_removed, set_by, set_at, note, time_zone, reserved_for, reserved_at, reserved_locks ) where a.ns = $16 on conflict (ns, gate) do update set cap = excluded.cap, used = excluded.used, spent = excluded.spent, has_waiters = excluded.has_waiters, is_nearly_used_up = excluded.is_nearly_used_up, is_used_up = excluded.is_used_up, is_removed = excluded.is_removed, set_by = excluded.set_by, set_at = excluded.set_at, note = excluded.note, time_zone = excluded.time_zone, reserved_for = excluded.reserved_for, reserved_at = excluded.reserved_at, reserved_locks = excluded.reserved_locks",
        None,
    )
}
impl UpdateGatesStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<
        'c,
        'a,
        's,
        C: GenericClient,
        T1: crate::StringSql,
        T2: crate::ArraySql<Item = T1>,
        T3: crate::ArraySql<Item = Option<i64>>,
        T4: crate::ArraySql<Item = i64>,
        T5: crate::ArraySql<Item = i64>,
        T6: crate::ArraySql<Item = bool>,
        T7: crate::ArraySql<Item = bool>,
        T8: crate::ArraySql<Item = bool>,
        T9: crate::ArraySql<Item = bool>,
        T10: crate::StringSql,
        T11: crate::ArraySql<Item = T10>,
        T12: crate::ArraySql<Item = jiff::Timestamp>,
        T13: crate::StringSql,
        T14: crate::ArraySql<Item = Option<T13>>,
        T15: crate::StringSql,
        T16: crate::ArraySql<Item = Option<T15>>,
        T17: crate::ArraySql<Item = Option<uuid::Uuid>>,
        T18: crate::ArraySql<Item = Option<jiff::Timestamp>>,
        T19: crate::JsonSql,
        T20: crate::ArraySql<Item = Option<T19>>,
    >(
        &'s self,
        client: &'c C,
        gates: &'a T2,
        caps: &'a T3,
        used: &'a T4,
        spent: &'a T5,
        have_waiters: &'a T6,
        are_nearly_used_up: &'a T7,
        are_used_up: &'a T8,
        are_removed: &'a T9,
        set_by: &'a T11,
        set_ats: &'a T12,
        notes: &'a T14,
        time_zones: &'a T16,
        reserved_for: &'a T17,
        reserved_ats: &'a T18,
        reserved_locks: &'a T20,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[
                    gates,
                    caps,
                    used,
                    spent,
                    have_waiters,
                    are_nearly_used_up,
                    are_used_up,
                    are_removed,
                    set_by,
                    set_ats,
                    notes,
                    time_zones,
                    reserved_for,
                    reserved_ats,
                    reserved_locks,
                    ns,
                ],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::ArraySql<Item = Option<i64>>,
    T4: crate::ArraySql<Item = i64>,
    T5: crate::ArraySql<Item = i64>,
    T6: crate::ArraySql<Item = bool>,
    T7: crate::ArraySql<Item = bool>,
    T8: crate::ArraySql<Item = bool>,
    T9: crate::ArraySql<Item = bool>,
    T10: crate::StringSql,
    T11: crate::ArraySql<Item = T10>,
    T12: crate::ArraySql<Item = jiff::Timestamp>,
    T13: crate::StringSql,
    T14: crate::ArraySql<Item = Option<T13>>,
    T15: crate::StringSql,
    T16: crate::ArraySql<Item = Option<T15>>,
    T17: crate::ArraySql<Item = Option<uuid::Uuid>>,
    T18: crate::ArraySql<Item = Option<jiff::Timestamp>>,
    T19: crate::JsonSql,
    T20: crate::ArraySql<Item = Option<T19>>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        UpdateGatesParams<
            T1,
            T2,
            T3,
            T4,
            T5,
            T6,
            T7,
            T8,
            T9,
            T10,
            T11,
            T12,
            T13,
            T14,
            T15,
            T16,
            T17,
            T18,
            T19,
            T20,
        >,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for UpdateGatesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a UpdateGatesParams<
            T1,
            T2,
            T3,
            T4,
            T5,
            T6,
            T7,
            T8,
            T9,
            T10,
            T11,
            T12,
            T13,
            T14,
            T15,
            T16,
            T17,
            T18,
            T19,
            T20,
        >,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.gates,
            &params.caps,
            &params.used,
            &params.spent,
            &params.have_waiters,
            &params.are_nearly_used_up,
            &params.are_used_up,
            &params.are_removed,
            &params.set_by,
            &params.set_ats,
            &params.notes,
            &params.time_zones,
            &params.reserved_for,
            &params.reserved_ats,
            &params.reserved_locks,
            &params.ns,
        ))
    }
}
pub struct DeleteGatesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_gates() -> DeleteGatesStmt {
    DeleteGatesStmt(
        "delete from workmill.gate g where g.ns = $1 and g.ctid = any( array( select (select k.ctid from workmill.gate k where k.ns = $1 and k.gate = u.gate) from unnest($2::text[]) as u (gate) ) )",
        None,
    )
}
impl DeleteGatesStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<
        'c,
        'a,
        's,
        C: GenericClient,
        T1: crate::StringSql,
        T2: crate::ArraySql<Item = T1>,
    >(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        gates: &'a T2,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, gates])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::StringSql, T2: crate::ArraySql<Item = T1>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteGatesParams<T1, T2>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteGatesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteGatesParams<T1, T2>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.gates))
    }
}
pub struct InsertGatedStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_gated() -> InsertGatedStmt {
    InsertGatedStmt(
        "insert into workmill.gated ( ns, gate, lane, rank, task, amount, since, shunned_until, shunned, locks ) select a.ns, u.gate, r.lane, r.rank, r.task, u.amount, case when u.locks is null then $1 else coalesce(r.waiting_since, $1) end, r.shunned_until, r.shunned, u.locks from workmill.anchor a, unnest( $2::text[], $3::bigint[], $4::jsonb[], $5::bigint[], $6::bigint[], $7::uuid[] ) as u (gate, amount, locks, lane, rank, task) cross join lateral ( select t.lane, t.rank, t.task, t.shunned_until, t.shunned, t.waiting_since from workmill.ready t where t.ns = $8 and t.lane = u.lane and t.rank = u.rank and t.task = u.task limit 1 ) as r where a.ns = $8",
        None,
    )
}
impl InsertGatedStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<
        'c,
        'a,
        's,
        C: GenericClient,
        T1: crate::StringSql,
        T2: crate::ArraySql<Item = T1>,
        T3: crate::ArraySql<Item = i64>,
        T4: crate::JsonSql,
        T5: crate::ArraySql<Item = Option<T4>>,
        T6: crate::ArraySql<Item = i64>,
        T7: crate::ArraySql<Item = i64>,
        T8: crate::ArraySql<Item = uuid::Uuid>,
    >(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        gates: &'a T2,
        amounts: &'a T3,
        locks: &'a T5,
        lanes: &'a T6,
        ranks: &'a T7,
        tasks: &'a T8,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[now, gates, amounts, locks, lanes, ranks, tasks, ns],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::ArraySql<Item = i64>,
    T4: crate::JsonSql,
    T5: crate::ArraySql<Item = Option<T4>>,
    T6: crate::ArraySql<Item = i64>,
    T7: crate::ArraySql<Item = i64>,
    T8: crate::ArraySql<Item = uuid::Uuid>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertGatedParams<T1, T2, T3, T4, T5, T6, T7, T8>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertGatedStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertGatedParams<T1, T2, T3, T4, T5, T6, T7, T8>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.now,
            &params.gates,
            &params.amounts,
            &params.locks,
            &params.lanes,
            &params.ranks,
            &params.tasks,
            &params.ns,
        ))
    }
}
pub struct FindStillReadyStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_still_ready() -> FindStillReadyStmt {
    FindStillReadyStmt(
        "select r.task from unnest($1::bigint[], $2::bigint[], $3::uuid[]) as u (lane, rank, task) cross join lateral ( select t.task from workmill.ready t where t.ns = $4 and t.lane = u.lane and t.rank = u.rank and t.task = u.task limit 1 ) as r",
        None,
    )
}
impl FindStillReadyStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<
        'c,
        'a,
        's,
        C: GenericClient,
        T1: crate::ArraySql<Item = i64>,
        T2: crate::ArraySql<Item = i64>,
        T3: crate::ArraySql<Item = uuid::Uuid>,
    >(
        &'s self,
        client: &'c C,
        lanes: &'a T1,
        ranks: &'a T2,
        tasks: &'a T3,
        ns: &'a i64,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 4> {
        UuidUuidQuery {
            client,
            params: [lanes, ranks, tasks, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
impl<
    'c,
    'a,
    's,
    C: GenericClient,
    T1: crate::ArraySql<Item = i64>,
    T2: crate::ArraySql<Item = i64>,
    T3: crate::ArraySql<Item = uuid::Uuid>,
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindStillReadyParams<T1, T2, T3>,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 4>,
        C,
    > for FindStillReadyStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindStillReadyParams<T1, T2, T3>,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 4> {
        self.bind(
            client,
            &params.lanes,
            &params.ranks,
            &params.tasks,
            &params.ns,
        )
    }
}
pub struct LockWaitersStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_waiters() -> LockWaitersStmt {
    LockWaitersStmt(
        "with heads as ( select h.gate, h.lane, h.rank, h.task from ( select u.gate, u.most, f.lane, f.rank, f.task, row_number() over ( partition by u.gate order by f.rank - f.aged, f.task ) as place from unnest($1::text[], $2::bigint[], $3::bigint[]) as u (gate, most, room) cross join lateral ( select l.lane, l.aged, c.rank, c.task from unnest($4::bigint[], $5::bigint[]) as l (lane, aged) cross join lateral ( select k.rank, k.task from ( select t.rank, t.task, t.amount from workmill.gated t where t.ns = $6 and t.gate = u.gate and t.lane = l.lane order by t.rank, t.task limit 1000 ) as k where k.amount <= u.room order by k.rank, k.task limit u.most ) as c ) as f ) as h where h.place <= h.most ) select g.gate, g.lane, g.rank, g.task, g.amount, g.since, g.locks from heads cross join lateral ( select t.gate, t.lane, t.rank, t.task, t.amount, t.since, t.locks from workmill.gated t where t.ns = $6 and t.gate = heads.gate and t.lane = heads.lane and t.rank = heads.rank and t.task = heads.task for update skip locked ) as g",
        None,
    )
}
impl LockWaitersStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<
        'c,
        'a,
        's,
        C: GenericClient,
        T1: crate::StringSql,
        T2: crate::ArraySql<Item = T1>,
        T3: crate::ArraySql<Item = i64>,
        T4: crate::ArraySql<Item = i64>,
        T5: crate::ArraySql<Item = i64>,
        T6: crate::ArraySql<Item = i64>,
    >(
        &'s self,
        client: &'c C,
        gates: &'a T2,
        most: &'a T3,
        left: &'a T4,
        lanes: &'a T5,
        aged: &'a T6,
        ns: &'a i64,
    ) -> LockWaitersQuery<'c, 'a, 's, C, LockWaiters, 6> {
        LockWaitersQuery {
            client,
            params: [gates, most, left, lanes, aged, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<LockWaitersBorrowed, tokio_postgres::Error> {
                    Ok(LockWaitersBorrowed {
                        gate: row.try_get(0)?,
                        lane: row.try_get(1)?,
                        rank: row.try_get(2)?,
                        task: row.try_get(3)?,
                        amount: row.try_get(4)?,
                        since: row.try_get(5)?,
                        locks: row.try_get(6)?,
                    })
                },
            mapper: |it| LockWaiters::from(it),
        }
    }
}
impl<
    'c,
    'a,
    's,
    C: GenericClient,
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::ArraySql<Item = i64>,
    T4: crate::ArraySql<Item = i64>,
    T5: crate::ArraySql<Item = i64>,
    T6: crate::ArraySql<Item = i64>,
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        LockWaitersParams<T1, T2, T3, T4, T5, T6>,
        LockWaitersQuery<'c, 'a, 's, C, LockWaiters, 6>,
        C,
    > for LockWaitersStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a LockWaitersParams<T1, T2, T3, T4, T5, T6>,
    ) -> LockWaitersQuery<'c, 'a, 's, C, LockWaiters, 6> {
        self.bind(
            client,
            &params.gates,
            &params.most,
            &params.left,
            &params.lanes,
            &params.aged,
            &params.ns,
        )
    }
}
pub struct ReturnToReadyStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn return_to_ready() -> ReturnToReadyStmt {
    ReturnToReadyStmt(
        "insert into workmill.ready (ns, lane, rank, task, shunned_until, shunned, waiting_since) select a.ns, r.lane, r.rank, r.task, r.shunned_until, r.shunned, case when r.locks is not null then r.since end from workmill.anchor a, unnest($1::text[], $2::bigint[], $3::bigint[], $4::uuid[]) as u (gate, lane, rank, task) cross join lateral ( select t.lane, t.rank, t.task, t.shunned_until, t.shunned, t.locks, t.since from workmill.gated t where t.ns = $5 and t.gate = u.gate and t.lane = u.lane and t.rank = u.rank and t.task = u.task limit 1 ) as r where a.ns = $5",
        None,
    )
}
impl ReturnToReadyStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<
        'c,
        'a,
        's,
        C: GenericClient,
        T1: crate::StringSql,
        T2: crate::ArraySql<Item = T1>,
        T3: crate::ArraySql<Item = i64>,
        T4: crate::ArraySql<Item = i64>,
        T5: crate::ArraySql<Item = uuid::Uuid>,
    >(
        &'s self,
        client: &'c C,
        gates: &'a T2,
        lanes: &'a T3,
        ranks: &'a T4,
        tasks: &'a T5,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[gates, lanes, ranks, tasks, ns],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::ArraySql<Item = i64>,
    T4: crate::ArraySql<Item = i64>,
    T5: crate::ArraySql<Item = uuid::Uuid>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        ReturnToReadyParams<T1, T2, T3, T4, T5>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for ReturnToReadyStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a ReturnToReadyParams<T1, T2, T3, T4, T5>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.gates,
            &params.lanes,
            &params.ranks,
            &params.tasks,
            &params.ns,
        ))
    }
}
pub struct DeleteGatedStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_gated() -> DeleteGatedStmt {
    DeleteGatedStmt(
        "delete from workmill.gated g where g.ns = $1 and g.ctid = any( array( select ( select k.ctid from workmill.gated k where k.ns = $1 and k.gate = u.gate and k.lane = u.lane and k.rank = u.rank and k.task = u.task ) from unnest($2::text[], $3::bigint[], $4::bigint[], $5::uuid[]) as u (gate, lane, rank, task) ) )",
        None,
    )
}
impl DeleteGatedStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<
        'c,
        'a,
        's,
        C: GenericClient,
        T1: crate::StringSql,
        T2: crate::ArraySql<Item = T1>,
        T3: crate::ArraySql<Item = i64>,
        T4: crate::ArraySql<Item = i64>,
        T5: crate::ArraySql<Item = uuid::Uuid>,
    >(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        gates: &'a T2,
        lanes: &'a T3,
        ranks: &'a T4,
        tasks: &'a T5,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[ns, gates, lanes, ranks, tasks],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::ArraySql<Item = i64>,
    T4: crate::ArraySql<Item = i64>,
    T5: crate::ArraySql<Item = uuid::Uuid>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteGatedParams<T1, T2, T3, T4, T5>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteGatedStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteGatedParams<T1, T2, T3, T4, T5>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.ns,
            &params.gates,
            &params.lanes,
            &params.ranks,
            &params.tasks,
        ))
    }
}
pub struct DeleteGatedTasksStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_gated_tasks() -> DeleteGatedTasksStmt {
    DeleteGatedTasksStmt(
        "delete from workmill.gated g where g.ns = $1 and g.ctid = any( array( select k.ctid from unnest($2::uuid[]) as u (task) cross join lateral ( select t.ctid from workmill.gated t where t.ns = $1 and t.task = u.task offset 0 ) as k ) )",
        None,
    )
}
impl DeleteGatedTasksStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        tasks: &'a T1,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, tasks])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteGatedTasksParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteGatedTasksStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteGatedTasksParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.tasks))
    }
}
pub struct FindRunningStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_running() -> FindRunningStmt {
    FindRunningStmt(
        "select l.task, l.epoch, l.agent, l.claimed_at, l.cost_micros, s.graph, s.lane, s.spent_micros, p.created_by, p.policy from workmill.lease l cross join lateral ( select t.graph, t.lane, t.spec_version, t.spent_micros from workmill.state t where t.ns = $1 and t.task = l.task limit 1 ) as s cross join lateral ( select t.created_by, t.policy from workmill.spec t where t.ns = $1 and t.task = l.task and t.version = s.spec_version limit 1 ) as p where l.ns = $1",
        None,
    )
}
impl FindRunningStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<'c, 'a, 's, C: GenericClient>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
    ) -> FindRunningQuery<'c, 'a, 's, C, FindRunning, 1> {
        FindRunningQuery {
            client,
            params: [ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindRunningBorrowed, tokio_postgres::Error> {
                    Ok(FindRunningBorrowed {
                        task: row.try_get(0)?,
                        epoch: row.try_get(1)?,
                        agent: row.try_get(2)?,
                        claimed_at: row.try_get(3)?,
                        cost_micros: row.try_get(4)?,
                        graph: row.try_get(5)?,
                        lane: row.try_get(6)?,
                        spent_micros: row.try_get(7)?,
                        created_by: row.try_get(8)?,
                        policy: row.try_get(9)?,
                    })
                },
            mapper: |it| FindRunning::from(it),
        }
    }
}
pub struct FindCostsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_costs() -> FindCostsStmt {
    FindCostsStmt(
        "select u.task, s.graph, s.spent_micros, p.policy from unnest($1::uuid[]) as u (task) cross join lateral ( select t.graph, t.spent_micros, t.spec_version from workmill.state t where t.ns = $2 and t.task = u.task limit 1 ) as s cross join lateral ( select t.policy from workmill.spec t where t.ns = $2 and t.task = u.task and t.version = s.spec_version limit 1 ) as p",
        None,
    )
}
impl FindCostsStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>(
        &'s self,
        client: &'c C,
        tasks: &'a T1,
        ns: &'a i64,
    ) -> FindCostsQuery<'c, 'a, 's, C, FindCosts, 2> {
        FindCostsQuery {
            client,
            params: [tasks, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindCostsBorrowed, tokio_postgres::Error> {
                    Ok(FindCostsBorrowed {
                        task: row.try_get(0)?,
                        graph: row.try_get(1)?,
                        spent_micros: row.try_get(2)?,
                        policy: row.try_get(3)?,
                    })
                },
            mapper: |it| FindCosts::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindCostsParams<T1>,
        FindCostsQuery<'c, 'a, 's, C, FindCosts, 2>,
        C,
    > for FindCostsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindCostsParams<T1>,
    ) -> FindCostsQuery<'c, 'a, 's, C, FindCosts, 2> {
        self.bind(client, &params.tasks, &params.ns)
    }
}
pub struct FindWhereaboutsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_whereabouts() -> FindWhereaboutsStmt {
    FindWhereaboutsStmt(
        "select u.task, u.epoch, l.agent, s.graph from unnest($1::uuid[], $2::integer[]) as u (task, epoch) cross join lateral ( select t.agent from workmill.lease t where t.ns = $3 and t.task = u.task and t.epoch = u.epoch limit 1 ) as l cross join lateral ( select t.graph from workmill.state t where t.ns = $3 and t.task = u.task limit 1 ) as s",
        None,
    )
}
impl FindWhereaboutsStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<
        'c,
        'a,
        's,
        C: GenericClient,
        T1: crate::ArraySql<Item = uuid::Uuid>,
        T2: crate::ArraySql<Item = i32>,
    >(
        &'s self,
        client: &'c C,
        tasks: &'a T1,
        epochs: &'a T2,
        ns: &'a i64,
    ) -> FindWhereaboutsQuery<'c, 'a, 's, C, FindWhereabouts, 3> {
        FindWhereaboutsQuery {
            client,
            params: [tasks, epochs, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindWhereaboutsBorrowed, tokio_postgres::Error> {
                Ok(FindWhereaboutsBorrowed {
                    task: row.try_get(0)?,
                    epoch: row.try_get(1)?,
                    agent: row.try_get(2)?,
                    graph: row.try_get(3)?,
                })
            },
            mapper: |it| FindWhereabouts::from(it),
        }
    }
}
impl<
    'c,
    'a,
    's,
    C: GenericClient,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindWhereaboutsParams<T1, T2>,
        FindWhereaboutsQuery<'c, 'a, 's, C, FindWhereabouts, 3>,
        C,
    > for FindWhereaboutsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindWhereaboutsParams<T1, T2>,
    ) -> FindWhereaboutsQuery<'c, 'a, 's, C, FindWhereabouts, 3> {
        self.bind(client, &params.tasks, &params.epochs, &params.ns)
    }
}
pub struct FindAllHoldsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_all_holds() -> FindAllHoldsStmt {
    FindAllHoldsStmt(
        "select h.task, h.epoch, h.gates, h.amounts from workmill.hold h where h.ns = $1",
        None,
    )
}
impl FindAllHoldsStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<'c, 'a, 's, C: GenericClient>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
    ) -> FindAllHoldsQuery<'c, 'a, 's, C, FindAllHolds, 1> {
        FindAllHoldsQuery {
            client,
            params: [ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindAllHoldsBorrowed, tokio_postgres::Error> {
                    Ok(FindAllHoldsBorrowed {
                        task: row.try_get(0)?,
                        epoch: row.try_get(1)?,
                        gates: row.try_get(2)?,
                        amounts: row.try_get(3)?,
                    })
                },
            mapper: |it| FindAllHolds::from(it),
        }
    }
}
pub struct FindAllHeldLocksStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_all_held_locks() -> FindAllHeldLocksStmt {
    FindAllHeldLocksStmt(
        "select l.root, l.task, l.path, l.is_shared, l.agent from workmill.held_lock l where l.ns = $1",
        None,
    )
}
impl FindAllHeldLocksStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<'c, 'a, 's, C: GenericClient>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
    ) -> FindAllHeldLocksQuery<'c, 'a, 's, C, FindAllHeldLocks, 1> {
        FindAllHeldLocksQuery {
            client,
            params: [ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindAllHeldLocksBorrowed, tokio_postgres::Error> {
                Ok(FindAllHeldLocksBorrowed {
                    root: row.try_get(0)?,
                    task: row.try_get(1)?,
                    path: row.try_get(2)?,
                    is_shared: row.try_get(3)?,
                    agent: row.try_get(4)?,
                })
            },
            mapper: |it| FindAllHeldLocks::from(it),
        }
    }
}
pub struct FindLeasesAmongStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_leases_among() -> FindLeasesAmongStmt {
    FindLeasesAmongStmt(
        "select l.task, l.epoch from unnest($1::uuid[], $2::integer[]) as u (task, epoch) cross join lateral ( select t.task, t.epoch from workmill.lease t where t.ns = $3 and t.task = u.task and t.epoch = u.epoch limit 1 ) as l",
        None,
    )
}
impl FindLeasesAmongStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<
        'c,
        'a,
        's,
        C: GenericClient,
        T1: crate::ArraySql<Item = uuid::Uuid>,
        T2: crate::ArraySql<Item = i32>,
    >(
        &'s self,
        client: &'c C,
        tasks: &'a T1,
        epochs: &'a T2,
        ns: &'a i64,
    ) -> FindLeasesAmongQuery<'c, 'a, 's, C, FindLeasesAmong, 3> {
        FindLeasesAmongQuery {
            client,
            params: [tasks, epochs, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindLeasesAmong, tokio_postgres::Error> {
                    Ok(FindLeasesAmong {
                        task: row.try_get(0)?,
                        epoch: row.try_get(1)?,
                    })
                },
            mapper: |it| FindLeasesAmong::from(it),
        }
    }
}
impl<
    'c,
    'a,
    's,
    C: GenericClient,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindLeasesAmongParams<T1, T2>,
        FindLeasesAmongQuery<'c, 'a, 's, C, FindLeasesAmong, 3>,
        C,
    > for FindLeasesAmongStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindLeasesAmongParams<T1, T2>,
    ) -> FindLeasesAmongQuery<'c, 'a, 's, C, FindLeasesAmong, 3> {
        self.bind(client, &params.tasks, &params.epochs, &params.ns)
    }
}
pub struct FindGraphCostStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_graph_cost() -> FindGraphCostStmt {
    FindGraphCostStmt(
        "select coalesce(sum(u.spent_micros), 0)::bigint as spent from ( select s.spent_micros from workmill.state s where s.ns = $1 and s.graph = $2 and s.in_graph union all select s.spent_micros from workmill.state s where s.ns = $1 and s.task = $2 and s.graph = $2 and not s.in_graph ) as u",
        None,
    )
}
impl FindGraphCostStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<'c, 'a, 's, C: GenericClient>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        graph: &'a uuid::Uuid,
    ) -> I64Query<'c, 'a, 's, C, i64, 2> {
        I64Query {
            client,
            params: [ns, graph],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindGraphCostParams,
        I64Query<'c, 'a, 's, C, i64, 2>,
        C,
    > for FindGraphCostStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindGraphCostParams,
    ) -> I64Query<'c, 'a, 's, C, i64, 2> {
        self.bind(client, &params.ns, &params.graph)
    }
}
pub struct FindNamespacesWithGatesInUseStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_namespaces_with_gates_in_use() -> FindNamespacesWithGatesInUseStmt {
    FindNamespacesWithGatesInUseStmt(
        "select distinct g.ns from workmill.gate g left join lateral ( select l.task from workmill.lease l where l.ns = g.ns limit 1 ) as leased on true left join lateral ( select h.task from workmill.hold h where h.ns = g.ns limit 1 ) as held on true where leased.task is not null or held.task is not null or g.used <> g.spent",
        None,
    )
}
impl FindNamespacesWithGatesInUseStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<'c, 'a, 's, C: GenericClient>(
        &'s self,
        client: &'c C,
    ) -> I64Query<'c, 'a, 's, C, i64, 0> {
        I64Query {
            client,
            params: [],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
pub struct FindNamespacesWithRestlessGatesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_namespaces_with_restless_gates() -> FindNamespacesWithRestlessGatesStmt {
    FindNamespacesWithRestlessGatesStmt(
        "select distinct g.ns from workmill.gate g where g.has_waiters or g.is_removed or g.reserved_for is not null or g.cap is null",
        None,
    )
}
impl FindNamespacesWithRestlessGatesStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<'c, 'a, 's, C: GenericClient>(
        &'s self,
        client: &'c C,
    ) -> I64Query<'c, 'a, 's, C, i64, 0> {
        I64Query {
            client,
            params: [],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
pub struct FindGatesWithWaitersStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_gates_with_waiters() -> FindGatesWithWaitersStmt {
    FindGatesWithWaitersStmt(
        "select u.gate from unnest($1::text[]) as u (gate) cross join lateral ( select t.task from workmill.gated t where t.ns = $2 and t.gate = u.gate limit 1 ) as g",
        None,
    )
}
impl FindGatesWithWaitersStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<
        'c,
        'a,
        's,
        C: GenericClient,
        T1: crate::StringSql,
        T2: crate::ArraySql<Item = T1>,
    >(
        &'s self,
        client: &'c C,
        gates: &'a T2,
        ns: &'a i64,
    ) -> StringQuery<'c, 'a, 's, C, String, 2> {
        StringQuery {
            client,
            params: [gates, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it.into(),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::StringSql, T2: crate::ArraySql<Item = T1>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindGatesWithWaitersParams<T1, T2>,
        StringQuery<'c, 'a, 's, C, String, 2>,
        C,
    > for FindGatesWithWaitersStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindGatesWithWaitersParams<T1, T2>,
    ) -> StringQuery<'c, 'a, 's, C, String, 2> {
        self.bind(client, &params.gates, &params.ns)
    }
}
pub struct FindContendersForLocksStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_contenders_for_locks() -> FindContendersForLocksStmt {
    FindContendersForLocksStmt(
        "select u.task from unnest($1::uuid[]) as u (task) cross join lateral ( select t.state from workmill.state t where t.ns = $2 and t.task = u.task limit 1 ) as s left join lateral ( select t.locks is null as is_elsewhere from workmill.gated t where t.ns = $2 and t.task = u.task limit 1 ) as g on true where s.state = $3 and g.is_elsewhere is not true",
        None,
    )
}
impl FindContendersForLocksStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>(
        &'s self,
        client: &'c C,
        tasks: &'a T1,
        ns: &'a i64,
        ready: &'a i16,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        UuidUuidQuery {
            client,
            params: [tasks, ns, ready],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindContendersForLocksParams<T1>,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3>,
        C,
    > for FindContendersForLocksStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindContendersForLocksParams<T1>,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        self.bind(client, &params.tasks, &params.ns, &params.ready)
    }
}
pub struct BeginWaitingAgainStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn begin_waiting_again() -> BeginWaitingAgainStmt {
    BeginWaitingAgainStmt(
        "update workmill.gated g set since = $1 where g.ns = $2 and g.ctid = any( array( select k.ctid from unnest($3::uuid[]) as u (task) cross join lateral ( select t.ctid from workmill.gated t where t.ns = $2 and t.task = u.task offset 0 ) as k ) )",
        None,
    )
}
impl BeginWaitingAgainStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        ns: &'a i64,
        tasks: &'a T1,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[now, ns, tasks])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        BeginWaitingAgainParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for BeginWaitingAgainStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a BeginWaitingAgainParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.now, &params.ns, &params.tasks))
    }
}
