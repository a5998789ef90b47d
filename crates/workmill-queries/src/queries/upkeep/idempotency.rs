// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct FindServedKeysParams<T1: crate::StringSql> {
    pub ns: i64,
    pub after: T1,
    pub most: i64,
    pub ended_before: jiff::Timestamp,
}
#[derive(Debug)]
pub struct MarkEndedKeysParams<T1: crate::StringSql, T2: crate::ArraySql<Item = T1>> {
    pub now: jiff::Timestamp,
    pub ns: i64,
    pub keys: T2,
}
#[derive(Debug)]
pub struct UnmarkEndedKeysParams<T1: crate::StringSql, T2: crate::ArraySql<Item = T1>> {
    pub ns: i64,
    pub keys: T2,
    pub ended_before: jiff::Timestamp,
}
#[derive(Debug)]
pub struct DeleteServedKeysParams<T1: crate::StringSql, T2: crate::ArraySql<Item = T1>> {
    pub ns: i64,
    pub keys: T2,
    pub ended_before: jiff::Timestamp,
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindServedKeys {
    pub key: String,
    pub ended_at: Option<jiff::Timestamp>,
    pub has_ended: bool,
}
pub struct FindServedKeysBorrowed<'a> {
    pub key: &'a str,
    pub ended_at: Option<jiff::Timestamp>,
    pub has_ended: bool,
}
impl<'a> From<FindServedKeysBorrowed<'a>> for FindServedKeys {
    fn from(
        FindServedKeysBorrowed {
            key,
            ended_at,
            has_ended,
        }: FindServedKeysBorrowed<'a>,
    ) -> Self {
        Self {
            key: key.into(),
            ended_at,
            has_ended,
        }
    }
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct FindServedKeysQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindServedKeysBorrowed, tokio_postgres::Error>,
    mapper: fn(FindServedKeysBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindServedKeysQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindServedKeysBorrowed) -> R,
    ) -> FindServedKeysQuery<'c, 'a, 's, C, R, N> {
        FindServedKeysQuery {
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
pub struct FindServedKeysStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_served_keys() -> FindServedKeysStmt {
    FindServedKeysStmt(
        "with page as ( select i.key, i.ended_at, i.tasks from workmill.idempotency i where i.ns = $1 and i.key > $2 order by i.key limit $3 ) select p.key, p.ended_at, (p.ended_at is null or p.ended_at <= $4) and ( select count(*) = 0 from unnest(p.tasks) as t (task) cross join lateral ( select o.state from workmill.state o where o.ns = $1 and o.task = t.task limit 1 ) as s where s.state not in (8, 10, 11) ) as has_ended from page p order by p.key",
        None,
    )
}
impl FindServedKeysStmt {
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
        after: &'a T1,
        most: &'a i64,
        ended_before: &'a jiff::Timestamp,
    ) -> FindServedKeysQuery<'c, 'a, 's, C, FindServedKeys, 4> {
        FindServedKeysQuery {
            client,
            params: [ns, after, most, ended_before],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindServedKeysBorrowed, tokio_postgres::Error> {
                Ok(FindServedKeysBorrowed {
                    key: row.try_get(0)?,
                    ended_at: row.try_get(1)?,
                    has_ended: row.try_get(2)?,
                })
            },
            mapper: |it| FindServedKeys::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::StringSql>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindServedKeysParams<T1>,
        FindServedKeysQuery<'c, 'a, 's, C, FindServedKeys, 4>,
        C,
    > for FindServedKeysStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindServedKeysParams<T1>,
    ) -> FindServedKeysQuery<'c, 'a, 's, C, FindServedKeys, 4> {
        self.bind(
            client,
            &params.ns,
            &params.after,
            &params.most,
            &params.ended_before,
        )
    }
}
pub struct MarkEndedKeysStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn mark_ended_keys() -> MarkEndedKeysStmt {
    MarkEndedKeysStmt(
        "update workmill.idempotency i set ended_at = $1 where i.ns = $2 and i.key = any($3::text[]) and i.ended_at is null",
        None,
    )
}
impl MarkEndedKeysStmt {
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
    >(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        ns: &'a i64,
        keys: &'a T2,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[now, ns, keys])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::StringSql, T2: crate::ArraySql<Item = T1>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        MarkEndedKeysParams<T1, T2>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for MarkEndedKeysStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a MarkEndedKeysParams<T1, T2>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.now, &params.ns, &params.keys))
    }
}
pub struct UnmarkEndedKeysStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn unmark_ended_keys() -> UnmarkEndedKeysStmt {
    UnmarkEndedKeysStmt(
        "update workmill.idempotency i set ended_at = null where i.ns = $1 and i.key = any($2::text[]) and i.ended_at <= $3",
        None,
    )
}
impl UnmarkEndedKeysStmt {
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
    >(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        keys: &'a T2,
        ended_before: &'a jiff::Timestamp,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, keys, ended_before])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::StringSql, T2: crate::ArraySql<Item = T1>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        UnmarkEndedKeysParams<T1, T2>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for UnmarkEndedKeysStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a UnmarkEndedKeysParams<T1, T2>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.keys, &params.ended_before))
    }
}
pub struct DeleteServedKeysStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_served_keys() -> DeleteServedKeysStmt {
    DeleteServedKeysStmt(
        "delete from workmill.idempotency i where i.ns = $1 and i.key = any($2::text[]) and i.ended_at <= $3",
        None,
    )
}
impl DeleteServedKeysStmt {
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
    >(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        keys: &'a T2,
        ended_before: &'a jiff::Timestamp,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, keys, ended_before])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::StringSql, T2: crate::ArraySql<Item = T1>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteServedKeysParams<T1, T2>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteServedKeysStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteServedKeysParams<T1, T2>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.keys, &params.ended_before))
    }
}
