// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct LockGraphsOfTasksParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub tasks: T1,
    pub ns: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct LockGraphParams {
    pub ns: i64,
    pub graph: uuid::Uuid,
}
#[derive(Debug)]
pub struct LockStatesParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub tasks: T1,
    pub ns: i64,
}
#[derive(Debug)]
pub struct LockLeasesParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub tasks: T1,
    pub ns: i64,
}
#[derive(Debug)]
pub struct FindDependentsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub tasks: T1,
    pub ns: i64,
}
#[derive(Debug)]
pub struct FindSpecsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub tasks: T1,
    pub ns: i64,
}
#[derive(Debug)]
pub struct FindSpecVersionsParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
> {
    pub tasks: T1,
    pub versions: T2,
    pub ns: i64,
}
#[derive(Debug)]
pub struct FindAttemptsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub tasks: T1,
    pub ns: i64,
}
#[derive(Debug)]
pub struct FindDetailsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub most: i64,
    pub tasks: T1,
    pub ns: i64,
}
#[derive(Debug)]
pub struct FindSmallResultsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub tasks: T1,
    pub largest: i32,
    pub ns: i64,
}
#[derive(Debug)]
pub struct FindResultsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub tasks: T1,
    pub ns: i64,
}
#[derive(Debug)]
pub struct FindLateResultsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub tasks: T1,
    pub ns: i64,
}
#[derive(Debug, Clone, PartialEq)]
pub struct LockGraphsOfTasks {
    pub graph: uuid::Uuid,
    pub is_draft: bool,
    pub is_draining: bool,
    pub status: String,
    pub tasks: i32,
    pub completed: i32,
    pub cancelled: i32,
    pub stale: i32,
    pub dead: i32,
    pub moving: i32,
    pub spent_micros: i64,
}
pub struct LockGraphsOfTasksBorrowed<'a> {
    pub graph: uuid::Uuid,
    pub is_draft: bool,
    pub is_draining: bool,
    pub status: &'a str,
    pub tasks: i32,
    pub completed: i32,
    pub cancelled: i32,
    pub stale: i32,
    pub dead: i32,
    pub moving: i32,
    pub spent_micros: i64,
}
impl<'a> From<LockGraphsOfTasksBorrowed<'a>> for LockGraphsOfTasks {
    fn from(
        LockGraphsOfTasksBorrowed {
            graph,
            is_draft,
            is_draining,
            status,
            tasks,
            completed,
            cancelled,
            stale,
            dead,
            moving,
            spent_micros,
        }: LockGraphsOfTasksBorrowed<'a>,
    ) -> Self {
        Self {
            graph,
            is_draft,
            is_draining,
            status: status.into(),
            tasks,
            completed,
            cancelled,
            stale,
            dead,
            moving,
            spent_micros,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct LockGraph {
    pub graph: uuid::Uuid,
    pub is_draft: bool,
    pub is_draining: bool,
    pub status: String,
    pub tasks: i32,
    pub completed: i32,
    pub cancelled: i32,
    pub stale: i32,
    pub dead: i32,
    pub moving: i32,
    pub spent_micros: i64,
}
pub struct LockGraphBorrowed<'a> {
    pub graph: uuid::Uuid,
    pub is_draft: bool,
    pub is_draining: bool,
    pub status: &'a str,
    pub tasks: i32,
    pub completed: i32,
    pub cancelled: i32,
    pub stale: i32,
    pub dead: i32,
    pub moving: i32,
    pub spent_micros: i64,
}
impl<'a> From<LockGraphBorrowed<'a>> for LockGraph {
    fn from(
        LockGraphBorrowed {
            graph,
            is_draft,
            is_draining,
            status,
            tasks,
            completed,
            cancelled,
            stale,
            dead,
            moving,
            spent_micros,
        }: LockGraphBorrowed<'a>,
    ) -> Self {
        Self {
            graph,
            is_draft,
            is_draining,
            status: status.into(),
            tasks,
            completed,
            cancelled,
            stale,
            dead,
            moving,
            spent_micros,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct LockStates {
    pub lane: i64,
    pub rank: i64,
    pub due: Option<jiff::Timestamp>,
    pub shunned_until: Option<jiff::Timestamp>,
    pub task: uuid::Uuid,
    pub graph: uuid::Uuid,
    pub spec_version: i32,
    pub epoch: i32,
    pub attempts: i32,
    pub crashes: i32,
    pub unmet: i32,
    pub state: i16,
    pub critical_path: i16,
    pub on_dependency_failure: i16,
    pub in_graph: bool,
    pub has_deadline: bool,
    pub freed_runners: bool,
    pub shunned: Option<Vec<String>>,
    pub spent_micros: i64,
}
pub struct LockStatesBorrowed<'a> {
    pub lane: i64,
    pub rank: i64,
    pub due: Option<jiff::Timestamp>,
    pub shunned_until: Option<jiff::Timestamp>,
    pub task: uuid::Uuid,
    pub graph: uuid::Uuid,
    pub spec_version: i32,
    pub epoch: i32,
    pub attempts: i32,
    pub crashes: i32,
    pub unmet: i32,
    pub state: i16,
    pub critical_path: i16,
    pub on_dependency_failure: i16,
    pub in_graph: bool,
    pub has_deadline: bool,
    pub freed_runners: bool,
    pub shunned: Option<crate::ArrayIterator<'a, &'a str>>,
    pub spent_micros: i64,
}
impl<'a> From<LockStatesBorrowed<'a>> for LockStates {
    fn from(
        LockStatesBorrowed {
            lane,
            rank,
            due,
            shunned_until,
            task,
            graph,
            spec_version,
            epoch,
            attempts,
            crashes,
            unmet,
            state,
            critical_path,
            on_dependency_failure,
            in_graph,
            has_deadline,
            freed_runners,
            shunned,
            spent_micros,
        }: LockStatesBorrowed<'a>,
    ) -> Self {
        Self {
            lane,
            rank,
            due,
            shunned_until,
            task,
            graph,
            spec_version,
            epoch,
            attempts,
            crashes,
            unmet,
            state,
            critical_path,
            on_dependency_failure,
            in_graph,
            has_deadline,
            freed_runners,
            shunned: shunned.map(|v| v.map(|v| v.into()).collect()),
            spent_micros,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct LockLeases {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub resumed: i16,
    pub agent: String,
    pub key: uuid::Uuid,
    pub claimed_at: jiff::Timestamp,
    pub started_at: Option<jiff::Timestamp>,
    pub renewed_at: jiff::Timestamp,
    pub ttl_ms: i64,
    pub lease_ms: i64,
    pub max_duration_ms: Option<i64>,
    pub stop_at: Option<jiff::Timestamp>,
    pub stop: Option<String>,
    pub cost_micros: i64,
    pub posted_micros: Option<i64>,
    pub usage: Option<serde_json::Value>,
    pub has_holds: bool,
    pub spawned: i32,
    pub agent_type: Option<String>,
    pub task_type: Option<String>,
}
pub struct LockLeasesBorrowed<'a> {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub resumed: i16,
    pub agent: &'a str,
    pub key: uuid::Uuid,
    pub claimed_at: jiff::Timestamp,
    pub started_at: Option<jiff::Timestamp>,
    pub renewed_at: jiff::Timestamp,
    pub ttl_ms: i64,
    pub lease_ms: i64,
    pub max_duration_ms: Option<i64>,
    pub stop_at: Option<jiff::Timestamp>,
    pub stop: Option<&'a str>,
    pub cost_micros: i64,
    pub posted_micros: Option<i64>,
    pub usage: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
    pub has_holds: bool,
    pub spawned: i32,
    pub agent_type: Option<&'a str>,
    pub task_type: Option<&'a str>,
}
impl<'a> From<LockLeasesBorrowed<'a>> for LockLeases {
    fn from(
        LockLeasesBorrowed {
            task,
            epoch,
            resumed,
            agent,
            key,
            claimed_at,
            started_at,
            renewed_at,
            ttl_ms,
            lease_ms,
            max_duration_ms,
            stop_at,
            stop,
            cost_micros,
            posted_micros,
            usage,
            has_holds,
            spawned,
            agent_type,
            task_type,
        }: LockLeasesBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            epoch,
            resumed,
            agent: agent.into(),
            key,
            claimed_at,
            started_at,
            renewed_at,
            ttl_ms,
            lease_ms,
            max_duration_ms,
            stop_at,
            stop: stop.map(|v| v.into()),
            cost_micros,
            posted_micros,
            usage: usage.map(|v| serde_json::from_str(v.0.get()).unwrap()),
            has_holds,
            spawned,
            agent_type: agent_type.map(|v| v.into()),
            task_type: task_type.map(|v| v.into()),
        }
    }
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindDependents {
    pub task: uuid::Uuid,
    pub depends_on: uuid::Uuid,
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindSpecs {
    pub task: uuid::Uuid,
    pub submitted_at: jiff::Timestamp,
    pub created_by: String,
    pub parent: Option<uuid::Uuid>,
    pub body: serde_json::Value,
    pub policy: serde_json::Value,
}
pub struct FindSpecsBorrowed<'a> {
    pub task: uuid::Uuid,
    pub submitted_at: jiff::Timestamp,
    pub created_by: &'a str,
    pub parent: Option<uuid::Uuid>,
    pub body: postgres_types::Json<&'a serde_json::value::RawValue>,
    pub policy: postgres_types::Json<&'a serde_json::value::RawValue>,
}
impl<'a> From<FindSpecsBorrowed<'a>> for FindSpecs {
    fn from(
        FindSpecsBorrowed {
            task,
            submitted_at,
            created_by,
            parent,
            body,
            policy,
        }: FindSpecsBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            submitted_at,
            created_by: created_by.into(),
            parent,
            body: serde_json::from_str(body.0.get()).unwrap(),
            policy: serde_json::from_str(policy.0.get()).unwrap(),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindSpecVersions {
    pub task: uuid::Uuid,
    pub body: serde_json::Value,
    pub policy: serde_json::Value,
}
pub struct FindSpecVersionsBorrowed<'a> {
    pub task: uuid::Uuid,
    pub body: postgres_types::Json<&'a serde_json::value::RawValue>,
    pub policy: postgres_types::Json<&'a serde_json::value::RawValue>,
}
impl<'a> From<FindSpecVersionsBorrowed<'a>> for FindSpecVersions {
    fn from(FindSpecVersionsBorrowed { task, body, policy }: FindSpecVersionsBorrowed<'a>) -> Self {
        Self {
            task,
            body: serde_json::from_str(body.0.get()).unwrap(),
            policy: serde_json::from_str(policy.0.get()).unwrap(),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindAttempts {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub resumed: i16,
    pub agent: String,
    pub key: Option<uuid::Uuid>,
    pub outcome: String,
    pub said_by_agent: bool,
    pub reason: Option<String>,
    pub message: Option<String>,
    pub fingerprint: Option<i64>,
    pub claimed_at: jiff::Timestamp,
    pub started_at: Option<jiff::Timestamp>,
    pub ended_at: jiff::Timestamp,
    pub cost_micros: i64,
    pub usage: Option<serde_json::Value>,
    pub lease_ms: Option<i64>,
    pub spawned: i32,
    pub agent_type: Option<String>,
    pub is_forgiven: bool,
}
pub struct FindAttemptsBorrowed<'a> {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub resumed: i16,
    pub agent: &'a str,
    pub key: Option<uuid::Uuid>,
    pub outcome: &'a str,
    pub said_by_agent: bool,
    pub reason: Option<&'a str>,
    pub message: Option<&'a str>,
    pub fingerprint: Option<i64>,
    pub claimed_at: jiff::Timestamp,
    pub started_at: Option<jiff::Timestamp>,
    pub ended_at: jiff::Timestamp,
    pub cost_micros: i64,
    pub usage: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
    pub lease_ms: Option<i64>,
    pub spawned: i32,
    pub agent_type: Option<&'a str>,
    pub is_forgiven: bool,
}
impl<'a> From<FindAttemptsBorrowed<'a>> for FindAttempts {
    fn from(
        FindAttemptsBorrowed {
            task,
            epoch,
            resumed,
            agent,
            key,
            outcome,
            said_by_agent,
            reason,
            message,
            fingerprint,
            claimed_at,
            started_at,
            ended_at,
            cost_micros,
            usage,
            lease_ms,
            spawned,
            agent_type,
            is_forgiven,
        }: FindAttemptsBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            epoch,
            resumed,
            agent: agent.into(),
            key,
            outcome: outcome.into(),
            said_by_agent,
            reason: reason.map(|v| v.into()),
            message: message.map(|v| v.into()),
            fingerprint,
            claimed_at,
            started_at,
            ended_at,
            cost_micros,
            usage: usage.map(|v| serde_json::from_str(v.0.get()).unwrap()),
            lease_ms,
            spawned,
            agent_type: agent_type.map(|v| v.into()),
            is_forgiven,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindDetails {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub resumed: i16,
    pub details: Option<serde_json::Value>,
}
pub struct FindDetailsBorrowed<'a> {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub resumed: i16,
    pub details: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
}
impl<'a> From<FindDetailsBorrowed<'a>> for FindDetails {
    fn from(
        FindDetailsBorrowed {
            task,
            epoch,
            resumed,
            details,
        }: FindDetailsBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            epoch,
            resumed,
            details: details.map(|v| serde_json::from_str(v.0.get()).unwrap()),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindSmallResults {
    pub task: uuid::Uuid,
    pub output_bytes: i32,
    pub output: Option<serde_json::Value>,
    pub artifacts: Option<serde_json::Value>,
}
pub struct FindSmallResultsBorrowed<'a> {
    pub task: uuid::Uuid,
    pub output_bytes: i32,
    pub output: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
    pub artifacts: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
}
impl<'a> From<FindSmallResultsBorrowed<'a>> for FindSmallResults {
    fn from(
        FindSmallResultsBorrowed {
            task,
            output_bytes,
            output,
            artifacts,
        }: FindSmallResultsBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            output_bytes,
            output: output.map(|v| serde_json::from_str(v.0.get()).unwrap()),
            artifacts: artifacts.map(|v| serde_json::from_str(v.0.get()).unwrap()),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindResults {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub output: serde_json::Value,
    pub artifacts: Option<serde_json::Value>,
}
pub struct FindResultsBorrowed<'a> {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub output: postgres_types::Json<&'a serde_json::value::RawValue>,
    pub artifacts: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
}
impl<'a> From<FindResultsBorrowed<'a>> for FindResults {
    fn from(
        FindResultsBorrowed {
            task,
            epoch,
            output,
            artifacts,
        }: FindResultsBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            epoch,
            output: serde_json::from_str(output.0.get()).unwrap(),
            artifacts: artifacts.map(|v| serde_json::from_str(v.0.get()).unwrap()),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindLateResults {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub at: jiff::Timestamp,
    pub outcome: String,
    pub was_accepted: bool,
    pub output: Option<serde_json::Value>,
    pub artifacts: Option<serde_json::Value>,
    pub message: Option<String>,
    pub cost_micros: i64,
    pub usage: Option<serde_json::Value>,
}
pub struct FindLateResultsBorrowed<'a> {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub at: jiff::Timestamp,
    pub outcome: &'a str,
    pub was_accepted: bool,
    pub output: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
    pub artifacts: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
    pub message: Option<&'a str>,
    pub cost_micros: i64,
    pub usage: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
}
impl<'a> From<FindLateResultsBorrowed<'a>> for FindLateResults {
    fn from(
        FindLateResultsBorrowed {
            task,
            epoch,
            at,
            outcome,
            was_accepted,
            output,
            artifacts,
            message,
            cost_micros,
            usage,
        }: FindLateResultsBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            epoch,
            at,
            outcome: outcome.into(),
            was_accepted,
            output: output.map(|v| serde_json::from_str(v.0.get()).unwrap()),
            artifacts: artifacts.map(|v| serde_json::from_str(v.0.get()).unwrap()),
            message: message.map(|v| v.into()),
            cost_micros,
            usage: usage.map(|v| serde_json::from_str(v.0.get()).unwrap()),
        }
    }
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct LockGraphsOfTasksQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<LockGraphsOfTasksBorrowed, tokio_postgres::Error>,
    mapper: fn(LockGraphsOfTasksBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> LockGraphsOfTasksQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(LockGraphsOfTasksBorrowed) -> R,
    ) -> LockGraphsOfTasksQuery<'c, 'a, 's, C, R, N> {
        LockGraphsOfTasksQuery {
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
pub struct LockGraphQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<LockGraphBorrowed, tokio_postgres::Error>,
    mapper: fn(LockGraphBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> LockGraphQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(LockGraphBorrowed) -> R) -> LockGraphQuery<'c, 'a, 's, C, R, N> {
        LockGraphQuery {
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
pub struct LockStatesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<LockStatesBorrowed, tokio_postgres::Error>,
    mapper: fn(LockStatesBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> LockStatesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(LockStatesBorrowed) -> R,
    ) -> LockStatesQuery<'c, 'a, 's, C, R, N> {
        LockStatesQuery {
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
pub struct LockLeasesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<LockLeasesBorrowed, tokio_postgres::Error>,
    mapper: fn(LockLeasesBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> LockLeasesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(LockLeasesBorrowed) -> R,
    ) -> LockLeasesQuery<'c, 'a, 's, C, R, N> {
        LockLeasesQuery {
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
pub struct FindDependentsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindDependents, tokio_postgres::Error>,
    mapper: fn(FindDependents) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindDependentsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindDependents) -> R,
    ) -> FindDependentsQuery<'c, 'a, 's, C, R, N> {
        FindDependentsQuery {
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
pub struct FindSpecsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindSpecsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindSpecsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindSpecsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(FindSpecsBorrowed) -> R) -> FindSpecsQuery<'c, 'a, 's, C, R, N> {
        FindSpecsQuery {
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
pub struct FindSpecVersionsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindSpecVersionsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindSpecVersionsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindSpecVersionsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindSpecVersionsBorrowed) -> R,
    ) -> FindSpecVersionsQuery<'c, 'a, 's, C, R, N> {
        FindSpecVersionsQuery {
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
pub struct FindAttemptsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindAttemptsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindAttemptsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindAttemptsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindAttemptsBorrowed) -> R,
    ) -> FindAttemptsQuery<'c, 'a, 's, C, R, N> {
        FindAttemptsQuery {
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
pub struct FindDetailsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindDetailsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindDetailsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindDetailsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindDetailsBorrowed) -> R,
    ) -> FindDetailsQuery<'c, 'a, 's, C, R, N> {
        FindDetailsQuery {
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
pub struct FindSmallResultsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindSmallResultsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindSmallResultsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindSmallResultsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindSmallResultsBorrowed) -> R,
    ) -> FindSmallResultsQuery<'c, 'a, 's, C, R, N> {
        FindSmallResultsQuery {
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
pub struct FindResultsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindResultsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindResultsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindResultsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindResultsBorrowed) -> R,
    ) -> FindResultsQuery<'c, 'a, 's, C, R, N> {
        FindResultsQuery {
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
pub struct FindLateResultsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindLateResultsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindLateResultsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindLateResultsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindLateResultsBorrowed) -> R,
    ) -> FindLateResultsQuery<'c, 'a, 's, C, R, N> {
        FindLateResultsQuery {
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
pub struct LockGraphsOfTasksStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_graphs_of_tasks() -> LockGraphsOfTasksStmt {
    LockGraphsOfTasksStmt(
        "select g.graph, g.is_draft, g.is_draining, g.status, g.tasks, g.completed, g.cancelled, g.stale, g.dead, g.moving, g.spent_micros from ( select distinct s.graph from unnest($1::uuid[]) as u (task) cross join lateral ( select t.graph, t.in_graph from workmill.state t where t.ns = $2 and t.task = u.task limit 1 ) as s where s.in_graph order by s.graph ) as w cross join lateral ( select r.graph, r.is_draft, r.is_draining, r.status, r.tasks, r.completed, r.cancelled, r.stale, r.dead, r.moving, r.spent_micros from workmill.graph r where r.ns = $2 and r.graph = w.graph for update ) as g",
        None,
    )
}
impl LockGraphsOfTasksStmt {
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
    ) -> LockGraphsOfTasksQuery<'c, 'a, 's, C, LockGraphsOfTasks, 2> {
        LockGraphsOfTasksQuery {
            client,
            params: [tasks, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<LockGraphsOfTasksBorrowed, tokio_postgres::Error> {
                Ok(LockGraphsOfTasksBorrowed {
                    graph: row.try_get(0)?,
                    is_draft: row.try_get(1)?,
                    is_draining: row.try_get(2)?,
                    status: row.try_get(3)?,
                    tasks: row.try_get(4)?,
                    completed: row.try_get(5)?,
                    cancelled: row.try_get(6)?,
                    stale: row.try_get(7)?,
                    dead: row.try_get(8)?,
                    moving: row.try_get(9)?,
                    spent_micros: row.try_get(10)?,
                })
            },
            mapper: |it| LockGraphsOfTasks::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        LockGraphsOfTasksParams<T1>,
        LockGraphsOfTasksQuery<'c, 'a, 's, C, LockGraphsOfTasks, 2>,
        C,
    > for LockGraphsOfTasksStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a LockGraphsOfTasksParams<T1>,
    ) -> LockGraphsOfTasksQuery<'c, 'a, 's, C, LockGraphsOfTasks, 2> {
        self.bind(client, &params.tasks, &params.ns)
    }
}
pub struct LockGraphStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_graph() -> LockGraphStmt {
    LockGraphStmt(
        "select g.graph, g.is_draft, g.is_draining, g.status, g.tasks, g.completed, g.cancelled, g.stale, g.dead, g.moving, g.spent_micros from workmill.graph g where g.ns = $1 and g.graph = $2 for update",
        None,
    )
}
impl LockGraphStmt {
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
    ) -> LockGraphQuery<'c, 'a, 's, C, LockGraph, 2> {
        LockGraphQuery {
            client,
            params: [ns, graph],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<LockGraphBorrowed, tokio_postgres::Error> {
                    Ok(LockGraphBorrowed {
                        graph: row.try_get(0)?,
                        is_draft: row.try_get(1)?,
                        is_draining: row.try_get(2)?,
                        status: row.try_get(3)?,
                        tasks: row.try_get(4)?,
                        completed: row.try_get(5)?,
                        cancelled: row.try_get(6)?,
                        stale: row.try_get(7)?,
                        dead: row.try_get(8)?,
                        moving: row.try_get(9)?,
                        spent_micros: row.try_get(10)?,
                    })
                },
            mapper: |it| LockGraph::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        LockGraphParams,
        LockGraphQuery<'c, 'a, 's, C, LockGraph, 2>,
        C,
    > for LockGraphStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a LockGraphParams,
    ) -> LockGraphQuery<'c, 'a, 's, C, LockGraph, 2> {
        self.bind(client, &params.ns, &params.graph)
    }
}
pub struct LockStatesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_states() -> LockStatesStmt {
    LockStatesStmt(
        "select s.lane, s.rank, s.due, s.shunned_until, s.task, s.graph, s.spec_version, s.epoch, s.attempts, s.crashes, s.unmet, s.state, s.critical_path, s.on_dependency_failure, s.in_graph, s.has_deadline, s.freed_runners, s.shunned, s.spent_micros from unnest($1::uuid[]) as u (task) cross join lateral ( select t.lane, t.rank, t.due, t.shunned_until, t.task, t.graph, t.spec_version, t.epoch, t.attempts, t.crashes, t.unmet, t.state, t.critical_path, t.on_dependency_failure, t.in_graph, t.has_deadline, t.freed_runners, t.shunned, t.spent_micros from workmill.state t where t.ns = $2 and t.task = u.task for update ) as s",
        None,
    )
}
impl LockStatesStmt {
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
    ) -> LockStatesQuery<'c, 'a, 's, C, LockStates, 2> {
        LockStatesQuery {
            client,
            params: [tasks, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<LockStatesBorrowed, tokio_postgres::Error> {
                    Ok(LockStatesBorrowed {
                        lane: row.try_get(0)?,
                        rank: row.try_get(1)?,
                        due: row.try_get(2)?,
                        shunned_until: row.try_get(3)?,
                        task: row.try_get(4)?,
                        graph: row.try_get(5)?,
                        spec_version: row.try_get(6)?,
                        epoch: row.try_get(7)?,
                        attempts: row.try_get(8)?,
                        crashes: row.try_get(9)?,
                        unmet: row.try_get(10)?,
                        state: row.try_get(11)?,
                        critical_path: row.try_get(12)?,
                        on_dependency_failure: row.try_get(13)?,
                        in_graph: row.try_get(14)?,
                        has_deadline: row.try_get(15)?,
                        freed_runners: row.try_get(16)?,
                        shunned: row.try_get(17)?,
                        spent_micros: row.try_get(18)?,
                    })
                },
            mapper: |it| LockStates::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        LockStatesParams<T1>,
        LockStatesQuery<'c, 'a, 's, C, LockStates, 2>,
        C,
    > for LockStatesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a LockStatesParams<T1>,
    ) -> LockStatesQuery<'c, 'a, 's, C, LockStates, 2> {
        self.bind(client, &params.tasks, &params.ns)
    }
}
pub struct LockLeasesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_leases() -> LockLeasesStmt {
    LockLeasesStmt(
        "select l.task, l.epoch, l.resumed, l.agent, g.key, l.claimed_at, l.started_at, l.renewed_at, l.ttl_ms, l.lease_ms, l.max_duration_ms, l.stop_at, l.stop, l.cost_micros, l.posted_micros, l.usage, l.has_holds, l.spawned, l.agent_type, l.task_type from unnest($1::uuid[]) as u (task) cross join lateral ( select t.task, t.epoch, t.resumed, t.agent, t.claimed_at, t.started_at, t.renewed_at, t.ttl_ms, t.lease_ms, t.max_duration_ms, t.stop_at, t.stop, t.cost_micros, t.posted_micros, t.usage, t.has_holds, t.spawned, t.agent_type, t.task_type from workmill.lease t where t.ns = $2 and t.task = u.task order by t.epoch for update ) as l cross join lateral ( select a.key from workmill.agent a where a.ns = $2 and a.agent = l.agent limit 1 ) as g",
        None,
    )
}
impl LockLeasesStmt {
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
    ) -> LockLeasesQuery<'c, 'a, 's, C, LockLeases, 2> {
        LockLeasesQuery {
            client,
            params: [tasks, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<LockLeasesBorrowed, tokio_postgres::Error> {
                    Ok(LockLeasesBorrowed {
                        task: row.try_get(0)?,
                        epoch: row.try_get(1)?,
                        resumed: row.try_get(2)?,
                        agent: row.try_get(3)?,
                        key: row.try_get(4)?,
                        claimed_at: row.try_get(5)?,
                        started_at: row.try_get(6)?,
                        renewed_at: row.try_get(7)?,
                        ttl_ms: row.try_get(8)?,
                        lease_ms: row.try_get(9)?,
                        max_duration_ms: row.try_get(10)?,
                        stop_at: row.try_get(11)?,
                        stop: row.try_get(12)?,
                        cost_micros: row.try_get(13)?,
                        posted_micros: row.try_get(14)?,
                        usage: row.try_get(15)?,
                        has_holds: row.try_get(16)?,
                        spawned: row.try_get(17)?,
                        agent_type: row.try_get(18)?,
                        task_type: row.try_get(19)?,
                    })
                },
            mapper: |it| LockLeases::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        LockLeasesParams<T1>,
        LockLeasesQuery<'c, 'a, 's, C, LockLeases, 2>,
        C,
    > for LockLeasesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a LockLeasesParams<T1>,
    ) -> LockLeasesQuery<'c, 'a, 's, C, LockLeases, 2> {
        self.bind(client, &params.tasks, &params.ns)
    }
}
pub struct FindDependentsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_dependents() -> FindDependentsStmt {
    FindDependentsStmt(
        "select e.task, u.depends_on from unnest($1::uuid[]) as u (depends_on) cross join lateral ( select d.task from workmill.edge d where d.ns = $2 and d.depends_on = u.depends_on offset 0 ) as e order by e.task, u.depends_on",
        None,
    )
}
impl FindDependentsStmt {
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
    ) -> FindDependentsQuery<'c, 'a, 's, C, FindDependents, 2> {
        FindDependentsQuery {
            client,
            params: [tasks, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindDependents, tokio_postgres::Error> {
                    Ok(FindDependents {
                        task: row.try_get(0)?,
                        depends_on: row.try_get(1)?,
                    })
                },
            mapper: |it| FindDependents::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindDependentsParams<T1>,
        FindDependentsQuery<'c, 'a, 's, C, FindDependents, 2>,
        C,
    > for FindDependentsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindDependentsParams<T1>,
    ) -> FindDependentsQuery<'c, 'a, 's, C, FindDependents, 2> {
        self.bind(client, &params.tasks, &params.ns)
    }
}
pub struct FindSpecsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_specs() -> FindSpecsStmt {
    FindSpecsStmt(
        "select u.task, p.submitted_at, p.created_by, p.parent, p.body, p.policy from unnest($1::uuid[]) as u (task) cross join lateral ( select s.spec_version from workmill.state s where s.ns = $2 and s.task = u.task limit 1 ) as s cross join lateral ( select c.submitted_at, c.created_by, c.parent, c.body, c.policy from workmill.spec c where c.ns = $2 and c.task = u.task and c.version = s.spec_version limit 1 ) as p",
        None,
    )
}
impl FindSpecsStmt {
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
    ) -> FindSpecsQuery<'c, 'a, 's, C, FindSpecs, 2> {
        FindSpecsQuery {
            client,
            params: [tasks, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindSpecsBorrowed, tokio_postgres::Error> {
                    Ok(FindSpecsBorrowed {
                        task: row.try_get(0)?,
                        submitted_at: row.try_get(1)?,
                        created_by: row.try_get(2)?,
                        parent: row.try_get(3)?,
                        body: row.try_get(4)?,
                        policy: row.try_get(5)?,
                    })
                },
            mapper: |it| FindSpecs::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindSpecsParams<T1>,
        FindSpecsQuery<'c, 'a, 's, C, FindSpecs, 2>,
        C,
    > for FindSpecsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindSpecsParams<T1>,
    ) -> FindSpecsQuery<'c, 'a, 's, C, FindSpecs, 2> {
        self.bind(client, &params.tasks, &params.ns)
    }
}
pub struct FindSpecVersionsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_spec_versions() -> FindSpecVersionsStmt {
    FindSpecVersionsStmt(
        "select u.task, p.body, p.policy from unnest($1::uuid[], $2::int[]) as u (task, version) cross join lateral ( select c.body, c.policy from workmill.spec c where c.ns = $3 and c.task = u.task and c.version = u.version limit 1 ) as p",
        None,
    )
}
impl FindSpecVersionsStmt {
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
        versions: &'a T2,
        ns: &'a i64,
    ) -> FindSpecVersionsQuery<'c, 'a, 's, C, FindSpecVersions, 3> {
        FindSpecVersionsQuery {
            client,
            params: [tasks, versions, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindSpecVersionsBorrowed, tokio_postgres::Error> {
                Ok(FindSpecVersionsBorrowed {
                    task: row.try_get(0)?,
                    body: row.try_get(1)?,
                    policy: row.try_get(2)?,
                })
            },
            mapper: |it| FindSpecVersions::from(it),
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
        FindSpecVersionsParams<T1, T2>,
        FindSpecVersionsQuery<'c, 'a, 's, C, FindSpecVersions, 3>,
        C,
    > for FindSpecVersionsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindSpecVersionsParams<T1, T2>,
    ) -> FindSpecVersionsQuery<'c, 'a, 's, C, FindSpecVersions, 3> {
        self.bind(client, &params.tasks, &params.versions, &params.ns)
    }
}
pub struct FindAttemptsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_attempts() -> FindAttemptsStmt {
    FindAttemptsStmt(
        "select t.task, t.epoch, t.resumed, t.agent, g.key, t.outcome, t.said_by_agent, t.reason, t.message, t.fingerprint, t.claimed_at, t.started_at, t.ended_at, t.cost_micros, t.usage, t.lease_ms, t.spawned, t.agent_type, t.epoch <= coalesce(v.epoch, 0) as is_forgiven from unnest($1::uuid[]) as u (task) cross join lateral ( select a.task, a.epoch, a.resumed, a.agent, a.outcome, a.said_by_agent, a.reason, a.message, a.fingerprint, a.claimed_at, a.started_at, a.ended_at, a.cost_micros, a.usage, a.lease_ms, a.spawned, a.agent_type from workmill.attempt a where a.ns = $2 and a.task = u.task order by a.epoch, a.resumed offset 0 ) as t left join lateral ( select a.key from workmill.agent a where a.ns = $2 and a.agent = t.agent and (a.created_at is null or t.ended_at >= a.created_at) limit 1 ) as g on true left join lateral ( select r.epoch from workmill.revival r where r.ns = $2 and r.task = u.task limit 1 ) as v on true",
        None,
    )
}
impl FindAttemptsStmt {
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
    ) -> FindAttemptsQuery<'c, 'a, 's, C, FindAttempts, 2> {
        FindAttemptsQuery {
            client,
            params: [tasks, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindAttemptsBorrowed, tokio_postgres::Error> {
                    Ok(FindAttemptsBorrowed {
                        task: row.try_get(0)?,
                        epoch: row.try_get(1)?,
                        resumed: row.try_get(2)?,
                        agent: row.try_get(3)?,
                        key: row.try_get(4)?,
                        outcome: row.try_get(5)?,
                        said_by_agent: row.try_get(6)?,
                        reason: row.try_get(7)?,
                        message: row.try_get(8)?,
                        fingerprint: row.try_get(9)?,
                        claimed_at: row.try_get(10)?,
                        started_at: row.try_get(11)?,
                        ended_at: row.try_get(12)?,
                        cost_micros: row.try_get(13)?,
                        usage: row.try_get(14)?,
                        lease_ms: row.try_get(15)?,
                        spawned: row.try_get(16)?,
                        agent_type: row.try_get(17)?,
                        is_forgiven: row.try_get(18)?,
                    })
                },
            mapper: |it| FindAttempts::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindAttemptsParams<T1>,
        FindAttemptsQuery<'c, 'a, 's, C, FindAttempts, 2>,
        C,
    > for FindAttemptsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindAttemptsParams<T1>,
    ) -> FindAttemptsQuery<'c, 'a, 's, C, FindAttempts, 2> {
        self.bind(client, &params.tasks, &params.ns)
    }
}
pub struct FindDetailsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_details() -> FindDetailsStmt {
    FindDetailsStmt(
        "select t.task, t.epoch, t.resumed, case when t.so_far <= $1 then t.details end as details from unnest($2::uuid[]) as u (task) cross join lateral ( select a.task, a.epoch, a.resumed, a.details, sum(octet_length(a.details::text)) over ( order by a.epoch desc, a.resumed desc ) as so_far from workmill.attempt a where a.ns = $3 and a.task = u.task and a.details is not null offset 0 ) as t",
        None,
    )
}
impl FindDetailsStmt {
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
        most: &'a i64,
        tasks: &'a T1,
        ns: &'a i64,
    ) -> FindDetailsQuery<'c, 'a, 's, C, FindDetails, 3> {
        FindDetailsQuery {
            client,
            params: [most, tasks, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindDetailsBorrowed, tokio_postgres::Error> {
                    Ok(FindDetailsBorrowed {
                        task: row.try_get(0)?,
                        epoch: row.try_get(1)?,
                        resumed: row.try_get(2)?,
                        details: row.try_get(3)?,
                    })
                },
            mapper: |it| FindDetails::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindDetailsParams<T1>,
        FindDetailsQuery<'c, 'a, 's, C, FindDetails, 3>,
        C,
    > for FindDetailsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindDetailsParams<T1>,
    ) -> FindDetailsQuery<'c, 'a, 's, C, FindDetails, 3> {
        self.bind(client, &params.most, &params.tasks, &params.ns)
    }
}
pub struct FindSmallResultsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_small_results() -> FindSmallResultsStmt {
    FindSmallResultsStmt(
        "select r.task, r.output_bytes, r.output, r.artifacts from unnest($1::uuid[]) as u (task) cross join lateral ( select t.task, b.output_bytes, case when b.output_bytes <= $2 then t.output end as output, t.artifacts from workmill.result t cross join lateral (select octet_length(t.output::text) as output_bytes) as b where t.ns = $3 and t.task = u.task limit 1 ) as r",
        None,
    )
}
impl FindSmallResultsStmt {
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
        largest: &'a i32,
        ns: &'a i64,
    ) -> FindSmallResultsQuery<'c, 'a, 's, C, FindSmallResults, 3> {
        FindSmallResultsQuery {
            client,
            params: [tasks, largest, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindSmallResultsBorrowed, tokio_postgres::Error> {
                Ok(FindSmallResultsBorrowed {
                    task: row.try_get(0)?,
                    output_bytes: row.try_get(1)?,
                    output: row.try_get(2)?,
                    artifacts: row.try_get(3)?,
                })
            },
            mapper: |it| FindSmallResults::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindSmallResultsParams<T1>,
        FindSmallResultsQuery<'c, 'a, 's, C, FindSmallResults, 3>,
        C,
    > for FindSmallResultsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindSmallResultsParams<T1>,
    ) -> FindSmallResultsQuery<'c, 'a, 's, C, FindSmallResults, 3> {
        self.bind(client, &params.tasks, &params.largest, &params.ns)
    }
}
pub struct FindResultsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_results() -> FindResultsStmt {
    FindResultsStmt(
        "select r.task, r.epoch, r.output, r.artifacts from unnest($1::uuid[]) as u (task) cross join lateral ( select t.task, t.epoch, t.output, t.artifacts from workmill.result t where t.ns = $2 and t.task = u.task limit 1 ) as r",
        None,
    )
}
impl FindResultsStmt {
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
    ) -> FindResultsQuery<'c, 'a, 's, C, FindResults, 2> {
        FindResultsQuery {
            client,
            params: [tasks, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindResultsBorrowed, tokio_postgres::Error> {
                    Ok(FindResultsBorrowed {
                        task: row.try_get(0)?,
                        epoch: row.try_get(1)?,
                        output: row.try_get(2)?,
                        artifacts: row.try_get(3)?,
                    })
                },
            mapper: |it| FindResults::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindResultsParams<T1>,
        FindResultsQuery<'c, 'a, 's, C, FindResults, 2>,
        C,
    > for FindResultsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindResultsParams<T1>,
    ) -> FindResultsQuery<'c, 'a, 's, C, FindResults, 2> {
        self.bind(client, &params.tasks, &params.ns)
    }
}
pub struct FindLateResultsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_late_results() -> FindLateResultsStmt {
    FindLateResultsStmt(
        "select r.task, r.epoch, r.at, r.outcome, r.was_accepted, r.output, r.artifacts, r.message, r.cost_micros, r.usage from unnest($1::uuid[]) as u (task) cross join lateral ( select t.task, t.epoch, t.at, t.outcome, t.was_accepted, t.output, t.artifacts, t.message, t.cost_micros, t.usage from workmill.late_result t where t.ns = $2 and t.task = u.task order by t.epoch offset 0 ) as r",
        None,
    )
}
impl FindLateResultsStmt {
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
    ) -> FindLateResultsQuery<'c, 'a, 's, C, FindLateResults, 2> {
        FindLateResultsQuery {
            client,
            params: [tasks, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindLateResultsBorrowed, tokio_postgres::Error> {
                Ok(FindLateResultsBorrowed {
                    task: row.try_get(0)?,
                    epoch: row.try_get(1)?,
                    at: row.try_get(2)?,
                    outcome: row.try_get(3)?,
                    was_accepted: row.try_get(4)?,
                    output: row.try_get(5)?,
                    artifacts: row.try_get(6)?,
                    message: row.try_get(7)?,
                    cost_micros: row.try_get(8)?,
                    usage: row.try_get(9)?,
                })
            },
            mapper: |it| FindLateResults::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindLateResultsParams<T1>,
        FindLateResultsQuery<'c, 'a, 's, C, FindLateResults, 2>,
        C,
    > for FindLateResultsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindLateResultsParams<T1>,
    ) -> FindLateResultsQuery<'c, 'a, 's, C, FindLateResults, 2> {
        self.bind(client, &params.tasks, &params.ns)
    }
}
