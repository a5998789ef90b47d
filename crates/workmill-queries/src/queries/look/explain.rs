// This file was generated with `cornucopia`. Do not modify.

#[derive(Clone, Copy, Debug)]
pub struct FindExplainedTaskParams {
    pub ns: i64,
    pub task: uuid::Uuid,
}
#[derive(Clone, Copy, Debug)]
pub struct FindExplainedDependenciesParams {
    pub ns: i64,
    pub task: uuid::Uuid,
}
#[derive(Debug)]
pub struct FindWaitedForParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub tasks: T1,
    pub ns: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindExplainedGateParams {
    pub ns: i64,
    pub task: uuid::Uuid,
}
#[derive(Clone, Copy, Debug)]
pub struct FindExplainedLeaseParams {
    pub ns: i64,
    pub task: uuid::Uuid,
}
#[derive(Clone, Copy, Debug)]
pub struct FindLastAttemptParams {
    pub ns: i64,
    pub task: uuid::Uuid,
}
#[derive(Clone, Copy, Debug)]
pub struct FindExplainedAttemptsParams {
    pub ns: i64,
    pub task: uuid::Uuid,
}
#[derive(Clone, Copy, Debug)]
pub struct FindTalliesParams {
    pub ns: i64,
    pub since: jiff::Timestamp,
    pub before_hour: jiff::Timestamp,
}
#[derive(Clone, Copy, Debug)]
pub struct FindExplainedBlockParams {
    pub ns: i64,
    pub task: uuid::Uuid,
}
#[derive(Clone, Copy, Debug)]
pub struct FindExplainedDeadLetterParams {
    pub ns: i64,
    pub task: uuid::Uuid,
}
#[derive(Debug)]
pub struct FindLocksInTheWayParams<
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::StringSql,
    T4: crate::ArraySql<Item = T3>,
    T5: crate::ArraySql<Item = bool>,
> {
    pub roots: T2,
    pub paths: T4,
    pub are_shared: T5,
    pub ns: i64,
    pub task: uuid::Uuid,
}
#[derive(Debug)]
pub struct CountTakenSlotsParams<
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::ArraySql<Item = i64>,
> {
    pub agents: T2,
    pub slots: T3,
    pub ns: i64,
}
#[derive(Debug)]
pub struct CountAheadParams<T1: crate::ArraySql<Item = i64>, T2: crate::ArraySql<Item = i64>> {
    pub lanes: T1,
    pub bounds: T2,
    pub ns: i64,
    pub task: uuid::Uuid,
}
#[derive(Debug)]
pub struct FindAheadParams<
    T1: crate::ArraySql<Item = i64>,
    T2: crate::ArraySql<Item = i64>,
    T3: crate::ArraySql<Item = i64>,
> {
    pub lanes: T1,
    pub bounds: T2,
    pub aged: T3,
    pub ns: i64,
    pub task: uuid::Uuid,
}
#[derive(Debug)]
pub struct FindCandidatesParams<
    T1: crate::ArraySql<Item = i64>,
    T2: crate::ArraySql<Item = i64>,
    T3: crate::ArraySql<Item = i64>,
    T4: crate::StringSql,
