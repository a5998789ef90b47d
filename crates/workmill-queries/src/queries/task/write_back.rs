// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct UpdateStatesParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i64>,
    T3: crate::ArraySql<Item = i64>,
    T4: crate::ArraySql<Item = Option<jiff::Timestamp>>,
    T5: crate::ArraySql<Item = Option<jiff::Timestamp>>,
    T6: crate::ArraySql<Item = i32>,
    T7: crate::ArraySql<Item = i32>,
    T8: crate::ArraySql<Item = i32>,
    T9: crate::ArraySql<Item = i32>,
    T10: crate::ArraySql<Item = i32>,
    T11: crate::ArraySql<Item = i16>,
    T12: crate::ArraySql<Item = i16>,
    T13: crate::ArraySql<Item = bool>,
    T14: crate::ArraySql<Item = bool>,
    T15: crate::ArraySql<Item = bool>,
    T16: crate::StringSql,
    T17: crate::ArraySql<Item = T16>,
> {
    pub tasks: T1,
    pub lanes: T2,
    pub ranks: T3,
    pub dues: T4,
    pub shunned_untils: T5,
    pub spec_versions: T6,
    pub epochs: T7,
    pub attempts: T8,
    pub crashes: T9,
    pub unmets: T10,
    pub states: T11,
    pub critical_paths: T12,
    pub in_graphs: T13,
    pub has_deadlines: T14,
    pub freed_runners: T15,
    pub shunned: T17,
    pub ns: i64,
}
#[derive(Debug)]
pub struct UpdateGraphsParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = bool>,
    T3: crate::ArraySql<Item = bool>,
    T4: crate::StringSql,
    T5: crate::ArraySql<Item = T4>,
    T6: crate::ArraySql<Item = i32>,
    T7: crate::ArraySql<Item = i32>,
    T8: crate::ArraySql<Item = i32>,
    T9: crate::ArraySql<Item = i32>,
    T10: crate::ArraySql<Item = i32>,
    T11: crate::ArraySql<Item = i32>,
> {
    pub graphs: T1,
    pub is_draft: T2,
    pub is_draining: T3,
    pub statuses: T5,
    pub tasks: T6,
    pub completed: T7,
    pub cancelled: T8,
    pub stale: T9,
    pub dead: T10,
    pub moving: T11,
    pub ns: i64,
}
#[derive(Debug)]
pub struct InsertReadyParams<
    T1: crate::ArraySql<Item = i64>,
    T2: crate::ArraySql<Item = i64>,
    T3: crate::ArraySql<Item = uuid::Uuid>,
    T4: crate::ArraySql<Item = Option<jiff::Timestamp>>,
    T5: crate::StringSql,
    T6: crate::ArraySql<Item = T5>,
> {
    pub lanes: T1,
    pub ranks: T2,
    pub tasks: T3,
    pub shunned_untils: T4,
    pub shunned: T6,
    pub ns: i64,
}
#[derive(Debug)]
pub struct InsertDueParams<
    T1: crate::ArraySql<Item = jiff::Timestamp>,
    T2: crate::ArraySql<Item = uuid::Uuid>,
> {
    pub ats: T1,
    pub tasks: T2,
    pub ns: i64,
}
#[derive(Debug)]
pub struct InsertFinishedParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub now: jiff::Timestamp,
    pub tasks: T1,
    pub ns: i64,
}
#[derive(Debug)]
pub struct InsertDeadLettersParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = T2>,
    T4: crate::StringSql,
    T5: crate::ArraySql<Item = T4>,
    T6: crate::ArraySql<Item = i64>,
> {
    pub now: jiff::Timestamp,
    pub tasks: T1,
    pub causes: T3,
    pub reasons: T5,
    pub fingerprints: T6,
    pub ns: i64,
}
#[derive(Debug)]
pub struct InsertBlockedParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = T2>,
    T4: crate::JsonSql,
    T5: crate::ArraySql<Item = Option<T4>>,
    T6: crate::ArraySql<Item = Option<jiff::Timestamp>>,
