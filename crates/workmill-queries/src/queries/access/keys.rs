// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct InsertNamespaceParams<T1: crate::StringSql> {
    pub ns: i64,
    pub name: T1,
    pub now: jiff::Timestamp,
}
#[derive(Debug)]
pub struct InsertKeyParams<T1: crate::StringSql, T2: crate::StringSql, T3: crate::BytesSql> {
    pub ns: i64,
    pub id: uuid::Uuid,
    pub name: T1,
    pub role: T2,
    pub hash: T3,
    pub now: jiff::Timestamp,
}
#[derive(Clone, Copy, Debug)]
pub struct RevokeKeyParams {
    pub now: jiff::Timestamp,
    pub ns: i64,
    pub id: uuid::Uuid,
}
#[derive(Debug, Clone, PartialEq)]
pub struct RevokeKey {
    pub name: String,
    pub role: String,
}
pub struct RevokeKeyBorrowed<'a> {
    pub name: &'a str,
    pub role: &'a str,
}
impl<'a> From<RevokeKeyBorrowed<'a>> for RevokeKey {
    fn from(RevokeKeyBorrowed { name, role }: RevokeKeyBorrowed<'a>) -> Self {
        Self {
            name: name.into(),
            role: role.into(),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindKeyByHash {
    pub ns: i64,
    pub id: uuid::Uuid,
    pub name: String,
    pub role: String,
}
pub struct FindKeyByHashBorrowed<'a> {
    pub ns: i64,
    pub id: uuid::Uuid,
    pub name: &'a str,
    pub role: &'a str,
}
impl<'a> From<FindKeyByHashBorrowed<'a>> for FindKeyByHash {
    fn from(FindKeyByHashBorrowed { ns, id, name, role }: FindKeyByHashBorrowed<'a>) -> Self {
        Self {
            ns,
            id,
            name: name.into(),
            role: role.into(),
        }
    }
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
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
pub struct RevokeKeyQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<RevokeKeyBorrowed, tokio_postgres::Error>,
    mapper: fn(RevokeKeyBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> RevokeKeyQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(RevokeKeyBorrowed) -> R) -> RevokeKeyQuery<'c, 'a, 's, C, R, N> {
        RevokeKeyQuery {
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
pub struct FindKeyByHashQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindKeyByHashBorrowed, tokio_postgres::Error>,
    mapper: fn(FindKeyByHashBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindKeyByHashQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindKeyByHashBorrowed) -> R,
    ) -> FindKeyByHashQuery<'c, 'a, 's, C, R, N> {
        FindKeyByHashQuery {
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
pub struct InsertNamespaceStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_namespace() -> InsertNamespaceStmt {
    InsertNamespaceStmt(
        "insert into workmill.namespace (ns, name, created_at) values ($1, $2, $3) on conflict do nothing",
        None,
    )
}
impl InsertNamespaceStmt {
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
        name: &'a T1,
        now: &'a jiff::Timestamp,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, name, now])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::StringSql>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertNamespaceParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertNamespaceStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertNamespaceParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.name, &params.now))
    }
}
pub struct InsertAnchorStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_anchor() -> InsertAnchorStmt {
    InsertAnchorStmt(
        "insert into workmill.anchor (ns) values ($1) on conflict do nothing",
        None,
    )
}
impl InsertAnchorStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client.execute(&client.prepare(self.0).await?, &[ns]).await
    }
}
pub struct FindNamespaceStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_namespace() -> FindNamespaceStmt {
    FindNamespaceStmt("select ns from workmill.namespace where name = $1", None)
}
impl FindNamespaceStmt {
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
    ) -> I64Query<'c, 'a, 's, C, i64, 1> {
        I64Query {
            client,
            params: [name],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
pub struct InsertKeyStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_key() -> InsertKeyStmt {
    InsertKeyStmt(
        "insert into workmill.api_key (ns, id, name, role, hash, created_at) values ($1, $2, $3, $4, $5, $6)",
        None,
    )
}
impl InsertKeyStmt {
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
        T3: crate::BytesSql,
    >(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        id: &'a uuid::Uuid,
        name: &'a T1,
        role: &'a T2,
        hash: &'a T3,
        now: &'a jiff::Timestamp,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[ns, id, name, role, hash, now],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::StringSql,
    T2: crate::StringSql,
    T3: crate::BytesSql,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertKeyParams<T1, T2, T3>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertKeyStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertKeyParams<T1, T2, T3>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.ns,
            &params.id,
            &params.name,
            &params.role,
            &params.hash,
            &params.now,
        ))
    }
}
pub struct RevokeKeyStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn revoke_key() -> RevokeKeyStmt {
    RevokeKeyStmt(
        "update workmill.api_key set revoked_at = $1 where ns = $2 and id = $3 and revoked_at is null returning name, role",
        None,
    )
}
impl RevokeKeyStmt {
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
        now: &'a jiff::Timestamp,
        ns: &'a i64,
        id: &'a uuid::Uuid,
    ) -> RevokeKeyQuery<'c, 'a, 's, C, RevokeKey, 3> {
        RevokeKeyQuery {
            client,
            params: [now, ns, id],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<RevokeKeyBorrowed, tokio_postgres::Error> {
                    Ok(RevokeKeyBorrowed {
                        name: row.try_get(0)?,
                        role: row.try_get(1)?,
                    })
                },
            mapper: |it| RevokeKey::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        RevokeKeyParams,
        RevokeKeyQuery<'c, 'a, 's, C, RevokeKey, 3>,
        C,
    > for RevokeKeyStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a RevokeKeyParams,
    ) -> RevokeKeyQuery<'c, 'a, 's, C, RevokeKey, 3> {
        self.bind(client, &params.now, &params.ns, &params.id)
    }
}
pub struct FindKeyByHashStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_key_by_hash() -> FindKeyByHashStmt {
    FindKeyByHashStmt(
        "select ns, id, name, role from workmill.api_key where hash = $1 and revoked_at is null",
        None,
    )
}
impl FindKeyByHashStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub fn bind<'c, 'a, 's, C: GenericClient, T1: crate::BytesSql>(
        &'s self,
        client: &'c C,
        hash: &'a T1,
    ) -> FindKeyByHashQuery<'c, 'a, 's, C, FindKeyByHash, 1> {
        FindKeyByHashQuery {
            client,
            params: [hash],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindKeyByHashBorrowed, tokio_postgres::Error> {
                    Ok(FindKeyByHashBorrowed {
                        ns: row.try_get(0)?,
                        id: row.try_get(1)?,
                        name: row.try_get(2)?,
                        role: row.try_get(3)?,
                    })
                },
            mapper: |it| FindKeyByHash::from(it),
        }
    }
}
