// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct FindTypesParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub tasks: T1,
    pub ns: i64,
}
#[derive(Debug)]
pub struct LockUsualParams<
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::StringSql,
    T4: crate::ArraySql<Item = T3>,
> {
    pub types: T2,
    pub models: T4,
    pub ns: i64,
}
#[derive(Debug)]
pub struct WriteUsualParams<
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::StringSql,
    T4: crate::ArraySql<Item = T3>,
    T5: crate::ArraySql<Item = i64>,
    T6: crate::ArraySql<Item = i64>,
    T7: crate::ArraySql<Item = i64>,
> {
    pub types: T2,
    pub models: T4,
    pub attempts: T5,
    pub costs: T6,
    pub durations: T7,
    pub ns: i64,
}
#[derive(Debug)]
pub struct LockRecordsParams<T1: crate::StringSql, T2: crate::ArraySql<Item = T1>> {
    pub agents: T2,
    pub ns: i64,
}
#[derive(Debug)]
pub struct WriteRecordsParams<
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::ArraySql<Item = i64>,
    T4: crate::ArraySql<Item = i64>,
    T5: crate::ArraySql<Item = Option<jiff::Timestamp>>,
    T6: crate::ArraySql<Item = Option<jiff::Timestamp>>,
    T7: crate::StringSql,
    T8: crate::ArraySql<Item = T7>,
