// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct LockAgentsParams<T1: crate::StringSql, T2: crate::ArraySql<Item = T1>> {
    pub agents: T2,
    pub ns: i64,
}
#[derive(Debug)]
pub struct CountLeasesParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = T2>,
    T4: crate::ArraySql<Item = jiff::Timestamp>,
> {
    pub requests: T1,
    pub ns: i64,
    pub agents: T3,
    pub since: T4,
}
#[derive(Debug)]
pub struct FindRequestedLeasesParams<
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::ArraySql<Item = uuid::Uuid>,
> {
    pub agents: T2,
    pub ns: i64,
    pub requests: T3,
}
#[derive(Debug)]
pub struct FindLanesWithExcludedTasksParams<T1: crate::ArraySql<Item = i64>, T2: crate::StringSql> {
    pub lanes: T1,
    pub ns: i64,
    pub now: jiff::Timestamp,
    pub agent: T2,
}
#[derive(Debug)]
pub struct PickReadyParams<
    T1: crate::ArraySql<Item = i64>,
    T2: crate::ArraySql<Item = i64>,
    T3: crate::ArraySql<Item = i64>,
    T4: crate::ArraySql<Item = uuid::Uuid>,
    T5: crate::StringSql,
    T6: crate::ArraySql<Item = T5>,
> {
    pub lanes: T1,
    pub aged: T2,
    pub cursor_ranks: T3,
    pub cursor_tasks: T4,
    pub ns: i64,
    pub now: jiff::Timestamp,
    pub agents: T6,
    pub wanted: i64,
    pub ready: i16,
}
#[derive(Debug)]
pub struct ClaimStatesParams<
    T1: crate::ArraySql<Item = i64>,
    T2: crate::ArraySql<Item = i64>,
    T3: crate::ArraySql<Item = uuid::Uuid>,
> {
    pub ns: i64,
    pub lanes: T1,
    pub ranks: T2,
    pub tasks: T3,
    pub state: i16,
    pub now: jiff::Timestamp,
}
#[derive(Debug)]
pub struct FindDependencyResultsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub largest: i32,
    pub tasks: T1,
    pub ns: i64,
}
#[derive(Debug)]
pub struct FindCheckpointsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub tasks: T1,
    pub ns: i64,
}
#[derive(Debug)]
pub struct FindAnswersParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub tasks: T1,
    pub ns: i64,
}
#[derive(Debug)]
pub struct InsertLeasesParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
    T3: crate::ArraySql<Item = i16>,
    T4: crate::StringSql,
    T5: crate::ArraySql<Item = T4>,
    T6: crate::StringSql,
    T7: crate::ArraySql<Item = T6>,
    T8: crate::StringSql,
    T9: crate::ArraySql<Item = Option<T8>>,
    T10: crate::ArraySql<Item = Option<uuid::Uuid>>,
    T11: crate::ArraySql<Item = Option<jiff::Timestamp>>,
    T12: crate::ArraySql<Item = i64>,
    T13: crate::ArraySql<Item = i64>,
    T14: crate::ArraySql<Item = Option<i64>>,
    T15: crate::ArraySql<Item = bool>,
    T16: crate::ArraySql<Item = i32>,
