// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct LockAgentParams<T1: crate::StringSql> {
    pub ns: i64,
    pub agent: T1,
}
#[derive(Debug)]
pub struct LockAgentStatusParams<T1: crate::StringSql> {
    pub ns: i64,
    pub agent: T1,
}
#[derive(Debug)]
pub struct InsertAgentParams<
    T1: crate::StringSql,
    T2: crate::StringSql,
    T3: crate::StringSql,
    T4: crate::ArraySql<Item = T3>,
    T5: crate::StringSql,
    T6: crate::ArraySql<Item = T5>,
    T7: crate::StringSql,
    T8: crate::ArraySql<Item = T7>,
> {
    pub ns: i64,
    pub agent: T1,
    pub type_: T2,
    pub capabilities: T4,
    pub models: T6,
    pub task_types: T8,
    pub slots: i32,
    pub poll_interval_ms: i64,
    pub claim_ttl_ms: Option<i64>,
    pub key: uuid::Uuid,
    pub session: uuid::Uuid,
    pub is_by_hand: bool,
    pub now: jiff::Timestamp,
}
#[derive(Debug)]
pub struct UpdateAgentParams<
    T1: crate::StringSql,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = T2>,
    T4: crate::StringSql,
    T5: crate::ArraySql<Item = T4>,
    T6: crate::StringSql,
    T7: crate::ArraySql<Item = T6>,
    T8: crate::StringSql,
    T9: crate::StringSql,
> {
    pub type_: T1,
    pub capabilities: T3,
    pub models: T5,
    pub task_types: T7,
    pub slots: i32,
    pub status: T8,
    pub poll_interval_ms: i64,
    pub claim_ttl_ms: Option<i64>,
    pub session: uuid::Uuid,
    pub is_by_hand: bool,
    pub now: jiff::Timestamp,
    pub ns: i64,
    pub agent: T9,
}
#[derive(Debug)]
pub struct ChangeAgentParams<
    T1: crate::StringSql,
    T2: crate::StringSql,
    T3: crate::StringSql,
    T4: crate::ArraySql<Item = T3>,
    T5: crate::StringSql,
