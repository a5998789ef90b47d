// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct AddToTalliesParams<
    T1: crate::ArraySql<Item = jiff::Timestamp>,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = T2>,
    T4: crate::StringSql,
    T5: crate::ArraySql<Item = T4>,
    T6: crate::ArraySql<Item = i64>,
    T7: crate::ArraySql<Item = i64>,
> {
    pub hours: T1,
    pub agents: T3,
    pub models: T5,
    pub completed: T6,
    pub failed: T7,
    pub ns: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct DeleteOldTalliesParams {
    pub ns: i64,
    pub before: jiff::Timestamp,
    pub most: i64,
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
pub struct AddToTalliesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn add_to_tallies() -> AddToTalliesStmt {
    AddToTalliesStmt(
        "insert into workmill.attempt_tally (ns, hour, agent, model, completed, failed) select a.ns, u.hour, u.agent, u.model, u.completed, u.failed from workmill.anchor a, unnest( $1::timestamptz[], $2::text[], $3::text[], $4::bigint[], $5::bigint[] ) as u (hour, agent, model, completed, failed) where a.ns = $6 order by u.hour, u.agent, u.model on conflict (ns, hour, agent, model) do update set completed = attempt_tally.completed + excluded.completed, failed = attempt_tally.failed + excluded.failed",
        None,
    )
}
impl AddToTalliesStmt {
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
        T1: crate::ArraySql<Item = jiff::Timestamp>,
        T2: crate::StringSql,
        T3: crate::ArraySql<Item = T2>,
        T4: crate::StringSql,
        T5: crate::ArraySql<Item = T4>,
        T6: crate::ArraySql<Item = i64>,
        T7: crate::ArraySql<Item = i64>,
    >(
        &'s self,
        client: &'c C,
        hours: &'a T1,
        agents: &'a T3,
        models: &'a T5,
        completed: &'a T6,
        failed: &'a T7,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[hours, agents, models, completed, failed, ns],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = jiff::Timestamp>,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = T2>,
    T4: crate::StringSql,
    T5: crate::ArraySql<Item = T4>,
    T6: crate::ArraySql<Item = i64>,
    T7: crate::ArraySql<Item = i64>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        AddToTalliesParams<T1, T2, T3, T4, T5, T6, T7>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for AddToTalliesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a AddToTalliesParams<T1, T2, T3, T4, T5, T6, T7>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.hours,
            &params.agents,
            &params.models,
            &params.completed,
            &params.failed,
            &params.ns,
        ))
    }
}
pub struct FindNamespacesWithOldTalliesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_namespaces_with_old_tallies() -> FindNamespacesWithOldTalliesStmt {
    FindNamespacesWithOldTalliesStmt(
        "select a.ns from workmill.anchor a cross join lateral ( select t.hour from workmill.attempt_tally t where t.ns = a.ns order by t.hour, t.agent, t.model limit 1 ) as oldest where oldest.hour < $1 order by a.ns",
        None,
    )
}
impl FindNamespacesWithOldTalliesStmt {
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
    ) -> I64Query<'c, 'a, 's, C, i64, 1> {
        I64Query {
            client,
            params: [before],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
pub struct DeleteOldTalliesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_old_tallies() -> DeleteOldTalliesStmt {
    DeleteOldTalliesStmt(
        "delete from workmill.attempt_tally t where t.ns = $1 and t.ctid = any( array( select k.ctid from workmill.attempt_tally k where k.ns = $1 and k.hour < $2 order by k.hour, k.agent, k.model limit $3 ) )",
        None,
    )
}
impl DeleteOldTalliesStmt {
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
        before: &'a jiff::Timestamp,
        most: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, before, most])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteOldTalliesParams,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteOldTalliesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteOldTalliesParams,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.before, &params.most))
    }
}
