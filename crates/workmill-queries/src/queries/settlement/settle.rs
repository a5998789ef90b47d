// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct FindAgentsOfLeasesParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
> {
    pub tasks: T1,
    pub epochs: T2,
    pub ns: i64,
}
#[derive(Debug)]
pub struct DeleteLeasesParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
> {
    pub ns: i64,
    pub tasks: T1,
    pub epochs: T2,
}
#[derive(Debug)]
pub struct InsertAttemptsParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
    T3: crate::ArraySql<Item = i16>,
    T4: crate::StringSql,
    T5: crate::ArraySql<Item = T4>,
    T6: crate::StringSql,
    T7: crate::ArraySql<Item = T6>,
    T8: crate::ArraySql<Item = bool>,
    T9: crate::StringSql,
    T10: crate::ArraySql<Item = Option<T9>>,
    T11: crate::StringSql,
    T12: crate::ArraySql<Item = Option<T11>>,
    T13: crate::JsonSql,
    T14: crate::ArraySql<Item = Option<T13>>,
    T15: crate::ArraySql<Item = Option<i64>>,
    T16: crate::ArraySql<Item = jiff::Timestamp>,
    T17: crate::ArraySql<Item = Option<jiff::Timestamp>>,
    T18: crate::ArraySql<Item = i64>,
    T19: crate::JsonSql,
    T20: crate::ArraySql<Item = Option<T19>>,
    T21: crate::ArraySql<Item = Option<i64>>,
    T22: crate::ArraySql<Item = i32>,
    T23: crate::StringSql,
    T24: crate::ArraySql<Item = Option<T23>>,
> {
    pub now: jiff::Timestamp,
    pub tasks: T1,
    pub epochs: T2,
    pub resumed: T3,
    pub agents: T5,
    pub outcomes: T7,
    pub said_by_agent: T8,
    pub reasons: T10,
    pub messages: T12,
    pub details: T14,
    pub fingerprints: T15,
    pub claimed_ats: T16,
    pub started_ats: T17,
    pub costs: T18,
    pub usages: T20,
    pub lease_mss: T21,
    pub spawned: T22,
    pub agent_types: T24,
    pub ns: i64,
}
#[derive(Debug)]
pub struct InsertResultsParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
    T3: crate::JsonSql,
    T4: crate::ArraySql<Item = T3>,
    T5: crate::JsonSql,
    T6: crate::ArraySql<Item = Option<T5>>,
> {
    pub tasks: T1,
    pub epochs: T2,
    pub outputs: T4,
    pub artifacts: T6,
    pub ns: i64,
}
#[derive(Debug)]
pub struct InsertLateResultsParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
    T3: crate::StringSql,
    T4: crate::ArraySql<Item = T3>,
    T5: crate::ArraySql<Item = bool>,
    T6: crate::JsonSql,
    T7: crate::ArraySql<Item = Option<T6>>,
    T8: crate::JsonSql,
    T9: crate::ArraySql<Item = Option<T8>>,
    T10: crate::StringSql,
    T11: crate::ArraySql<Item = Option<T10>>,
    T12: crate::ArraySql<Item = i64>,
    T13: crate::JsonSql,
    T14: crate::ArraySql<Item = Option<T13>>,
