// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct InsertGraphsParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = T2>,
    T4: crate::StringSql,
    T5: crate::ArraySql<Item = T4>,
    T6: crate::ArraySql<Item = bool>,
    T7: crate::StringSql,
    T8: crate::ArraySql<Item = T7>,
    T9: crate::ArraySql<Item = i32>,
    T10: crate::ArraySql<Item = i32>,
> {
    pub now: jiff::Timestamp,
    pub graphs: T1,
    pub titles: T3,
    pub creators: T5,
    pub is_draft: T6,
    pub statuses: T8,
    pub tasks: T9,
    pub moving: T10,
    pub ns: i64,
}
#[derive(Debug)]
pub struct InsertSpecsParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = T2>,
    T4: crate::ArraySql<Item = Option<uuid::Uuid>>,
    T5: crate::JsonSql,
    T6: crate::ArraySql<Item = T5>,
    T7: crate::JsonSql,
    T8: crate::ArraySql<Item = T7>,
> {
    pub now: jiff::Timestamp,
    pub tasks: T1,
    pub creators: T3,
    pub parents: T4,
    pub bodies: T6,
    pub policies: T8,
    pub ns: i64,
}
#[derive(Debug)]
pub struct InsertStatesParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = uuid::Uuid>,
    T3: crate::ArraySql<Item = i64>,
    T4: crate::ArraySql<Item = i64>,
    T5: crate::ArraySql<Item = Option<jiff::Timestamp>>,
    T6: crate::ArraySql<Item = i16>,
    T7: crate::ArraySql<Item = i32>,
    T8: crate::ArraySql<Item = i16>,
    T9: crate::ArraySql<Item = i16>,
    T10: crate::ArraySql<Item = bool>,
> {
    pub tasks: T1,
    pub graphs: T2,
    pub lanes: T3,
    pub ranks: T4,
    pub dues: T5,
    pub states: T6,
    pub unmets: T7,
    pub critical_paths: T8,
    pub on_dependency_failures: T9,
    pub in_graphs: T10,
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
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct InsertGraphsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_graphs() -> InsertGraphsStmt {
    InsertGraphsStmt(
        "insert into workmill.graph ( ns, graph, title, created_by, created_at, is_draft, is_draining, status, tasks, completed, cancelled, stale, dead, moving ) select a.ns, u.graph, u.title, u.created_by, $1, u.is_draft, false, u.status, u.tasks, 0, 0, 0, 0, u.moving from workmill.anchor a, unnest( $2::uuid[], $3::text[], $4::text[], $5::boolean[], $6::text[], $7::integer[], $8::integer[] ) as u (graph, title, created_by, is_draft, status, tasks, moving) where a.ns = $9",
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
        T6: crate::ArraySql<Item = bool>,
        T7: crate::StringSql,
        T8: crate::ArraySql<Item = T7>,
        T9: crate::ArraySql<Item = i32>,
        T10: crate::ArraySql<Item = i32>,
    >(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        graphs: &'a T1,
        titles: &'a T3,
        creators: &'a T5,
        is_draft: &'a T6,
        statuses: &'a T8,
        tasks: &'a T9,
        moving: &'a T10,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[
                    now, graphs, titles, creators, is_draft, statuses, tasks, moving, ns,
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
    T6: crate::ArraySql<Item = bool>,
    T7: crate::StringSql,
    T8: crate::ArraySql<Item = T7>,
    T9: crate::ArraySql<Item = i32>,
    T10: crate::ArraySql<Item = i32>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertGraphsParams<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertGraphsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertGraphsParams<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.now,
            &params.graphs,
            &params.titles,
            &params.creators,
            &params.is_draft,
            &params.statuses,
            &params.tasks,
            &params.moving,
            &params.ns,
        ))
    }
}
pub struct InsertSpecsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_specs() -> InsertSpecsStmt {
    InsertSpecsStmt(
        "insert into workmill.spec (ns, task, version, submitted_at, created_by, parent, body, policy) select a.ns, u.task, 1, $1, u.created_by, u.parent, u.body, u.policy from workmill.anchor a, unnest( $2::uuid[], $3::text[], $4::uuid[], $5::jsonb[], $6::jsonb[] ) as u (task, created_by, parent, body, policy) where a.ns = $7",
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
        T5: crate::JsonSql,
        T6: crate::ArraySql<Item = T5>,
        T7: crate::JsonSql,
        T8: crate::ArraySql<Item = T7>,
    >(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        tasks: &'a T1,
        creators: &'a T3,
        parents: &'a T4,
        bodies: &'a T6,
        policies: &'a T8,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[now, tasks, creators, parents, bodies, policies, ns],
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
    T5: crate::JsonSql,
    T6: crate::ArraySql<Item = T5>,
    T7: crate::JsonSql,
    T8: crate::ArraySql<Item = T7>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertSpecsParams<T1, T2, T3, T4, T5, T6, T7, T8>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertSpecsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertSpecsParams<T1, T2, T3, T4, T5, T6, T7, T8>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.now,
            &params.tasks,
            &params.creators,
            &params.parents,
            &params.bodies,
            &params.policies,
            &params.ns,
        ))
    }
}
pub struct InsertStatesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_states() -> InsertStatesStmt {
    InsertStatesStmt(
        "insert into workmill.state ( ns, task, graph, lane, rank, due, state, unmet, critical_path, on_dependency_failure, in_graph, spec_version, epoch, attempts, crashes, freed_runners ) select a.ns, u.task, u.graph, u.lane, u.rank, u.due, u.state, u.unmet, u.critical_path, u.on_dependency_failure, u.in_graph, 1, 0, 0, 0, false from workmill.anchor a, unnest( $1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::timestamptz[], $6::smallint[], $7::integer[], $8::smallint[], $9::smallint[], $10::boolean[] ) as u ( task, graph, lane, rank, due, state, unmet, critical_path, on_dependency_failure, in_graph ) where a.ns = $11",
        None,
    )
}
impl InsertStatesStmt {
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
        T8: crate::ArraySql<Item = i16>,
        T9: crate::ArraySql<Item = i16>,
        T10: crate::ArraySql<Item = bool>,
    >(
        &'s self,
        client: &'c C,
        tasks: &'a T1,
        graphs: &'a T2,
        lanes: &'a T3,
        ranks: &'a T4,
        dues: &'a T5,
        states: &'a T6,
        unmets: &'a T7,
        critical_paths: &'a T8,
        on_dependency_failures: &'a T9,
        in_graphs: &'a T10,
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
                    unmets,
                    critical_paths,
                    on_dependency_failures,
                    in_graphs,
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
    T8: crate::ArraySql<Item = i16>,
    T9: crate::ArraySql<Item = i16>,
    T10: crate::ArraySql<Item = bool>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertStatesParams<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertStatesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertStatesParams<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10>,
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
            &params.unmets,
            &params.critical_paths,
            &params.on_dependency_failures,
            &params.in_graphs,
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
