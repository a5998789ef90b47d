// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct ReadAgendaParams<T1: crate::ArraySql<Item = i64>> {
    pub about_now: jiff::Timestamp,
    pub waited_in: T1,
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct ReadAgenda {
    pub now: jiff::Timestamp,
    pub has_leases: bool,
    pub has_lost_leases: bool,
    pub has_expired_blocks: bool,
    pub has_pressing_deadlines: bool,
    pub has_due_tasks: bool,
    pub has_pending_events: bool,
    pub has_restless_gates: bool,
    pub has_ready_tasks: bool,
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct ReadAgendaQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<ReadAgenda, tokio_postgres::Error>,
    mapper: fn(ReadAgenda) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> ReadAgendaQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(ReadAgenda) -> R) -> ReadAgendaQuery<'c, 'a, 's, C, R, N> {
        ReadAgendaQuery {
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
pub struct JiffTimestampQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<jiff::Timestamp, tokio_postgres::Error>,
    mapper: fn(jiff::Timestamp) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> JiffTimestampQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(jiff::Timestamp) -> R,
    ) -> JiffTimestampQuery<'c, 'a, 's, C, R, N> {
        JiffTimestampQuery {
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
pub struct ReadAgendaStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn read_agenda() -> ReadAgendaStmt {
    ReadAgendaStmt(
        "select clock_timestamp() as now, coalesce(bool_or(h.task is not null), false) as has_leases, coalesce(bool_or(l.task is not null), false) as has_lost_leases, coalesce(bool_or(b.task is not null), false) as has_expired_blocks, coalesce(bool_or(d.task is not null), false) as has_pressing_deadlines, coalesce(bool_or(u.task is not null), false) as has_due_tasks, coalesce(bool_or(p.batch is not null), false) as has_pending_events, coalesce(bool_or(g.gate is not null), false) as has_restless_gates, coalesce(bool_or(r.task is not null), false) as has_ready_tasks from workmill.anchor a left join lateral ( select k.task from workmill.lease k where k.ns = a.ns limit 1 ) as h on true left join lateral ( select k.task from workmill.lease k where k.ns = a.ns and ( k.renewed_at + k.ttl_ms * interval '1 millisecond' <= $1 or k.started_at + k.max_duration_ms * interval '1 millisecond' <= $1 or k.stop_at + k.lease_ms * interval '1 millisecond' <= $1 ) limit 1 ) as l on true left join lateral ( select k.task from workmill.blocked k where k.ns = a.ns and k.until <= $1 limit 1 ) as b on true left join lateral ( select k.task from workmill.deadline k where k.ns = a.ns and k.presses_at <= $1 order by k.presses_at, k.task limit 1 ) as d on true left join lateral ( select k.task from workmill.due k where k.ns = a.ns and k.at <= $1 order by k.at, k.task limit 1 ) as u on true left join lateral ( select k.batch from workmill.event_pending k where k.ns = a.ns order by k.written_at, k.batch limit 1 ) as p on true left join lateral ( select k.gate from workmill.gate k where k.ns = a.ns and (k.has_waiters or k.is_removed or k.reserved_for is not null or k.cap is null) limit 1 ) as g on true left join lateral ( select k.task from workmill.ready k where k.ns = a.ns and a.ns = any($2) order by k.lane, k.rank, k.task limit 1 ) as r on true",
        None,
    )
}
impl ReadAgendaStmt {
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
        about_now: &'a jiff::Timestamp,
        waited_in: &'a T1,
    ) -> ReadAgendaQuery<'c, 'a, 's, C, ReadAgenda, 2> {
        ReadAgendaQuery {
            client,
            params: [about_now, waited_in],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row: &tokio_postgres::Row| -> Result<ReadAgenda, tokio_postgres::Error> {
                Ok(ReadAgenda {
                    now: row.try_get(0)?,
                    has_leases: row.try_get(1)?,
                    has_lost_leases: row.try_get(2)?,
                    has_expired_blocks: row.try_get(3)?,
                    has_pressing_deadlines: row.try_get(4)?,
                    has_due_tasks: row.try_get(5)?,
                    has_pending_events: row.try_get(6)?,
                    has_restless_gates: row.try_get(7)?,
                    has_ready_tasks: row.try_get(8)?,
                })
            },
            mapper: |it| ReadAgenda::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = i64>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        ReadAgendaParams<T1>,
        ReadAgendaQuery<'c, 'a, 's, C, ReadAgenda, 2>,
        C,
    > for ReadAgendaStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a ReadAgendaParams<T1>,
    ) -> ReadAgendaQuery<'c, 'a, 's, C, ReadAgenda, 2> {
        self.bind(client, &params.about_now, &params.waited_in)
    }
}
pub struct FindLivenessStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_liveness() -> FindLivenessStmt {
    FindLivenessStmt("select at from workmill.liveness", None)
}
impl FindLivenessStmt {
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
    ) -> JiffTimestampQuery<'c, 'a, 's, C, jiff::Timestamp, 0> {
        JiffTimestampQuery {
            client,
            params: [],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
pub struct TouchLivenessStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn touch_liveness() -> TouchLivenessStmt {
    TouchLivenessStmt(
        "insert into workmill.liveness as l (one_row, at) values (true, $1) on conflict (one_row) do update set at = greatest(l.at, excluded.at)",
        None,
    )
}
impl TouchLivenessStmt {
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
        now: &'a jiff::Timestamp,
    ) -> Result<u64, tokio_postgres::Error> {
        client.execute(&client.prepare(self.0).await?, &[now]).await
    }
}
pub struct FindNamespacesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_namespaces() -> FindNamespacesStmt {
    FindNamespacesStmt("select ns from workmill.namespace order by ns", None)
}
impl FindNamespacesStmt {
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
    ) -> I64Query<'c, 'a, 's, C, i64, 0> {
        I64Query {
            client,
            params: [],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
pub struct FindNextNamespaceStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_next_namespace() -> FindNextNamespaceStmt {
    FindNextNamespaceStmt(
        "select ns from workmill.namespace where ns > $1 order by ns limit 1",
        None,
    )
}
impl FindNextNamespaceStmt {
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
        after: &'a i64,
    ) -> I64Query<'c, 'a, 's, C, i64, 1> {
        I64Query {
            client,
            params: [after],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
pub struct CanReachStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn can_reach() -> CanReachStmt {
    CanReachStmt("select ns from workmill.anchor where ns = $1", None)
}
impl CanReachStmt {
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
    ) -> I64Query<'c, 'a, 's, C, i64, 1> {
        I64Query {
            client,
            params: [ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
