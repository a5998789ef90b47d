// This file was generated with `cornucopia`. Do not modify.

#[derive(Clone, Copy, Debug)]
pub struct FindSpawnerParams {
    pub ns: i64,
    pub task: uuid::Uuid,
    pub epoch: i32,
}
#[derive(Clone, Copy, Debug)]
pub struct FindOriginParams {
    pub ns: i64,
    pub task: uuid::Uuid,
}
#[derive(Clone, Copy, Debug)]
pub struct CountUnderLeaseParams {
    pub more: i32,
    pub ns: i64,
    pub task: uuid::Uuid,
    pub epoch: i32,
}
#[derive(Clone, Copy, Debug)]
pub struct CountInGraphParams {
    pub more: i32,
    pub ns: i64,
    pub graph: uuid::Uuid,
}
#[derive(Debug)]
pub struct WriteSpawningParams<T1: crate::StringSql, T2: crate::StringSql> {
    pub ns: i64,
    pub most_per_lease: i32,
    pub most_per_graph: i32,
    pub most_depth: i16,
    pub spawn_for: T1,
    pub locks: T2,
    pub now: jiff::Timestamp,
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindSpawner {
    pub body: serde_json::Value,
    pub policy: serde_json::Value,
    pub depth: i16,
    pub critical_path: i16,
    pub spent_micros: i64,
    pub cost_micros: i64,
    pub agent: String,
    pub r#type: String,
    pub key: uuid::Uuid,
}
pub struct FindSpawnerBorrowed<'a> {
    pub body: postgres_types::Json<&'a serde_json::value::RawValue>,
    pub policy: postgres_types::Json<&'a serde_json::value::RawValue>,
    pub depth: i16,
    pub critical_path: i16,
    pub spent_micros: i64,
    pub cost_micros: i64,
    pub agent: &'a str,
    pub r#type: &'a str,
    pub key: uuid::Uuid,
}
impl<'a> From<FindSpawnerBorrowed<'a>> for FindSpawner {
    fn from(
        FindSpawnerBorrowed {
            body,
            policy,
            depth,
            critical_path,
            spent_micros,
            cost_micros,
            agent,
            r#type,
            key,
        }: FindSpawnerBorrowed<'a>,
    ) -> Self {
        Self {
            body: serde_json::from_str(body.0.get()).unwrap(),
            policy: serde_json::from_str(policy.0.get()).unwrap(),
            depth,
            critical_path,
            spent_micros,
            cost_micros,
            agent: agent.into(),
            r#type: r#type.into(),
            key,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindOrigin {
    pub project: Option<uuid::Uuid>,
    pub created_by: String,
    pub created_by_key: Option<uuid::Uuid>,
    pub title: String,
}
pub struct FindOriginBorrowed<'a> {
    pub project: Option<uuid::Uuid>,
    pub created_by: &'a str,
    pub created_by_key: Option<uuid::Uuid>,
    pub title: &'a str,
}
impl<'a> From<FindOriginBorrowed<'a>> for FindOrigin {
    fn from(
        FindOriginBorrowed {
            project,
            created_by,
            created_by_key,
            title,
        }: FindOriginBorrowed<'a>,
    ) -> Self {
        Self {
            project,
            created_by: created_by.into(),
            created_by_key,
            title: title.into(),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindSpawning {
    pub most_per_lease: i32,
    pub most_per_graph: i32,
    pub most_depth: i16,
    pub spawn_for: String,
    pub locks: String,
}
pub struct FindSpawningBorrowed<'a> {
    pub most_per_lease: i32,
    pub most_per_graph: i32,
    pub most_depth: i16,
    pub spawn_for: &'a str,
    pub locks: &'a str,
}
impl<'a> From<FindSpawningBorrowed<'a>> for FindSpawning {
    fn from(
        FindSpawningBorrowed {
            most_per_lease,
            most_per_graph,
            most_depth,
            spawn_for,
            locks,
        }: FindSpawningBorrowed<'a>,
    ) -> Self {
        Self {
            most_per_lease,
            most_per_graph,
            most_depth,
            spawn_for: spawn_for.into(),
            locks: locks.into(),
        }
    }
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct FindSpawnerQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindSpawnerBorrowed, tokio_postgres::Error>,
    mapper: fn(FindSpawnerBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindSpawnerQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindSpawnerBorrowed) -> R,
    ) -> FindSpawnerQuery<'c, 'a, 's, C, R, N> {
        FindSpawnerQuery {
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
pub struct FindOriginQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindOriginBorrowed, tokio_postgres::Error>,
    mapper: fn(FindOriginBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindOriginQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindOriginBorrowed) -> R,
    ) -> FindOriginQuery<'c, 'a, 's, C, R, N> {
        FindOriginQuery {
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
pub struct FindSpawningQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindSpawningBorrowed, tokio_postgres::Error>,
    mapper: fn(FindSpawningBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindSpawningQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindSpawningBorrowed) -> R,
    ) -> FindSpawningQuery<'c, 'a, 's, C, R, N> {
        FindSpawningQuery {
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
pub struct FindSpawnerStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_spawner() -> FindSpawnerStmt {
    FindSpawnerStmt(
        "select p.body, p.policy, p.depth, s.critical_path, s.spent_micros, l.cost_micros, l.agent, coalesce(l.agent_type, g.type) as type, g.key from workmill.lease l cross join lateral ( select t.spec_version, t.critical_path, t.spent_micros from workmill.state t where t.ns = $1 and t.task = l.task limit 1 ) as s cross join lateral ( select c.body, c.policy, c.depth from workmill.spec c where c.ns = $1 and c.task = l.task and c.version = s.spec_version limit 1 ) as p cross join lateral ( select a.type, a.key from workmill.agent a where a.ns = $1 and a.agent = l.agent limit 1 ) as g where l.ns = $1 and l.task = $2 and l.epoch = $3",
        None,
    )
}
impl FindSpawnerStmt {
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
        task: &'a uuid::Uuid,
        epoch: &'a i32,
    ) -> FindSpawnerQuery<'c, 'a, 's, C, FindSpawner, 3> {
        FindSpawnerQuery {
            client,
            params: [ns, task, epoch],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindSpawnerBorrowed, tokio_postgres::Error> {
                    Ok(FindSpawnerBorrowed {
                        body: row.try_get(0)?,
                        policy: row.try_get(1)?,
                        depth: row.try_get(2)?,
                        critical_path: row.try_get(3)?,
                        spent_micros: row.try_get(4)?,
                        cost_micros: row.try_get(5)?,
                        agent: row.try_get(6)?,
                        r#type: row.try_get(7)?,
                        key: row.try_get(8)?,
                    })
                },
            mapper: |it| FindSpawner::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindSpawnerParams,
        FindSpawnerQuery<'c, 'a, 's, C, FindSpawner, 3>,
        C,
    > for FindSpawnerStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindSpawnerParams,
    ) -> FindSpawnerQuery<'c, 'a, 's, C, FindSpawner, 3> {
        self.bind(client, &params.ns, &params.task, &params.epoch)
    }
}
pub struct FindOriginStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_origin() -> FindOriginStmt {
    FindOriginStmt(
        "select s.project, p.created_by, p.created_by_key, p.title from workmill.state s cross join lateral ( select c.created_by, c.created_by_key, c.body ->> 'title' as title from workmill.spec c where c.ns = $1 and c.task = s.task and c.version = s.spec_version limit 1 ) as p where s.ns = $1 and s.task = $2",
        None,
    )
}
impl FindOriginStmt {
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
        task: &'a uuid::Uuid,
    ) -> FindOriginQuery<'c, 'a, 's, C, FindOrigin, 2> {
        FindOriginQuery {
            client,
            params: [ns, task],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindOriginBorrowed, tokio_postgres::Error> {
                    Ok(FindOriginBorrowed {
                        project: row.try_get(0)?,
                        created_by: row.try_get(1)?,
                        created_by_key: row.try_get(2)?,
                        title: row.try_get(3)?,
                    })
                },
            mapper: |it| FindOrigin::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindOriginParams,
        FindOriginQuery<'c, 'a, 's, C, FindOrigin, 2>,
        C,
    > for FindOriginStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindOriginParams,
    ) -> FindOriginQuery<'c, 'a, 's, C, FindOrigin, 2> {
        self.bind(client, &params.ns, &params.task)
    }
}
pub struct CountUnderLeaseStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn count_under_lease() -> CountUnderLeaseStmt {
    CountUnderLeaseStmt(
        "update workmill.lease set spawned = spawned + $1 where ns = $2 and task = $3 and epoch = $4 returning spawned",
        None,
    )
}
impl CountUnderLeaseStmt {
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
        more: &'a i32,
        ns: &'a i64,
        task: &'a uuid::Uuid,
        epoch: &'a i32,
    ) -> I32Query<'c, 'a, 's, C, i32, 4> {
        I32Query {
            client,
            params: [more, ns, task, epoch],
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
        CountUnderLeaseParams,
        I32Query<'c, 'a, 's, C, i32, 4>,
        C,
    > for CountUnderLeaseStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a CountUnderLeaseParams,
    ) -> I32Query<'c, 'a, 's, C, i32, 4> {
        self.bind(
            client,
            &params.more,
            &params.ns,
            &params.task,
            &params.epoch,
        )
    }
}
pub struct CountInGraphStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn count_in_graph() -> CountInGraphStmt {
    CountInGraphStmt(
        "update workmill.graph set spawned = spawned + $1 where ns = $2 and graph = $3 returning spawned",
        None,
    )
}
impl CountInGraphStmt {
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
        more: &'a i32,
        ns: &'a i64,
        graph: &'a uuid::Uuid,
    ) -> I32Query<'c, 'a, 's, C, i32, 3> {
        I32Query {
            client,
            params: [more, ns, graph],
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
        CountInGraphParams,
        I32Query<'c, 'a, 's, C, i32, 3>,
        C,
    > for CountInGraphStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a CountInGraphParams,
    ) -> I32Query<'c, 'a, 's, C, i32, 3> {
        self.bind(client, &params.more, &params.ns, &params.graph)
    }
}
pub struct FindSpawningStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_spawning() -> FindSpawningStmt {
    FindSpawningStmt(
        "select most_per_lease, most_per_graph, most_depth, spawn_for, locks from workmill.spawning where ns = $1",
        None,
    )
}
impl FindSpawningStmt {
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
    ) -> FindSpawningQuery<'c, 'a, 's, C, FindSpawning, 1> {
        FindSpawningQuery {
            client,
            params: [ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindSpawningBorrowed, tokio_postgres::Error> {
                    Ok(FindSpawningBorrowed {
                        most_per_lease: row.try_get(0)?,
                        most_per_graph: row.try_get(1)?,
                        most_depth: row.try_get(2)?,
                        spawn_for: row.try_get(3)?,
                        locks: row.try_get(4)?,
                    })
                },
            mapper: |it| FindSpawning::from(it),
        }
    }
}
pub struct WriteSpawningStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn write_spawning() -> WriteSpawningStmt {
    WriteSpawningStmt(
        "insert into workmill.spawning ( ns, most_per_lease, most_per_graph, most_depth, spawn_for, locks, changed_at ) values ( $1, $2, $3, $4, $5, $6, $7 ) on conflict (ns) do update set most_per_lease = excluded.most_per_lease, most_per_graph = excluded.most_per_graph, most_depth = excluded.most_depth, spawn_for = excluded.spawn_for, locks = excluded.locks, changed_at = excluded.changed_at",
        None,
    )
}
impl WriteSpawningStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::StringSql, T2: crate::StringSql>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        most_per_lease: &'a i32,
        most_per_graph: &'a i32,
        most_depth: &'a i16,
        spawn_for: &'a T1,
        locks: &'a T2,
        now: &'a jiff::Timestamp,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[
                    ns,
                    most_per_lease,
                    most_per_graph,
                    most_depth,
                    spawn_for,
                    locks,
                    now,
                ],
            )
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::StringSql, T2: crate::StringSql>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        WriteSpawningParams<T1, T2>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for WriteSpawningStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a WriteSpawningParams<T1, T2>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.ns,
            &params.most_per_lease,
            &params.most_per_graph,
            &params.most_depth,
            &params.spawn_for,
            &params.locks,
            &params.now,
        ))
    }
}
