// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct FindGraphsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct LockGraphsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub graphs: T1,
}
#[derive(Debug)]
pub struct LockStatesParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct LockLeasesParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct FindAttemptsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct FindResultsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct FindPoliciesParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct FindDependentsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct DeleteLeasesParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
> {
    pub tasks: T1,
    pub epochs: T2,
    pub ns: i64,
}
#[derive(Debug)]
pub struct InsertAttemptsParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
    T3: crate::StringSql,
    T4: crate::ArraySql<Item = T3>,
    T5: crate::StringSql,
    T6: crate::ArraySql<Item = T5>,
    T7: crate::StringSql,
    T8: crate::ArraySql<Item = Option<T7>>,
    T9: crate::StringSql,
    T10: crate::ArraySql<Item = Option<T9>>,
    T11: crate::JsonSql,
    T12: crate::ArraySql<Item = Option<T11>>,
    T13: crate::ArraySql<Item = Option<i64>>,
    T14: crate::ArraySql<Item = jiff::Timestamp>,
    T15: crate::ArraySql<Item = Option<jiff::Timestamp>>,
    T16: crate::ArraySql<Item = i64>,
    T17: crate::JsonSql,
    T18: crate::ArraySql<Item = Option<T17>>,
> {
    pub now: jiff::Timestamp,
    pub tasks: T1,
    pub epochs: T2,
    pub agents: T4,
    pub outcomes: T6,
    pub reasons: T8,
    pub messages: T10,
    pub details: T12,
    pub fingerprints: T13,
    pub claimed_ats: T14,
    pub started_ats: T15,
    pub costs: T16,
    pub usages: T18,
    pub ns: i64,
}
#[derive(Debug)]
pub struct InsertResultsParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
    T3: crate::JsonSql,
    T4: crate::ArraySql<Item = T3>,
> {
    pub tasks: T1,
    pub epochs: T2,
    pub outputs: T4,
    pub ns: i64,
}
#[derive(Debug)]
pub struct UpdateStatesParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i16>,
    T3: crate::ArraySql<Item = Option<jiff::Timestamp>>,
    T4: crate::ArraySql<Item = i32>,
    T5: crate::ArraySql<Item = i32>,
    T6: crate::ArraySql<Item = i32>,
> {
    pub tasks: T1,
    pub states: T2,
    pub dues: T3,
    pub attempts: T4,
    pub crashes: T5,
    pub unmets: T6,
    pub ns: i64,
}
#[derive(Debug)]
pub struct UpdateGraphsParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = T2>,
    T4: crate::ArraySql<Item = i32>,
    T5: crate::ArraySql<Item = i32>,
    T6: crate::ArraySql<Item = i32>,
    T7: crate::ArraySql<Item = i32>,
    T8: crate::ArraySql<Item = i32>,
