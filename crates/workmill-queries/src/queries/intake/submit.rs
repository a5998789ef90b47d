// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct InsertLanesParams<
    T1: crate::ArraySql<Item = i64>,
    T2: crate::JsonSql,
    T3: crate::ArraySql<Item = T2>,
> {
    pub lanes: T1,
    pub asks: T3,
    pub ns: i64,
}
#[derive(Debug)]
pub struct InsertGraphParams<T1: crate::StringSql, T2: crate::StringSql, T3: crate::StringSql> {
    pub graph: uuid::Uuid,
    pub title: T1,
    pub created_by: T2,
    pub now: jiff::Timestamp,
    pub is_draft: bool,
    pub status: T3,
    pub tasks: i32,
    pub moving: i32,
    pub ns: i64,
}
#[derive(Debug)]
pub struct InsertSpecsParams<
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = uuid::Uuid>,
    T3: crate::JsonSql,
    T4: crate::ArraySql<Item = T3>,
    T5: crate::JsonSql,
    T6: crate::ArraySql<Item = T5>,
> {
    pub now: jiff::Timestamp,
    pub created_by: T1,
    pub tasks: T2,
    pub bodies: T4,
    pub policies: T6,
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
> {
    pub tasks: T1,
    pub graphs: T2,
    pub lanes: T3,
    pub ranks: T4,
    pub dues: T5,
    pub states: T6,
    pub unmets: T7,
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
pub struct InsertLanesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_lanes() -> InsertLanesStmt {
    InsertLanesStmt(
        "insert into workmill.lane (ns, lane, asks) select a.ns, u.lane, u.asks from workmill.anchor a, unnest($1::bigint[], $2::jsonb[]) as u (lane, asks) where a.ns = $3 on conflict do nothing",
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
        lanes: &'a T1,
        asks: &'a T3,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[lanes, asks, ns])
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
        Box::pin(self.bind(client, &params.lanes, &params.asks, &params.ns))
    }
}
pub struct InsertGraphStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_graph() -> InsertGraphStmt {
    InsertGraphStmt(
        "insert into workmill.graph ( ns, graph, title, created_by, created_at, is_draft, status, tasks, completed, cancelled, stale, dead, moving ) select a.ns, $1, $2, $3, $4, $5, $6, $7, 0, 0, 0, 0, $8 from workmill.anchor a where a.ns = $9",
        None,
    )
}
impl InsertGraphStmt {
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
        T2: crate::StringSql,
        T3: crate::StringSql,
    >(
        &'s self,
        client: &'c C,
        graph: &'a uuid::Uuid,
        title: &'a T1,
        created_by: &'a T2,
        now: &'a jiff::Timestamp,
        is_draft: &'a bool,
        status: &'a T3,
        tasks: &'a i32,
        moving: &'a i32,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[
                    graph, title, created_by, now, is_draft, status, tasks, moving, ns,
                ],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::StringSql,
    T2: crate::StringSql,
    T3: crate::StringSql,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertGraphParams<T1, T2, T3>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertGraphStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertGraphParams<T1, T2, T3>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.graph,
            &params.title,
            &params.created_by,
            &params.now,
            &params.is_draft,
            &params.status,
            &params.tasks,
            &params.moving,
            &params.ns,
        ))
    }
}
pub struct InsertSpecsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_specs() -> InsertSpecsStmt {
    InsertSpecsStmt(
        "insert into workmill.spec (ns, task, version, submitted_at, created_by, body, policy) select a.ns, u.task, 1, $1, $2, u.body, u.policy from workmill.anchor a, unnest($3::uuid[], $4::jsonb[], $5::jsonb[]) as u (task, body, policy) where a.ns = $6",
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
        T1: crate::StringSql,
        T2: crate::ArraySql<Item = uuid::Uuid>,
        T3: crate::JsonSql,
        T4: crate::ArraySql<Item = T3>,
        T5: crate::JsonSql,
        T6: crate::ArraySql<Item = T5>,
    >(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        created_by: &'a T1,
        tasks: &'a T2,
        bodies: &'a T4,
        policies: &'a T6,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[now, created_by, tasks, bodies, policies, ns],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = uuid::Uuid>,
    T3: crate::JsonSql,
    T4: crate::ArraySql<Item = T3>,
    T5: crate::JsonSql,
    T6: crate::ArraySql<Item = T5>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertSpecsParams<T1, T2, T3, T4, T5, T6>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertSpecsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertSpecsParams<T1, T2, T3, T4, T5, T6>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.now,
            &params.created_by,
            &params.tasks,
            &params.bodies,
            &params.policies,
            &params.ns,
        ))
    }
}
pub struct InsertStatesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_states() -> InsertStatesStmt {
    InsertStatesStmt(
        "insert into workmill.state ( ns, task, graph, lane, rank, due, state, spec_version, epoch, attempts, crashes, unmet ) select a.ns, u.task, u.graph, u.lane, u.rank, u.due, u.state, 1, 0, 0, 0, u.unmet from workmill.anchor a, unnest( $1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::timestamptz[], $6::smallint[], $7::integer[] ) as u (task, graph, lane, rank, due, state, unmet) where a.ns = $8",
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
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[tasks, graphs, lanes, ranks, dues, states, unmets, ns],
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
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertStatesParams<T1, T2, T3, T4, T5, T6, T7>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertStatesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertStatesParams<T1, T2, T3, T4, T5, T6, T7>,
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
