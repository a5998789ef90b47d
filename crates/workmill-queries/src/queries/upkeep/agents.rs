// This file was generated with `cornucopia`. Do not modify.

#[derive(Clone, Copy, Debug)]
pub struct FindRestlessAgentsOfNamespaceParams {
    pub ns: i64,
    pub now: jiff::Timestamp,
    pub removed_since: jiff::Timestamp,
    pub least_interval_ms: i64,
    pub intervals: i64,
    pub written_until: jiff::Timestamp,
    pub most: i64,
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
pub struct FindRestlessAgentsOfNamespaceStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_restless_agents_of_namespace() -> FindRestlessAgentsOfNamespaceStmt {
    FindRestlessAgentsOfNamespaceStmt(
        "select a.agent from workmill.agent a cross join lateral ( select count(*) > 0 as is_holding from ( select l.task from workmill.lease l where l.ns = $1 and l.agent = a.agent and l.renewed_at + l.ttl_ms * interval '1 millisecond' > $2 limit 1 ) as t ) as h where a.ns = $1 and case when a.silent_since is not null then h.is_holding or a.is_by_hand and a.silent_since <= $3 else not h.is_holding and a.seen_at + greatest(a.poll_interval_ms, $4::bigint) * $5::bigint * interval '1 millisecond' <= $6 end order by a.agent limit $7",
        None,
    )
}
impl FindRestlessAgentsOfNamespaceStmt {
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
        now: &'a jiff::Timestamp,
        removed_since: &'a jiff::Timestamp,
        least_interval_ms: &'a i64,
        intervals: &'a i64,
        written_until: &'a jiff::Timestamp,
        most: &'a i64,
    ) -> StringQuery<'c, 'a, 's, C, String, 7> {
        StringQuery {
            client,
            params: [
                ns,
                now,
                removed_since,
                least_interval_ms,
                intervals,
                written_until,
                most,
            ],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it.into(),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindRestlessAgentsOfNamespaceParams,
        StringQuery<'c, 'a, 's, C, String, 7>,
        C,
    > for FindRestlessAgentsOfNamespaceStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindRestlessAgentsOfNamespaceParams,
    ) -> StringQuery<'c, 'a, 's, C, String, 7> {
        self.bind(
            client,
            &params.ns,
            &params.now,
            &params.removed_since,
            &params.least_interval_ms,
            &params.intervals,
            &params.written_until,
            &params.most,
        )
    }
}
