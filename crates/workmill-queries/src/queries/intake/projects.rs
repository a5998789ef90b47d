// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct InsertProjectParams<
    T1: crate::StringSql,
    T2: crate::StringSql,
    T3: crate::StringSql,
    T4: crate::StringSql,
    T5: crate::JsonSql,
    T6: crate::StringSql,
> {
    pub ns: i64,
    pub project: uuid::Uuid,
    pub name: T1,
    pub description: Option<T2>,
    pub status: T3,
    pub external_ref: Option<T4>,
    pub metadata: Option<T5>,
    pub created_by: T6,
    pub now: jiff::Timestamp,
}
#[derive(Debug)]
pub struct FindIdempotentProjectParams<T1: crate::StringSql> {
    pub ns: i64,
    pub key: T1,
}
#[derive(Debug)]
pub struct InsertIdempotentProjectParams<T1: crate::StringSql, T2: crate::BytesSql> {
    pub ns: i64,
    pub key: T1,
    pub digest: T2,
    pub now: jiff::Timestamp,
    pub project: uuid::Uuid,
}
#[derive(Clone, Copy, Debug)]
pub struct LockProjectParams {
    pub ns: i64,
    pub project: uuid::Uuid,
}
#[derive(Debug)]
pub struct UpdateProjectParams<
    T1: crate::StringSql,
    T2: crate::StringSql,
    T3: crate::StringSql,
    T4: crate::StringSql,
    T5: crate::JsonSql,
