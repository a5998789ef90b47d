// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct InsertGraphsParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = T2>,
    T4: crate::StringSql,
    T5: crate::ArraySql<Item = T4>,
    T6: crate::ArraySql<Item = Option<uuid::Uuid>>,
    T7: crate::ArraySql<Item = bool>,
    T8: crate::StringSql,
    T9: crate::ArraySql<Item = T8>,
    T10: crate::ArraySql<Item = i32>,
    T11: crate::ArraySql<Item = i32>,
    T12: crate::ArraySql<Item = Option<uuid::Uuid>>,
> {
    pub now: jiff::Timestamp,
    pub graphs: T1,
    pub titles: T3,
    pub creators: T5,
    pub keys: T6,
    pub is_draft: T7,
    pub statuses: T9,
    pub tasks: T10,
    pub moving: T11,
    pub projects: T12,
    pub ns: i64,
}
#[derive(Debug)]
pub struct InsertSpecsParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = T2>,
    T4: crate::ArraySql<Item = Option<uuid::Uuid>>,
    T5: crate::ArraySql<Item = Option<uuid::Uuid>>,
    T6: crate::ArraySql<Item = i16>,
    T7: crate::JsonSql,
    T8: crate::ArraySql<Item = T7>,
    T9: crate::JsonSql,
    T10: crate::ArraySql<Item = T9>,
> {
    pub now: jiff::Timestamp,
    pub tasks: T1,
    pub creators: T3,
    pub keys: T4,
    pub parents: T5,
    pub depths: T6,
    pub bodies: T8,
    pub policies: T10,
    pub ns: i64,
}
#[derive(Debug)]
pub struct InsertRequestsParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = T2>,
    T4: crate::BytesSql,
    T5: crate::ArraySql<Item = T4>,
    T6: crate::ArraySql<Item = Option<uuid::Uuid>>,
    T7: crate::ArraySql<Item = i32>,
    T8: crate::ArraySql<Item = i32>,
> {
    pub now: jiff::Timestamp,
    pub answered: T1,
    pub request_keys: T3,
    pub digests: T5,
    pub request_graphs: T6,
    pub firsts: T7,
    pub lasts: T8,
    pub ns: i64,
}
#[derive(Debug)]
pub struct InsertTasksParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = uuid::Uuid>,
    T3: crate::ArraySql<Item = i64>,
    T4: crate::ArraySql<Item = i64>,
    T5: crate::ArraySql<Item = Option<jiff::Timestamp>>,
    T6: crate::ArraySql<Item = i16>,
    T7: crate::ArraySql<Item = i32>,
    T8: crate::ArraySql<Item = i32>,
    T9: crate::ArraySql<Item = i32>,
    T10: crate::ArraySql<Item = i16>,
    T11: crate::ArraySql<Item = i16>,
    T12: crate::ArraySql<Item = bool>,
    T13: crate::ArraySql<Item = bool>,
    T14: crate::ArraySql<Item = Option<uuid::Uuid>>,
> {
    pub tasks: T1,
    pub graphs: T2,
    pub lanes: T3,
    pub ranks: T4,
    pub dues: T5,
    pub states: T6,
    pub epochs: T7,
    pub attempts: T8,
    pub unmets: T9,
    pub critical_paths: T10,
    pub on_dependency_failures: T11,
    pub in_graphs: T12,
    pub has_deadlines: T13,
    pub projects: T14,
    pub ns: i64,
}
#[derive(Debug)]
pub struct InsertEdgesParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = uuid::Uuid>,
> {
    pub tasks: T1,
    pub depends_on: T2,
    pub ns: i64,
}
#[derive(Debug)]
pub struct FindIdempotentParams<T1: crate::StringSql, T2: crate::ArraySql<Item = T1>> {
    pub keys: T2,
    pub ns: i64,
}
#[derive(Debug)]
pub struct FindTaskKeysParams<T1: crate::StringSql, T2: crate::ArraySql<Item = T1>> {
    pub keys: T2,
    pub ns: i64,
}
#[derive(Debug)]
pub struct InsertTaskKeysParams<
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::ArraySql<Item = uuid::Uuid>,
> {
    pub keys: T2,
    pub tasks: T3,
    pub ns: i64,
}
#[derive(Debug)]
pub struct InsertSpecVersionsParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
    T3: crate::JsonSql,
    T4: crate::ArraySql<Item = T3>,
    T5: crate::JsonSql,
    T6: crate::ArraySql<Item = T5>,
