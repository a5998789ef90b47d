// This file was generated with `cornucopia`. Do not modify.

#[derive(Clone, Copy, Debug)]
pub struct InsertPlanParams {
    pub ns: i64,
    pub graph: uuid::Uuid,
}
#[derive(Clone, Copy, Debug)]
pub struct UpdatePlanParams {
    pub graph: uuid::Uuid,
    pub ns: i64,
}
#[derive(Debug)]
pub struct FindPlanTasksParams<
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::StringSql,
    T4: crate::ArraySql<Item = T3>,
> {
    pub keys: T2,
    pub ns: i64,
    pub spec_refs: T4,
}
#[derive(Debug)]
pub struct WritePlanTasksParams<
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::StringSql,
    T4: crate::ArraySql<Item = T3>,
    T5: crate::ArraySql<Item = uuid::Uuid>,
> {
    pub keys: T2,
    pub spec_refs: T4,
    pub tasks: T5,
    pub ns: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindEdgesOfGraphParams {
    pub ns: i64,
    pub graph: uuid::Uuid,
}
#[derive(Debug)]
pub struct FindStatesParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub tasks: T1,
    pub ns: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindLengthsOfGraphParams {
    pub ns: i64,
    pub graph: uuid::Uuid,
}
#[derive(Debug)]
pub struct FindPlannedParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub tasks: T1,
    pub ns: i64,
}
#[derive(Debug)]
pub struct DeleteEdgesParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = uuid::Uuid>,
> {
    pub ns: i64,
    pub tasks: T1,
    pub depends_on: T2,
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindPlanTasks {
    pub key: String,
    pub spec_ref: String,
    pub task: uuid::Uuid,
}
pub struct FindPlanTasksBorrowed<'a> {
    pub key: &'a str,
    pub spec_ref: &'a str,
    pub task: uuid::Uuid,
}
impl<'a> From<FindPlanTasksBorrowed<'a>> for FindPlanTasks {
    fn from(
        FindPlanTasksBorrowed {
            key,
            spec_ref,
            task,
        }: FindPlanTasksBorrowed<'a>,
    ) -> Self {
        Self {
            key: key.into(),
            spec_ref: spec_ref.into(),
            task,
        }
    }
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindEdgesOfGraph {
    pub task: uuid::Uuid,
    pub depends_on: uuid::Uuid,
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindStates {
    pub task: uuid::Uuid,
    pub state: i16,
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindLengthsOfGraph {
    pub task: uuid::Uuid,
    pub critical_path: i16,
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
pub struct FindPlanTasksQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindPlanTasksBorrowed, tokio_postgres::Error>,
    mapper: fn(FindPlanTasksBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindPlanTasksQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindPlanTasksBorrowed) -> R,
    ) -> FindPlanTasksQuery<'c, 'a, 's, C, R, N> {
        FindPlanTasksQuery {
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
pub struct FindEdgesOfGraphQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindEdgesOfGraph, tokio_postgres::Error>,
    mapper: fn(FindEdgesOfGraph) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindEdgesOfGraphQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindEdgesOfGraph) -> R,
    ) -> FindEdgesOfGraphQuery<'c, 'a, 's, C, R, N> {
        FindEdgesOfGraphQuery {
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
pub struct FindLengthsOfGraphQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindLengthsOfGraph, tokio_postgres::Error>,
    mapper: fn(FindLengthsOfGraph) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindLengthsOfGraphQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindLengthsOfGraph) -> R,
    ) -> FindLengthsOfGraphQuery<'c, 'a, 's, C, R, N> {
        FindLengthsOfGraphQuery {
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
pub struct LockPlanStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_plan() -> LockPlanStmt {
    LockPlanStmt(
        "select graph from workmill.plan where ns = $1 for update",
        None,
    )
}
impl LockPlanStmt {
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
pub struct FindPlanStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_plan() -> FindPlanStmt {
    FindPlanStmt("select graph from workmill.plan where ns = $1", None)
}
impl FindPlanStmt {
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
pub struct InsertPlanStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_plan() -> InsertPlanStmt {
    InsertPlanStmt(
        "insert into workmill.plan (ns, graph) values ($1, $2) on conflict (ns) do nothing",
        None,
    )
}
impl InsertPlanStmt {
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
        graph: &'a uuid::Uuid,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, graph])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertPlanParams,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertPlanStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertPlanParams,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.graph))
    }
}
pub struct UpdatePlanStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn update_plan() -> UpdatePlanStmt {
    UpdatePlanStmt("update workmill.plan set graph = $1 where ns = $2", None)
}
impl UpdatePlanStmt {
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
        graph: &'a uuid::Uuid,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[graph, ns])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        UpdatePlanParams,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for UpdatePlanStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a UpdatePlanParams,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.graph, &params.ns))
    }
}
pub struct FindPlanTasksStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_plan_tasks() -> FindPlanTasksStmt {
    FindPlanTasksStmt(
        "select p.key, p.spec_ref, p.task from unnest($1::text[]) as u (key) cross join lateral ( select t.key, t.spec_ref, t.task from workmill.plan_task t where t.ns = $2 and t.key = u.key limit 1 ) as p union select p.key, p.spec_ref, p.task from unnest($3::text[]) as u (spec_ref) cross join lateral ( select t.key, t.spec_ref, t.task from workmill.plan_task t where t.ns = $2 and t.spec_ref = u.spec_ref offset 0 ) as p",
        None,
    )
}
impl FindPlanTasksStmt {
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
        T3: crate::StringSql,
        T4: crate::ArraySql<Item = T3>,
    >(
        &'s self,
        client: &'c C,
        keys: &'a T2,
        ns: &'a i64,
        spec_refs: &'a T4,
    ) -> FindPlanTasksQuery<'c, 'a, 's, C, FindPlanTasks, 3> {
        FindPlanTasksQuery {
            client,
            params: [keys, ns, spec_refs],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindPlanTasksBorrowed, tokio_postgres::Error> {
                    Ok(FindPlanTasksBorrowed {
                        key: row.try_get(0)?,
                        spec_ref: row.try_get(1)?,
                        task: row.try_get(2)?,
                    })
                },
            mapper: |it| FindPlanTasks::from(it),
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
    T3: crate::StringSql,
    T4: crate::ArraySql<Item = T3>,
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindPlanTasksParams<T1, T2, T3, T4>,
        FindPlanTasksQuery<'c, 'a, 's, C, FindPlanTasks, 3>,
        C,
    > for FindPlanTasksStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindPlanTasksParams<T1, T2, T3, T4>,
    ) -> FindPlanTasksQuery<'c, 'a, 's, C, FindPlanTasks, 3> {
        self.bind(client, &params.keys, &params.ns, &params.spec_refs)
    }
}
pub struct WritePlanTasksStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn write_plan_tasks() -> WritePlanTasksStmt {
    WritePlanTasksStmt(
        "insert into workmill.plan_task (ns, key, spec_ref, task) select a.ns, u.key, u.spec_ref, u.task from workmill.anchor a, unnest($1::text[], $2::text[], $3::uuid[]) as u (key, spec_ref, task) where a.ns = $4 on conflict (ns, key) do update set spec_ref = excluded.spec_ref, task = excluded.task",
        None,
    )
}
impl WritePlanTasksStmt {
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
        T3: crate::StringSql,
        T4: crate::ArraySql<Item = T3>,
        T5: crate::ArraySql<Item = uuid::Uuid>,
    >(
        &'s self,
        client: &'c C,
        keys: &'a T2,
        spec_refs: &'a T4,
        tasks: &'a T5,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[keys, spec_refs, tasks, ns],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::StringSql,
    T4: crate::ArraySql<Item = T3>,
    T5: crate::ArraySql<Item = uuid::Uuid>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        WritePlanTasksParams<T1, T2, T3, T4, T5>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for WritePlanTasksStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a WritePlanTasksParams<T1, T2, T3, T4, T5>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.keys,
            &params.spec_refs,
            &params.tasks,
            &params.ns,
        ))
    }
}
pub struct FindEdgesOfGraphStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_edges_of_graph() -> FindEdgesOfGraphStmt {
    FindEdgesOfGraphStmt(
        "select e.task, e.depends_on from (select s.task from workmill.state s where s.ns = $1 and s.graph = $2 offset 0) as m cross join lateral ( select t.task, t.depends_on from workmill.edge t where t.ns = $1 and t.task = m.task offset 0 ) as e",
        None,
    )
}
impl FindEdgesOfGraphStmt {
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
    ) -> FindEdgesOfGraphQuery<'c, 'a, 's, C, FindEdgesOfGraph, 2> {
        FindEdgesOfGraphQuery {
            client,
            params: [ns, graph],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindEdgesOfGraph, tokio_postgres::Error> {
                    Ok(FindEdgesOfGraph {
                        task: row.try_get(0)?,
                        depends_on: row.try_get(1)?,
                    })
                },
            mapper: |it| FindEdgesOfGraph::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindEdgesOfGraphParams,
        FindEdgesOfGraphQuery<'c, 'a, 's, C, FindEdgesOfGraph, 2>,
        C,
    > for FindEdgesOfGraphStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindEdgesOfGraphParams,
    ) -> FindEdgesOfGraphQuery<'c, 'a, 's, C, FindEdgesOfGraph, 2> {
        self.bind(client, &params.ns, &params.graph)
    }
}
pub struct FindStatesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_states() -> FindStatesStmt {
    FindStatesStmt(
        "select s.task, s.state from unnest($1::uuid[]) as u (task) cross join lateral ( select t.task, t.state from workmill.state t where t.ns = $2 and t.task = u.task limit 1 ) as s",
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
pub struct FindLengthsOfGraphStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_lengths_of_graph() -> FindLengthsOfGraphStmt {
    FindLengthsOfGraphStmt(
        "select s.task, s.critical_path from workmill.state s where s.ns = $1 and s.graph = $2",
        None,
    )
}
impl FindLengthsOfGraphStmt {
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
    ) -> FindLengthsOfGraphQuery<'c, 'a, 's, C, FindLengthsOfGraph, 2> {
        FindLengthsOfGraphQuery {
            client,
            params: [ns, graph],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindLengthsOfGraph, tokio_postgres::Error> {
                    Ok(FindLengthsOfGraph {
                        task: row.try_get(0)?,
                        critical_path: row.try_get(1)?,
                    })
                },
            mapper: |it| FindLengthsOfGraph::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindLengthsOfGraphParams,
        FindLengthsOfGraphQuery<'c, 'a, 's, C, FindLengthsOfGraph, 2>,
        C,
    > for FindLengthsOfGraphStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindLengthsOfGraphParams,
    ) -> FindLengthsOfGraphQuery<'c, 'a, 's, C, FindLengthsOfGraph, 2> {
        self.bind(client, &params.ns, &params.graph)
    }
}
pub struct FindPlannedStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_planned() -> FindPlannedStmt {
    FindPlannedStmt(
        "select u.task from unnest($1::uuid[]) as u (task) cross join lateral ( select c.body ->> 'key' as key from workmill.spec c where c.ns = $2 and c.task = u.task order by c.version desc limit 1 ) as p cross join lateral ( select t.task from workmill.plan_task t where t.ns = $2 and t.key = p.key limit 1 ) as t where t.task = u.task",
        None,
    )
}
impl FindPlannedStmt {
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
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 2> {
        UuidUuidQuery {
            client,
            params: [tasks, ns],
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
        FindPlannedParams<T1>,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 2>,
        C,
    > for FindPlannedStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindPlannedParams<T1>,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 2> {
        self.bind(client, &params.tasks, &params.ns)
    }
}
pub struct DeleteEdgesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_edges() -> DeleteEdgesStmt {
    DeleteEdgesStmt(
        "delete from workmill.edge e where e.ns = $1 and e.ctid = any( array( select ( select k.ctid from workmill.edge k where k.ns = $1 and k.task = u.task and k.depends_on = u.depends_on ) from unnest($2::uuid[], $3::uuid[]) as u (task, depends_on) ) )",
        None,
    )
}
impl DeleteEdgesStmt {
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
        T2: crate::ArraySql<Item = uuid::Uuid>,
    >(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        tasks: &'a T1,
        depends_on: &'a T2,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, tasks, depends_on])
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = uuid::Uuid>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteEdgesParams<T1, T2>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteEdgesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteEdgesParams<T1, T2>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.tasks, &params.depends_on))
    }
}