> {
    pub name: T1,
    pub description: Option<T2>,
    pub status: T3,
    pub external_ref: Option<T4>,
    pub metadata: Option<T5>,
    pub version: i32,
    pub now: jiff::Timestamp,
    pub ns: i64,
    pub project: uuid::Uuid,
}
#[derive(Debug)]
pub struct FindKnownProjectsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub projects: T1,
    pub ns: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindProjectsParams {
    pub ns: i64,
    pub after: uuid::Uuid,
    pub most: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct CountTasksOfProjectParams {
    pub ns: i64,
    pub project: uuid::Uuid,
    pub most: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindProjectOfGraphParams {
    pub ns: i64,
    pub graph: uuid::Uuid,
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindIdempotentProject {
    pub digest: Vec<u8>,
    pub project: Option<uuid::Uuid>,
}
pub struct FindIdempotentProjectBorrowed<'a> {
    pub digest: &'a [u8],
    pub project: Option<uuid::Uuid>,
}
impl<'a> From<FindIdempotentProjectBorrowed<'a>> for FindIdempotentProject {
    fn from(
        FindIdempotentProjectBorrowed { digest, project }: FindIdempotentProjectBorrowed<'a>,
    ) -> Self {
        Self {
            digest: digest.into(),
            project,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct LockProject {
    pub project: uuid::Uuid,
    pub name: String,
    pub description: Option<String>,
    pub status: String,
    pub external_ref: Option<String>,
    pub metadata: Option<serde_json::Value>,
    pub version: i32,
    pub created_by: String,
    pub created_at: jiff::Timestamp,
    pub updated_at: jiff::Timestamp,
}
pub struct LockProjectBorrowed<'a> {
    pub project: uuid::Uuid,
    pub name: &'a str,
    pub description: Option<&'a str>,
    pub status: &'a str,
    pub external_ref: Option<&'a str>,
    pub metadata: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
    pub version: i32,
    pub created_by: &'a str,
    pub created_at: jiff::Timestamp,
    pub updated_at: jiff::Timestamp,
}
impl<'a> From<LockProjectBorrowed<'a>> for LockProject {
    fn from(
        LockProjectBorrowed {
            project,
            name,
            description,
            status,
            external_ref,
            metadata,
            version,
            created_by,
            created_at,
            updated_at,
        }: LockProjectBorrowed<'a>,
    ) -> Self {
        Self {
            project,
            name: name.into(),
            description: description.map(|v| v.into()),
            status: status.into(),
            external_ref: external_ref.map(|v| v.into()),
            metadata: metadata.map(|v| serde_json::from_str(v.0.get()).unwrap()),
            version,
            created_by: created_by.into(),
            created_at,
            updated_at,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindProjects {
    pub project: uuid::Uuid,
    pub name: String,
    pub description: Option<String>,
    pub status: String,
    pub external_ref: Option<String>,
    pub metadata: Option<serde_json::Value>,
    pub version: i32,
    pub created_by: String,
    pub created_at: jiff::Timestamp,
    pub updated_at: jiff::Timestamp,
}
pub struct FindProjectsBorrowed<'a> {
    pub project: uuid::Uuid,
    pub name: &'a str,
    pub description: Option<&'a str>,
    pub status: &'a str,
    pub external_ref: Option<&'a str>,
    pub metadata: Option<postgres_types::Json<&'a serde_json::value::RawValue>>,
    pub version: i32,
    pub created_by: &'a str,
    pub created_at: jiff::Timestamp,
    pub updated_at: jiff::Timestamp,
}
impl<'a> From<FindProjectsBorrowed<'a>> for FindProjects {
    fn from(
        FindProjectsBorrowed {
            project,
            name,
            description,
            status,
            external_ref,
            metadata,
            version,
            created_by,
            created_at,
            updated_at,
        }: FindProjectsBorrowed<'a>,
    ) -> Self {
        Self {
            project,
            name: name.into(),
            description: description.map(|v| v.into()),
            status: status.into(),
            external_ref: external_ref.map(|v| v.into()),
            metadata: metadata.map(|v| serde_json::from_str(v.0.get()).unwrap()),
            version,
            created_by: created_by.into(),
            created_at,
            updated_at,
        }
    }
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct CountTasksOfProject {
    pub state: i16,
    pub tasks: i64,
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct FindIdempotentProjectQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor:
        fn(&tokio_postgres::Row) -> Result<FindIdempotentProjectBorrowed, tokio_postgres::Error>,
    mapper: fn(FindIdempotentProjectBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindIdempotentProjectQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindIdempotentProjectBorrowed) -> R,
    ) -> FindIdempotentProjectQuery<'c, 'a, 's, C, R, N> {
        FindIdempotentProjectQuery {
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
pub struct LockProjectQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<LockProjectBorrowed, tokio_postgres::Error>,
    mapper: fn(LockProjectBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> LockProjectQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(LockProjectBorrowed) -> R,
    ) -> LockProjectQuery<'c, 'a, 's, C, R, N> {
        LockProjectQuery {
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
pub struct FindProjectsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindProjectsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindProjectsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindProjectsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindProjectsBorrowed) -> R,
    ) -> FindProjectsQuery<'c, 'a, 's, C, R, N> {
        FindProjectsQuery {
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
pub struct CountTasksOfProjectQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<CountTasksOfProject, tokio_postgres::Error>,
    mapper: fn(CountTasksOfProject) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> CountTasksOfProjectQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(CountTasksOfProject) -> R,
    ) -> CountTasksOfProjectQuery<'c, 'a, 's, C, R, N> {
        CountTasksOfProjectQuery {
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
pub struct OptionuuidUuidQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<Option<uuid::Uuid>, tokio_postgres::Error>,
    mapper: fn(Option<uuid::Uuid>) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> OptionuuidUuidQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(Option<uuid::Uuid>) -> R,
    ) -> OptionuuidUuidQuery<'c, 'a, 's, C, R, N> {
        OptionuuidUuidQuery {
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
pub struct InsertProjectStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_project() -> InsertProjectStmt {
    InsertProjectStmt(
        "insert into workmill.project ( ns, project, name, description, status, external_ref, metadata, version, created_by, created_at, updated_at ) values ( $1, $2, $3, $4, $5, $6, $7, 1, $8, $9, $9 )",
        None,
    )
}
impl InsertProjectStmt {
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
        T4: crate::StringSql,
        T5: crate::JsonSql,
        T6: crate::StringSql,
    >(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        project: &'a uuid::Uuid,
        name: &'a T1,
        description: &'a Option<T2>,
        status: &'a T3,
        external_ref: &'a Option<T4>,
        metadata: &'a Option<T5>,
        created_by: &'a T6,
        now: &'a jiff::Timestamp,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[
                    ns,
                    project,
                    name,
                    description,
                    status,
                    external_ref,
                    metadata,
                    created_by,
                    now,
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
    T4: crate::StringSql,
    T5: crate::JsonSql,
    T6: crate::StringSql,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertProjectParams<T1, T2, T3, T4, T5, T6>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertProjectStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertProjectParams<T1, T2, T3, T4, T5, T6>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.ns,
            &params.project,
            &params.name,
            &params.description,
            &params.status,
            &params.external_ref,
            &params.metadata,
            &params.created_by,
            &params.now,
        ))
    }
}
pub struct FindIdempotentProjectStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_idempotent_project() -> FindIdempotentProjectStmt {
    FindIdempotentProjectStmt(
        "select digest, project from workmill.idempotency where ns = $1 and key = $2",
        None,
    )
}
impl FindIdempotentProjectStmt {
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
        key: &'a T1,
    ) -> FindIdempotentProjectQuery<'c, 'a, 's, C, FindIdempotentProject, 2> {
        FindIdempotentProjectQuery {
            client,
            params: [ns, key],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindIdempotentProjectBorrowed, tokio_postgres::Error> {
                Ok(FindIdempotentProjectBorrowed {
                    digest: row.try_get(0)?,
                    project: row.try_get(1)?,
                })
            },
            mapper: |it| FindIdempotentProject::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::StringSql>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindIdempotentProjectParams<T1>,
        FindIdempotentProjectQuery<'c, 'a, 's, C, FindIdempotentProject, 2>,
        C,
    > for FindIdempotentProjectStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindIdempotentProjectParams<T1>,
    ) -> FindIdempotentProjectQuery<'c, 'a, 's, C, FindIdempotentProject, 2> {
        self.bind(client, &params.ns, &params.key)
    }
}
pub struct InsertIdempotentProjectStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_idempotent_project() -> InsertIdempotentProjectStmt {
    InsertIdempotentProjectStmt(
        "insert into workmill.idempotency (ns, key, digest, at, tasks, project) values ($1, $2, $3, $4, '{}', $5) on conflict do nothing",
        None,
    )
}
impl InsertIdempotentProjectStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::StringSql, T2: crate::BytesSql>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        key: &'a T1,
        digest: &'a T2,
        now: &'a jiff::Timestamp,
        project: &'a uuid::Uuid,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[ns, key, digest, now, project],
            )
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::StringSql, T2: crate::BytesSql>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertIdempotentProjectParams<T1, T2>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertIdempotentProjectStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertIdempotentProjectParams<T1, T2>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.ns,
            &params.key,
            &params.digest,
            &params.now,
            &params.project,
        ))
    }
}
pub struct LockProjectStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_project() -> LockProjectStmt {
    LockProjectStmt(
        "select project, name, description, status, external_ref, metadata, version, created_by, created_at, updated_at from workmill.project where ns = $1 and project = $2 for update",
        None,
    )
}
impl LockProjectStmt {
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
    ) -> LockProjectQuery<'c, 'a, 's, C, LockProject, 2> {
        LockProjectQuery {
            client,
            params: [ns, project],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<LockProjectBorrowed, tokio_postgres::Error> {
                    Ok(LockProjectBorrowed {
                        project: row.try_get(0)?,
                        name: row.try_get(1)?,
                        description: row.try_get(2)?,
                        status: row.try_get(3)?,
                        external_ref: row.try_get(4)?,
                        metadata: row.try_get(5)?,
                        version: row.try_get(6)?,
                        created_by: row.try_get(7)?,
                        created_at: row.try_get(8)?,
                        updated_at: row.try_get(9)?,
                    })
                },
            mapper: |it| LockProject::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        LockProjectParams,
        LockProjectQuery<'c, 'a, 's, C, LockProject, 2>,
        C,
    > for LockProjectStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a LockProjectParams,
    ) -> LockProjectQuery<'c, 'a, 's, C, LockProject, 2> {
        self.bind(client, &params.ns, &params.project)
    }
}
pub struct UpdateProjectStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn update_project() -> UpdateProjectStmt {
    UpdateProjectStmt(
        "update workmill.project p set name = $1, description = $2, status = $3, external_ref = $4, metadata = $5, version = $6, updated_at = $7 where p.ns = $8 and p.project = $9",
        None,
    )
}
impl UpdateProjectStmt {
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
        T4: crate::StringSql,
        T5: crate::JsonSql,
    >(
        &'s self,
        client: &'c C,
        name: &'a T1,
        description: &'a Option<T2>,
        status: &'a T3,
        external_ref: &'a Option<T4>,
        metadata: &'a Option<T5>,
        version: &'a i32,
        now: &'a jiff::Timestamp,
        ns: &'a i64,
        project: &'a uuid::Uuid,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[
                    name,
                    description,
                    status,
                    external_ref,
                    metadata,
                    version,
                    now,
                    ns,
                    project,
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
    T4: crate::StringSql,
    T5: crate::JsonSql,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        UpdateProjectParams<T1, T2, T3, T4, T5>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for UpdateProjectStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a UpdateProjectParams<T1, T2, T3, T4, T5>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.name,
            &params.description,
            &params.status,
            &params.external_ref,
            &params.metadata,
            &params.version,
            &params.now,
            &params.ns,
            &params.project,
        ))
    }
}
pub struct FindKnownProjectsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_known_projects() -> FindKnownProjectsStmt {
    FindKnownProjectsStmt(
        "select p.project from unnest($1::uuid[]) as u (project) cross join lateral ( select t.project from workmill.project t where t.ns = $2 and t.project = u.project limit 1 ) as p",
        None,
    )
}
impl FindKnownProjectsStmt {
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
        projects: &'a T1,
        ns: &'a i64,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 2> {
        UuidUuidQuery {
            client,
            params: [projects, ns],
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
        FindKnownProjectsParams<T1>,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 2>,
        C,
    > for FindKnownProjectsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindKnownProjectsParams<T1>,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 2> {
        self.bind(client, &params.projects, &params.ns)
    }
}
pub struct FindProjectsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_projects() -> FindProjectsStmt {
    FindProjectsStmt(
        "select project, name, description, status, external_ref, metadata, version, created_by, created_at, updated_at from workmill.project where ns = $1 and project > $2 order by project limit $3",
        None,
    )
}
impl FindProjectsStmt {
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
    ) -> FindProjectsQuery<'c, 'a, 's, C, FindProjects, 3> {
        FindProjectsQuery {
            client,
            params: [ns, after, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindProjectsBorrowed, tokio_postgres::Error> {
                    Ok(FindProjectsBorrowed {
                        project: row.try_get(0)?,
                        name: row.try_get(1)?,
                        description: row.try_get(2)?,
                        status: row.try_get(3)?,
                        external_ref: row.try_get(4)?,
                        metadata: row.try_get(5)?,
                        version: row.try_get(6)?,
                        created_by: row.try_get(7)?,
                        created_at: row.try_get(8)?,
                        updated_at: row.try_get(9)?,
                    })
                },
            mapper: |it| FindProjects::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindProjectsParams,
        FindProjectsQuery<'c, 'a, 's, C, FindProjects, 3>,
        C,
    > for FindProjectsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindProjectsParams,
    ) -> FindProjectsQuery<'c, 'a, 's, C, FindProjects, 3> {
        self.bind(client, &params.ns, &params.after, &params.most)
    }
}
pub struct CountTasksOfProjectStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn count_tasks_of_project() -> CountTasksOfProjectStmt {
    CountTasksOfProjectStmt(
        "select t.state, count(*) as tasks from ( select s.state from workmill.state s where s.ns = $1 and s.project = $2 limit $3 ) as t group by t.state",
        None,
    )
}
impl CountTasksOfProjectStmt {
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
        most: &'a i64,
    ) -> CountTasksOfProjectQuery<'c, 'a, 's, C, CountTasksOfProject, 3> {
        CountTasksOfProjectQuery {
            client,
            params: [ns, project, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<CountTasksOfProject, tokio_postgres::Error> {
                    Ok(CountTasksOfProject {
                        state: row.try_get(0)?,
                        tasks: row.try_get(1)?,
                    })
                },
            mapper: |it| CountTasksOfProject::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        CountTasksOfProjectParams,
        CountTasksOfProjectQuery<'c, 'a, 's, C, CountTasksOfProject, 3>,
        C,
    > for CountTasksOfProjectStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a CountTasksOfProjectParams,
    ) -> CountTasksOfProjectQuery<'c, 'a, 's, C, CountTasksOfProject, 3> {
        self.bind(client, &params.ns, &params.project, &params.most)
    }
}
pub struct FindProjectOfGraphStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_project_of_graph() -> FindProjectOfGraphStmt {
    FindProjectOfGraphStmt(
        "select project from workmill.graph where ns = $1 and graph = $2",
        None,
    )
}
impl FindProjectOfGraphStmt {
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
    ) -> OptionuuidUuidQuery<'c, 'a, 's, C, Option<uuid::Uuid>, 2> {
        OptionuuidUuidQuery {
            client,
            params: [ns, graph],
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
        FindProjectOfGraphParams,
        OptionuuidUuidQuery<'c, 'a, 's, C, Option<uuid::Uuid>, 2>,
        C,
    > for FindProjectOfGraphStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindProjectOfGraphParams,
    ) -> OptionuuidUuidQuery<'c, 'a, 's, C, Option<uuid::Uuid>, 2> {
        self.bind(client, &params.ns, &params.graph)
    }
}