> {
    pub now: jiff::Timestamp,
    pub tasks: T1,
    pub waits_for: T3,
    pub questions: T5,
    pub untils: T6,
    pub ns: i64,
}
#[derive(Debug)]
pub struct DeleteReadyParams<
    T1: crate::ArraySql<Item = i64>,
    T2: crate::ArraySql<Item = i64>,
    T3: crate::ArraySql<Item = uuid::Uuid>,
> {
    pub lanes: T1,
    pub ranks: T2,
    pub tasks: T3,
    pub ns: i64,
}
#[derive(Debug)]
pub struct DeleteDueParams<
    T1: crate::ArraySql<Item = jiff::Timestamp>,
    T2: crate::ArraySql<Item = uuid::Uuid>,
> {
    pub ats: T1,
    pub tasks: T2,
    pub ns: i64,
}
#[derive(Debug)]
pub struct DeleteFinishedParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub tasks: T1,
    pub ns: i64,
}
#[derive(Debug)]
pub struct DeleteDeadLettersParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct DeleteBlockedParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
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
pub struct InsertDeadlinesParams<
    T1: crate::ArraySql<Item = jiff::Timestamp>,
    T2: crate::ArraySql<Item = uuid::Uuid>,
    T3: crate::ArraySql<Item = jiff::Timestamp>,
    T4: crate::ArraySql<Item = jiff::Timestamp>,
    T5: crate::ArraySql<Item = i64>,
    T6: crate::ArraySql<Item = i16>,
    T7: crate::StringSql,
    T8: crate::ArraySql<Item = T7>,
