// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct FindLettersParams<T1: crate::StringSql> {
    pub name: T1,
    pub most: i64,
}
#[derive(Debug)]
pub struct WriteOutcomesParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = T2>,
    T4: crate::StringSql,
    T5: crate::ArraySql<Item = Option<T4>>,
    T6: crate::StringSql,
    T7: crate::ArraySql<Item = Option<T6>>,
    T8: crate::StringSql,
    T9: crate::ArraySql<Item = Option<T8>>,
    T10: crate::StringSql,
    T11: crate::ArraySql<Item = Option<T10>>,
> {
    pub now: jiff::Timestamp,
    pub ids: T1,
    pub outcomes: T3,
    pub task_ids: T5,
    pub error_codes: T7,
    pub error_details: T9,
    pub error_fields: T11,
}
#[derive(Debug)]
pub struct DeleteOldLettersParams<T1: crate::StringSql> {
    pub name: T1,
    pub before: jiff::Timestamp,
    pub most: i64,
}
#[derive(Debug)]
pub struct InsertInboxGrantParams<T1: crate::StringSql, T2: crate::StringSql> {
    pub name: T1,
    pub role: T2,
}
#[derive(Debug)]
pub struct DeleteInboxGrantParams<T1: crate::StringSql, T2: crate::StringSql> {
    pub name: T1,
    pub role: T2,
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindLetters {
    pub id: uuid::Uuid,
    pub size: i32,
}
#[derive(Debug, Clone, PartialEq)]
pub struct LockLetters {
    pub id: uuid::Uuid,
    pub task: String,
    pub created_by: String,
    pub waits: bool,
}
pub struct LockLettersBorrowed<'a> {
    pub id: uuid::Uuid,
    pub task: &'a str,
    pub created_by: &'a str,
    pub waits: bool,
}
impl<'a> From<LockLettersBorrowed<'a>> for LockLetters {
    fn from(
        LockLettersBorrowed {
            id,
            task,
            created_by,
            waits,
        }: LockLettersBorrowed<'a>,
    ) -> Self {
        Self {
            id,
            task: task.into(),
            created_by: created_by.into(),
            waits,
        }
    }
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct StringQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<&str, tokio_postgres::Error>,
    mapper: fn(&str) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> StringQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(&str) -> R) -> StringQuery<'c, 'a, 's, C, R, N> {
        StringQuery {
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
pub struct FindLettersQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindLetters, tokio_postgres::Error>,
    mapper: fn(FindLetters) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindLettersQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(FindLetters) -> R) -> FindLettersQuery<'c, 'a, 's, C, R, N> {
        FindLettersQuery {
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
pub struct LockLettersQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<LockLettersBorrowed, tokio_postgres::Error>,
    mapper: fn(LockLettersBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> LockLettersQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(LockLettersBorrowed) -> R,
    ) -> LockLettersQuery<'c, 'a, 's, C, R, N> {
        LockLettersQuery {
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
pub struct FindInboxesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_inboxes() -> FindInboxesStmt {
    FindInboxesStmt(
        "with recursive waiting as ( ( select i.ns from workmill.inbox i where i.handled_at is null order by i.ns limit 1 ) union all select n.ns from waiting w cross join lateral ( select i.ns from workmill.inbox i where i.handled_at is null and i.ns > w.ns order by i.ns limit 1 ) as n ) select ns from waiting",
        None,
    )
}
impl FindInboxesStmt {
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
    ) -> StringQuery<'c, 'a, 's, C, String, 0> {
        StringQuery {
            client,
            params: [],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it.into(),
        }
    }
}
pub struct FindLettersStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_letters() -> FindLettersStmt {
    FindLettersStmt(
        "select i.id, octet_length(i.task::text) as size from workmill.inbox i where i.ns = $1 and i.handled_at is null order by i.created_at, i.id limit $2",
        None,
    )
}
impl FindLettersStmt {
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
        name: &'a T1,
        most: &'a i64,
    ) -> FindLettersQuery<'c, 'a, 's, C, FindLetters, 2> {
        FindLettersQuery {
            client,
            params: [name, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row: &tokio_postgres::Row| -> Result<FindLetters, tokio_postgres::Error> {
                Ok(FindLetters {
                    id: row.try_get(0)?,
                    size: row.try_get(1)?,
                })
            },
            mapper: |it| FindLetters::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::StringSql>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindLettersParams<T1>,
        FindLettersQuery<'c, 'a, 's, C, FindLetters, 2>,
        C,
    > for FindLettersStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindLettersParams<T1>,
    ) -> FindLettersQuery<'c, 'a, 's, C, FindLetters, 2> {
        self.bind(client, &params.name, &params.most)
    }
}
pub struct LockLettersStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_letters() -> LockLettersStmt {
    LockLettersStmt(
        "select i.id, i.task, i.created_by, i.waits from unnest($1::uuid[]) as u (id) cross join lateral ( select t.id, t.task::text as task, t.created_by, t.handled_at is null as waits from workmill.inbox t where t.id = u.id for update skip locked ) as i",
        None,
    )
}
impl LockLettersStmt {
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
        ids: &'a T1,
    ) -> LockLettersQuery<'c, 'a, 's, C, LockLetters, 1> {
        LockLettersQuery {
            client,
            params: [ids],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<LockLettersBorrowed, tokio_postgres::Error> {
                    Ok(LockLettersBorrowed {
                        id: row.try_get(0)?,
                        task: row.try_get(1)?,
                        created_by: row.try_get(2)?,
                        waits: row.try_get(3)?,
                    })
                },
            mapper: |it| LockLetters::from(it),
        }
    }
}
pub struct WriteOutcomesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn write_outcomes() -> WriteOutcomesStmt {
    WriteOutcomesStmt(
        "update workmill.inbox i set handled_at = $1, outcome = u.outcome, task_id = u.task_id, error_code = u.error_code, error_detail = u.error_detail, error_field = u.error_field from unnest( $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[] ) as u (id, outcome, task_id, error_code, error_detail, error_field) where i.id = u.id",
        None,
    )
}
impl WriteOutcomesStmt {
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
        T5: crate::ArraySql<Item = Option<T4>>,
        T6: crate::StringSql,
        T7: crate::ArraySql<Item = Option<T6>>,
        T8: crate::StringSql,
        T9: crate::ArraySql<Item = Option<T8>>,
        T10: crate::StringSql,
        T11: crate::ArraySql<Item = Option<T10>>,
    >(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        ids: &'a T1,
        outcomes: &'a T3,
        task_ids: &'a T5,
        error_codes: &'a T7,
        error_details: &'a T9,
        error_fields: &'a T11,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[
                    now,
                    ids,
                    outcomes,
                    task_ids,
                    error_codes,
                    error_details,
                    error_fields,
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
    T5: crate::ArraySql<Item = Option<T4>>,
    T6: crate::StringSql,
    T7: crate::ArraySql<Item = Option<T6>>,
    T8: crate::StringSql,
    T9: crate::ArraySql<Item = Option<T8>>,
    T10: crate::StringSql,
    T11: crate::ArraySql<Item = Option<T10>>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        WriteOutcomesParams<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for WriteOutcomesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a WriteOutcomesParams<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.now,
            &params.ids,
            &params.outcomes,
            &params.task_ids,
            &params.error_codes,
            &params.error_details,
            &params.error_fields,
        ))
    }
}
pub struct FindOldInboxesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_old_inboxes() -> FindOldInboxesStmt {
    FindOldInboxesStmt(
        "with recursive handled as ( ( select i.ns from workmill.inbox i where i.handled_at is not null order by i.ns limit 1 ) union all select n.ns from handled h cross join lateral ( select i.ns from workmill.inbox i where i.handled_at is not null and i.ns > h.ns order by i.ns limit 1 ) as n ) select h.ns from handled h cross join lateral ( select i.id from workmill.inbox i where i.ns = h.ns and i.handled_at is not null and i.handled_at < $1 order by i.handled_at limit 1 ) as oldest",
        None,
    )
}
impl FindOldInboxesStmt {
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
        before: &'a jiff::Timestamp,
    ) -> StringQuery<'c, 'a, 's, C, String, 1> {
        StringQuery {
            client,
            params: [before],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it.into(),
        }
    }
}
pub struct DeleteOldLettersStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_old_letters() -> DeleteOldLettersStmt {
    DeleteOldLettersStmt(
        "delete from workmill.inbox i using ( select o.id from workmill.inbox o where o.ns = $1 and o.handled_at is not null and o.handled_at < $2 order by o.handled_at, o.id limit $3 for update skip locked ) as old where i.id = old.id",
        None,
    )
}
impl DeleteOldLettersStmt {
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
        name: &'a T1,
        before: &'a jiff::Timestamp,
        most: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[name, before, most])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::StringSql>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteOldLettersParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteOldLettersStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteOldLettersParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.name, &params.before, &params.most))
    }
}
pub struct InsertInboxGrantStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_inbox_grant() -> InsertInboxGrantStmt {
    InsertInboxGrantStmt(
        "insert into workmill.inbox_grant (ns, role) values ($1, $2::text::name) on conflict do nothing",
        None,
    )
}
impl InsertInboxGrantStmt {
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
        name: &'a T1,
        role: &'a T2,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[name, role])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::StringSql, T2: crate::StringSql>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertInboxGrantParams<T1, T2>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertInboxGrantStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertInboxGrantParams<T1, T2>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.name, &params.role))
    }
}
pub struct DeleteInboxGrantStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_inbox_grant() -> DeleteInboxGrantStmt {
    DeleteInboxGrantStmt(
        "delete from workmill.inbox_grant where ns = $1 and role = $2::text::name",
        None,
    )
}
impl DeleteInboxGrantStmt {
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
        name: &'a T1,
        role: &'a T2,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[name, role])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::StringSql, T2: crate::StringSql>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteInboxGrantParams<T1, T2>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteInboxGrantStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteInboxGrantParams<T1, T2>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.name, &params.role))
    }
}
pub struct CountInboxGrantsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn count_inbox_grants() -> CountInboxGrantsStmt {
    CountInboxGrantsStmt(
        "select count(*) from workmill.inbox_grant where role = $1::text::name",
        None,
    )
}
impl CountInboxGrantsStmt {
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
        role: &'a T1,
    ) -> I64Query<'c, 'a, 's, C, i64, 1> {
        I64Query {
            client,
            params: [role],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
pub struct IsRoleStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn is_role() -> IsRoleStmt {
    IsRoleStmt(
        "select count(*) > 0 from pg_catalog.pg_roles where rolname = $1::text::name",
        None,
    )
}
impl IsRoleStmt {
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
        role: &'a T1,
    ) -> BoolQuery<'c, 'a, 's, C, bool, 1> {
        BoolQuery {
            client,
            params: [role],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
pub struct HasCitusStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn has_citus() -> HasCitusStmt {
    HasCitusStmt(
        "select count(*) > 0 from pg_catalog.pg_extension where extname = 'citus'",
        None,
    )
}
impl HasCitusStmt {
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
    ) -> BoolQuery<'c, 'a, 's, C, bool, 0> {
        BoolQuery {
            client,
            params: [],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
