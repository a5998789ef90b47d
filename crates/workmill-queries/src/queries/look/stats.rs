// This file was generated with `cornucopia`. Do not modify.

#[derive(Clone, Copy, Debug)]
pub struct CountPlacesParams {
    pub ns: i64,
    pub most: i64,
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct CountPlaces {
    pub ready: i64,
    pub gated: i64,
    pub due: i64,
    pub leases: i64,
    pub blocked: i64,
    pub dead_letters: i64,
    pub finished: i64,
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct CountPlacesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<CountPlaces, tokio_postgres::Error>,
    mapper: fn(CountPlaces) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> CountPlacesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(CountPlaces) -> R) -> CountPlacesQuery<'c, 'a, 's, C, R, N> {
        CountPlacesQuery {
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
pub struct CountPlacesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn count_places() -> CountPlacesStmt {
    CountPlacesStmt(
        "select ( select count(*) from (select r.task from workmill.ready r where r.ns = $1 limit $2) as x ) as ready, ( select count(*) from (select g.task from workmill.gated g where g.ns = $1 limit $2) as x ) as gated, ( select count(*) from (select d.task from workmill.due d where d.ns = $1 limit $2) as x ) as due, ( select count(*) from (select l.task from workmill.lease l where l.ns = $1 limit $2) as x ) as leases, ( select count(*) from (select b.task from workmill.blocked b where b.ns = $1 limit $2) as x ) as blocked, ( select count(*) from (select d.task from workmill.dead_letter d where d.ns = $1 limit $2) as x ) as dead_letters, ( select count(*) from (select f.task from workmill.finished f where f.ns = $1 limit $2) as x ) as finished",
        None,
    )
}
impl CountPlacesStmt {
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
    ) -> CountPlacesQuery<'c, 'a, 's, C, CountPlaces, 2> {
        CountPlacesQuery {
            client,
            params: [ns, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row: &tokio_postgres::Row| -> Result<CountPlaces, tokio_postgres::Error> {
                Ok(CountPlaces {
                    ready: row.try_get(0)?,
                    gated: row.try_get(1)?,
                    due: row.try_get(2)?,
                    leases: row.try_get(3)?,
                    blocked: row.try_get(4)?,
                    dead_letters: row.try_get(5)?,
                    finished: row.try_get(6)?,
                })
            },
            mapper: |it| CountPlaces::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        CountPlacesParams,
        CountPlacesQuery<'c, 'a, 's, C, CountPlaces, 2>,
        C,
    > for CountPlacesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a CountPlacesParams,
    ) -> CountPlacesQuery<'c, 'a, 's, C, CountPlaces, 2> {
        self.bind(client, &params.ns, &params.most)
    }
}