> {
    pub presses_ats: T1,
    pub tasks: T2,
    pub ats: T3,
    pub submitted_ats: T4,
    pub estimates: T5,
    pub bases: T6,
    pub boosts: T8,
    pub ns: i64,
}
#[derive(Debug)]
pub struct DeleteDeadlinesParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct UpdateStatesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn update_states() -> UpdateStatesStmt {
    UpdateStatesStmt(
        "update workmill.state s set lane = u.lane, rank = u.rank, due = u.due, shunned_until = u.shunned_until, spec_version = u.spec_version, epoch = u.epoch, attempts = u.attempts, crashes = u.crashes, unmet = u.unmet, state = u.state, critical_path = u.critical_path, in_graph = u.in_graph, has_deadline = u.has_deadline, freed_runners = u.freed_runners, shunned = string_to_array(nullif(u.shunned, ''), chr(10)) from unnest( $1::uuid[], $2::bigint[], $3::bigint[], $4::timestamptz[], $5::timestamptz[], $6::integer[], $7::integer[], $8::integer[], $9::integer[], $10::integer[], $11::smallint[], $12::smallint[], $13::boolean[], $14::boolean[], $15::boolean[], $16::text[] ) as u ( task, lane, rank, due, shunned_until, spec_version, epoch, attempts, crashes, unmet, state, critical_path, in_graph, has_deadline, freed_runners, shunned ) where s.ns = $17 and s.task = u.task",
        None,
    )
}
impl UpdateStatesStmt {
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
        T2: crate::ArraySql<Item = i64>,
        T3: crate::ArraySql<Item = i64>,
        T4: crate::ArraySql<Item = Option<jiff::Timestamp>>,
        T5: crate::ArraySql<Item = Option<jiff::Timestamp>>,
        T6: crate::ArraySql<Item = i32>,
        T7: crate::ArraySql<Item = i32>,
        T8: crate::ArraySql<Item = i32>,
        T9: crate::ArraySql<Item = i32>,
        T10: crate::ArraySql<Item = i32>,
        T11: crate::ArraySql<Item = i16>,
        T12: crate::ArraySql<Item = i16>,
        T13: crate::ArraySql<Item = bool>,
        T14: crate::ArraySql<Item = bool>,
        T15: crate::ArraySql<Item = bool>,
        T16: crate::StringSql,
        T17: crate::ArraySql<Item = T16>,
    >(
        &'s self,
        client: &'c C,
        tasks: &'a T1,
        lanes: &'a T2,
        ranks: &'a T3,
        dues: &'a T4,
        shunned_untils: &'a T5,
        spec_versions: &'a T6,
        epochs: &'a T7,
        attempts: &'a T8,
        crashes: &'a T9,
        unmets: &'a T10,
        states: &'a T11,
        critical_paths: &'a T12,
        in_graphs: &'a T13,
        has_deadlines: &'a T14,
        freed_runners: &'a T15,
        shunned: &'a T17,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[
                    tasks,
                    lanes,
                    ranks,
                    dues,
                    shunned_untils,
                    spec_versions,
                    epochs,
                    attempts,
                    crashes,
                    unmets,
                    states,
                    critical_paths,
                    in_graphs,
                    has_deadlines,
                    freed_runners,
                    shunned,
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
    T2: crate::ArraySql<Item = i64>,
    T3: crate::ArraySql<Item = i64>,
    T4: crate::ArraySql<Item = Option<jiff::Timestamp>>,
    T5: crate::ArraySql<Item = Option<jiff::Timestamp>>,
    T6: crate::ArraySql<Item = i32>,
    T7: crate::ArraySql<Item = i32>,
    T8: crate::ArraySql<Item = i32>,
    T9: crate::ArraySql<Item = i32>,
    T10: crate::ArraySql<Item = i32>,
    T11: crate::ArraySql<Item = i16>,
    T12: crate::ArraySql<Item = i16>,
    T13: crate::ArraySql<Item = bool>,
    T14: crate::ArraySql<Item = bool>,
    T15: crate::ArraySql<Item = bool>,
    T16: crate::StringSql,
    T17: crate::ArraySql<Item = T16>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        UpdateStatesParams<
            T1,
            T2,
            T3,
            T4,
            T5,
            T6,
            T7,
            T8,
            T9,
            T10,
            T11,
            T12,
            T13,
            T14,
            T15,
            T16,
            T17,
        >,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for UpdateStatesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a UpdateStatesParams<
            T1,
            T2,
            T3,
            T4,
            T5,
            T6,
            T7,
            T8,
            T9,
            T10,
            T11,
            T12,
            T13,
            T14,
            T15,
            T16,
            T17,
        >,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.tasks,
            &params.lanes,
            &params.ranks,
            &params.dues,
            &params.shunned_untils,
            &params.spec_versions,
            &params.epochs,
            &params.attempts,
            &params.crashes,
            &params.unmets,
            &params.states,
            &params.critical_paths,
            &params.in_graphs,
            &params.has_deadlines,
            &params.freed_runners,
            &params.shunned,
            &params.ns,
        ))
    }
}
pub struct UpdateGraphsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn update_graphs() -> UpdateGraphsStmt {
    UpdateGraphsStmt(
        "update workmill.graph g set is_draft = u.is_draft, is_draining = u.is_draining, status = u.status, tasks = u.tasks, completed = u.completed, cancelled = u.cancelled, stale = u.stale, dead = u.dead, moving = u.moving from unnest( $1::uuid[], $2::boolean[], $3::boolean[], $4::text[], $5::integer[], $6::integer[], $7::integer[], $8::integer[], $9::integer[], $10::integer[] ) as u (graph, is_draft, is_draining, status, tasks, completed, cancelled, stale, dead, moving) where g.ns = $11 and g.graph = u.graph",
        None,
    )
}
impl UpdateGraphsStmt {
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
        T2: crate::ArraySql<Item = bool>,
        T3: crate::ArraySql<Item = bool>,
        T4: crate::StringSql,
        T5: crate::ArraySql<Item = T4>,
        T6: crate::ArraySql<Item = i32>,
        T7: crate::ArraySql<Item = i32>,
        T8: crate::ArraySql<Item = i32>,
        T9: crate::ArraySql<Item = i32>,
        T10: crate::ArraySql<Item = i32>,
        T11: crate::ArraySql<Item = i32>,
    >(
        &'s self,
        client: &'c C,
        graphs: &'a T1,
        is_draft: &'a T2,
        is_draining: &'a T3,
        statuses: &'a T5,
        tasks: &'a T6,
        completed: &'a T7,
        cancelled: &'a T8,
        stale: &'a T9,
        dead: &'a T10,
        moving: &'a T11,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[
                    graphs,
                    is_draft,
                    is_draining,
                    statuses,
                    tasks,
                    completed,
                    cancelled,
                    stale,
                    dead,
                    moving,
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
    T2: crate::ArraySql<Item = bool>,
    T3: crate::ArraySql<Item = bool>,
    T4: crate::StringSql,
    T5: crate::ArraySql<Item = T4>,
    T6: crate::ArraySql<Item = i32>,
    T7: crate::ArraySql<Item = i32>,
    T8: crate::ArraySql<Item = i32>,
    T9: crate::ArraySql<Item = i32>,
    T10: crate::ArraySql<Item = i32>,
    T11: crate::ArraySql<Item = i32>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        UpdateGraphsParams<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for UpdateGraphsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a UpdateGraphsParams<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.graphs,
            &params.is_draft,
            &params.is_draining,
            &params.statuses,
            &params.tasks,
            &params.completed,
            &params.cancelled,
            &params.stale,
            &params.dead,
            &params.moving,
            &params.ns,
        ))
    }
}
pub struct InsertReadyStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_ready() -> InsertReadyStmt {
    InsertReadyStmt(
        "insert into workmill.ready (ns, lane, rank, task, shunned_until, shunned) select a.ns, u.lane, u.rank, u.task, u.shunned_until, string_to_array(nullif(u.shunned, ''), chr(10)) from workmill.anchor a, unnest( $1::bigint[], $2::bigint[], $3::uuid[], $4::timestamptz[], $5::text[] ) as u (lane, rank, task, shunned_until, shunned) where a.ns = $6",
        None,
    )
}
impl InsertReadyStmt {
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
        T2: crate::ArraySql<Item = i64>,
        T3: crate::ArraySql<Item = uuid::Uuid>,
        T4: crate::ArraySql<Item = Option<jiff::Timestamp>>,
        T5: crate::StringSql,
        T6: crate::ArraySql<Item = T5>,
    >(
        &'s self,
        client: &'c C,
        lanes: &'a T1,
        ranks: &'a T2,
        tasks: &'a T3,
        shunned_untils: &'a T4,
        shunned: &'a T6,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[lanes, ranks, tasks, shunned_untils, shunned, ns],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = i64>,
    T2: crate::ArraySql<Item = i64>,
    T3: crate::ArraySql<Item = uuid::Uuid>,
    T4: crate::ArraySql<Item = Option<jiff::Timestamp>>,
    T5: crate::StringSql,
    T6: crate::ArraySql<Item = T5>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertReadyParams<T1, T2, T3, T4, T5, T6>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertReadyStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertReadyParams<T1, T2, T3, T4, T5, T6>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.lanes,
            &params.ranks,
            &params.tasks,
            &params.shunned_untils,
            &params.shunned,
            &params.ns,
        ))
    }
}
pub struct InsertDueStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_due() -> InsertDueStmt {
    InsertDueStmt(
        "insert into workmill.due (ns, at, task) select a.ns, u.at, u.task from workmill.anchor a, unnest($1::timestamptz[], $2::uuid[]) as u (at, task) where a.ns = $3",
        None,
    )
}
impl InsertDueStmt {
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
        T1: crate::ArraySql<Item = jiff::Timestamp>,
        T2: crate::ArraySql<Item = uuid::Uuid>,
    >(
        &'s self,
        client: &'c C,
        ats: &'a T1,
        tasks: &'a T2,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ats, tasks, ns])
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = jiff::Timestamp>,
    T2: crate::ArraySql<Item = uuid::Uuid>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertDueParams<T1, T2>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertDueStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertDueParams<T1, T2>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ats, &params.tasks, &params.ns))
    }
}
pub struct InsertFinishedStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_finished() -> InsertFinishedStmt {
    InsertFinishedStmt(
        "insert into workmill.finished (ns, at, task) select a.ns, $1, u.task from workmill.anchor a, unnest($2::uuid[]) as u (task) where a.ns = $3",
        None,
    )
}
impl InsertFinishedStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        tasks: &'a T1,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[now, tasks, ns])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertFinishedParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertFinishedStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertFinishedParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.now, &params.tasks, &params.ns))
    }
}
pub struct InsertDeadLettersStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_dead_letters() -> InsertDeadLettersStmt {
    InsertDeadLettersStmt(
        "insert into workmill.dead_letter (ns, task, at, cause, reason, fingerprint, is_reviewed) select a.ns, u.task, $1, u.cause, u.reason, u.fingerprint, false from workmill.anchor a, unnest($2::uuid[], $3::text[], $4::text[], $5::bigint[]) as u (task, cause, reason, fingerprint) where a.ns = $6",
        None,
    )
}
impl InsertDeadLettersStmt {
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
        T6: crate::ArraySql<Item = i64>,
    >(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        tasks: &'a T1,
        causes: &'a T3,
        reasons: &'a T5,
        fingerprints: &'a T6,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[now, tasks, causes, reasons, fingerprints, ns],
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
    T6: crate::ArraySql<Item = i64>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertDeadLettersParams<T1, T2, T3, T4, T5, T6>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertDeadLettersStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertDeadLettersParams<T1, T2, T3, T4, T5, T6>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.now,
            &params.tasks,
            &params.causes,
            &params.reasons,
            &params.fingerprints,
            &params.ns,
        ))
    }
}
pub struct InsertBlockedStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_blocked() -> InsertBlockedStmt {
    InsertBlockedStmt(
        "insert into workmill.blocked (ns, task, at, waits_for, question, until) select a.ns, u.task, $1, u.waits_for, u.question, u.until from workmill.anchor a, unnest($2::uuid[], $3::text[], $4::jsonb[], $5::timestamptz[]) as u (task, waits_for, question, until) where a.ns = $6",
        None,
    )
}
impl InsertBlockedStmt {
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
        T4: crate::JsonSql,
        T5: crate::ArraySql<Item = Option<T4>>,
        T6: crate::ArraySql<Item = Option<jiff::Timestamp>>,
    >(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        tasks: &'a T1,
        waits_for: &'a T3,
        questions: &'a T5,
        untils: &'a T6,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[now, tasks, waits_for, questions, untils, ns],
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
    T4: crate::JsonSql,
    T5: crate::ArraySql<Item = Option<T4>>,
    T6: crate::ArraySql<Item = Option<jiff::Timestamp>>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertBlockedParams<T1, T2, T3, T4, T5, T6>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertBlockedStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertBlockedParams<T1, T2, T3, T4, T5, T6>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.now,
            &params.tasks,
            &params.waits_for,
            &params.questions,
            &params.untils,
            &params.ns,
        ))
    }
}
pub struct DeleteReadyStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_ready() -> DeleteReadyStmt {
    DeleteReadyStmt(
        "delete from workmill.ready r using unnest($1::bigint[], $2::bigint[], $3::uuid[]) as u (lane, rank, task) where r.ns = $4 and r.lane = u.lane and r.rank = u.rank and r.task = u.task",
        None,
    )
}
impl DeleteReadyStmt {
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
        T2: crate::ArraySql<Item = i64>,
        T3: crate::ArraySql<Item = uuid::Uuid>,
    >(
        &'s self,
        client: &'c C,
        lanes: &'a T1,
        ranks: &'a T2,
        tasks: &'a T3,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[lanes, ranks, tasks, ns])
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = i64>,
    T2: crate::ArraySql<Item = i64>,
    T3: crate::ArraySql<Item = uuid::Uuid>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteReadyParams<T1, T2, T3>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteReadyStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteReadyParams<T1, T2, T3>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.lanes,
            &params.ranks,
            &params.tasks,
            &params.ns,
        ))
    }
}
pub struct DeleteDueStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_due() -> DeleteDueStmt {
    DeleteDueStmt(
        "delete from workmill.due d using unnest($1::timestamptz[], $2::uuid[]) as u (at, task) where d.ns = $3 and d.at = u.at and d.task = u.task",
        None,
    )
}
impl DeleteDueStmt {
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
        T1: crate::ArraySql<Item = jiff::Timestamp>,
        T2: crate::ArraySql<Item = uuid::Uuid>,
    >(
        &'s self,
        client: &'c C,
        ats: &'a T1,
        tasks: &'a T2,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ats, tasks, ns])
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = jiff::Timestamp>,
    T2: crate::ArraySql<Item = uuid::Uuid>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteDueParams<T1, T2>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteDueStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteDueParams<T1, T2>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ats, &params.tasks, &params.ns))
    }
}
pub struct DeleteFinishedStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_finished() -> DeleteFinishedStmt {
    DeleteFinishedStmt(
        "delete from workmill.finished f using unnest($1::uuid[]) as u (task) where f.ns = $2 and f.task = u.task",
        None,
    )
}
impl DeleteFinishedStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>(
        &'s self,
        client: &'c C,
        tasks: &'a T1,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[tasks, ns])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteFinishedParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteFinishedStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteFinishedParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.tasks, &params.ns))
    }
}
pub struct DeleteDeadLettersStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_dead_letters() -> DeleteDeadLettersStmt {
    DeleteDeadLettersStmt(
        "delete from workmill.dead_letter d where d.ns = $1 and d.task = any($2::uuid[])",
        None,
    )
}
impl DeleteDeadLettersStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        tasks: &'a T1,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, tasks])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteDeadLettersParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteDeadLettersStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteDeadLettersParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.tasks))
    }
}
pub struct DeleteBlockedStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_blocked() -> DeleteBlockedStmt {
    DeleteBlockedStmt(
        "delete from workmill.blocked b where b.ns = $1 and b.task = any($2::uuid[])",
        None,
    )
}
impl DeleteBlockedStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        tasks: &'a T1,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, tasks])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteBlockedParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteBlockedStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteBlockedParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.tasks))
    }
}
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
pub struct InsertDeadlinesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_deadlines() -> InsertDeadlinesStmt {
    InsertDeadlinesStmt(
        "insert into workmill.deadline (ns, presses_at, task, at, submitted_at, estimate_ms, base, boost) select a.ns, u.presses_at, u.task, u.at, u.submitted_at, u.estimate_ms, u.base, u.boost from workmill.anchor a, unnest( $1::timestamptz[], $2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::bigint[], $6::smallint[], $7::text[] ) as u (presses_at, task, at, submitted_at, estimate_ms, base, boost) where a.ns = $8",
        None,
    )
}
impl InsertDeadlinesStmt {
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
        T1: crate::ArraySql<Item = jiff::Timestamp>,
        T2: crate::ArraySql<Item = uuid::Uuid>,
        T3: crate::ArraySql<Item = jiff::Timestamp>,
        T4: crate::ArraySql<Item = jiff::Timestamp>,
        T5: crate::ArraySql<Item = i64>,
        T6: crate::ArraySql<Item = i16>,
        T7: crate::StringSql,
        T8: crate::ArraySql<Item = T7>,
    >(
        &'s self,
        client: &'c C,
        presses_ats: &'a T1,
        tasks: &'a T2,
        ats: &'a T3,
        submitted_ats: &'a T4,
        estimates: &'a T5,
        bases: &'a T6,
        boosts: &'a T8,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[
                    presses_ats,
                    tasks,
                    ats,
                    submitted_ats,
                    estimates,
                    bases,
                    boosts,
                    ns,
                ],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = jiff::Timestamp>,
    T2: crate::ArraySql<Item = uuid::Uuid>,
    T3: crate::ArraySql<Item = jiff::Timestamp>,
    T4: crate::ArraySql<Item = jiff::Timestamp>,
    T5: crate::ArraySql<Item = i64>,
    T6: crate::ArraySql<Item = i16>,
    T7: crate::StringSql,
    T8: crate::ArraySql<Item = T7>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertDeadlinesParams<T1, T2, T3, T4, T5, T6, T7, T8>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertDeadlinesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertDeadlinesParams<T1, T2, T3, T4, T5, T6, T7, T8>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.presses_ats,
            &params.tasks,
            &params.ats,
            &params.submitted_ats,
            &params.estimates,
            &params.bases,
            &params.boosts,
            &params.ns,
        ))
    }
}
pub struct DeleteDeadlinesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_deadlines() -> DeleteDeadlinesStmt {
    DeleteDeadlinesStmt(
        "delete from workmill.deadline d where d.ns = $1 and d.task = any($2::uuid[])",
        None,
    )
}
impl DeleteDeadlinesStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        tasks: &'a T1,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, tasks])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteDeadlinesParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteDeadlinesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteDeadlinesParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.tasks))
    }
}
