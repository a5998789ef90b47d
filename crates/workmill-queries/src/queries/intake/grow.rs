// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct FindDependenciesParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct FindEdgesAboveParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Clone, Copy, Debug)]
pub struct DeleteEdgeParams {
    pub ns: i64,
    pub task: uuid::Uuid,
    pub depends_on: uuid::Uuid,
}
#[derive(Debug)]
pub struct FindMembersParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub graph: uuid::Uuid,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct FindChainsBelowParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct FindTasksWithUrgentChainsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub tasks: T1,
    pub ns: i64,
}
#[derive(Debug)]
pub struct CountSpawnedParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub tasks: T1,
    pub ns: i64,
    pub parent: uuid::Uuid,
    pub key: uuid::Uuid,
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindDependencies {
    pub task: uuid::Uuid,
    pub depends_on: uuid::Uuid,
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindEdgesAbove {
    pub task: uuid::Uuid,
    pub depends_on: uuid::Uuid,
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindChainsBelow {
    pub depends_on: uuid::Uuid,
    pub task: uuid::Uuid,
    pub critical_path: i16,
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindTasksWithUrgentChains {
    pub task: uuid::Uuid,
    pub most: Option<i16>,
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct FindDependenciesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindDependencies, tokio_postgres::Error>,
    mapper: fn(FindDependencies) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindDependenciesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindDependencies) -> R,
    ) -> FindDependenciesQuery<'c, 'a, 's, C, R, N> {
        FindDependenciesQuery {
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
pub struct FindEdgesAboveQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindEdgesAbove, tokio_postgres::Error>,
    mapper: fn(FindEdgesAbove) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindEdgesAboveQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindEdgesAbove) -> R,
    ) -> FindEdgesAboveQuery<'c, 'a, 's, C, R, N> {
        FindEdgesAboveQuery {
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
pub struct FindChainsBelowQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindChainsBelow, tokio_postgres::Error>,
    mapper: fn(FindChainsBelow) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindChainsBelowQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindChainsBelow) -> R,
    ) -> FindChainsBelowQuery<'c, 'a, 's, C, R, N> {
        FindChainsBelowQuery {
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
pub struct FindTasksWithUrgentChainsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindTasksWithUrgentChains, tokio_postgres::Error>,
    mapper: fn(FindTasksWithUrgentChains) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindTasksWithUrgentChainsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindTasksWithUrgentChains) -> R,
    ) -> FindTasksWithUrgentChainsQuery<'c, 'a, 's, C, R, N> {
        FindTasksWithUrgentChainsQuery {
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
pub struct FindDependenciesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_dependencies() -> FindDependenciesStmt {
    FindDependenciesStmt(
        "select task, depends_on from workmill.edge where ns = $1 and task = any($2::uuid[]) order by task, depends_on",
        None,
    )
}
impl FindDependenciesStmt {
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
    ) -> FindDependenciesQuery<'c, 'a, 's, C, FindDependencies, 2> {
        FindDependenciesQuery {
            client,
            params: [ns, tasks],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindDependencies, tokio_postgres::Error> {
                    Ok(FindDependencies {
                        task: row.try_get(0)?,
                        depends_on: row.try_get(1)?,
                    })
                },
            mapper: |it| FindDependencies::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindDependenciesParams<T1>,
        FindDependenciesQuery<'c, 'a, 's, C, FindDependencies, 2>,
        C,
    > for FindDependenciesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindDependenciesParams<T1>,
    ) -> FindDependenciesQuery<'c, 'a, 's, C, FindDependencies, 2> {
        self.bind(client, &params.ns, &params.tasks)
    }
}
pub struct FindEdgesAboveStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_edges_above() -> FindEdgesAboveStmt {
    FindEdgesAboveStmt(
        "with recursive above as ( select e.task, e.depends_on from workmill.edge e where e.ns = $1 and e.task = any($2::uuid[]) union select e.task, e.depends_on from above a cross join lateral ( select t.task, t.depends_on from workmill.edge t where t.ns = $1 and t.task = a.depends_on offset 0 ) as e ) select task, depends_on from above",
        None,
    )
}
impl FindEdgesAboveStmt {
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
    ) -> FindEdgesAboveQuery<'c, 'a, 's, C, FindEdgesAbove, 2> {
        FindEdgesAboveQuery {
            client,
            params: [ns, tasks],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindEdgesAbove, tokio_postgres::Error> {
                    Ok(FindEdgesAbove {
                        task: row.try_get(0)?,
                        depends_on: row.try_get(1)?,
                    })
                },
            mapper: |it| FindEdgesAbove::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindEdgesAboveParams<T1>,
        FindEdgesAboveQuery<'c, 'a, 's, C, FindEdgesAbove, 2>,
        C,
    > for FindEdgesAboveStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindEdgesAboveParams<T1>,
    ) -> FindEdgesAboveQuery<'c, 'a, 's, C, FindEdgesAbove, 2> {
        self.bind(client, &params.ns, &params.tasks)
    }
}
pub struct DeleteEdgeStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_edge() -> DeleteEdgeStmt {
    DeleteEdgeStmt(
        "delete from workmill.edge where ns = $1 and task = $2 and depends_on = $3",
        None,
    )
}
impl DeleteEdgeStmt {
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
        depends_on: &'a uuid::Uuid,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, task, depends_on])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteEdgeParams,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteEdgeStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteEdgeParams,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.task, &params.depends_on))
    }
}
pub struct FindMembersStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_members() -> FindMembersStmt {
    FindMembersStmt(
        "select task from workmill.state where ns = $1 and graph = $2 and task = any($3::uuid[])",
        None,
    )
}
impl FindMembersStmt {
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
        graph: &'a uuid::Uuid,
        tasks: &'a T1,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        UuidUuidQuery {
            client,
            params: [ns, graph, tasks],
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
        FindMembersParams<T1>,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3>,
        C,
    > for FindMembersStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindMembersParams<T1>,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        self.bind(client, &params.ns, &params.graph, &params.tasks)
    }
}
pub struct FindChainsBelowStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_chains_below() -> FindChainsBelowStmt {
    FindChainsBelowStmt(
        "select e.depends_on, e.task, s.critical_path from workmill.edge e cross join lateral ( select t.critical_path from workmill.state t where t.ns = $1 and t.task = e.task limit 1 ) as s where e.ns = $1 and e.depends_on = any($2::uuid[])",
        None,
    )
}
impl FindChainsBelowStmt {
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
    ) -> FindChainsBelowQuery<'c, 'a, 's, C, FindChainsBelow, 2> {
        FindChainsBelowQuery {
            client,
            params: [ns, tasks],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindChainsBelow, tokio_postgres::Error> {
                    Ok(FindChainsBelow {
                        depends_on: row.try_get(0)?,
                        task: row.try_get(1)?,
                        critical_path: row.try_get(2)?,
                    })
                },
            mapper: |it| FindChainsBelow::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindChainsBelowParams<T1>,
        FindChainsBelowQuery<'c, 'a, 's, C, FindChainsBelow, 2>,
        C,
    > for FindChainsBelowStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindChainsBelowParams<T1>,
    ) -> FindChainsBelowQuery<'c, 'a, 's, C, FindChainsBelow, 2> {
        self.bind(client, &params.ns, &params.tasks)
    }
}
pub struct FindTasksWithUrgentChainsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_tasks_with_urgent_chains() -> FindTasksWithUrgentChainsStmt {
    FindTasksWithUrgentChainsStmt(
        "select u.task, (p.policy ->> 'most_critical_path')::smallint as most from unnest($1::uuid[]) as u (task) cross join lateral ( select t.spec_version from workmill.state t where t.ns = $2 and t.task = u.task limit 1 ) as s cross join lateral ( select t.policy from workmill.spec t where t.ns = $2 and t.task = u.task and t.version = s.spec_version limit 1 ) as p where (p.policy ->> 'critical_path')::boolean",
        None,
    )
}
impl FindTasksWithUrgentChainsStmt {
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
    ) -> FindTasksWithUrgentChainsQuery<'c, 'a, 's, C, FindTasksWithUrgentChains, 2> {
        FindTasksWithUrgentChainsQuery {
            client,
            params: [tasks, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindTasksWithUrgentChains, tokio_postgres::Error> {
                Ok(FindTasksWithUrgentChains {
                    task: row.try_get(0)?,
                    most: row.try_get(1)?,
                })
            },
            mapper: |it| FindTasksWithUrgentChains::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindTasksWithUrgentChainsParams<T1>,
        FindTasksWithUrgentChainsQuery<'c, 'a, 's, C, FindTasksWithUrgentChains, 2>,
        C,
    > for FindTasksWithUrgentChainsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindTasksWithUrgentChainsParams<T1>,
    ) -> FindTasksWithUrgentChainsQuery<'c, 'a, 's, C, FindTasksWithUrgentChains, 2> {
        self.bind(client, &params.tasks, &params.ns)
    }
}
pub struct CountSpawnedStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn count_spawned() -> CountSpawnedStmt {
    CountSpawnedStmt(
        "select count(*) from unnest($1::uuid[]) as u (task) cross join lateral ( select c.parent, c.created_by_key from workmill.spec c where c.ns = $2 and c.task = u.task and c.version = 1 limit 1 ) as p where p.parent = $3 and p.created_by_key = $4",
        None,
    )
}
impl CountSpawnedStmt {
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
        parent: &'a uuid::Uuid,
        key: &'a uuid::Uuid,
    ) -> I64Query<'c, 'a, 's, C, i64, 4> {
        I64Query {
            client,
            params: [tasks, ns, parent, key],
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
        CountSpawnedParams<T1>,
        I64Query<'c, 'a, 's, C, i64, 4>,
        C,
    > for CountSpawnedStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a CountSpawnedParams<T1>,
    ) -> I64Query<'c, 'a, 's, C, i64, 4> {
        self.bind(
            client,
            &params.tasks,
            &params.ns,
            &params.parent,
            &params.key,
        )
    }
}
