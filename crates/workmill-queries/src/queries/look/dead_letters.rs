// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct FindDeadLettersParams<T1: crate::StringSql> {
    pub ns: i64,
    pub after: uuid::Uuid,
    pub type_name: Option<T1>,
    pub fingerprint: Option<i64>,
    pub most: i64,
}
#[derive(Debug)]
pub struct CountDeadLettersParams<T1: crate::StringSql> {
    pub ns: i64,
    pub type_name: Option<T1>,
    pub fingerprint: Option<i64>,
}
#[derive(Clone, Copy, Debug)]
pub struct GroupDeadLettersParams {
    pub ns: i64,
    pub most: i64,
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindDeadLetters {
    pub task: uuid::Uuid,
    pub at: jiff::Timestamp,
    pub cause: String,
    pub reason: String,
    pub fingerprint: i64,
    pub is_reviewed: bool,
}
pub struct FindDeadLettersBorrowed<'a> {
    pub task: uuid::Uuid,
    pub at: jiff::Timestamp,
    pub cause: &'a str,
    pub reason: &'a str,
    pub fingerprint: i64,
    pub is_reviewed: bool,
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
        }: FindDeadLettersBorrowed<'a>,
    ) -> Self {
        Self {
            task,
            at,
            cause: cause.into(),
            reason: reason.into(),
            fingerprint,
            is_reviewed,
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
pub struct FindDeadLettersStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_dead_letters() -> FindDeadLettersStmt {
    FindDeadLettersStmt(
        "select d.task, d.at, d.cause, d.reason, d.fingerprint, d.is_reviewed from workmill.dead_letter d join workmill.state s on s.ns = d.ns and s.task = d.task join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version where d.ns = $1 and s.ns = $1 and p.ns = $1 and d.task > $2 and ($3::text is null or p.body ->> 'type' = $3) and ($4::bigint is null or d.fingerprint = $4) order by d.task limit $5",
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
    pub fn bind<'c, 'a, 's, C: GenericClient, T1: crate::StringSql>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        after: &'a uuid::Uuid,
        type_name: &'a Option<T1>,
        fingerprint: &'a Option<i64>,
        most: &'a i64,
    ) -> FindDeadLettersQuery<'c, 'a, 's, C, FindDeadLetters, 5> {
        FindDeadLettersQuery {
            client,
            params: [ns, after, type_name, fingerprint, most],
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
                })
            },
            mapper: |it| FindDeadLetters::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::StringSql>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindDeadLettersParams<T1>,
        FindDeadLettersQuery<'c, 'a, 's, C, FindDeadLetters, 5>,
        C,
    > for FindDeadLettersStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindDeadLettersParams<T1>,
    ) -> FindDeadLettersQuery<'c, 'a, 's, C, FindDeadLetters, 5> {
        self.bind(
            client,
            &params.ns,
            &params.after,
            &params.type_name,
            &params.fingerprint,
            &params.most,
        )
    }
}
pub struct CountDeadLettersStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn count_dead_letters() -> CountDeadLettersStmt {
    CountDeadLettersStmt(
        "select count(*) as letters from workmill.dead_letter d join workmill.state s on s.ns = d.ns and s.task = d.task join workmill.spec p on p.ns = s.ns and p.task = s.task and p.version = s.spec_version where d.ns = $1 and s.ns = $1 and p.ns = $1 and ($2::text is null or p.body ->> 'type' = $2) and ($3::bigint is null or d.fingerprint = $3)",
        None,
    )
}
impl CountDeadLettersStmt {
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
        type_name: &'a Option<T1>,
        fingerprint: &'a Option<i64>,
    ) -> I64Query<'c, 'a, 's, C, i64, 3> {
        I64Query {
            client,
            params: [ns, type_name, fingerprint],
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
        CountDeadLettersParams<T1>,
        I64Query<'c, 'a, 's, C, i64, 3>,
        C,
    > for CountDeadLettersStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a CountDeadLettersParams<T1>,
    ) -> I64Query<'c, 'a, 's, C, i64, 3> {
        self.bind(client, &params.ns, &params.type_name, &params.fingerprint)
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
