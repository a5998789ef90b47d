// This file was generated with `cornucopia`. Do not modify.

#[derive(Clone, Copy, Debug)]
pub struct TakePendingParams {
    pub ns: i64,
    pub most: i64,
}
#[derive(Debug)]
pub struct InsertOrderParams<
    T1: crate::ArraySql<Item = i64>,
    T2: crate::ArraySql<Item = uuid::Uuid>,
> {
    pub seqs: T1,
    pub batches: T2,
    pub ns: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct UpdateSequenceParams {
    pub seq: i64,
    pub ns: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct ReadAfterParams {
    pub until: i64,
    pub after: i64,
    pub ns: i64,
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct TakePending {
    pub written_at: jiff::Timestamp,
    pub batch: uuid::Uuid,
    pub facts: i32,
}
#[derive(Debug, Clone, PartialEq)]
pub struct ReadAfter {
    pub seq: i64,
    pub at: jiff::Timestamp,
    pub facts: serde_json::Value,
}
pub struct ReadAfterBorrowed<'a> {
    pub seq: i64,
    pub at: jiff::Timestamp,
    pub facts: postgres_types::Json<&'a serde_json::value::RawValue>,
}
impl<'a> From<ReadAfterBorrowed<'a>> for ReadAfter {
    fn from(ReadAfterBorrowed { seq, at, facts }: ReadAfterBorrowed<'a>) -> Self {
        Self {
            seq,
            at,
            facts: serde_json::from_str(facts.0.get()).unwrap(),
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
pub struct TakePendingQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<TakePending, tokio_postgres::Error>,
    mapper: fn(TakePending) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> TakePendingQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(TakePending) -> R) -> TakePendingQuery<'c, 'a, 's, C, R, N> {
        TakePendingQuery {
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
pub struct ReadAfterQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<ReadAfterBorrowed, tokio_postgres::Error>,
    mapper: fn(ReadAfterBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> ReadAfterQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(ReadAfterBorrowed) -> R) -> ReadAfterQuery<'c, 'a, 's, C, R, N> {
        ReadAfterQuery {
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
pub struct FindNamespacesWithPendingEventsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_namespaces_with_pending_events() -> FindNamespacesWithPendingEventsStmt {
    FindNamespacesWithPendingEventsStmt(
        "select a.ns from workmill.anchor a cross join lateral ( select p.batch from workmill.event_pending p where p.ns = a.ns order by p.written_at, p.batch limit 1 ) as head",
        None,
    )
}
impl FindNamespacesWithPendingEventsStmt {
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
    ) -> I64Query<'c, 'a, 's, C, i64, 0> {
        I64Query {
            client,
            params: [],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
pub struct InsertSequenceStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_sequence() -> InsertSequenceStmt {
    InsertSequenceStmt(
        "insert into workmill.event_sequence (ns, seq) values ($1, 0) on conflict do nothing",
        None,
    )
}
impl InsertSequenceStmt {
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
pub struct LockSequenceStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_sequence() -> LockSequenceStmt {
    LockSequenceStmt(
        "select seq from workmill.event_sequence where ns = $1 for update skip locked",
        None,
    )
}
impl LockSequenceStmt {
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
    ) -> I64Query<'c, 'a, 's, C, i64, 1> {
        I64Query {
            client,
            params: [ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
pub struct TakePendingStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn take_pending() -> TakePendingStmt {
    TakePendingStmt(
        "with picked as ( select p.written_at, p.batch from workmill.event_pending p where p.ns = $1 order by p.written_at, p.batch limit $2 ) delete from workmill.event_pending p using picked k where p.ns = $1 and p.written_at = k.written_at and p.batch = k.batch returning p.written_at, p.batch, p.facts",
        None,
    )
}
impl TakePendingStmt {
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
    ) -> TakePendingQuery<'c, 'a, 's, C, TakePending, 2> {
        TakePendingQuery {
            client,
            params: [ns, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row: &tokio_postgres::Row| -> Result<TakePending, tokio_postgres::Error> {
                Ok(TakePending {
                    written_at: row.try_get(0)?,
                    batch: row.try_get(1)?,
                    facts: row.try_get(2)?,
                })
            },
            mapper: |it| TakePending::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        TakePendingParams,
        TakePendingQuery<'c, 'a, 's, C, TakePending, 2>,
        C,
    > for TakePendingStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a TakePendingParams,
    ) -> TakePendingQuery<'c, 'a, 's, C, TakePending, 2> {
        self.bind(client, &params.ns, &params.most)
    }
}
pub struct InsertOrderStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_order() -> InsertOrderStmt {
    InsertOrderStmt(
        "insert into workmill.event_order (ns, seq, batch) select a.ns, u.seq, u.batch from workmill.anchor a, unnest($1::bigint[], $2::uuid[]) as u (seq, batch) where a.ns = $3",
        None,
    )
}
impl InsertOrderStmt {
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
        T1: crate::ArraySql<Item = i64>,
        T2: crate::ArraySql<Item = uuid::Uuid>,
    >(
        &'s self,
        client: &'c C,
        seqs: &'a T1,
        batches: &'a T2,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[seqs, batches, ns])
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = i64>,
    T2: crate::ArraySql<Item = uuid::Uuid>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertOrderParams<T1, T2>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertOrderStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertOrderParams<T1, T2>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.seqs, &params.batches, &params.ns))
    }
}
pub struct FindLastPlaceStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_last_place() -> FindLastPlaceStmt {
    FindLastPlaceStmt(
        "select seq from workmill.event_sequence where ns = $1",
        None,
    )
}
impl FindLastPlaceStmt {
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
    ) -> I64Query<'c, 'a, 's, C, i64, 1> {
        I64Query {
            client,
            params: [ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
pub struct UpdateSequenceStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn update_sequence() -> UpdateSequenceStmt {
    UpdateSequenceStmt(
        "update workmill.event_sequence set seq = $1 where ns = $2",
        None,
    )
}
impl UpdateSequenceStmt {
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
        seq: &'a i64,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[seq, ns])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        UpdateSequenceParams,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for UpdateSequenceStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a UpdateSequenceParams,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.seq, &params.ns))
    }
}
pub struct ReadAfterStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn read_after() -> ReadAfterStmt {
    ReadAfterStmt(
        "select least(o.seq, $1) as seq, e.at, case when o.seq - c.facts >= $2 and o.seq <= $1 then e.facts else ( select json_agg(f.fact order by f.place) from json_array_elements(e.facts) with ordinality as f (fact, place) where o.seq - c.facts + f.place > $2 and o.seq - c.facts + f.place <= $1 ) end as facts from workmill.event_order o join workmill.event e on e.ns = o.ns and e.batch = o.batch cross join lateral (select json_array_length(e.facts) as facts offset 0) as c where o.ns = $3 and e.ns = $3 and o.seq > $2 and o.seq <= coalesce( ( select k.seq from workmill.event_order k where k.ns = $3 and k.seq >= $1 order by k.seq limit 1 ), $1::bigint ) and o.seq - c.facts < $1 order by o.seq",
        None,
    )
}
impl ReadAfterStmt {
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
        until: &'a i64,
        after: &'a i64,
        ns: &'a i64,
    ) -> ReadAfterQuery<'c, 'a, 's, C, ReadAfter, 3> {
        ReadAfterQuery {
            client,
            params: [until, after, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<ReadAfterBorrowed, tokio_postgres::Error> {
                    Ok(ReadAfterBorrowed {
                        seq: row.try_get(0)?,
                        at: row.try_get(1)?,
                        facts: row.try_get(2)?,
                    })
                },
            mapper: |it| ReadAfter::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        ReadAfterParams,
        ReadAfterQuery<'c, 'a, 's, C, ReadAfter, 3>,
        C,
    > for ReadAfterStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a ReadAfterParams,
    ) -> ReadAfterQuery<'c, 'a, 's, C, ReadAfter, 3> {
        self.bind(client, &params.until, &params.after, &params.ns)
    }
}
