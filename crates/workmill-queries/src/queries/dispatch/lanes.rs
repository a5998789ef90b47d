// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct FindGatedLanesParams<T1: crate::StringSql, T2: crate::ArraySql<Item = T1>> {
    pub gates: T2,
    pub ns: i64,
}
#[derive(Debug)]
pub struct FindLanesParams<T1: crate::ArraySql<Item = i64>> {
    pub lanes: T1,
    pub ns: i64,
}
#[derive(Debug)]
pub struct FindMembersOfLanesParams<
    T1: crate::ArraySql<Item = i64>,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = T2>,
> {
    pub lanes: T1,
    pub ns: i64,
    pub gates: T3,
}
#[derive(Debug)]
pub struct InsertLanesParams<
    T1: crate::ArraySql<Item = i64>,
    T2: crate::JsonSql,
    T3: crate::ArraySql<Item = T2>,
> {
    pub now: jiff::Timestamp,
    pub lanes: T1,
    pub asks: T3,
    pub ns: i64,
}
#[derive(Debug)]
pub struct CountLanesParams<T1: crate::ArraySql<Item = i64>> {
    pub ns: i64,
    pub most: i64,
    pub lanes: T1,
}
#[derive(Debug)]
pub struct TouchLanesParams<T1: crate::ArraySql<Item = i64>> {
    pub now: jiff::Timestamp,
    pub ns: i64,
    pub lanes: T1,
    pub stale: jiff::Timestamp,
}
#[derive(Debug)]
pub struct FindOldLanesParams<T1: crate::ArraySql<Item = i64>> {
    pub ns: i64,
    pub before: jiff::Timestamp,
    pub except: T1,
    pub most: i64,
}
#[derive(Debug)]
pub struct DeleteLanesParams<T1: crate::ArraySql<Item = i64>> {
    pub ns: i64,
    pub lanes: T1,
    pub before: jiff::Timestamp,
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct CountReadyLanes {
    pub ns: i64,
    pub lane: i64,
    pub tasks: i64,
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
#[derive(Debug, Clone, PartialEq)]
pub struct FindMembersOfLanes {
    pub lane: i64,
    pub body: serde_json::Value,
    pub policy: serde_json::Value,
}
pub struct FindMembersOfLanesBorrowed<'a> {
    pub lane: i64,
    pub body: postgres_types::Json<&'a serde_json::value::RawValue>,
    pub policy: postgres_types::Json<&'a serde_json::value::RawValue>,
}
impl<'a> From<FindMembersOfLanesBorrowed<'a>> for FindMembersOfLanes {
    fn from(
        FindMembersOfLanesBorrowed { lane, body, policy }: FindMembersOfLanesBorrowed<'a>,
    ) -> Self {
        Self {
            lane,
            body: serde_json::from_str(body.0.get()).unwrap(),
            policy: serde_json::from_str(policy.0.get()).unwrap(),
        }
    }
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct CountLanes {
    pub lanes: i64,
    pub known: i64,
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
pub struct CountReadyLanesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<CountReadyLanes, tokio_postgres::Error>,
    mapper: fn(CountReadyLanes) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> CountReadyLanesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(CountReadyLanes) -> R,
    ) -> CountReadyLanesQuery<'c, 'a, 's, C, R, N> {
        CountReadyLanesQuery {
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
pub struct FindMembersOfLanesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor:
        fn(&tokio_postgres::Row) -> Result<FindMembersOfLanesBorrowed, tokio_postgres::Error>,
    mapper: fn(FindMembersOfLanesBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindMembersOfLanesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindMembersOfLanesBorrowed) -> R,
    ) -> FindMembersOfLanesQuery<'c, 'a, 's, C, R, N> {
        FindMembersOfLanesQuery {
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
pub struct CountLanesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<CountLanes, tokio_postgres::Error>,
    mapper: fn(CountLanes) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> CountLanesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(CountLanes) -> R) -> CountLanesQuery<'c, 'a, 's, C, R, N> {
        CountLanesQuery {
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
pub struct FindReadyLanesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_ready_lanes() -> FindReadyLanesStmt {
    FindReadyLanesStmt(
        "with recursive heads as ( (select r.lane from workmill.ready r where r.ns = $1 order by r.lane limit 1) union all select n.lane from heads h cross join lateral ( select r.lane from workmill.ready r where r.ns = $1 and r.lane > h.lane order by r.lane limit 1 ) as n ) select h.lane from heads h",
        None,
    )
}
impl FindReadyLanesStmt {
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
pub struct CountReadyLanesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn count_ready_lanes() -> CountReadyLanesStmt {
    CountReadyLanesStmt(
        "with recursive heads as ( select a.ns, f.lane from workmill.anchor a cross join lateral ( select r.lane from workmill.ready r where r.ns = a.ns order by r.lane limit 1 ) as f where a.ns = any($1) union all select h.ns, n.lane from heads h cross join lateral ( select r.lane from workmill.ready r where r.ns = h.ns and r.lane > h.lane order by r.lane limit 1 ) as n ) select h.ns, h.lane, k.tasks from heads h cross join lateral ( select count(*) as tasks from ( select r.task from workmill.ready r where r.ns = h.ns and r.lane = h.lane order by r.rank, r.task limit 100 ) as t ) as k",
        None,
    )
}
impl CountReadyLanesStmt {
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
    ) -> CountReadyLanesQuery<'c, 'a, 's, C, CountReadyLanes, 1> {
        CountReadyLanesQuery {
            client,
            params: [namespaces],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<CountReadyLanes, tokio_postgres::Error> {
                    Ok(CountReadyLanes {
                        ns: row.try_get(0)?,
                        lane: row.try_get(1)?,
                        tasks: row.try_get(2)?,
                    })
                },
            mapper: |it| CountReadyLanes::from(it),
        }
    }
}
pub struct FindGatedLanesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_gated_lanes() -> FindGatedLanesStmt {
    FindGatedLanesStmt(
        "with recursive heads as ( select u.gate, f.lane from unnest($1::text[]) as u (gate) cross join lateral ( select g.lane from workmill.gated g where g.ns = $2 and g.gate = u.gate order by g.lane limit 1 ) as f union all select h.gate, n.lane from heads h cross join lateral ( select g.lane from workmill.gated g where g.ns = $2 and g.gate = h.gate and g.lane > h.lane order by g.lane limit 1 ) as n ) select distinct h.lane from heads h",
        None,
    )
}
impl FindGatedLanesStmt {
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
        gates: &'a T2,
        ns: &'a i64,
    ) -> I64Query<'c, 'a, 's, C, i64, 2> {
        I64Query {
            client,
            params: [gates, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::StringSql, T2: crate::ArraySql<Item = T1>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindGatedLanesParams<T1, T2>,
        I64Query<'c, 'a, 's, C, i64, 2>,
        C,
    > for FindGatedLanesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindGatedLanesParams<T1, T2>,
    ) -> I64Query<'c, 'a, 's, C, i64, 2> {
        self.bind(client, &params.gates, &params.ns)
    }
}
pub struct FindLanesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_lanes() -> FindLanesStmt {
    FindLanesStmt(
        "select l.lane, l.asks from unnest($1::bigint[]) as u (lane) cross join lateral ( select k.lane, k.asks from workmill.lane k where k.ns = $2 and k.lane = u.lane limit 1 ) as l",
        None,
    )
}
impl FindLanesStmt {
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
        lanes: &'a T1,
        ns: &'a i64,
    ) -> FindLanesQuery<'c, 'a, 's, C, FindLanes, 2> {
        FindLanesQuery {
            client,
            params: [lanes, ns],
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
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = i64>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindLanesParams<T1>,
        FindLanesQuery<'c, 'a, 's, C, FindLanes, 2>,
        C,
    > for FindLanesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindLanesParams<T1>,
    ) -> FindLanesQuery<'c, 'a, 's, C, FindLanes, 2> {
        self.bind(client, &params.lanes, &params.ns)
    }
}
pub struct FindMembersOfLanesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_members_of_lanes() -> FindMembersOfLanesStmt {
    FindMembersOfLanesStmt(
        "select m.lane, p.body, p.policy from unnest($1::bigint[]) as u (lane) cross join lateral ( select t.lane, t.task from ( ( select r.lane, r.task from workmill.ready r where r.ns = $2 and r.lane = u.lane order by r.rank, r.task limit 1 ) union all ( select f.lane, f.task from unnest($3::text[]) as w (gate) cross join lateral ( select g.lane, g.task from workmill.gated g where g.ns = $2 and g.gate = w.gate and g.lane = u.lane order by g.rank, g.task limit 1 ) as f limit 1 ) ) as t limit 1 ) as m cross join lateral ( select t.spec_version from workmill.state t where t.ns = $2 and t.task = m.task limit 1 ) as s cross join lateral ( select t.body, t.policy from workmill.spec t where t.ns = $2 and t.task = m.task and t.version = s.spec_version limit 1 ) as p",
        None,
    )
}
impl FindMembersOfLanesStmt {
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
        T3: crate::ArraySql<Item = T2>,
    >(
        &'s self,
        client: &'c C,
        lanes: &'a T1,
        ns: &'a i64,
        gates: &'a T3,
    ) -> FindMembersOfLanesQuery<'c, 'a, 's, C, FindMembersOfLanes, 3> {
        FindMembersOfLanesQuery {
            client,
            params: [lanes, ns, gates],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindMembersOfLanesBorrowed, tokio_postgres::Error> {
                Ok(FindMembersOfLanesBorrowed {
                    lane: row.try_get(0)?,
                    body: row.try_get(1)?,
                    policy: row.try_get(2)?,
                })
            },
            mapper: |it| FindMembersOfLanes::from(it),
        }
    }
}
impl<
    'c,
    'a,
    's,
    C: GenericClient,
    T1: crate::ArraySql<Item = i64>,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = T2>,
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindMembersOfLanesParams<T1, T2, T3>,
        FindMembersOfLanesQuery<'c, 'a, 's, C, FindMembersOfLanes, 3>,
        C,
    > for FindMembersOfLanesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindMembersOfLanesParams<T1, T2, T3>,
    ) -> FindMembersOfLanesQuery<'c, 'a, 's, C, FindMembersOfLanes, 3> {
        self.bind(client, &params.lanes, &params.ns, &params.gates)
    }
}
pub struct InsertLanesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_lanes() -> InsertLanesStmt {
    InsertLanesStmt(
        "insert into workmill.lane (ns, lane, asks, seen_at) select a.ns, u.lane, u.asks, $1 from workmill.anchor a, unnest($2::bigint[], $3::jsonb[]) as u (lane, asks) where a.ns = $4 on conflict do nothing",
        None,
    )
}
impl InsertLanesStmt {
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
        T1: crate::ArraySql<Item = i64>,
        T2: crate::JsonSql,
        T3: crate::ArraySql<Item = T2>,
    >(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        lanes: &'a T1,
        asks: &'a T3,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[now, lanes, asks, ns])
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = i64>,
    T2: crate::JsonSql,
    T3: crate::ArraySql<Item = T2>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertLanesParams<T1, T2, T3>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertLanesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertLanesParams<T1, T2, T3>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.now, &params.lanes, &params.asks, &params.ns))
    }
}
pub struct LockLaneBoundStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_lane_bound() -> LockLaneBoundStmt {
    LockLaneBoundStmt(
        "insert into workmill.lane_bound (ns) values ($1) on conflict (ns) do update set most = workmill.lane_bound.most returning most",
        None,
    )
}
impl LockLaneBoundStmt {
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
    ) -> I32Query<'c, 'a, 's, C, i32, 1> {
        I32Query {
            client,
            params: [ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
pub struct CountLanesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn count_lanes() -> CountLanesStmt {
    CountLanesStmt(
        "select ( select count(*) from ( select k.lane from workmill.lane k where k.ns = $1 order by k.lane limit $2 ) as t ) as lanes, ( select count(*) from unnest($3::bigint[]) as u (lane) cross join lateral ( select k.lane from workmill.lane k where k.ns = $1 and k.lane = u.lane limit 1 ) as t ) as known",
        None,
    )
}
impl CountLanesStmt {
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
        ns: &'a i64,
        most: &'a i64,
        lanes: &'a T1,
    ) -> CountLanesQuery<'c, 'a, 's, C, CountLanes, 3> {
        CountLanesQuery {
            client,
            params: [ns, most, lanes],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row: &tokio_postgres::Row| -> Result<CountLanes, tokio_postgres::Error> {
                Ok(CountLanes {
                    lanes: row.try_get(0)?,
                    known: row.try_get(1)?,
                })
            },
            mapper: |it| CountLanes::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = i64>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        CountLanesParams<T1>,
        CountLanesQuery<'c, 'a, 's, C, CountLanes, 3>,
        C,
    > for CountLanesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a CountLanesParams<T1>,
    ) -> CountLanesQuery<'c, 'a, 's, C, CountLanes, 3> {
        self.bind(client, &params.ns, &params.most, &params.lanes)
    }
}
pub struct FindNamespacesWithOldLanesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_namespaces_with_old_lanes() -> FindNamespacesWithOldLanesStmt {
    FindNamespacesWithOldLanesStmt(
        "select a.ns from workmill.anchor a cross join lateral ( select k.lane from workmill.lane k where k.ns = a.ns and k.seen_at < $1 limit 1 ) as t",
        None,
    )
}
impl FindNamespacesWithOldLanesStmt {
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
        before: &'a jiff::Timestamp,
    ) -> I64Query<'c, 'a, 's, C, i64, 1> {
        I64Query {
            client,
            params: [before],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
pub struct FindLaneIdsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_lane_ids() -> FindLaneIdsStmt {
    FindLaneIdsStmt("select lane from workmill.lane where ns = $1", None)
}
impl FindLaneIdsStmt {
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
pub struct TouchLanesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn touch_lanes() -> TouchLanesStmt {
    TouchLanesStmt(
        "update workmill.lane l set seen_at = $1 where l.ns = $2 and l.lane = any($3::bigint[]) and l.seen_at < $4",
        None,
    )
}
impl TouchLanesStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = i64>>(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        ns: &'a i64,
        lanes: &'a T1,
        stale: &'a jiff::Timestamp,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[now, ns, lanes, stale])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::ArraySql<Item = i64>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        TouchLanesParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for TouchLanesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a TouchLanesParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.now,
            &params.ns,
            &params.lanes,
            &params.stale,
        ))
    }
}
pub struct FindOldLanesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_old_lanes() -> FindOldLanesStmt {
    FindOldLanesStmt(
        "select k.lane from workmill.lane k where k.ns = $1 and k.seen_at < $2 and k.lane <> all($3::bigint[]) order by k.lane limit $4",
        None,
    )
}
impl FindOldLanesStmt {
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
        ns: &'a i64,
        before: &'a jiff::Timestamp,
        except: &'a T1,
        most: &'a i64,
    ) -> I64Query<'c, 'a, 's, C, i64, 4> {
        I64Query {
            client,
            params: [ns, before, except, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = i64>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindOldLanesParams<T1>,
        I64Query<'c, 'a, 's, C, i64, 4>,
        C,
    > for FindOldLanesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindOldLanesParams<T1>,
    ) -> I64Query<'c, 'a, 's, C, i64, 4> {
        self.bind(
            client,
            &params.ns,
            &params.before,
            &params.except,
            &params.most,
        )
    }
}
pub struct FindAllGatedLanesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_all_gated_lanes() -> FindAllGatedLanesStmt {
    FindAllGatedLanesStmt(
        "with recursive heads as ( ( select g.gate, g.lane from workmill.gated g where g.ns = $1 order by g.gate, g.lane limit 1 ) union all select n.gate, n.lane from heads h cross join lateral ( select g.gate, g.lane from workmill.gated g where g.ns = $1 and (g.gate, g.lane) > (h.gate, h.lane) order by g.gate, g.lane limit 1 ) as n ) select distinct h.lane from heads h",
        None,
    )
}
impl FindAllGatedLanesStmt {
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
pub struct DeleteLanesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_lanes() -> DeleteLanesStmt {
    DeleteLanesStmt(
        "delete from workmill.lane l where l.ns = $1 and l.lane = any($2::bigint[]) and l.seen_at < $3",
        None,
    )
}
impl DeleteLanesStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = i64>>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        lanes: &'a T1,
        before: &'a jiff::Timestamp,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, lanes, before])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::ArraySql<Item = i64>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteLanesParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteLanesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteLanesParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.lanes, &params.before))
    }
}
