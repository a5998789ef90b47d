// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct CountQueueParams<T1: crate::ArraySql<Item = i64>> {
    pub most: i64,
    pub namespaces: T1,
}
#[derive(Debug)]
pub struct CountAgentsParams<T1: crate::ArraySql<Item = i64>> {
    pub most: i64,
    pub namespaces: T1,
}
#[derive(Debug)]
pub struct FindAgentsAtWorkParams<T1: crate::ArraySql<Item = i64>> {
    pub most: i64,
    pub namespaces: T1,
}
#[derive(Debug)]
pub struct FindDailySpendParams<T1: crate::ArraySql<Item = i64>> {
    pub day: jiff::Timestamp,
    pub namespaces: T1,
}
#[derive(Debug)]
pub struct FindWatchedGatesParams<T1: crate::ArraySql<Item = i64>> {
    pub most: i64,
    pub namespaces: T1,
}
#[derive(Debug, Clone, PartialEq)]
pub struct CountQueue {
    pub ns: i64,
    pub place: String,
    pub state: i16,
    pub gate_kind: Option<String>,
    pub priority: Option<i32>,
    pub source: String,
    pub tasks: i64,
    pub oldest: Option<jiff::Timestamp>,
}
pub struct CountQueueBorrowed<'a> {
    pub ns: i64,
    pub place: &'a str,
    pub state: i16,
    pub gate_kind: Option<&'a str>,
    pub priority: Option<i32>,
    pub source: &'a str,
    pub tasks: i64,
    pub oldest: Option<jiff::Timestamp>,
}
impl<'a> From<CountQueueBorrowed<'a>> for CountQueue {
    fn from(
        CountQueueBorrowed {
            ns,
            place,
            state,
            gate_kind,
            priority,
            source,
            tasks,
            oldest,
        }: CountQueueBorrowed<'a>,
    ) -> Self {
        Self {
            ns,
            place: place.into(),
            state,
            gate_kind: gate_kind.map(|v| v.into()),
            priority,
            source: source.into(),
            tasks,
            oldest,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct CountAgents {
    pub status: String,
    pub agents: i64,
    pub busy: i64,
    pub slots: i64,
    pub leases: i64,
}
pub struct CountAgentsBorrowed<'a> {
    pub status: &'a str,
    pub agents: i64,
    pub busy: i64,
    pub slots: i64,
    pub leases: i64,
}
impl<'a> From<CountAgentsBorrowed<'a>> for CountAgents {
    fn from(
        CountAgentsBorrowed {
            status,
            agents,
            busy,
            slots,
            leases,
        }: CountAgentsBorrowed<'a>,
    ) -> Self {
        Self {
            status: status.into(),
            agents,
            busy,
            slots,
            leases,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindAgentsAtWork {
    pub agent: String,
    pub slots: i64,
    pub leases: i64,
}
pub struct FindAgentsAtWorkBorrowed<'a> {
    pub agent: &'a str,
    pub slots: i64,
    pub leases: i64,
}
impl<'a> From<FindAgentsAtWorkBorrowed<'a>> for FindAgentsAtWork {
    fn from(
        FindAgentsAtWorkBorrowed {
            agent,
            slots,
            leases,
        }: FindAgentsAtWorkBorrowed<'a>,
    ) -> Self {
        Self {
            agent: agent.into(),
            slots,
            leases,
        }
    }
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindDailySpend {
    pub ns: i64,
    pub spent_micros: i64,
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindWatchedGates {
    pub ns: i64,
    pub gate: String,
    pub cap: Option<i64>,
    pub used: i64,
    pub spent: i64,
    pub time_zone: Option<String>,
}
pub struct FindWatchedGatesBorrowed<'a> {
    pub ns: i64,
    pub gate: &'a str,
    pub cap: Option<i64>,
    pub used: i64,
    pub spent: i64,
    pub time_zone: Option<&'a str>,
}
impl<'a> From<FindWatchedGatesBorrowed<'a>> for FindWatchedGates {
    fn from(
        FindWatchedGatesBorrowed {
            ns,
            gate,
            cap,
            used,
            spent,
            time_zone,
        }: FindWatchedGatesBorrowed<'a>,
    ) -> Self {
        Self {
            ns,
            gate: gate.into(),
            cap,
            used,
            spent,
            time_zone: time_zone.map(|v| v.into()),
        }
    }
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
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
pub struct CountQueueQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<CountQueueBorrowed, tokio_postgres::Error>,
    mapper: fn(CountQueueBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> CountQueueQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(CountQueueBorrowed) -> R,
    ) -> CountQueueQuery<'c, 'a, 's, C, R, N> {
        CountQueueQuery {
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
pub struct CountAgentsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<CountAgentsBorrowed, tokio_postgres::Error>,
    mapper: fn(CountAgentsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> CountAgentsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(CountAgentsBorrowed) -> R,
    ) -> CountAgentsQuery<'c, 'a, 's, C, R, N> {
        CountAgentsQuery {
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
pub struct FindAgentsAtWorkQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindAgentsAtWorkBorrowed, tokio_postgres::Error>,
    mapper: fn(FindAgentsAtWorkBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindAgentsAtWorkQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindAgentsAtWorkBorrowed) -> R,
    ) -> FindAgentsAtWorkQuery<'c, 'a, 's, C, R, N> {
        FindAgentsAtWorkQuery {
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
pub struct FindDailySpendQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindDailySpend, tokio_postgres::Error>,
    mapper: fn(FindDailySpend) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindDailySpendQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindDailySpend) -> R,
    ) -> FindDailySpendQuery<'c, 'a, 's, C, R, N> {
        FindDailySpendQuery {
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
pub struct FindWatchedGatesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindWatchedGatesBorrowed, tokio_postgres::Error>,
    mapper: fn(FindWatchedGatesBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindWatchedGatesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindWatchedGatesBorrowed) -> R,
    ) -> FindWatchedGatesQuery<'c, 'a, 's, C, R, N> {
        FindWatchedGatesQuery {
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
pub struct FindWatchedNamespacesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_watched_namespaces() -> FindWatchedNamespacesStmt {
    FindWatchedNamespacesStmt(
        "select n.ns from workmill.namespace n order by n.ns limit $1",
        None,
    )
}
impl FindWatchedNamespacesStmt {
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
        most: &'a i64,
    ) -> I64Query<'c, 'a, 's, C, i64, 1> {
        I64Query {
            client,
            params: [most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
pub struct CountQueueStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn count_queue() -> CountQueueStmt {
    CountQueueStmt(
        "select u.ns, p.place, s.state, split_part(p.gate, chr(58), 1) as gate_kind, d.priority, d.source, count(*) as tasks, min(d.submitted_at) as oldest from workmill.anchor u cross join lateral ( (select 'ready' as place, r.task, null as gate from workmill.ready r where r.ns = u.ns limit $1) union all (select 'gated', g.task, g.gate from workmill.gated g where g.ns = u.ns limit $1) union all (select 'due', a.task, null from workmill.due a where a.ns = u.ns limit $1) union all (select 'held', l.task, null from workmill.lease l where l.ns = u.ns limit $1) union all (select 'blocked', b.task, null from workmill.blocked b where b.ns = u.ns limit $1) union all (select 'dead_lettered', b.task, null from workmill.dead_letter b where b.ns = u.ns limit $1) ) as p cross join lateral ( select t.state, t.spec_version from workmill.state t where t.ns = u.ns and t.task = p.task limit 1 ) as s cross join lateral ( select (t.policy -> 'admission' ->> 'priority')::integer as priority, split_part(t.created_by, chr(58), 1) as source, t.submitted_at from workmill.spec t where t.ns = u.ns and t.task = p.task and t.version = s.spec_version limit 1 ) as d where u.ns = any($2::bigint[]) group by 1, 2, 3, 4, 5, 6",
        None,
    )
}
impl CountQueueStmt {
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
    ) -> CountQueueQuery<'c, 'a, 's, C, CountQueue, 2> {
        CountQueueQuery {
            client,
            params: [most, namespaces],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<CountQueueBorrowed, tokio_postgres::Error> {
                    Ok(CountQueueBorrowed {
                        ns: row.try_get(0)?,
                        place: row.try_get(1)?,
                        state: row.try_get(2)?,
                        gate_kind: row.try_get(3)?,
                        priority: row.try_get(4)?,
                        source: row.try_get(5)?,
                        tasks: row.try_get(6)?,
                        oldest: row.try_get(7)?,
                    })
                },
            mapper: |it| CountQueue::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = i64>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        CountQueueParams<T1>,
        CountQueueQuery<'c, 'a, 's, C, CountQueue, 2>,
        C,
    > for CountQueueStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a CountQueueParams<T1>,
    ) -> CountQueueQuery<'c, 'a, 's, C, CountQueue, 2> {
        self.bind(client, &params.most, &params.namespaces)
    }
}
pub struct CountAgentsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn count_agents() -> CountAgentsStmt {
    CountAgentsStmt(
        "select a.status, count(*) as agents, count(*) filter (where l.leases > 0) as busy, sum(case when a.is_by_hand then l.leases else a.slots end)::bigint as slots, sum(l.leases)::bigint as leases from workmill.anchor u cross join lateral ( select t.agent, case when t.silent_since is null then t.status else 'offline' end as status, t.slots, t.is_by_hand from workmill.agent t where t.ns = u.ns order by t.agent limit $1 ) as a cross join lateral ( select count(*) as leases from ( select t.task from workmill.lease t where t.ns = u.ns and t.agent = a.agent limit $1 ) as x ) as l where u.ns = any($2::bigint[]) group by a.status",
        None,
    )
}
impl CountAgentsStmt {
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
    ) -> CountAgentsQuery<'c, 'a, 's, C, CountAgents, 2> {
        CountAgentsQuery {
            client,
            params: [most, namespaces],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<CountAgentsBorrowed, tokio_postgres::Error> {
                    Ok(CountAgentsBorrowed {
                        status: row.try_get(0)?,
                        agents: row.try_get(1)?,
                        busy: row.try_get(2)?,
                        slots: row.try_get(3)?,
                        leases: row.try_get(4)?,
                    })
                },
            mapper: |it| CountAgents::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = i64>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        CountAgentsParams<T1>,
        CountAgentsQuery<'c, 'a, 's, C, CountAgents, 2>,
        C,
    > for CountAgentsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a CountAgentsParams<T1>,
    ) -> CountAgentsQuery<'c, 'a, 's, C, CountAgents, 2> {
        self.bind(client, &params.most, &params.namespaces)
    }
}
pub struct FindAgentsAtWorkStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_agents_at_work() -> FindAgentsAtWorkStmt {
    FindAgentsAtWorkStmt(
        "select a.agent, case when a.is_by_hand then l.leases else a.slots end as slots, l.leases from workmill.anchor u cross join lateral ( select t.agent, t.status, t.slots, t.is_by_hand, t.silent_since from workmill.agent t where t.ns = u.ns order by t.agent limit $1 ) as a cross join lateral ( select count(*) as leases from ( select t.task from workmill.lease t where t.ns = u.ns and t.agent = a.agent limit $1 ) as x ) as l where u.ns = any($2::bigint[]) and a.status = 'active' and a.silent_since is null order by a.agent",
        None,
    )
}
impl FindAgentsAtWorkStmt {
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
    ) -> FindAgentsAtWorkQuery<'c, 'a, 's, C, FindAgentsAtWork, 2> {
        FindAgentsAtWorkQuery {
            client,
            params: [most, namespaces],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindAgentsAtWorkBorrowed, tokio_postgres::Error> {
                Ok(FindAgentsAtWorkBorrowed {
                    agent: row.try_get(0)?,
                    slots: row.try_get(1)?,
                    leases: row.try_get(2)?,
                })
            },
            mapper: |it| FindAgentsAtWork::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = i64>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindAgentsAtWorkParams<T1>,
        FindAgentsAtWorkQuery<'c, 'a, 's, C, FindAgentsAtWork, 2>,
        C,
    > for FindAgentsAtWorkStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindAgentsAtWorkParams<T1>,
    ) -> FindAgentsAtWorkQuery<'c, 'a, 's, C, FindAgentsAtWork, 2> {
        self.bind(client, &params.most, &params.namespaces)
    }
}
pub struct FindDailySpendStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_daily_spend() -> FindDailySpendStmt {
    FindDailySpendStmt(
        "select d.ns, d.spent_micros from workmill.anchor u cross join lateral ( select t.ns, t.spent_micros from workmill.daily_spend t where t.ns = u.ns and t.day = $1 limit 1 ) as d where u.ns = any($2::bigint[])",
        None,
    )
}
impl FindDailySpendStmt {
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
        day: &'a jiff::Timestamp,
        namespaces: &'a T1,
    ) -> FindDailySpendQuery<'c, 'a, 's, C, FindDailySpend, 2> {
        FindDailySpendQuery {
            client,
            params: [day, namespaces],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindDailySpend, tokio_postgres::Error> {
                    Ok(FindDailySpend {
                        ns: row.try_get(0)?,
                        spent_micros: row.try_get(1)?,
                    })
                },
            mapper: |it| FindDailySpend::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = i64>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindDailySpendParams<T1>,
        FindDailySpendQuery<'c, 'a, 's, C, FindDailySpend, 2>,
        C,
    > for FindDailySpendStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindDailySpendParams<T1>,
    ) -> FindDailySpendQuery<'c, 'a, 's, C, FindDailySpend, 2> {
        self.bind(client, &params.day, &params.namespaces)
    }
}
pub struct FindWatchedGatesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_watched_gates() -> FindWatchedGatesStmt {
    FindWatchedGatesStmt(
        "select u.ns, g.gate, g.cap, g.used, g.spent, g.time_zone from workmill.anchor u cross join lateral ( select t.gate, t.cap, t.used, t.spent, t.time_zone, t.is_removed from workmill.gate t where t.ns = u.ns order by t.gate limit $1 ) as g where u.ns = any($2::bigint[]) and not g.is_removed and g.cap is not null",
        None,
    )
}
impl FindWatchedGatesStmt {
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
    ) -> FindWatchedGatesQuery<'c, 'a, 's, C, FindWatchedGates, 2> {
        FindWatchedGatesQuery {
            client,
            params: [most, namespaces],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindWatchedGatesBorrowed, tokio_postgres::Error> {
                Ok(FindWatchedGatesBorrowed {
                    ns: row.try_get(0)?,
                    gate: row.try_get(1)?,
                    cap: row.try_get(2)?,
                    used: row.try_get(3)?,
                    spent: row.try_get(4)?,
                    time_zone: row.try_get(5)?,
                })
            },
            mapper: |it| FindWatchedGates::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = i64>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindWatchedGatesParams<T1>,
        FindWatchedGatesQuery<'c, 'a, 's, C, FindWatchedGates, 2>,
        C,
    > for FindWatchedGatesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindWatchedGatesParams<T1>,
    ) -> FindWatchedGatesQuery<'c, 'a, 's, C, FindWatchedGates, 2> {
        self.bind(client, &params.most, &params.namespaces)
    }
}
pub struct FindOldestPendingEventsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_oldest_pending_events() -> FindOldestPendingEventsStmt {
    FindOldestPendingEventsStmt(
        "select p.written_at from workmill.anchor u cross join lateral ( select t.written_at from workmill.event_pending t where t.ns = u.ns order by t.written_at limit 1 ) as p where u.ns = any($1::bigint[])",
        None,
    )
}
impl FindOldestPendingEventsStmt {
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
        namespaces: &'a T1,
    ) -> JiffTimestampQuery<'c, 'a, 's, C, jiff::Timestamp, 1> {
        JiffTimestampQuery {
            client,
            params: [namespaces],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
