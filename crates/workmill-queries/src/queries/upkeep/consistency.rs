// This file was generated with `cornucopia`. Do not modify.

#[derive(Clone, Copy, Debug)]
pub struct FindDisagreementsParams {
    pub ns: i64,
    pub after: uuid::Uuid,
    pub most: i64,
}
#[derive(Debug)]
pub struct FindReadyRowsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug)]
pub struct FindDueRowsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub tasks: T1,
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindDisagreements {
    pub task: uuid::Uuid,
    pub is_wrong_in_ready: bool,
    pub is_wrong_in_due: bool,
    pub has_lost_its_lease: bool,
    pub has_wrong_counter: bool,
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct FindReadyRows {
    pub lane: i64,
    pub rank: i64,
    pub task: uuid::Uuid,
    pub is_gated: bool,
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct FindDisagreementsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindDisagreements, tokio_postgres::Error>,
    mapper: fn(FindDisagreements) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindDisagreementsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindDisagreements) -> R,
    ) -> FindDisagreementsQuery<'c, 'a, 's, C, R, N> {
        FindDisagreementsQuery {
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
pub struct FindReadyRowsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindReadyRows, tokio_postgres::Error>,
    mapper: fn(FindReadyRows) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindReadyRowsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(self, mapper: fn(FindReadyRows) -> R) -> FindReadyRowsQuery<'c, 'a, 's, C, R, N> {
        FindReadyRowsQuery {
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
pub struct FindDisagreementsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_disagreements() -> FindDisagreementsStmt {
    FindDisagreementsStmt(
        "with page as ( select s.task, s.state, s.lane, s.rank, s.due, s.unmet, s.epoch, s.on_dependency_failure from workmill.state s where s.ns = $1 and s.task > $2 order by s.task limit $3 ) select p.task, (p.state = 2) is distinct from ( ( select count(*) from workmill.ready r where r.ns = $1 and r.lane = p.lane and r.rank = p.rank and r.task = p.task ) + ( select count(*) from workmill.gated g where g.ns = $1 and g.task = p.task and g.lane = p.lane and g.rank = p.rank ) = 1 ) as is_wrong_in_ready, (p.state = 7 or (p.state = 1 and p.unmet = 0)) is distinct from ( select count(*) > 0 from workmill.due d where d.ns = $1 and d.at = p.due and d.task = p.task ) as is_wrong_in_due, p.state in (3, 4, 5) and ( select count(*) = 0 from workmill.lease l where l.ns = $1 and l.task = p.task and l.epoch = p.epoch ) as has_lost_its_lease, p.unmet is distinct from ( select count(*)::integer from workmill.edge g cross join lateral ( select t.state, t.freed_runners from workmill.state t where t.ns = $1 and t.task = g.depends_on limit 1 ) as o where g.ns = $1 and g.task = p.task and o.state <> 8 and not (p.on_dependency_failure = 3 and (o.state in (9, 10, 11) or o.freed_runners)) ) as has_wrong_counter from page p order by p.task",
        None,
    )
}
impl FindDisagreementsStmt {
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
        most: &'a i64,
    ) -> FindDisagreementsQuery<'c, 'a, 's, C, FindDisagreements, 3> {
        FindDisagreementsQuery {
            client,
            params: [ns, after, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<FindDisagreements, tokio_postgres::Error> {
                    Ok(FindDisagreements {
                        task: row.try_get(0)?,
                        is_wrong_in_ready: row.try_get(1)?,
                        is_wrong_in_due: row.try_get(2)?,
                        has_lost_its_lease: row.try_get(3)?,
                        has_wrong_counter: row.try_get(4)?,
                    })
                },
            mapper: |it| FindDisagreements::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindDisagreementsParams,
        FindDisagreementsQuery<'c, 'a, 's, C, FindDisagreements, 3>,
        C,
    > for FindDisagreementsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindDisagreementsParams,
    ) -> FindDisagreementsQuery<'c, 'a, 's, C, FindDisagreements, 3> {
        self.bind(client, &params.ns, &params.after, &params.most)
    }
}
pub struct FindReadyRowsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_ready_rows() -> FindReadyRowsStmt {
    FindReadyRowsStmt(
        "select r.lane, r.rank, r.task, false as is_gated from workmill.ready r where r.ns = $1 and r.task = any($2::uuid[]) union all select g.lane, g.rank, g.task, true from unnest($2::uuid[]) as u (task) cross join lateral ( select t.lane, t.rank, t.task from workmill.gated t where t.ns = $1 and t.task = u.task offset 0 ) as g",
        None,
    )
}
impl FindReadyRowsStmt {
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
        ns: &'a i64,
        tasks: &'a T1,
    ) -> FindReadyRowsQuery<'c, 'a, 's, C, FindReadyRows, 2> {
        FindReadyRowsQuery {
            client,
            params: [ns, tasks],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row: &tokio_postgres::Row| -> Result<FindReadyRows, tokio_postgres::Error> {
                Ok(FindReadyRows {
                    lane: row.try_get(0)?,
                    rank: row.try_get(1)?,
                    task: row.try_get(2)?,
                    is_gated: row.try_get(3)?,
                })
            },
            mapper: |it| FindReadyRows::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindReadyRowsParams<T1>,
        FindReadyRowsQuery<'c, 'a, 's, C, FindReadyRows, 2>,
        C,
    > for FindReadyRowsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindReadyRowsParams<T1>,
    ) -> FindReadyRowsQuery<'c, 'a, 's, C, FindReadyRows, 2> {
        self.bind(client, &params.ns, &params.tasks)
    }
}
pub struct FindDueRowsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_due_rows() -> FindDueRowsStmt {
    FindDueRowsStmt(
        "select task from workmill.due where ns = $1 and task = any($2::uuid[])",
        None,
    )
}
impl FindDueRowsStmt {
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
        ns: &'a i64,
        tasks: &'a T1,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 2> {
        UuidUuidQuery {
            client,
            params: [ns, tasks],
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
        FindDueRowsParams<T1>,
        UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 2>,
        C,
    > for FindDueRowsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindDueRowsParams<T1>,
    ) -> UuidUuidQuery<'c, 'a, 's, C, uuid::Uuid, 2> {
        self.bind(client, &params.ns, &params.tasks)
    }
}
