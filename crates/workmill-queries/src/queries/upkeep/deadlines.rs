// This file was generated with `cornucopia`. Do not modify.

#[derive(Clone, Copy, Debug)]
pub struct FindPassedDeadlinesParams {
    pub now: jiff::Timestamp,
    pub most: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindPassedDeadlinesOfNamespaceParams {
    pub ns: i64,
    pub now: jiff::Timestamp,
    pub most: i64,
}
#[derive(Debug)]
pub struct FindPassedDeadlinesAmongParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub tasks: T1,
    pub ns: i64,
    pub now: jiff::Timestamp,
}
#[derive(Clone, Copy, Debug)]
pub struct FindPressingTasksParams {
    pub ns: i64,
    pub now: jiff::Timestamp,
    pub after: jiff::Timestamp,
    pub after_task: uuid::Uuid,
    pub most: i64,
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindPassedDeadlines {
    pub ns: i64,
    pub task: uuid::Uuid,
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindPressingTasks {
    pub presses_at: jiff::Timestamp,
    pub task: uuid::Uuid,
    pub at: jiff::Timestamp,
    pub submitted_at: jiff::Timestamp,
    pub estimate_ms: i64,
    pub base: i32,
    pub boost: String,
    pub rank: i64,
    pub critical_path: i16,
}
pub struct FindPressingTasksBorrowed<'a> {
    pub presses_at: jiff::Timestamp,
    pub task: uuid::Uuid,
    pub at: jiff::Timestamp,
    pub submitted_at: jiff::Timestamp,
    pub estimate_ms: i64,
    pub base: i32,
    pub boost: &'a str,
    pub rank: i64,
    pub critical_path: i16,
}
impl<'a> From<FindPressingTasksBorrowed<'a>> for FindPressingTasks {
    fn from(
        FindPressingTasksBorrowed {
            presses_at,
            task,
            at,
            submitted_at,
            estimate_ms,
            base,
            boost,
            rank,
            critical_path,
        }: FindPressingTasksBorrowed<'a>,
    ) -> Self {
        Self {
            presses_at,
            task,
            at,
            submitted_at,
            estimate_ms,
            base,
            boost: boost.into(),
            rank,
            critical_path,
        }
    }
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct FindPassedDeadlinesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindPassedDeadlines, tokio_postgres::Error>,
    mapper: fn(FindPassedDeadlines) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindPassedDeadlinesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindPassedDeadlines) -> R,
    ) -> FindPassedDeadlinesQuery<'c, 'a, 's, C, R, N> {
        FindPassedDeadlinesQuery {
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
pub struct FindPressingTasksQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindPressingTasksBorrowed, tokio_postgres::Error>,
    mapper: fn(FindPressingTasksBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindPressingTasksQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindPressingTasksBorrowed) -> R,
    ) -> FindPressingTasksQuery<'c, 'a, 's, C, R, N> {
        FindPressingTasksQuery {
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
pub struct FindPassedDeadlinesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_passed_deadlines() -> FindPassedDeadlinesStmt {
    FindPassedDeadlinesStmt(
        "select d.ns, d.task from workmill.anchor a cross join lateral ( select p.ns, p.task from workmill.deadline p where p.ns = a.ns and p.presses_at <= $1 and p.at <= $1 and not exists ( select from workmill.lease l where l.ns = a.ns and l.task = p.task and l.stop is not null ) order by p.presses_at, p.task limit $2 ) as d",
        None,
    )
}
impl FindPassedDeadlinesStmt {
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
        most: &'a i64,
    ) -> FindPassedDeadlinesQuery<'c, 'a, 's, C, FindPassedDeadlines, 2> {
        FindPassedDeadlinesQuery {
            client,
            params: [now, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindPassedDeadlines, tokio_postgres::Error> {
                    Ok(FindPassedDeadlines {
                        ns: row.try_get(0)?,
                        task: row.try_get(1)?,
                    })
                },
            mapper: |it| FindPassedDeadlines::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindPassedDeadlinesParams,
        FindPassedDeadlinesQuery<'c, 'a, 's, C, FindPassedDeadlines, 2>,
        C,
    > for FindPassedDeadlinesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindPassedDeadlinesParams,
    ) -> FindPassedDeadlinesQuery<'c, 'a, 's, C, FindPassedDeadlines, 2> {
        self.bind(client, &params.now, &params.most)
    }
}
pub struct FindPassedDeadlinesOfNamespaceStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_passed_deadlines_of_namespace() -> FindPassedDeadlinesOfNamespaceStmt {
    FindPassedDeadlinesOfNamespaceStmt(
        "select p.task from workmill.deadline p where p.ns = $1 and p.presses_at <= $2 and p.at <= $2 and not exists ( select from workmill.lease l where l.ns = $1 and l.task = p.task and l.stop is not null ) order by p.presses_at, p.task limit $3",
        None,
    )
}
impl FindPassedDeadlinesOfNamespaceStmt {
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
        now: &'a jiff::Timestamp,
        most: &'a i64,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        UuidUuidQuery {
            client,
            params: [ns, now, most],
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
        FindPassedDeadlinesOfNamespaceParams,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3>,
        C,
    > for FindPassedDeadlinesOfNamespaceStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindPassedDeadlinesOfNamespaceParams,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        self.bind(client, &params.ns, &params.now, &params.most)
    }
}
pub struct FindPassedDeadlinesAmongStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_passed_deadlines_among() -> FindPassedDeadlinesAmongStmt {
    FindPassedDeadlinesAmongStmt(
        "select d.task from unnest($1::uuid[]) as u (task) cross join lateral ( select t.task from workmill.deadline t where t.ns = $2 and t.task = u.task and t.at <= $3 limit 1 ) as d",
        None,
    )
}
impl FindPassedDeadlinesAmongStmt {
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
        now: &'a jiff::Timestamp,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        UuidUuidQuery {
            client,
            params: [tasks, ns, now],
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
        FindPassedDeadlinesAmongParams<T1>,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3>,
        C,
    > for FindPassedDeadlinesAmongStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindPassedDeadlinesAmongParams<T1>,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        self.bind(client, &params.tasks, &params.ns, &params.now)
    }
}
pub struct FindNamespacesWithPressingTasksStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_namespaces_with_pressing_tasks() -> FindNamespacesWithPressingTasksStmt {
    FindNamespacesWithPressingTasksStmt(
        "select a.ns from workmill.anchor a cross join lateral ( select d.presses_at from workmill.deadline d where d.ns = a.ns and d.presses_at <= $1 order by d.presses_at, d.task limit 1 ) as head",
        None,
    )
}
impl FindNamespacesWithPressingTasksStmt {
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
    ) -> I64Query<'c, 'a, 's, C, i64, 1> {
        I64Query {
            client,
            params: [now],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
pub struct FindPressingTasksStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_pressing_tasks() -> FindPressingTasksStmt {
    FindPressingTasksStmt(
        "select d.presses_at, d.task, d.at, d.submitted_at, d.estimate_ms, d.base, d.boost, s.rank, case when (c.policy ->> 'critical_path')::boolean then least(s.critical_path, (c.policy ->> 'most_critical_path')::smallint) else 0::smallint end as critical_path from ( select p.presses_at, p.task, p.at, p.submitted_at, p.estimate_ms, p.base, p.boost from workmill.deadline p where p.ns = $1 and p.presses_at <= $2 and (p.presses_at, p.task) > ($3::timestamptz, $4::uuid) order by p.presses_at, p.task limit $5 ) as d cross join lateral ( select t.rank, t.critical_path, t.spec_version from workmill.state t where t.ns = $1 and t.task = d.task limit 1 ) as s cross join lateral ( select t.policy from workmill.spec t where t.ns = $1 and t.task = d.task and t.version = s.spec_version limit 1 ) as c order by d.presses_at, d.task",
        None,
    )
}
impl FindPressingTasksStmt {
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
        now: &'a jiff::Timestamp,
        after: &'a jiff::Timestamp,
        after_task: &'a uuid::Uuid,
        most: &'a i64,
    ) -> FindPressingTasksQuery<'c, 'a, 's, C, FindPressingTasks, 5> {
        FindPressingTasksQuery {
            client,
            params: [ns, now, after, after_task, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindPressingTasksBorrowed, tokio_postgres::Error> {
                Ok(FindPressingTasksBorrowed {
                    presses_at: row.try_get(0)?,
                    task: row.try_get(1)?,
                    at: row.try_get(2)?,
                    submitted_at: row.try_get(3)?,
                    estimate_ms: row.try_get(4)?,
                    base: row.try_get(5)?,
                    boost: row.try_get(6)?,
                    rank: row.try_get(7)?,
                    critical_path: row.try_get(8)?,
                })
            },
            mapper: |it| FindPressingTasks::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindPressingTasksParams,
        FindPressingTasksQuery<'c, 'a, 's, C, FindPressingTasks, 5>,
        C,
    > for FindPressingTasksStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindPressingTasksParams,
    ) -> FindPressingTasksQuery<'c, 'a, 's, C, FindPressingTasks, 5> {
        self.bind(
            client,
            &params.ns,
            &params.now,
            &params.after,
            &params.after_task,
            &params.most,
        )
    }
}
