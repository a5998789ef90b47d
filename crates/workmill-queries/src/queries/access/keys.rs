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
#[derive(Debug)]
pub struct FindNamespacesParams<T1: crate::StringSql> {
    pub after: T1,
    pub most: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct RevokeKeyParams {
    pub now: jiff::Timestamp,
    pub ns: i64,
    pub id: uuid::Uuid,
}
#[derive(Debug)]
pub struct RotateKeyParams<T1: crate::BytesSql> {
    pub old_until: jiff::Timestamp,
    pub hash: T1,
    pub now: jiff::Timestamp,
    pub ns: i64,
    pub id: uuid::Uuid,
}
#[derive(Clone, Copy, Debug)]
pub struct NoteUseParams {
    pub now: jiff::Timestamp,
    pub ns: i64,
    pub id: uuid::Uuid,
}
#[derive(Debug)]
pub struct FindGoodKeysParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::BytesSql,
    T3: crate::ArraySql<Item = T2>,
> {
    pub ids: T1,
    pub hashes: T3,
}
#[derive(Debug)]
pub struct ListKeysParams<T1: crate::StringSql> {
    pub after: uuid::Uuid,
    pub with_revoked: bool,
    pub namespace: Option<T1>,
    pub most: i64,
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindNamespaces {
    pub name: String,
    pub created_at: jiff::Timestamp,
}
pub struct FindNamespacesBorrowed<'a> {
    pub name: &'a str,
    pub created_at: jiff::Timestamp,
}
impl<'a> From<FindNamespacesBorrowed<'a>> for FindNamespaces {
    fn from(FindNamespacesBorrowed { name, created_at }: FindNamespacesBorrowed<'a>) -> Self {
        Self {
            name: name.into(),
            created_at,
        }
    }
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
pub struct RotateKey {
    pub name: String,
    pub role: String,
}
pub struct RotateKeyBorrowed<'a> {
    pub name: &'a str,
    pub role: &'a str,
}
impl<'a> From<RotateKeyBorrowed<'a>> for RotateKey {
    fn from(RotateKeyBorrowed { name, role }: RotateKeyBorrowed<'a>) -> Self {
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
    pub hash: Vec<u8>,
    pub until: Option<jiff::Timestamp>,
    pub namespace: String,
}
pub struct FindKeyByHashBorrowed<'a> {
    pub ns: i64,
    pub id: uuid::Uuid,
    pub name: &'a str,
    pub role: &'a str,
    pub hash: &'a [u8],
    pub until: Option<jiff::Timestamp>,
    pub namespace: &'a str,
}
impl<'a> From<FindKeyByHashBorrowed<'a>> for FindKeyByHash {
    fn from(
        FindKeyByHashBorrowed {
            ns,
            id,
            name,
            role,
            hash,
            until,
            namespace,
        }: FindKeyByHashBorrowed<'a>,
    ) -> Self {
        Self {
            ns,
            id,
            name: name.into(),
            role: role.into(),
            hash: hash.into(),
            until,
            namespace: namespace.into(),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindKeyById {
    pub ns: i64,
    pub id: uuid::Uuid,
    pub name: String,
    pub role: String,
    pub namespace: String,
}
pub struct FindKeyByIdBorrowed<'a> {
    pub ns: i64,
    pub id: uuid::Uuid,
    pub name: &'a str,
    pub role: &'a str,
    pub namespace: &'a str,
}
impl<'a> From<FindKeyByIdBorrowed<'a>> for FindKeyById {
    fn from(
        FindKeyByIdBorrowed {
            ns,
            id,
            name,
            role,
            namespace,
        }: FindKeyByIdBorrowed<'a>,
    ) -> Self {
        Self {
            ns,
            id,
            name: name.into(),
            role: role.into(),
            namespace: namespace.into(),
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindGoodKeys {
    pub id: uuid::Uuid,
    pub hash: Vec<u8>,
    pub old_hash: Option<Vec<u8>>,
    pub old_until: Option<jiff::Timestamp>,
}
pub struct FindGoodKeysBorrowed<'a> {
    pub id: uuid::Uuid,
    pub hash: &'a [u8],
    pub old_hash: Option<&'a [u8]>,
    pub old_until: Option<jiff::Timestamp>,
}
impl<'a> From<FindGoodKeysBorrowed<'a>> for FindGoodKeys {
    fn from(
        FindGoodKeysBorrowed {
            id,
            hash,
            old_hash,
            old_until,
        }: FindGoodKeysBorrowed<'a>,
    ) -> Self {
        Self {
            id,
            hash: hash.into(),
            old_hash: old_hash.map(|v| v.into()),
            old_until,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct ListKeys {
    pub id: uuid::Uuid,
    pub name: String,
    pub role: String,
    pub namespace: String,
    pub created_at: jiff::Timestamp,
    pub used_at: Option<jiff::Timestamp>,
    pub rotated_at: Option<jiff::Timestamp>,
    pub old_until: Option<jiff::Timestamp>,
    pub revoked_at: Option<jiff::Timestamp>,
}
pub struct ListKeysBorrowed<'a> {
    pub id: uuid::Uuid,
    pub name: &'a str,
    pub role: &'a str,
    pub namespace: &'a str,
    pub created_at: jiff::Timestamp,
    pub used_at: Option<jiff::Timestamp>,
    pub rotated_at: Option<jiff::Timestamp>,
    pub old_until: Option<jiff::Timestamp>,
    pub revoked_at: Option<jiff::Timestamp>,
}
impl<'a> From<ListKeysBorrowed<'a>> for ListKeys {
    fn from(
        ListKeysBorrowed {
            id,
            name,
            role,
            namespace,
            created_at,
            used_at,
            rotated_at,
            old_until,
            revoked_at,
        }: ListKeysBorrowed<'a>,
    ) -> Self {
        Self {
            id,
            name: name.into(),
            role: role.into(),
            namespace: namespace.into(),
            created_at,
            used_at,
            rotated_at,
            old_until,
            revoked_at,
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
pub struct FindNamespacesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindNamespacesBorrowed, tokio_postgres::Error>,
    mapper: fn(FindNamespacesBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindNamespacesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindNamespacesBorrowed) -> R,
    ) -> FindNamespacesQuery<'c, 'a, 's, C, R, N> {
        FindNamespacesQuery {
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
pub struct RotateKeyQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<RotateKeyBorrowed, tokio_postgres::Error>,
    mapper: fn(RotateKeyBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> RotateKeyQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(RotateKeyBorrowed) -> R) -> RotateKeyQuery<'c, 'a, 's, C, R, N> {
        RotateKeyQuery {
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
pub struct FindKeyByIdQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindKeyByIdBorrowed, tokio_postgres::Error>,
    mapper: fn(FindKeyByIdBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindKeyByIdQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindKeyByIdBorrowed) -> R,
    ) -> FindKeyByIdQuery<'c, 'a, 's, C, R, N> {
        FindKeyByIdQuery {
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
pub struct FindGoodKeysQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindGoodKeysBorrowed, tokio_postgres::Error>,
    mapper: fn(FindGoodKeysBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindGoodKeysQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindGoodKeysBorrowed) -> R,
    ) -> FindGoodKeysQuery<'c, 'a, 's, C, R, N> {
        FindGoodKeysQuery {
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
pub struct ListKeysQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<ListKeysBorrowed, tokio_postgres::Error>,
    mapper: fn(ListKeysBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> ListKeysQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(ListKeysBorrowed) -> R) -> ListKeysQuery<'c, 'a, 's, C, R, N> {
        ListKeysQuery {
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
pub struct Vecu8Query<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<&[u8], tokio_postgres::Error>,
    mapper: fn(&[u8]) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> Vecu8Query<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(&[u8]) -> R) -> Vecu8Query<'c, 'a, 's, C, R, N> {
        Vecu8Query {
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
pub struct FindNamespacesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_namespaces() -> FindNamespacesStmt {
    FindNamespacesStmt(
        "select name, created_at from workmill.namespace where name > $1 order by name limit $2",
        None,
    )
}
impl FindNamespacesStmt {
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
        after: &'a T1,
        most: &'a i64,
    ) -> FindNamespacesQuery<'c, 'a, 's, C, FindNamespaces, 2> {
        FindNamespacesQuery {
            client,
            params: [after, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindNamespacesBorrowed, tokio_postgres::Error> {
                Ok(FindNamespacesBorrowed {
                    name: row.try_get(0)?,
                    created_at: row.try_get(1)?,
                })
            },
            mapper: |it| FindNamespaces::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::StringSql>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindNamespacesParams<T1>,
        FindNamespacesQuery<'c, 'a, 's, C, FindNamespaces, 2>,
        C,
    > for FindNamespacesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindNamespacesParams<T1>,
    ) -> FindNamespacesQuery<'c, 'a, 's, C, FindNamespaces, 2> {
        self.bind(client, &params.after, &params.most)
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
pub struct RotateKeyStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn rotate_key() -> RotateKeyStmt {
    RotateKeyStmt(
        "update workmill.api_key set old_hash = hash, old_until = $1, hash = $2, rotated_at = $3 where ns = $4 and id = $5 and revoked_at is null returning name, role",
        None,
    )
}
impl RotateKeyStmt {
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
        old_until: &'a jiff::Timestamp,
        hash: &'a T1,
        now: &'a jiff::Timestamp,
        ns: &'a i64,
        id: &'a uuid::Uuid,
    ) -> RotateKeyQuery<'c, 'a, 's, C, RotateKey, 5> {
        RotateKeyQuery {
            client,
            params: [old_until, hash, now, ns, id],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<RotateKeyBorrowed, tokio_postgres::Error> {
                    Ok(RotateKeyBorrowed {
                        name: row.try_get(0)?,
                        role: row.try_get(1)?,
                    })
                },
            mapper: |it| RotateKey::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::BytesSql>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        RotateKeyParams<T1>,
        RotateKeyQuery<'c, 'a, 's, C, RotateKey, 5>,
        C,
    > for RotateKeyStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a RotateKeyParams<T1>,
    ) -> RotateKeyQuery<'c, 'a, 's, C, RotateKey, 5> {
        self.bind(
            client,
            &params.old_until,
            &params.hash,
            &params.now,
            &params.ns,
            &params.id,
        )
    }
}
pub struct NoteUseStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn note_use() -> NoteUseStmt {
    NoteUseStmt(
        "update workmill.api_key set used_at = $1::timestamptz where ns = $2 and id = $3 and (used_at is null or used_at < $1::timestamptz - interval '1 minute')",
        None,
    )
}
impl NoteUseStmt {
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
        now: &'a jiff::Timestamp,
        ns: &'a i64,
        id: &'a uuid::Uuid,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[now, ns, id])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        NoteUseParams,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for NoteUseStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a NoteUseParams,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.now, &params.ns, &params.id))
    }
}
pub struct FindKeyByHashStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_key_by_hash() -> FindKeyByHashStmt {
    FindKeyByHashStmt(
        "select k.ns, k.id, k.name, k.role, k.hash, k.until, n.name as namespace from ( select c.ns, c.id, c.name, c.role, c.hash, null::timestamptz as until from workmill.api_key c where c.hash = $1 and c.revoked_at is null union all select o.ns, o.id, o.name, o.role, o.old_hash as hash, o.old_until as until from workmill.api_key o where o.old_hash = $1 and o.revoked_at is null ) as k join workmill.namespace n on n.ns = k.ns limit 1",
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
                        hash: row.try_get(4)?,
                        until: row.try_get(5)?,
                        namespace: row.try_get(6)?,
                    })
                },
            mapper: |it| FindKeyByHash::from(it),
        }
    }
}
pub struct FindKeyByIdStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_key_by_id() -> FindKeyByIdStmt {
    FindKeyByIdStmt(
        "select k.ns, k.id, k.name, k.role, n.name as namespace from workmill.api_key k join workmill.namespace n on n.ns = k.ns where k.id = $1 and k.revoked_at is null",
        None,
    )
}
impl FindKeyByIdStmt {
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
        id: &'a uuid::Uuid,
    ) -> FindKeyByIdQuery<'c, 'a, 's, C, FindKeyById, 1> {
        FindKeyByIdQuery {
            client,
            params: [id],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindKeyByIdBorrowed, tokio_postgres::Error> {
                    Ok(FindKeyByIdBorrowed {
                        ns: row.try_get(0)?,
                        id: row.try_get(1)?,
                        name: row.try_get(2)?,
                        role: row.try_get(3)?,
                        namespace: row.try_get(4)?,
                    })
                },
            mapper: |it| FindKeyById::from(it),
        }
    }
}
pub struct FindGoodKeysStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_good_keys() -> FindGoodKeysStmt {
    FindGoodKeysStmt(
        "select k.id, k.hash, k.old_hash, k.old_until from workmill.api_key k where k.revoked_at is null and ( k.id = any($1::uuid[]) or k.hash = any($2::bytea[]) or k.old_hash = any($2::bytea[]) )",
        None,
    )
}
impl FindGoodKeysStmt {
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
        T2: crate::BytesSql,
        T3: crate::ArraySql<Item = T2>,
    >(
        &'s self,
        client: &'c C,
        ids: &'a T1,
        hashes: &'a T3,
    ) -> FindGoodKeysQuery<'c, 'a, 's, C, FindGoodKeys, 2> {
        FindGoodKeysQuery {
            client,
            params: [ids, hashes],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindGoodKeysBorrowed, tokio_postgres::Error> {
                    Ok(FindGoodKeysBorrowed {
                        id: row.try_get(0)?,
                        hash: row.try_get(1)?,
                        old_hash: row.try_get(2)?,
                        old_until: row.try_get(3)?,
                    })
                },
            mapper: |it| FindGoodKeys::from(it),
        }
    }
}
impl<
    'c,
    'a,
    's,
    C: GenericClient,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::BytesSql,
    T3: crate::ArraySql<Item = T2>,
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindGoodKeysParams<T1, T2, T3>,
        FindGoodKeysQuery<'c, 'a, 's, C, FindGoodKeys, 2>,
        C,
    > for FindGoodKeysStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindGoodKeysParams<T1, T2, T3>,
    ) -> FindGoodKeysQuery<'c, 'a, 's, C, FindGoodKeys, 2> {
        self.bind(client, &params.ids, &params.hashes)
    }
}
pub struct ListKeysStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn list_keys() -> ListKeysStmt {
    ListKeysStmt(
        "select k.id, k.name, k.role, n.name as namespace, k.created_at, k.used_at, k.rotated_at, k.old_until, k.revoked_at from workmill.api_key k join workmill.namespace n on n.ns = k.ns where k.id > $1 and ($2::boolean or k.revoked_at is null) and ($3::text is null or n.name = $3) order by k.id limit $4",
        None,
    )
}
impl ListKeysStmt {
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
        after: &'a uuid::Uuid,
        with_revoked: &'a bool,
        namespace: &'a Option<T1>,
        most: &'a i64,
    ) -> ListKeysQuery<'c, 'a, 's, C, ListKeys, 4> {
        ListKeysQuery {
            client,
            params: [after, with_revoked, namespace, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<ListKeysBorrowed, tokio_postgres::Error> {
                    Ok(ListKeysBorrowed {
                        id: row.try_get(0)?,
                        name: row.try_get(1)?,
                        role: row.try_get(2)?,
                        namespace: row.try_get(3)?,
                        created_at: row.try_get(4)?,
                        used_at: row.try_get(5)?,
                        rotated_at: row.try_get(6)?,
                        old_until: row.try_get(7)?,
                        revoked_at: row.try_get(8)?,
                    })
                },
            mapper: |it| ListKeys::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::StringSql>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        ListKeysParams<T1>,
        ListKeysQuery<'c, 'a, 's, C, ListKeys, 4>,
        C,
    > for ListKeysStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a ListKeysParams<T1>,
    ) -> ListKeysQuery<'c, 'a, 's, C, ListKeys, 4> {
        self.bind(
            client,
            &params.after,
            &params.with_revoked,
            &params.namespace,
            &params.most,
        )
    }
}
pub struct InsertSecretStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_secret() -> InsertSecretStmt {
    InsertSecretStmt(
        "insert into workmill.secret (one_row, lease_tokens) values (true, $1) on conflict do nothing",
        None,
    )
}
impl InsertSecretStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::BytesSql>(
        &'s self,
        client: &'c C,
        lease_tokens: &'a T1,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[lease_tokens])
            .await
    }
}
pub struct FindSecretStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_secret() -> FindSecretStmt {
    FindSecretStmt("select lease_tokens from workmill.secret", None)
}
impl FindSecretStmt {
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
    ) -> Vecu8Query<'c, 'a, 's, C, Vec<u8>, 0> {
        Vecu8Query {
            client,
            params: [],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it.into(),
        }
    }
}
