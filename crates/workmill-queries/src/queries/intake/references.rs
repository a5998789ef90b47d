// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct FindSubmittersParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub tasks: T1,
    pub ns: i64,
}
#[derive(Debug)]
pub struct FindHandedParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub tasks: T1,
    pub ns: i64,
    pub held: uuid::Uuid,
    pub key: uuid::Uuid,
}
#[derive(Debug)]
pub struct FindStatesParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub tasks: T1,
    pub ns: i64,
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindSubmitters {
    pub task: uuid::Uuid,
    pub created_by_key: Option<uuid::Uuid>,
    pub created_by: String,
}
pub struct FindSubmittersBorrowed<'a> {
    pub task: uuid::Uuid,
    pub created_by_key: Option<uuid::Uuid>,
    pub created_by: &'a str,
}
impl<'a> From<FindSubmittersBorrowed<'a>> for FindSubmitters {
    fn from(
        FindSubmittersBorrowed {
            task,
            created_by_key,
            created_by,
        }: FindSubmittersBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            created_by_key,
            created_by: created_by.into(),
        }
    }
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindStates {
    pub task: uuid::Uuid,
    pub state: i16,
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct FindSubmittersQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindSubmittersBorrowed, tokio_postgres::Error>,
    mapper: fn(FindSubmittersBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindSubmittersQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindSubmittersBorrowed) -> R,
    ) -> FindSubmittersQuery<'c, 'a, 's, C, R, N> {
        FindSubmittersQuery {
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
pub struct FindStatesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindStates, tokio_postgres::Error>,
    mapper: fn(FindStates) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindStatesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(FindStates) -> R) -> FindStatesQuery<'c, 'a, 's, C, R, N> {
        FindStatesQuery {
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
pub struct FindSubmittersStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_submitters() -> FindSubmittersStmt {
    FindSubmittersStmt(
        "select u.task, p.created_by_key, p.created_by from unnest($1::uuid[]) as u (task) cross join lateral ( select c.created_by_key, c.created_by from workmill.spec c where c.ns = $2 and c.task = u.task and c.version = 1 limit 1 ) as p",
        None,
    )
}
impl FindSubmittersStmt {
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
    ) -> FindSubmittersQuery<'c, 'a, 's, C, FindSubmitters, 2> {
        FindSubmittersQuery {
            client,
            params: [tasks, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindSubmittersBorrowed, tokio_postgres::Error> {
                Ok(FindSubmittersBorrowed {
                    task: row.try_get(0)?,
                    created_by_key: row.try_get(1)?,
                    created_by: row.try_get(2)?,
                })
            },
            mapper: |it| FindSubmitters::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindSubmittersParams<T1>,
        FindSubmittersQuery<'c, 'a, 's, C, FindSubmitters, 2>,
        C,
    > for FindSubmittersStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindSubmittersParams<T1>,
    ) -> FindSubmittersQuery<'c, 'a, 's, C, FindSubmitters, 2> {
        self.bind(client, &params.tasks, &params.ns)
    }
}
pub struct FindHandedStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_handed() -> FindHandedStmt {
    FindHandedStmt(
        "select u.task from unnest($1::uuid[]) as u (task) where exists ( select from workmill.edge e where e.ns = $2 and e.task = $3 and e.depends_on = u.task ) or exists ( select from workmill.attempt t cross join lateral ( select a.key, a.created_at from workmill.agent a where a.ns = $2 and a.agent = t.agent limit 1 ) as g where t.ns = $2 and t.task = u.task and t.outcome = 'completed' and g.key = $4 and (g.created_at is null or t.ended_at >= g.created_at) ) or exists ( with recursive above as ( select c.parent, 1 as steps from workmill.spec c where c.ns = $2 and c.task = u.task and c.version = 1 union all select p.parent, b.steps + 1 from above b cross join lateral ( select c.parent from workmill.spec c where c.ns = $2 and c.task = b.parent and c.version = 1 limit 1 ) as p where b.steps < 1000 and b.parent <> $3 ) select from above b where b.parent = $3 )",
        None,
    )
}
impl FindHandedStmt {
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
        held: &'a uuid::Uuid,
        key: &'a uuid::Uuid,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 4> {
        UuidUuidQuery {
            client,
            params: [tasks, ns, held, key],
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
        FindHandedParams<T1>,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 4>,
        C,
    > for FindHandedStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindHandedParams<T1>,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 4> {
        self.bind(client, &params.tasks, &params.ns, &params.held, &params.key)
    }
}
pub struct FindStatesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_states() -> FindStatesStmt {
    FindStatesStmt(
        "select u.task, s.state from unnest($1::uuid[]) as u (task) cross join lateral ( select t.state from workmill.state t where t.ns = $2 and t.task = u.task limit 1 ) as s",
        None,
    )
}
impl FindStatesStmt {
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
    ) -> FindStatesQuery<'c, 'a, 's, C, FindStates, 2> {
        FindStatesQuery {
            client,
            params: [tasks, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row: &tokio_postgres::Row| -> Result<FindStates, tokio_postgres::Error> {
                Ok(FindStates {
                    task: row.try_get(0)?,
                    state: row.try_get(1)?,
                })
            },
            mapper: |it| FindStates::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindStatesParams<T1>,
        FindStatesQuery<'c, 'a, 's, C, FindStates, 2>,
        C,
    > for FindStatesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindStatesParams<T1>,
    ) -> FindStatesQuery<'c, 'a, 's, C, FindStates, 2> {
        self.bind(client, &params.tasks, &params.ns)
    }
}
