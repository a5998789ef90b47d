// This file was generated with `cornucopia`. Do not modify.

#[derive(Clone, Copy, Debug)]
pub struct FindDueTasksParams {
    pub ns: i64,
    pub now: jiff::Timestamp,
    pub most: i64,
}
#[derive(Debug)]
pub struct LockDueStatesParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub tasks: T1,
    pub ns: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindLostLeasesParams {
    pub now: jiff::Timestamp,
    pub most: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindLostLeasesOfNamespaceParams {
    pub ns: i64,
    pub now: jiff::Timestamp,
    pub most: i64,
}
#[derive(Debug)]
pub struct FindExpiredBlocksAmongParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
    pub now: jiff::Timestamp,
}
#[derive(Clone, Copy, Debug)]
pub struct FindExpiredBlocksParams {
    pub now: jiff::Timestamp,
    pub most: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindExpiredBlocksOfNamespaceParams {
    pub ns: i64,
    pub now: jiff::Timestamp,
    pub most: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct RenewAllAgentsParams {
    pub now: jiff::Timestamp,
    pub ns: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct RenewAllLeasesParams {
    pub now: jiff::Timestamp,
    pub ns: i64,
}
#[derive(Debug, Clone, PartialEq)]
pub struct LockDueStates {
    pub lane: i64,
    pub rank: i64,
    pub due: Option<jiff::Timestamp>,
    pub shunned_until: Option<jiff::Timestamp>,
    pub task: uuid::Uuid,
    pub graph: uuid::Uuid,
    pub spec_version: i32,
    pub epoch: i32,
    pub attempts: i32,
    pub crashes: i32,
    pub unmet: i32,
    pub state: i16,
    pub critical_path: i16,
    pub on_dependency_failure: i16,
    pub in_graph: bool,
    pub has_deadline: bool,
    pub freed_runners: bool,
    pub shunned: Option<Vec<String>>,
    pub spent_micros: i64,
}
pub struct LockDueStatesBorrowed<'a> {
    pub lane: i64,
    pub rank: i64,
    pub due: Option<jiff::Timestamp>,
    pub shunned_until: Option<jiff::Timestamp>,
    pub task: uuid::Uuid,
    pub graph: uuid::Uuid,
    pub spec_version: i32,
    pub epoch: i32,
    pub attempts: i32,
    pub crashes: i32,
    pub unmet: i32,
    pub state: i16,
    pub critical_path: i16,
    pub on_dependency_failure: i16,
    pub in_graph: bool,
    pub has_deadline: bool,
    pub freed_runners: bool,
    pub shunned: Option<crate::ArrayIterator<'a, &'a str>>,
    pub spent_micros: i64,
}
impl<'a> From<LockDueStatesBorrowed<'a>> for LockDueStates {
    fn from(
        LockDueStatesBorrowed {
            lane,
            rank,
            due,
            shunned_until,
            task,
            graph,
            spec_version,
            epoch,
            attempts,
            crashes,
            unmet,
            state,
            critical_path,
            on_dependency_failure,
            in_graph,
            has_deadline,
            freed_runners,
            shunned,
            spent_micros,
        }: LockDueStatesBorrowed<'a>,
    ) -> Self {
        Self {
            lane,
            rank,
            due,
            shunned_until,
            task,
            graph,
            spec_version,
            epoch,
            attempts,
            crashes,
            unmet,
            state,
            critical_path,
            on_dependency_failure,
            in_graph,
            has_deadline,
            freed_runners,
            shunned: shunned.map(|v| v.map(|v| v.into()).collect()),
            spent_micros,
        }
    }
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindLostLeases {
    pub ns: i64,
    pub task: uuid::Uuid,
    pub epoch: i32,
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindLostLeasesOfNamespace {
    pub task: uuid::Uuid,
    pub epoch: i32,
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindExpiredBlocksAmong {
    pub task: uuid::Uuid,
    pub waits_for: String,
    pub question: Option<serde_json::Value>,
}
pub struct FindExpiredBlocksAmongBorrowed<'a> {
    pub task: uuid::Uuid,
    pub waits_for: &'a str,
    pub question: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
}
impl<'a> From<FindExpiredBlocksAmongBorrowed<'a>> for FindExpiredBlocksAmong {
    fn from(
        FindExpiredBlocksAmongBorrowed {
            task,
            waits_for,
            question,
        }: FindExpiredBlocksAmongBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            waits_for: waits_for.into(),
            question: question.map(|v| serde_json::from_str(v.0.get()).unwrap()),
        }
    }
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindExpiredBlocks {
    pub ns: i64,
    pub task: uuid::Uuid,
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
pub struct LockDueStatesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<LockDueStatesBorrowed, tokio_postgres::Error>,
    mapper: fn(LockDueStatesBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> LockDueStatesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(LockDueStatesBorrowed) -> R,
    ) -> LockDueStatesQuery<'c, 'a, 's, C, R, N> {
        LockDueStatesQuery {
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
pub struct FindLostLeasesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindLostLeases, tokio_postgres::Error>,
    mapper: fn(FindLostLeases) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindLostLeasesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindLostLeases) -> R,
    ) -> FindLostLeasesQuery<'c, 'a, 's, C, R, N> {
        FindLostLeasesQuery {
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
pub struct FindLostLeasesOfNamespaceQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindLostLeasesOfNamespace, tokio_postgres::Error>,
    mapper: fn(FindLostLeasesOfNamespace) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindLostLeasesOfNamespaceQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindLostLeasesOfNamespace) -> R,
    ) -> FindLostLeasesOfNamespaceQuery<'c, 'a, 's, C, R, N> {
        FindLostLeasesOfNamespaceQuery {
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
pub struct FindExpiredBlocksAmongQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor:
        fn(&tokio_postgres::Row) -> Result<FindExpiredBlocksAmongBorrowed, tokio_postgres::Error>,
    mapper: fn(FindExpiredBlocksAmongBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindExpiredBlocksAmongQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindExpiredBlocksAmongBorrowed) -> R,
    ) -> FindExpiredBlocksAmongQuery<'c, 'a, 's, C, R, N> {
        FindExpiredBlocksAmongQuery {
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
pub struct FindExpiredBlocksQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindExpiredBlocks, tokio_postgres::Error>,
    mapper: fn(FindExpiredBlocks) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindExpiredBlocksQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindExpiredBlocks) -> R,
    ) -> FindExpiredBlocksQuery<'c, 'a, 's, C, R, N> {
        FindExpiredBlocksQuery {
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
pub struct FindNamespacesWithDueTasksStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_namespaces_with_due_tasks() -> FindNamespacesWithDueTasksStmt {
    FindNamespacesWithDueTasksStmt(
        "select a.ns from workmill.anchor a cross join lateral ( select d.at from workmill.due d where d.ns = a.ns and d.at <= $1 order by d.at, d.task limit 1 ) as head",
        None,
    )
}
impl FindNamespacesWithDueTasksStmt {
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
pub struct FindDueTasksStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_due_tasks() -> FindDueTasksStmt {
    FindDueTasksStmt(
        "select task from workmill.due where ns = $1 and at <= $2 order by at, task limit $3",
        None,
    )
}
impl FindDueTasksStmt {
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
        FindDueTasksParams,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3>,
        C,
    > for FindDueTasksStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindDueTasksParams,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        self.bind(client, &params.ns, &params.now, &params.most)
    }
}
pub struct LockDueStatesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_due_states() -> LockDueStatesStmt {
    LockDueStatesStmt(
        "select s.lane, s.rank, s.due, s.shunned_until, s.task, s.graph, s.spec_version, s.epoch, s.attempts, s.crashes, s.unmet, s.state, s.critical_path, s.on_dependency_failure, s.in_graph, s.has_deadline, s.freed_runners, s.shunned, s.spent_micros from unnest($1::uuid[]) as u (task) cross join lateral ( select t.lane, t.rank, t.due, t.shunned_until, t.task, t.graph, t.spec_version, t.epoch, t.attempts, t.crashes, t.unmet, t.state, t.critical_path, t.on_dependency_failure, t.in_graph, t.has_deadline, t.freed_runners, t.shunned, t.spent_micros from workmill.state t where t.ns = $2 and t.task = u.task for update skip locked ) as s",
        None,
    )
}
impl LockDueStatesStmt {
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
    ) -> LockDueStatesQuery<'c, 'a, 's, C, LockDueStates, 2> {
        LockDueStatesQuery {
            client,
            params: [tasks, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<LockDueStatesBorrowed, tokio_postgres::Error> {
                    Ok(LockDueStatesBorrowed {
                        lane: row.try_get(0)?,
                        rank: row.try_get(1)?,
                        due: row.try_get(2)?,
                        shunned_until: row.try_get(3)?,
                        task: row.try_get(4)?,
                        graph: row.try_get(5)?,
                        spec_version: row.try_get(6)?,
                        epoch: row.try_get(7)?,
                        attempts: row.try_get(8)?,
                        crashes: row.try_get(9)?,
                        unmet: row.try_get(10)?,
                        state: row.try_get(11)?,
                        critical_path: row.try_get(12)?,
                        on_dependency_failure: row.try_get(13)?,
                        in_graph: row.try_get(14)?,
                        has_deadline: row.try_get(15)?,
                        freed_runners: row.try_get(16)?,
                        shunned: row.try_get(17)?,
                        spent_micros: row.try_get(18)?,
                    })
                },
            mapper: |it| LockDueStates::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        LockDueStatesParams<T1>,
        LockDueStatesQuery<'c, 'a, 's, C, LockDueStates, 2>,
        C,
    > for LockDueStatesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a LockDueStatesParams<T1>,
    ) -> LockDueStatesQuery<'c, 'a, 's, C, LockDueStates, 2> {
        self.bind(client, &params.tasks, &params.ns)
    }
}
pub struct FindLostLeasesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_lost_leases() -> FindLostLeasesStmt {
    FindLostLeasesStmt(
        "select l.ns, l.task, l.epoch from workmill.lease l where l.renewed_at + l.ttl_ms * interval '1 millisecond' <= $1 or l.started_at + l.max_duration_ms * interval '1 millisecond' <= $1 or l.stop_at + l.lease_ms * interval '1 millisecond' <= $1 order by l.ns, l.task limit $2",
        None,
    )
}
impl FindLostLeasesStmt {
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
    ) -> FindLostLeasesQuery<'c, 'a, 's, C, FindLostLeases, 2> {
        FindLostLeasesQuery {
            client,
            params: [now, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindLostLeases, tokio_postgres::Error> {
                    Ok(FindLostLeases {
                        ns: row.try_get(0)?,
                        task: row.try_get(1)?,
                        epoch: row.try_get(2)?,
                    })
                },
            mapper: |it| FindLostLeases::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindLostLeasesParams,
        FindLostLeasesQuery<'c, 'a, 's, C, FindLostLeases, 2>,
        C,
    > for FindLostLeasesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindLostLeasesParams,
    ) -> FindLostLeasesQuery<'c, 'a, 's, C, FindLostLeases, 2> {
        self.bind(client, &params.now, &params.most)
    }
}
pub struct FindLostLeasesOfNamespaceStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_lost_leases_of_namespace() -> FindLostLeasesOfNamespaceStmt {
    FindLostLeasesOfNamespaceStmt(
        "select l.task, l.epoch from workmill.lease l where l.ns = $1 and ( l.renewed_at + l.ttl_ms * interval '1 millisecond' <= $2 or l.started_at + l.max_duration_ms * interval '1 millisecond' <= $2 or l.stop_at + l.lease_ms * interval '1 millisecond' <= $2 ) order by l.task limit $3",
        None,
    )
}
impl FindLostLeasesOfNamespaceStmt {
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
    ) -> FindLostLeasesOfNamespaceQuery<'c, 'a, 's, C, FindLostLeasesOfNamespace, 3> {
        FindLostLeasesOfNamespaceQuery {
            client,
            params: [ns, now, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindLostLeasesOfNamespace, tokio_postgres::Error> {
                Ok(FindLostLeasesOfNamespace {
                    task: row.try_get(0)?,
                    epoch: row.try_get(1)?,
                })
            },
            mapper: |it| FindLostLeasesOfNamespace::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindLostLeasesOfNamespaceParams,
        FindLostLeasesOfNamespaceQuery<'c, 'a, 's, C, FindLostLeasesOfNamespace, 3>,
        C,
    > for FindLostLeasesOfNamespaceStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindLostLeasesOfNamespaceParams,
    ) -> FindLostLeasesOfNamespaceQuery<'c, 'a, 's, C, FindLostLeasesOfNamespace, 3> {
        self.bind(client, &params.ns, &params.now, &params.most)
    }
}
pub struct FindExpiredBlocksAmongStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_expired_blocks_among() -> FindExpiredBlocksAmongStmt {
    FindExpiredBlocksAmongStmt(
        "select b.task, b.waits_for, b.question from workmill.blocked b where b.ns = $1 and b.task = any($2::uuid[]) and b.until <= $3",
        None,
    )
}
impl FindExpiredBlocksAmongStmt {
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
        now: &'a jiff::Timestamp,
    ) -> FindExpiredBlocksAmongQuery<'c, 'a, 's, C, FindExpiredBlocksAmong, 3> {
        FindExpiredBlocksAmongQuery {
            client,
            params: [ns, tasks, now],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindExpiredBlocksAmongBorrowed, tokio_postgres::Error> {
                Ok(FindExpiredBlocksAmongBorrowed {
                    task: row.try_get(0)?,
                    waits_for: row.try_get(1)?,
                    question: row.try_get(2)?,
                })
            },
            mapper: |it| FindExpiredBlocksAmong::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindExpiredBlocksAmongParams<T1>,
        FindExpiredBlocksAmongQuery<'c, 'a, 's, C, FindExpiredBlocksAmong, 3>,
        C,
    > for FindExpiredBlocksAmongStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindExpiredBlocksAmongParams<T1>,
    ) -> FindExpiredBlocksAmongQuery<'c, 'a, 's, C, FindExpiredBlocksAmong, 3> {
        self.bind(client, &params.ns, &params.tasks, &params.now)
    }
}
pub struct FindExpiredBlocksStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_expired_blocks() -> FindExpiredBlocksStmt {
    FindExpiredBlocksStmt(
        "select b.ns, b.task from workmill.blocked b where b.until <= $1 order by b.ns, b.task limit $2",
        None,
    )
}
impl FindExpiredBlocksStmt {
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
    ) -> FindExpiredBlocksQuery<'c, 'a, 's, C, FindExpiredBlocks, 2> {
        FindExpiredBlocksQuery {
            client,
            params: [now, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindExpiredBlocks, tokio_postgres::Error> {
                    Ok(FindExpiredBlocks {
                        ns: row.try_get(0)?,
                        task: row.try_get(1)?,
                    })
                },
            mapper: |it| FindExpiredBlocks::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindExpiredBlocksParams,
        FindExpiredBlocksQuery<'c, 'a, 's, C, FindExpiredBlocks, 2>,
        C,
    > for FindExpiredBlocksStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindExpiredBlocksParams,
    ) -> FindExpiredBlocksQuery<'c, 'a, 's, C, FindExpiredBlocks, 2> {
        self.bind(client, &params.now, &params.most)
    }
}
pub struct FindExpiredBlocksOfNamespaceStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_expired_blocks_of_namespace() -> FindExpiredBlocksOfNamespaceStmt {
    FindExpiredBlocksOfNamespaceStmt(
        "select b.task from workmill.blocked b where b.ns = $1 and b.until <= $2 order by b.task limit $3",
        None,
    )
}
impl FindExpiredBlocksOfNamespaceStmt {
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
        FindExpiredBlocksOfNamespaceParams,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3>,
        C,
    > for FindExpiredBlocksOfNamespaceStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindExpiredBlocksOfNamespaceParams,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        self.bind(client, &params.ns, &params.now, &params.most)
    }
}
pub struct RenewAllAgentsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn renew_all_agents() -> RenewAllAgentsStmt {
    RenewAllAgentsStmt(
        "update workmill.agent a set seen_at = $1 where a.ns = $2 and a.silent_since is null and a.seen_at < $1",
        None,
    )
}
impl RenewAllAgentsStmt {
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
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[now, ns])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        RenewAllAgentsParams,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for RenewAllAgentsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a RenewAllAgentsParams,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.now, &params.ns))
    }
}
pub struct RenewAllLeasesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn renew_all_leases() -> RenewAllLeasesStmt {
    RenewAllLeasesStmt(
        "update workmill.lease l set renewed_at = $1 where l.ns = $2",
        None,
    )
}
impl RenewAllLeasesStmt {
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
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[now, ns])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        RenewAllLeasesParams,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for RenewAllLeasesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a RenewAllLeasesParams,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.now, &params.ns))
    }
}
