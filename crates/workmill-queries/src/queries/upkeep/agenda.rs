// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct ReadAgendaParams<T1: crate::ArraySql<Item = i64>> {
    pub now: Option<jiff::Timestamp>,
    pub longest_silence_ms: i64,
    pub waited_in: T1,
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct ReadAgenda {
    pub now: jiff::Timestamp,
    pub alive_at: Option<jiff::Timestamp>,
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
pub struct ReadAgendaStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn read_agenda() -> ReadAgendaStmt {
    ReadAgendaStmt(
        "with turn as materialized ( select coalesce($1::timestamptz, clock_timestamp()) as now ), alive as ( insert into workmill.liveness as l (one_row, at) select true, t.now from turn t where ( select count(*) from workmill.liveness o where o.at < t.now - $2::bigint * interval '1 millisecond' ) = 0 on conflict (one_row) do update set at = greatest(l.at, excluded.at) ) select t.now, (select l.at from workmill.liveness l) as alive_at, ( select count(*) > 0 from ( select l.task from workmill.lease l where l.renewed_at + l.ttl_ms * interval '1 millisecond' <= t.now or l.started_at + l.max_duration_ms * interval '1 millisecond' <= t.now or l.stop_at + l.lease_ms * interval '1 millisecond' <= t.now limit 1 ) as k ) as has_lost_leases, ( select count(*) > 0 from (select b.task from workmill.blocked b where b.until <= t.now limit 1) as k ) as has_expired_blocks, ( select count(*) > 0 from workmill.anchor a cross join lateral ( select d.task from workmill.deadline d where d.ns = a.ns and d.presses_at <= t.now order by d.presses_at, d.task limit 1 ) as k ) as has_pressing_deadlines, ( select count(*) > 0 from workmill.anchor a cross join lateral ( select d.task from workmill.due d where d.ns = a.ns and d.at <= t.now order by d.at, d.task limit 1 ) as k ) as has_due_tasks, ( select count(*) > 0 from workmill.anchor a cross join lateral ( select p.batch from workmill.event_pending p where p.ns = a.ns order by p.written_at, p.batch limit 1 ) as k ) as has_pending_events, ( select count(*) > 0 from workmill.gate g where g.has_waiters or g.is_removed or g.reserved_for is not null or g.cap is null ) as has_restless_gates, ( select count(*) > 0 from workmill.anchor a cross join lateral ( select r.task from workmill.ready r where r.ns = a.ns order by r.lane, r.rank, r.task limit 1 ) as k where a.ns = any($3) ) as has_ready_tasks from turn t",
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
        now: &'a Option<jiff::Timestamp>,
        longest_silence_ms: &'a i64,
        waited_in: &'a T1,
    ) -> ReadAgendaQuery<'c, 'a, 's, C, ReadAgenda, 3> {
        ReadAgendaQuery {
            client,
            params: [now, longest_silence_ms, waited_in],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row: &tokio_postgres::Row| -> Result<ReadAgenda, tokio_postgres::Error> {
                Ok(ReadAgenda {
                    now: row.try_get(0)?,
                    alive_at: row.try_get(1)?,
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
        ReadAgendaQuery<'c, 'a, 's, C, ReadAgenda, 3>,
        C,
    > for ReadAgendaStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a ReadAgendaParams<T1>,
    ) -> ReadAgendaQuery<'c, 'a, 's, C, ReadAgenda, 3> {
        self.bind(
            client,
            &params.now,
            &params.longest_silence_ms,
            &params.waited_in,
        )
    }
}