> {
    pub lanes: T1,
    pub bounds: T2,
    pub aged: T3,
    pub ns: i64,
    pub after: uuid::Uuid,
    pub now: jiff::Timestamp,
    pub agent: T4,
    pub is_kept_from: bool,
    pub wanted: i64,
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindExplainedTask {
    pub task: uuid::Uuid,
    pub graph: uuid::Uuid,
    pub state: i16,
    pub lane: i64,
    pub rank: i64,
    pub due: Option<jiff::Timestamp>,
    pub critical_path: i16,
    pub on_dependency_failure: i16,
    pub unmet: i32,
    pub shunned_until: Option<jiff::Timestamp>,
    pub shunned: Option<Vec<String>>,
    pub spent_micros: i64,
    pub submitted_at: jiff::Timestamp,
    pub created_by: String,
    pub policy: serde_json::Value,
    pub is_draft: Option<bool>,
    pub is_draining: Option<bool>,
}
pub struct FindExplainedTaskBorrowed<'a> {
    pub task: uuid::Uuid,
    pub graph: uuid::Uuid,
    pub state: i16,
    pub lane: i64,
    pub rank: i64,
    pub due: Option<jiff::Timestamp>,
    pub critical_path: i16,
    pub on_dependency_failure: i16,
    pub unmet: i32,
    pub shunned_until: Option<jiff::Timestamp>,
    pub shunned: Option<crate::ArrayIterator<'a, &'a str>>,
    pub spent_micros: i64,
    pub submitted_at: jiff::Timestamp,
    pub created_by: &'a str,
    pub policy: postgres_types::Json<&'a serde_json::value::RawValue>,
    pub is_draft: Option<bool>,
    pub is_draining: Option<bool>,
}
impl<'a> From<FindExplainedTaskBorrowed<'a>> for FindExplainedTask {
    fn from(
        FindExplainedTaskBorrowed {
            task,
            graph,
            state,
            lane,
            rank,
            due,
            critical_path,
            on_dependency_failure,
            unmet,
            shunned_until,
            shunned,
            spent_micros,
            submitted_at,
            created_by,
            policy,
            is_draft,
            is_draining,
        }: FindExplainedTaskBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            graph,
            state,
            lane,
            rank,
            due,
            critical_path,
            on_dependency_failure,
            unmet,
            shunned_until,
            shunned: shunned.map(|v| v.map(|v| v.into()).collect()),
            spent_micros,
            submitted_at,
            created_by: created_by.into(),
            policy: serde_json::from_str(policy.0.get()).unwrap(),
            is_draft,
            is_draining,
        }
    }
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindExplainedDependencies {
    pub depends_on: uuid::Uuid,
    pub state: i16,
    pub freed_runners: bool,
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindWaitedFor {
    pub task: uuid::Uuid,
    pub on_dependency_failure: i16,
    pub depends_on: uuid::Uuid,
    pub state: i16,
    pub freed_runners: bool,
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindExplainedGate {
    pub gate: String,
    pub since: jiff::Timestamp,
}
pub struct FindExplainedGateBorrowed<'a> {
    pub gate: &'a str,
    pub since: jiff::Timestamp,
}
impl<'a> From<FindExplainedGateBorrowed<'a>> for FindExplainedGate {
    fn from(FindExplainedGateBorrowed { gate, since }: FindExplainedGateBorrowed<'a>) -> Self {
        Self {
            gate: gate.into(),
            since,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindExplainedLease {
    pub epoch: i32,
    pub agent: String,
    pub claimed_at: jiff::Timestamp,
    pub started_at: Option<jiff::Timestamp>,
    pub renewed_at: jiff::Timestamp,
    pub ttl_ms: i64,
    pub stop: Option<String>,
}
pub struct FindExplainedLeaseBorrowed<'a> {
    pub epoch: i32,
    pub agent: &'a str,
    pub claimed_at: jiff::Timestamp,
    pub started_at: Option<jiff::Timestamp>,
    pub renewed_at: jiff::Timestamp,
    pub ttl_ms: i64,
    pub stop: Option<&'a str>,
}
impl<'a> From<FindExplainedLeaseBorrowed<'a>> for FindExplainedLease {
    fn from(
        FindExplainedLeaseBorrowed {
            epoch,
            agent,
            claimed_at,
            started_at,
            renewed_at,
            ttl_ms,
            stop,
        }: FindExplainedLeaseBorrowed<'a>,
    ) -> Self {
        Self {
            epoch,
            agent: agent.into(),
            claimed_at,
            started_at,
            renewed_at,
            ttl_ms,
            stop: stop.map(|v| v.into()),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindLastAttempt {
    pub epoch: i32,
    pub agent: String,
    pub outcome: String,
    pub claimed_at: jiff::Timestamp,
    pub started_at: Option<jiff::Timestamp>,
}
pub struct FindLastAttemptBorrowed<'a> {
    pub epoch: i32,
    pub agent: &'a str,
    pub outcome: &'a str,
    pub claimed_at: jiff::Timestamp,
    pub started_at: Option<jiff::Timestamp>,
}
impl<'a> From<FindLastAttemptBorrowed<'a>> for FindLastAttempt {
    fn from(
        FindLastAttemptBorrowed {
            epoch,
            agent,
            outcome,
            claimed_at,
            started_at,
        }: FindLastAttemptBorrowed<'a>,
    ) -> Self {
        Self {
            epoch,
            agent: agent.into(),
            outcome: outcome.into(),
            claimed_at,
            started_at,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindExplainedAttempts {
    pub agent: String,
    pub outcome: String,
    pub reason: Option<String>,
    pub fingerprint: Option<i64>,
    pub ended_at: jiff::Timestamp,
    pub usage: Option<serde_json::Value>,
}
pub struct FindExplainedAttemptsBorrowed<'a> {
    pub agent: &'a str,
    pub outcome: &'a str,
    pub reason: Option<&'a str>,
    pub fingerprint: Option<i64>,
    pub ended_at: jiff::Timestamp,
    pub usage: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
}
impl<'a> From<FindExplainedAttemptsBorrowed<'a>> for FindExplainedAttempts {
    fn from(
        FindExplainedAttemptsBorrowed {
            agent,
            outcome,
            reason,
            fingerprint,
            ended_at,
            usage,
        }: FindExplainedAttemptsBorrowed<'a>,
    ) -> Self {
        Self {
            agent: agent.into(),
            outcome: outcome.into(),
            reason: reason.map(|v| v.into()),
            fingerprint,
            ended_at,
            usage: usage.map(|v| serde_json::from_str(v.0.get()).unwrap()),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindTallies {
    pub agent: String,
    pub model: String,
    pub completed: i64,
    pub failed: i64,
}
pub struct FindTalliesBorrowed<'a> {
    pub agent: &'a str,
    pub model: &'a str,
    pub completed: i64,
    pub failed: i64,
}
impl<'a> From<FindTalliesBorrowed<'a>> for FindTallies {
    fn from(
        FindTalliesBorrowed {
            agent,
            model,
            completed,
            failed,
        }: FindTalliesBorrowed<'a>,
    ) -> Self {
        Self {
            agent: agent.into(),
            model: model.into(),
            completed,
            failed,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindExplainedBlock {
    pub at: jiff::Timestamp,
    pub waits_for: String,
    pub question: Option<serde_json::Value>,
    pub until: Option<jiff::Timestamp>,
}
pub struct FindExplainedBlockBorrowed<'a> {
    pub at: jiff::Timestamp,
    pub waits_for: &'a str,
    pub question: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
    pub until: Option<jiff::Timestamp>,
}
impl<'a> From<FindExplainedBlockBorrowed<'a>> for FindExplainedBlock {
    fn from(
        FindExplainedBlockBorrowed {
            at,
            waits_for,
            question,
            until,
        }: FindExplainedBlockBorrowed<'a>,
    ) -> Self {
        Self {
            at,
            waits_for: waits_for.into(),
            question: question.map(|v| serde_json::from_str(v.0.get()).unwrap()),
            until,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindExplainedDeadLetter {
    pub at: jiff::Timestamp,
    pub cause: String,
    pub reason: String,
}
pub struct FindExplainedDeadLetterBorrowed<'a> {
    pub at: jiff::Timestamp,
    pub cause: &'a str,
    pub reason: &'a str,
}
impl<'a> From<FindExplainedDeadLetterBorrowed<'a>> for FindExplainedDeadLetter {
    fn from(
        FindExplainedDeadLetterBorrowed { at, cause, reason }: FindExplainedDeadLetterBorrowed<'a>,
    ) -> Self {
        Self {
            at,
            cause: cause.into(),
            reason: reason.into(),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindLocksInTheWay {
    pub task: uuid::Uuid,
    pub path: String,
    pub is_shared: bool,
    pub agent: String,
}
pub struct FindLocksInTheWayBorrowed<'a> {
    pub task: uuid::Uuid,
    pub path: &'a str,
    pub is_shared: bool,
    pub agent: &'a str,
}
impl<'a> From<FindLocksInTheWayBorrowed<'a>> for FindLocksInTheWay {
    fn from(
        FindLocksInTheWayBorrowed {
            task,
            path,
            is_shared,
            agent,
        }: FindLocksInTheWayBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            path: path.into(),
            is_shared,
            agent: agent.into(),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct CountTakenSlots {
    pub agent: String,
    pub leases: i32,
}
pub struct CountTakenSlotsBorrowed<'a> {
    pub agent: &'a str,
    pub leases: i32,
}
impl<'a> From<CountTakenSlotsBorrowed<'a>> for CountTakenSlots {
    fn from(CountTakenSlotsBorrowed { agent, leases }: CountTakenSlotsBorrowed<'a>) -> Self {
        Self {
            agent: agent.into(),
            leases,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindRecentAttempts {
    pub task_type: Option<String>,
    pub claimed_at: jiff::Timestamp,
    pub started_at: Option<jiff::Timestamp>,
    pub ended_at: jiff::Timestamp,
}
pub struct FindRecentAttemptsBorrowed<'a> {
    pub task_type: Option<&'a str>,
    pub claimed_at: jiff::Timestamp,
    pub started_at: Option<jiff::Timestamp>,
    pub ended_at: jiff::Timestamp,
}
impl<'a> From<FindRecentAttemptsBorrowed<'a>> for FindRecentAttempts {
    fn from(
        FindRecentAttemptsBorrowed {
            task_type,
            claimed_at,
            started_at,
            ended_at,
        }: FindRecentAttemptsBorrowed<'a>,
    ) -> Self {
        Self {
            task_type: task_type.map(|v| v.into()),
            claimed_at,
            started_at,
            ended_at,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindCandidates {
    pub lane: i64,
    pub rank: i64,
    pub task: uuid::Uuid,
    pub graph: uuid::Uuid,
    pub spent_micros: i64,
    pub created_by: String,
    pub policy: serde_json::Value,
}
pub struct FindCandidatesBorrowed<'a> {
    pub lane: i64,
    pub rank: i64,
    pub task: uuid::Uuid,
    pub graph: uuid::Uuid,
    pub spent_micros: i64,
    pub created_by: &'a str,
    pub policy: postgres_types::Json<&'a serde_json::value::RawValue>,
}
impl<'a> From<FindCandidatesBorrowed<'a>> for FindCandidates {
    fn from(
        FindCandidatesBorrowed {
            lane,
            rank,
            task,
            graph,
            spent_micros,
            created_by,
            policy,
        }: FindCandidatesBorrowed<'a>,
    ) -> Self {
        Self {
            lane,
            rank,
            task,
            graph,
            spent_micros,
            created_by: created_by.into(),
            policy: serde_json::from_str(policy.0.get()).unwrap(),
        }
    }
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct FindExplainedTaskQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindExplainedTaskBorrowed, tokio_postgres::Error>,
    mapper: fn(FindExplainedTaskBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindExplainedTaskQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindExplainedTaskBorrowed) -> R,
    ) -> FindExplainedTaskQuery<'c, 'a, 's, C, R, N> {
        FindExplainedTaskQuery {
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
pub struct FindExplainedDependenciesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindExplainedDependencies, tokio_postgres::Error>,
    mapper: fn(FindExplainedDependencies) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindExplainedDependenciesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindExplainedDependencies) -> R,
    ) -> FindExplainedDependenciesQuery<'c, 'a, 's, C, R, N> {
        FindExplainedDependenciesQuery {
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
pub struct FindWaitedForQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindWaitedFor, tokio_postgres::Error>,
    mapper: fn(FindWaitedFor) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindWaitedForQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(FindWaitedFor) -> R) -> FindWaitedForQuery<'c, 'a, 's, C, R, N> {
        FindWaitedForQuery {
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
pub struct FindExplainedGateQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindExplainedGateBorrowed, tokio_postgres::Error>,
    mapper: fn(FindExplainedGateBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindExplainedGateQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindExplainedGateBorrowed) -> R,
    ) -> FindExplainedGateQuery<'c, 'a, 's, C, R, N> {
        FindExplainedGateQuery {
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
pub struct FindExplainedLeaseQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor:
        fn(&tokio_postgres::Row) -> Result<FindExplainedLeaseBorrowed, tokio_postgres::Error>,
    mapper: fn(FindExplainedLeaseBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindExplainedLeaseQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindExplainedLeaseBorrowed) -> R,
    ) -> FindExplainedLeaseQuery<'c, 'a, 's, C, R, N> {
        FindExplainedLeaseQuery {
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
pub struct FindLastAttemptQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindLastAttemptBorrowed, tokio_postgres::Error>,
    mapper: fn(FindLastAttemptBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindLastAttemptQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindLastAttemptBorrowed) -> R,
    ) -> FindLastAttemptQuery<'c, 'a, 's, C, R, N> {
        FindLastAttemptQuery {
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
pub struct FindExplainedAttemptsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor:
        fn(&tokio_postgres::Row) -> Result<FindExplainedAttemptsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindExplainedAttemptsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindExplainedAttemptsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindExplainedAttemptsBorrowed) -> R,
    ) -> FindExplainedAttemptsQuery<'c, 'a, 's, C, R, N> {
        FindExplainedAttemptsQuery {
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
pub struct FindTalliesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindTalliesBorrowed, tokio_postgres::Error>,
    mapper: fn(FindTalliesBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindTalliesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindTalliesBorrowed) -> R,
    ) -> FindTalliesQuery<'c, 'a, 's, C, R, N> {
        FindTalliesQuery {
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
pub struct FindExplainedBlockQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor:
        fn(&tokio_postgres::Row) -> Result<FindExplainedBlockBorrowed, tokio_postgres::Error>,
    mapper: fn(FindExplainedBlockBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindExplainedBlockQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindExplainedBlockBorrowed) -> R,
    ) -> FindExplainedBlockQuery<'c, 'a, 's, C, R, N> {
        FindExplainedBlockQuery {
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
pub struct FindExplainedDeadLetterQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor:
        fn(&tokio_postgres::Row) -> Result<FindExplainedDeadLetterBorrowed, tokio_postgres::Error>,
    mapper: fn(FindExplainedDeadLetterBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindExplainedDeadLetterQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindExplainedDeadLetterBorrowed) -> R,
    ) -> FindExplainedDeadLetterQuery<'c, 'a, 's, C, R, N> {
        FindExplainedDeadLetterQuery {
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
pub struct FindLocksInTheWayQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindLocksInTheWayBorrowed, tokio_postgres::Error>,
    mapper: fn(FindLocksInTheWayBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindLocksInTheWayQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindLocksInTheWayBorrowed) -> R,
    ) -> FindLocksInTheWayQuery<'c, 'a, 's, C, R, N> {
        FindLocksInTheWayQuery {
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
pub struct CountTakenSlotsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<CountTakenSlotsBorrowed, tokio_postgres::Error>,
    mapper: fn(CountTakenSlotsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> CountTakenSlotsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(CountTakenSlotsBorrowed) -> R,
    ) -> CountTakenSlotsQuery<'c, 'a, 's, C, R, N> {
        CountTakenSlotsQuery {
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
pub struct FindRecentAttemptsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor:
        fn(&tokio_postgres::Row) -> Result<FindRecentAttemptsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindRecentAttemptsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindRecentAttemptsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindRecentAttemptsBorrowed) -> R,
    ) -> FindRecentAttemptsQuery<'c, 'a, 's, C, R, N> {
        FindRecentAttemptsQuery {
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
pub struct FindCandidatesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindCandidatesBorrowed, tokio_postgres::Error>,
    mapper: fn(FindCandidatesBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindCandidatesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindCandidatesBorrowed) -> R,
    ) -> FindCandidatesQuery<'c, 'a, 's, C, R, N> {
        FindCandidatesQuery {
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
pub struct FindExplainedTaskStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_explained_task() -> FindExplainedTaskStmt {
    FindExplainedTaskStmt(
        "select s.task, s.graph, s.state, s.lane, s.rank, s.due, s.critical_path, s.on_dependency_failure, s.unmet, s.shunned_until, s.shunned, s.spent_micros, p.submitted_at, p.created_by, p.policy, g.is_draft, g.is_draining from workmill.state s cross join lateral ( select t.submitted_at, t.created_by, t.policy from workmill.spec t where t.ns = $1 and t.task = s.task and t.version = s.spec_version limit 1 ) as p left join lateral ( select t.is_draft, t.is_draining from workmill.graph t where t.ns = $1 and t.graph = s.graph limit 1 ) as g on true where s.ns = $1 and s.task = $2",
        None,
    )
}
impl FindExplainedTaskStmt {
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
    ) -> FindExplainedTaskQuery<'c, 'a, 's, C, FindExplainedTask, 2> {
        FindExplainedTaskQuery {
            client,
            params: [ns, task],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindExplainedTaskBorrowed, tokio_postgres::Error> {
                Ok(FindExplainedTaskBorrowed {
                    task: row.try_get(0)?,
                    graph: row.try_get(1)?,
                    state: row.try_get(2)?,
                    lane: row.try_get(3)?,
                    rank: row.try_get(4)?,
                    due: row.try_get(5)?,
                    critical_path: row.try_get(6)?,
                    on_dependency_failure: row.try_get(7)?,
                    unmet: row.try_get(8)?,
                    shunned_until: row.try_get(9)?,
                    shunned: row.try_get(10)?,
                    spent_micros: row.try_get(11)?,
                    submitted_at: row.try_get(12)?,
                    created_by: row.try_get(13)?,
                    policy: row.try_get(14)?,
                    is_draft: row.try_get(15)?,
                    is_draining: row.try_get(16)?,
                })
            },
            mapper: |it| FindExplainedTask::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindExplainedTaskParams,
        FindExplainedTaskQuery<'c, 'a, 's, C, FindExplainedTask, 2>,
        C,
    > for FindExplainedTaskStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindExplainedTaskParams,
    ) -> FindExplainedTaskQuery<'c, 'a, 's, C, FindExplainedTask, 2> {
        self.bind(client, &params.ns, &params.task)
    }
}
pub struct FindExplainedDependenciesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_explained_dependencies() -> FindExplainedDependenciesStmt {
    FindExplainedDependenciesStmt(
        "select e.depends_on, s.state, s.freed_runners from ( select t.depends_on from workmill.edge t where t.ns = $1 and t.task = $2 order by t.depends_on limit 1000 ) as e cross join lateral ( select t.state, t.freed_runners from workmill.state t where t.ns = $1 and t.task = e.depends_on limit 1 ) as s",
        None,
    )
}
impl FindExplainedDependenciesStmt {
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
    ) -> FindExplainedDependenciesQuery<'c, 'a, 's, C, FindExplainedDependencies, 2> {
        FindExplainedDependenciesQuery {
            client,
            params: [ns, task],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindExplainedDependencies, tokio_postgres::Error> {
                Ok(FindExplainedDependencies {
                    depends_on: row.try_get(0)?,
                    state: row.try_get(1)?,
                    freed_runners: row.try_get(2)?,
                })
            },
            mapper: |it| FindExplainedDependencies::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindExplainedDependenciesParams,
        FindExplainedDependenciesQuery<'c, 'a, 's, C, FindExplainedDependencies, 2>,
        C,
    > for FindExplainedDependenciesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindExplainedDependenciesParams,
    ) -> FindExplainedDependenciesQuery<'c, 'a, 's, C, FindExplainedDependencies, 2> {
        self.bind(client, &params.ns, &params.task)
    }
}
pub struct FindWaitedForStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_waited_for() -> FindWaitedForStmt {
    FindWaitedForStmt(
        "select u.task, w.on_dependency_failure, e.depends_on, s.state, s.freed_runners from unnest($1::uuid[]) as u (task) cross join lateral ( select t.on_dependency_failure from workmill.state t where t.ns = $2 and t.task = u.task limit 1 ) as w cross join lateral ( select t.depends_on from workmill.edge t where t.ns = $2 and t.task = u.task order by t.depends_on limit 1000 ) as e cross join lateral ( select t.state, t.freed_runners from workmill.state t where t.ns = $2 and t.task = e.depends_on limit 1 ) as s",
        None,
    )
}
impl FindWaitedForStmt {
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
    ) -> FindWaitedForQuery<'c, 'a, 's, C, FindWaitedFor, 2> {
        FindWaitedForQuery {
            client,
            params: [tasks, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row: &tokio_postgres::Row| -> Result<FindWaitedFor, tokio_postgres::Error> {
                Ok(FindWaitedFor {
                    task: row.try_get(0)?,
                    on_dependency_failure: row.try_get(1)?,
                    depends_on: row.try_get(2)?,
                    state: row.try_get(3)?,
                    freed_runners: row.try_get(4)?,
                })
            },
            mapper: |it| FindWaitedFor::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindWaitedForParams<T1>,
        FindWaitedForQuery<'c, 'a, 's, C, FindWaitedFor, 2>,
        C,
    > for FindWaitedForStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindWaitedForParams<T1>,
    ) -> FindWaitedForQuery<'c, 'a, 's, C, FindWaitedFor, 2> {
        self.bind(client, &params.tasks, &params.ns)
    }
}
pub struct FindExplainedGateStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_explained_gate() -> FindExplainedGateStmt {
    FindExplainedGateStmt(
        "select g.gate, g.since from workmill.gated g where g.ns = $1 and g.task = $2 limit 1",
        None,
    )
}
impl FindExplainedGateStmt {
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
    ) -> FindExplainedGateQuery<'c, 'a, 's, C, FindExplainedGate, 2> {
        FindExplainedGateQuery {
            client,
            params: [ns, task],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindExplainedGateBorrowed, tokio_postgres::Error> {
                Ok(FindExplainedGateBorrowed {
                    gate: row.try_get(0)?,
                    since: row.try_get(1)?,
                })
            },
            mapper: |it| FindExplainedGate::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindExplainedGateParams,
        FindExplainedGateQuery<'c, 'a, 's, C, FindExplainedGate, 2>,
        C,
    > for FindExplainedGateStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindExplainedGateParams,
    ) -> FindExplainedGateQuery<'c, 'a, 's, C, FindExplainedGate, 2> {
        self.bind(client, &params.ns, &params.task)
    }
}
pub struct FindExplainedLeaseStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_explained_lease() -> FindExplainedLeaseStmt {
    FindExplainedLeaseStmt(
        "select l.epoch, l.agent, l.claimed_at, l.started_at, l.renewed_at, l.ttl_ms, l.stop from workmill.lease l where l.ns = $1 and l.task = $2 order by l.epoch desc limit 1",
        None,
    )
}
impl FindExplainedLeaseStmt {
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
    ) -> FindExplainedLeaseQuery<'c, 'a, 's, C, FindExplainedLease, 2> {
        FindExplainedLeaseQuery {
            client,
            params: [ns, task],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindExplainedLeaseBorrowed, tokio_postgres::Error> {
                Ok(FindExplainedLeaseBorrowed {
                    epoch: row.try_get(0)?,
                    agent: row.try_get(1)?,
                    claimed_at: row.try_get(2)?,
                    started_at: row.try_get(3)?,
                    renewed_at: row.try_get(4)?,
                    ttl_ms: row.try_get(5)?,
                    stop: row.try_get(6)?,
                })
            },
            mapper: |it| FindExplainedLease::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindExplainedLeaseParams,
        FindExplainedLeaseQuery<'c, 'a, 's, C, FindExplainedLease, 2>,
        C,
    > for FindExplainedLeaseStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindExplainedLeaseParams,
    ) -> FindExplainedLeaseQuery<'c, 'a, 's, C, FindExplainedLease, 2> {
        self.bind(client, &params.ns, &params.task)
    }
}
pub struct FindLastAttemptStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_last_attempt() -> FindLastAttemptStmt {
    FindLastAttemptStmt(
        "select a.epoch, a.agent, a.outcome, a.claimed_at, a.started_at from workmill.attempt a where a.ns = $1 and a.task = $2 order by a.epoch desc, a.resumed desc limit 1",
        None,
    )
}
impl FindLastAttemptStmt {
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
    ) -> FindLastAttemptQuery<'c, 'a, 's, C, FindLastAttempt, 2> {
        FindLastAttemptQuery {
            client,
            params: [ns, task],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindLastAttemptBorrowed, tokio_postgres::Error> {
                Ok(FindLastAttemptBorrowed {
                    epoch: row.try_get(0)?,
                    agent: row.try_get(1)?,
                    outcome: row.try_get(2)?,
                    claimed_at: row.try_get(3)?,
                    started_at: row.try_get(4)?,
                })
            },
            mapper: |it| FindLastAttempt::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindLastAttemptParams,
        FindLastAttemptQuery<'c, 'a, 's, C, FindLastAttempt, 2>,
        C,
    > for FindLastAttemptStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindLastAttemptParams,
    ) -> FindLastAttemptQuery<'c, 'a, 's, C, FindLastAttempt, 2> {
        self.bind(client, &params.ns, &params.task)
    }
}
pub struct FindExplainedAttemptsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_explained_attempts() -> FindExplainedAttemptsStmt {
    FindExplainedAttemptsStmt(
        "select a.agent, a.outcome, a.reason, a.fingerprint, a.ended_at, a.usage from workmill.attempt a where a.ns = $1 and a.task = $2 order by a.epoch desc, a.resumed desc limit 1000",
        None,
    )
}
impl FindExplainedAttemptsStmt {
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
    ) -> FindExplainedAttemptsQuery<'c, 'a, 's, C, FindExplainedAttempts, 2> {
        FindExplainedAttemptsQuery {
            client,
            params: [ns, task],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindExplainedAttemptsBorrowed, tokio_postgres::Error> {
                Ok(FindExplainedAttemptsBorrowed {
                    agent: row.try_get(0)?,
                    outcome: row.try_get(1)?,
                    reason: row.try_get(2)?,
                    fingerprint: row.try_get(3)?,
                    ended_at: row.try_get(4)?,
                    usage: row.try_get(5)?,
                })
            },
            mapper: |it| FindExplainedAttempts::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindExplainedAttemptsParams,
        FindExplainedAttemptsQuery<'c, 'a, 's, C, FindExplainedAttempts, 2>,
        C,
    > for FindExplainedAttemptsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindExplainedAttemptsParams,
    ) -> FindExplainedAttemptsQuery<'c, 'a, 's, C, FindExplainedAttempts, 2> {
        self.bind(client, &params.ns, &params.task)
    }
}
pub struct FindTalliesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_tallies() -> FindTalliesStmt {
    FindTalliesStmt(
        "select t.agent, t.model, sum(t.completed)::bigint as completed, sum(t.failed)::bigint as failed from ( select k.agent, k.model, k.completed, k.failed from workmill.attempt_tally k where k.ns = $1 and k.hour >= $2 and k.hour < $3 order by k.hour desc, k.agent desc, k.model desc limit 20000 ) as t group by t.agent, t.model",
        None,
    )
}
impl FindTalliesStmt {
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
        since: &'a jiff::Timestamp,
        before_hour: &'a jiff::Timestamp,
    ) -> FindTalliesQuery<'c, 'a, 's, C, FindTallies, 3> {
        FindTalliesQuery {
            client,
            params: [ns, since, before_hour],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindTalliesBorrowed, tokio_postgres::Error> {
                    Ok(FindTalliesBorrowed {
                        agent: row.try_get(0)?,
                        model: row.try_get(1)?,
                        completed: row.try_get(2)?,
                        failed: row.try_get(3)?,
                    })
                },
            mapper: |it| FindTallies::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindTalliesParams,
        FindTalliesQuery<'c, 'a, 's, C, FindTallies, 3>,
        C,
    > for FindTalliesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindTalliesParams,
    ) -> FindTalliesQuery<'c, 'a, 's, C, FindTallies, 3> {
        self.bind(client, &params.ns, &params.since, &params.before_hour)
    }
}
pub struct FindExplainedBlockStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_explained_block() -> FindExplainedBlockStmt {
    FindExplainedBlockStmt(
        "select b.at, b.waits_for, b.question, b.until from workmill.blocked b where b.ns = $1 and b.task = $2",
        None,
    )
}
impl FindExplainedBlockStmt {
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
    ) -> FindExplainedBlockQuery<'c, 'a, 's, C, FindExplainedBlock, 2> {
        FindExplainedBlockQuery {
            client,
            params: [ns, task],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindExplainedBlockBorrowed, tokio_postgres::Error> {
                Ok(FindExplainedBlockBorrowed {
                    at: row.try_get(0)?,
                    waits_for: row.try_get(1)?,
                    question: row.try_get(2)?,
                    until: row.try_get(3)?,
                })
            },
            mapper: |it| FindExplainedBlock::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindExplainedBlockParams,
        FindExplainedBlockQuery<'c, 'a, 's, C, FindExplainedBlock, 2>,
        C,
    > for FindExplainedBlockStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindExplainedBlockParams,
    ) -> FindExplainedBlockQuery<'c, 'a, 's, C, FindExplainedBlock, 2> {
        self.bind(client, &params.ns, &params.task)
    }
}
pub struct FindExplainedDeadLetterStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_explained_dead_letter() -> FindExplainedDeadLetterStmt {
    FindExplainedDeadLetterStmt(
        "select d.at, d.cause, d.reason from workmill.dead_letter d where d.ns = $1 and d.task = $2",
        None,
    )
}
impl FindExplainedDeadLetterStmt {
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
    ) -> FindExplainedDeadLetterQuery<'c, 'a, 's, C, FindExplainedDeadLetter, 2> {
        FindExplainedDeadLetterQuery {
            client,
            params: [ns, task],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindExplainedDeadLetterBorrowed, tokio_postgres::Error> {
                Ok(FindExplainedDeadLetterBorrowed {
                    at: row.try_get(0)?,
                    cause: row.try_get(1)?,
                    reason: row.try_get(2)?,
                })
            },
            mapper: |it| FindExplainedDeadLetter::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindExplainedDeadLetterParams,
        FindExplainedDeadLetterQuery<'c, 'a, 's, C, FindExplainedDeadLetter, 2>,
        C,
    > for FindExplainedDeadLetterStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindExplainedDeadLetterParams,
    ) -> FindExplainedDeadLetterQuery<'c, 'a, 's, C, FindExplainedDeadLetter, 2> {
        self.bind(client, &params.ns, &params.task)
    }
}
pub struct FindLocksInTheWayStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_locks_in_the_way() -> FindLocksInTheWayStmt {
    FindLocksInTheWayStmt(
        "select l.task, l.path, l.is_shared, l.agent from unnest($1::text[], $2::text[], $3::boolean[]) as u (root, path, is_shared) cross join lateral ( select t.task, t.path, t.is_shared, t.agent from workmill.held_lock t where t.ns = $4 and t.root = u.root and t.task <> $5 and not (t.is_shared and u.is_shared) and ( t.path = u.path or starts_with(t.path, u.path || '/') or starts_with(u.path, t.path || '/') ) limit 100 ) as l",
        None,
    )
}
impl FindLocksInTheWayStmt {
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
        T3: crate::StringSql,
        T4: crate::ArraySql<Item = T3>,
        T5: crate::ArraySql<Item = bool>,
    >(
        &'s self,
        client: &'c C,
        roots: &'a T2,
        paths: &'a T4,
        are_shared: &'a T5,
        ns: &'a i64,
        task: &'a uuid::Uuid,
    ) -> FindLocksInTheWayQuery<'c, 'a, 's, C, FindLocksInTheWay, 5> {
        FindLocksInTheWayQuery {
            client,
            params: [roots, paths, are_shared, ns, task],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindLocksInTheWayBorrowed, tokio_postgres::Error> {
                Ok(FindLocksInTheWayBorrowed {
                    task: row.try_get(0)?,
                    path: row.try_get(1)?,
                    is_shared: row.try_get(2)?,
                    agent: row.try_get(3)?,
                })
            },
            mapper: |it| FindLocksInTheWay::from(it),
        }
    }
}
impl<
    'c,
    'a,
    's,
    C: GenericClient,
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::StringSql,
    T4: crate::ArraySql<Item = T3>,
    T5: crate::ArraySql<Item = bool>,
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindLocksInTheWayParams<T1, T2, T3, T4, T5>,
        FindLocksInTheWayQuery<'c, 'a, 's, C, FindLocksInTheWay, 5>,
        C,
    > for FindLocksInTheWayStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindLocksInTheWayParams<T1, T2, T3, T4, T5>,
    ) -> FindLocksInTheWayQuery<'c, 'a, 's, C, FindLocksInTheWay, 5> {
        self.bind(
            client,
            &params.roots,
            &params.paths,
            &params.are_shared,
            &params.ns,
            &params.task,
        )
    }
}
pub struct CountTakenSlotsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn count_taken_slots() -> CountTakenSlotsStmt {
    CountTakenSlotsStmt(
        "select u.agent, c.leases from unnest($1::text[], $2::bigint[]) as u (agent, slots) cross join lateral ( select count(*)::integer as leases from ( select l.task from workmill.lease l where l.ns = $3 and l.agent = u.agent limit u.slots ) as t ) as c",
        None,
    )
}
impl CountTakenSlotsStmt {
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
        T3: crate::ArraySql<Item = i64>,
    >(
        &'s self,
        client: &'c C,
        agents: &'a T2,
        slots: &'a T3,
        ns: &'a i64,
    ) -> CountTakenSlotsQuery<'c, 'a, 's, C, CountTakenSlots, 3> {
        CountTakenSlotsQuery {
            client,
            params: [agents, slots, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<CountTakenSlotsBorrowed, tokio_postgres::Error> {
                Ok(CountTakenSlotsBorrowed {
                    agent: row.try_get(0)?,
                    leases: row.try_get(1)?,
                })
            },
            mapper: |it| CountTakenSlots::from(it),
        }
    }
}
impl<
    'c,
    'a,
    's,
    C: GenericClient,
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::ArraySql<Item = i64>,
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        CountTakenSlotsParams<T1, T2, T3>,
        CountTakenSlotsQuery<'c, 'a, 's, C, CountTakenSlots, 3>,
        C,
    > for CountTakenSlotsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a CountTakenSlotsParams<T1, T2, T3>,
    ) -> CountTakenSlotsQuery<'c, 'a, 's, C, CountTakenSlots, 3> {
        self.bind(client, &params.agents, &params.slots, &params.ns)
    }
}
pub struct CountAheadStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn count_ahead() -> CountAheadStmt {
    CountAheadStmt(
        "select count(*) as ahead from ( select h.task from unnest($1::bigint[], $2::bigint[]) as l (lane, bound) cross join lateral ( select r.task from workmill.ready r where r.ns = $3 and r.lane = l.lane and (r.rank, r.task) < (l.bound, $4) order by r.rank, r.task limit 1001 ) as h limit 1001 ) as a",
        None,
    )
}
impl CountAheadStmt {
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
        bounds: &'a T2,
        ns: &'a i64,
        task: &'a uuid::Uuid,
    ) -> I64Query<'c, 'a, 's, C, i64, 4> {
        I64Query {
            client,
            params: [lanes, bounds, ns, task],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = i64>, T2: crate::ArraySql<Item = i64>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        CountAheadParams<T1, T2>,
        I64Query<'c, 'a, 's, C, i64, 4>,
        C,
    > for CountAheadStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a CountAheadParams<T1, T2>,
    ) -> I64Query<'c, 'a, 's, C, i64, 4> {
        self.bind(
            client,
            &params.lanes,
            &params.bounds,
            &params.ns,
            &params.task,
        )
    }
}
pub struct FindAheadStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_ahead() -> FindAheadStmt {
    FindAheadStmt(
        "select h.task from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as l (lane, bound, aged) cross join lateral ( select r.rank, r.task from workmill.ready r where r.ns = $4 and r.lane = l.lane and (r.rank, r.task) < (l.bound, $5) order by r.rank, r.task limit 20 ) as h order by h.rank - l.aged, h.task limit 20",
        None,
    )
}
impl FindAheadStmt {
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
        T3: crate::ArraySql<Item = i64>,
    >(
        &'s self,
        client: &'c C,
        lanes: &'a T1,
        bounds: &'a T2,
        aged: &'a T3,
        ns: &'a i64,
        task: &'a uuid::Uuid,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 5> {
        UuidUuidQuery {
            client,
            params: [lanes, bounds, aged, ns, task],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
impl<
    'c,
    'a,
    's,
    C: GenericClient,
    T1: crate::ArraySql<Item = i64>,
    T2: crate::ArraySql<Item = i64>,
    T3: crate::ArraySql<Item = i64>,
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindAheadParams<T1, T2, T3>,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 5>,
        C,
    > for FindAheadStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindAheadParams<T1, T2, T3>,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 5> {
        self.bind(
            client,
            &params.lanes,
            &params.bounds,
            &params.aged,
            &params.ns,
            &params.task,
        )
    }
}
pub struct FindRecentAttemptsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_recent_attempts() -> FindRecentAttemptsStmt {
    FindRecentAttemptsStmt(
        "select p.task_type, a.claimed_at, a.started_at, a.ended_at from ( select t.task from workmill.finished t where t.ns = $1 order by t.at desc, t.task desc limit 100 ) as f cross join lateral ( select t.policy -> 'admission' ->> 'type' as task_type from workmill.spec t where t.ns = $1 and t.task = f.task order by t.version desc limit 1 ) as p cross join lateral ( select t.claimed_at, t.started_at, t.ended_at, t.outcome from workmill.attempt t where t.ns = $1 and t.task = f.task order by t.epoch desc, t.resumed desc limit 1 ) as a where a.outcome = 'completed'",
        None,
    )
}
impl FindRecentAttemptsStmt {
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
    ) -> FindRecentAttemptsQuery<'c, 'a, 's, C, FindRecentAttempts, 1> {
        FindRecentAttemptsQuery {
            client,
            params: [ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindRecentAttemptsBorrowed, tokio_postgres::Error> {
                Ok(FindRecentAttemptsBorrowed {
                    task_type: row.try_get(0)?,
                    claimed_at: row.try_get(1)?,
                    started_at: row.try_get(2)?,
                    ended_at: row.try_get(3)?,
                })
            },
            mapper: |it| FindRecentAttempts::from(it),
        }
    }
}
pub struct FindCandidatesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_candidates() -> FindCandidatesStmt {
    FindCandidatesStmt(
        "select f.lane, f.rank, f.task, s.graph, s.spent_micros, p.created_by, p.policy from ( select l.lane, h.rank, h.task, h.rank - l.aged as effective from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as l (lane, bound, aged) cross join lateral ( select k.rank, k.task from ( select r.rank, r.task from workmill.ready r where r.ns = $4 and r.lane = l.lane and (r.rank, r.task) > (l.bound, $5) and ( r.shunned is not null and r.shunned_until > $6 and r.shunned && array[$7::text] ) = $8 order by r.rank, r.task limit 1000 ) as k order by k.rank, k.task limit $9 ) as h order by effective, h.task limit $9 ) as f cross join lateral ( select t.graph, t.spec_version, t.spent_micros from workmill.state t where t.ns = $4 and t.task = f.task limit 1 ) as s cross join lateral ( select t.created_by, t.policy from workmill.spec t where t.ns = $4 and t.task = f.task and t.version = s.spec_version limit 1 ) as p order by f.effective, f.task",
        None,
    )
}
impl FindCandidatesStmt {
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
        T3: crate::ArraySql<Item = i64>,
        T4: crate::StringSql,
    >(
        &'s self,
        client: &'c C,
        lanes: &'a T1,
        bounds: &'a T2,
        aged: &'a T3,
        ns: &'a i64,
        after: &'a uuid::Uuid,
        now: &'a jiff::Timestamp,
        agent: &'a T4,
        is_kept_from: &'a bool,
        wanted: &'a i64,
    ) -> FindCandidatesQuery<'c, 'a, 's, C, FindCandidates, 9> {
        FindCandidatesQuery {
            client,
            params: [lanes, bounds, aged, ns, after, now, agent, is_kept_from, wanted],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindCandidatesBorrowed, tokio_postgres::Error> {
                Ok(FindCandidatesBorrowed {
                    lane: row.try_get(0)?,
                    rank: row.try_get(1)?,
                    task: row.try_get(2)?,
                    graph: row.try_get(3)?,
                    spent_micros: row.try_get(4)?,
                    created_by: row.try_get(5)?,
                    policy: row.try_get(6)?,
                })
            },
            mapper: |it| FindCandidates::from(it),
        }
    }
}
impl<
    'c,
    'a,
    's,
    C: GenericClient,
    T1: crate::ArraySql<Item = i64>,
    T2: crate::ArraySql<Item = i64>,
    T3: crate::ArraySql<Item = i64>,
    T4: crate::StringSql,
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindCandidatesParams<T1, T2, T3, T4>,
        FindCandidatesQuery<'c, 'a, 's, C, FindCandidates, 9>,
        C,
    > for FindCandidatesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindCandidatesParams<T1, T2, T3, T4>,
    ) -> FindCandidatesQuery<'c, 'a, 's, C, FindCandidates, 9> {
        self.bind(
            client,
            &params.lanes,
            &params.bounds,
            &params.aged,
            &params.ns,
            &params.after,
            &params.now,
            &params.agent,
            &params.is_kept_from,
            &params.wanted,
        )
    }
}
