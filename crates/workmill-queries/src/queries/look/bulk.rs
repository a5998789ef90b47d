// This file was generated with `cornucopia`. Do not modify.

#[derive(Clone, Copy, Debug)]
pub struct FindStretchOfEverythingParams {
    pub ns: i64,
    pub after: uuid::Uuid,
    pub upto: uuid::Uuid,
    pub most: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindStretchOfGraphParams {
    pub ns: i64,
    pub graph: uuid::Uuid,
    pub after: uuid::Uuid,
    pub most: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindStretchOfProjectParams {
    pub ns: i64,
    pub project: uuid::Uuid,
    pub after: uuid::Uuid,
    pub most: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindStretchOfReadyParams {
    pub ns: i64,
    pub lane: i64,
    pub rank: i64,
    pub after: uuid::Uuid,
    pub most: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindStretchOfGatedParams {
    pub ns: i64,
    pub after: uuid::Uuid,
    pub most: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindStretchOfDueParams {
    pub ns: i64,
    pub at: jiff::Timestamp,
    pub after: uuid::Uuid,
    pub most: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindStretchOfLeasesParams {
    pub ns: i64,
    pub after: uuid::Uuid,
    pub most: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindStretchOfBlockedParams {
    pub ns: i64,
    pub after: uuid::Uuid,
    pub most: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindStretchOfDeadLettersParams {
    pub ns: i64,
    pub after: uuid::Uuid,
    pub most: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindStretchOfFinishedParams {
    pub ns: i64,
    pub at: jiff::Timestamp,
    pub after: uuid::Uuid,
    pub most: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindNewestOfEverythingParams {
    pub ns: i64,
    pub before: uuid::Uuid,
    pub from_: uuid::Uuid,
    pub most: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindNewestOfGraphParams {
    pub ns: i64,
    pub graph: uuid::Uuid,
    pub before: uuid::Uuid,
    pub most: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindNewestOfProjectParams {
    pub ns: i64,
    pub project: uuid::Uuid,
    pub before: uuid::Uuid,
    pub most: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindNewestOfLeasesParams {
    pub ns: i64,
    pub before: uuid::Uuid,
    pub most: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindNewestOfBlockedParams {
    pub ns: i64,
    pub before: uuid::Uuid,
    pub most: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindNewestOfDeadLettersParams {
    pub ns: i64,
    pub before: uuid::Uuid,
    pub most: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindLastFinishedParams {
    pub ns: i64,
    pub at: jiff::Timestamp,
    pub before: uuid::Uuid,
    pub most: i64,
}
#[derive(Debug)]
pub struct DescribeTasksParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindStretchOfReady {
    pub lane: i64,
    pub rank: i64,
    pub task: uuid::Uuid,
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindStretchOfDue {
    pub at: jiff::Timestamp,
    pub task: uuid::Uuid,
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindStretchOfFinished {
    pub at: jiff::Timestamp,
    pub task: uuid::Uuid,
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindLastFinished {
    pub at: jiff::Timestamp,
    pub task: uuid::Uuid,
}
#[derive(Debug, Clone, PartialEq)]
pub struct DescribeTasks {
    pub task: uuid::Uuid,
    pub state: i16,
    pub graph: uuid::Uuid,
    pub project: Option<uuid::Uuid>,
    pub due: Option<jiff::Timestamp>,
    pub attempts: i32,
    pub spent_micros: i64,
    pub created_by: String,
    pub submitted_at: jiff::Timestamp,
    pub type_name: String,
    pub title: String,
    pub tags: Option<serde_json::Value>,
    pub priority: serde_json::Value,
    pub target_agent: Option<String>,
    pub key: Option<String>,
    pub held_by: Vec<String>,
    pub last_agent: Option<String>,
    pub dead_since: Option<jiff::Timestamp>,
    pub waits_for: Option<String>,
}
pub struct DescribeTasksBorrowed<'a> {
    pub task: uuid::Uuid,
    pub state: i16,
    pub graph: uuid::Uuid,
    pub project: Option<uuid::Uuid>,
    pub due: Option<jiff::Timestamp>,
    pub attempts: i32,
    pub spent_micros: i64,
    pub created_by: &'a str,
    pub submitted_at: jiff::Timestamp,
    pub type_name: &'a str,
    pub title: &'a str,
    pub tags: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
    pub priority: postgres_types::Json<&'a serde_json::value::RawValue>,
    pub target_agent: Option<&'a str>,
    pub key: Option<&'a str>,
    pub held_by: crate::ArrayIterator<'a, &'a str>,
    pub last_agent: Option<&'a str>,
    pub dead_since: Option<jiff::Timestamp>,
    pub waits_for: Option<&'a str>,
}
impl<'a> From<DescribeTasksBorrowed<'a>> for DescribeTasks {
    fn from(
        DescribeTasksBorrowed {
            task,
            state,
            graph,
            project,
            due,
            attempts,
            spent_micros,
            created_by,
            submitted_at,
            type_name,
            title,
            tags,
            priority,
            target_agent,
            key,
            held_by,
            last_agent,
            dead_since,
            waits_for,
        }: DescribeTasksBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            state,
            graph,
            project,
            due,
            attempts,
            spent_micros,
            created_by: created_by.into(),
            submitted_at,
            type_name: type_name.into(),
            title: title.into(),
            tags: tags.map(|v| serde_json::from_str(v.0.get()).unwrap()),
            priority: serde_json::from_str(priority.0.get()).unwrap(),
            target_agent: target_agent.map(|v| v.into()),
            key: key.map(|v| v.into()),
            held_by: held_by.map(|v| v.into()).collect(),
            last_agent: last_agent.map(|v| v.into()),
            dead_since,
            waits_for: waits_for.map(|v| v.into()),
        }
    }
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
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
pub struct FindStretchOfReadyQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindStretchOfReady, tokio_postgres::Error>,
    mapper: fn(FindStretchOfReady) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindStretchOfReadyQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindStretchOfReady) -> R,
    ) -> FindStretchOfReadyQuery<'c, 'a, 's, C, R, N> {
        FindStretchOfReadyQuery {
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
pub struct FindStretchOfDueQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindStretchOfDue, tokio_postgres::Error>,
    mapper: fn(FindStretchOfDue) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindStretchOfDueQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindStretchOfDue) -> R,
    ) -> FindStretchOfDueQuery<'c, 'a, 's, C, R, N> {
        FindStretchOfDueQuery {
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
pub struct FindStretchOfFinishedQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindStretchOfFinished, tokio_postgres::Error>,
    mapper: fn(FindStretchOfFinished) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindStretchOfFinishedQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindStretchOfFinished) -> R,
    ) -> FindStretchOfFinishedQuery<'c, 'a, 's, C, R, N> {
        FindStretchOfFinishedQuery {
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
pub struct FindLastFinishedQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindLastFinished, tokio_postgres::Error>,
    mapper: fn(FindLastFinished) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindLastFinishedQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindLastFinished) -> R,
    ) -> FindLastFinishedQuery<'c, 'a, 's, C, R, N> {
        FindLastFinishedQuery {
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
pub struct DescribeTasksQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<DescribeTasksBorrowed, tokio_postgres::Error>,
    mapper: fn(DescribeTasksBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> DescribeTasksQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(DescribeTasksBorrowed) -> R,
    ) -> DescribeTasksQuery<'c, 'a, 's, C, R, N> {
        DescribeTasksQuery {
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
pub struct FindStretchOfEverythingStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_stretch_of_everything() -> FindStretchOfEverythingStmt {
    FindStretchOfEverythingStmt(
        "select s.task from workmill.state s where s.ns = $1 and s.task > $2 and s.task <= $3 order by s.task limit $4",
        None,
    )
}
impl FindStretchOfEverythingStmt {
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
        after: &'a uuid::Uuid,
        upto: &'a uuid::Uuid,
        most: &'a i64,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 4> {
        UuidUuidQuery {
            client,
            params: [ns, after, upto, most],
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
        FindStretchOfEverythingParams,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 4>,
        C,
    > for FindStretchOfEverythingStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindStretchOfEverythingParams,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 4> {
        self.bind(
            client,
            &params.ns,
            &params.after,
            &params.upto,
            &params.most,
        )
    }
}
pub struct FindStretchOfGraphStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_stretch_of_graph() -> FindStretchOfGraphStmt {
    FindStretchOfGraphStmt(
        "select s.task from workmill.state s where s.ns = $1 and s.graph = $2 and s.task > $3 and s.in_graph order by s.task limit $4",
        None,
    )
}
impl FindStretchOfGraphStmt {
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
        graph: &'a uuid::Uuid,
        after: &'a uuid::Uuid,
        most: &'a i64,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 4> {
        UuidUuidQuery {
            client,
            params: [ns, graph, after, most],
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
        FindStretchOfGraphParams,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 4>,
        C,
    > for FindStretchOfGraphStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindStretchOfGraphParams,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 4> {
        self.bind(
            client,
            &params.ns,
            &params.graph,
            &params.after,
            &params.most,
        )
    }
}
pub struct FindStretchOfProjectStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_stretch_of_project() -> FindStretchOfProjectStmt {
    FindStretchOfProjectStmt(
        "select s.task from workmill.state s where s.ns = $1 and s.project = $2 and s.task > $3 order by s.task limit $4",
        None,
    )
}
impl FindStretchOfProjectStmt {
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
        project: &'a uuid::Uuid,
        after: &'a uuid::Uuid,
        most: &'a i64,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 4> {
        UuidUuidQuery {
            client,
            params: [ns, project, after, most],
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
        FindStretchOfProjectParams,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 4>,
        C,
    > for FindStretchOfProjectStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindStretchOfProjectParams,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 4> {
        self.bind(
            client,
            &params.ns,
            &params.project,
            &params.after,
            &params.most,
        )
    }
}
pub struct FindStretchOfReadyStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_stretch_of_ready() -> FindStretchOfReadyStmt {
    FindStretchOfReadyStmt(
        "select r.lane, r.rank, r.task from workmill.ready r where r.ns = $1 and (r.lane, r.rank, r.task) > ($2::bigint, $3::bigint, $4::uuid) order by r.lane, r.rank, r.task limit $5",
        None,
    )
}
impl FindStretchOfReadyStmt {
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
        lane: &'a i64,
        rank: &'a i64,
        after: &'a uuid::Uuid,
        most: &'a i64,
    ) -> FindStretchOfReadyQuery<'c, 'a, 's, C, FindStretchOfReady, 5> {
        FindStretchOfReadyQuery {
            client,
            params: [ns, lane, rank, after, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindStretchOfReady, tokio_postgres::Error> {
                    Ok(FindStretchOfReady {
                        lane: row.try_get(0)?,
                        rank: row.try_get(1)?,
                        task: row.try_get(2)?,
                    })
                },
            mapper: |it| FindStretchOfReady::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindStretchOfReadyParams,
        FindStretchOfReadyQuery<'c, 'a, 's, C, FindStretchOfReady, 5>,
        C,
    > for FindStretchOfReadyStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindStretchOfReadyParams,
    ) -> FindStretchOfReadyQuery<'c, 'a, 's, C, FindStretchOfReady, 5> {
        self.bind(
            client,
            &params.ns,
            &params.lane,
            &params.rank,
            &params.after,
            &params.most,
        )
    }
}
pub struct FindStretchOfGatedStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_stretch_of_gated() -> FindStretchOfGatedStmt {
    FindStretchOfGatedStmt(
        "select g.task from workmill.gated g where g.ns = $1 and g.task > $2 order by g.task limit $3",
        None,
    )
}
impl FindStretchOfGatedStmt {
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
        after: &'a uuid::Uuid,
        most: &'a i64,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        UuidUuidQuery {
            client,
            params: [ns, after, most],
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
        FindStretchOfGatedParams,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3>,
        C,
    > for FindStretchOfGatedStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindStretchOfGatedParams,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        self.bind(client, &params.ns, &params.after, &params.most)
    }
}
pub struct FindStretchOfDueStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_stretch_of_due() -> FindStretchOfDueStmt {
    FindStretchOfDueStmt(
        "select d.at, d.task from workmill.due d where d.ns = $1 and (d.at, d.task) > ($2::timestamptz, $3::uuid) order by d.at, d.task limit $4",
        None,
    )
}
impl FindStretchOfDueStmt {
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
        at: &'a jiff::Timestamp,
        after: &'a uuid::Uuid,
        most: &'a i64,
    ) -> FindStretchOfDueQuery<'c, 'a, 's, C, FindStretchOfDue, 4> {
        FindStretchOfDueQuery {
            client,
            params: [ns, at, after, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindStretchOfDue, tokio_postgres::Error> {
                    Ok(FindStretchOfDue {
                        at: row.try_get(0)?,
                        task: row.try_get(1)?,
                    })
                },
            mapper: |it| FindStretchOfDue::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindStretchOfDueParams,
        FindStretchOfDueQuery<'c, 'a, 's, C, FindStretchOfDue, 4>,
        C,
    > for FindStretchOfDueStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindStretchOfDueParams,
    ) -> FindStretchOfDueQuery<'c, 'a, 's, C, FindStretchOfDue, 4> {
        self.bind(client, &params.ns, &params.at, &params.after, &params.most)
    }
}
pub struct FindStretchOfLeasesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_stretch_of_leases() -> FindStretchOfLeasesStmt {
    FindStretchOfLeasesStmt(
        "select l.task from workmill.lease l where l.ns = $1 and l.task > $2 order by l.task, l.epoch limit $3",
        None,
    )
}
impl FindStretchOfLeasesStmt {
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
        after: &'a uuid::Uuid,
        most: &'a i64,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        UuidUuidQuery {
            client,
            params: [ns, after, most],
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
        FindStretchOfLeasesParams,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3>,
        C,
    > for FindStretchOfLeasesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindStretchOfLeasesParams,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        self.bind(client, &params.ns, &params.after, &params.most)
    }
}
pub struct FindStretchOfBlockedStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_stretch_of_blocked() -> FindStretchOfBlockedStmt {
    FindStretchOfBlockedStmt(
        "select b.task from workmill.blocked b where b.ns = $1 and b.task > $2 order by b.task limit $3",
        None,
    )
}
impl FindStretchOfBlockedStmt {
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
        after: &'a uuid::Uuid,
        most: &'a i64,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        UuidUuidQuery {
            client,
            params: [ns, after, most],
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
        FindStretchOfBlockedParams,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3>,
        C,
    > for FindStretchOfBlockedStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindStretchOfBlockedParams,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        self.bind(client, &params.ns, &params.after, &params.most)
    }
}
pub struct FindStretchOfDeadLettersStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_stretch_of_dead_letters() -> FindStretchOfDeadLettersStmt {
    FindStretchOfDeadLettersStmt(
        "select d.task from workmill.dead_letter d where d.ns = $1 and d.task > $2 order by d.task limit $3",
        None,
    )
}
impl FindStretchOfDeadLettersStmt {
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
        after: &'a uuid::Uuid,
        most: &'a i64,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        UuidUuidQuery {
            client,
            params: [ns, after, most],
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
        FindStretchOfDeadLettersParams,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3>,
        C,
    > for FindStretchOfDeadLettersStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindStretchOfDeadLettersParams,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        self.bind(client, &params.ns, &params.after, &params.most)
    }
}
pub struct FindStretchOfFinishedStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_stretch_of_finished() -> FindStretchOfFinishedStmt {
    FindStretchOfFinishedStmt(
        "select f.at, f.task from workmill.finished f where f.ns = $1 and (f.at, f.task) > ($2::timestamptz, $3::uuid) order by f.at, f.task limit $4",
        None,
    )
}
impl FindStretchOfFinishedStmt {
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
        at: &'a jiff::Timestamp,
        after: &'a uuid::Uuid,
        most: &'a i64,
    ) -> FindStretchOfFinishedQuery<'c, 'a, 's, C, FindStretchOfFinished, 4> {
        FindStretchOfFinishedQuery {
            client,
            params: [ns, at, after, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindStretchOfFinished, tokio_postgres::Error> {
                    Ok(FindStretchOfFinished {
                        at: row.try_get(0)?,
                        task: row.try_get(1)?,
                    })
                },
            mapper: |it| FindStretchOfFinished::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindStretchOfFinishedParams,
        FindStretchOfFinishedQuery<'c, 'a, 's, C, FindStretchOfFinished, 4>,
        C,
    > for FindStretchOfFinishedStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindStretchOfFinishedParams,
    ) -> FindStretchOfFinishedQuery<'c, 'a, 's, C, FindStretchOfFinished, 4> {
        self.bind(client, &params.ns, &params.at, &params.after, &params.most)
    }
}
pub struct FindNewestOfEverythingStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_newest_of_everything() -> FindNewestOfEverythingStmt {
    FindNewestOfEverythingStmt(
        "select s.task from workmill.state s where s.ns = $1 and s.task < $2 and s.task >= $3 order by s.task desc limit $4",
        None,
    )
}
impl FindNewestOfEverythingStmt {
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
        before: &'a uuid::Uuid,
        from_: &'a uuid::Uuid,
        most: &'a i64,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 4> {
        UuidUuidQuery {
            client,
            params: [ns, before, from_, most],
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
        FindNewestOfEverythingParams,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 4>,
        C,
    > for FindNewestOfEverythingStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindNewestOfEverythingParams,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 4> {
        self.bind(
            client,
            &params.ns,
            &params.before,
            &params.from_,
            &params.most,
        )
    }
}
pub struct FindNewestOfGraphStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_newest_of_graph() -> FindNewestOfGraphStmt {
    FindNewestOfGraphStmt(
        "select s.task from workmill.state s where s.ns = $1 and s.graph = $2 and s.task < $3 and s.in_graph order by s.task desc limit $4",
        None,
    )
}
impl FindNewestOfGraphStmt {
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
        graph: &'a uuid::Uuid,
        before: &'a uuid::Uuid,
        most: &'a i64,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 4> {
        UuidUuidQuery {
            client,
            params: [ns, graph, before, most],
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
        FindNewestOfGraphParams,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 4>,
        C,
    > for FindNewestOfGraphStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindNewestOfGraphParams,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 4> {
        self.bind(
            client,
            &params.ns,
            &params.graph,
            &params.before,
            &params.most,
        )
    }
}
pub struct FindNewestOfProjectStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_newest_of_project() -> FindNewestOfProjectStmt {
    FindNewestOfProjectStmt(
        "select s.task from workmill.state s where s.ns = $1 and s.project = $2 and s.task < $3 order by s.task desc limit $4",
        None,
    )
}
impl FindNewestOfProjectStmt {
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
        project: &'a uuid::Uuid,
        before: &'a uuid::Uuid,
        most: &'a i64,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 4> {
        UuidUuidQuery {
            client,
            params: [ns, project, before, most],
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
        FindNewestOfProjectParams,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 4>,
        C,
    > for FindNewestOfProjectStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindNewestOfProjectParams,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 4> {
        self.bind(
            client,
            &params.ns,
            &params.project,
            &params.before,
            &params.most,
        )
    }
}
pub struct FindNewestOfLeasesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_newest_of_leases() -> FindNewestOfLeasesStmt {
    FindNewestOfLeasesStmt(
        "select l.task from workmill.lease l where l.ns = $1 and l.task < $2 order by l.task desc, l.epoch desc limit $3",
        None,
    )
}
impl FindNewestOfLeasesStmt {
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
        before: &'a uuid::Uuid,
        most: &'a i64,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        UuidUuidQuery {
            client,
            params: [ns, before, most],
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
        FindNewestOfLeasesParams,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3>,
        C,
    > for FindNewestOfLeasesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindNewestOfLeasesParams,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        self.bind(client, &params.ns, &params.before, &params.most)
    }
}
pub struct FindNewestOfBlockedStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_newest_of_blocked() -> FindNewestOfBlockedStmt {
    FindNewestOfBlockedStmt(
        "select b.task from workmill.blocked b where b.ns = $1 and b.task < $2 order by b.task desc limit $3",
        None,
    )
}
impl FindNewestOfBlockedStmt {
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
        before: &'a uuid::Uuid,
        most: &'a i64,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        UuidUuidQuery {
            client,
            params: [ns, before, most],
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
        FindNewestOfBlockedParams,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3>,
        C,
    > for FindNewestOfBlockedStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindNewestOfBlockedParams,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        self.bind(client, &params.ns, &params.before, &params.most)
    }
}
pub struct FindNewestOfDeadLettersStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_newest_of_dead_letters() -> FindNewestOfDeadLettersStmt {
    FindNewestOfDeadLettersStmt(
        "select d.task from workmill.dead_letter d where d.ns = $1 and d.task < $2 order by d.task desc limit $3",
        None,
    )
}
impl FindNewestOfDeadLettersStmt {
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
        before: &'a uuid::Uuid,
        most: &'a i64,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        UuidUuidQuery {
            client,
            params: [ns, before, most],
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
        FindNewestOfDeadLettersParams,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3>,
        C,
    > for FindNewestOfDeadLettersStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindNewestOfDeadLettersParams,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        self.bind(client, &params.ns, &params.before, &params.most)
    }
}
pub struct FindLastFinishedStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_last_finished() -> FindLastFinishedStmt {
    FindLastFinishedStmt(
        "select f.at, f.task from workmill.finished f where f.ns = $1 and (f.at, f.task) < ($2::timestamptz, $3::uuid) order by f.at desc, f.task desc limit $4",
        None,
    )
}
impl FindLastFinishedStmt {
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
        at: &'a jiff::Timestamp,
        before: &'a uuid::Uuid,
        most: &'a i64,
    ) -> FindLastFinishedQuery<'c, 'a, 's, C, FindLastFinished, 4> {
        FindLastFinishedQuery {
            client,
            params: [ns, at, before, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindLastFinished, tokio_postgres::Error> {
                    Ok(FindLastFinished {
                        at: row.try_get(0)?,
                        task: row.try_get(1)?,
                    })
                },
            mapper: |it| FindLastFinished::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindLastFinishedParams,
        FindLastFinishedQuery<'c, 'a, 's, C, FindLastFinished, 4>,
        C,
    > for FindLastFinishedStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindLastFinishedParams,
    ) -> FindLastFinishedQuery<'c, 'a, 's, C, FindLastFinished, 4> {
        self.bind(client, &params.ns, &params.at, &params.before, &params.most)
    }
}
pub struct DescribeTasksStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn describe_tasks() -> DescribeTasksStmt {
    DescribeTasksStmt(
        "select u.task, s.state, s.graph, s.project, s.due, s.attempts, s.spent_micros, p.created_by, p.submitted_at, p.type_name, p.title, p.tags, p.priority, p.target_agent, p.key, array( select l.agent from workmill.lease l where l.ns = $1 and l.task = u.task order by l.epoch )::text[] as held_by, ( select a.agent from workmill.attempt a where a.ns = $1 and a.task = u.task order by a.epoch desc, a.resumed desc limit 1 ) as last_agent, ( select d.at from workmill.dead_letter d where d.ns = $1 and d.task = u.task ) as dead_since, ( select b.waits_for from workmill.blocked b where b.ns = $1 and b.task = u.task ) as waits_for from unnest($2::uuid[]) as u (task) cross join lateral ( select t.state, t.graph, t.project, t.due, t.attempts, t.spent_micros, t.spec_version from workmill.state t where t.ns = $1 and t.task = u.task limit 1 ) as s cross join lateral ( select c.created_by, c.submitted_at, c.body ->> 'type' as type_name, c.body ->> 'title' as title, c.body -> 'tags' as tags, c.body -> 'priority' as priority, c.body ->> 'target_agent' as target_agent, c.body ->> 'key' as key from workmill.spec c where c.ns = $1 and c.task = u.task and c.version = s.spec_version limit 1 ) as p",
        None,
    )
}
impl DescribeTasksStmt {
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
    ) -> DescribeTasksQuery<'c, 'a, 's, C, DescribeTasks, 2> {
        DescribeTasksQuery {
            client,
            params: [ns, tasks],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<DescribeTasksBorrowed, tokio_postgres::Error> {
                    Ok(DescribeTasksBorrowed {
                        task: row.try_get(0)?,
                        state: row.try_get(1)?,
                        graph: row.try_get(2)?,
                        project: row.try_get(3)?,
                        due: row.try_get(4)?,
                        attempts: row.try_get(5)?,
                        spent_micros: row.try_get(6)?,
                        created_by: row.try_get(7)?,
                        submitted_at: row.try_get(8)?,
                        type_name: row.try_get(9)?,
                        title: row.try_get(10)?,
                        tags: row.try_get(11)?,
                        priority: row.try_get(12)?,
                        target_agent: row.try_get(13)?,
                        key: row.try_get(14)?,
                        held_by: row.try_get(15)?,
                        last_agent: row.try_get(16)?,
                        dead_since: row.try_get(17)?,
                        waits_for: row.try_get(18)?,
                    })
                },
            mapper: |it| DescribeTasks::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        DescribeTasksParams<T1>,
        DescribeTasksQuery<'c, 'a, 's, C, DescribeTasks, 2>,
        C,
    > for DescribeTasksStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a DescribeTasksParams<T1>,
    ) -> DescribeTasksQuery<'c, 'a, 's, C, DescribeTasks, 2> {
        self.bind(client, &params.ns, &params.tasks)
    }
}