> {
    pub tasks: T1,
    pub versions: T2,
    pub bodies: T4,
    pub policies: T6,
    pub ns: i64,
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindIdempotent {
    pub key: String,
    pub digest: Option<Vec<u8>>,
    pub graph: Option<uuid::Uuid>,
    pub tasks: Option<Vec<uuid::Uuid>>,
}
pub struct FindIdempotentBorrowed<'a> {
    pub key: &'a str,
    pub digest: Option<&'a [u8]>,
    pub graph: Option<uuid::Uuid>,
    pub tasks: Option<crate::ArrayIterator<'a, uuid::Uuid>>,
}
impl<'a> From<FindIdempotentBorrowed<'a>> for FindIdempotent {
    fn from(
        FindIdempotentBorrowed {
            key,
            digest,
            graph,
            tasks,
        }: FindIdempotentBorrowed<'a>,
    ) -> Self {
        Self {
            key: key.into(),
            digest: digest.map(|v| v.into()),
            graph,
            tasks: tasks.map(|v| v.map(|v| v).collect()),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindTaskKeys {
    pub key: String,
    pub task: uuid::Uuid,
}
pub struct FindTaskKeysBorrowed<'a> {
    pub key: &'a str,
    pub task: uuid::Uuid,
}
impl<'a> From<FindTaskKeysBorrowed<'a>> for FindTaskKeys {
    fn from(FindTaskKeysBorrowed { key, task }: FindTaskKeysBorrowed<'a>) -> Self {
        Self {
            key: key.into(),
            task,
        }
    }
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct FindIdempotentQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindIdempotentBorrowed, tokio_postgres::Error>,
    mapper: fn(FindIdempotentBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindIdempotentQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindIdempotentBorrowed) -> R,
    ) -> FindIdempotentQuery<'c, 'a, 's, C, R, N> {
        FindIdempotentQuery {
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
pub struct FindTaskKeysQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindTaskKeysBorrowed, tokio_postgres::Error>,
    mapper: fn(FindTaskKeysBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindTaskKeysQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindTaskKeysBorrowed) -> R,
    ) -> FindTaskKeysQuery<'c, 'a, 's, C, R, N> {
        FindTaskKeysQuery {
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
pub struct InsertGraphsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_graphs() -> InsertGraphsStmt {
    InsertGraphsStmt(
        "insert into workmill.graph ( ns, graph, title, created_by, created_by_key, created_at, is_draft, is_draining, status, tasks, completed, cancelled, stale, dead, moving, project ) select a.ns, u.graph, u.title, u.created_by, u.created_by_key, $1, u.is_draft, false, u.status, u.tasks, 0, 0, 0, 0, u.moving, u.project from workmill.anchor a, unnest( $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::boolean[], $7::text[], $8::integer[], $9::integer[], $10::uuid[] ) as u (graph, title, created_by, created_by_key, is_draft, status, tasks, moving, project) where a.ns = $11",
        None,
    )
}
impl InsertGraphsStmt {
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
        T2: crate::StringSql,
        T3: crate::ArraySql<Item = T2>,
        T4: crate::StringSql,
        T5: crate::ArraySql<Item = T4>,
        T6: crate::ArraySql<Item = Option<uuid::Uuid>>,
        T7: crate::ArraySql<Item = bool>,
        T8: crate::StringSql,
        T9: crate::ArraySql<Item = T8>,
        T10: crate::ArraySql<Item = i32>,
        T11: crate::ArraySql<Item = i32>,
        T12: crate::ArraySql<Item = Option<uuid::Uuid>>,
    >(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        graphs: &'a T1,
        titles: &'a T3,
        creators: &'a T5,
        keys: &'a T6,
        is_draft: &'a T7,
        statuses: &'a T9,
        tasks: &'a T10,
        moving: &'a T11,
        projects: &'a T12,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[
                    now, graphs, titles, creators, keys, is_draft, statuses, tasks, moving,
                    projects, ns,
                ],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = T2>,
    T4: crate::StringSql,
    T5: crate::ArraySql<Item = T4>,
    T6: crate::ArraySql<Item = Option<uuid::Uuid>>,
    T7: crate::ArraySql<Item = bool>,
    T8: crate::StringSql,
    T9: crate::ArraySql<Item = T8>,
    T10: crate::ArraySql<Item = i32>,
    T11: crate::ArraySql<Item = i32>,
    T12: crate::ArraySql<Item = Option<uuid::Uuid>>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertGraphsParams<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertGraphsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertGraphsParams<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.now,
            &params.graphs,
            &params.titles,
            &params.creators,
            &params.keys,
            &params.is_draft,
            &params.statuses,
            &params.tasks,
            &params.moving,
            &params.projects,
            &params.ns,
        ))
    }
}
pub struct InsertSpecsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_specs() -> InsertSpecsStmt {
    InsertSpecsStmt(
        "insert into workmill.spec ( ns, task, version, submitted_at, created_by, created_by_key, parent, depth, body, policy ) select a.ns, u.task, 1, $1, u.created_by, u.created_by_key, u.parent, u.depth, u.body, u.policy from workmill.anchor a, unnest( $2::uuid[], $3::text[], $4::uuid[], $5::uuid[], $6::smallint[], $7::json[], $8::json[] ) as u (task, created_by, created_by_key, parent, depth, body, policy) where a.ns = $9",
        None,
    )
}
impl InsertSpecsStmt {
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
        T2: crate::StringSql,
        T3: crate::ArraySql<Item = T2>,
        T4: crate::ArraySql<Item = Option<uuid::Uuid>>,
        T5: crate::ArraySql<Item = Option<uuid::Uuid>>,
        T6: crate::ArraySql<Item = i16>,
        T7: crate::JsonSql,
        T8: crate::ArraySql<Item = T7>,
        T9: crate::JsonSql,
        T10: crate::ArraySql<Item = T9>,
    >(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        tasks: &'a T1,
        creators: &'a T3,
        keys: &'a T4,
        parents: &'a T5,
        depths: &'a T6,
        bodies: &'a T8,
        policies: &'a T10,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[
                    now, tasks, creators, keys, parents, depths, bodies, policies, ns,
                ],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = T2>,
    T4: crate::ArraySql<Item = Option<uuid::Uuid>>,
    T5: crate::ArraySql<Item = Option<uuid::Uuid>>,
    T6: crate::ArraySql<Item = i16>,
    T7: crate::JsonSql,
    T8: crate::ArraySql<Item = T7>,
    T9: crate::JsonSql,
    T10: crate::ArraySql<Item = T9>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertSpecsParams<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertSpecsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertSpecsParams<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.now,
            &params.tasks,
            &params.creators,
            &params.keys,
            &params.parents,
            &params.depths,
            &params.bodies,
            &params.policies,
            &params.ns,
        ))
    }
}
pub struct InsertRequestsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_requests() -> InsertRequestsStmt {
    InsertRequestsStmt(
        "insert into workmill.idempotency (ns, key, digest, at, graph, tasks) select a.ns, u.key, u.digest, $1, u.graph, ($2::uuid[])[u.first_task : u.last_task] from workmill.anchor a, unnest( $3::text[], $4::bytea[], $5::uuid[], $6::integer[], $7::integer[] ) as u (key, digest, graph, first_task, last_task) where a.ns = $8 order by u.key",
        None,
    )
}
impl InsertRequestsStmt {
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
        T2: crate::StringSql,
        T3: crate::ArraySql<Item = T2>,
        T4: crate::BytesSql,
        T5: crate::ArraySql<Item = T4>,
        T6: crate::ArraySql<Item = Option<uuid::Uuid>>,
        T7: crate::ArraySql<Item = i32>,
        T8: crate::ArraySql<Item = i32>,
    >(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        answered: &'a T1,
        request_keys: &'a T3,
        digests: &'a T5,
        request_graphs: &'a T6,
        firsts: &'a T7,
        lasts: &'a T8,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[
                    now,
                    answered,
                    request_keys,
                    digests,
                    request_graphs,
                    firsts,
                    lasts,
                    ns,
                ],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = T2>,
    T4: crate::BytesSql,
    T5: crate::ArraySql<Item = T4>,
    T6: crate::ArraySql<Item = Option<uuid::Uuid>>,
    T7: crate::ArraySql<Item = i32>,
    T8: crate::ArraySql<Item = i32>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertRequestsParams<T1, T2, T3, T4, T5, T6, T7, T8>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertRequestsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertRequestsParams<T1, T2, T3, T4, T5, T6, T7, T8>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.now,
            &params.answered,
            &params.request_keys,
            &params.digests,
            &params.request_graphs,
            &params.firsts,
            &params.lasts,
            &params.ns,
        ))
    }
}
pub struct InsertTasksStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_tasks() -> InsertTasksStmt {
    InsertTasksStmt(
        "insert into workmill.state ( ns, task, graph, lane, rank, due, state, unmet, critical_path, on_dependency_failure, in_graph, has_deadline, spec_version, epoch, attempts, crashes, freed_runners, spent_micros, project ) select a.ns, u.task, u.graph, u.lane, u.rank, u.due, u.state, u.unmet, u.critical_path, u.on_dependency_failure, u.in_graph, u.has_deadline, 1, u.epoch, u.attempts, 0, false, 0, u.project from workmill.anchor a, unnest( $1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::timestamptz[], $6::smallint[], $7::integer[], $8::integer[], $9::integer[], $10::smallint[], $11::smallint[], $12::boolean[], $13::boolean[], $14::uuid[] ) as u ( task, graph, lane, rank, due, state, epoch, attempts, unmet, critical_path, on_dependency_failure, in_graph, has_deadline, project ) where a.ns = $15",
        None,
    )
}
impl InsertTasksStmt {
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
        T2: crate::ArraySql<Item = uuid::Uuid>,
        T3: crate::ArraySql<Item = i64>,
        T4: crate::ArraySql<Item = i64>,
        T5: crate::ArraySql<Item = Option<jiff::Timestamp>>,
        T6: crate::ArraySql<Item = i16>,
        T7: crate::ArraySql<Item = i32>,
        T8: crate::ArraySql<Item = i32>,
        T9: crate::ArraySql<Item = i32>,
        T10: crate::ArraySql<Item = i16>,
        T11: crate::ArraySql<Item = i16>,
        T12: crate::ArraySql<Item = bool>,
        T13: crate::ArraySql<Item = bool>,
        T14: crate::ArraySql<Item = Option<uuid::Uuid>>,
    >(
        &'s self,
        client: &'c C,
        tasks: &'a T1,
        graphs: &'a T2,
        lanes: &'a T3,
        ranks: &'a T4,
        dues: &'a T5,
        states: &'a T6,
        epochs: &'a T7,
        attempts: &'a T8,
        unmets: &'a T9,
        critical_paths: &'a T10,
        on_dependency_failures: &'a T11,
        in_graphs: &'a T12,
        has_deadlines: &'a T13,
        projects: &'a T14,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[
                    tasks,
                    graphs,
                    lanes,
                    ranks,
                    dues,
                    states,
                    epochs,
                    attempts,
                    unmets,
                    critical_paths,
                    on_dependency_failures,
                    in_graphs,
                    has_deadlines,
                    projects,
                    ns,
                ],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = uuid::Uuid>,
    T3: crate::ArraySql<Item = i64>,
    T4: crate::ArraySql<Item = i64>,
    T5: crate::ArraySql<Item = Option<jiff::Timestamp>>,
    T6: crate::ArraySql<Item = i16>,
    T7: crate::ArraySql<Item = i32>,
    T8: crate::ArraySql<Item = i32>,
    T9: crate::ArraySql<Item = i32>,
    T10: crate::ArraySql<Item = i16>,
    T11: crate::ArraySql<Item = i16>,
    T12: crate::ArraySql<Item = bool>,
    T13: crate::ArraySql<Item = bool>,
    T14: crate::ArraySql<Item = Option<uuid::Uuid>>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertTasksParams<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertTasksStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertTasksParams<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.tasks,
            &params.graphs,
            &params.lanes,
            &params.ranks,
            &params.dues,
            &params.states,
            &params.epochs,
            &params.attempts,
            &params.unmets,
            &params.critical_paths,
            &params.on_dependency_failures,
            &params.in_graphs,
            &params.has_deadlines,
            &params.projects,
            &params.ns,
        ))
    }
}
pub struct InsertEdgesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_edges() -> InsertEdgesStmt {
    InsertEdgesStmt(
        "insert into workmill.edge (ns, task, depends_on) select a.ns, u.task, u.depends_on from workmill.anchor a, unnest($1::uuid[], $2::uuid[]) as u (task, depends_on) where a.ns = $3",
        None,
    )
}
impl InsertEdgesStmt {
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
        T2: crate::ArraySql<Item = uuid::Uuid>,
    >(
        &'s self,
        client: &'c C,
        tasks: &'a T1,
        depends_on: &'a T2,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[tasks, depends_on, ns])
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = uuid::Uuid>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertEdgesParams<T1, T2>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertEdgesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertEdgesParams<T1, T2>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.tasks, &params.depends_on, &params.ns))
    }
}
pub struct FindIdempotentStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_idempotent() -> FindIdempotentStmt {
    FindIdempotentStmt(
        "select u.key, i.digest, i.graph, i.tasks from unnest($1::text[]) as u (key) left join lateral ( select t.digest, t.graph, t.tasks from workmill.idempotency t where t.ns = $2 and t.key = u.key limit 1 ) as i on true",
        None,
    )
}
impl FindIdempotentStmt {
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
        keys: &'a T2,
        ns: &'a i64,
    ) -> FindIdempotentQuery<'c, 'a, 's, C, FindIdempotent, 2> {
        FindIdempotentQuery {
            client,
            params: [keys, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindIdempotentBorrowed, tokio_postgres::Error> {
                Ok(FindIdempotentBorrowed {
                    key: row.try_get(0)?,
                    digest: row.try_get(1)?,
                    graph: row.try_get(2)?,
                    tasks: row.try_get(3)?,
                })
            },
            mapper: |it| FindIdempotent::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::StringSql, T2: crate::ArraySql<Item = T1>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindIdempotentParams<T1, T2>,
        FindIdempotentQuery<'c, 'a, 's, C, FindIdempotent, 2>,
        C,
    > for FindIdempotentStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindIdempotentParams<T1, T2>,
    ) -> FindIdempotentQuery<'c, 'a, 's, C, FindIdempotent, 2> {
        self.bind(client, &params.keys, &params.ns)
    }
}
pub struct FindTaskKeysStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_task_keys() -> FindTaskKeysStmt {
    FindTaskKeysStmt(
        "select k.key, k.task from unnest($1::text[]) as u (key) cross join lateral ( select t.key, t.task from workmill.task_key t where t.ns = $2 and t.key = u.key limit 1 ) as k",
        None,
    )
}
impl FindTaskKeysStmt {
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
        keys: &'a T2,
        ns: &'a i64,
    ) -> FindTaskKeysQuery<'c, 'a, 's, C, FindTaskKeys, 2> {
        FindTaskKeysQuery {
            client,
            params: [keys, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindTaskKeysBorrowed, tokio_postgres::Error> {
                    Ok(FindTaskKeysBorrowed {
                        key: row.try_get(0)?,
                        task: row.try_get(1)?,
                    })
                },
            mapper: |it| FindTaskKeys::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::StringSql, T2: crate::ArraySql<Item = T1>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindTaskKeysParams<T1, T2>,
        FindTaskKeysQuery<'c, 'a, 's, C, FindTaskKeys, 2>,
        C,
    > for FindTaskKeysStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindTaskKeysParams<T1, T2>,
    ) -> FindTaskKeysQuery<'c, 'a, 's, C, FindTaskKeys, 2> {
        self.bind(client, &params.keys, &params.ns)
    }
}
pub struct InsertTaskKeysStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_task_keys() -> InsertTaskKeysStmt {
    InsertTaskKeysStmt(
        "insert into workmill.task_key (ns, key, task) select a.ns, u.key, u.task from workmill.anchor a, unnest($1::text[], $2::uuid[]) as u (key, task) where a.ns = $3 order by u.key",
        None,
    )
}
impl InsertTaskKeysStmt {
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
        T2: crate::ArraySql<Item = T1>,
        T3: crate::ArraySql<Item = uuid::Uuid>,
    >(
        &'s self,
        client: &'c C,
        keys: &'a T2,
        tasks: &'a T3,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[keys, tasks, ns])
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::ArraySql<Item = uuid::Uuid>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertTaskKeysParams<T1, T2, T3>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertTaskKeysStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertTaskKeysParams<T1, T2, T3>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.keys, &params.tasks, &params.ns))
    }
}
pub struct InsertSpecVersionsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_spec_versions() -> InsertSpecVersionsStmt {
    InsertSpecVersionsStmt(
        "insert into workmill.spec ( ns, task, version, submitted_at, created_by, created_by_key, parent, depth, body, policy ) select a.ns, p.task, p.version + 1, p.submitted_at, p.created_by, p.created_by_key, p.parent, p.depth, u.body, u.policy from workmill.anchor a cross join unnest($1::uuid[], $2::integer[], $3::json[], $4::json[]) as u (task, version, body, policy) cross join lateral ( select c.task, c.version, c.submitted_at, c.created_by, c.created_by_key, c.parent, c.depth from workmill.spec c where c.ns = $5 and c.task = u.task and c.version = u.version limit 1 ) as p where a.ns = $5",
        None,
    )
}
impl InsertSpecVersionsStmt {
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
        T5: crate::JsonSql,
        T6: crate::ArraySql<Item = T5>,
    >(
        &'s self,
        client: &'c C,
        tasks: &'a T1,
        versions: &'a T2,
        bodies: &'a T4,
        policies: &'a T6,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[tasks, versions, bodies, policies, ns],
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
    T5: crate::JsonSql,
    T6: crate::ArraySql<Item = T5>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertSpecVersionsParams<T1, T2, T3, T4, T5, T6>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertSpecVersionsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertSpecVersionsParams<T1, T2, T3, T4, T5, T6>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.tasks,
            &params.versions,
            &params.bodies,
            &params.policies,
            &params.ns,
        ))
    }
}
