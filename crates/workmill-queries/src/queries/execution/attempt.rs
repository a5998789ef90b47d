// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct StartLeasesParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
> {
    pub now: jiff::Timestamp,
    pub ns: i64,
    pub tasks: T1,
    pub epochs: T2,
}
#[derive(Debug)]
pub struct StopLeasesParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
    T3: crate::StringSql,
    T4: crate::ArraySql<Item = T3>,
> {
    pub now: jiff::Timestamp,
    pub tasks: T1,
    pub epochs: T2,
    pub stops: T4,
    pub ns: i64,
}
#[derive(Debug)]
pub struct LockNamedLeasesParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
> {
    pub tasks: T1,
    pub epochs: T2,
    pub ns: i64,
}
#[derive(Debug)]
pub struct RenewLeasesParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
> {
    pub now: jiff::Timestamp,
    pub ns: i64,
    pub tasks: T1,
    pub epochs: T2,
}
#[derive(Debug)]
pub struct UpdateProgressParams<T1: crate::JsonSql> {
    pub progress: T1,
    pub ns: i64,
    pub task: uuid::Uuid,
    pub epoch: i32,
}
#[derive(Debug)]
pub struct FindReportedParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
> {
    pub tasks: T1,
    pub epochs: T2,
    pub ns: i64,
}
#[derive(Debug)]
pub struct UpdateReportedParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
    T3: crate::ArraySql<Item = i64>,
    T4: crate::JsonSql,
    T5: crate::ArraySql<Item = T4>,
> {
    pub tasks: T1,
    pub epochs: T2,
    pub costs: T3,
    pub usages: T5,
    pub ns: i64,
}
#[derive(Debug)]
pub struct UpdatePostedParams<T1: crate::JsonSql> {
    pub posted_micros: i64,
    pub usage: T1,
    pub ns: i64,
    pub task: uuid::Uuid,
    pub epoch: i32,
}
#[derive(Debug)]
pub struct UpsertCheckpointsParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
    T3: crate::JsonSql,
    T4: crate::ArraySql<Item = T3>,
