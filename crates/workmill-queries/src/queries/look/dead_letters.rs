// This file was generated with `cornucopia`. Do not modify.

#[derive(Clone, Copy, Debug)]
pub struct FindEndOfLookParams {
    pub ns: i64,
    pub after: uuid::Uuid,
    pub letters_before: i64,
}
#[derive(Debug)]
pub struct FindDeadLettersParams<
    T1: crate::StringSql,
    T2: crate::StringSql,
    T3: crate::StringSql,
    T4: crate::StringSql,
    T5: crate::StringSql,
    T6: crate::StringSql,
> {
    pub ns: i64,
    pub after: uuid::Uuid,
    pub upto: uuid::Uuid,
    pub since: Option<jiff::Timestamp>,
    pub until: Option<jiff::Timestamp>,
    pub reason: Option<T1>,
    pub cause: Option<T2>,
    pub fingerprint: Option<i64>,
    pub is_reviewed: Option<bool>,
    pub graph: Option<uuid::Uuid>,
    pub created_by: Option<T3>,
    pub type_name: Option<T4>,
    pub tag: Option<T5>,
    pub agent: Option<T6>,
    pub most: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindResolutionsParams {
    pub ns: i64,
    pub task: uuid::Uuid,
}
#[derive(Clone, Copy, Debug)]
pub struct FindEndOfResolvedParams {
    pub ns: i64,
    pub at: jiff::Timestamp,
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub letters_before: i64,
}
#[derive(Debug)]
pub struct FindResolvedParams<
    T1: crate::StringSql,
    T2: crate::StringSql,
    T3: crate::StringSql,
    T4: crate::StringSql,
    T5: crate::StringSql,
    T6: crate::StringSql,
> {
    pub ns: i64,
    pub at: jiff::Timestamp,
    pub task: uuid::Uuid,
    pub epoch: i32,
    pub upto_at: jiff::Timestamp,
    pub upto_task: uuid::Uuid,
    pub upto_epoch: i32,
    pub since: Option<jiff::Timestamp>,
    pub until: Option<jiff::Timestamp>,
    pub reason: Option<T1>,
    pub cause: Option<T2>,
    pub fingerprint: Option<i64>,
    pub is_reviewed: Option<bool>,
    pub graph: Option<uuid::Uuid>,
    pub created_by: Option<T3>,
    pub type_name: Option<T4>,
    pub tag: Option<T5>,
    pub agent: Option<T6>,
    pub most: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct CountDependentsParams {
    pub ns: i64,
    pub task: uuid::Uuid,
}
#[derive(Clone, Copy, Debug)]
pub struct GroupDeadLettersParams {
    pub ns: i64,
    pub most: i64,
}
#[derive(Debug)]
pub struct MarkReviewedParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub is_reviewed: bool,
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindDeadLetters {
    pub task: uuid::Uuid,
    pub at: jiff::Timestamp,
    pub cause: String,
    pub reason: String,
    pub fingerprint: i64,
    pub is_reviewed: bool,
    pub cost_micros: i64,
    pub dependents: i64,
}
pub struct FindDeadLettersBorrowed<'a> {
    pub task: uuid::Uuid,
    pub at: jiff::Timestamp,
    pub cause: &'a str,
    pub reason: &'a str,
    pub fingerprint: i64,
    pub is_reviewed: bool,
    pub cost_micros: i64,
    pub dependents: i64,
}
impl<'a> From<FindDeadLettersBorrowed<'a>> for FindDeadLetters {
    fn from(
        FindDeadLettersBorrowed {
            task,
            at,
            cause,
            reason,
            fingerprint,
            is_reviewed,
            cost_micros,
            dependents,
        }: FindDeadLettersBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            at,
            cause: cause.into(),
            reason: reason.into(),
            fingerprint,
            is_reviewed,
            cost_micros,
            dependents,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindResolutions {
    pub dead_at: jiff::Timestamp,
    pub at: jiff::Timestamp,
    pub cause: String,
    pub reason: String,
    pub fingerprint: i64,
    pub is_reviewed: bool,
    pub resolution: String,
    pub resolved_by: String,
    pub note: Option<String>,
}
pub struct FindResolutionsBorrowed<'a> {
    pub dead_at: jiff::Timestamp,
    pub at: jiff::Timestamp,
    pub cause: &'a str,
    pub reason: &'a str,
    pub fingerprint: i64,
    pub is_reviewed: bool,
    pub resolution: &'a str,
    pub resolved_by: &'a str,
    pub note: Option<&'a str>,
}
impl<'a> From<FindResolutionsBorrowed<'a>> for FindResolutions {
    fn from(
        FindResolutionsBorrowed {
            dead_at,
            at,
            cause,
            reason,
            fingerprint,
            is_reviewed,
            resolution,
            resolved_by,
            note,
        }: FindResolutionsBorrowed<'a>,
    ) -> Self {
        Self {
            dead_at,
            at,
            cause: cause.into(),
            reason: reason.into(),
            fingerprint,
            is_reviewed,
            resolution: resolution.into(),
            resolved_by: resolved_by.into(),
            note: note.map(|v| v.into()),
        }
    }
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindEndOfResolved {
    pub at: jiff::Timestamp,
    pub task: uuid::Uuid,
    pub epoch: i32,
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindResolved {
    pub task: uuid::Uuid,
    pub dead_at: jiff::Timestamp,
    pub epoch: i32,
    pub at: jiff::Timestamp,
    pub cause: String,
    pub reason: String,
    pub fingerprint: i64,
    pub is_reviewed: bool,
    pub resolution: String,
    pub resolved_by: String,
    pub note: Option<String>,
    pub dependents: i64,
}
pub struct FindResolvedBorrowed<'a> {
    pub task: uuid::Uuid,
    pub dead_at: jiff::Timestamp,
    pub epoch: i32,
    pub at: jiff::Timestamp,
    pub cause: &'a str,
    pub reason: &'a str,
    pub fingerprint: i64,
    pub is_reviewed: bool,
    pub resolution: &'a str,
    pub resolved_by: &'a str,
    pub note: Option<&'a str>,
    pub dependents: i64,
}
impl<'a> From<FindResolvedBorrowed<'a>> for FindResolved {
    fn from(
        FindResolvedBorrowed {
            task,
            dead_at,
            epoch,
            at,
            cause,
            reason,
            fingerprint,
            is_reviewed,
            resolution,
            resolved_by,
            note,
            dependents,
        }: FindResolvedBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            dead_at,
            epoch,
            at,
            cause: cause.into(),
            reason: reason.into(),
            fingerprint,
            is_reviewed,
            resolution: resolution.into(),
            resolved_by: resolved_by.into(),
            note: note.map(|v| v.into()),
            dependents,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct GroupDeadLetters {
    pub fingerprint: i64,
    pub reason: String,
    pub letters: i64,
    pub first_at: jiff::Timestamp,
    pub last_at: jiff::Timestamp,
    pub example: uuid::Uuid,
}
pub struct GroupDeadLettersBorrowed<'a> {
    pub fingerprint: i64,
    pub reason: &'a str,
    pub letters: i64,
    pub first_at: jiff::Timestamp,
    pub last_at: jiff::Timestamp,
    pub example: uuid::Uuid,
}
impl<'a> From<GroupDeadLettersBorrowed<'a>> for GroupDeadLetters {
    fn from(
        GroupDeadLettersBorrowed {
            fingerprint,
            reason,
            letters,
            first_at,
            last_at,
            example,
        }: GroupDeadLettersBorrowed<'a>,
    ) -> Self {
        Self {
            fingerprint,
            reason: reason.into(),
            letters,
            first_at,
            last_at,
            example,
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
pub struct FindDeadLettersQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindDeadLettersBorrowed, tokio_postgres::Error>,
    mapper: fn(FindDeadLettersBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindDeadLettersQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindDeadLettersBorrowed) -> R,
    ) -> FindDeadLettersQuery<'c, 'a, 's, C, R, N> {
        FindDeadLettersQuery {
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
pub struct FindResolutionsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindResolutionsBorrowed, tokio_postgres::Error>,
    mapper: fn(FindResolutionsBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindResolutionsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindResolutionsBorrowed) -> R,
    ) -> FindResolutionsQuery<'c, 'a, 's, C, R, N> {
        FindResolutionsQuery {
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
pub struct FindEndOfResolvedQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindEndOfResolved, tokio_postgres::Error>,
    mapper: fn(FindEndOfResolved) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindEndOfResolvedQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindEndOfResolved) -> R,
    ) -> FindEndOfResolvedQuery<'c, 'a, 's, C, R, N> {
        FindEndOfResolvedQuery {
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
pub struct FindResolvedQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindResolvedBorrowed, tokio_postgres::Error>,
    mapper: fn(FindResolvedBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindResolvedQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindResolvedBorrowed) -> R,
    ) -> FindResolvedQuery<'c, 'a, 's, C, R, N> {
        FindResolvedQuery {
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
pub struct GroupDeadLettersQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<GroupDeadLettersBorrowed, tokio_postgres::Error>,
    mapper: fn(GroupDeadLettersBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> GroupDeadLettersQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(GroupDeadLettersBorrowed) -> R,
    ) -> GroupDeadLettersQuery<'c, 'a, 's, C, R, N> {
        GroupDeadLettersQuery {
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
pub struct FindEndOfLookStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_end_of_look() -> FindEndOfLookStmt {
    FindEndOfLookStmt(
        "select d.task from workmill.dead_letter d where d.ns = $1 and d.task > $2 order by d.task offset $3 limit 1",
        None,
    )
}
impl FindEndOfLookStmt {
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
        letters_before: &'a i64,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        UuidUuidQuery {
            client,
            params: [ns, after, letters_before],
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
        FindEndOfLookParams,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3>,
        C,
    > for FindEndOfLookStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindEndOfLookParams,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        self.bind(client, &params.ns, &params.after, &params.letters_before)
    }
}
pub struct FindDeadLettersStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_dead_letters() -> FindDeadLettersStmt {
    FindDeadLettersStmt(
        "select d.task, d.at, d.cause, d.reason, d.fingerprint, d.is_reviewed, ( ( select coalesce(sum(t.cost_micros), 0) from workmill.attempt t where t.ns = $1 and t.task = d.task ) + ( select coalesce(sum(r.cost_micros), 0) from workmill.late_result r where r.ns = $1 and r.task = d.task ) )::bigint as cost_micros, ( select count(*) from workmill.edge e where e.ns = $1 and e.depends_on = d.task ) as dependents from workmill.dead_letter d cross join lateral ( select s.graph, p.created_by, p.body ->> 'type' as type_name, p.body -> 'tags' as tags from workmill.state s join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version where s.ns = $1 and p.ns = $1 and s.task = d.task limit 1 ) as w where d.ns = $1 and d.task > $2 and d.task <= $3 and ($4::timestamptz is null or d.at >= $4) and ($5::timestamptz is null or d.at <= $5) and ($6::text is null or d.reason = $6) and ($7::text is null or d.cause = $7) and ($8::bigint is null or d.fingerprint = $8) and ($9::boolean is null or d.is_reviewed = $9) and ($10::uuid is null or w.graph = $10) and ($11::text is null or w.created_by = $11) and ($12::text is null or w.type_name = $12) and ($13::text is null or w.tags::jsonb @> to_jsonb($13::text)) and ( $14::text is null or ( select count(*) > 0 from workmill.attempt t where t.ns = $1 and t.task = d.task and t.agent = $14 and t.outcome = 'failed' ) ) order by d.task limit $15",
        None,
    )
}
impl FindDeadLettersStmt {
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
        T2: crate::StringSql,
        T3: crate::StringSql,
        T4: crate::StringSql,
        T5: crate::StringSql,
        T6: crate::StringSql,
    >(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        after: &'a uuid::Uuid,
        upto: &'a uuid::Uuid,
        since: &'a Option<jiff::Timestamp>,
        until: &'a Option<jiff::Timestamp>,
        reason: &'a Option<T1>,
        cause: &'a Option<T2>,
        fingerprint: &'a Option<i64>,
        is_reviewed: &'a Option<bool>,
        graph: &'a Option<uuid::Uuid>,
        created_by: &'a Option<T3>,
        type_name: &'a Option<T4>,
        tag: &'a Option<T5>,
        agent: &'a Option<T6>,
        most: &'a i64,
    ) -> FindDeadLettersQuery<'c, 'a, 's, C, FindDeadLetters, 15> {
        FindDeadLettersQuery {
            client,
            params: [
                ns,
                after,
                upto,
                since,
                until,
                reason,
                cause,
                fingerprint,
                is_reviewed,
                graph,
                created_by,
                type_name,
                tag,
                agent,
                most,
            ],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindDeadLettersBorrowed, tokio_postgres::Error> {
                Ok(FindDeadLettersBorrowed {
                    task: row.try_get(0)?,
                    at: row.try_get(1)?,
                    cause: row.try_get(2)?,
                    reason: row.try_get(3)?,
                    fingerprint: row.try_get(4)?,
                    is_reviewed: row.try_get(5)?,
                    cost_micros: row.try_get(6)?,
                    dependents: row.try_get(7)?,
                })
            },
            mapper: |it| FindDeadLetters::from(it),
        }
    }
}
impl<
    'c,
    'a,
    's,
    C: GenericClient,
    T1: crate::StringSql,
    T2: crate::StringSql,
    T3: crate::StringSql,
    T4: crate::StringSql,
    T5: crate::StringSql,
    T6: crate::StringSql,
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindDeadLettersParams<T1, T2, T3, T4, T5, T6>,
        FindDeadLettersQuery<'c, 'a, 's, C, FindDeadLetters, 15>,
        C,
    > for FindDeadLettersStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindDeadLettersParams<T1, T2, T3, T4, T5, T6>,
    ) -> FindDeadLettersQuery<'c, 'a, 's, C, FindDeadLetters, 15> {
        self.bind(
            client,
            &params.ns,
            &params.after,
            &params.upto,
            &params.since,
            &params.until,
            &params.reason,
            &params.cause,
            &params.fingerprint,
            &params.is_reviewed,
            &params.graph,
            &params.created_by,
            &params.type_name,
            &params.tag,
            &params.agent,
            &params.most,
        )
    }
}
pub struct FindResolutionsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_resolutions() -> FindResolutionsStmt {
    FindResolutionsStmt(
        "select r.dead_at, r.at, r.cause, r.reason, r.fingerprint, r.is_reviewed, r.resolution, r.resolved_by, r.note from workmill.resolution r where r.ns = $1 and r.task = $2 order by r.dead_at desc, r.epoch desc",
        None,
    )
}
impl FindResolutionsStmt {
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
    ) -> FindResolutionsQuery<'c, 'a, 's, C, FindResolutions, 2> {
        FindResolutionsQuery {
            client,
            params: [ns, task],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindResolutionsBorrowed, tokio_postgres::Error> {
                Ok(FindResolutionsBorrowed {
                    dead_at: row.try_get(0)?,
                    at: row.try_get(1)?,
                    cause: row.try_get(2)?,
                    reason: row.try_get(3)?,
                    fingerprint: row.try_get(4)?,
                    is_reviewed: row.try_get(5)?,
                    resolution: row.try_get(6)?,
                    resolved_by: row.try_get(7)?,
                    note: row.try_get(8)?,
                })
            },
            mapper: |it| FindResolutions::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindResolutionsParams,
        FindResolutionsQuery<'c, 'a, 's, C, FindResolutions, 2>,
        C,
    > for FindResolutionsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindResolutionsParams,
    ) -> FindResolutionsQuery<'c, 'a, 's, C, FindResolutions, 2> {
        self.bind(client, &params.ns, &params.task)
    }
}
pub struct FindEndOfResolvedStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_end_of_resolved() -> FindEndOfResolvedStmt {
    FindEndOfResolvedStmt(
        "select r.at, r.task, r.epoch from workmill.resolution r where r.ns = $1 and (r.at, r.task, r.epoch) < ($2, $3, $4) order by r.at desc, r.task desc, r.epoch desc offset $5 limit 1",
        None,
    )
}
impl FindEndOfResolvedStmt {
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
        task: &'a uuid::Uuid,
        epoch: &'a i32,
        letters_before: &'a i64,
    ) -> FindEndOfResolvedQuery<'c, 'a, 's, C, FindEndOfResolved, 5> {
        FindEndOfResolvedQuery {
            client,
            params: [ns, at, task, epoch, letters_before],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindEndOfResolved, tokio_postgres::Error> {
                    Ok(FindEndOfResolved {
                        at: row.try_get(0)?,
                        task: row.try_get(1)?,
                        epoch: row.try_get(2)?,
                    })
                },
            mapper: |it| FindEndOfResolved::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindEndOfResolvedParams,
        FindEndOfResolvedQuery<'c, 'a, 's, C, FindEndOfResolved, 5>,
        C,
    > for FindEndOfResolvedStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindEndOfResolvedParams,
    ) -> FindEndOfResolvedQuery<'c, 'a, 's, C, FindEndOfResolved, 5> {
        self.bind(
            client,
            &params.ns,
            &params.at,
            &params.task,
            &params.epoch,
            &params.letters_before,
        )
    }
}
pub struct FindResolvedStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_resolved() -> FindResolvedStmt {
    FindResolvedStmt(
        "select r.task, r.dead_at, r.epoch, r.at, r.cause, r.reason, r.fingerprint, r.is_reviewed, r.resolution, r.resolved_by, r.note, ( select count(*) from workmill.edge e where e.ns = $1 and e.depends_on = r.task ) as dependents from workmill.resolution r cross join lateral ( select s.graph, p.created_by, p.body ->> 'type' as type_name, p.body -> 'tags' as tags from workmill.state s join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version where s.ns = $1 and p.ns = $1 and s.task = r.task limit 1 ) as w where r.ns = $1 and (r.at, r.task, r.epoch) < ($2, $3, $4) and (r.at, r.task, r.epoch) >= ($5, $6, $7) and ($8::timestamptz is null or r.dead_at >= $8) and ($9::timestamptz is null or r.dead_at <= $9) and ($10::text is null or r.reason = $10) and ($11::text is null or r.cause = $11) and ($12::bigint is null or r.fingerprint = $12) and ($13::boolean is null or r.is_reviewed = $13) and ($14::uuid is null or w.graph = $14) and ($15::text is null or w.created_by = $15) and ($16::text is null or w.type_name = $16) and ($17::text is null or w.tags::jsonb @> to_jsonb($17::text)) and ( $18::text is null or ( select count(*) > 0 from workmill.attempt t where t.ns = $1 and t.task = r.task and t.agent = $18 and t.outcome = 'failed' and t.ended_at <= r.dead_at ) ) order by r.at desc, r.task desc, r.epoch desc limit $19",
        None,
    )
}
impl FindResolvedStmt {
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
        T2: crate::StringSql,
        T3: crate::StringSql,
        T4: crate::StringSql,
        T5: crate::StringSql,
        T6: crate::StringSql,
    >(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        at: &'a jiff::Timestamp,
        task: &'a uuid::Uuid,
        epoch: &'a i32,
        upto_at: &'a jiff::Timestamp,
        upto_task: &'a uuid::Uuid,
        upto_epoch: &'a i32,
        since: &'a Option<jiff::Timestamp>,
        until: &'a Option<jiff::Timestamp>,
        reason: &'a Option<T1>,
        cause: &'a Option<T2>,
        fingerprint: &'a Option<i64>,
        is_reviewed: &'a Option<bool>,
        graph: &'a Option<uuid::Uuid>,
        created_by: &'a Option<T3>,
        type_name: &'a Option<T4>,
        tag: &'a Option<T5>,
        agent: &'a Option<T6>,
        most: &'a i64,
    ) -> FindResolvedQuery<'c, 'a, 's, C, FindResolved, 19> {
        FindResolvedQuery {
            client,
            params: [
                ns,
                at,
                task,
                epoch,
                upto_at,
                upto_task,
                upto_epoch,
                since,
                until,
                reason,
                cause,
                fingerprint,
                is_reviewed,
                graph,
                created_by,
                type_name,
                tag,
                agent,
                most,
            ],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindResolvedBorrowed, tokio_postgres::Error> {
                    Ok(FindResolvedBorrowed {
                        task: row.try_get(0)?,
                        dead_at: row.try_get(1)?,
                        epoch: row.try_get(2)?,
                        at: row.try_get(3)?,
                        cause: row.try_get(4)?,
                        reason: row.try_get(5)?,
                        fingerprint: row.try_get(6)?,
                        is_reviewed: row.try_get(7)?,
                        resolution: row.try_get(8)?,
                        resolved_by: row.try_get(9)?,
                        note: row.try_get(10)?,
                        dependents: row.try_get(11)?,
                    })
                },
            mapper: |it| FindResolved::from(it),
        }
    }
}
impl<
    'c,
    'a,
    's,
    C: GenericClient,
    T1: crate::StringSql,
    T2: crate::StringSql,
    T3: crate::StringSql,
    T4: crate::StringSql,
    T5: crate::StringSql,
    T6: crate::StringSql,
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindResolvedParams<T1, T2, T3, T4, T5, T6>,
        FindResolvedQuery<'c, 'a, 's, C, FindResolved, 19>,
        C,
    > for FindResolvedStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindResolvedParams<T1, T2, T3, T4, T5, T6>,
    ) -> FindResolvedQuery<'c, 'a, 's, C, FindResolved, 19> {
        self.bind(
            client,
            &params.ns,
            &params.at,
            &params.task,
            &params.epoch,
            &params.upto_at,
            &params.upto_task,
            &params.upto_epoch,
            &params.since,
            &params.until,
            &params.reason,
            &params.cause,
            &params.fingerprint,
            &params.is_reviewed,
            &params.graph,
            &params.created_by,
            &params.type_name,
            &params.tag,
            &params.agent,
            &params.most,
        )
    }
}
pub struct CountDependentsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn count_dependents() -> CountDependentsStmt {
    CountDependentsStmt(
        "select count(*) as dependents from workmill.edge where ns = $1 and depends_on = $2",
        None,
    )
}
impl CountDependentsStmt {
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
    ) -> I64Query<'c, 'a, 's, C, i64, 2> {
        I64Query {
            client,
            params: [ns, task],
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
        CountDependentsParams,
        I64Query<'c, 'a, 's, C, i64, 2>,
        C,
    > for CountDependentsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a CountDependentsParams,
    ) -> I64Query<'c, 'a, 's, C, i64, 2> {
        self.bind(client, &params.ns, &params.task)
    }
}
pub struct GroupDeadLettersStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn group_dead_letters() -> GroupDeadLettersStmt {
    GroupDeadLettersStmt(
        "select d.fingerprint, d.reason, count(*) as letters, min(d.at) as first_at, max(d.at) as last_at, (array_agg(d.task order by d.at desc))[1] as example from workmill.dead_letter d where d.ns = $1 group by d.fingerprint, d.reason order by count(*) desc, d.fingerprint limit $2",
        None,
    )
}
impl GroupDeadLettersStmt {
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
        most: &'a i64,
    ) -> GroupDeadLettersQuery<'c, 'a, 's, C, GroupDeadLetters, 2> {
        GroupDeadLettersQuery {
            client,
            params: [ns, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<GroupDeadLettersBorrowed, tokio_postgres::Error> {
                Ok(GroupDeadLettersBorrowed {
                    fingerprint: row.try_get(0)?,
                    reason: row.try_get(1)?,
                    letters: row.try_get(2)?,
                    first_at: row.try_get(3)?,
                    last_at: row.try_get(4)?,
                    example: row.try_get(5)?,
                })
            },
            mapper: |it| GroupDeadLetters::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        GroupDeadLettersParams,
        GroupDeadLettersQuery<'c, 'a, 's, C, GroupDeadLetters, 2>,
        C,
    > for GroupDeadLettersStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a GroupDeadLettersParams,
    ) -> GroupDeadLettersQuery<'c, 'a, 's, C, GroupDeadLetters, 2> {
        self.bind(client, &params.ns, &params.most)
    }
}
pub struct MarkReviewedStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn mark_reviewed() -> MarkReviewedStmt {
    MarkReviewedStmt(
        "update workmill.dead_letter d set is_reviewed = $1 where d.ns = $2 and d.task = any($3::uuid[]) returning d.task",
        None,
    )
}
impl MarkReviewedStmt {
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
        is_reviewed: &'a bool,
        ns: &'a i64,
        tasks: &'a T1,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        UuidUuidQuery {
            client,
            params: [is_reviewed, ns, tasks],
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
        MarkReviewedParams<T1>,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3>,
        C,
    > for MarkReviewedStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a MarkReviewedParams<T1>,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 3> {
        self.bind(client, &params.is_reviewed, &params.ns, &params.tasks)
    }
}