> {
    pub now: jiff::Timestamp,
    pub tasks: T1,
    pub epochs: T2,
    pub outcomes: T4,
    pub was_accepted: T5,
    pub outputs: T7,
    pub artifacts: T9,
    pub messages: T11,
    pub costs: T12,
    pub usages: T14,
    pub ns: i64,
}
#[derive(Debug)]
pub struct AdoptLateResultParams<T1: crate::StringSql> {
    pub adopted_by: T1,
    pub now: jiff::Timestamp,
    pub ns: i64,
    pub task: uuid::Uuid,
    pub epoch: i32,
}
#[derive(Debug)]
pub struct InsertAnswerParams<T1: crate::StringSql, T2: crate::JsonSql> {
    pub now: jiff::Timestamp,
    pub answered_by: T1,
    pub input: T2,
    pub ns: i64,
    pub task: uuid::Uuid,
}
#[derive(Debug)]
pub struct UpsertRevivalsParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
> {
    pub tasks: T1,
    pub epochs: T2,
    pub ns: i64,
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindAgentsOfLeases {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub agent: String,
}
pub struct FindAgentsOfLeasesBorrowed<'a> {
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub agent: &'a str,
}
impl<'a> From<FindAgentsOfLeasesBorrowed<'a>> for FindAgentsOfLeases {
    fn from(
        FindAgentsOfLeasesBorrowed { task, epoch, agent }: FindAgentsOfLeasesBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            epoch,
            agent: agent.into(),
        }
    }
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct FindAgentsOfLeasesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor:
        fn(&tokio_postgres::Row) -> Result<FindAgentsOfLeasesBorrowed, tokio_postgres::Error>,
    mapper: fn(FindAgentsOfLeasesBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindAgentsOfLeasesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindAgentsOfLeasesBorrowed) -> R,
    ) -> FindAgentsOfLeasesQuery<'c, 'a, 's, C, R, N> {
        FindAgentsOfLeasesQuery {
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
pub struct FindAgentsOfLeasesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_agents_of_leases() -> FindAgentsOfLeasesStmt {
    FindAgentsOfLeasesStmt(
        "select u.task, u.epoch, g.agent from unnest($1::uuid[], $2::integer[]) as u (task, epoch) cross join lateral ( select l.agent from workmill.lease l where l.ns = $3 and l.task = u.task and l.epoch = u.epoch union all select t.agent from workmill.attempt t where t.ns = $3 and t.task = u.task and t.epoch = u.epoch limit 1 ) as g",
        None,
    )
}
impl FindAgentsOfLeasesStmt {
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
        T1: crate::ArraySql<Item = uuid::Uuid>,
        T2: crate::ArraySql<Item = i32>,
    >(
        &'s self,
        client: &'c C,
        tasks: &'a T1,
        epochs: &'a T2,
        ns: &'a i64,
    ) -> FindAgentsOfLeasesQuery<'c, 'a, 's, C, FindAgentsOfLeases, 3> {
        FindAgentsOfLeasesQuery {
            client,
            params: [tasks, epochs, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindAgentsOfLeasesBorrowed, tokio_postgres::Error> {
                Ok(FindAgentsOfLeasesBorrowed {
                    task: row.try_get(0)?,
                    epoch: row.try_get(1)?,
                    agent: row.try_get(2)?,
                })
            },
            mapper: |it| FindAgentsOfLeases::from(it),
        }
    }
}
impl<
    'c,
    'a,
    's,
    C: GenericClient,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindAgentsOfLeasesParams<T1, T2>,
        FindAgentsOfLeasesQuery<'c, 'a, 's, C, FindAgentsOfLeases, 3>,
        C,
    > for FindAgentsOfLeasesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindAgentsOfLeasesParams<T1, T2>,
    ) -> FindAgentsOfLeasesQuery<'c, 'a, 's, C, FindAgentsOfLeases, 3> {
        self.bind(client, &params.tasks, &params.epochs, &params.ns)
    }
}
pub struct DeleteLeasesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_leases() -> DeleteLeasesStmt {
    DeleteLeasesStmt(
        "delete from workmill.lease l where l.ns = $1 and l.ctid = any( array( select ( select k.ctid from workmill.lease k where k.ns = $1 and k.task = u.task and k.epoch = u.epoch ) from unnest($2::uuid[], $3::integer[]) as u (task, epoch) ) )",
        None,
    )
}
impl DeleteLeasesStmt {
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
    >(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        tasks: &'a T1,
        epochs: &'a T2,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, tasks, epochs])
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteLeasesParams<T1, T2>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteLeasesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteLeasesParams<T1, T2>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.tasks, &params.epochs))
    }
}
pub struct InsertAttemptsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_attempts() -> InsertAttemptsStmt {
    InsertAttemptsStmt(
        "insert into workmill.attempt ( ns, task, epoch, resumed, agent, outcome, said_by_agent, reason, message, details, fingerprint, claimed_at, started_at, ended_at, cost_micros, usage, lease_ms, spawned, agent_type ) select a.ns, u.task, u.epoch, u.resumed, u.agent, u.outcome, u.said_by_agent, u.reason, u.message, u.details, u.fingerprint, u.claimed_at, u.started_at, $1, u.cost_micros, u.usage, u.lease_ms, u.spawned, u.agent_type from workmill.anchor a, unnest( $2::uuid[], $3::integer[], $4::smallint[], $5::text[], $6::text[], $7::boolean[], $8::text[], $9::text[], $10::jsonb[], $11::bigint[], $12::timestamptz[], $13::timestamptz[], $14::bigint[], $15::jsonb[], $16::bigint[], $17::integer[], $18::text[] ) as u ( task, epoch, resumed, agent, outcome, said_by_agent, reason, message, details, fingerprint, claimed_at, started_at, cost_micros, usage, lease_ms, spawned, agent_type ) where a.ns = $19",
        None,
    )
}
impl InsertAttemptsStmt {
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
        T3: crate::ArraySql<Item = i16>,
        T4: crate::StringSql,
        T5: crate::ArraySql<Item = T4>,
        T6: crate::StringSql,
        T7: crate::ArraySql<Item = T6>,
        T8: crate::ArraySql<Item = bool>,
        T9: crate::StringSql,
        T10: crate::ArraySql<Item = Option<T9>>,
        T11: crate::StringSql,
        T12: crate::ArraySql<Item = Option<T11>>,
        T13: crate::JsonSql,
        T14: crate::ArraySql<Item = Option<T13>>,
        T15: crate::ArraySql<Item = Option<i64>>,
        T16: crate::ArraySql<Item = jiff::Timestamp>,
        T17: crate::ArraySql<Item = Option<jiff::Timestamp>>,
        T18: crate::ArraySql<Item = i64>,
        T19: crate::JsonSql,
        T20: crate::ArraySql<Item = Option<T19>>,
        T21: crate::ArraySql<Item = Option<i64>>,
        T22: crate::ArraySql<Item = i32>,
        T23: crate::StringSql,
        T24: crate::ArraySql<Item = Option<T23>>,
    >(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        tasks: &'a T1,
        epochs: &'a T2,
        resumed: &'a T3,
        agents: &'a T5,
        outcomes: &'a T7,
        said_by_agent: &'a T8,
        reasons: &'a T10,
        messages: &'a T12,
        details: &'a T14,
        fingerprints: &'a T15,
        claimed_ats: &'a T16,
        started_ats: &'a T17,
        costs: &'a T18,
        usages: &'a T20,
        lease_mss: &'a T21,
        spawned: &'a T22,
        agent_types: &'a T24,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[
                    now,
                    tasks,
                    epochs,
                    resumed,
                    agents,
                    outcomes,
                    said_by_agent,
                    reasons,
                    messages,
                    details,
                    fingerprints,
                    claimed_ats,
                    started_ats,
                    costs,
                    usages,
                    lease_mss,
                    spawned,
                    agent_types,
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
    T2: crate::ArraySql<Item = i32>,
    T3: crate::ArraySql<Item = i16>,
    T4: crate::StringSql,
    T5: crate::ArraySql<Item = T4>,
    T6: crate::StringSql,
    T7: crate::ArraySql<Item = T6>,
    T8: crate::ArraySql<Item = bool>,
    T9: crate::StringSql,
    T10: crate::ArraySql<Item = Option<T9>>,
    T11: crate::StringSql,
    T12: crate::ArraySql<Item = Option<T11>>,
    T13: crate::JsonSql,
    T14: crate::ArraySql<Item = Option<T13>>,
    T15: crate::ArraySql<Item = Option<i64>>,
    T16: crate::ArraySql<Item = jiff::Timestamp>,
    T17: crate::ArraySql<Item = Option<jiff::Timestamp>>,
    T18: crate::ArraySql<Item = i64>,
    T19: crate::JsonSql,
    T20: crate::ArraySql<Item = Option<T19>>,
    T21: crate::ArraySql<Item = Option<i64>>,
    T22: crate::ArraySql<Item = i32>,
    T23: crate::StringSql,
    T24: crate::ArraySql<Item = Option<T23>>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertAttemptsParams<
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
            T21,
            T22,
            T23,
            T24,
        >,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertAttemptsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertAttemptsParams<
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
            T21,
            T22,
            T23,
            T24,
        >,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.now,
            &params.tasks,
            &params.epochs,
            &params.resumed,
            &params.agents,
            &params.outcomes,
            &params.said_by_agent,
            &params.reasons,
            &params.messages,
            &params.details,
            &params.fingerprints,
            &params.claimed_ats,
            &params.started_ats,
            &params.costs,
            &params.usages,
            &params.lease_mss,
            &params.spawned,
            &params.agent_types,
            &params.ns,
        ))
    }
}
pub struct InsertResultsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_results() -> InsertResultsStmt {
    InsertResultsStmt(
        "insert into workmill.result (ns, task, epoch, output, artifacts) select a.ns, u.task, u.epoch, u.output, u.artifacts from workmill.anchor a, unnest($1::uuid[], $2::integer[], $3::jsonb[], $4::jsonb[]) as u (task, epoch, output, artifacts) where a.ns = $5",
        None,
    )
}
impl InsertResultsStmt {
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
        T6: crate::ArraySql<Item = Option<T5>>,
    >(
        &'s self,
        client: &'c C,
        tasks: &'a T1,
        epochs: &'a T2,
        outputs: &'a T4,
        artifacts: &'a T6,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[tasks, epochs, outputs, artifacts, ns],
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
    T6: crate::ArraySql<Item = Option<T5>>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertResultsParams<T1, T2, T3, T4, T5, T6>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertResultsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertResultsParams<T1, T2, T3, T4, T5, T6>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.tasks,
            &params.epochs,
            &params.outputs,
            &params.artifacts,
            &params.ns,
        ))
    }
}
pub struct InsertLateResultsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_late_results() -> InsertLateResultsStmt {
    InsertLateResultsStmt(
        "insert into workmill.late_result ( ns, task, epoch, at, outcome, was_accepted, output, artifacts, message, cost_micros, usage ) select a.ns, u.task, u.epoch, $1, u.outcome, u.was_accepted, u.output, u.artifacts, u.message, u.cost_micros, u.usage from workmill.anchor a, unnest( $2::uuid[], $3::integer[], $4::text[], $5::boolean[], $6::jsonb[], $7::jsonb[], $8::text[], $9::bigint[], $10::jsonb[] ) as u (task, epoch, outcome, was_accepted, output, artifacts, message, cost_micros, usage) where a.ns = $11 on conflict (ns, task, epoch) do update set at = excluded.at, outcome = excluded.outcome, was_accepted = excluded.was_accepted, output = excluded.output, artifacts = excluded.artifacts, message = excluded.message, cost_micros = late_result.cost_micros + excluded.cost_micros, usage = excluded.usage",
        None,
    )
}
impl InsertLateResultsStmt {
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
        T3: crate::StringSql,
        T4: crate::ArraySql<Item = T3>,
        T5: crate::ArraySql<Item = bool>,
        T6: crate::JsonSql,
        T7: crate::ArraySql<Item = Option<T6>>,
        T8: crate::JsonSql,
        T9: crate::ArraySql<Item = Option<T8>>,
        T10: crate::StringSql,
        T11: crate::ArraySql<Item = Option<T10>>,
        T12: crate::ArraySql<Item = i64>,
        T13: crate::JsonSql,
        T14: crate::ArraySql<Item = Option<T13>>,
    >(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        tasks: &'a T1,
        epochs: &'a T2,
        outcomes: &'a T4,
        was_accepted: &'a T5,
        outputs: &'a T7,
        artifacts: &'a T9,
        messages: &'a T11,
        costs: &'a T12,
        usages: &'a T14,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[
                    now,
                    tasks,
                    epochs,
                    outcomes,
                    was_accepted,
                    outputs,
                    artifacts,
                    messages,
                    costs,
                    usages,
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
    T2: crate::ArraySql<Item = i32>,
    T3: crate::StringSql,
    T4: crate::ArraySql<Item = T3>,
    T5: crate::ArraySql<Item = bool>,
    T6: crate::JsonSql,
    T7: crate::ArraySql<Item = Option<T6>>,
    T8: crate::JsonSql,
    T9: crate::ArraySql<Item = Option<T8>>,
    T10: crate::StringSql,
    T11: crate::ArraySql<Item = Option<T10>>,
    T12: crate::ArraySql<Item = i64>,
    T13: crate::JsonSql,
    T14: crate::ArraySql<Item = Option<T13>>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertLateResultsParams<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertLateResultsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertLateResultsParams<
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
        >,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.now,
            &params.tasks,
            &params.epochs,
            &params.outcomes,
            &params.was_accepted,
            &params.outputs,
            &params.artifacts,
            &params.messages,
            &params.costs,
            &params.usages,
            &params.ns,
        ))
    }
}
pub struct AdoptLateResultStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn adopt_late_result() -> AdoptLateResultStmt {
    AdoptLateResultStmt(
        "update workmill.late_result set was_accepted = true, adopted_by = $1, adopted_at = $2 where ns = $3 and task = $4 and epoch = $5",
        None,
    )
}
impl AdoptLateResultStmt {
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
        adopted_by: &'a T1,
        now: &'a jiff::Timestamp,
        ns: &'a i64,
        task: &'a uuid::Uuid,
        epoch: &'a i32,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[adopted_by, now, ns, task, epoch],
            )
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::StringSql>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        AdoptLateResultParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for AdoptLateResultStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a AdoptLateResultParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.adopted_by,
            &params.now,
            &params.ns,
            &params.task,
            &params.epoch,
        ))
    }
}
pub struct InsertAnswerStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_answer() -> InsertAnswerStmt {
    InsertAnswerStmt(
        "insert into workmill.answer (ns, task, at, answered_by, input, waits_for, question) select b.ns, b.task, $1, $2, $3, b.waits_for, b.question from workmill.blocked b where b.ns = $4 and b.task = $5",
        None,
    )
}
impl InsertAnswerStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::StringSql, T2: crate::JsonSql>(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        answered_by: &'a T1,
        input: &'a T2,
        ns: &'a i64,
        task: &'a uuid::Uuid,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[now, answered_by, input, ns, task],
            )
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::StringSql, T2: crate::JsonSql>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertAnswerParams<T1, T2>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertAnswerStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertAnswerParams<T1, T2>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.now,
            &params.answered_by,
            &params.input,
            &params.ns,
            &params.task,
        ))
    }
}
pub struct UpsertRevivalsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn upsert_revivals() -> UpsertRevivalsStmt {
    UpsertRevivalsStmt(
        "insert into workmill.revival (ns, task, epoch) select a.ns, u.task, u.epoch from workmill.anchor a, unnest($1::uuid[], $2::integer[]) as u (task, epoch) where a.ns = $3 on conflict (ns, task) do update set epoch = excluded.epoch",
        None,
    )
}
impl UpsertRevivalsStmt {
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
    >(
        &'s self,
        client: &'c C,
        tasks: &'a T1,
        epochs: &'a T2,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[tasks, epochs, ns])
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i32>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        UpsertRevivalsParams<T1, T2>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for UpsertRevivalsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a UpsertRevivalsParams<T1, T2>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.tasks, &params.epochs, &params.ns))
    }
}
