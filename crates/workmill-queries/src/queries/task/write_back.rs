// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct UpdateStatesParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = uuid::Uuid>,
    T3: crate::ArraySql<Item = i64>,
    T4: crate::ArraySql<Item = i64>,
    T5: crate::ArraySql<Item = Option<jiff::Timestamp>>,
    T6: crate::ArraySql<Item = Option<jiff::Timestamp>>,
    T7: crate::ArraySql<Item = i32>,
    T8: crate::ArraySql<Item = i32>,
    T9: crate::ArraySql<Item = i32>,
    T10: crate::ArraySql<Item = i32>,
    T11: crate::ArraySql<Item = i32>,
    T12: crate::ArraySql<Item = i16>,
    T13: crate::ArraySql<Item = i16>,
    T14: crate::ArraySql<Item = i16>,
    T15: crate::ArraySql<Item = bool>,
    T16: crate::ArraySql<Item = bool>,
    T17: crate::ArraySql<Item = bool>,
    T18: crate::StringSql,
    T19: crate::ArraySql<Item = T18>,
    T20: crate::ArraySql<Item = i64>,
> {
    pub now: jiff::Timestamp,
    pub tasks: T1,
    pub graphs: T2,
    pub lanes: T3,
    pub ranks: T4,
    pub dues: T5,
    pub shunned_untils: T6,
    pub spec_versions: T7,
    pub epochs: T8,
    pub attempts: T9,
    pub crashes: T10,
    pub unmets: T11,
    pub states: T12,
    pub critical_paths: T13,
    pub on_dependency_failures: T14,
    pub in_graphs: T15,
    pub has_deadlines: T16,
    pub freed_runners: T17,
    pub shunned: T19,
    pub spent: T20,
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
    T12: crate::ArraySql<Item = i64>,
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
    pub spent: T12,
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
    pub ns: i64,
    pub lanes: T1,
    pub ranks: T2,
    pub tasks: T3,
}
#[derive(Debug)]
pub struct DeleteDueParams<
    T1: crate::ArraySql<Item = jiff::Timestamp>,
    T2: crate::ArraySql<Item = uuid::Uuid>,
> {
    pub ns: i64,
    pub ats: T1,
    pub tasks: T2,
}
#[derive(Debug)]
pub struct DeleteFinishedParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub tasks: T1,
    pub ns: i64,
}
#[derive(Debug)]
pub struct InsertResolutionsParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = T2>,
    T4: crate::StringSql,
    T5: crate::ArraySql<Item = T4>,
    T6: crate::StringSql,
    T7: crate::ArraySql<Item = Option<T6>>,