> {
    pub agents: T2,
    pub completed: T3,
    pub failed: T4,
    pub completed_ats: T5,
    pub failing_since: T6,
    pub failing: T8,
    pub ns: i64,
}
#[derive(Debug)]
pub struct FindLastSuccessParams<T1: crate::StringSql> {
    pub ns: i64,
    pub agent: T1,
}
#[derive(Debug)]
pub struct HasCompletedSinceParams<T1: crate::ArraySql<Item = uuid::Uuid>, T2: crate::StringSql> {
    pub tasks: T1,
    pub ns: i64,
    pub agent: T2,
}
#[derive(Debug)]
pub struct CountBoundedTasksParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub tasks: T1,
    pub ns: i64,
}
#[derive(Debug)]
pub struct DrainAgentParams<T1: crate::StringSql, T2: crate::StringSql> {
    pub by: T1,
    pub ns: i64,
    pub agent: T2,
}
#[derive(Debug)]
pub struct ForgetFailuresParams<T1: crate::StringSql> {
    pub ns: i64,
    pub agent: T1,
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindTypes {
    pub task: uuid::Uuid,
    pub task_type: String,
}
pub struct FindTypesBorrowed<'a> {
    pub task: uuid::Uuid,
    pub task_type: &'a str,
}
impl<'a> From<FindTypesBorrowed<'a>> for FindTypes {
    fn from(FindTypesBorrowed { task, task_type }: FindTypesBorrowed<'a>) -> Self {
        Self {
            task,
            task_type: task_type.into(),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct LockUsual {
    pub task_type: String,
    pub model: String,
    pub attempts: i64,
    pub cost_micros: i64,
    pub duration_ms: i64,
}
pub struct LockUsualBorrowed<'a> {
    pub task_type: &'a str,
    pub model: &'a str,
    pub attempts: i64,
    pub cost_micros: i64,
    pub duration_ms: i64,
}
impl<'a> From<LockUsualBorrowed<'a>> for LockUsual {
    fn from(
        LockUsualBorrowed {
            task_type,
            model,
            attempts,
            cost_micros,
            duration_ms,
        }: LockUsualBorrowed<'a>,
    ) -> Self {
        Self {
            task_type: task_type.into(),
            model: model.into(),
            attempts,
            cost_micros,
            duration_ms,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindUsual {
    pub task_type: String,
    pub model: String,
    pub attempts: i64,
    pub cost_micros: i64,
    pub duration_ms: i64,
}
pub struct FindUsualBorrowed<'a> {
    pub task_type: &'a str,
    pub model: &'a str,
    pub attempts: i64,
    pub cost_micros: i64,
    pub duration_ms: i64,
}
impl<'a> From<FindUsualBorrowed<'a>> for FindUsual {
    fn from(
        FindUsualBorrowed {
            task_type,
            model,
            attempts,
            cost_micros,
            duration_ms,
        }: FindUsualBorrowed<'a>,
    ) -> Self {
        Self {
            task_type: task_type.into(),
            model: model.into(),
            attempts,
            cost_micros,
            duration_ms,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct LockRecords {
    pub agent: String,
    pub completed: i64,
    pub failed: i64,
    pub completed_at: Option<jiff::Timestamp>,
    pub failing_since: Option<jiff::Timestamp>,
    pub failing: Vec<uuid::Uuid>,
}
pub struct LockRecordsBorrowed<'a> {
    pub agent: &'a str,
    pub completed: i64,
    pub failed: i64,
    pub completed_at: Option<jiff::Timestamp>,
    pub failing_since: Option<jiff::Timestamp>,
    pub failing: crate::ArrayIterator<'a, uuid::Uuid>,
}
impl<'a> From<LockRecordsBorrowed<'a>> for LockRecords {
    fn from(
        LockRecordsBorrowed {
            agent,
            completed,
            failed,
            completed_at,
            failing_since,
            failing,
        }: LockRecordsBorrowed<'a>,
    ) -> Self {
        Self {
            agent: agent.into(),
            completed,
            failed,
            completed_at,
            failing_since,
            failing: failing.map(|v| v).collect(),
        }
    }
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct FindTypesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindTypesBorrowed, tokio_postgres::Error>,
    mapper: fn(FindTypesBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindTypesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(FindTypesBorrowed) -> R) -> FindTypesQuery<'c, 'a, 's, C, R, N> {
        FindTypesQuery {
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
pub struct LockUsualQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<LockUsualBorrowed, tokio_postgres::Error>,
    mapper: fn(LockUsualBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> LockUsualQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(LockUsualBorrowed) -> R) -> LockUsualQuery<'c, 'a, 's, C, R, N> {
        LockUsualQuery {
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
pub struct FindUsualQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindUsualBorrowed, tokio_postgres::Error>,
    mapper: fn(FindUsualBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindUsualQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(FindUsualBorrowed) -> R) -> FindUsualQuery<'c, 'a, 's, C, R, N> {
        FindUsualQuery {
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
pub struct LockRecordsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<LockRecordsBorrowed, tokio_postgres::Error>,
    mapper: fn(LockRecordsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> LockRecordsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(LockRecordsBorrowed) -> R,
    ) -> LockRecordsQuery<'c, 'a, 's, C, R, N> {
        LockRecordsQuery {
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
pub struct OptionjiffTimestampQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<Option<jiff::Timestamp>, tokio_postgres::Error>,
    mapper: fn(Option<jiff::Timestamp>) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> OptionjiffTimestampQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(Option<jiff::Timestamp>) -> R,
    ) -> OptionjiffTimestampQuery<'c, 'a, 's, C, R, N> {
        OptionjiffTimestampQuery {
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
pub struct BoolQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<bool, tokio_postgres::Error>,
    mapper: fn(bool) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> BoolQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(bool) -> R) -> BoolQuery<'c, 'a, 's, C, R, N> {
        BoolQuery {
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
pub struct FindTypesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_types() -> FindTypesStmt {
    FindTypesStmt(
        "select u.task, p.task_type from unnest($1::uuid[]) as u (task) cross join lateral ( select t.spec_version from workmill.state t where t.ns = $2 and t.task = u.task limit 1 ) as s cross join lateral ( select coalesce(t.policy -> 'admission' ->> 'type', '') as task_type from workmill.spec t where t.ns = $2 and t.task = u.task and t.version = s.spec_version limit 1 ) as p",
        None,
    )
}
impl FindTypesStmt {
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
    ) -> FindTypesQuery<'c, 'a, 's, C, FindTypes, 2> {
        FindTypesQuery {
            client,
            params: [tasks, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindTypesBorrowed, tokio_postgres::Error> {
                    Ok(FindTypesBorrowed {
                        task: row.try_get(0)?,
                        task_type: row.try_get(1)?,
                    })
                },
            mapper: |it| FindTypes::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindTypesParams<T1>,
        FindTypesQuery<'c, 'a, 's, C, FindTypes, 2>,
        C,
    > for FindTypesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindTypesParams<T1>,
    ) -> FindTypesQuery<'c, 'a, 's, C, FindTypes, 2> {
        self.bind(client, &params.tasks, &params.ns)
    }
}
pub struct LockUsualStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_usual() -> LockUsualStmt {
    LockUsualStmt(
        "select g.task_type, g.model, g.attempts, g.cost_micros, g.duration_ms from unnest($1::text[], $2::text[]) as u (task_type, model) cross join lateral ( select t.task_type, t.model, t.attempts, t.cost_micros, t.duration_ms from workmill.usual t where t.ns = $3 and t.task_type = u.task_type and t.model = u.model for update ) as g",
        None,
    )
}
impl LockUsualStmt {
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
    >(
        &'s self,
        client: &'c C,
        types: &'a T2,
        models: &'a T4,
        ns: &'a i64,
    ) -> LockUsualQuery<'c, 'a, 's, C, LockUsual, 3> {
        LockUsualQuery {
            client,
            params: [types, models, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<LockUsualBorrowed, tokio_postgres::Error> {
                    Ok(LockUsualBorrowed {
                        task_type: row.try_get(0)?,
                        model: row.try_get(1)?,
                        attempts: row.try_get(2)?,
                        cost_micros: row.try_get(3)?,
                        duration_ms: row.try_get(4)?,
                    })
                },
            mapper: |it| LockUsual::from(it),
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
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        LockUsualParams<T1, T2, T3, T4>,
        LockUsualQuery<'c, 'a, 's, C, LockUsual, 3>,
        C,
    > for LockUsualStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a LockUsualParams<T1, T2, T3, T4>,
    ) -> LockUsualQuery<'c, 'a, 's, C, LockUsual, 3> {
        self.bind(client, &params.types, &params.models, &params.ns)
    }
}
pub struct WriteUsualStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn write_usual() -> WriteUsualStmt {
    WriteUsualStmt(
        "insert into workmill.usual (ns, task_type, model, attempts, cost_micros, duration_ms) select a.ns, u.task_type, u.model, u.attempts, u.cost_micros, u.duration_ms from workmill.anchor a, unnest( $1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[] ) as u (task_type, model, attempts, cost_micros, duration_ms) where a.ns = $6 on conflict (ns, task_type, model) do update set attempts = excluded.attempts, cost_micros = excluded.cost_micros, duration_ms = excluded.duration_ms",
        None,
    )
}
impl WriteUsualStmt {
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
        T3: crate::StringSql,
        T4: crate::ArraySql<Item = T3>,
        T5: crate::ArraySql<Item = i64>,
        T6: crate::ArraySql<Item = i64>,
        T7: crate::ArraySql<Item = i64>,
    >(
        &'s self,
        client: &'c C,
        types: &'a T2,
        models: &'a T4,
        attempts: &'a T5,
        costs: &'a T6,
        durations: &'a T7,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[types, models, attempts, costs, durations, ns],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::StringSql,
    T4: crate::ArraySql<Item = T3>,
    T5: crate::ArraySql<Item = i64>,
    T6: crate::ArraySql<Item = i64>,
    T7: crate::ArraySql<Item = i64>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        WriteUsualParams<T1, T2, T3, T4, T5, T6, T7>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for WriteUsualStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a WriteUsualParams<T1, T2, T3, T4, T5, T6, T7>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.types,
            &params.models,
            &params.attempts,
            &params.costs,
            &params.durations,
            &params.ns,
        ))
    }
}
pub struct FindUsualStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_usual() -> FindUsualStmt {
    FindUsualStmt(
        "select task_type, model, attempts, cost_micros, duration_ms from workmill.usual where ns = $1",
        None,
    )
}
impl FindUsualStmt {
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
    ) -> FindUsualQuery<'c, 'a, 's, C, FindUsual, 1> {
        FindUsualQuery {
            client,
            params: [ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindUsualBorrowed, tokio_postgres::Error> {
                    Ok(FindUsualBorrowed {
                        task_type: row.try_get(0)?,
                        model: row.try_get(1)?,
                        attempts: row.try_get(2)?,
                        cost_micros: row.try_get(3)?,
                        duration_ms: row.try_get(4)?,
                    })
                },
            mapper: |it| FindUsual::from(it),
        }
    }
}
pub struct LockRecordsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_records() -> LockRecordsStmt {
    LockRecordsStmt(
        "select g.agent, g.completed, g.failed, g.completed_at, g.failing_since, g.failing from unnest($1::text[]) as u (agent) cross join lateral ( select t.agent, t.completed, t.failed, t.completed_at, t.failing_since, t.failing from workmill.agent_record t where t.ns = $2 and t.agent = u.agent for update ) as g",
        None,
    )
}
impl LockRecordsStmt {
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
        agents: &'a T2,
        ns: &'a i64,
    ) -> LockRecordsQuery<'c, 'a, 's, C, LockRecords, 2> {
        LockRecordsQuery {
            client,
            params: [agents, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<LockRecordsBorrowed, tokio_postgres::Error> {
                    Ok(LockRecordsBorrowed {
                        agent: row.try_get(0)?,
                        completed: row.try_get(1)?,
                        failed: row.try_get(2)?,
                        completed_at: row.try_get(3)?,
                        failing_since: row.try_get(4)?,
                        failing: row.try_get(5)?,
                    })
                },
            mapper: |it| LockRecords::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::StringSql, T2: crate::ArraySql<Item = T1>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        LockRecordsParams<T1, T2>,
        LockRecordsQuery<'c, 'a, 's, C, LockRecords, 2>,
        C,
    > for LockRecordsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a LockRecordsParams<T1, T2>,
    ) -> LockRecordsQuery<'c, 'a, 's, C, LockRecords, 2> {
        self.bind(client, &params.agents, &params.ns)
    }
}
pub struct WriteRecordsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn write_records() -> WriteRecordsStmt {
    WriteRecordsStmt(
        "insert into workmill.agent_record ( ns, agent, completed, failed, completed_at, failing_since, failing ) select a.ns, u.agent, u.completed, u.failed, u.completed_at, u.failing_since, string_to_array(u.failing, ',')::uuid[] from workmill.anchor a, unnest( $1::text[], $2::bigint[], $3::bigint[], $4::timestamptz[], $5::timestamptz[], $6::text[] ) as u (agent, completed, failed, completed_at, failing_since, failing) where a.ns = $7 on conflict (ns, agent) do update set completed = excluded.completed, failed = excluded.failed, completed_at = excluded.completed_at, failing_since = excluded.failing_since, failing = excluded.failing",
        None,
    )
}
impl WriteRecordsStmt {
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
        T3: crate::ArraySql<Item = i64>,
        T4: crate::ArraySql<Item = i64>,
        T5: crate::ArraySql<Item = Option<jiff::Timestamp>>,
        T6: crate::ArraySql<Item = Option<jiff::Timestamp>>,
        T7: crate::StringSql,
        T8: crate::ArraySql<Item = T7>,
    >(
        &'s self,
        client: &'c C,
        agents: &'a T2,
        completed: &'a T3,
        failed: &'a T4,
        completed_ats: &'a T5,
        failing_since: &'a T6,
        failing: &'a T8,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[
                    agents,
                    completed,
                    failed,
                    completed_ats,
                    failing_since,
                    failing,
                    ns,
                ],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::ArraySql<Item = i64>,
    T4: crate::ArraySql<Item = i64>,
    T5: crate::ArraySql<Item = Option<jiff::Timestamp>>,
    T6: crate::ArraySql<Item = Option<jiff::Timestamp>>,
    T7: crate::StringSql,
    T8: crate::ArraySql<Item = T7>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        WriteRecordsParams<T1, T2, T3, T4, T5, T6, T7, T8>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for WriteRecordsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a WriteRecordsParams<T1, T2, T3, T4, T5, T6, T7, T8>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.agents,
            &params.completed,
            &params.failed,
            &params.completed_ats,
            &params.failing_since,
            &params.failing,
            &params.ns,
        ))
    }
}
pub struct FindLastSuccessStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_last_success() -> FindLastSuccessStmt {
    FindLastSuccessStmt(
        "select max(t.completed_at) as completed_at from workmill.agent_record t where t.ns = $1 and t.agent <> $2",
        None,
    )
}
impl FindLastSuccessStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<'c, 'a, 's, C: GenericClient, T1: crate::StringSql>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        agent: &'a T1,
    ) -> OptionjiffTimestampQuery<'c, 'a, 's, C, Option<jiff::Timestamp>, 2> {
        OptionjiffTimestampQuery {
            client,
            params: [ns, agent],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::StringSql>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindLastSuccessParams<T1>,
        OptionjiffTimestampQuery<'c, 'a, 's, C, Option<jiff::Timestamp>, 2>,
        C,
    > for FindLastSuccessStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindLastSuccessParams<T1>,
    ) -> OptionjiffTimestampQuery<'c, 'a, 's, C, Option<jiff::Timestamp>, 2> {
        self.bind(client, &params.ns, &params.agent)
    }
}
pub struct HasCompletedSinceStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn has_completed_since() -> HasCompletedSinceStmt {
    HasCompletedSinceStmt(
        "select exists ( select 1 from ( select min(l.ended_at) as since from unnest($1::uuid[]) as u (task) cross join lateral ( select max(t.ended_at) as ended_at from workmill.attempt t where t.ns = $2 and t.task = u.task and t.agent = $3 ) as l ) as first cross join lateral ( select t.task from workmill.finished t where t.ns = $2 and t.at > first.since order by t.at desc limit 20000 ) as f cross join lateral ( select 1 from workmill.attempt t where t.ns = $2 and t.task = f.task and t.agent = $3 and t.outcome = 'completed' limit 1 ) as a ) as has_completed",
        None,
    )
}
impl HasCompletedSinceStmt {
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
        T2: crate::StringSql,
    >(
        &'s self,
        client: &'c C,
        tasks: &'a T1,
        ns: &'a i64,
        agent: &'a T2,
    ) -> BoolQuery<'c, 'a, 's, C, bool, 3> {
        BoolQuery {
            client,
            params: [tasks, ns, agent],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>, T2: crate::StringSql>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        HasCompletedSinceParams<T1, T2>,
        BoolQuery<'c, 'a, 's, C, bool, 3>,
        C,
    > for HasCompletedSinceStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a HasCompletedSinceParams<T1, T2>,
    ) -> BoolQuery<'c, 'a, 's, C, bool, 3> {
        self.bind(client, &params.tasks, &params.ns, &params.agent)
    }
}
pub struct CountBoundedTasksStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn count_bounded_tasks() -> CountBoundedTasksStmt {
    CountBoundedTasksStmt(
        "select count(*) from unnest($1::uuid[]) as u (task) cross join lateral ( select t.spec_version from workmill.state t where t.ns = $2 and t.task = u.task limit 1 ) as s cross join lateral ( select t.policy ->> 'max_attempts' as max_attempts from workmill.spec t where t.ns = $2 and t.task = u.task and t.version = s.spec_version limit 1 ) as p where p.max_attempts is not null",
        None,
    )
}
impl CountBoundedTasksStmt {
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
    ) -> I64Query<'c, 'a, 's, C, i64, 2> {
        I64Query {
            client,
            params: [tasks, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        CountBoundedTasksParams<T1>,
        I64Query<'c, 'a, 's, C, i64, 2>,
        C,
    > for CountBoundedTasksStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a CountBoundedTasksParams<T1>,
    ) -> I64Query<'c, 'a, 's, C, i64, 2> {
        self.bind(client, &params.tasks, &params.ns)
    }
}
pub struct DrainAgentStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn drain_agent() -> DrainAgentStmt {
    DrainAgentStmt(
        "update workmill.agent set status = 'draining', status_set_by = $1 where ns = $2 and agent = $3 and status = 'active'",
        None,
    )
}
impl DrainAgentStmt {
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
        by: &'a T1,
        ns: &'a i64,
        agent: &'a T2,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[by, ns, agent])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::StringSql, T2: crate::StringSql>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DrainAgentParams<T1, T2>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DrainAgentStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DrainAgentParams<T1, T2>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.by, &params.ns, &params.agent))
    }
}
pub struct ForgetFailuresStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn forget_failures() -> ForgetFailuresStmt {
    ForgetFailuresStmt(
        "update workmill.agent_record set failing = '{}', failing_since = null where ns = $1 and agent = $2",
        None,
    )
}
impl ForgetFailuresStmt {
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
        ns: &'a i64,
        agent: &'a T1,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, agent])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::StringSql>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        ForgetFailuresParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for ForgetFailuresStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a ForgetFailuresParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.agent))
    }
}
