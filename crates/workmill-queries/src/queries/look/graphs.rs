// This file was generated with `cornucopia`. Do not modify.

#[derive(Clone, Copy, Debug)]
pub struct FindNewestGraphsParams {
    pub ns: i64,
    pub before: uuid::Uuid,
    pub from_: uuid::Uuid,
    pub most: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindNewestGraphsOfProjectParams {
    pub ns: i64,
    pub project: uuid::Uuid,
    pub before: uuid::Uuid,
    pub from_: uuid::Uuid,
    pub most: i64,
}
#[derive(Debug)]
pub struct FindNewestOpenGraphsParams<T1: crate::StringSql, T2: crate::ArraySql<Item = T1>> {
    pub statuses: T2,
    pub ns: i64,
    pub before: uuid::Uuid,
    pub from_: uuid::Uuid,
    pub most: i64,
}
#[derive(Debug)]
pub struct CountWaitingTasksParams<T1: crate::ArraySql<Item = i64>> {
    pub most: i64,
    pub namespaces: T1,
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindNewestGraphs {
    pub graph: uuid::Uuid,
    pub project: Option<uuid::Uuid>,
    pub title: String,
    pub created_by: String,
    pub created_at: jiff::Timestamp,
    pub status: String,
    pub is_draft: bool,
    pub tasks: i32,
    pub completed: i32,
    pub cancelled: i32,
    pub stale: i32,
    pub dead: i32,
    pub moving: i32,
    pub spent_micros: i64,
}
pub struct FindNewestGraphsBorrowed<'a> {
    pub graph: uuid::Uuid,
    pub project: Option<uuid::Uuid>,
    pub title: &'a str,
    pub created_by: &'a str,
    pub created_at: jiff::Timestamp,
    pub status: &'a str,
    pub is_draft: bool,
    pub tasks: i32,
    pub completed: i32,
    pub cancelled: i32,
    pub stale: i32,
    pub dead: i32,
    pub moving: i32,
    pub spent_micros: i64,
}
impl<'a> From<FindNewestGraphsBorrowed<'a>> for FindNewestGraphs {
    fn from(
        FindNewestGraphsBorrowed {
            graph,
            project,
            title,
            created_by,
            created_at,
            status,
            is_draft,
            tasks,
            completed,
            cancelled,
            stale,
            dead,
            moving,
            spent_micros,
        }: FindNewestGraphsBorrowed<'a>,
    ) -> Self {
        Self {
            graph,
            project,
            title: title.into(),
            created_by: created_by.into(),
            created_at,
            status: status.into(),
            is_draft,
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
pub struct FindNewestGraphsOfProject {
    pub graph: uuid::Uuid,
    pub project: Option<uuid::Uuid>,
    pub title: String,
    pub created_by: String,
    pub created_at: jiff::Timestamp,
    pub status: String,
    pub is_draft: bool,
    pub tasks: i32,
    pub completed: i32,
    pub cancelled: i32,
    pub stale: i32,
    pub dead: i32,
    pub moving: i32,
    pub spent_micros: i64,
}
pub struct FindNewestGraphsOfProjectBorrowed<'a> {
    pub graph: uuid::Uuid,
    pub project: Option<uuid::Uuid>,
    pub title: &'a str,
    pub created_by: &'a str,
    pub created_at: jiff::Timestamp,
    pub status: &'a str,
    pub is_draft: bool,
    pub tasks: i32,
    pub completed: i32,
    pub cancelled: i32,
    pub stale: i32,
    pub dead: i32,
    pub moving: i32,
    pub spent_micros: i64,
}
impl<'a> From<FindNewestGraphsOfProjectBorrowed<'a>> for FindNewestGraphsOfProject {
    fn from(
        FindNewestGraphsOfProjectBorrowed {
            graph,
            project,
            title,
            created_by,
            created_at,
            status,
            is_draft,
            tasks,
            completed,
            cancelled,
            stale,
            dead,
            moving,
            spent_micros,
        }: FindNewestGraphsOfProjectBorrowed<'a>,
    ) -> Self {
        Self {
            graph,
            project,
            title: title.into(),
            created_by: created_by.into(),
            created_at,
            status: status.into(),
            is_draft,
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
pub struct FindNewestOpenGraphs {
    pub graph: uuid::Uuid,
    pub project: Option<uuid::Uuid>,
    pub title: String,
    pub created_by: String,
    pub created_at: jiff::Timestamp,
    pub status: String,
    pub is_draft: bool,
    pub tasks: i32,
    pub completed: i32,
    pub cancelled: i32,
    pub stale: i32,
    pub dead: i32,
    pub moving: i32,
    pub spent_micros: i64,
}
pub struct FindNewestOpenGraphsBorrowed<'a> {
    pub graph: uuid::Uuid,
    pub project: Option<uuid::Uuid>,
    pub title: &'a str,
    pub created_by: &'a str,
    pub created_at: jiff::Timestamp,
    pub status: &'a str,
    pub is_draft: bool,
    pub tasks: i32,
    pub completed: i32,
    pub cancelled: i32,
    pub stale: i32,
    pub dead: i32,
    pub moving: i32,
    pub spent_micros: i64,
}
impl<'a> From<FindNewestOpenGraphsBorrowed<'a>> for FindNewestOpenGraphs {
    fn from(
        FindNewestOpenGraphsBorrowed {
            graph,
            project,
            title,
            created_by,
            created_at,
            status,
            is_draft,
            tasks,
            completed,
            cancelled,
            stale,
            dead,
            moving,
            spent_micros,
        }: FindNewestOpenGraphsBorrowed<'a>,
    ) -> Self {
        Self {
            graph,
            project,
            title: title.into(),
            created_by: created_by.into(),
            created_at,
            status: status.into(),
            is_draft,
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
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct CountWaitingTasks {
    pub pending: i64,
    pub created: i64,
    pub is_cut: bool,
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct FindNewestGraphsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindNewestGraphsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindNewestGraphsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindNewestGraphsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindNewestGraphsBorrowed) -> R,
    ) -> FindNewestGraphsQuery<'c, 'a, 's, C, R, N> {
        FindNewestGraphsQuery {
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
pub struct FindNewestGraphsOfProjectQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(
        &tokio_postgres::Row,
    ) -> Result<FindNewestGraphsOfProjectBorrowed, tokio_postgres::Error>,
    mapper: fn(FindNewestGraphsOfProjectBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindNewestGraphsOfProjectQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindNewestGraphsOfProjectBorrowed) -> R,
    ) -> FindNewestGraphsOfProjectQuery<'c, 'a, 's, C, R, N> {
        FindNewestGraphsOfProjectQuery {
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
pub struct FindNewestOpenGraphsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor:
        fn(&tokio_postgres::Row) -> Result<FindNewestOpenGraphsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindNewestOpenGraphsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindNewestOpenGraphsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindNewestOpenGraphsBorrowed) -> R,
    ) -> FindNewestOpenGraphsQuery<'c, 'a, 's, C, R, N> {
        FindNewestOpenGraphsQuery {
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
pub struct CountWaitingTasksQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<CountWaitingTasks, tokio_postgres::Error>,
    mapper: fn(CountWaitingTasks) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> CountWaitingTasksQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(CountWaitingTasks) -> R,
    ) -> CountWaitingTasksQuery<'c, 'a, 's, C, R, N> {
        CountWaitingTasksQuery {
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
pub struct FindNewestGraphsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_newest_graphs() -> FindNewestGraphsStmt {
    FindNewestGraphsStmt(
        "select g.graph, g.project, g.title, g.created_by, g.created_at, g.status, g.is_draft, g.tasks, g.completed, g.cancelled, g.stale, g.dead, g.moving, g.spent_micros from workmill.graph g where g.ns = $1 and g.graph < $2 and g.graph >= $3 order by g.graph desc limit $4",
        None,
    )
}
impl FindNewestGraphsStmt {
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
        before: &'a uuid::Uuid,
        from_: &'a uuid::Uuid,
        most: &'a i64,
    ) -> FindNewestGraphsQuery<'c, 'a, 's, C, FindNewestGraphs, 4> {
        FindNewestGraphsQuery {
            client,
            params: [ns, before, from_, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindNewestGraphsBorrowed, tokio_postgres::Error> {
                Ok(FindNewestGraphsBorrowed {
                    graph: row.try_get(0)?,
                    project: row.try_get(1)?,
                    title: row.try_get(2)?,
                    created_by: row.try_get(3)?,
                    created_at: row.try_get(4)?,
                    status: row.try_get(5)?,
                    is_draft: row.try_get(6)?,
                    tasks: row.try_get(7)?,
                    completed: row.try_get(8)?,
                    cancelled: row.try_get(9)?,
                    stale: row.try_get(10)?,
                    dead: row.try_get(11)?,
                    moving: row.try_get(12)?,
                    spent_micros: row.try_get(13)?,
                })
            },
            mapper: |it| FindNewestGraphs::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindNewestGraphsParams,
        FindNewestGraphsQuery<'c, 'a, 's, C, FindNewestGraphs, 4>,
        C,
    > for FindNewestGraphsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindNewestGraphsParams,
    ) -> FindNewestGraphsQuery<'c, 'a, 's, C, FindNewestGraphs, 4> {
        self.bind(
            client,
            &params.ns,
            &params.before,
            &params.from_,
            &params.most,
        )
    }
}
pub struct FindNewestGraphsOfProjectStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_newest_graphs_of_project() -> FindNewestGraphsOfProjectStmt {
    FindNewestGraphsOfProjectStmt(
        "select g.graph, g.project, g.title, g.created_by, g.created_at, g.status, g.is_draft, g.tasks, g.completed, g.cancelled, g.stale, g.dead, g.moving, g.spent_micros from workmill.graph g where g.ns = $1 and g.project = $2 and g.graph < $3 and g.graph >= $4 order by g.graph desc limit $5",
        None,
    )
}
impl FindNewestGraphsOfProjectStmt {
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
        project: &'a uuid::Uuid,
        before: &'a uuid::Uuid,
        from_: &'a uuid::Uuid,
        most: &'a i64,
    ) -> FindNewestGraphsOfProjectQuery<'c, 'a, 's, C, FindNewestGraphsOfProject, 5> {
        FindNewestGraphsOfProjectQuery {
            client,
            params: [ns, project, before, from_, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindNewestGraphsOfProjectBorrowed, tokio_postgres::Error> {
                Ok(FindNewestGraphsOfProjectBorrowed {
                    graph: row.try_get(0)?,
                    project: row.try_get(1)?,
                    title: row.try_get(2)?,
                    created_by: row.try_get(3)?,
                    created_at: row.try_get(4)?,
                    status: row.try_get(5)?,
                    is_draft: row.try_get(6)?,
                    tasks: row.try_get(7)?,
                    completed: row.try_get(8)?,
                    cancelled: row.try_get(9)?,
                    stale: row.try_get(10)?,
                    dead: row.try_get(11)?,
                    moving: row.try_get(12)?,
                    spent_micros: row.try_get(13)?,
                })
            },
            mapper: |it| FindNewestGraphsOfProject::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindNewestGraphsOfProjectParams,
        FindNewestGraphsOfProjectQuery<'c, 'a, 's, C, FindNewestGraphsOfProject, 5>,
        C,
    > for FindNewestGraphsOfProjectStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindNewestGraphsOfProjectParams,
    ) -> FindNewestGraphsOfProjectQuery<'c, 'a, 's, C, FindNewestGraphsOfProject, 5> {
        self.bind(
            client,
            &params.ns,
            &params.project,
            &params.before,
            &params.from_,
            &params.most,
        )
    }
}
pub struct FindNewestOpenGraphsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_newest_open_graphs() -> FindNewestOpenGraphsStmt {
    FindNewestOpenGraphsStmt(
        "select g.graph, g.project, g.title, g.created_by, g.created_at, g.status, g.is_draft, g.tasks, g.completed, g.cancelled, g.stale, g.dead, g.moving, g.spent_micros from unnest($1::text[]) as u (status) cross join lateral ( select t.graph, t.project, t.title, t.created_by, t.created_at, t.status, t.is_draft, t.tasks, t.completed, t.cancelled, t.stale, t.dead, t.moving, t.spent_micros from workmill.graph t where t.ns = $2 and t.status = u.status and t.status in ('pending', 'running', 'failed') and t.graph < $3 and t.graph >= $4 order by t.graph desc limit $5 ) as g order by g.graph desc limit $5",
        None,
    )
}
impl FindNewestOpenGraphsStmt {
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
        statuses: &'a T2,
        ns: &'a i64,
        before: &'a uuid::Uuid,
        from_: &'a uuid::Uuid,
        most: &'a i64,
    ) -> FindNewestOpenGraphsQuery<'c, 'a, 's, C, FindNewestOpenGraphs, 5> {
        FindNewestOpenGraphsQuery {
            client,
            params: [statuses, ns, before, from_, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindNewestOpenGraphsBorrowed, tokio_postgres::Error> {
                Ok(FindNewestOpenGraphsBorrowed {
                    graph: row.try_get(0)?,
                    project: row.try_get(1)?,
                    title: row.try_get(2)?,
                    created_by: row.try_get(3)?,
                    created_at: row.try_get(4)?,
                    status: row.try_get(5)?,
                    is_draft: row.try_get(6)?,
                    tasks: row.try_get(7)?,
                    completed: row.try_get(8)?,
                    cancelled: row.try_get(9)?,
                    stale: row.try_get(10)?,
                    dead: row.try_get(11)?,
                    moving: row.try_get(12)?,
                    spent_micros: row.try_get(13)?,
                })
            },
            mapper: |it| FindNewestOpenGraphs::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::StringSql, T2: crate::ArraySql<Item = T1>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindNewestOpenGraphsParams<T1, T2>,
        FindNewestOpenGraphsQuery<'c, 'a, 's, C, FindNewestOpenGraphs, 5>,
        C,
    > for FindNewestOpenGraphsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindNewestOpenGraphsParams<T1, T2>,
    ) -> FindNewestOpenGraphsQuery<'c, 'a, 's, C, FindNewestOpenGraphs, 5> {
        self.bind(
            client,
            &params.statuses,
            &params.ns,
            &params.before,
            &params.from_,
            &params.most,
        )
    }
}
pub struct CountWaitingTasksStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn count_waiting_tasks() -> CountWaitingTasksStmt {
    CountWaitingTasksStmt(
        "select coalesce(sum(g.waiting) filter (where not g.is_draft), 0)::bigint as pending, coalesce(sum(g.waiting) filter (where g.is_draft), 0)::bigint as created, coalesce(bool_or(g.nth >= $1), false) as is_cut from workmill.anchor n cross join unnest(array['pending', 'running', 'failed']) as u (status) cross join lateral ( select k.is_draft, k.waiting, row_number() over () as nth from ( select t.is_draft, t.tasks - t.completed - t.cancelled - t.stale - t.dead - t.moving as waiting from workmill.graph t where t.ns = n.ns and t.status = u.status and t.status in ('pending', 'running', 'failed') limit $1 ) as k ) as g where n.ns = any($2::bigint[])",
        None,
    )
}
impl CountWaitingTasksStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = i64>>(
        &'s self,
        client: &'c C,
        most: &'a i64,
        namespaces: &'a T1,
    ) -> CountWaitingTasksQuery<'c, 'a, 's, C, CountWaitingTasks, 2> {
        CountWaitingTasksQuery {
            client,
            params: [most, namespaces],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<CountWaitingTasks, tokio_postgres::Error> {
                    Ok(CountWaitingTasks {
                        pending: row.try_get(0)?,
                        created: row.try_get(1)?,
                        is_cut: row.try_get(2)?,
                    })
                },
            mapper: |it| CountWaitingTasks::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = i64>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        CountWaitingTasksParams<T1>,
        CountWaitingTasksQuery<'c, 'a, 's, C, CountWaitingTasks, 2>,
        C,
    > for CountWaitingTasksStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a CountWaitingTasksParams<T1>,
    ) -> CountWaitingTasksQuery<'c, 'a, 's, C, CountWaitingTasks, 2> {
        self.bind(client, &params.most, &params.namespaces)
    }
}