> {
    pub graphs: T1,
    pub statuses: T3,
    pub completed: T4,
    pub cancelled: T5,
    pub stale: T6,
    pub dead: T7,
    pub moving: T8,
    pub ns: i64,
}
#[derive(Debug, Clone, PartialEq)]
pub struct LockGraphs {
    pub graph: uuid::Uuid,
    pub is_draft: bool,
    pub status: String,
    pub tasks: i32,
    pub completed: i32,
    pub cancelled: i32,
    pub stale: i32,
    pub dead: i32,
    pub moving: i32,
}
pub struct LockGraphsBorrowed<'a> {
    pub graph: uuid::Uuid,
    pub is_draft: bool,
    pub status: &'a str,
    pub tasks: i32,
    pub completed: i32,
    pub cancelled: i32,
    pub stale: i32,
    pub dead: i32,
    pub moving: i32,
}
impl<'a> From<LockGraphsBorrowed<'a>> for LockGraphs {
    fn from(
        LockGraphsBorrowed {
            graph,
            is_draft,
            status,
            tasks,
            completed,
            cancelled,
            stale,
            dead,
            moving,
        }: LockGraphsBorrowed<'a>,
    ) -> Self {
        Self {
            graph,
            is_draft,
            status: status.into(),
            tasks,
            completed,
            cancelled,
            stale,
            dead,
            moving,
        }
    }
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct LockStates {
    pub task: uuid::Uuid,
    pub graph: uuid::Uuid,
    pub lane: i64,
    pub rank: i64,
    pub due: Option<jiff::Timestamp>,
    pub state: i16,
    pub spec_version: i32,
    pub epoch: i32,
    pub attempts: i32,
    pub crashes: i32,
    pub unmet: i32,
}
#[derive(Debug, Clone, PartialEq)]
pub struct LockLeases {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub agent: String,
    pub key: uuid::Uuid,
    pub claimed_at: jiff::Timestamp,
    pub started_at: Option<jiff::Timestamp>,
    pub renewed_at: jiff::Timestamp,
    pub ttl_ms: i64,
    pub lease_ms: i64,
    pub max_duration_ms: Option<i64>,
}
pub struct LockLeasesBorrowed<'a> {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub agent: &'a str,
    pub key: uuid::Uuid,
    pub claimed_at: jiff::Timestamp,
    pub started_at: Option<jiff::Timestamp>,
    pub renewed_at: jiff::Timestamp,
    pub ttl_ms: i64,
    pub lease_ms: i64,
    pub max_duration_ms: Option<i64>,
}
impl<'a> From<LockLeasesBorrowed<'a>> for LockLeases {
    fn from(
        LockLeasesBorrowed {
            task,
            epoch,
            agent,
            key,
            claimed_at,
            started_at,
            renewed_at,
            ttl_ms,
            lease_ms,
            max_duration_ms,
        }: LockLeasesBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            epoch,
            agent: agent.into(),
            key,
            claimed_at,
            started_at,
            renewed_at,
            ttl_ms,
            lease_ms,
            max_duration_ms,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindAttempts {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub agent: String,
    pub outcome: String,
    pub reason: Option<String>,
    pub message: Option<String>,
    pub fingerprint: Option<i64>,
    pub claimed_at: jiff::Timestamp,
    pub started_at: Option<jiff::Timestamp>,
    pub ended_at: jiff::Timestamp,
    pub cost_micros: i64,
}
pub struct FindAttemptsBorrowed<'a> {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub agent: &'a str,
    pub outcome: &'a str,
    pub reason: Option<&'a str>,
    pub message: Option<&'a str>,
    pub fingerprint: Option<i64>,
    pub claimed_at: jiff::Timestamp,
    pub started_at: Option<jiff::Timestamp>,
    pub ended_at: jiff::Timestamp,
    pub cost_micros: i64,
}
impl<'a> From<FindAttemptsBorrowed<'a>> for FindAttempts {
    fn from(
        FindAttemptsBorrowed {
            task,
            epoch,
            agent,
            outcome,
            reason,
            message,
            fingerprint,
            claimed_at,
            started_at,
            ended_at,
            cost_micros,
        }: FindAttemptsBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            epoch,
            agent: agent.into(),
            outcome: outcome.into(),
            reason: reason.map(|v| v.into()),
            message: message.map(|v| v.into()),
            fingerprint,
            claimed_at,
            started_at,
            ended_at,
            cost_micros,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindResults {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub output: serde_json::Value,
}
pub struct FindResultsBorrowed<'a> {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub output: postgres_types::Json<&'a serde_json::value::RawValue>,
}
impl<'a> From<FindResultsBorrowed<'a>> for FindResults {
    fn from(
        FindResultsBorrowed {
            task,
            epoch,
            output,
        }: FindResultsBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            epoch,
            output: serde_json::from_str(output.0.get()).unwrap(),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindPolicies {
    pub task: uuid::Uuid,
    pub policy: serde_json::Value,
}
pub struct FindPoliciesBorrowed<'a> {
    pub task: uuid::Uuid,
    pub policy: postgres_types::Json<&'a serde_json::value::RawValue>,
}
impl<'a> From<FindPoliciesBorrowed<'a>> for FindPolicies {
    fn from(FindPoliciesBorrowed { task, policy }: FindPoliciesBorrowed<'a>) -> Self {
        Self {
            task,
            policy: serde_json::from_str(policy.0.get()).unwrap(),
        }
    }
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindDependents {
    pub task: uuid::Uuid,
    pub met: i32,
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
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
pub struct LockGraphsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<LockGraphsBorrowed, tokio_postgres::Error>,
    mapper: fn(LockGraphsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> LockGraphsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(LockGraphsBorrowed) -> R,
    ) -> LockGraphsQuery<'c, 'a, 's, C, R, N> {
        LockGraphsQuery {
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
    extractor: fn(&tokio_postgres::Row) -> Result<LockStates, tokio_postgres::Error>,
    mapper: fn(LockStates) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> LockStatesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(LockStates) -> R) -> LockStatesQuery<'c, 'a, 's, C, R, N> {
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
pub struct FindPoliciesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindPoliciesBorrowed, tokio_postgres::Error>,
    mapper: fn(FindPoliciesBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindPoliciesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindPoliciesBorrowed) -> R,
    ) -> FindPoliciesQuery<'c, 'a, 's, C, R, N> {
        FindPoliciesQuery {
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
pub struct FindGraphsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_graphs() -> FindGraphsStmt {
    FindGraphsStmt(
        "select distinct graph from workmill.state where ns = $1 and task = any($2::uuid[])",
        None,
    )
}
impl FindGraphsStmt {
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
        ns: &'a i64,
        tasks: &'a T1,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 2> {
        UuidUuidQuery {
            client,
            params: [ns, tasks],
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
        FindGraphsParams<T1>,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 2>,
        C,
    > for FindGraphsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindGraphsParams<T1>,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 2> {
        self.bind(client, &params.ns, &params.tasks)
    }
}
pub struct LockGraphsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_graphs() -> LockGraphsStmt {
    LockGraphsStmt(
        "select graph, is_draft, status, tasks, completed, cancelled, stale, dead, moving from workmill.graph where ns = $1 and graph = any($2::uuid[]) order by graph for update",
        None,
    )
}
impl LockGraphsStmt {
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
        ns: &'a i64,
        graphs: &'a T1,
    ) -> LockGraphsQuery<'c, 'a, 's, C, LockGraphs, 2> {
        LockGraphsQuery {
            client,
            params: [ns, graphs],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<LockGraphsBorrowed, tokio_postgres::Error> {
                    Ok(LockGraphsBorrowed {
                        graph: row.try_get(0)?,
                        is_draft: row.try_get(1)?,
                        status: row.try_get(2)?,
                        tasks: row.try_get(3)?,
                        completed: row.try_get(4)?,
                        cancelled: row.try_get(5)?,
                        stale: row.try_get(6)?,
                        dead: row.try_get(7)?,
                        moving: row.try_get(8)?,
                    })
                },
            mapper: |it| LockGraphs::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        LockGraphsParams<T1>,
        LockGraphsQuery<'c, 'a, 's, C, LockGraphs, 2>,
        C,
    > for LockGraphsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a LockGraphsParams<T1>,
    ) -> LockGraphsQuery<'c, 'a, 's, C, LockGraphs, 2> {
        self.bind(client, &params.ns, &params.graphs)
    }
}
pub struct LockStatesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_states() -> LockStatesStmt {
    LockStatesStmt(
        "select task, graph, lane, rank, due, state, spec_version, epoch, attempts, crashes, unmet from workmill.state where ns = $1 and task = any($2::uuid[]) order by task for update",
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
        ns: &'a i64,
        tasks: &'a T1,
    ) -> LockStatesQuery<'c, 'a, 's, C, LockStates, 2> {
        LockStatesQuery {
            client,
            params: [ns, tasks],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row: &tokio_postgres::Row| -> Result<LockStates, tokio_postgres::Error> {
                Ok(LockStates {
                    task: row.try_get(0)?,
                    graph: row.try_get(1)?,
                    lane: row.try_get(2)?,
                    rank: row.try_get(3)?,
                    due: row.try_get(4)?,
                    state: row.try_get(5)?,
                    spec_version: row.try_get(6)?,
                    epoch: row.try_get(7)?,
                    attempts: row.try_get(8)?,
                    crashes: row.try_get(9)?,
                    unmet: row.try_get(10)?,
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
        self.bind(client, &params.ns, &params.tasks)
    }
}
pub struct LockLeasesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_leases() -> LockLeasesStmt {
    LockLeasesStmt(
        "select l.task, l.epoch, l.agent, g.key, l.claimed_at, l.started_at, l.renewed_at, l.ttl_ms, l.lease_ms, l.max_duration_ms from workmill.lease l join workmill.agent g on g.ns = l.ns and g.agent = l.agent where l.ns = $1 and g.ns = $1 and l.task = any($2::uuid[]) order by l.task, l.epoch for update of l",
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
        ns: &'a i64,
        tasks: &'a T1,
    ) -> LockLeasesQuery<'c, 'a, 's, C, LockLeases, 2> {
        LockLeasesQuery {
            client,
            params: [ns, tasks],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<LockLeasesBorrowed, tokio_postgres::Error> {
                    Ok(LockLeasesBorrowed {
                        task: row.try_get(0)?,
                        epoch: row.try_get(1)?,
                        agent: row.try_get(2)?,
                        key: row.try_get(3)?,
                        claimed_at: row.try_get(4)?,
                        started_at: row.try_get(5)?,
                        renewed_at: row.try_get(6)?,
                        ttl_ms: row.try_get(7)?,
                        lease_ms: row.try_get(8)?,
                        max_duration_ms: row.try_get(9)?,
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
        self.bind(client, &params.ns, &params.tasks)
    }
}
pub struct FindAttemptsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_attempts() -> FindAttemptsStmt {
    FindAttemptsStmt(
        "select task, epoch, agent, outcome, reason, message, fingerprint, claimed_at, started_at, ended_at, cost_micros from workmill.attempt where ns = $1 and task = any($2::uuid[]) order by task, epoch",
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
        ns: &'a i64,
        tasks: &'a T1,
    ) -> FindAttemptsQuery<'c, 'a, 's, C, FindAttempts, 2> {
        FindAttemptsQuery {
            client,
            params: [ns, tasks],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindAttemptsBorrowed, tokio_postgres::Error> {
                    Ok(FindAttemptsBorrowed {
                        task: row.try_get(0)?,
                        epoch: row.try_get(1)?,
                        agent: row.try_get(2)?,
                        outcome: row.try_get(3)?,
                        reason: row.try_get(4)?,
                        message: row.try_get(5)?,
                        fingerprint: row.try_get(6)?,
                        claimed_at: row.try_get(7)?,
                        started_at: row.try_get(8)?,
                        ended_at: row.try_get(9)?,
                        cost_micros: row.try_get(10)?,
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
        self.bind(client, &params.ns, &params.tasks)
    }
}
pub struct FindResultsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_results() -> FindResultsStmt {
    FindResultsStmt(
        "select task, epoch, output from workmill.result where ns = $1 and task = any($2::uuid[])",
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
        ns: &'a i64,
        tasks: &'a T1,
    ) -> FindResultsQuery<'c, 'a, 's, C, FindResults, 2> {
        FindResultsQuery {
            client,
            params: [ns, tasks],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindResultsBorrowed, tokio_postgres::Error> {
                    Ok(FindResultsBorrowed {
                        task: row.try_get(0)?,
                        epoch: row.try_get(1)?,
                        output: row.try_get(2)?,
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
        self.bind(client, &params.ns, &params.tasks)
    }
}
pub struct FindPoliciesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_policies() -> FindPoliciesStmt {
    FindPoliciesStmt(
        "select s.task, p.policy from workmill.state s join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version where s.ns = $1 and s.task = any($2::uuid[])",
        None,
    )
}
impl FindPoliciesStmt {
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
        ns: &'a i64,
        tasks: &'a T1,
    ) -> FindPoliciesQuery<'c, 'a, 's, C, FindPolicies, 2> {
        FindPoliciesQuery {
            client,
            params: [ns, tasks],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindPoliciesBorrowed, tokio_postgres::Error> {
                    Ok(FindPoliciesBorrowed {
                        task: row.try_get(0)?,
                        policy: row.try_get(1)?,
                    })
                },
            mapper: |it| FindPolicies::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindPoliciesParams<T1>,
        FindPoliciesQuery<'c, 'a, 's, C, FindPolicies, 2>,
        C,
    > for FindPoliciesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindPoliciesParams<T1>,
    ) -> FindPoliciesQuery<'c, 'a, 's, C, FindPolicies, 2> {
        self.bind(client, &params.ns, &params.tasks)
    }
}
pub struct FindDependentsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_dependents() -> FindDependentsStmt {
    FindDependentsStmt(
        "select e.task, count(*)::integer as met from workmill.edge e where e.ns = $1 and e.depends_on = any($2::uuid[]) group by e.task order by e.task",
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
        ns: &'a i64,
        tasks: &'a T1,
    ) -> FindDependentsQuery<'c, 'a, 's, C, FindDependents, 2> {
        FindDependentsQuery {
            client,
            params: [ns, tasks],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindDependents, tokio_postgres::Error> {
                    Ok(FindDependents {
                        task: row.try_get(0)?,
                        met: row.try_get(1)?,
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
        self.bind(client, &params.ns, &params.tasks)
    }
}
pub struct DeleteLeasesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_leases() -> DeleteLeasesStmt {
    DeleteLeasesStmt(
        "delete from workmill.lease l using unnest($1::uuid[], $2::integer[]) as u (task, epoch) where l.ns = $3 and l.task = u.task and l.epoch = u.epoch",
        None,
    )
}
impl DeleteLeasesStmt {
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
        tasks: &'a T1,
        epochs: &'a T2,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[tasks, epochs, ns])
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
        DeleteLeasesParams<T1, T2>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteLeasesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteLeasesParams<T1, T2>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.tasks, &params.epochs, &params.ns))
    }
}
pub struct InsertAttemptsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_attempts() -> InsertAttemptsStmt {
    InsertAttemptsStmt(
        "insert into workmill.attempt ( ns, task, epoch, agent, outcome, reason, message, details, fingerprint, claimed_at, started_at, ended_at, cost_micros, usage ) select a.ns, u.task, u.epoch, u.agent, u.outcome, u.reason, u.message, u.details, u.fingerprint, u.claimed_at, u.started_at, $1, u.cost_micros, u.usage from workmill.anchor a, unnest( $2::uuid[], $3::integer[], $4::text[], $5::text[], $6::text[], $7::text[], $8::jsonb[], $9::bigint[], $10::timestamptz[], $11::timestamptz[], $12::bigint[], $13::jsonb[] ) as u ( task, epoch, agent, outcome, reason, message, details, fingerprint, claimed_at, started_at, cost_micros, usage ) where a.ns = $14",
        None,
    )
}
impl InsertAttemptsStmt {
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
        T7: crate::StringSql,
        T8: crate::ArraySql<Item = Option<T7>>,
        T9: crate::StringSql,
        T10: crate::ArraySql<Item = Option<T9>>,
        T11: crate::JsonSql,
        T12: crate::ArraySql<Item = Option<T11>>,
        T13: crate::ArraySql<Item = Option<i64>>,
        T14: crate::ArraySql<Item = jiff::Timestamp>,
        T15: crate::ArraySql<Item = Option<jiff::Timestamp>>,
        T16: crate::ArraySql<Item = i64>,
        T17: crate::JsonSql,
        T18: crate::ArraySql<Item = Option<T17>>,
    >(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        tasks: &'a T1,
        epochs: &'a T2,
        agents: &'a T4,
        outcomes: &'a T6,
        reasons: &'a T8,
        messages: &'a T10,
        details: &'a T12,
        fingerprints: &'a T13,
        claimed_ats: &'a T14,
        started_ats: &'a T15,
        costs: &'a T16,
        usages: &'a T18,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[
                    now,
                    tasks,
                    epochs,
                    agents,
                    outcomes,
                    reasons,
                    messages,
                    details,
                    fingerprints,
                    claimed_ats,
                    started_ats,
                    costs,
                    usages,
                    ns,
                ],
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
    T7: crate::StringSql,
    T8: crate::ArraySql<Item = Option<T7>>,
    T9: crate::StringSql,
    T10: crate::ArraySql<Item = Option<T9>>,
    T11: crate::JsonSql,
    T12: crate::ArraySql<Item = Option<T11>>,
    T13: crate::ArraySql<Item = Option<i64>>,
    T14: crate::ArraySql<Item = jiff::Timestamp>,
    T15: crate::ArraySql<Item = Option<jiff::Timestamp>>,
    T16: crate::ArraySql<Item = i64>,
    T17: crate::JsonSql,
    T18: crate::ArraySql<Item = Option<T17>>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertAttemptsParams<
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
        >,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertAttemptsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertAttemptsParams<
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
        >,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.now,
            &params.tasks,
            &params.epochs,
            &params.agents,
            &params.outcomes,
            &params.reasons,
            &params.messages,
            &params.details,
            &params.fingerprints,
            &params.claimed_ats,
            &params.started_ats,
            &params.costs,
            &params.usages,
            &params.ns,
        ))
    }
}
pub struct InsertResultsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_results() -> InsertResultsStmt {
    InsertResultsStmt(
        "insert into workmill.result (ns, task, epoch, output) select a.ns, u.task, u.epoch, u.output from workmill.anchor a, unnest($1::uuid[], $2::integer[], $3::jsonb[]) as u (task, epoch, output) where a.ns = $4",
        None,
    )
}
impl InsertResultsStmt {
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
        T3: crate::JsonSql,
        T4: crate::ArraySql<Item = T3>,
    >(
        &'s self,
        client: &'c C,
        tasks: &'a T1,
        epochs: &'a T2,
        outputs: &'a T4,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[tasks, epochs, outputs, ns],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
    T3: crate::JsonSql,
    T4: crate::ArraySql<Item = T3>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertResultsParams<T1, T2, T3, T4>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertResultsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertResultsParams<T1, T2, T3, T4>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.tasks,
            &params.epochs,
            &params.outputs,
            &params.ns,
        ))
    }
}
pub struct UpdateStatesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn update_states() -> UpdateStatesStmt {
    UpdateStatesStmt(
        "update workmill.state s set state = u.state, due = u.due, attempts = u.attempts, crashes = u.crashes, unmet = u.unmet from unnest( $1::uuid[], $2::smallint[], $3::timestamptz[], $4::integer[], $5::integer[], $6::integer[] ) as u (task, state, due, attempts, crashes, unmet) where s.ns = $7 and s.task = u.task",
        None,
    )
}
impl UpdateStatesStmt {
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
        T2: crate::ArraySql<Item = i16>,
        T3: crate::ArraySql<Item = Option<jiff::Timestamp>>,
        T4: crate::ArraySql<Item = i32>,
        T5: crate::ArraySql<Item = i32>,
        T6: crate::ArraySql<Item = i32>,
    >(
        &'s self,
        client: &'c C,
        tasks: &'a T1,
        states: &'a T2,
        dues: &'a T3,
        attempts: &'a T4,
        crashes: &'a T5,
        unmets: &'a T6,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[tasks, states, dues, attempts, crashes, unmets, ns],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i16>,
    T3: crate::ArraySql<Item = Option<jiff::Timestamp>>,
    T4: crate::ArraySql<Item = i32>,
    T5: crate::ArraySql<Item = i32>,
    T6: crate::ArraySql<Item = i32>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        UpdateStatesParams<T1, T2, T3, T4, T5, T6>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for UpdateStatesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a UpdateStatesParams<T1, T2, T3, T4, T5, T6>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.tasks,
            &params.states,
            &params.dues,
            &params.attempts,
            &params.crashes,
            &params.unmets,
            &params.ns,
        ))
    }
}
pub struct UpdateGraphsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn update_graphs() -> UpdateGraphsStmt {
    UpdateGraphsStmt(
        "update workmill.graph g set status = u.status, completed = u.completed, cancelled = u.cancelled, stale = u.stale, dead = u.dead, moving = u.moving from unnest( $1::uuid[], $2::text[], $3::integer[], $4::integer[], $5::integer[], $6::integer[], $7::integer[] ) as u (graph, status, completed, cancelled, stale, dead, moving) where g.ns = $8 and g.graph = u.graph",
        None,
    )
}
impl UpdateGraphsStmt {
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
        T2: crate::StringSql,
        T3: crate::ArraySql<Item = T2>,
        T4: crate::ArraySql<Item = i32>,
        T5: crate::ArraySql<Item = i32>,
        T6: crate::ArraySql<Item = i32>,
        T7: crate::ArraySql<Item = i32>,
        T8: crate::ArraySql<Item = i32>,
    >(
        &'s self,
        client: &'c C,
        graphs: &'a T1,
        statuses: &'a T3,
        completed: &'a T4,
        cancelled: &'a T5,
        stale: &'a T6,
        dead: &'a T7,
        moving: &'a T8,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[
                    graphs, statuses, completed, cancelled, stale, dead, moving, ns,
                ],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = T2>,
    T4: crate::ArraySql<Item = i32>,
    T5: crate::ArraySql<Item = i32>,
    T6: crate::ArraySql<Item = i32>,
    T7: crate::ArraySql<Item = i32>,
    T8: crate::ArraySql<Item = i32>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        UpdateGraphsParams<T1, T2, T3, T4, T5, T6, T7, T8>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for UpdateGraphsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a UpdateGraphsParams<T1, T2, T3, T4, T5, T6, T7, T8>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.graphs,
            &params.statuses,
            &params.completed,
            &params.cancelled,
            &params.stale,
            &params.dead,
            &params.moving,
            &params.ns,
        ))
    }
}