> {
    pub now: jiff::Timestamp,
    pub tasks: T1,
    pub resolutions: T3,
    pub resolved_by: T5,
    pub notes: T7,
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
pub struct InsertDeadlinesParams<
    T1: crate::ArraySql<Item = jiff::Timestamp>,
    T2: crate::ArraySql<Item = uuid::Uuid>,
    T3: crate::ArraySql<Item = jiff::Timestamp>,
    T4: crate::ArraySql<Item = jiff::Timestamp>,
    T5: crate::ArraySql<Item = i64>,
    T6: crate::ArraySql<Item = i32>,
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
        "insert into workmill.state as s ( ns, task, graph, lane, rank, due, shunned_until, spec_version, epoch, attempts, crashes, unmet, state, critical_path, on_dependency_failure, in_graph, has_deadline, freed_runners, shunned, spent_micros, updated_at ) select a.ns, u.task, u.graph, u.lane, u.rank, u.due, u.shunned_until, u.spec_version, u.epoch, u.attempts, u.crashes, u.unmet, u.state, u.critical_path, u.on_dependency_failure, u.in_graph, u.has_deadline, u.freed_runners, string_to_array(nullif(u.shunned, ''), chr(10)), u.spent_micros, $1 from workmill.anchor a, unnest( $2::uuid[], $3::uuid[], $4::bigint[], $5::bigint[], $6::timestamptz[], $7::timestamptz[], $8::integer[], $9::integer[], $10::integer[], $11::integer[], $12::integer[], $13::smallint[], $14::smallint[], $15::smallint[], $16::boolean[], $17::boolean[], $18::boolean[], $19::text[], $20::bigint[] ) as u ( task, graph, lane, rank, due, shunned_until, spec_version, epoch, attempts, crashes, unmet, state, critical_path, on_dependency_failure, in_graph, has_deadline, freed_runners, shunned, spent_micros ) where a.ns = $21 on conflict (ns, task) do update set lane = excluded.lane, rank = excluded.rank, due = excluded.due, shunned_until = excluded.shunned_until, spec_version = excluded.spec_version, epoch = excluded.epoch, attempts = excluded.attempts, crashes = excluded.crashes, unmet = excluded.unmet, state = excluded.state, critical_path = excluded.critical_path, in_graph = excluded.in_graph, has_deadline = excluded.has_deadline, freed_runners = excluded.freed_runners, shunned = excluded.shunned, spent_micros = excluded.spent_micros, updated_at = case when s.state <> excluded.state or s.epoch <> excluded.epoch or s.spec_version <> excluded.spec_version then excluded.updated_at else s.updated_at end",
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
        T2: crate::ArraySql<Item = uuid::Uuid>,
        T3: crate::ArraySql<Item = i64>,
        T4: crate::ArraySql<Item = i64>,
        T5: crate::ArraySql<Item = Option<jiff::Timestamp>>,
        T6: crate::ArraySql<Item = Option<jiff::Timestamp>>,
        T7: crate::ArraySql<Item = i32>,
        T8: crate::ArraySql<Item = i32>,
        T9: crate::ArraySql<Item = i32>,
        T10: crate::ArraySql<Item = i32>,
        T11: crate::ArraySql<Item = i32>,
        T12: crate::ArraySql<Item = i16>,
        T13: crate::ArraySql<Item = i16>,
        T14: crate::ArraySql<Item = i16>,
        T15: crate::ArraySql<Item = bool>,
        T16: crate::ArraySql<Item = bool>,
        T17: crate::ArraySql<Item = bool>,
        T18: crate::StringSql,
        T19: crate::ArraySql<Item = T18>,
        T20: crate::ArraySql<Item = i64>,
    >(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        tasks: &'a T1,
        graphs: &'a T2,
        lanes: &'a T3,
        ranks: &'a T4,
        dues: &'a T5,
        shunned_untils: &'a T6,
        spec_versions: &'a T7,
        epochs: &'a T8,
        attempts: &'a T9,
        crashes: &'a T10,
        unmets: &'a T11,
        states: &'a T12,
        critical_paths: &'a T13,
        on_dependency_failures: &'a T14,
        in_graphs: &'a T15,
        has_deadlines: &'a T16,
        freed_runners: &'a T17,
        shunned: &'a T19,
        spent: &'a T20,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[
                    now,
                    tasks,
                    graphs,
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
                    on_dependency_failures,
                    in_graphs,
                    has_deadlines,
                    freed_runners,
                    shunned,
                    spent,
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
    T6: crate::ArraySql<Item = Option<jiff::Timestamp>>,
    T7: crate::ArraySql<Item = i32>,
    T8: crate::ArraySql<Item = i32>,
    T9: crate::ArraySql<Item = i32>,
    T10: crate::ArraySql<Item = i32>,
    T11: crate::ArraySql<Item = i32>,
    T12: crate::ArraySql<Item = i16>,
    T13: crate::ArraySql<Item = i16>,
    T14: crate::ArraySql<Item = i16>,
    T15: crate::ArraySql<Item = bool>,
    T16: crate::ArraySql<Item = bool>,
    T17: crate::ArraySql<Item = bool>,
    T18: crate::StringSql,
    T19: crate::ArraySql<Item = T18>,
    T20: crate::ArraySql<Item = i64>,
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
            T18,
            T19,
            T20,
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
            T18,
            T19,
            T20,
        >,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.now,
            &params.tasks,
            &params.graphs,
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
            &params.on_dependency_failures,
            &params.in_graphs,
            &params.has_deadlines,
            &params.freed_runners,
            &params.shunned,
            &params.spent,
            &params.ns,
        ))
    }
}
pub struct UpdateGraphsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn update_graphs() -> UpdateGraphsStmt {
    UpdateGraphsStmt(
        "insert into workmill.graph as g ( ns, graph, title, created_by, created_at, is_draft, is_draining, status, tasks, completed, cancelled, stale, dead, moving, spent_micros ) select a.ns, u.graph, '', '', '-infinity', u.is_draft, u.is_draining, u.status, u.tasks, u.completed, u.cancelled, u.stale, u.dead, u.moving, u.spent_micros from workmill.anchor a, unnest( $1::uuid[], $2::boolean[], $3::boolean[], $4::text[], $5::integer[], $6::integer[], $7::integer[], $8::integer[], $9::integer[], $10::integer[], $11::bigint[] ) as u ( graph, is_draft, is_draining, status, tasks, completed, cancelled, stale, dead, moving, spent_micros ) where a.ns = $12 on conflict (ns, graph) do update set is_draft = excluded.is_draft, is_draining = excluded.is_draining, status = excluded.status, tasks = excluded.tasks, completed = excluded.completed, cancelled = excluded.cancelled, stale = excluded.stale, dead = excluded.dead, moving = excluded.moving, spent_micros = excluded.spent_micros",
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
        T12: crate::ArraySql<Item = i64>,
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
        spent: &'a T12,
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
                    spent,
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
    T12: crate::ArraySql<Item = i64>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        UpdateGraphsParams<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for UpdateGraphsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a UpdateGraphsParams<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12>,
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
            &params.spent,
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
        "delete from workmill.ready r where r.ns = $1 and r.ctid = any( array( select ( select k.ctid from workmill.ready k where k.ns = $1 and k.lane = u.lane and k.rank = u.rank and k.task = u.task ) from unnest($2::bigint[], $3::bigint[], $4::uuid[]) as u (lane, rank, task) ) )",
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
        ns: &'a i64,
        lanes: &'a T1,
        ranks: &'a T2,
        tasks: &'a T3,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, lanes, ranks, tasks])
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
            &params.ns,
            &params.lanes,
            &params.ranks,
            &params.tasks,
        ))
    }
}
pub struct DeleteDueStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_due() -> DeleteDueStmt {
    DeleteDueStmt(
        "delete from workmill.due d where d.ns = $1 and d.ctid = any( array( select ( select k.ctid from workmill.due k where k.ns = $1 and k.at = u.at and k.task = u.task ) from unnest($2::timestamptz[], $3::uuid[]) as u (at, task) ) )",
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
        ns: &'a i64,
        ats: &'a T1,
        tasks: &'a T2,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, ats, tasks])
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
        Box::pin(self.bind(client, &params.ns, &params.ats, &params.tasks))
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
pub struct InsertResolutionsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_resolutions() -> InsertResolutionsStmt {
    InsertResolutionsStmt(
        "insert into workmill.resolution ( ns, task, dead_at, epoch, at, cause, reason, fingerprint, is_reviewed, resolution, resolved_by, note ) select a.ns, u.task, d.at, s.epoch, $1, d.cause, d.reason, d.fingerprint, d.is_reviewed, u.resolution, u.resolved_by, u.note from workmill.anchor a cross join unnest( $2::uuid[], $3::text[], $4::text[], $5::text[] ) as u (task, resolution, resolved_by, note) cross join lateral ( select l.at, l.cause, l.reason, l.fingerprint, l.is_reviewed from workmill.dead_letter l where l.ns = $6 and l.task = u.task limit 1 ) as d cross join lateral ( select t.epoch from workmill.state t where t.ns = $6 and t.task = u.task limit 1 ) as s where a.ns = $6",
        None,
    )
}
impl InsertResolutionsStmt {
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
        T6: crate::StringSql,
        T7: crate::ArraySql<Item = Option<T6>>,
    >(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        tasks: &'a T1,
        resolutions: &'a T3,
        resolved_by: &'a T5,
        notes: &'a T7,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[now, tasks, resolutions, resolved_by, notes, ns],
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
    T6: crate::StringSql,
    T7: crate::ArraySql<Item = Option<T6>>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertResolutionsParams<T1, T2, T3, T4, T5, T6, T7>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertResolutionsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertResolutionsParams<T1, T2, T3, T4, T5, T6, T7>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.now,
            &params.tasks,
            &params.resolutions,
            &params.resolved_by,
            &params.notes,
            &params.ns,
        ))
    }
}
pub struct DeleteDeadLettersStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_dead_letters() -> DeleteDeadLettersStmt {
    DeleteDeadLettersStmt(
        "delete from workmill.dead_letter d where d.ns = $1 and d.ctid = any( array( select ( select k.ctid from workmill.dead_letter k where k.ns = $1 and k.task = u.task ) from unnest($2::uuid[]) as u (task) ) )",
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
        "delete from workmill.blocked b where b.ns = $1 and b.ctid = any( array( select ( select k.ctid from workmill.blocked k where k.ns = $1 and k.task = u.task ) from unnest($2::uuid[]) as u (task) ) )",
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
pub struct InsertDeadlinesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_deadlines() -> InsertDeadlinesStmt {
    InsertDeadlinesStmt(
        "insert into workmill.deadline (ns, presses_at, task, at, submitted_at, estimate_ms, base, boost) select a.ns, u.presses_at, u.task, u.at, u.submitted_at, u.estimate_ms, u.base, u.boost from workmill.anchor a, unnest( $1::timestamptz[], $2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::bigint[], $6::integer[], $7::text[] ) as u (presses_at, task, at, submitted_at, estimate_ms, base, boost) where a.ns = $8",
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
        T6: crate::ArraySql<Item = i32>,
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
    T6: crate::ArraySql<Item = i32>,
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
        "delete from workmill.deadline d where d.ns = $1 and d.ctid = any( array( select ( select k.ctid from workmill.deadline k where k.ns = $1 and k.task = u.task ) from unnest($2::uuid[]) as u (task) ) )",
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
