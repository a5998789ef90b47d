// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct FindAgentsParams<T1: crate::StringSql> {
    pub ns: i64,
    pub from_: T1,
    pub most: i64,
}
#[derive(Debug)]
pub struct FindTasksOfAgentParams<T1: crate::StringSql> {
    pub ns: i64,
    pub agent: T1,
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
    pub status_set_by: Option<String>,
    pub poll_interval_ms: i64,
    pub claim_ttl_ms: Option<i64>,
    pub is_by_hand: bool,
    pub silent_since: Option<jiff::Timestamp>,
    pub registered_at: jiff::Timestamp,
    pub seen_at: jiff::Timestamp,
    pub leases: i32,
    pub renewed_at: Option<jiff::Timestamp>,
    pub budget_left: Option<i64>,
}
pub struct FindAgentsBorrowed<'a> {
    pub agent: &'a str,
    pub r#type: &'a str,
    pub capabilities: crate::ArrayIterator<'a, &'a str>,
    pub models: crate::ArrayIterator<'a, &'a str>,
    pub task_types: crate::ArrayIterator<'a, &'a str>,
    pub slots: i32,
    pub status: &'a str,
    pub status_set_by: Option<&'a str>,
    pub poll_interval_ms: i64,
    pub claim_ttl_ms: Option<i64>,
    pub is_by_hand: bool,
    pub silent_since: Option<jiff::Timestamp>,
    pub registered_at: jiff::Timestamp,
    pub seen_at: jiff::Timestamp,
    pub leases: i32,
    pub renewed_at: Option<jiff::Timestamp>,
    pub budget_left: Option<i64>,
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
            status_set_by,
            poll_interval_ms,
            claim_ttl_ms,
            is_by_hand,
            silent_since,
            registered_at,
            seen_at,
            leases,
            renewed_at,
            budget_left,
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
            status_set_by: status_set_by.map(|v| v.into()),
            poll_interval_ms,
            claim_ttl_ms,
            is_by_hand,
            silent_since,
            registered_at,
            seen_at,
            leases,
            renewed_at,
            budget_left,
        }
    }
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
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
pub struct FindAgentsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_agents() -> FindAgentsStmt {
    FindAgentsStmt(
        "select a.agent, a.type, a.capabilities, a.models, a.task_types, a.slots, a.status, a.status_set_by, a.poll_interval_ms, a.claim_ttl_ms, a.is_by_hand, a.silent_since, a.registered_at, a.seen_at, l.leases, l.renewed_at, g.budget_left from workmill.agent a cross join lateral ( select count(*)::integer as leases, max(t.renewed_at) as renewed_at from workmill.lease t where t.ns = $1 and t.agent = a.agent ) as l left join lateral ( select t.cap - t.used as budget_left from workmill.gate t where t.ns = $1 and t.gate = concat('budget', chr(58), 'agent', chr(58), a.agent) and not t.is_removed limit 1 ) as g on true where a.ns = $1 and a.agent >= $2 order by a.agent limit $3",
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
    pub fn bind<'c, 'a, 's, C: GenericClient, T1: crate::StringSql>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        from_: &'a T1,
        most: &'a i64,
    ) -> FindAgentsQuery<'c, 'a, 's, C, FindAgents, 3> {
        FindAgentsQuery {
            client,
            params: [ns, from_, most],
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
                        status_set_by: row.try_get(7)?,
                        poll_interval_ms: row.try_get(8)?,
                        claim_ttl_ms: row.try_get(9)?,
                        is_by_hand: row.try_get(10)?,
                        silent_since: row.try_get(11)?,
                        registered_at: row.try_get(12)?,
                        seen_at: row.try_get(13)?,
                        leases: row.try_get(14)?,
                        renewed_at: row.try_get(15)?,
                        budget_left: row.try_get(16)?,
                    })
                },
            mapper: |it| FindAgents::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::StringSql>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindAgentsParams<T1>,
        FindAgentsQuery<'c, 'a, 's, C, FindAgents, 3>,
        C,
    > for FindAgentsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindAgentsParams<T1>,
    ) -> FindAgentsQuery<'c, 'a, 's, C, FindAgents, 3> {
        self.bind(client, &params.ns, &params.from_, &params.most)
    }
}
pub struct FindTasksOfAgentStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_tasks_of_agent() -> FindTasksOfAgentStmt {
    FindTasksOfAgentStmt(
        "select task from workmill.lease where ns = $1 and agent = $2 order by task",
        None,
    )
}
impl FindTasksOfAgentStmt {
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
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 2> {
        UuidUuidQuery {
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
        FindTasksOfAgentParams<T1>,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 2>,
        C,
    > for FindTasksOfAgentStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindTasksOfAgentParams<T1>,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 2> {
        self.bind(client, &params.ns, &params.agent)
    }
}
