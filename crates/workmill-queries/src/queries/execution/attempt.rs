// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct StartLeasesParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
> {
    pub now: jiff::Timestamp,
    pub tasks: T1,
    pub epochs: T2,
    pub ns: i64,
}
#[derive(Debug)]
pub struct StartStatesParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub running: i16,
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct RenewLeasesParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
> {
    pub tasks: T1,
    pub epochs: T2,
    pub ns: i64,
    pub key: uuid::Uuid,
    pub now: jiff::Timestamp,
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct RenewLeases {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub ttl_ms: i64,
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct RenewLeasesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<RenewLeases, tokio_postgres::Error>,
    mapper: fn(RenewLeases) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> RenewLeasesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(RenewLeases) -> R) -> RenewLeasesQuery<'c, 'a, 's, C, R, N> {
        RenewLeasesQuery {
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
        "update workmill.lease l set started_at = $1, renewed_at = $1, ttl_ms = l.lease_ms from unnest($2::uuid[], $3::integer[]) as u (task, epoch) where l.ns = $4 and l.task = u.task and l.epoch = u.epoch",
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
        tasks: &'a T1,
        epochs: &'a T2,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[now, tasks, epochs, ns])
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
            &params.tasks,
            &params.epochs,
            &params.ns,
        ))
    }
}
pub struct StartStatesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn start_states() -> StartStatesStmt {
    StartStatesStmt(
        "update workmill.state s set state = $1 where s.ns = $2 and s.task = any($3::uuid[])",
        None,
    )
}
impl StartStatesStmt {
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
        running: &'a i16,
        ns: &'a i64,
        tasks: &'a T1,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[running, ns, tasks])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        StartStatesParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for StartStatesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a StartStatesParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.running, &params.ns, &params.tasks))
    }
}
pub struct RenewLeasesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn renew_leases() -> RenewLeasesStmt {
    RenewLeasesStmt(
        "with locked as ( select l.task, l.epoch from workmill.lease l join unnest($1::uuid[], $2::integer[]) as u (task, epoch) on l.task = u.task and l.epoch = u.epoch join workmill.agent g on g.ns = l.ns and g.agent = l.agent where l.ns = $3 and g.ns = $3 and g.key = $4 order by l.task, l.epoch for update of l ) update workmill.lease l set renewed_at = $5 from locked k where l.ns = $3 and l.task = k.task and l.epoch = k.epoch returning l.task, l.epoch, l.ttl_ms",
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
        key: &'a uuid::Uuid,
        now: &'a jiff::Timestamp,
    ) -> RenewLeasesQuery<'c, 'a, 's, C, RenewLeases, 5> {
        RenewLeasesQuery {
            client,
            params: [tasks, epochs, ns, key, now],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row: &tokio_postgres::Row| -> Result<RenewLeases, tokio_postgres::Error> {
                Ok(RenewLeases {
                    task: row.try_get(0)?,
                    epoch: row.try_get(1)?,
                    ttl_ms: row.try_get(2)?,
                })
            },
            mapper: |it| RenewLeases::from(it),
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
        RenewLeasesParams<T1, T2>,
        RenewLeasesQuery<'c, 'a, 's, C, RenewLeases, 5>,
        C,
    > for RenewLeasesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a RenewLeasesParams<T1, T2>,
    ) -> RenewLeasesQuery<'c, 'a, 's, C, RenewLeases, 5> {
        self.bind(
            client,
            &params.tasks,
            &params.epochs,
            &params.ns,
            &params.key,
            &params.now,
        )
    }
}