> {
    pub now: jiff::Timestamp,
    pub tasks: T1,
    pub epochs: T2,
    pub data: T4,
    pub ns: i64,
}
#[derive(Debug, Clone, PartialEq)]
pub struct LockNamedLeases {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub key: uuid::Uuid,
    pub ttl_ms: i64,
    pub stop: Option<String>,
}
pub struct LockNamedLeasesBorrowed<'a> {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub key: uuid::Uuid,
    pub ttl_ms: i64,
    pub stop: Option<&'a str>,
}
impl<'a> From<LockNamedLeasesBorrowed<'a>> for LockNamedLeases {
    fn from(
        LockNamedLeasesBorrowed {
            task,
            epoch,
            key,
            ttl_ms,
            stop,
        }: LockNamedLeasesBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            epoch,
            key,
            ttl_ms,
            stop: stop.map(|v| v.into()),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindReported {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub posted_micros: Option<i64>,
    pub usage: Option<serde_json::Value>,
}
pub struct FindReportedBorrowed<'a> {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub posted_micros: Option<i64>,
    pub usage: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
}
impl<'a> From<FindReportedBorrowed<'a>> for FindReported {
    fn from(
        FindReportedBorrowed {
            task,
            epoch,
            posted_micros,
            usage,
        }: FindReportedBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            epoch,
            posted_micros,
            usage: usage.map(|v| serde_json::from_str(v.0.get()).unwrap()),
        }
    }
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct LockNamedLeasesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<LockNamedLeasesBorrowed, tokio_postgres::Error>,
    mapper: fn(LockNamedLeasesBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> LockNamedLeasesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(LockNamedLeasesBorrowed) -> R,
    ) -> LockNamedLeasesQuery<'c, 'a, 's, C, R, N> {
        LockNamedLeasesQuery {
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
pub struct FindReportedQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindReportedBorrowed, tokio_postgres::Error>,
    mapper: fn(FindReportedBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindReportedQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindReportedBorrowed) -> R,
    ) -> FindReportedQuery<'c, 'a, 's, C, R, N> {
        FindReportedQuery {
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
pub struct StartLeasesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn start_leases() -> StartLeasesStmt {
    StartLeasesStmt(
        "update workmill.lease l set started_at = $1, renewed_at = $1, ttl_ms = l.lease_ms where l.ns = $2 and l.ctid = any( array( select ( select k.ctid from workmill.lease k where k.ns = $2 and k.task = u.task and k.epoch = u.epoch ) from unnest($3::uuid[], $4::integer[]) as u (task, epoch) ) )",
        None,
    )
}
impl StartLeasesStmt {
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
    >(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        ns: &'a i64,
        tasks: &'a T1,
        epochs: &'a T2,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[now, ns, tasks, epochs])
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        StartLeasesParams<T1, T2>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for StartLeasesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a StartLeasesParams<T1, T2>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.now,
            &params.ns,
            &params.tasks,
            &params.epochs,
        ))
    }
}
pub struct StopLeasesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn stop_leases() -> StopLeasesStmt {
    StopLeasesStmt(
        "update workmill.lease l set stop = u.stop, stop_at = $1 from unnest($2::uuid[], $3::integer[], $4::text[]) as u (task, epoch, stop) where l.ns = $5 and l.task = u.task and l.epoch = u.epoch",
        None,
    )
}
impl StopLeasesStmt {
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
        T3: crate::StringSql,
        T4: crate::ArraySql<Item = T3>,
    >(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        tasks: &'a T1,
        epochs: &'a T2,
        stops: &'a T4,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[now, tasks, epochs, stops, ns],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
    T3: crate::StringSql,
    T4: crate::ArraySql<Item = T3>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        StopLeasesParams<T1, T2, T3, T4>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for StopLeasesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a StopLeasesParams<T1, T2, T3, T4>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.now,
            &params.tasks,
            &params.epochs,
            &params.stops,
            &params.ns,
        ))
    }
}
pub struct LockNamedLeasesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_named_leases() -> LockNamedLeasesStmt {
    LockNamedLeasesStmt(
        "select l.task, l.epoch, g.key, l.ttl_ms, l.stop from unnest($1::uuid[], $2::integer[]) as u (task, epoch) cross join lateral ( select t.task, t.epoch, t.agent, t.ttl_ms, t.stop from workmill.lease t where t.ns = $3 and t.task = u.task and t.epoch = u.epoch for update ) as l cross join lateral ( select a.key from workmill.agent a where a.ns = $3 and a.agent = l.agent limit 1 ) as g",
        None,
    )
}
impl LockNamedLeasesStmt {
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
        T2: crate::ArraySql<Item = i32>,
    >(
        &'s self,
        client: &'c C,
        tasks: &'a T1,
        epochs: &'a T2,
        ns: &'a i64,
    ) -> LockNamedLeasesQuery<'c, 'a, 's, C, LockNamedLeases, 3> {
        LockNamedLeasesQuery {
            client,
            params: [tasks, epochs, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<LockNamedLeasesBorrowed, tokio_postgres::Error> {
                Ok(LockNamedLeasesBorrowed {
                    task: row.try_get(0)?,
                    epoch: row.try_get(1)?,
                    key: row.try_get(2)?,
                    ttl_ms: row.try_get(3)?,
                    stop: row.try_get(4)?,
                })
            },
            mapper: |it| LockNamedLeases::from(it),
        }
    }
}
impl<
    'c,
    'a,
    's,
    C: GenericClient,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        LockNamedLeasesParams<T1, T2>,
        LockNamedLeasesQuery<'c, 'a, 's, C, LockNamedLeases, 3>,
        C,
    > for LockNamedLeasesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a LockNamedLeasesParams<T1, T2>,
    ) -> LockNamedLeasesQuery<'c, 'a, 's, C, LockNamedLeases, 3> {
        self.bind(client, &params.tasks, &params.epochs, &params.ns)
    }
}
pub struct RenewLeasesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn renew_leases() -> RenewLeasesStmt {
    RenewLeasesStmt(
        "update workmill.lease l set renewed_at = $1 where l.ns = $2 and l.ctid = any( array( select ( select k.ctid from workmill.lease k where k.ns = $2 and k.task = u.task and k.epoch = u.epoch ) from unnest($3::uuid[], $4::integer[]) as u (task, epoch) ) )",
        None,
    )
}
impl RenewLeasesStmt {
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
    >(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        ns: &'a i64,
        tasks: &'a T1,
        epochs: &'a T2,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[now, ns, tasks, epochs])
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        RenewLeasesParams<T1, T2>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for RenewLeasesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a RenewLeasesParams<T1, T2>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.now,
            &params.ns,
            &params.tasks,
            &params.epochs,
        ))
    }
}
pub struct UpdateProgressStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn update_progress() -> UpdateProgressStmt {
    UpdateProgressStmt(
        "update workmill.lease l set progress = $1 where l.ns = $2 and l.task = $3 and l.epoch = $4",
        None,
    )
}
impl UpdateProgressStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::JsonSql>(
        &'s self,
        client: &'c C,
        progress: &'a T1,
        ns: &'a i64,
        task: &'a uuid::Uuid,
        epoch: &'a i32,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[progress, ns, task, epoch])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::JsonSql>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        UpdateProgressParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for UpdateProgressStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a UpdateProgressParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.progress,
            &params.ns,
            &params.task,
            &params.epoch,
        ))
    }
}
pub struct FindReportedStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_reported() -> FindReportedStmt {
    FindReportedStmt(
        "select l.task, l.epoch, l.posted_micros, l.usage from unnest($1::uuid[], $2::integer[]) as u (task, epoch) cross join lateral ( select t.task, t.epoch, t.posted_micros, t.usage from workmill.lease t where t.ns = $3 and t.task = u.task and t.epoch = u.epoch limit 1 ) as l",
        None,
    )
}
impl FindReportedStmt {
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
        T2: crate::ArraySql<Item = i32>,
    >(
        &'s self,
        client: &'c C,
        tasks: &'a T1,
        epochs: &'a T2,
        ns: &'a i64,
    ) -> FindReportedQuery<'c, 'a, 's, C, FindReported, 3> {
        FindReportedQuery {
            client,
            params: [tasks, epochs, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindReportedBorrowed, tokio_postgres::Error> {
                    Ok(FindReportedBorrowed {
                        task: row.try_get(0)?,
                        epoch: row.try_get(1)?,
                        posted_micros: row.try_get(2)?,
                        usage: row.try_get(3)?,
                    })
                },
            mapper: |it| FindReported::from(it),
        }
    }
}
impl<
    'c,
    'a,
    's,
    C: GenericClient,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindReportedParams<T1, T2>,
        FindReportedQuery<'c, 'a, 's, C, FindReported, 3>,
        C,
    > for FindReportedStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindReportedParams<T1, T2>,
    ) -> FindReportedQuery<'c, 'a, 's, C, FindReported, 3> {
        self.bind(client, &params.tasks, &params.epochs, &params.ns)
    }
}
pub struct UpdateReportedStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn update_reported() -> UpdateReportedStmt {
    UpdateReportedStmt(
        "insert into workmill.lease ( ns, claimed_at, renewed_at, ttl_ms, lease_ms, cost_micros, task, epoch, resumed, has_holds, agent, usage ) select a.ns, '-infinity', '-infinity', 0, 0, u.cost_micros, u.task, u.epoch, 0, false, '', u.usage from workmill.anchor a, unnest($1::uuid[], $2::integer[], $3::bigint[], $4::jsonb[]) as u (task, epoch, cost_micros, usage) where a.ns = $5 on conflict (ns, task, epoch) do update set cost_micros = excluded.cost_micros, usage = excluded.usage",
        None,
    )
}
impl UpdateReportedStmt {
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
        T3: crate::ArraySql<Item = i64>,
        T4: crate::JsonSql,
        T5: crate::ArraySql<Item = T4>,
    >(
        &'s self,
        client: &'c C,
        tasks: &'a T1,
        epochs: &'a T2,
        costs: &'a T3,
        usages: &'a T5,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[tasks, epochs, costs, usages, ns],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
    T3: crate::ArraySql<Item = i64>,
    T4: crate::JsonSql,
    T5: crate::ArraySql<Item = T4>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        UpdateReportedParams<T1, T2, T3, T4, T5>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for UpdateReportedStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a UpdateReportedParams<T1, T2, T3, T4, T5>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.tasks,
            &params.epochs,
            &params.costs,
            &params.usages,
            &params.ns,
        ))
    }
}
pub struct UpdatePostedStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn update_posted() -> UpdatePostedStmt {
    UpdatePostedStmt(
        "update workmill.lease l set posted_micros = $1, usage = $2 where l.ns = $3 and l.task = $4 and l.epoch = $5",
        None,
    )
}
impl UpdatePostedStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::JsonSql>(
        &'s self,
        client: &'c C,
        posted_micros: &'a i64,
        usage: &'a T1,
        ns: &'a i64,
        task: &'a uuid::Uuid,
        epoch: &'a i32,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[posted_micros, usage, ns, task, epoch],
            )
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::JsonSql>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        UpdatePostedParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for UpdatePostedStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a UpdatePostedParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.posted_micros,
            &params.usage,
            &params.ns,
            &params.task,
            &params.epoch,
        ))
    }
}
pub struct UpsertCheckpointsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn upsert_checkpoints() -> UpsertCheckpointsStmt {
    UpsertCheckpointsStmt(
        "insert into workmill.checkpoint (ns, task, epoch, at, data) select a.ns, u.task, u.epoch, $1, u.data from workmill.anchor a, unnest($2::uuid[], $3::integer[], $4::jsonb[]) as u (task, epoch, data) where a.ns = $5 on conflict (ns, task) do update set epoch = excluded.epoch, at = excluded.at, data = excluded.data",
        None,
    )
}
impl UpsertCheckpointsStmt {
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
        T3: crate::JsonSql,
        T4: crate::ArraySql<Item = T3>,
    >(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        tasks: &'a T1,
        epochs: &'a T2,
        data: &'a T4,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[now, tasks, epochs, data, ns],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
    T3: crate::JsonSql,
    T4: crate::ArraySql<Item = T3>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        UpsertCheckpointsParams<T1, T2, T3, T4>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for UpsertCheckpointsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a UpsertCheckpointsParams<T1, T2, T3, T4>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.now,
            &params.tasks,
            &params.epochs,
            &params.data,
            &params.ns,
        ))
    }
}
