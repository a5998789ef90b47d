// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct FindTasksParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Clone, Copy, Debug)]
pub struct FindTasksOfGraphParams {
    pub ns: i64,
    pub graph: uuid::Uuid,
}
#[derive(Debug)]
pub struct FindBudgetOfGraphParams<T1: crate::StringSql> {
    pub ns: i64,
    pub gate: T1,
    pub graph: uuid::Uuid,
}
#[derive(Clone, Copy, Debug)]
pub struct FindGraphParams {
    pub ns: i64,
    pub graph: uuid::Uuid,
}
#[derive(Debug)]
pub struct FindEdgesParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct FindLateParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub largest: i32,
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Clone, Copy, Debug)]
pub struct FindOutputParams {
    pub ns: i64,
    pub task: uuid::Uuid,
}
#[derive(Clone, Copy, Debug)]
pub struct FindLateOutputParams {
    pub ns: i64,
    pub task: uuid::Uuid,
    pub epoch: i32,
}
#[derive(Clone, Copy, Debug)]
pub struct FindOutputOfAttemptParams {
    pub ns: i64,
    pub task: uuid::Uuid,
    pub epoch: i32,
}
#[derive(Clone, Copy, Debug)]
pub struct FindTasksOfKeyParams {
    pub ns: i64,
    pub key: uuid::Uuid,
}
#[derive(Debug)]
pub struct FindWaitingForParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub task: uuid::Uuid,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct FindContextRefsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct FindLeasesParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Clone, Copy, Debug)]
pub struct HasTaskParams {
    pub ns: i64,
    pub task: uuid::Uuid,
}
#[derive(Clone, Copy, Debug)]
pub struct FindSubmitterParams {
    pub ns: i64,
    pub task: uuid::Uuid,
}
#[derive(Clone, Copy, Debug)]
pub struct FindSubmitterOfGraphParams {
    pub ns: i64,
    pub graph: uuid::Uuid,
}
#[derive(Clone, Copy, Debug)]
pub struct FindHoldersParams {
    pub ns: i64,
    pub task: uuid::Uuid,
}
#[derive(Clone, Copy, Debug)]
pub struct FindKeyOfLeaseParams {
    pub ns: i64,
    pub task: uuid::Uuid,
    pub epoch: i32,
}
#[derive(Clone, Copy, Debug)]
pub struct FindEndOfAttemptParams {
    pub largest: i32,
    pub ns: i64,
    pub task: uuid::Uuid,
    pub epoch: i32,
}
#[derive(Clone, Copy, Debug)]
pub struct FindAgentsOfKeyParams {
    pub ns: i64,
    pub key: uuid::Uuid,
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindTasks {
    pub task: uuid::Uuid,
    pub graph: uuid::Uuid,
    pub project: Option<uuid::Uuid>,
    pub state: i16,
    pub due: Option<jiff::Timestamp>,
    pub epoch: i32,
    pub attempts: i32,
    pub spec_version: i32,
    pub submitted_at: jiff::Timestamp,
    pub created_by: String,
    pub parent: Option<uuid::Uuid>,
    pub body: serde_json::Value,
    pub boost: String,
    pub heartbeat_ms: Option<i64>,
    pub updated_at: jiff::Timestamp,
}
pub struct FindTasksBorrowed<'a> {
    pub task: uuid::Uuid,
    pub graph: uuid::Uuid,
    pub project: Option<uuid::Uuid>,
    pub state: i16,
    pub due: Option<jiff::Timestamp>,
    pub epoch: i32,
    pub attempts: i32,
    pub spec_version: i32,
    pub submitted_at: jiff::Timestamp,
    pub created_by: &'a str,
    pub parent: Option<uuid::Uuid>,
    pub body: postgres_types::Json<&'a serde_json::value::RawValue>,
    pub boost: &'a str,
    pub heartbeat_ms: Option<i64>,
    pub updated_at: jiff::Timestamp,
}
impl<'a> From<FindTasksBorrowed<'a>> for FindTasks {
    fn from(
        FindTasksBorrowed {
            task,
            graph,
            project,
            state,
            due,
            epoch,
            attempts,
            spec_version,
            submitted_at,
            created_by,
            parent,
            body,
            boost,
            heartbeat_ms,
            updated_at,
        }: FindTasksBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            graph,
            project,
            state,
            due,
            epoch,
            attempts,
            spec_version,
            submitted_at,
            created_by: created_by.into(),
            parent,
            body: serde_json::from_str(body.0.get()).unwrap(),
            boost: boost.into(),
            heartbeat_ms,
            updated_at,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindGraph {
    pub graph: uuid::Uuid,
    pub project: Option<uuid::Uuid>,
    pub title: String,
    pub created_by: String,
    pub created_at: jiff::Timestamp,
    pub status: String,
}
pub struct FindGraphBorrowed<'a> {
    pub graph: uuid::Uuid,
    pub project: Option<uuid::Uuid>,
    pub title: &'a str,
    pub created_by: &'a str,
    pub created_at: jiff::Timestamp,
    pub status: &'a str,
}
impl<'a> From<FindGraphBorrowed<'a>> for FindGraph {
    fn from(
        FindGraphBorrowed {
            graph,
            project,
            title,
            created_by,
            created_at,
            status,
        }: FindGraphBorrowed<'a>,
    ) -> Self {
        Self {
            graph,
            project,
            title: title.into(),
            created_by: created_by.into(),
            created_at,
            status: status.into(),
        }
    }
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindEdges {
    pub task: uuid::Uuid,
    pub depends_on: uuid::Uuid,
    pub state: i16,
    pub freed_runners: bool,
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindLate {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub at: jiff::Timestamp,
    pub outcome: String,
    pub was_accepted: bool,
    pub output_bytes: Option<i32>,
    pub output: Option<serde_json::Value>,
    pub artifacts: Option<serde_json::Value>,
    pub message: Option<String>,
    pub cost_micros: i64,
    pub usage: Option<serde_json::Value>,
    pub adopted_by: Option<String>,
    pub adopted_at: Option<jiff::Timestamp>,
}
pub struct FindLateBorrowed<'a> {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub at: jiff::Timestamp,
    pub outcome: &'a str,
    pub was_accepted: bool,
    pub output_bytes: Option<i32>,
    pub output: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
    pub artifacts: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
    pub message: Option<&'a str>,
    pub cost_micros: i64,
    pub usage: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
    pub adopted_by: Option<&'a str>,
    pub adopted_at: Option<jiff::Timestamp>,
}
impl<'a> From<FindLateBorrowed<'a>> for FindLate {
    fn from(
        FindLateBorrowed {
            task,
            epoch,
            at,
            outcome,
            was_accepted,
            output_bytes,
            output,
            artifacts,
            message,
            cost_micros,
            usage,
            adopted_by,
            adopted_at,
        }: FindLateBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            epoch,
            at,
            outcome: outcome.into(),
            was_accepted,
            output_bytes,
            output: output.map(|v| serde_json::from_str(v.0.get()).unwrap()),
            artifacts: artifacts.map(|v| serde_json::from_str(v.0.get()).unwrap()),
            message: message.map(|v| v.into()),
            cost_micros,
            usage: usage.map(|v| serde_json::from_str(v.0.get()).unwrap()),
            adopted_by: adopted_by.map(|v| v.into()),
            adopted_at,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindLeases {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub agent: String,
    pub claimed_at: jiff::Timestamp,
    pub started_at: Option<jiff::Timestamp>,
    pub renewed_at: jiff::Timestamp,
    pub ttl_ms: i64,
    pub progress: Option<serde_json::Value>,
    pub cost_micros: i64,
    pub usage: Option<serde_json::Value>,
}
pub struct FindLeasesBorrowed<'a> {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub agent: &'a str,
    pub claimed_at: jiff::Timestamp,
    pub started_at: Option<jiff::Timestamp>,
    pub renewed_at: jiff::Timestamp,
    pub ttl_ms: i64,
    pub progress: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
    pub cost_micros: i64,
    pub usage: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
}
impl<'a> From<FindLeasesBorrowed<'a>> for FindLeases {
    fn from(
        FindLeasesBorrowed {
            task,
            epoch,
            agent,
            claimed_at,
            started_at,
            renewed_at,
            ttl_ms,
            progress,
            cost_micros,
            usage,
        }: FindLeasesBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            epoch,
            agent: agent.into(),
            claimed_at,
            started_at,
            renewed_at,
            ttl_ms,
            progress: progress.map(|v| serde_json::from_str(v.0.get()).unwrap()),
            cost_micros,
            usage: usage.map(|v| serde_json::from_str(v.0.get()).unwrap()),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindEndOfAttempt {
    pub outcome: String,
    pub reason: Option<String>,
    pub message: Option<String>,
    pub details: Option<serde_json::Value>,
    pub key: uuid::Uuid,
}
pub struct FindEndOfAttemptBorrowed<'a> {
    pub outcome: &'a str,
    pub reason: Option<&'a str>,
    pub message: Option<&'a str>,
    pub details: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
    pub key: uuid::Uuid,
}
impl<'a> From<FindEndOfAttemptBorrowed<'a>> for FindEndOfAttempt {
    fn from(
        FindEndOfAttemptBorrowed {
            outcome,
            reason,
            message,
            details,
            key,
        }: FindEndOfAttemptBorrowed<'a>,
    ) -> Self {
        Self {
            outcome: outcome.into(),
            reason: reason.map(|v| v.into()),
            message: message.map(|v| v.into()),
            details: details.map(|v| serde_json::from_str(v.0.get()).unwrap()),
            key,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindAgentsOfKey {
    pub agent: String,
    pub r#type: String,
}
pub struct FindAgentsOfKeyBorrowed<'a> {
    pub agent: &'a str,
    pub r#type: &'a str,
}
impl<'a> From<FindAgentsOfKeyBorrowed<'a>> for FindAgentsOfKey {
    fn from(FindAgentsOfKeyBorrowed { agent, r#type }: FindAgentsOfKeyBorrowed<'a>) -> Self {
        Self {
            agent: agent.into(),
            r#type: r#type.into(),
        }
    }
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct FindTasksQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindTasksBorrowed, tokio_postgres::Error>,
    mapper: fn(FindTasksBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindTasksQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(FindTasksBorrowed) -> R) -> FindTasksQuery<'c, 'a, 's, C, R, N> {
        FindTasksQuery {
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
pub struct Optioni64Query<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<Option<i64>, tokio_postgres::Error>,
    mapper: fn(Option<i64>) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> Optioni64Query<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(Option<i64>) -> R) -> Optioni64Query<'c, 'a, 's, C, R, N> {
        Optioni64Query {
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
pub struct FindGraphQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindGraphBorrowed, tokio_postgres::Error>,
    mapper: fn(FindGraphBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindGraphQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(FindGraphBorrowed) -> R) -> FindGraphQuery<'c, 'a, 's, C, R, N> {
        FindGraphQuery {
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
pub struct FindEdgesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindEdges, tokio_postgres::Error>,
    mapper: fn(FindEdges) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindEdgesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(FindEdges) -> R) -> FindEdgesQuery<'c, 'a, 's, C, R, N> {
        FindEdgesQuery {
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
pub struct FindLateQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindLateBorrowed, tokio_postgres::Error>,
    mapper: fn(FindLateBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindLateQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(FindLateBorrowed) -> R) -> FindLateQuery<'c, 'a, 's, C, R, N> {
        FindLateQuery {
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
pub struct OptionserdejsonValueQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(
        &tokio_postgres::Row,
    ) -> Result<
        Option<postgres_types::Json<&serde_json::value::RawValue>>,
        tokio_postgres::Error,
    >,
    mapper: fn(Option<postgres_types::Json<&serde_json::value::RawValue>>) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> OptionserdejsonValueQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(Option<postgres_types::Json<&serde_json::value::RawValue>>) -> R,
    ) -> OptionserdejsonValueQuery<'c, 'a, 's, C, R, N> {
        OptionserdejsonValueQuery {
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
pub struct FindLeasesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindLeasesBorrowed, tokio_postgres::Error>,
    mapper: fn(FindLeasesBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindLeasesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindLeasesBorrowed) -> R,
    ) -> FindLeasesQuery<'c, 'a, 's, C, R, N> {
        FindLeasesQuery {
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
pub struct OptionuuidUuidQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<Option<uuid::Uuid>, tokio_postgres::Error>,
    mapper: fn(Option<uuid::Uuid>) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> OptionuuidUuidQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(Option<uuid::Uuid>) -> R,
    ) -> OptionuuidUuidQuery<'c, 'a, 's, C, R, N> {
        OptionuuidUuidQuery {
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
pub struct FindEndOfAttemptQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindEndOfAttemptBorrowed, tokio_postgres::Error>,
    mapper: fn(FindEndOfAttemptBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindEndOfAttemptQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindEndOfAttemptBorrowed) -> R,
    ) -> FindEndOfAttemptQuery<'c, 'a, 's, C, R, N> {
        FindEndOfAttemptQuery {
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
pub struct FindAgentsOfKeyQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindAgentsOfKeyBorrowed, tokio_postgres::Error>,
    mapper: fn(FindAgentsOfKeyBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindAgentsOfKeyQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindAgentsOfKeyBorrowed) -> R,
    ) -> FindAgentsOfKeyQuery<'c, 'a, 's, C, R, N> {
        FindAgentsOfKeyQuery {
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
pub struct FindTasksStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_tasks() -> FindTasksStmt {
    FindTasksStmt(
        "select s.task, s.graph, s.project, s.state, s.due, s.epoch, s.attempts, s.spec_version, p.submitted_at, p.created_by, p.parent, p.body, p.policy ->> 'boost' as boost, (p.policy ->> 'heartbeat_ms')::bigint as heartbeat_ms, coalesce(s.updated_at, p.submitted_at) as updated_at from workmill.state s join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version where s.ns = $1 and p.ns = $1 and s.task = any($2::uuid[]) order by s.task",
        None,
    )
}
impl FindTasksStmt {
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
    ) -> FindTasksQuery<'c, 'a, 's, C, FindTasks, 2> {
        FindTasksQuery {
            client,
            params: [ns, tasks],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindTasksBorrowed, tokio_postgres::Error> {
                    Ok(FindTasksBorrowed {
                        task: row.try_get(0)?,
                        graph: row.try_get(1)?,
                        project: row.try_get(2)?,
                        state: row.try_get(3)?,
                        due: row.try_get(4)?,
                        epoch: row.try_get(5)?,
                        attempts: row.try_get(6)?,
                        spec_version: row.try_get(7)?,
                        submitted_at: row.try_get(8)?,
                        created_by: row.try_get(9)?,
                        parent: row.try_get(10)?,
                        body: row.try_get(11)?,
                        boost: row.try_get(12)?,
                        heartbeat_ms: row.try_get(13)?,
                        updated_at: row.try_get(14)?,
                    })
                },
            mapper: |it| FindTasks::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindTasksParams<T1>,
        FindTasksQuery<'c, 'a, 's, C, FindTasks, 2>,
        C,
    > for FindTasksStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindTasksParams<T1>,
    ) -> FindTasksQuery<'c, 'a, 's, C, FindTasks, 2> {
        self.bind(client, &params.ns, &params.tasks)
    }
}
pub struct FindTasksOfGraphStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_tasks_of_graph() -> FindTasksOfGraphStmt {
    FindTasksOfGraphStmt(
        "select task from workmill.state where ns = $1 and graph = $2 and in_graph",
        None,
    )
}
impl FindTasksOfGraphStmt {
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
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 2> {
        UuidUuidQuery {
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
        FindTasksOfGraphParams,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 2>,
        C,
    > for FindTasksOfGraphStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindTasksOfGraphParams,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 2> {
        self.bind(client, &params.ns, &params.graph)
    }
}
pub struct FindBudgetOfGraphStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_budget_of_graph() -> FindBudgetOfGraphStmt {
    FindBudgetOfGraphStmt(
        "select cap from workmill.gate where ns = $1 and gate = $2 and not is_removed union all select cap from workmill.retired_gate where ns = $1 and graph = $3 and gate = $2 limit 1",
        None,
    )
}
impl FindBudgetOfGraphStmt {
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
        ns: &'a i64,
        gate: &'a T1,
        graph: &'a uuid::Uuid,
    ) -> Optioni64Query<'c, 'a, 's, C, Option<i64>, 3> {
        Optioni64Query {
            client,
            params: [ns, gate, graph],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::StringSql>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindBudgetOfGraphParams<T1>,
        Optioni64Query<'c, 'a, 's, C, Option<i64>, 3>,
        C,
    > for FindBudgetOfGraphStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindBudgetOfGraphParams<T1>,
    ) -> Optioni64Query<'c, 'a, 's, C, Option<i64>, 3> {
        self.bind(client, &params.ns, &params.gate, &params.graph)
    }
}
pub struct FindGraphStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_graph() -> FindGraphStmt {
    FindGraphStmt(
        "select graph, project, title, created_by, created_at, status from workmill.graph where ns = $1 and graph = $2",
        None,
    )
}
impl FindGraphStmt {
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
    ) -> FindGraphQuery<'c, 'a, 's, C, FindGraph, 2> {
        FindGraphQuery {
            client,
            params: [ns, graph],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindGraphBorrowed, tokio_postgres::Error> {
                    Ok(FindGraphBorrowed {
                        graph: row.try_get(0)?,
                        project: row.try_get(1)?,
                        title: row.try_get(2)?,
                        created_by: row.try_get(3)?,
                        created_at: row.try_get(4)?,
                        status: row.try_get(5)?,
                    })
                },
            mapper: |it| FindGraph::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindGraphParams,
        FindGraphQuery<'c, 'a, 's, C, FindGraph, 2>,
        C,
    > for FindGraphStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindGraphParams,
    ) -> FindGraphQuery<'c, 'a, 's, C, FindGraph, 2> {
        self.bind(client, &params.ns, &params.graph)
    }
}
pub struct FindEdgesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_edges() -> FindEdgesStmt {
    FindEdgesStmt(
        "select e.task, e.depends_on, s.state, s.freed_runners from workmill.edge e join workmill.state s on s.ns = e.ns and s.task = e.depends_on where e.ns = $1 and s.ns = $1 and e.task = any($2::uuid[]) order by e.task, e.depends_on",
        None,
    )
}
impl FindEdgesStmt {
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
    ) -> FindEdgesQuery<'c, 'a, 's, C, FindEdges, 2> {
        FindEdgesQuery {
            client,
            params: [ns, tasks],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row: &tokio_postgres::Row| -> Result<FindEdges, tokio_postgres::Error> {
                Ok(FindEdges {
                    task: row.try_get(0)?,
                    depends_on: row.try_get(1)?,
                    state: row.try_get(2)?,
                    freed_runners: row.try_get(3)?,
                })
            },
            mapper: |it| FindEdges::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindEdgesParams<T1>,
        FindEdgesQuery<'c, 'a, 's, C, FindEdges, 2>,
        C,
    > for FindEdgesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindEdgesParams<T1>,
    ) -> FindEdgesQuery<'c, 'a, 's, C, FindEdges, 2> {
        self.bind(client, &params.ns, &params.tasks)
    }
}
pub struct FindLateStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_late() -> FindLateStmt {
    FindLateStmt(
        "select r.task, r.epoch, r.at, r.outcome, r.was_accepted, b.output_bytes, case when b.output_bytes <= $1 then r.output end as output, r.artifacts, r.message, r.cost_micros, r.usage, r.adopted_by, r.adopted_at from workmill.late_result r cross join lateral (select octet_length(r.output::text) as output_bytes) as b where r.ns = $2 and r.task = any($3::uuid[]) order by r.task, r.epoch",
        None,
    )
}
impl FindLateStmt {
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
        largest: &'a i32,
        ns: &'a i64,
        tasks: &'a T1,
    ) -> FindLateQuery<'c, 'a, 's, C, FindLate, 3> {
        FindLateQuery {
            client,
            params: [largest, ns, tasks],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindLateBorrowed, tokio_postgres::Error> {
                    Ok(FindLateBorrowed {
                        task: row.try_get(0)?,
                        epoch: row.try_get(1)?,
                        at: row.try_get(2)?,
                        outcome: row.try_get(3)?,
                        was_accepted: row.try_get(4)?,
                        output_bytes: row.try_get(5)?,
                        output: row.try_get(6)?,
                        artifacts: row.try_get(7)?,
                        message: row.try_get(8)?,
                        cost_micros: row.try_get(9)?,
                        usage: row.try_get(10)?,
                        adopted_by: row.try_get(11)?,
                        adopted_at: row.try_get(12)?,
                    })
                },
            mapper: |it| FindLate::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindLateParams<T1>,
        FindLateQuery<'c, 'a, 's, C, FindLate, 3>,
        C,
    > for FindLateStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindLateParams<T1>,
    ) -> FindLateQuery<'c, 'a, 's, C, FindLate, 3> {
        self.bind(client, &params.largest, &params.ns, &params.tasks)
    }
}
pub struct FindOutputStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_output() -> FindOutputStmt {
    FindOutputStmt(
        "select output::text as output from workmill.result where ns = $1 and task = $2",
        None,
    )
}
impl FindOutputStmt {
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
        task: &'a uuid::Uuid,
    ) -> StringQuery<'c, 'a, 's, C, String, 2> {
        StringQuery {
            client,
            params: [ns, task],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it.into(),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindOutputParams,
        StringQuery<'c, 'a, 's, C, String, 2>,
        C,
    > for FindOutputStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindOutputParams,
    ) -> StringQuery<'c, 'a, 's, C, String, 2> {
        self.bind(client, &params.ns, &params.task)
    }
}
pub struct FindLateOutputStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_late_output() -> FindLateOutputStmt {
    FindLateOutputStmt(
        "select output::text as output from workmill.late_result where ns = $1 and task = $2 and epoch = $3 and output is not null",
        None,
    )
}
impl FindLateOutputStmt {
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
        task: &'a uuid::Uuid,
        epoch: &'a i32,
    ) -> StringQuery<'c, 'a, 's, C, String, 3> {
        StringQuery {
            client,
            params: [ns, task, epoch],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it.into(),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindLateOutputParams,
        StringQuery<'c, 'a, 's, C, String, 3>,
        C,
    > for FindLateOutputStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindLateOutputParams,
    ) -> StringQuery<'c, 'a, 's, C, String, 3> {
        self.bind(client, &params.ns, &params.task, &params.epoch)
    }
}
pub struct FindOutputOfAttemptStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_output_of_attempt() -> FindOutputOfAttemptStmt {
    FindOutputOfAttemptStmt(
        "select output::text as output from workmill.result where ns = $1 and task = $2 and epoch = $3",
        None,
    )
}
impl FindOutputOfAttemptStmt {
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
        task: &'a uuid::Uuid,
        epoch: &'a i32,
    ) -> StringQuery<'c, 'a, 's, C, String, 3> {
        StringQuery {
            client,
            params: [ns, task, epoch],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it.into(),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindOutputOfAttemptParams,
        StringQuery<'c, 'a, 's, C, String, 3>,
        C,
    > for FindOutputOfAttemptStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindOutputOfAttemptParams,
    ) -> StringQuery<'c, 'a, 's, C, String, 3> {
        self.bind(client, &params.ns, &params.task, &params.epoch)
    }
}
pub struct FindTasksOfKeyStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_tasks_of_key() -> FindTasksOfKeyStmt {
    FindTasksOfKeyStmt(
        "select l.task from workmill.agent a join workmill.lease l on l.ns = a.ns and l.agent = a.agent where a.ns = $1 and l.ns = $1 and a.key = $2",
        None,
    )
}
impl FindTasksOfKeyStmt {
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
        key: &'a uuid::Uuid,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 2> {
        UuidUuidQuery {
            client,
            params: [ns, key],
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
        FindTasksOfKeyParams,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 2>,
        C,
    > for FindTasksOfKeyStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindTasksOfKeyParams,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 2> {
        self.bind(client, &params.ns, &params.key)
    }
}
pub struct FindWaitingForStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_waiting_for() -> FindWaitingForStmt {
    FindWaitingForStmt(
        "select e.task from workmill.edge e where e.ns = $1 and e.depends_on = $2 and e.task = any($3::uuid[]) limit 1",
        None,
    )
}
impl FindWaitingForStmt {
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
        task: &'a uuid::Uuid,
        tasks: &'a T1,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        UuidUuidQuery {
            client,
            params: [ns, task, tasks],
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
        FindWaitingForParams<T1>,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3>,
        C,
    > for FindWaitingForStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindWaitingForParams<T1>,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        self.bind(client, &params.ns, &params.task, &params.tasks)
    }
}
pub struct FindContextRefsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_context_refs() -> FindContextRefsStmt {
    FindContextRefsStmt(
        "select c.body -> 'spec' -> 'context_refs' as refs from workmill.state s join workmill.spec c on c.ns = s.ns and c.task = s.task and c.version = s.spec_version where s.ns = $1 and c.ns = $1 and s.task = any($2::uuid[])",
        None,
    )
}
impl FindContextRefsStmt {
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
    ) -> OptionserdejsonValueQuery<'c, 'a, 's, C, Option<serde_json::Value>, 2> {
        OptionserdejsonValueQuery {
            client,
            params: [ns, tasks],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it.map(|v| serde_json::from_str(v.0.get()).unwrap()),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindContextRefsParams<T1>,
        OptionserdejsonValueQuery<'c, 'a, 's, C, Option<serde_json::Value>, 2>,
        C,
    > for FindContextRefsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindContextRefsParams<T1>,
    ) -> OptionserdejsonValueQuery<'c, 'a, 's, C, Option<serde_json::Value>, 2> {
        self.bind(client, &params.ns, &params.tasks)
    }
}
pub struct FindLeasesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_leases() -> FindLeasesStmt {
    FindLeasesStmt(
        "select task, epoch, agent, claimed_at, started_at, renewed_at, ttl_ms, progress, cost_micros, usage from workmill.lease where ns = $1 and task = any($2::uuid[]) order by task, epoch",
        None,
    )
}
impl FindLeasesStmt {
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
    ) -> FindLeasesQuery<'c, 'a, 's, C, FindLeases, 2> {
        FindLeasesQuery {
            client,
            params: [ns, tasks],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindLeasesBorrowed, tokio_postgres::Error> {
                    Ok(FindLeasesBorrowed {
                        task: row.try_get(0)?,
                        epoch: row.try_get(1)?,
                        agent: row.try_get(2)?,
                        claimed_at: row.try_get(3)?,
                        started_at: row.try_get(4)?,
                        renewed_at: row.try_get(5)?,
                        ttl_ms: row.try_get(6)?,
                        progress: row.try_get(7)?,
                        cost_micros: row.try_get(8)?,
                        usage: row.try_get(9)?,
                    })
                },
            mapper: |it| FindLeases::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindLeasesParams<T1>,
        FindLeasesQuery<'c, 'a, 's, C, FindLeases, 2>,
        C,
    > for FindLeasesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindLeasesParams<T1>,
    ) -> FindLeasesQuery<'c, 'a, 's, C, FindLeases, 2> {
        self.bind(client, &params.ns, &params.tasks)
    }
}
pub struct HasTaskStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn has_task() -> HasTaskStmt {
    HasTaskStmt(
        "select task from workmill.state where ns = $1 and task = $2",
        None,
    )
}
impl HasTaskStmt {
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
        task: &'a uuid::Uuid,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 2> {
        UuidUuidQuery {
            client,
            params: [ns, task],
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
        HasTaskParams,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 2>,
        C,
    > for HasTaskStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a HasTaskParams,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 2> {
        self.bind(client, &params.ns, &params.task)
    }
}
pub struct FindSubmitterStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_submitter() -> FindSubmitterStmt {
    FindSubmitterStmt(
        "select created_by_key from workmill.spec where ns = $1 and task = $2 and version = 1",
        None,
    )
}
impl FindSubmitterStmt {
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
        task: &'a uuid::Uuid,
    ) -> OptionuuidUuidQuery<'c, 'a, 's, C, Option<uuid::Uuid>, 2> {
        OptionuuidUuidQuery {
            client,
            params: [ns, task],
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
        FindSubmitterParams,
        OptionuuidUuidQuery<'c, 'a, 's, C, Option<uuid::Uuid>, 2>,
        C,
    > for FindSubmitterStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindSubmitterParams,
    ) -> OptionuuidUuidQuery<'c, 'a, 's, C, Option<uuid::Uuid>, 2> {
        self.bind(client, &params.ns, &params.task)
    }
}
pub struct FindSubmitterOfGraphStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_submitter_of_graph() -> FindSubmitterOfGraphStmt {
    FindSubmitterOfGraphStmt(
        "select created_by_key from workmill.graph where ns = $1 and graph = $2 union all select p.created_by_key from workmill.state s cross join lateral ( select c.created_by_key from workmill.spec c where c.ns = $1 and c.task = s.task and c.version = 1 limit 1 ) as p where s.ns = $1 and s.task = $2 and s.graph = $2 and not s.in_graph",
        None,
    )
}
impl FindSubmitterOfGraphStmt {
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
    ) -> OptionuuidUuidQuery<'c, 'a, 's, C, Option<uuid::Uuid>, 2> {
        OptionuuidUuidQuery {
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
        FindSubmitterOfGraphParams,
        OptionuuidUuidQuery<'c, 'a, 's, C, Option<uuid::Uuid>, 2>,
        C,
    > for FindSubmitterOfGraphStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindSubmitterOfGraphParams,
    ) -> OptionuuidUuidQuery<'c, 'a, 's, C, Option<uuid::Uuid>, 2> {
        self.bind(client, &params.ns, &params.graph)
    }
}
pub struct FindHoldersStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_holders() -> FindHoldersStmt {
    FindHoldersStmt(
        "select g.key from ( select l.agent from workmill.lease l where l.ns = $1 and l.task = $2 union all select d.agent from workmill.edge e join workmill.lease d on d.ns = e.ns and d.task = e.task where e.ns = $1 and d.ns = $1 and e.depends_on = $2 ) as h cross join lateral ( select a.key from workmill.agent a where a.ns = $1 and a.agent = h.agent limit 1 ) as g",
        None,
    )
}
impl FindHoldersStmt {
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
        task: &'a uuid::Uuid,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 2> {
        UuidUuidQuery {
            client,
            params: [ns, task],
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
        FindHoldersParams,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 2>,
        C,
    > for FindHoldersStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindHoldersParams,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 2> {
        self.bind(client, &params.ns, &params.task)
    }
}
pub struct FindKeyOfLeaseStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_key_of_lease() -> FindKeyOfLeaseStmt {
    FindKeyOfLeaseStmt(
        "select g.key from workmill.lease l cross join lateral ( select a.key from workmill.agent a where a.ns = $1 and a.agent = l.agent limit 1 ) as g where l.ns = $1 and l.task = $2 and l.epoch = $3",
        None,
    )
}
impl FindKeyOfLeaseStmt {
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
        task: &'a uuid::Uuid,
        epoch: &'a i32,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        UuidUuidQuery {
            client,
            params: [ns, task, epoch],
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
        FindKeyOfLeaseParams,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3>,
        C,
    > for FindKeyOfLeaseStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindKeyOfLeaseParams,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        self.bind(client, &params.ns, &params.task, &params.epoch)
    }
}
pub struct FindEndOfAttemptStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_end_of_attempt() -> FindEndOfAttemptStmt {
    FindEndOfAttemptStmt(
        "select t.outcome, t.reason, t.message, case when octet_length(t.details::text) <= $1 then t.details end as details, g.key from workmill.attempt t cross join lateral ( select a.key, a.created_at from workmill.agent a where a.ns = $2 and a.agent = t.agent limit 1 ) as g where t.ns = $2 and t.task = $3 and t.epoch = $4 and (g.created_at is null or t.ended_at >= g.created_at) order by t.resumed desc limit 1",
        None,
    )
}
impl FindEndOfAttemptStmt {
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
        largest: &'a i32,
        ns: &'a i64,
        task: &'a uuid::Uuid,
        epoch: &'a i32,
    ) -> FindEndOfAttemptQuery<'c, 'a, 's, C, FindEndOfAttempt, 4> {
        FindEndOfAttemptQuery {
            client,
            params: [largest, ns, task, epoch],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindEndOfAttemptBorrowed, tokio_postgres::Error> {
                Ok(FindEndOfAttemptBorrowed {
                    outcome: row.try_get(0)?,
                    reason: row.try_get(1)?,
                    message: row.try_get(2)?,
                    details: row.try_get(3)?,
                    key: row.try_get(4)?,
                })
            },
            mapper: |it| FindEndOfAttempt::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindEndOfAttemptParams,
        FindEndOfAttemptQuery<'c, 'a, 's, C, FindEndOfAttempt, 4>,
        C,
    > for FindEndOfAttemptStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindEndOfAttemptParams,
    ) -> FindEndOfAttemptQuery<'c, 'a, 's, C, FindEndOfAttempt, 4> {
        self.bind(
            client,
            &params.largest,
            &params.ns,
            &params.task,
            &params.epoch,
        )
    }
}
pub struct FindAgentsOfKeyStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_agents_of_key() -> FindAgentsOfKeyStmt {
    FindAgentsOfKeyStmt(
        "select agent, type from workmill.agent where ns = $1 and key = $2",
        None,
    )
}
impl FindAgentsOfKeyStmt {
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
        key: &'a uuid::Uuid,
    ) -> FindAgentsOfKeyQuery<'c, 'a, 's, C, FindAgentsOfKey, 2> {
        FindAgentsOfKeyQuery {
            client,
            params: [ns, key],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindAgentsOfKeyBorrowed, tokio_postgres::Error> {
                Ok(FindAgentsOfKeyBorrowed {
                    agent: row.try_get(0)?,
                    r#type: row.try_get(1)?,
                })
            },
            mapper: |it| FindAgentsOfKey::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindAgentsOfKeyParams,
        FindAgentsOfKeyQuery<'c, 'a, 's, C, FindAgentsOfKey, 2>,
        C,
    > for FindAgentsOfKeyStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindAgentsOfKeyParams,
    ) -> FindAgentsOfKeyQuery<'c, 'a, 's, C, FindAgentsOfKey, 2> {
        self.bind(client, &params.ns, &params.key)
    }
}
