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
> {
    pub ns: i64,
    pub agent: T1,
    pub type_: T2,
    pub capabilities: T4,
    pub models: T6,
    pub slots: i32,
    pub poll_interval_ms: i64,
    pub claim_ttl_ms: Option<i64>,
    pub key: uuid::Uuid,
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
    T7: crate::StringSql,
> {
    pub type_: T1,
    pub capabilities: T3,
    pub models: T5,
    pub slots: i32,
    pub status: T6,
    pub poll_interval_ms: i64,
    pub claim_ttl_ms: Option<i64>,
    pub now: jiff::Timestamp,
    pub ns: i64,
    pub agent: T7,
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
#[derive(Debug, Clone, PartialEq)]
pub struct LockAgent {
    pub key: uuid::Uuid,
    pub status: String,
    pub status_set_by: Option<String>,
    pub poll_interval_ms: i64,
}
pub struct LockAgentBorrowed<'a> {
    pub key: uuid::Uuid,
    pub status: &'a str,
    pub status_set_by: Option<&'a str>,
    pub poll_interval_ms: i64,
}
impl<'a> From<LockAgentBorrowed<'a>> for LockAgent {
    fn from(
        LockAgentBorrowed {
            key,
            status,
            status_set_by,
            poll_interval_ms,
        }: LockAgentBorrowed<'a>,
    ) -> Self {
        Self {
            key,
            status: status.into(),
            status_set_by: status_set_by.map(|v| v.into()),
            poll_interval_ms,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct LockAgentStatus {
    pub status: String,
    pub slots: i32,
    pub capabilities: Vec<String>,
}
pub struct LockAgentStatusBorrowed<'a> {
    pub status: &'a str,
    pub slots: i32,
    pub capabilities: crate::ArrayIterator<'a, &'a str>,
}
impl<'a> From<LockAgentStatusBorrowed<'a>> for LockAgentStatus {
    fn from(
        LockAgentStatusBorrowed {
            status,
            slots,
            capabilities,
        }: LockAgentStatusBorrowed<'a>,
    ) -> Self {
        Self {
            status: status.into(),
            slots,
            capabilities: capabilities.map(|v| v.into()).collect(),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindAgents {
    pub agent: String,
    pub r#type: String,
    pub capabilities: Vec<String>,
    pub models: Vec<String>,
    pub slots: i32,
    pub status: String,
}
pub struct FindAgentsBorrowed<'a> {
    pub agent: &'a str,
    pub r#type: &'a str,
    pub capabilities: crate::ArrayIterator<'a, &'a str>,
    pub models: crate::ArrayIterator<'a, &'a str>,
    pub slots: i32,
    pub status: &'a str,
}
impl<'a> From<FindAgentsBorrowed<'a>> for FindAgents {
    fn from(
        FindAgentsBorrowed {
            agent,
            r#type,
            capabilities,
            models,
            slots,
            status,
        }: FindAgentsBorrowed<'a>,
    ) -> Self {
        Self {
            agent: agent.into(),
            r#type: r#type.into(),
            capabilities: capabilities.map(|v| v.into()).collect(),
            models: models.map(|v| v.into()).collect(),
            slots,
            status: status.into(),
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
pub struct LockAgentStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_agent() -> LockAgentStmt {
    LockAgentStmt(
        "select key, status, status_set_by, poll_interval_ms from workmill.agent where ns = $1 and agent = $2 for update",
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
                        status: row.try_get(1)?,
                        status_set_by: row.try_get(2)?,
                        poll_interval_ms: row.try_get(3)?,
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
        "select status, slots, capabilities from workmill.agent where ns = $1 and agent = $2 for update",
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
        "insert into workmill.agent ( ns, agent, type, capabilities, models, slots, status, poll_interval_ms, claim_ttl_ms, key, registered_at, seen_at ) values ( $1, $2, $3, $4, $5, $6, 'active', $7, $8, $9, $10, $10 ) on conflict do nothing",
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
    >(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        agent: &'a T1,
        type_: &'a T2,
        capabilities: &'a T4,
        models: &'a T6,
        slots: &'a i32,
        poll_interval_ms: &'a i64,
        claim_ttl_ms: &'a Option<i64>,
        key: &'a uuid::Uuid,
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
                    slots,
                    poll_interval_ms,
                    claim_ttl_ms,
                    key,
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
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertAgentParams<T1, T2, T3, T4, T5, T6>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertAgentStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertAgentParams<T1, T2, T3, T4, T5, T6>,
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
            &params.slots,
            &params.poll_interval_ms,
            &params.claim_ttl_ms,
            &params.key,
            &params.now,
        ))
    }
}
pub struct UpdateAgentStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn update_agent() -> UpdateAgentStmt {
    UpdateAgentStmt(
        "update workmill.agent set type = $1, capabilities = $2, models = $3, slots = $4, status = $5, poll_interval_ms = $6, claim_ttl_ms = $7, registered_at = $8, seen_at = $8 where ns = $9 and agent = $10",
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
        T7: crate::StringSql,
    >(
        &'s self,
        client: &'c C,
        type_: &'a T1,
        capabilities: &'a T3,
        models: &'a T5,
        slots: &'a i32,
        status: &'a T6,
        poll_interval_ms: &'a i64,
        claim_ttl_ms: &'a Option<i64>,
        now: &'a jiff::Timestamp,
        ns: &'a i64,
        agent: &'a T7,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[
                    type_,
                    capabilities,
                    models,
                    slots,
                    status,
                    poll_interval_ms,
                    claim_ttl_ms,
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
    T7: crate::StringSql,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        UpdateAgentParams<T1, T2, T3, T4, T5, T6, T7>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for UpdateAgentStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a UpdateAgentParams<T1, T2, T3, T4, T5, T6, T7>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.type_,
            &params.capabilities,
            &params.models,
            &params.slots,
            &params.status,
            &params.poll_interval_ms,
            &params.claim_ttl_ms,
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
        "update workmill.agent set seen_at = $1 where ns = $2 and agent = any($3::text[])",
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
        "select agent, type, capabilities, models, slots, status from workmill.agent where ns = $1 order by agent",
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
                        slots: row.try_get(4)?,
                        status: row.try_get(5)?,
                    })
                },
            mapper: |it| FindAgents::from(it),
        }
    }
}
