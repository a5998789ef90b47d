// This file was generated with `cornucopia`. Do not modify.

#[derive(Clone, Copy, Debug)]
pub struct InsertBlankRetentionParams {
    pub ns: i64,
    pub now: jiff::Timestamp,
}
#[derive(Clone, Copy, Debug)]
pub struct WriteRetentionParams {
    pub ns: i64,
    pub completed_ms: Option<i64>,
    pub cancelled_ms: Option<i64>,
    pub stale_ms: Option<i64>,
    pub now: jiff::Timestamp,
}
#[derive(Clone, Copy, Debug)]
pub struct FindFinishedParams {
    pub ns: i64,
    pub after_at: jiff::Timestamp,
    pub after: uuid::Uuid,
    pub latest: jiff::Timestamp,
    pub most: i64,
}
#[derive(Debug)]
pub struct DeleteFinishedAtParams<
    T1: crate::ArraySql<Item = jiff::Timestamp>,
    T2: crate::ArraySql<Item = uuid::Uuid>,
> {
    pub ns: i64,
    pub ats: T1,
    pub tasks: T2,
}
#[derive(Debug)]
pub struct DeleteTaskKeysParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct DeletePlanTasksParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
    pub completed: i16,
}
#[derive(Debug)]
pub struct DeleteEdgesParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct DeleteStatesParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct DeleteSpecsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct DeleteAttemptsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct DeleteResultsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct DeleteLateResultsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct DeleteAnswersParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct DeleteResolutionsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct DeleteRevivalsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct DeleteCheckpointsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct DeleteGraphsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub graphs: T1,
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindRetention {
    pub completed_ms: Option<i64>,
    pub cancelled_ms: Option<i64>,
    pub stale_ms: Option<i64>,
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct LockRetention {
    pub completed_ms: Option<i64>,
    pub cancelled_ms: Option<i64>,
    pub stale_ms: Option<i64>,
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindFinished {
    pub at: jiff::Timestamp,
    pub task: uuid::Uuid,
    pub state: Option<i16>,
    pub tasks: Option<i32>,
    pub completed: Option<i32>,
    pub cancelled: Option<i32>,
    pub stale: Option<i32>,
    pub dead: Option<i32>,
    pub moving: Option<i32>,
    pub is_leased: bool,
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct FindRetentionQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindRetention, tokio_postgres::Error>,
    mapper: fn(FindRetention) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindRetentionQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(FindRetention) -> R) -> FindRetentionQuery<'c, 'a, 's, C, R, N> {
        FindRetentionQuery {
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
pub struct LockRetentionQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<LockRetention, tokio_postgres::Error>,
    mapper: fn(LockRetention) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> LockRetentionQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(LockRetention) -> R) -> LockRetentionQuery<'c, 'a, 's, C, R, N> {
        LockRetentionQuery {
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
pub struct FindFinishedQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindFinished, tokio_postgres::Error>,
    mapper: fn(FindFinished) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindFinishedQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(FindFinished) -> R) -> FindFinishedQuery<'c, 'a, 's, C, R, N> {
        FindFinishedQuery {
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
pub struct FindRetentionStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_retention() -> FindRetentionStmt {
    FindRetentionStmt(
        "select completed_ms, cancelled_ms, stale_ms from workmill.retention where ns = $1",
        None,
    )
}
impl FindRetentionStmt {
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
    ) -> FindRetentionQuery<'c, 'a, 's, C, FindRetention, 1> {
        FindRetentionQuery {
            client,
            params: [ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row: &tokio_postgres::Row| -> Result<FindRetention, tokio_postgres::Error> {
                Ok(FindRetention {
                    completed_ms: row.try_get(0)?,
                    cancelled_ms: row.try_get(1)?,
                    stale_ms: row.try_get(2)?,
                })
            },
            mapper: |it| FindRetention::from(it),
        }
    }
}
pub struct LockRetentionStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_retention() -> LockRetentionStmt {
    LockRetentionStmt(
        "select completed_ms, cancelled_ms, stale_ms from workmill.retention where ns = $1 for update",
        None,
    )
}
impl LockRetentionStmt {
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
    ) -> LockRetentionQuery<'c, 'a, 's, C, LockRetention, 1> {
        LockRetentionQuery {
            client,
            params: [ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row: &tokio_postgres::Row| -> Result<LockRetention, tokio_postgres::Error> {
                Ok(LockRetention {
                    completed_ms: row.try_get(0)?,
                    cancelled_ms: row.try_get(1)?,
                    stale_ms: row.try_get(2)?,
                })
            },
            mapper: |it| LockRetention::from(it),
        }
    }
}
pub struct InsertBlankRetentionStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_blank_retention() -> InsertBlankRetentionStmt {
    InsertBlankRetentionStmt(
        "insert into workmill.retention (ns, changed_at) values ($1, $2) on conflict do nothing",
        None,
    )
}
impl InsertBlankRetentionStmt {
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
        now: &'a jiff::Timestamp,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, now])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertBlankRetentionParams,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertBlankRetentionStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertBlankRetentionParams,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.now))
    }
}
pub struct WriteRetentionStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn write_retention() -> WriteRetentionStmt {
    WriteRetentionStmt(
        "insert into workmill.retention (ns, completed_ms, cancelled_ms, stale_ms, changed_at) values ($1, $2, $3, $4, $5) on conflict (ns) do update set completed_ms = excluded.completed_ms, cancelled_ms = excluded.cancelled_ms, stale_ms = excluded.stale_ms, changed_at = excluded.changed_at",
        None,
    )
}
impl WriteRetentionStmt {
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
        completed_ms: &'a Option<i64>,
        cancelled_ms: &'a Option<i64>,
        stale_ms: &'a Option<i64>,
        now: &'a jiff::Timestamp,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[ns, completed_ms, cancelled_ms, stale_ms, now],
            )
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        WriteRetentionParams,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for WriteRetentionStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a WriteRetentionParams,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.ns,
            &params.completed_ms,
            &params.cancelled_ms,
            &params.stale_ms,
            &params.now,
        ))
    }
}
pub struct FindNamespacesWithOldTasksStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_namespaces_with_old_tasks() -> FindNamespacesWithOldTasksStmt {
    FindNamespacesWithOldTasksStmt(
        "select r.ns from workmill.retention r cross join lateral ( select f.at from workmill.finished f where f.ns = r.ns order by f.at, f.task limit 1 ) as oldest where oldest.at <= $1::timestamptz - least(r.completed_ms, r.cancelled_ms, r.stale_ms) * interval '1 millisecond' order by r.ns",
        None,
    )
}
impl FindNamespacesWithOldTasksStmt {
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
pub struct FindFinishedStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_finished() -> FindFinishedStmt {
    FindFinishedStmt(
        "select f.at, f.task, s.state, g.tasks, g.completed, g.cancelled, g.stale, g.dead, g.moving, ( select count(*) > 0 from workmill.lease l where l.ns = $1 and l.task = f.task ) as is_leased from ( select k.at, k.task from workmill.finished k where k.ns = $1 and (k.at, k.task) > ($2::timestamptz, $3::uuid) and k.at <= $4 order by k.at, k.task limit $5 ) as f left join lateral ( select t.state, t.graph, t.in_graph from workmill.state t where t.ns = $1 and t.task = f.task limit 1 ) as s on true left join lateral ( select r.tasks, r.completed, r.cancelled, r.stale, r.dead, r.moving from workmill.graph r where r.ns = $1 and r.graph = s.graph and s.in_graph limit 1 ) as g on true order by f.at, f.task",
        None,
    )
}
impl FindFinishedStmt {
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
        after_at: &'a jiff::Timestamp,
        after: &'a uuid::Uuid,
        latest: &'a jiff::Timestamp,
        most: &'a i64,
    ) -> FindFinishedQuery<'c, 'a, 's, C, FindFinished, 5> {
        FindFinishedQuery {
            client,
            params: [ns, after_at, after, latest, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row: &tokio_postgres::Row| -> Result<FindFinished, tokio_postgres::Error> {
                Ok(FindFinished {
                    at: row.try_get(0)?,
                    task: row.try_get(1)?,
                    state: row.try_get(2)?,
                    tasks: row.try_get(3)?,
                    completed: row.try_get(4)?,
                    cancelled: row.try_get(5)?,
                    stale: row.try_get(6)?,
                    dead: row.try_get(7)?,
                    moving: row.try_get(8)?,
                    is_leased: row.try_get(9)?,
                })
            },
            mapper: |it| FindFinished::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindFinishedParams,
        FindFinishedQuery<'c, 'a, 's, C, FindFinished, 5>,
        C,
    > for FindFinishedStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindFinishedParams,
    ) -> FindFinishedQuery<'c, 'a, 's, C, FindFinished, 5> {
        self.bind(
            client,
            &params.ns,
            &params.after_at,
            &params.after,
            &params.latest,
            &params.most,
        )
    }
}
pub struct DeleteFinishedAtStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_finished_at() -> DeleteFinishedAtStmt {
    DeleteFinishedAtStmt(
        "delete from workmill.finished f where f.ns = $1 and f.ctid = any( array( select ( select k.ctid from workmill.finished k where k.ns = $1 and k.at = u.at and k.task = u.task ) from unnest($2::timestamptz[], $3::uuid[]) as u (at, task) ) ) returning f.task",
        None,
    )
}
impl DeleteFinishedAtStmt {
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
        T1: crate::ArraySql<Item = jiff::Timestamp>,
        T2: crate::ArraySql<Item = uuid::Uuid>,
    >(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        ats: &'a T1,
        tasks: &'a T2,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        UuidUuidQuery {
            client,
            params: [ns, ats, tasks],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
impl<
    'c,
    'a,
    's,
    C: GenericClient,
    T1: crate::ArraySql<Item = jiff::Timestamp>,
    T2: crate::ArraySql<Item = uuid::Uuid>,
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        DeleteFinishedAtParams<T1, T2>,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3>,
        C,
    > for DeleteFinishedAtStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a DeleteFinishedAtParams<T1, T2>,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        self.bind(client, &params.ns, &params.ats, &params.tasks)
    }
}
pub struct DeleteTaskKeysStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_task_keys() -> DeleteTaskKeysStmt {
    DeleteTaskKeysStmt(
        "delete from workmill.task_key t where t.ns = $1 and t.ctid = any( array( select k.ctid from unnest($2::uuid[]) as u (task) cross join lateral ( select c.body ->> 'key' as key from workmill.spec c where c.ns = $1 and c.task = u.task order by c.version desc limit 1 ) as p cross join lateral ( select x.ctid from workmill.task_key x where x.ns = $1 and x.key = p.key and x.task = u.task limit 1 ) as k ) )",
        None,
    )
}
impl DeleteTaskKeysStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        tasks: &'a T1,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, tasks])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteTaskKeysParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteTaskKeysStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteTaskKeysParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.tasks))
    }
}
pub struct DeletePlanTasksStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_plan_tasks() -> DeletePlanTasksStmt {
    DeletePlanTasksStmt(
        "delete from workmill.plan_task t where t.ns = $1 and t.ctid = any( array( select k.ctid from unnest($2::uuid[]) as u (task) cross join lateral ( select x.state from workmill.state x where x.ns = $1 and x.task = u.task limit 1 ) as s cross join lateral ( select c.body ->> 'key' as key from workmill.spec c where c.ns = $1 and c.task = u.task order by c.version desc limit 1 ) as p cross join lateral ( select x.ctid from workmill.plan_task x where x.ns = $1 and x.key = p.key and x.task = u.task limit 1 ) as k where s.state <> $3 ) )",
        None,
    )
}
impl DeletePlanTasksStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        tasks: &'a T1,
        completed: &'a i16,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, tasks, completed])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeletePlanTasksParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeletePlanTasksStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeletePlanTasksParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.tasks, &params.completed))
    }
}
pub struct DeleteEdgesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_edges() -> DeleteEdgesStmt {
    DeleteEdgesStmt(
        "delete from workmill.edge e where e.ns = $1 and e.ctid = any( array( select k.ctid from unnest($2::uuid[]) as u (task) cross join lateral ( select x.ctid from workmill.edge x where x.ns = $1 and x.task = u.task offset 0 ) as k union all select k.ctid from unnest($2::uuid[]) as u (task) cross join lateral ( select x.ctid from workmill.edge x where x.ns = $1 and x.depends_on = u.task offset 0 ) as k ) )",
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
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        tasks: &'a T1,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, tasks])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteEdgesParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteEdgesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteEdgesParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.tasks))
    }
}
pub struct DeleteStatesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_states() -> DeleteStatesStmt {
    DeleteStatesStmt(
        "delete from workmill.state s where s.ns = $1 and s.ctid = any( array( select k.ctid from unnest($2::uuid[]) as u (task) cross join lateral ( select x.ctid from workmill.state x where x.ns = $1 and x.task = u.task limit 1 ) as k ) )",
        None,
    )
}
impl DeleteStatesStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        tasks: &'a T1,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, tasks])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteStatesParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteStatesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteStatesParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.tasks))
    }
}
pub struct DeleteSpecsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_specs() -> DeleteSpecsStmt {
    DeleteSpecsStmt(
        "delete from workmill.spec p where p.ns = $1 and p.ctid = any( array( select k.ctid from unnest($2::uuid[]) as u (task) cross join lateral ( select x.ctid from workmill.spec x where x.ns = $1 and x.task = u.task offset 0 ) as k ) )",
        None,
    )
}
impl DeleteSpecsStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        tasks: &'a T1,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, tasks])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteSpecsParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteSpecsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteSpecsParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.tasks))
    }
}
pub struct DeleteAttemptsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_attempts() -> DeleteAttemptsStmt {
    DeleteAttemptsStmt(
        "delete from workmill.attempt a where a.ns = $1 and a.ctid = any( array( select k.ctid from unnest($2::uuid[]) as u (task) cross join lateral ( select x.ctid from workmill.attempt x where x.ns = $1 and x.task = u.task offset 0 ) as k ) )",
        None,
    )
}
impl DeleteAttemptsStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        tasks: &'a T1,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, tasks])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteAttemptsParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteAttemptsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteAttemptsParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.tasks))
    }
}
pub struct DeleteResultsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_results() -> DeleteResultsStmt {
    DeleteResultsStmt(
        "delete from workmill.result r where r.ns = $1 and r.ctid = any( array( select k.ctid from unnest($2::uuid[]) as u (task) cross join lateral ( select x.ctid from workmill.result x where x.ns = $1 and x.task = u.task limit 1 ) as k ) )",
        None,
    )
}
impl DeleteResultsStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        tasks: &'a T1,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, tasks])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteResultsParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteResultsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteResultsParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.tasks))
    }
}
pub struct DeleteLateResultsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_late_results() -> DeleteLateResultsStmt {
    DeleteLateResultsStmt(
        "delete from workmill.late_result r where r.ns = $1 and r.ctid = any( array( select k.ctid from unnest($2::uuid[]) as u (task) cross join lateral ( select x.ctid from workmill.late_result x where x.ns = $1 and x.task = u.task offset 0 ) as k ) )",
        None,
    )
}
impl DeleteLateResultsStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        tasks: &'a T1,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, tasks])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteLateResultsParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteLateResultsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteLateResultsParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.tasks))
    }
}
pub struct DeleteAnswersStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_answers() -> DeleteAnswersStmt {
    DeleteAnswersStmt(
        "delete from workmill.answer a where a.ns = $1 and a.ctid = any( array( select k.ctid from unnest($2::uuid[]) as u (task) cross join lateral ( select x.ctid from workmill.answer x where x.ns = $1 and x.task = u.task offset 0 ) as k ) )",
        None,
    )
}
impl DeleteAnswersStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        tasks: &'a T1,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, tasks])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteAnswersParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteAnswersStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteAnswersParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.tasks))
    }
}
pub struct DeleteResolutionsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_resolutions() -> DeleteResolutionsStmt {
    DeleteResolutionsStmt(
        "delete from workmill.resolution r where r.ns = $1 and r.ctid = any( array( select k.ctid from unnest($2::uuid[]) as u (task) cross join lateral ( select x.ctid from workmill.resolution x where x.ns = $1 and x.task = u.task offset 0 ) as k ) )",
        None,
    )
}
impl DeleteResolutionsStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        tasks: &'a T1,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, tasks])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteResolutionsParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteResolutionsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteResolutionsParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.tasks))
    }
}
pub struct DeleteRevivalsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_revivals() -> DeleteRevivalsStmt {
    DeleteRevivalsStmt(
        "delete from workmill.revival c where c.ns = $1 and c.ctid = any( array( select k.ctid from unnest($2::uuid[]) as u (task) cross join lateral ( select x.ctid from workmill.revival x where x.ns = $1 and x.task = u.task limit 1 ) as k ) )",
        None,
    )
}
impl DeleteRevivalsStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        tasks: &'a T1,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, tasks])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteRevivalsParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteRevivalsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteRevivalsParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.tasks))
    }
}
pub struct DeleteCheckpointsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_checkpoints() -> DeleteCheckpointsStmt {
    DeleteCheckpointsStmt(
        "delete from workmill.checkpoint c where c.ns = $1 and c.ctid = any( array( select k.ctid from unnest($2::uuid[]) as u (task) cross join lateral ( select x.ctid from workmill.checkpoint x where x.ns = $1 and x.task = u.task limit 1 ) as k ) )",
        None,
    )
}
impl DeleteCheckpointsStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        tasks: &'a T1,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, tasks])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteCheckpointsParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteCheckpointsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteCheckpointsParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.tasks))
    }
}
pub struct DeleteGraphsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_graphs() -> DeleteGraphsStmt {
    DeleteGraphsStmt(
        "delete from workmill.graph g where g.ns = $1 and g.ctid = any( array( select k.ctid from unnest($2::uuid[]) as u (graph) cross join lateral ( select x.ctid from workmill.graph x where x.ns = $1 and x.graph = u.graph limit 1 ) as k ) )",
        None,
    )
}
impl DeleteGraphsStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        graphs: &'a T1,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, graphs])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteGraphsParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteGraphsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteGraphsParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.graphs))
    }
}