> {
    pub status: Option<T1>,
    pub status_set_by: Option<T2>,
    pub slots: Option<i32>,
    pub capabilities: Option<T4>,
    pub ns: i64,
    pub agent: T5,
}
#[derive(Debug)]
pub struct SeeAgentsParams<T1: crate::StringSql, T2: crate::ArraySql<Item = T1>> {
    pub now: jiff::Timestamp,
    pub ns: i64,
    pub agents: T2,
}
#[derive(Debug)]
pub struct CountLeasesOfAgentParams<T1: crate::StringSql> {
    pub ns: i64,
    pub agent: T1,
}
#[derive(Debug)]
pub struct DeleteAgentsParams<T1: crate::StringSql, T2: crate::ArraySql<Item = T1>> {
    pub ns: i64,
    pub agents: T2,
}
#[derive(Debug)]
pub struct DeleteAgentRecordsParams<T1: crate::StringSql, T2: crate::ArraySql<Item = T1>> {
    pub ns: i64,
    pub agents: T2,
}
#[derive(Clone, Copy, Debug)]
pub struct FindRestlessAgentsParams {
    pub now: jiff::Timestamp,
    pub removed_since: jiff::Timestamp,
    pub least_interval_ms: i64,
    pub intervals: i64,
    pub written_until: jiff::Timestamp,
    pub most: i64,
}
#[derive(Debug)]
pub struct LockWatchedAgentsParams<T1: crate::StringSql, T2: crate::ArraySql<Item = T1>> {
    pub agents: T2,
    pub ns: i64,
}
#[derive(Debug)]
pub struct FindHoldingAgentsParams<T1: crate::StringSql, T2: crate::ArraySql<Item = T1>> {
    pub agents: T2,
    pub now: jiff::Timestamp,
    pub ns: i64,
}
#[derive(Debug)]
pub struct SilenceAgentsParams<T1: crate::StringSql, T2: crate::ArraySql<Item = T1>> {
    pub now: jiff::Timestamp,
    pub ns: i64,
    pub agents: T2,
}
#[derive(Debug)]
pub struct NoteAgentsParams<
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::ArraySql<Item = jiff::Timestamp>,
> {
    pub agents: T2,
    pub ats: T3,
    pub ns: i64,
}
#[derive(Debug, Clone, PartialEq)]
pub struct LockAgent {
    pub key: uuid::Uuid,
    pub r#type: String,
    pub capabilities: Vec<String>,
    pub models: Vec<String>,
    pub task_types: Vec<String>,
    pub status: String,
    pub status_set_by: Option<String>,
    pub poll_interval_ms: i64,
    pub session: Option<uuid::Uuid>,
    pub is_by_hand: bool,
    pub silent_since: Option<jiff::Timestamp>,
}
pub struct LockAgentBorrowed<'a> {
    pub key: uuid::Uuid,
    pub r#type: &'a str,
    pub capabilities: crate::ArrayIterator<'a, &'a str>,
    pub models: crate::ArrayIterator<'a, &'a str>,
    pub task_types: crate::ArrayIterator<'a, &'a str>,
    pub status: &'a str,
    pub status_set_by: Option<&'a str>,
    pub poll_interval_ms: i64,
    pub session: Option<uuid::Uuid>,
    pub is_by_hand: bool,
    pub silent_since: Option<jiff::Timestamp>,
}
impl<'a> From<LockAgentBorrowed<'a>> for LockAgent {
    fn from(
        LockAgentBorrowed {
            key,
            r#type,
            capabilities,
            models,
            task_types,
            status,
            status_set_by,
            poll_interval_ms,
            session,
            is_by_hand,
            silent_since,
        }: LockAgentBorrowed<'a>,
    ) -> Self {
        Self {
            key,
            r#type: r#type.into(),
            capabilities: capabilities.map(|v| v.into()).collect(),
            models: models.map(|v| v.into()).collect(),
            task_types: task_types.map(|v| v.into()).collect(),
            status: status.into(),
            status_set_by: status_set_by.map(|v| v.into()),
            poll_interval_ms,
            session,
            is_by_hand,
            silent_since,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct LockAgentStatus {
    pub status: String,
    pub slots: i32,
    pub capabilities: Vec<String>,
    pub silent_since: Option<jiff::Timestamp>,
}
pub struct LockAgentStatusBorrowed<'a> {
    pub status: &'a str,
    pub slots: i32,
    pub capabilities: crate::ArrayIterator<'a, &'a str>,
    pub silent_since: Option<jiff::Timestamp>,
}
impl<'a> From<LockAgentStatusBorrowed<'a>> for LockAgentStatus {
    fn from(
        LockAgentStatusBorrowed {
            status,
            slots,
            capabilities,
            silent_since,
        }: LockAgentStatusBorrowed<'a>,
    ) -> Self {
        Self {
            status: status.into(),
            slots,
            capabilities: capabilities.map(|v| v.into()).collect(),
            silent_since,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindAgents {
    pub agent: String,
    pub r#type: String,
    pub capabilities: Vec<String>,
    pub models: Vec<String>,
    pub task_types: Vec<String>,
    pub slots: i32,
    pub status: String,
    pub seen_at: jiff::Timestamp,
    pub silent_since: Option<jiff::Timestamp>,
    pub is_by_hand: bool,
}
pub struct FindAgentsBorrowed<'a> {
    pub agent: &'a str,
    pub r#type: &'a str,
    pub capabilities: crate::ArrayIterator<'a, &'a str>,
    pub models: crate::ArrayIterator<'a, &'a str>,
    pub task_types: crate::ArrayIterator<'a, &'a str>,
    pub slots: i32,
    pub status: &'a str,
    pub seen_at: jiff::Timestamp,
    pub silent_since: Option<jiff::Timestamp>,
    pub is_by_hand: bool,
}
impl<'a> From<FindAgentsBorrowed<'a>> for FindAgents {
    fn from(
        FindAgentsBorrowed {
            agent,
            r#type,
            capabilities,
            models,
            task_types,
            slots,
            status,
            seen_at,
            silent_since,
            is_by_hand,
        }: FindAgentsBorrowed<'a>,
    ) -> Self {
        Self {
            agent: agent.into(),
            r#type: r#type.into(),
            capabilities: capabilities.map(|v| v.into()).collect(),
            models: models.map(|v| v.into()).collect(),
            task_types: task_types.map(|v| v.into()).collect(),
            slots,
            status: status.into(),
            seen_at,
            silent_since,
            is_by_hand,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindLiveAgents {
    pub agent: String,
    pub r#type: String,
    pub capabilities: Vec<String>,
    pub models: Vec<String>,
    pub task_types: Vec<String>,
    pub is_by_hand: bool,
}
pub struct FindLiveAgentsBorrowed<'a> {
    pub agent: &'a str,
    pub r#type: &'a str,
    pub capabilities: crate::ArrayIterator<'a, &'a str>,
    pub models: crate::ArrayIterator<'a, &'a str>,
    pub task_types: crate::ArrayIterator<'a, &'a str>,
    pub is_by_hand: bool,
}
impl<'a> From<FindLiveAgentsBorrowed<'a>> for FindLiveAgents {
    fn from(
        FindLiveAgentsBorrowed {
            agent,
            r#type,
            capabilities,
            models,
            task_types,
            is_by_hand,
        }: FindLiveAgentsBorrowed<'a>,
    ) -> Self {
        Self {
            agent: agent.into(),
            r#type: r#type.into(),
            capabilities: capabilities.map(|v| v.into()).collect(),
            models: models.map(|v| v.into()).collect(),
            task_types: task_types.map(|v| v.into()).collect(),
            is_by_hand,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindRestlessAgents {
    pub ns: i64,
    pub agent: String,
}
pub struct FindRestlessAgentsBorrowed<'a> {
    pub ns: i64,
    pub agent: &'a str,
}
impl<'a> From<FindRestlessAgentsBorrowed<'a>> for FindRestlessAgents {
    fn from(FindRestlessAgentsBorrowed { ns, agent }: FindRestlessAgentsBorrowed<'a>) -> Self {
        Self {
            ns,
            agent: agent.into(),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct LockWatchedAgents {
    pub agent: String,
    pub seen_at: jiff::Timestamp,
    pub poll_interval_ms: i64,
    pub silent_since: Option<jiff::Timestamp>,
    pub is_by_hand: bool,
    pub status: String,
}
pub struct LockWatchedAgentsBorrowed<'a> {
    pub agent: &'a str,
    pub seen_at: jiff::Timestamp,
    pub poll_interval_ms: i64,
    pub silent_since: Option<jiff::Timestamp>,
    pub is_by_hand: bool,
    pub status: &'a str,
}
impl<'a> From<LockWatchedAgentsBorrowed<'a>> for LockWatchedAgents {
    fn from(
        LockWatchedAgentsBorrowed {
            agent,
            seen_at,
            poll_interval_ms,
            silent_since,
            is_by_hand,
            status,
        }: LockWatchedAgentsBorrowed<'a>,
    ) -> Self {
        Self {
            agent: agent.into(),
            seen_at,
            poll_interval_ms,
            silent_since,
            is_by_hand,
            status: status.into(),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindHoldingAgents {
    pub agent: String,
    pub leases: i64,
    pub is_holding: bool,
}
pub struct FindHoldingAgentsBorrowed<'a> {
    pub agent: &'a str,
    pub leases: i64,
    pub is_holding: bool,
}
impl<'a> From<FindHoldingAgentsBorrowed<'a>> for FindHoldingAgents {
    fn from(
        FindHoldingAgentsBorrowed {
            agent,
            leases,
            is_holding,
        }: FindHoldingAgentsBorrowed<'a>,
    ) -> Self {
        Self {
            agent: agent.into(),
            leases,
            is_holding,
        }
    }
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct LockAgentQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<LockAgentBorrowed, tokio_postgres::Error>,
    mapper: fn(LockAgentBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> LockAgentQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(LockAgentBorrowed) -> R) -> LockAgentQuery<'c, 'a, 's, C, R, N> {
        LockAgentQuery {
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
pub struct LockAgentStatusQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<LockAgentStatusBorrowed, tokio_postgres::Error>,
    mapper: fn(LockAgentStatusBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> LockAgentStatusQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(LockAgentStatusBorrowed) -> R,
    ) -> LockAgentStatusQuery<'c, 'a, 's, C, R, N> {
        LockAgentStatusQuery {
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
pub struct FindAgentsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindAgentsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindAgentsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindAgentsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindAgentsBorrowed) -> R,
    ) -> FindAgentsQuery<'c, 'a, 's, C, R, N> {
        FindAgentsQuery {
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
pub struct FindLiveAgentsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindLiveAgentsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindLiveAgentsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindLiveAgentsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindLiveAgentsBorrowed) -> R,
    ) -> FindLiveAgentsQuery<'c, 'a, 's, C, R, N> {
        FindLiveAgentsQuery {
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
pub struct FindRestlessAgentsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor:
        fn(&tokio_postgres::Row) -> Result<FindRestlessAgentsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindRestlessAgentsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindRestlessAgentsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindRestlessAgentsBorrowed) -> R,
    ) -> FindRestlessAgentsQuery<'c, 'a, 's, C, R, N> {
        FindRestlessAgentsQuery {
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
pub struct LockWatchedAgentsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<LockWatchedAgentsBorrowed, tokio_postgres::Error>,
    mapper: fn(LockWatchedAgentsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> LockWatchedAgentsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(LockWatchedAgentsBorrowed) -> R,
    ) -> LockWatchedAgentsQuery<'c, 'a, 's, C, R, N> {
        LockWatchedAgentsQuery {
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
pub struct FindHoldingAgentsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindHoldingAgentsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindHoldingAgentsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindHoldingAgentsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindHoldingAgentsBorrowed) -> R,
    ) -> FindHoldingAgentsQuery<'c, 'a, 's, C, R, N> {
        FindHoldingAgentsQuery {
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
pub struct LockAgentStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_agent() -> LockAgentStmt {
    LockAgentStmt(
        "select key, type, capabilities, models, task_types, status, status_set_by, poll_interval_ms, session, is_by_hand, silent_since from workmill.agent where ns = $1 and agent = $2 for update",
        None,
    )
}
impl LockAgentStmt {
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
        agent: &'a T1,
    ) -> LockAgentQuery<'c, 'a, 's, C, LockAgent, 2> {
        LockAgentQuery {
            client,
            params: [ns, agent],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<LockAgentBorrowed, tokio_postgres::Error> {
                    Ok(LockAgentBorrowed {
                        key: row.try_get(0)?,
                        r#type: row.try_get(1)?,
                        capabilities: row.try_get(2)?,
                        models: row.try_get(3)?,
                        task_types: row.try_get(4)?,
                        status: row.try_get(5)?,
                        status_set_by: row.try_get(6)?,
                        poll_interval_ms: row.try_get(7)?,
                        session: row.try_get(8)?,
                        is_by_hand: row.try_get(9)?,
                        silent_since: row.try_get(10)?,
                    })
                },
            mapper: |it| LockAgent::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::StringSql>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        LockAgentParams<T1>,
        LockAgentQuery<'c, 'a, 's, C, LockAgent, 2>,
        C,
    > for LockAgentStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a LockAgentParams<T1>,
    ) -> LockAgentQuery<'c, 'a, 's, C, LockAgent, 2> {
        self.bind(client, &params.ns, &params.agent)
    }
}
pub struct LockAgentStatusStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_agent_status() -> LockAgentStatusStmt {
    LockAgentStatusStmt(
        "select status, slots, capabilities, silent_since from workmill.agent where ns = $1 and agent = $2 for update",
        None,
    )
}
impl LockAgentStatusStmt {
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
        agent: &'a T1,
    ) -> LockAgentStatusQuery<'c, 'a, 's, C, LockAgentStatus, 2> {
        LockAgentStatusQuery {
            client,
            params: [ns, agent],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<LockAgentStatusBorrowed, tokio_postgres::Error> {
                Ok(LockAgentStatusBorrowed {
                    status: row.try_get(0)?,
                    slots: row.try_get(1)?,
                    capabilities: row.try_get(2)?,
                    silent_since: row.try_get(3)?,
                })
            },
            mapper: |it| LockAgentStatus::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::StringSql>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        LockAgentStatusParams<T1>,
        LockAgentStatusQuery<'c, 'a, 's, C, LockAgentStatus, 2>,
        C,
    > for LockAgentStatusStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a LockAgentStatusParams<T1>,
    ) -> LockAgentStatusQuery<'c, 'a, 's, C, LockAgentStatus, 2> {
        self.bind(client, &params.ns, &params.agent)
    }
}
pub struct InsertAgentStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_agent() -> InsertAgentStmt {
    InsertAgentStmt(
        "insert into workmill.agent ( ns, agent, type, capabilities, models, task_types, slots, status, poll_interval_ms, claim_ttl_ms, key, session, is_by_hand, created_at, registered_at, seen_at ) values ( $1, $2, $3, $4, $5, $6, $7, 'active', $8, $9, $10, $11, $12, $13, $13, $13 ) on conflict do nothing",
        None,
    )
}
impl InsertAgentStmt {
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
        T2: crate::StringSql,
        T3: crate::StringSql,
        T4: crate::ArraySql<Item = T3>,
        T5: crate::StringSql,
        T6: crate::ArraySql<Item = T5>,
        T7: crate::StringSql,
        T8: crate::ArraySql<Item = T7>,
    >(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        agent: &'a T1,
        type_: &'a T2,
        capabilities: &'a T4,
        models: &'a T6,
        task_types: &'a T8,
        slots: &'a i32,
        poll_interval_ms: &'a i64,
        claim_ttl_ms: &'a Option<i64>,
        key: &'a uuid::Uuid,
        session: &'a uuid::Uuid,
        is_by_hand: &'a bool,
        now: &'a jiff::Timestamp,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[
                    ns,
                    agent,
                    type_,
                    capabilities,
                    models,
                    task_types,
                    slots,
                    poll_interval_ms,
                    claim_ttl_ms,
                    key,
                    session,
                    is_by_hand,
                    now,
                ],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::StringSql,
    T2: crate::StringSql,
    T3: crate::StringSql,
    T4: crate::ArraySql<Item = T3>,
    T5: crate::StringSql,
    T6: crate::ArraySql<Item = T5>,
    T7: crate::StringSql,
    T8: crate::ArraySql<Item = T7>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertAgentParams<T1, T2, T3, T4, T5, T6, T7, T8>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertAgentStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertAgentParams<T1, T2, T3, T4, T5, T6, T7, T8>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.ns,
            &params.agent,
            &params.type_,
            &params.capabilities,
            &params.models,
            &params.task_types,
            &params.slots,
            &params.poll_interval_ms,
            &params.claim_ttl_ms,
            &params.key,
            &params.session,
            &params.is_by_hand,
            &params.now,
        ))
    }
}
pub struct UpdateAgentStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn update_agent() -> UpdateAgentStmt {
    UpdateAgentStmt(
        "update workmill.agent set type = $1, capabilities = $2, models = $3, task_types = $4, slots = $5, status = $6, poll_interval_ms = $7, claim_ttl_ms = $8, session = $9, is_by_hand = $10, silent_since = null, registered_at = $11, seen_at = $11 where ns = $12 and agent = $13",
        None,
    )
}
impl UpdateAgentStmt {
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
        T2: crate::StringSql,
        T3: crate::ArraySql<Item = T2>,
        T4: crate::StringSql,
        T5: crate::ArraySql<Item = T4>,
        T6: crate::StringSql,
        T7: crate::ArraySql<Item = T6>,
        T8: crate::StringSql,
        T9: crate::StringSql,
    >(
        &'s self,
        client: &'c C,
        type_: &'a T1,
        capabilities: &'a T3,
        models: &'a T5,
        task_types: &'a T7,
        slots: &'a i32,
        status: &'a T8,
        poll_interval_ms: &'a i64,
        claim_ttl_ms: &'a Option<i64>,
        session: &'a uuid::Uuid,
        is_by_hand: &'a bool,
        now: &'a jiff::Timestamp,
        ns: &'a i64,
        agent: &'a T9,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[
                    type_,
                    capabilities,
                    models,
                    task_types,
                    slots,
                    status,
                    poll_interval_ms,
                    claim_ttl_ms,
                    session,
                    is_by_hand,
                    now,
                    ns,
                    agent,
                ],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::StringSql,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = T2>,
    T4: crate::StringSql,
    T5: crate::ArraySql<Item = T4>,
    T6: crate::StringSql,
    T7: crate::ArraySql<Item = T6>,
    T8: crate::StringSql,
    T9: crate::StringSql,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        UpdateAgentParams<T1, T2, T3, T4, T5, T6, T7, T8, T9>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for UpdateAgentStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a UpdateAgentParams<T1, T2, T3, T4, T5, T6, T7, T8, T9>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.type_,
            &params.capabilities,
            &params.models,
            &params.task_types,
            &params.slots,
            &params.status,
            &params.poll_interval_ms,
            &params.claim_ttl_ms,
            &params.session,
            &params.is_by_hand,
            &params.now,
            &params.ns,
            &params.agent,
        ))
    }
}
pub struct ChangeAgentStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn change_agent() -> ChangeAgentStmt {
    ChangeAgentStmt(
        "update workmill.agent set status = coalesce($1::text, status), status_set_by = case when $1::text is null then status_set_by else $2::text end, slots = coalesce($3::integer, slots), capabilities = coalesce($4::text[], capabilities) where ns = $5 and agent = $6",
        None,
    )
}
impl ChangeAgentStmt {
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
        T2: crate::StringSql,
        T3: crate::StringSql,
        T4: crate::ArraySql<Item = T3>,
        T5: crate::StringSql,
    >(
        &'s self,
        client: &'c C,
        status: &'a Option<T1>,
        status_set_by: &'a Option<T2>,
        slots: &'a Option<i32>,
        capabilities: &'a Option<T4>,
        ns: &'a i64,
        agent: &'a T5,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[status, status_set_by, slots, capabilities, ns, agent],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::StringSql,
    T2: crate::StringSql,
    T3: crate::StringSql,
    T4: crate::ArraySql<Item = T3>,
    T5: crate::StringSql,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        ChangeAgentParams<T1, T2, T3, T4, T5>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for ChangeAgentStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a ChangeAgentParams<T1, T2, T3, T4, T5>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.status,
            &params.status_set_by,
            &params.slots,
            &params.capabilities,
            &params.ns,
            &params.agent,
        ))
    }
}
pub struct SeeAgentsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn see_agents() -> SeeAgentsStmt {
    SeeAgentsStmt(
        "update workmill.agent set seen_at = $1, silent_since = null where ns = $2 and agent = any($3::text[])",
        None,
    )
}
impl SeeAgentsStmt {
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
        now: &'a jiff::Timestamp,
        ns: &'a i64,
        agents: &'a T2,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[now, ns, agents])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::StringSql, T2: crate::ArraySql<Item = T1>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        SeeAgentsParams<T1, T2>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for SeeAgentsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a SeeAgentsParams<T1, T2>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.now, &params.ns, &params.agents))
    }
}
pub struct FindAgentsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_agents() -> FindAgentsStmt {
    FindAgentsStmt(
        "select agent, type, capabilities, models, task_types, slots, status, seen_at, silent_since, is_by_hand from workmill.agent where ns = $1 order by agent",
        None,
    )
}
impl FindAgentsStmt {
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
    ) -> FindAgentsQuery<'c, 'a, 's, C, FindAgents, 1> {
        FindAgentsQuery {
            client,
            params: [ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindAgentsBorrowed, tokio_postgres::Error> {
                    Ok(FindAgentsBorrowed {
                        agent: row.try_get(0)?,
                        r#type: row.try_get(1)?,
                        capabilities: row.try_get(2)?,
                        models: row.try_get(3)?,
                        task_types: row.try_get(4)?,
                        slots: row.try_get(5)?,
                        status: row.try_get(6)?,
                        seen_at: row.try_get(7)?,
                        silent_since: row.try_get(8)?,
                        is_by_hand: row.try_get(9)?,
                    })
                },
            mapper: |it| FindAgents::from(it),
        }
    }
}
pub struct FindLiveAgentsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_live_agents() -> FindLiveAgentsStmt {
    FindLiveAgentsStmt(
        "select agent, type, capabilities, models, task_types, is_by_hand from workmill.agent where ns = $1 and status = 'active' and silent_since is null",
        None,
    )
}
impl FindLiveAgentsStmt {
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
    ) -> FindLiveAgentsQuery<'c, 'a, 's, C, FindLiveAgents, 1> {
        FindLiveAgentsQuery {
            client,
            params: [ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindLiveAgentsBorrowed, tokio_postgres::Error> {
                Ok(FindLiveAgentsBorrowed {
                    agent: row.try_get(0)?,
                    r#type: row.try_get(1)?,
                    capabilities: row.try_get(2)?,
                    models: row.try_get(3)?,
                    task_types: row.try_get(4)?,
                    is_by_hand: row.try_get(5)?,
                })
            },
            mapper: |it| FindLiveAgents::from(it),
        }
    }
}
pub struct CountLeasesOfAgentStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn count_leases_of_agent() -> CountLeasesOfAgentStmt {
    CountLeasesOfAgentStmt(
        "select count(*) from workmill.lease where ns = $1 and agent = $2",
        None,
    )
}
impl CountLeasesOfAgentStmt {
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
        agent: &'a T1,
    ) -> I64Query<'c, 'a, 's, C, i64, 2> {
        I64Query {
            client,
            params: [ns, agent],
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
        CountLeasesOfAgentParams<T1>,
        I64Query<'c, 'a, 's, C, i64, 2>,
        C,
    > for CountLeasesOfAgentStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a CountLeasesOfAgentParams<T1>,
    ) -> I64Query<'c, 'a, 's, C, i64, 2> {
        self.bind(client, &params.ns, &params.agent)
    }
}
pub struct DeleteAgentsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_agents() -> DeleteAgentsStmt {
    DeleteAgentsStmt(
        "delete from workmill.agent where ns = $1 and agent = any($2::text[])",
        None,
    )
}
impl DeleteAgentsStmt {
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
        agents: &'a T2,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, agents])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::StringSql, T2: crate::ArraySql<Item = T1>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteAgentsParams<T1, T2>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteAgentsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteAgentsParams<T1, T2>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.agents))
    }
}
pub struct DeleteAgentRecordsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_agent_records() -> DeleteAgentRecordsStmt {
    DeleteAgentRecordsStmt(
        "delete from workmill.agent_record where ns = $1 and agent = any($2::text[])",
        None,
    )
}
impl DeleteAgentRecordsStmt {
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
        agents: &'a T2,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, agents])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::StringSql, T2: crate::ArraySql<Item = T1>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteAgentRecordsParams<T1, T2>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteAgentRecordsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteAgentRecordsParams<T1, T2>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.agents))
    }
}
pub struct FindRestlessAgentsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_restless_agents() -> FindRestlessAgentsStmt {
    FindRestlessAgentsStmt(
        "select a.ns, a.agent from workmill.agent a cross join lateral ( select count(*) > 0 as is_holding from ( select l.task from workmill.lease l where l.ns = a.ns and l.agent = a.agent and l.renewed_at + l.ttl_ms * interval '1 millisecond' > $1 limit 1 ) as t ) as h where case when a.silent_since is not null then h.is_holding or a.is_by_hand and a.silent_since <= $2 else not h.is_holding and a.seen_at + greatest(a.poll_interval_ms, $3::bigint) * $4::bigint * interval '1 millisecond' <= $5 end order by a.ns, a.agent limit $6",
        None,
    )
}
impl FindRestlessAgentsStmt {
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
        now: &'a jiff::Timestamp,
        removed_since: &'a jiff::Timestamp,
        least_interval_ms: &'a i64,
        intervals: &'a i64,
        written_until: &'a jiff::Timestamp,
        most: &'a i64,
    ) -> FindRestlessAgentsQuery<'c, 'a, 's, C, FindRestlessAgents, 6> {
        FindRestlessAgentsQuery {
            client,
            params: [
                now,
                removed_since,
                least_interval_ms,
                intervals,
                written_until,
                most,
            ],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindRestlessAgentsBorrowed, tokio_postgres::Error> {
                Ok(FindRestlessAgentsBorrowed {
                    ns: row.try_get(0)?,
                    agent: row.try_get(1)?,
                })
            },
            mapper: |it| FindRestlessAgents::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindRestlessAgentsParams,
        FindRestlessAgentsQuery<'c, 'a, 's, C, FindRestlessAgents, 6>,
        C,
    > for FindRestlessAgentsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindRestlessAgentsParams,
    ) -> FindRestlessAgentsQuery<'c, 'a, 's, C, FindRestlessAgents, 6> {
        self.bind(
            client,
            &params.now,
            &params.removed_since,
            &params.least_interval_ms,
            &params.intervals,
            &params.written_until,
            &params.most,
        )
    }
}
pub struct LockWatchedAgentsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_watched_agents() -> LockWatchedAgentsStmt {
    LockWatchedAgentsStmt(
        "select g.agent, g.seen_at, g.poll_interval_ms, g.silent_since, g.is_by_hand, g.status from unnest($1::text[]) as u (agent) cross join lateral ( select a.agent, a.seen_at, a.poll_interval_ms, a.silent_since, a.is_by_hand, a.status from workmill.agent a where a.ns = $2 and a.agent = u.agent for update ) as g",
        None,
    )
}
impl LockWatchedAgentsStmt {
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
    ) -> LockWatchedAgentsQuery<'c, 'a, 's, C, LockWatchedAgents, 2> {
        LockWatchedAgentsQuery {
            client,
            params: [agents, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<LockWatchedAgentsBorrowed, tokio_postgres::Error> {
                Ok(LockWatchedAgentsBorrowed {
                    agent: row.try_get(0)?,
                    seen_at: row.try_get(1)?,
                    poll_interval_ms: row.try_get(2)?,
                    silent_since: row.try_get(3)?,
                    is_by_hand: row.try_get(4)?,
                    status: row.try_get(5)?,
                })
            },
            mapper: |it| LockWatchedAgents::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::StringSql, T2: crate::ArraySql<Item = T1>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        LockWatchedAgentsParams<T1, T2>,
        LockWatchedAgentsQuery<'c, 'a, 's, C, LockWatchedAgents, 2>,
        C,
    > for LockWatchedAgentsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a LockWatchedAgentsParams<T1, T2>,
    ) -> LockWatchedAgentsQuery<'c, 'a, 's, C, LockWatchedAgents, 2> {
        self.bind(client, &params.agents, &params.ns)
    }
}
pub struct FindHoldingAgentsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_holding_agents() -> FindHoldingAgentsStmt {
    FindHoldingAgentsStmt(
        "select u.agent, h.leases, h.is_holding from unnest($1::text[]) as u (agent) cross join lateral ( select count(*) as leases, coalesce(bool_or(l.renewed_at + l.ttl_ms * interval '1 millisecond' > $2), false) as is_holding from workmill.lease l where l.ns = $3 and l.agent = u.agent ) as h",
        None,
    )
}
impl FindHoldingAgentsStmt {
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
        now: &'a jiff::Timestamp,
        ns: &'a i64,
    ) -> FindHoldingAgentsQuery<'c, 'a, 's, C, FindHoldingAgents, 3> {
        FindHoldingAgentsQuery {
            client,
            params: [agents, now, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindHoldingAgentsBorrowed, tokio_postgres::Error> {
                Ok(FindHoldingAgentsBorrowed {
                    agent: row.try_get(0)?,
                    leases: row.try_get(1)?,
                    is_holding: row.try_get(2)?,
                })
            },
            mapper: |it| FindHoldingAgents::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::StringSql, T2: crate::ArraySql<Item = T1>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindHoldingAgentsParams<T1, T2>,
        FindHoldingAgentsQuery<'c, 'a, 's, C, FindHoldingAgents, 3>,
        C,
    > for FindHoldingAgentsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindHoldingAgentsParams<T1, T2>,
    ) -> FindHoldingAgentsQuery<'c, 'a, 's, C, FindHoldingAgents, 3> {
        self.bind(client, &params.agents, &params.now, &params.ns)
    }
}
pub struct SilenceAgentsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn silence_agents() -> SilenceAgentsStmt {
    SilenceAgentsStmt(
        "update workmill.agent set silent_since = $1 where ns = $2 and agent = any($3::text[])",
        None,
    )
}
impl SilenceAgentsStmt {
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
        now: &'a jiff::Timestamp,
        ns: &'a i64,
        agents: &'a T2,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[now, ns, agents])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::StringSql, T2: crate::ArraySql<Item = T1>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        SilenceAgentsParams<T1, T2>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for SilenceAgentsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a SilenceAgentsParams<T1, T2>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.now, &params.ns, &params.agents))
    }
}
pub struct NoteAgentsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn note_agents() -> NoteAgentsStmt {
    NoteAgentsStmt(
        "update workmill.agent a set seen_at = u.at, silent_since = null from unnest($1::text[], $2::timestamptz[]) as u (agent, at) where a.ns = $3 and a.agent = u.agent and a.seen_at < u.at",
        None,
    )
}
impl NoteAgentsStmt {
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
        T3: crate::ArraySql<Item = jiff::Timestamp>,
    >(
        &'s self,
        client: &'c C,
        agents: &'a T2,
        ats: &'a T3,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[agents, ats, ns])
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::ArraySql<Item = jiff::Timestamp>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        NoteAgentsParams<T1, T2, T3>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for NoteAgentsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a NoteAgentsParams<T1, T2, T3>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.agents, &params.ats, &params.ns))
    }
}
