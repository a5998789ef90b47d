// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct LookBeforeParams<T1: crate::ArraySql<Item = i64>, T2: crate::StringSql> {
    pub lanes: T1,
    pub ns: i64,
    pub key: Option<T2>,
}
#[derive(Debug)]
pub struct LockAgentParams<T1: crate::StringSql> {
    pub ns: i64,
    pub agent: T1,
}
#[derive(Debug)]
pub struct HandOverAtOnceParams<
    T1: crate::StringSql,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = i64>,
    T4: crate::StringSql,
    T5: crate::BytesSql,
    T6: crate::StringSql,
    T7: crate::JsonSql,
    T8: crate::JsonSql,
    T9: crate::JsonSql,
> {
    pub told: Option<jiff::Timestamp>,
    pub ns: i64,
    pub agent: T1,
    pub agent_version: T2,
    pub request: Option<uuid::Uuid>,
    pub since: jiff::Timestamp,
    pub gates_version: i64,
    pub now: jiff::Timestamp,
    pub lanes: T3,
    pub request_key: Option<T4>,
    pub digest: Option<T5>,
    pub task: uuid::Uuid,
    pub created_by: T6,
    pub created_by_key: Option<uuid::Uuid>,
    pub body: T7,
    pub policy: T8,
    pub graph: uuid::Uuid,
    pub lane: i64,
    pub rank: i64,
    pub state: i16,
    pub critical_path: i16,
    pub on_dependency_failure: i16,
    pub epoch: i32,
    pub attempts: i32,
    pub starts: bool,
    pub ttl_ms: i64,
    pub lease_ms: i64,
    pub max_duration_ms: Option<i64>,
    pub batch: uuid::Uuid,
    pub facts: T9,
    pub count: i32,
}
#[derive(Debug, Clone, PartialEq)]
pub struct LookBefore {
    pub gates_version: i64,
    pub is_ready: bool,
    pub digest: Option<Vec<u8>>,
    pub graph: Option<uuid::Uuid>,
    pub tasks: Option<Vec<uuid::Uuid>>,
}
pub struct LookBeforeBorrowed<'a> {
    pub gates_version: i64,
    pub is_ready: bool,
    pub digest: Option<&'a [u8]>,
    pub graph: Option<uuid::Uuid>,
    pub tasks: Option<crate::ArrayIterator<'a, uuid::Uuid>>,
}
impl<'a> From<LookBeforeBorrowed<'a>> for LookBefore {
    fn from(
        LookBeforeBorrowed {
            gates_version,
            is_ready,
            digest,
            graph,
            tasks,
        }: LookBeforeBorrowed<'a>,
    ) -> Self {
        Self {
            gates_version,
            is_ready,
            digest: digest.map(|v| v.into()),
            graph,
            tasks: tasks.map(|v| v.map(|v| v).collect()),
        }
    }
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct LookBeforeQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<LookBeforeBorrowed, tokio_postgres::Error>,
    mapper: fn(LookBeforeBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> LookBeforeQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(LookBeforeBorrowed) -> R,
    ) -> LookBeforeQuery<'c, 'a, 's, C, R, N> {
        LookBeforeQuery {
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
pub struct LookBeforeStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn look_before() -> LookBeforeStmt {
    LookBeforeStmt(
        "select a.gates_version, exists ( select from unnest($1::bigint[]) as l (lane) cross join lateral ( select from workmill.ready r where r.ns = $2 and r.lane = l.lane limit 1 ) as r ) as is_ready, i.digest, i.graph, i.tasks from workmill.anchor a left join lateral ( select t.digest, t.graph, t.tasks from workmill.idempotency t where t.ns = $2 and t.key = $3 limit 1 ) as i on true where a.ns = $2",
        None,
    )
}
impl LookBeforeStmt {
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
        T1: crate::ArraySql<Item = i64>,
        T2: crate::StringSql,
    >(
        &'s self,
        client: &'c C,
        lanes: &'a T1,
        ns: &'a i64,
        key: &'a Option<T2>,
    ) -> LookBeforeQuery<'c, 'a, 's, C, LookBefore, 3> {
        LookBeforeQuery {
            client,
            params: [lanes, ns, key],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<LookBeforeBorrowed, tokio_postgres::Error> {
                    Ok(LookBeforeBorrowed {
                        gates_version: row.try_get(0)?,
                        is_ready: row.try_get(1)?,
                        digest: row.try_get(2)?,
                        graph: row.try_get(3)?,
                        tasks: row.try_get(4)?,
                    })
                },
            mapper: |it| LookBefore::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = i64>, T2: crate::StringSql>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        LookBeforeParams<T1, T2>,
        LookBeforeQuery<'c, 'a, 's, C, LookBefore, 3>,
        C,
    > for LookBeforeStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a LookBeforeParams<T1, T2>,
    ) -> LookBeforeQuery<'c, 'a, 's, C, LookBefore, 3> {
        self.bind(client, &params.lanes, &params.ns, &params.key)
    }
}
pub struct LockAgentStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_agent() -> LockAgentStmt {
    LockAgentStmt(
        "select from workmill.agent where ns = $1 and agent = $2 for update",
        None,
    )
}
impl LockAgentStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::StringSql>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        agent: &'a T1,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, agent])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::StringSql>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        LockAgentParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for LockAgentStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a LockAgentParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.agent))
    }
}
pub struct HandOverAtOnceStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn hand_over_at_once() -> HandOverAtOnceStmt {
    HandOverAtOnceStmt(
        "with premise as materialized ( select a.ns, t.now from workmill.anchor a cross join (select coalesce($1::timestamptz, clock_timestamp()) as now) as t cross join lateral ( select k.slots from workmill.agent k where k.ns = $2 and k.agent = $3 and k.xmin::text = $4 limit 1 ) as g cross join lateral ( select count(*) as leases, coalesce(bool_or(k.request = $5), false) as is_repeat from workmill.lease k where k.ns = $2 and k.agent = $3 and k.claimed_at >= $6 ) as l where a.ns = $2 and a.gates_version = $7 and l.leases < g.slots and not l.is_repeat and t.now >= $6 and t.now - $8 between interval '0' and interval '1 second' and not exists ( select from unnest($9::bigint[]) as u (lane) cross join lateral ( select from workmill.ready r where r.ns = $2 and r.lane = u.lane limit 1 ) as r ) and not exists ( select from workmill.idempotency k where k.ns = $2 and k.key = $10 ) ), requests as ( insert into workmill.idempotency (ns, key, digest, at, graph, tasks) select p.ns, $10, $11, $8, null, array[$12::uuid] from premise p where $10::text is not null ), specs as ( insert into workmill.spec ( ns, task, version, submitted_at, created_by, created_by_key, parent, body, policy ) select p.ns, $12, 1, $8, $13, $14, null, $15, $16 from premise p ), states as ( insert into workmill.state ( ns, task, graph, lane, rank, due, state, unmet, critical_path, on_dependency_failure, in_graph, has_deadline, spec_version, epoch, attempts, crashes, freed_runners, spent_micros, project ) select p.ns, $12, $17, $18, $19, null, $20, 0, $21, $22, false, false, 1, $23, $24, 0, false, 0, null from premise p ), leases as ( insert into workmill.lease ( ns, task, epoch, resumed, agent, request, claimed_at, started_at, renewed_at, ttl_ms, lease_ms, max_duration_ms, has_holds ) select p.ns, $12, $23, 0, $3, $5, p.now, case when $25 then p.now end, p.now, $26, $27, $28, false from premise p ), events as ( insert into workmill.event (ns, batch, at, facts) select p.ns, $29, $8, $30 from premise p ), pending as ( insert into workmill.event_pending (ns, written_at, batch, facts) select p.ns, clock_timestamp(), $29, $31 from premise p ) select p.now from premise p",
        None,
    )
}
impl HandOverAtOnceStmt {
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
        T2: crate::StringSql,
        T3: crate::ArraySql<Item = i64>,
        T4: crate::StringSql,
        T5: crate::BytesSql,
        T6: crate::StringSql,
        T7: crate::JsonSql,
        T8: crate::JsonSql,
        T9: crate::JsonSql,
    >(
        &'s self,
        client: &'c C,
        told: &'a Option<jiff::Timestamp>,
        ns: &'a i64,
        agent: &'a T1,
        agent_version: &'a T2,
        request: &'a Option<uuid::Uuid>,
        since: &'a jiff::Timestamp,
        gates_version: &'a i64,
        now: &'a jiff::Timestamp,
        lanes: &'a T3,
        request_key: &'a Option<T4>,
        digest: &'a Option<T5>,
        task: &'a uuid::Uuid,
        created_by: &'a T6,
        created_by_key: &'a Option<uuid::Uuid>,
        body: &'a T7,
        policy: &'a T8,
        graph: &'a uuid::Uuid,
        lane: &'a i64,
        rank: &'a i64,
        state: &'a i16,
        critical_path: &'a i16,
        on_dependency_failure: &'a i16,
        epoch: &'a i32,
        attempts: &'a i32,
        starts: &'a bool,
        ttl_ms: &'a i64,
        lease_ms: &'a i64,
        max_duration_ms: &'a Option<i64>,
        batch: &'a uuid::Uuid,
        facts: &'a T9,
        count: &'a i32,
    ) -> JiffTimestampQuery<'c, 'a, 's, C, jiff::Timestamp, 31> {
        JiffTimestampQuery {
            client,
            params: [
                told,
                ns,
                agent,
                agent_version,
                request,
                since,
                gates_version,
                now,
                lanes,
                request_key,
                digest,
                task,
                created_by,
                created_by_key,
                body,
                policy,
                graph,
                lane,
                rank,
                state,
                critical_path,
                on_dependency_failure,
                epoch,
                attempts,
                starts,
                ttl_ms,
                lease_ms,
                max_duration_ms,
                batch,
                facts,
                count,
            ],
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
    T1: crate::StringSql,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = i64>,
    T4: crate::StringSql,
    T5: crate::BytesSql,
    T6: crate::StringSql,
    T7: crate::JsonSql,
    T8: crate::JsonSql,
    T9: crate::JsonSql,
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        HandOverAtOnceParams<T1, T2, T3, T4, T5, T6, T7, T8, T9>,
        JiffTimestampQuery<'c, 'a, 's, C, jiff::Timestamp, 31>,
        C,
    > for HandOverAtOnceStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a HandOverAtOnceParams<T1, T2, T3, T4, T5, T6, T7, T8, T9>,
    ) -> JiffTimestampQuery<'c, 'a, 's, C, jiff::Timestamp, 31> {
        self.bind(
            client,
            &params.told,
            &params.ns,
            &params.agent,
            &params.agent_version,
            &params.request,
            &params.since,
            &params.gates_version,
            &params.now,
            &params.lanes,
            &params.request_key,
            &params.digest,
            &params.task,
            &params.created_by,
            &params.created_by_key,
            &params.body,
            &params.policy,
            &params.graph,
            &params.lane,
            &params.rank,
            &params.state,
            &params.critical_path,
            &params.on_dependency_failure,
            &params.epoch,
            &params.attempts,
            &params.starts,
            &params.ttl_ms,
            &params.lease_ms,
            &params.max_duration_ms,
            &params.batch,
            &params.facts,
            &params.count,
        )
    }
}
