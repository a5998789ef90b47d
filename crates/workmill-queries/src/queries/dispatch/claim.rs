// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct LockAgentParams<T1: crate::StringSql> {
    pub ns: i64,
    pub agent: T1,
}
#[derive(Debug)]
pub struct CountLeasesParams<T1: crate::StringSql> {
    pub ns: i64,
    pub agent: T1,
}
#[derive(Debug)]
pub struct TakeReadyParams<T1: crate::ArraySql<Item = i64>, T2: crate::ArraySql<Item = i64>> {
    pub lanes: T1,
    pub aged: T2,
    pub ns: i64,
    pub wanted: i64,
    pub claimed: i16,
}
#[derive(Debug)]
pub struct FindSpecsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct FindDependencyResultsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct InsertLeasesParams<
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = uuid::Uuid>,
    T3: crate::ArraySql<Item = i32>,
    T4: crate::ArraySql<Item = i64>,
    T5: crate::ArraySql<Item = i64>,
    T6: crate::ArraySql<Item = Option<i64>>,
> {
    pub agent: T1,
    pub now: jiff::Timestamp,
    pub tasks: T2,
    pub epochs: T3,
    pub ttls: T4,
    pub lease_mss: T5,
    pub max_durations: T6,
    pub ns: i64,
}
#[derive(Debug, Clone, PartialEq)]
pub struct LockAgent {
    pub agent: String,
    pub r#type: String,
    pub capabilities: Vec<String>,
    pub models: Vec<String>,
    pub slots: i32,
    pub status: String,
    pub key: uuid::Uuid,
}
pub struct LockAgentBorrowed<'a> {
    pub agent: &'a str,
    pub r#type: &'a str,
    pub capabilities: crate::ArrayIterator<'a, &'a str>,
    pub models: crate::ArrayIterator<'a, &'a str>,
    pub slots: i32,
    pub status: &'a str,
    pub key: uuid::Uuid,
}
impl<'a> From<LockAgentBorrowed<'a>> for LockAgent {
    fn from(
        LockAgentBorrowed {
            agent,
            r#type,
            capabilities,
            models,
            slots,
            status,
            key,
        }: LockAgentBorrowed<'a>,
    ) -> Self {
        Self {
            agent: agent.into(),
            r#type: r#type.into(),
            capabilities: capabilities.map(|v| v.into()).collect(),
            models: models.map(|v| v.into()).collect(),
            slots,
            status: status.into(),
            key,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindLanes {
    pub lane: i64,
    pub asks: serde_json::Value,
}
pub struct FindLanesBorrowed<'a> {
    pub lane: i64,
    pub asks: postgres_types::Json<&'a serde_json::value::RawValue>,
}
impl<'a> From<FindLanesBorrowed<'a>> for FindLanes {
    fn from(FindLanesBorrowed { lane, asks }: FindLanesBorrowed<'a>) -> Self {
        Self {
            lane,
            asks: serde_json::from_str(asks.0.get()).unwrap(),
        }
    }
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct TakeReady {
    pub task: uuid::Uuid,
    pub graph: uuid::Uuid,
    pub lane: i64,
    pub rank: i64,
    pub epoch: i32,
    pub attempts: i32,
    pub spec_version: i32,
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindSpecs {
    pub task: uuid::Uuid,
    pub submitted_at: jiff::Timestamp,
    pub created_by: String,
    pub body: serde_json::Value,
    pub policy: serde_json::Value,
}
pub struct FindSpecsBorrowed<'a> {
    pub task: uuid::Uuid,
    pub submitted_at: jiff::Timestamp,
    pub created_by: &'a str,
    pub body: postgres_types::Json<&'a serde_json::value::RawValue>,
    pub policy: postgres_types::Json<&'a serde_json::value::RawValue>,
}
impl<'a> From<FindSpecsBorrowed<'a>> for FindSpecs {
    fn from(
        FindSpecsBorrowed {
            task,
            submitted_at,
            created_by,
            body,
            policy,
        }: FindSpecsBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            submitted_at,
            created_by: created_by.into(),
            body: serde_json::from_str(body.0.get()).unwrap(),
            policy: serde_json::from_str(policy.0.get()).unwrap(),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindDependencyResults {
    pub task: uuid::Uuid,
    pub depends_on: uuid::Uuid,
    pub output: serde_json::Value,
}
pub struct FindDependencyResultsBorrowed<'a> {
    pub task: uuid::Uuid,
    pub depends_on: uuid::Uuid,
    pub output: postgres_types::Json<&'a serde_json::value::RawValue>,
}
impl<'a> From<FindDependencyResultsBorrowed<'a>> for FindDependencyResults {
    fn from(
        FindDependencyResultsBorrowed {
            task,
            depends_on,
            output,
        }: FindDependencyResultsBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            depends_on,
            output: serde_json::from_str(output.0.get()).unwrap(),
        }
    }
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct LockAgentQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<LockAgentBorrowed, tokio_postgres::Error>,
    mapper: fn(LockAgentBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> LockAgentQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(LockAgentBorrowed) -> R) -> LockAgentQuery<'c, 'a, 's, C, R, N> {
        LockAgentQuery {
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
pub struct I32Query<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<i32, tokio_postgres::Error>,
    mapper: fn(i32) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> I32Query<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(i32) -> R) -> I32Query<'c, 'a, 's, C, R, N> {
        I32Query {
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
pub struct FindLanesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindLanesBorrowed, tokio_postgres::Error>,
    mapper: fn(FindLanesBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindLanesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(FindLanesBorrowed) -> R) -> FindLanesQuery<'c, 'a, 's, C, R, N> {
        FindLanesQuery {
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
pub struct TakeReadyQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<TakeReady, tokio_postgres::Error>,
    mapper: fn(TakeReady) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> TakeReadyQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(TakeReady) -> R) -> TakeReadyQuery<'c, 'a, 's, C, R, N> {
        TakeReadyQuery {
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
pub struct FindSpecsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindSpecsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindSpecsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindSpecsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(FindSpecsBorrowed) -> R) -> FindSpecsQuery<'c, 'a, 's, C, R, N> {
        FindSpecsQuery {
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
pub struct FindDependencyResultsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor:
        fn(&tokio_postgres::Row) -> Result<FindDependencyResultsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindDependencyResultsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindDependencyResultsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindDependencyResultsBorrowed) -> R,
    ) -> FindDependencyResultsQuery<'c, 'a, 's, C, R, N> {
        FindDependencyResultsQuery {
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
pub struct LockAgentStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_agent() -> LockAgentStmt {
    LockAgentStmt(
        "select agent, type, capabilities, models, slots, status, key from workmill.agent where ns = $1 and agent = $2 for update",
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
    pub fn bind<'c, 'a, 's, C: GenericClient, T1: crate::StringSql>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        agent: &'a T1,
    ) -> LockAgentQuery<'c, 'a, 's, C, LockAgent, 2> {
        LockAgentQuery {
            client,
            params: [ns, agent],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<LockAgentBorrowed, tokio_postgres::Error> {
                    Ok(LockAgentBorrowed {
                        agent: row.try_get(0)?,
                        r#type: row.try_get(1)?,
                        capabilities: row.try_get(2)?,
                        models: row.try_get(3)?,
                        slots: row.try_get(4)?,
                        status: row.try_get(5)?,
                        key: row.try_get(6)?,
                    })
                },
            mapper: |it| LockAgent::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::StringSql>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        LockAgentParams<T1>,
        LockAgentQuery<'c, 'a, 's, C, LockAgent, 2>,
        C,
    > for LockAgentStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a LockAgentParams<T1>,
    ) -> LockAgentQuery<'c, 'a, 's, C, LockAgent, 2> {
        self.bind(client, &params.ns, &params.agent)
    }
}
pub struct CountLeasesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn count_leases() -> CountLeasesStmt {
    CountLeasesStmt(
        "select count(*)::integer as leases from workmill.lease where ns = $1 and agent = $2",
        None,
    )
}
impl CountLeasesStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<'c, 'a, 's, C: GenericClient, T1: crate::StringSql>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        agent: &'a T1,
    ) -> I32Query<'c, 'a, 's, C, i32, 2> {
        I32Query {
            client,
            params: [ns, agent],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::StringSql>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        CountLeasesParams<T1>,
        I32Query<'c, 'a, 's, C, i32, 2>,
        C,
    > for CountLeasesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a CountLeasesParams<T1>,
    ) -> I32Query<'c, 'a, 's, C, i32, 2> {
        self.bind(client, &params.ns, &params.agent)
    }
}
pub struct FindLanesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_lanes() -> FindLanesStmt {
    FindLanesStmt("select lane, asks from workmill.lane where ns = $1", None)
}
impl FindLanesStmt {
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
    ) -> FindLanesQuery<'c, 'a, 's, C, FindLanes, 1> {
        FindLanesQuery {
            client,
            params: [ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindLanesBorrowed, tokio_postgres::Error> {
                    Ok(FindLanesBorrowed {
                        lane: row.try_get(0)?,
                        asks: row.try_get(1)?,
                    })
                },
            mapper: |it| FindLanes::from(it),
        }
    }
}
pub struct TakeReadyStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn take_ready() -> TakeReadyStmt {
    TakeReadyStmt(
        "with heads as ( select l.lane, row_number() over (order by h.rank - l.aged, h.task) as place from unnest($1::bigint[], $2::bigint[]) as l (lane, aged) cross join lateral ( select r.rank, r.task from workmill.ready r where r.ns = $3 and r.lane = l.lane order by r.rank, r.task limit $4 ) as h ), shares as ( select lane, count(*) as wanted from heads where place <= $4 group by lane ), picked as ( select p.lane, p.rank, p.task from shares cross join lateral ( select r.lane, r.rank, r.task from workmill.ready r join workmill.state s on s.ns = r.ns and s.task = r.task where r.ns = $3 and s.ns = $3 and r.lane = shares.lane order by r.rank, r.task limit shares.wanted for update skip locked ) as p ), gone as ( delete from workmill.ready r using picked p where r.ns = $3 and r.lane = p.lane and r.rank = p.rank and r.task = p.task ) update workmill.state s set state = $5, epoch = s.epoch + 1, attempts = s.attempts + 1 from picked p where s.ns = $3 and s.task = p.task returning s.task, s.graph, s.lane, s.rank, s.epoch, s.attempts, s.spec_version",
        None,
    )
}
impl TakeReadyStmt {
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
        T2: crate::ArraySql<Item = i64>,
    >(
        &'s self,
        client: &'c C,
        lanes: &'a T1,
        aged: &'a T2,
        ns: &'a i64,
        wanted: &'a i64,
        claimed: &'a i16,
    ) -> TakeReadyQuery<'c, 'a, 's, C, TakeReady, 5> {
        TakeReadyQuery {
            client,
            params: [lanes, aged, ns, wanted, claimed],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row: &tokio_postgres::Row| -> Result<TakeReady, tokio_postgres::Error> {
                Ok(TakeReady {
                    task: row.try_get(0)?,
                    graph: row.try_get(1)?,
                    lane: row.try_get(2)?,
                    rank: row.try_get(3)?,
                    epoch: row.try_get(4)?,
                    attempts: row.try_get(5)?,
                    spec_version: row.try_get(6)?,
                })
            },
            mapper: |it| TakeReady::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = i64>, T2: crate::ArraySql<Item = i64>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        TakeReadyParams<T1, T2>,
        TakeReadyQuery<'c, 'a, 's, C, TakeReady, 5>,
        C,
    > for TakeReadyStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a TakeReadyParams<T1, T2>,
    ) -> TakeReadyQuery<'c, 'a, 's, C, TakeReady, 5> {
        self.bind(
            client,
            &params.lanes,
            &params.aged,
            &params.ns,
            &params.wanted,
            &params.claimed,
        )
    }
}
pub struct FindSpecsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_specs() -> FindSpecsStmt {
    FindSpecsStmt(
        "select s.task, p.submitted_at, p.created_by, p.body, p.policy from workmill.state s join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version where s.ns = $1 and s.task = any($2::uuid[])",
        None,
    )
}
impl FindSpecsStmt {
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
        ns: &'a i64,
        tasks: &'a T1,
    ) -> FindSpecsQuery<'c, 'a, 's, C, FindSpecs, 2> {
        FindSpecsQuery {
            client,
            params: [ns, tasks],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindSpecsBorrowed, tokio_postgres::Error> {
                    Ok(FindSpecsBorrowed {
                        task: row.try_get(0)?,
                        submitted_at: row.try_get(1)?,
                        created_by: row.try_get(2)?,
                        body: row.try_get(3)?,
                        policy: row.try_get(4)?,
                    })
                },
            mapper: |it| FindSpecs::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindSpecsParams<T1>,
        FindSpecsQuery<'c, 'a, 's, C, FindSpecs, 2>,
        C,
    > for FindSpecsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindSpecsParams<T1>,
    ) -> FindSpecsQuery<'c, 'a, 's, C, FindSpecs, 2> {
        self.bind(client, &params.ns, &params.tasks)
    }
}
pub struct FindDependencyResultsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_dependency_results() -> FindDependencyResultsStmt {
    FindDependencyResultsStmt(
        "select e.task, e.depends_on, r.output from workmill.edge e join workmill.result r on r.ns = e.ns and r.task = e.depends_on where e.ns = $1 and r.ns = $1 and e.task = any($2::uuid[]) order by e.task, e.depends_on",
        None,
    )
}
impl FindDependencyResultsStmt {
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
        ns: &'a i64,
        tasks: &'a T1,
    ) -> FindDependencyResultsQuery<'c, 'a, 's, C, FindDependencyResults, 2> {
        FindDependencyResultsQuery {
            client,
            params: [ns, tasks],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindDependencyResultsBorrowed, tokio_postgres::Error> {
                Ok(FindDependencyResultsBorrowed {
                    task: row.try_get(0)?,
                    depends_on: row.try_get(1)?,
                    output: row.try_get(2)?,
                })
            },
            mapper: |it| FindDependencyResults::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindDependencyResultsParams<T1>,
        FindDependencyResultsQuery<'c, 'a, 's, C, FindDependencyResults, 2>,
        C,
    > for FindDependencyResultsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindDependencyResultsParams<T1>,
    ) -> FindDependencyResultsQuery<'c, 'a, 's, C, FindDependencyResults, 2> {
        self.bind(client, &params.ns, &params.tasks)
    }
}
pub struct InsertLeasesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_leases() -> InsertLeasesStmt {
    InsertLeasesStmt(
        "insert into workmill.lease ( ns, task, epoch, agent, claimed_at, started_at, renewed_at, ttl_ms, lease_ms, max_duration_ms ) select a.ns, u.task, u.epoch, $1, $2, null, $2, u.ttl_ms, u.lease_ms, u.max_duration_ms from workmill.anchor a, unnest( $3::uuid[], $4::integer[], $5::bigint[], $6::bigint[], $7::bigint[] ) as u (task, epoch, ttl_ms, lease_ms, max_duration_ms) where a.ns = $8",
        None,
    )
}
impl InsertLeasesStmt {
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
        T2: crate::ArraySql<Item = uuid::Uuid>,
        T3: crate::ArraySql<Item = i32>,
        T4: crate::ArraySql<Item = i64>,
        T5: crate::ArraySql<Item = i64>,
        T6: crate::ArraySql<Item = Option<i64>>,
    >(
        &'s self,
        client: &'c C,
        agent: &'a T1,
        now: &'a jiff::Timestamp,
        tasks: &'a T2,
        epochs: &'a T3,
        ttls: &'a T4,
        lease_mss: &'a T5,
        max_durations: &'a T6,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[
                    agent,
                    now,
                    tasks,
                    epochs,
                    ttls,
                    lease_mss,
                    max_durations,
                    ns,
                ],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = uuid::Uuid>,
    T3: crate::ArraySql<Item = i32>,
    T4: crate::ArraySql<Item = i64>,
    T5: crate::ArraySql<Item = i64>,
    T6: crate::ArraySql<Item = Option<i64>>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertLeasesParams<T1, T2, T3, T4, T5, T6>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertLeasesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertLeasesParams<T1, T2, T3, T4, T5, T6>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.agent,
            &params.now,
            &params.tasks,
            &params.epochs,
            &params.ttls,
            &params.lease_mss,
            &params.max_durations,
            &params.ns,
        ))
    }
}