> {
    pub now: jiff::Timestamp,
    pub tasks: T1,
    pub epochs: T2,
    pub resumed: T3,
    pub task_types: T5,
    pub agents: T7,
    pub agent_types: T9,
    pub requests: T10,
    pub started_ats: T11,
    pub ttls: T12,
    pub lease_mss: T13,
    pub max_durations: T14,
    pub have_holds: T15,
    pub spawned: T16,
    pub ns: i64,
}
#[derive(Debug, Clone, PartialEq)]
pub struct LockAgents {
    pub agent: String,
    pub r#type: String,
    pub capabilities: Vec<String>,
    pub models: Vec<String>,
    pub task_types: Vec<String>,
    pub slots: i32,
    pub status: String,
    pub claim_ttl_ms: Option<i64>,
    pub key: uuid::Uuid,
    pub seen_at: jiff::Timestamp,
    pub silent_since: Option<jiff::Timestamp>,
}
pub struct LockAgentsBorrowed<'a> {
    pub agent: &'a str,
    pub r#type: &'a str,
    pub capabilities: crate::ArrayIterator<'a, &'a str>,
    pub models: crate::ArrayIterator<'a, &'a str>,
    pub task_types: crate::ArrayIterator<'a, &'a str>,
    pub slots: i32,
    pub status: &'a str,
    pub claim_ttl_ms: Option<i64>,
    pub key: uuid::Uuid,
    pub seen_at: jiff::Timestamp,
    pub silent_since: Option<jiff::Timestamp>,
}
impl<'a> From<LockAgentsBorrowed<'a>> for LockAgents {
    fn from(
        LockAgentsBorrowed {
            agent,
            r#type,
            capabilities,
            models,
            task_types,
            slots,
            status,
            claim_ttl_ms,
            key,
            seen_at,
            silent_since,
        }: LockAgentsBorrowed<'a>,
    ) -> Self {
        Self {
            agent: agent.into(),
            r#type: r#type.into(),
            capabilities: capabilities.map(|v| v.into()).collect(),
            models: models.map(|v| v.into()).collect(),
            task_types: task_types.map(|v| v.into()).collect(),
            slots,
            status: status.into(),
            claim_ttl_ms,
            key,
            seen_at,
            silent_since,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct CountLeases {
    pub agent: String,
    pub leases: i32,
    pub oldest: Option<jiff::Timestamp>,
    pub is_repeat: bool,
}
pub struct CountLeasesBorrowed<'a> {
    pub agent: &'a str,
    pub leases: i32,
    pub oldest: Option<jiff::Timestamp>,
    pub is_repeat: bool,
}
impl<'a> From<CountLeasesBorrowed<'a>> for CountLeases {
    fn from(
        CountLeasesBorrowed {
            agent,
            leases,
            oldest,
            is_repeat,
        }: CountLeasesBorrowed<'a>,
    ) -> Self {
        Self {
            agent: agent.into(),
            leases,
            oldest,
            is_repeat,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindRequestedLeases {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub agent: String,
    pub request: Option<uuid::Uuid>,
    pub started_at: Option<jiff::Timestamp>,
    pub ttl_ms: i64,
    pub graph: uuid::Uuid,
    pub in_graph: bool,
    pub lane: i64,
    pub attempts: i32,
    pub spent_micros: i64,
}
pub struct FindRequestedLeasesBorrowed<'a> {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub agent: &'a str,
    pub request: Option<uuid::Uuid>,
    pub started_at: Option<jiff::Timestamp>,
    pub ttl_ms: i64,
    pub graph: uuid::Uuid,
    pub in_graph: bool,
    pub lane: i64,
    pub attempts: i32,
    pub spent_micros: i64,
}
impl<'a> From<FindRequestedLeasesBorrowed<'a>> for FindRequestedLeases {
    fn from(
        FindRequestedLeasesBorrowed {
            task,
            epoch,
            agent,
            request,
            started_at,
            ttl_ms,
            graph,
            in_graph,
            lane,
            attempts,
            spent_micros,
        }: FindRequestedLeasesBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            epoch,
            agent: agent.into(),
            request,
            started_at,
            ttl_ms,
            graph,
            in_graph,
            lane,
            attempts,
            spent_micros,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct PickReady {
    pub lane: i64,
    pub rank: i64,
    pub task: uuid::Uuid,
    pub graph: uuid::Uuid,
    pub in_graph: bool,
    pub epoch: i32,
    pub attempts: i32,
    pub spent_micros: i64,
    pub submitted_at: jiff::Timestamp,
    pub created_by: String,
    pub parent: Option<uuid::Uuid>,
    pub body: serde_json::Value,
    pub policy: serde_json::Value,
    pub took: f64,
}
pub struct PickReadyBorrowed<'a> {
    pub lane: i64,
    pub rank: i64,
    pub task: uuid::Uuid,
    pub graph: uuid::Uuid,
    pub in_graph: bool,
    pub epoch: i32,
    pub attempts: i32,
    pub spent_micros: i64,
    pub submitted_at: jiff::Timestamp,
    pub created_by: &'a str,
    pub parent: Option<uuid::Uuid>,
    pub body: postgres_types::Json<&'a serde_json::value::RawValue>,
    pub policy: postgres_types::Json<&'a serde_json::value::RawValue>,
    pub took: f64,
}
impl<'a> From<PickReadyBorrowed<'a>> for PickReady {
    fn from(
        PickReadyBorrowed {
            lane,
            rank,
            task,
            graph,
            in_graph,
            epoch,
            attempts,
            spent_micros,
            submitted_at,
            created_by,
            parent,
            body,
            policy,
            took,
        }: PickReadyBorrowed<'a>,
    ) -> Self {
        Self {
            lane,
            rank,
            task,
            graph,
            in_graph,
            epoch,
            attempts,
            spent_micros,
            submitted_at,
            created_by: created_by.into(),
            parent,
            body: serde_json::from_str(body.0.get()).unwrap(),
            policy: serde_json::from_str(policy.0.get()).unwrap(),
            took,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindDependencyResults {
    pub task: uuid::Uuid,
    pub depends_on: uuid::Uuid,
    pub state: i16,
    pub name: Option<String>,
    pub title: String,
    pub type_name: String,
    pub output_bytes: Option<i32>,
    pub output: Option<serde_json::Value>,
    pub artifacts: Option<serde_json::Value>,
}
pub struct FindDependencyResultsBorrowed<'a> {
    pub task: uuid::Uuid,
    pub depends_on: uuid::Uuid,
    pub state: i16,
    pub name: Option<&'a str>,
    pub title: &'a str,
    pub type_name: &'a str,
    pub output_bytes: Option<i32>,
    pub output: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
    pub artifacts: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
}
impl<'a> From<FindDependencyResultsBorrowed<'a>> for FindDependencyResults {
    fn from(
        FindDependencyResultsBorrowed {
            task,
            depends_on,
            state,
            name,
            title,
            type_name,
            output_bytes,
            output,
            artifacts,
        }: FindDependencyResultsBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            depends_on,
            state,
            name: name.map(|v| v.into()),
            title: title.into(),
            type_name: type_name.into(),
            output_bytes,
            output: output.map(|v| serde_json::from_str(v.0.get()).unwrap()),
            artifacts: artifacts.map(|v| serde_json::from_str(v.0.get()).unwrap()),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindCheckpoints {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub at: jiff::Timestamp,
    pub data: serde_json::Value,
}
pub struct FindCheckpointsBorrowed<'a> {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub at: jiff::Timestamp,
    pub data: postgres_types::Json<&'a serde_json::value::RawValue>,
}
impl<'a> From<FindCheckpointsBorrowed<'a>> for FindCheckpoints {
    fn from(
        FindCheckpointsBorrowed {
            task,
            epoch,
            at,
            data,
        }: FindCheckpointsBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            epoch,
            at,
            data: serde_json::from_str(data.0.get()).unwrap(),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindAnswers {
    pub task: uuid::Uuid,
    pub at: jiff::Timestamp,
    pub answered_by: String,
    pub input: serde_json::Value,
    pub waits_for: Option<String>,
    pub question: Option<serde_json::Value>,
}
pub struct FindAnswersBorrowed<'a> {
    pub task: uuid::Uuid,
    pub at: jiff::Timestamp,
    pub answered_by: &'a str,
    pub input: postgres_types::Json<&'a serde_json::value::RawValue>,
    pub waits_for: Option<&'a str>,
    pub question: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
}
impl<'a> From<FindAnswersBorrowed<'a>> for FindAnswers {
    fn from(
        FindAnswersBorrowed {
            task,
            at,
            answered_by,
            input,
            waits_for,
            question,
        }: FindAnswersBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            at,
            answered_by: answered_by.into(),
            input: serde_json::from_str(input.0.get()).unwrap(),
            waits_for: waits_for.map(|v| v.into()),
            question: question.map(|v| serde_json::from_str(v.0.get()).unwrap()),
        }
    }
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct LockAgentsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<LockAgentsBorrowed, tokio_postgres::Error>,
    mapper: fn(LockAgentsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> LockAgentsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(LockAgentsBorrowed) -> R,
    ) -> LockAgentsQuery<'c, 'a, 's, C, R, N> {
        LockAgentsQuery {
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
pub struct CountLeasesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<CountLeasesBorrowed, tokio_postgres::Error>,
    mapper: fn(CountLeasesBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> CountLeasesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(CountLeasesBorrowed) -> R,
    ) -> CountLeasesQuery<'c, 'a, 's, C, R, N> {
        CountLeasesQuery {
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
pub struct FindRequestedLeasesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor:
        fn(&tokio_postgres::Row) -> Result<FindRequestedLeasesBorrowed, tokio_postgres::Error>,
    mapper: fn(FindRequestedLeasesBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindRequestedLeasesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindRequestedLeasesBorrowed) -> R,
    ) -> FindRequestedLeasesQuery<'c, 'a, 's, C, R, N> {
        FindRequestedLeasesQuery {
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
pub struct PickReadyQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<PickReadyBorrowed, tokio_postgres::Error>,
    mapper: fn(PickReadyBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> PickReadyQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(PickReadyBorrowed) -> R) -> PickReadyQuery<'c, 'a, 's, C, R, N> {
        PickReadyQuery {
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
pub struct FindDependencyResultsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor:
        fn(&tokio_postgres::Row) -> Result<FindDependencyResultsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindDependencyResultsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindDependencyResultsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindDependencyResultsBorrowed) -> R,
    ) -> FindDependencyResultsQuery<'c, 'a, 's, C, R, N> {
        FindDependencyResultsQuery {
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
pub struct FindCheckpointsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindCheckpointsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindCheckpointsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindCheckpointsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindCheckpointsBorrowed) -> R,
    ) -> FindCheckpointsQuery<'c, 'a, 's, C, R, N> {
        FindCheckpointsQuery {
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
pub struct FindAnswersQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindAnswersBorrowed, tokio_postgres::Error>,
    mapper: fn(FindAnswersBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindAnswersQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindAnswersBorrowed) -> R,
    ) -> FindAnswersQuery<'c, 'a, 's, C, R, N> {
        FindAnswersQuery {
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
pub struct LockAgentsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_agents() -> LockAgentsStmt {
    LockAgentsStmt(
        "select g.agent, g.type, g.capabilities, g.models, g.task_types, g.slots, g.status, g.claim_ttl_ms, g.key, g.seen_at, g.silent_since from unnest($1::text[]) as u (agent) cross join lateral ( select a.agent, a.type, a.capabilities, a.models, a.task_types, a.slots, a.status, a.claim_ttl_ms, a.key, a.seen_at, a.silent_since from workmill.agent a where a.ns = $2 and a.agent = u.agent for update ) as g",
        None,
    )
}
impl LockAgentsStmt {
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
        agents: &'a T2,
        ns: &'a i64,
    ) -> LockAgentsQuery<'c, 'a, 's, C, LockAgents, 2> {
        LockAgentsQuery {
            client,
            params: [agents, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<LockAgentsBorrowed, tokio_postgres::Error> {
                    Ok(LockAgentsBorrowed {
                        agent: row.try_get(0)?,
                        r#type: row.try_get(1)?,
                        capabilities: row.try_get(2)?,
                        models: row.try_get(3)?,
                        task_types: row.try_get(4)?,
                        slots: row.try_get(5)?,
                        status: row.try_get(6)?,
                        claim_ttl_ms: row.try_get(7)?,
                        key: row.try_get(8)?,
                        seen_at: row.try_get(9)?,
                        silent_since: row.try_get(10)?,
                    })
                },
            mapper: |it| LockAgents::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::StringSql, T2: crate::ArraySql<Item = T1>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        LockAgentsParams<T1, T2>,
        LockAgentsQuery<'c, 'a, 's, C, LockAgents, 2>,
        C,
    > for LockAgentsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a LockAgentsParams<T1, T2>,
    ) -> LockAgentsQuery<'c, 'a, 's, C, LockAgents, 2> {
        self.bind(client, &params.agents, &params.ns)
    }
}
pub struct CountLeasesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn count_leases() -> CountLeasesStmt {
    CountLeasesStmt(
        "select u.agent, c.leases, c.oldest, cardinality($1::uuid[]) > 0 and exists ( select from workmill.lease t where t.ns = $2 and t.agent = u.agent and t.claimed_at >= u.since and t.request = any($1::uuid[]) ) as is_repeat from unnest($3::text[], $4::timestamptz[]) as u (agent, since) cross join lateral ( select count(*)::integer as leases, min(l.claimed_at) as oldest from workmill.lease l where l.ns = $2 and l.agent = u.agent and l.claimed_at >= u.since ) as c",
        None,
    )
}
impl CountLeasesStmt {
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
        T2: crate::StringSql,
        T3: crate::ArraySql<Item = T2>,
        T4: crate::ArraySql<Item = jiff::Timestamp>,
    >(
        &'s self,
        client: &'c C,
        requests: &'a T1,
        ns: &'a i64,
        agents: &'a T3,
        since: &'a T4,
    ) -> CountLeasesQuery<'c, 'a, 's, C, CountLeases, 4> {
        CountLeasesQuery {
            client,
            params: [requests, ns, agents, since],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<CountLeasesBorrowed, tokio_postgres::Error> {
                    Ok(CountLeasesBorrowed {
                        agent: row.try_get(0)?,
                        leases: row.try_get(1)?,
                        oldest: row.try_get(2)?,
                        is_repeat: row.try_get(3)?,
                    })
                },
            mapper: |it| CountLeases::from(it),
        }
    }
}
impl<
    'c,
    'a,
    's,
    C: GenericClient,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = T2>,
    T4: crate::ArraySql<Item = jiff::Timestamp>,
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        CountLeasesParams<T1, T2, T3, T4>,
        CountLeasesQuery<'c, 'a, 's, C, CountLeases, 4>,
        C,
    > for CountLeasesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a CountLeasesParams<T1, T2, T3, T4>,
    ) -> CountLeasesQuery<'c, 'a, 's, C, CountLeases, 4> {
        self.bind(
            client,
            &params.requests,
            &params.ns,
            &params.agents,
            &params.since,
        )
    }
}
pub struct FindRequestedLeasesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_requested_leases() -> FindRequestedLeasesStmt {
    FindRequestedLeasesStmt(
        "select l.task, l.epoch, u.agent, l.request, l.started_at, l.ttl_ms, s.graph, s.in_graph, s.lane, s.attempts, s.spent_micros from unnest($1::text[]) as u (agent) cross join lateral ( select t.task, t.epoch, t.request, t.started_at, t.ttl_ms from workmill.lease t where t.ns = $2 and t.agent = u.agent and t.request = any($3::uuid[]) offset 0 ) as l cross join lateral ( select t.graph, t.in_graph, t.lane, t.attempts, t.spent_micros from workmill.state t where t.ns = $2 and t.task = l.task limit 1 ) as s order by l.task",
        None,
    )
}
impl FindRequestedLeasesStmt {
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
        T3: crate::ArraySql<Item = uuid::Uuid>,
    >(
        &'s self,
        client: &'c C,
        agents: &'a T2,
        ns: &'a i64,
        requests: &'a T3,
    ) -> FindRequestedLeasesQuery<'c, 'a, 's, C, FindRequestedLeases, 3> {
        FindRequestedLeasesQuery {
            client,
            params: [agents, ns, requests],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindRequestedLeasesBorrowed, tokio_postgres::Error> {
                Ok(FindRequestedLeasesBorrowed {
                    task: row.try_get(0)?,
                    epoch: row.try_get(1)?,
                    agent: row.try_get(2)?,
                    request: row.try_get(3)?,
                    started_at: row.try_get(4)?,
                    ttl_ms: row.try_get(5)?,
                    graph: row.try_get(6)?,
                    in_graph: row.try_get(7)?,
                    lane: row.try_get(8)?,
                    attempts: row.try_get(9)?,
                    spent_micros: row.try_get(10)?,
                })
            },
            mapper: |it| FindRequestedLeases::from(it),
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
    T3: crate::ArraySql<Item = uuid::Uuid>,
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindRequestedLeasesParams<T1, T2, T3>,
        FindRequestedLeasesQuery<'c, 'a, 's, C, FindRequestedLeases, 3>,
        C,
    > for FindRequestedLeasesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindRequestedLeasesParams<T1, T2, T3>,
    ) -> FindRequestedLeasesQuery<'c, 'a, 's, C, FindRequestedLeases, 3> {
        self.bind(client, &params.agents, &params.ns, &params.requests)
    }
}
pub struct FindLanesWithExcludedTasksStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_lanes_with_excluded_tasks() -> FindLanesWithExcludedTasksStmt {
    FindLanesWithExcludedTasksStmt(
        "select l.lane from unnest($1::bigint[]) as l (lane) cross join lateral ( select f.task from ( select r.task, r.shunned, r.shunned_until from workmill.ready r where r.ns = $2 and r.lane = l.lane order by r.rank, r.task limit 1000 ) as f where f.shunned_until > $3 and f.shunned && array[$4::text] limit 1 ) as e",
        None,
    )
}
impl FindLanesWithExcludedTasksStmt {
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
        T2: crate::StringSql,
    >(
        &'s self,
        client: &'c C,
        lanes: &'a T1,
        ns: &'a i64,
        now: &'a jiff::Timestamp,
        agent: &'a T2,
    ) -> I64Query<'c, 'a, 's, C, i64, 4> {
        I64Query {
            client,
            params: [lanes, ns, now, agent],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = i64>, T2: crate::StringSql>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindLanesWithExcludedTasksParams<T1, T2>,
        I64Query<'c, 'a, 's, C, i64, 4>,
        C,
    > for FindLanesWithExcludedTasksStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindLanesWithExcludedTasksParams<T1, T2>,
    ) -> I64Query<'c, 'a, 's, C, i64, 4> {
        self.bind(
            client,
            &params.lanes,
            &params.ns,
            &params.now,
            &params.agent,
        )
    }
}
pub struct PickReadyStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn pick_ready() -> PickReadyStmt {
    PickReadyStmt(
        "with heads as ( select l.lane, l.cursor_rank, l.cursor_task, row_number() over (order by h.rank - l.aged, h.task) as place from unnest( $1::bigint[], $2::bigint[], $3::bigint[], $4::uuid[] ) as l (lane, aged, cursor_rank, cursor_task) cross join lateral ( select f.rank, f.task from ( select r.rank, r.task from workmill.ready r where r.ns = $5 and r.lane = l.lane and (r.rank, r.task) >= (l.cursor_rank, l.cursor_task) and ( r.shunned is null or r.shunned_until <= $6 or not r.shunned && $7::text[] ) order by r.rank, r.task limit 1000 ) as f order by f.rank, f.task limit $8 ) as h ), shares as ( select lane, cursor_rank, cursor_task, count(*) as wanted from heads where place <= $8 group by lane, cursor_rank, cursor_task ) select p.lane, p.rank, p.task, p.graph, p.in_graph, p.epoch, p.attempts, p.spent_micros, d.submitted_at, d.created_by, d.parent, d.body, d.policy, date_part('epoch', clock_timestamp() - statement_timestamp()) as took from shares cross join lateral ( select f.lane, f.rank, s.task, s.graph, s.in_graph, s.epoch, s.attempts, s.spec_version, s.spent_micros from ( select r.lane, r.rank, r.task from workmill.ready r where r.ns = $5 and r.lane = shares.lane and (r.rank, r.task) >= (shares.cursor_rank, shares.cursor_task) and ( r.shunned is null or r.shunned_until <= $6 or not r.shunned && $7::text[] ) order by r.rank, r.task limit 1000 ) as f cross join lateral ( select s.task, s.graph, s.in_graph, s.epoch, s.attempts, s.spec_version, s.spent_micros from workmill.state s where s.ns = $5 and s.task = f.task and s.state = $9 and s.lane = f.lane and s.rank = f.rank for update skip locked ) as s limit shares.wanted ) as p cross join lateral ( select c.submitted_at, c.created_by, c.parent, c.body, c.policy from workmill.spec c where c.ns = $5 and c.task = p.task and c.version = p.spec_version limit 1 ) as d",
        None,
    )
}
impl PickReadyStmt {
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
        T3: crate::ArraySql<Item = i64>,
        T4: crate::ArraySql<Item = uuid::Uuid>,
        T5: crate::StringSql,
        T6: crate::ArraySql<Item = T5>,
    >(
        &'s self,
        client: &'c C,
        lanes: &'a T1,
        aged: &'a T2,
        cursor_ranks: &'a T3,
        cursor_tasks: &'a T4,
        ns: &'a i64,
        now: &'a jiff::Timestamp,
        agents: &'a T6,
        wanted: &'a i64,
        ready: &'a i16,
    ) -> PickReadyQuery<'c, 'a, 's, C, PickReady, 9> {
        PickReadyQuery {
            client,
            params: [
                lanes,
                aged,
                cursor_ranks,
                cursor_tasks,
                ns,
                now,
                agents,
                wanted,
                ready,
            ],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<PickReadyBorrowed, tokio_postgres::Error> {
                    Ok(PickReadyBorrowed {
                        lane: row.try_get(0)?,
                        rank: row.try_get(1)?,
                        task: row.try_get(2)?,
                        graph: row.try_get(3)?,
                        in_graph: row.try_get(4)?,
                        epoch: row.try_get(5)?,
                        attempts: row.try_get(6)?,
                        spent_micros: row.try_get(7)?,
                        submitted_at: row.try_get(8)?,
                        created_by: row.try_get(9)?,
                        parent: row.try_get(10)?,
                        body: row.try_get(11)?,
                        policy: row.try_get(12)?,
                        took: row.try_get(13)?,
                    })
                },
            mapper: |it| PickReady::from(it),
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
    T3: crate::ArraySql<Item = i64>,
    T4: crate::ArraySql<Item = uuid::Uuid>,
    T5: crate::StringSql,
    T6: crate::ArraySql<Item = T5>,
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        PickReadyParams<T1, T2, T3, T4, T5, T6>,
        PickReadyQuery<'c, 'a, 's, C, PickReady, 9>,
        C,
    > for PickReadyStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a PickReadyParams<T1, T2, T3, T4, T5, T6>,
    ) -> PickReadyQuery<'c, 'a, 's, C, PickReady, 9> {
        self.bind(
            client,
            &params.lanes,
            &params.aged,
            &params.cursor_ranks,
            &params.cursor_tasks,
            &params.ns,
            &params.now,
            &params.agents,
            &params.wanted,
            &params.ready,
        )
    }
}
pub struct ClaimStatesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn claim_states() -> ClaimStatesStmt {
    ClaimStatesStmt(
        "with left_lanes as ( delete from workmill.ready r where r.ns = $1 and r.ctid = any( array( select ( select k.ctid from workmill.ready k where k.ns = $1 and k.lane = u.lane and k.rank = u.rank and k.task = u.task ) from unnest($2::bigint[], $3::bigint[], $4::uuid[]) as u (lane, rank, task) ) ) ) update workmill.state s set state = $5, epoch = s.epoch + 1, attempts = s.attempts + 1, updated_at = $6 where s.ns = $1 and s.ctid = any( array( select ( select k.ctid from workmill.state k where k.ns = $1 and k.task = u.task ) from unnest($4::uuid[]) as u (task) ) )",
        None,
    )
}
impl ClaimStatesStmt {
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
        T1: crate::ArraySql<Item = i64>,
        T2: crate::ArraySql<Item = i64>,
        T3: crate::ArraySql<Item = uuid::Uuid>,
    >(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        lanes: &'a T1,
        ranks: &'a T2,
        tasks: &'a T3,
        state: &'a i16,
        now: &'a jiff::Timestamp,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[ns, lanes, ranks, tasks, state, now],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = i64>,
    T2: crate::ArraySql<Item = i64>,
    T3: crate::ArraySql<Item = uuid::Uuid>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        ClaimStatesParams<T1, T2, T3>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for ClaimStatesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a ClaimStatesParams<T1, T2, T3>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.ns,
            &params.lanes,
            &params.ranks,
            &params.tasks,
            &params.state,
            &params.now,
        ))
    }
}
pub struct FindDependencyResultsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_dependency_results() -> FindDependencyResultsStmt {
    FindDependencyResultsStmt(
        "select d.task, d.depends_on, d.state, d.name, d.title, d.type_name, b.output_bytes, case when b.output_bytes <= $1 then d.output end as output, case when d.is_first then d.artifacts end as artifacts from ( select u.task, d.*, row_number() over (partition by d.depends_on order by u.task) = 1 as is_first from unnest($2::uuid[]) as u (task) cross join lateral ( select e.depends_on, s.state, p.name, p.title, p.type_name, r.output, r.artifacts from workmill.edge e cross join lateral ( select t.state, t.spec_version from workmill.state t where t.ns = $3 and t.task = e.depends_on limit 1 ) as s cross join lateral ( select b.body ->> 'name' as name, b.body ->> 'title' as title, b.body ->> 'type' as type_name from workmill.spec b where b.ns = $3 and b.task = e.depends_on and b.version = s.spec_version limit 1 ) as p left join lateral ( select t.output, t.artifacts from workmill.result t where t.ns = $3 and t.task = e.depends_on limit 1 ) as r on true where e.ns = $3 and e.task = u.task order by e.depends_on offset 0 ) as d offset 0 ) as d left join lateral ( select octet_length(d.output::text) as output_bytes where d.is_first ) as b on true order by d.depends_on, d.task",
        None,
    )
}
impl FindDependencyResultsStmt {
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
        tasks: &'a T1,
        ns: &'a i64,
    ) -> FindDependencyResultsQuery<'c, 'a, 's, C, FindDependencyResults, 3> {
        FindDependencyResultsQuery {
            client,
            params: [largest, tasks, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindDependencyResultsBorrowed, tokio_postgres::Error> {
                Ok(FindDependencyResultsBorrowed {
                    task: row.try_get(0)?,
                    depends_on: row.try_get(1)?,
                    state: row.try_get(2)?,
                    name: row.try_get(3)?,
                    title: row.try_get(4)?,
                    type_name: row.try_get(5)?,
                    output_bytes: row.try_get(6)?,
                    output: row.try_get(7)?,
                    artifacts: row.try_get(8)?,
                })
            },
            mapper: |it| FindDependencyResults::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindDependencyResultsParams<T1>,
        FindDependencyResultsQuery<'c, 'a, 's, C, FindDependencyResults, 3>,
        C,
    > for FindDependencyResultsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindDependencyResultsParams<T1>,
    ) -> FindDependencyResultsQuery<'c, 'a, 's, C, FindDependencyResults, 3> {
        self.bind(client, &params.largest, &params.tasks, &params.ns)
    }
}
pub struct FindCheckpointsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_checkpoints() -> FindCheckpointsStmt {
    FindCheckpointsStmt(
        "select c.task, c.epoch, c.at, c.data from unnest($1::uuid[]) as u (task) cross join lateral ( select t.task, t.epoch, t.at, t.data from workmill.checkpoint t where t.ns = $2 and t.task = u.task limit 1 ) as c",
        None,
    )
}
impl FindCheckpointsStmt {
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
    ) -> FindCheckpointsQuery<'c, 'a, 's, C, FindCheckpoints, 2> {
        FindCheckpointsQuery {
            client,
            params: [tasks, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindCheckpointsBorrowed, tokio_postgres::Error> {
                Ok(FindCheckpointsBorrowed {
                    task: row.try_get(0)?,
                    epoch: row.try_get(1)?,
                    at: row.try_get(2)?,
                    data: row.try_get(3)?,
                })
            },
            mapper: |it| FindCheckpoints::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindCheckpointsParams<T1>,
        FindCheckpointsQuery<'c, 'a, 's, C, FindCheckpoints, 2>,
        C,
    > for FindCheckpointsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindCheckpointsParams<T1>,
    ) -> FindCheckpointsQuery<'c, 'a, 's, C, FindCheckpoints, 2> {
        self.bind(client, &params.tasks, &params.ns)
    }
}
pub struct FindAnswersStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_answers() -> FindAnswersStmt {
    FindAnswersStmt(
        "select a.task, a.at, a.answered_by, a.input, a.waits_for, a.question from unnest($1::uuid[]) as u (task) cross join lateral ( select t.task, t.at, t.answered_by, t.input, t.waits_for, t.question from workmill.answer t where t.ns = $2 and t.task = u.task order by t.at offset 0 ) as a",
        None,
    )
}
impl FindAnswersStmt {
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
    ) -> FindAnswersQuery<'c, 'a, 's, C, FindAnswers, 2> {
        FindAnswersQuery {
            client,
            params: [tasks, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindAnswersBorrowed, tokio_postgres::Error> {
                    Ok(FindAnswersBorrowed {
                        task: row.try_get(0)?,
                        at: row.try_get(1)?,
                        answered_by: row.try_get(2)?,
                        input: row.try_get(3)?,
                        waits_for: row.try_get(4)?,
                        question: row.try_get(5)?,
                    })
                },
            mapper: |it| FindAnswers::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindAnswersParams<T1>,
        FindAnswersQuery<'c, 'a, 's, C, FindAnswers, 2>,
        C,
    > for FindAnswersStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindAnswersParams<T1>,
    ) -> FindAnswersQuery<'c, 'a, 's, C, FindAnswers, 2> {
        self.bind(client, &params.tasks, &params.ns)
    }
}
pub struct InsertLeasesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_leases() -> InsertLeasesStmt {
    InsertLeasesStmt(
        "insert into workmill.lease ( ns, task, epoch, resumed, task_type, agent, agent_type, request, claimed_at, started_at, renewed_at, ttl_ms, lease_ms, max_duration_ms, has_holds, spawned ) select a.ns, u.task, u.epoch, u.resumed, u.task_type, u.agent, u.agent_type, u.request, $1, u.started_at, $1, u.ttl_ms, u.lease_ms, u.max_duration_ms, u.has_holds, u.spawned from workmill.anchor a, unnest( $2::uuid[], $3::integer[], $4::smallint[], $5::text[], $6::text[], $7::text[], $8::uuid[], $9::timestamptz[], $10::bigint[], $11::bigint[], $12::bigint[], $13::boolean[], $14::integer[] ) as u ( task, epoch, resumed, task_type, agent, agent_type, request, started_at, ttl_ms, lease_ms, max_duration_ms, has_holds, spawned ) where a.ns = $15",
        None,
    )
}
impl InsertLeasesStmt {
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
        T3: crate::ArraySql<Item = i16>,
        T4: crate::StringSql,
        T5: crate::ArraySql<Item = T4>,
        T6: crate::StringSql,
        T7: crate::ArraySql<Item = T6>,
        T8: crate::StringSql,
        T9: crate::ArraySql<Item = Option<T8>>,
        T10: crate::ArraySql<Item = Option<uuid::Uuid>>,
        T11: crate::ArraySql<Item = Option<jiff::Timestamp>>,
        T12: crate::ArraySql<Item = i64>,
        T13: crate::ArraySql<Item = i64>,
        T14: crate::ArraySql<Item = Option<i64>>,
        T15: crate::ArraySql<Item = bool>,
        T16: crate::ArraySql<Item = i32>,
    >(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        tasks: &'a T1,
        epochs: &'a T2,
        resumed: &'a T3,
        task_types: &'a T5,
        agents: &'a T7,
        agent_types: &'a T9,
        requests: &'a T10,
        started_ats: &'a T11,
        ttls: &'a T12,
        lease_mss: &'a T13,
        max_durations: &'a T14,
        have_holds: &'a T15,
        spawned: &'a T16,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[
                    now,
                    tasks,
                    epochs,
                    resumed,
                    task_types,
                    agents,
                    agent_types,
                    requests,
                    started_ats,
                    ttls,
                    lease_mss,
                    max_durations,
                    have_holds,
                    spawned,
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
    T3: crate::ArraySql<Item = i16>,
    T4: crate::StringSql,
    T5: crate::ArraySql<Item = T4>,
    T6: crate::StringSql,
    T7: crate::ArraySql<Item = T6>,
    T8: crate::StringSql,
    T9: crate::ArraySql<Item = Option<T8>>,
    T10: crate::ArraySql<Item = Option<uuid::Uuid>>,
    T11: crate::ArraySql<Item = Option<jiff::Timestamp>>,
    T12: crate::ArraySql<Item = i64>,
    T13: crate::ArraySql<Item = i64>,
    T14: crate::ArraySql<Item = Option<i64>>,
    T15: crate::ArraySql<Item = bool>,
    T16: crate::ArraySql<Item = i32>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertLeasesParams<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertLeasesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertLeasesParams<
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
        >,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.now,
            &params.tasks,
            &params.epochs,
            &params.resumed,
            &params.task_types,
            &params.agents,
            &params.agent_types,
            &params.requests,
            &params.started_ats,
            &params.ttls,
            &params.lease_mss,
            &params.max_durations,
            &params.have_holds,
            &params.spawned,
            &params.ns,
        ))
    }
}
