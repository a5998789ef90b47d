// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct LockEndedGraphsParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub graphs: T1,
    pub ns: i64,
    pub most: i64,
}
#[derive(Debug)]
pub struct LockEndedStandaloneTasksParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i16>,
> {
    pub graphs: T1,
    pub ns: i64,
    pub ended: T2,
    pub most: i64,
}
#[derive(Debug)]
pub struct InsertRetiredGatesParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = T2>,
    T4: crate::ArraySql<Item = Option<i64>>,
    T5: crate::ArraySql<Item = i64>,
    T6: crate::ArraySql<Item = i64>,
    T7: crate::StringSql,
    T8: crate::ArraySql<Item = T7>,
    T9: crate::ArraySql<Item = jiff::Timestamp>,
    T10: crate::StringSql,
    T11: crate::ArraySql<Item = Option<T10>>,
> {
    pub graphs: T1,
    pub gates: T3,
    pub caps: T4,
    pub spent: T5,
    pub graphs_spent: T6,
    pub set_by: T8,
    pub set_ats: T9,
    pub notes: T11,
    pub ns: i64,
}
#[derive(Debug)]
pub struct FindRetiredGatesParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub graphs: T1,
    pub ns: i64,
}
#[derive(Clone, Copy, Debug)]
pub struct FindLastRetiredGatesParams {
    pub ns: i64,
    pub most: i64,
}
#[derive(Debug)]
pub struct HasGatesParams<
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::ArraySql<Item = uuid::Uuid>,
> {
    pub ns: i64,
    pub gates: T2,
    pub graphs: T3,
}
#[derive(Debug)]
pub struct DeleteRetiredGatesParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub ns: i64,
    pub graphs: T1,
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct LockEndedGraphs {
    pub graph: uuid::Uuid,
    pub spent_micros: i64,
}
#[derive(Debug, Clone, PartialEq, Copy)]
pub struct LockEndedStandaloneTasks {
    pub graph: uuid::Uuid,
    pub spent_micros: i64,
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindRetiredGates {
    pub graph: uuid::Uuid,
    pub gate: String,
    pub cap: Option<i64>,
    pub spent: i64,
    pub graph_spent: i64,
    pub set_by: String,
    pub set_at: jiff::Timestamp,
    pub note: Option<String>,
    pub spent_micros: i64,
}
pub struct FindRetiredGatesBorrowed<'a> {
    pub graph: uuid::Uuid,
    pub gate: &'a str,
    pub cap: Option<i64>,
    pub spent: i64,
    pub graph_spent: i64,
    pub set_by: &'a str,
    pub set_at: jiff::Timestamp,
    pub note: Option<&'a str>,
    pub spent_micros: i64,
}
impl<'a> From<FindRetiredGatesBorrowed<'a>> for FindRetiredGates {
    fn from(
        FindRetiredGatesBorrowed {
            graph,
            gate,
            cap,
            spent,
            graph_spent,
            set_by,
            set_at,
            note,
            spent_micros,
        }: FindRetiredGatesBorrowed<'a>,
    ) -> Self {
        Self {
            graph,
            gate: gate.into(),
            cap,
            spent,
            graph_spent,
            set_by: set_by.into(),
            set_at,
            note: note.map(|v| v.into()),
            spent_micros,
        }
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FindLastRetiredGates {
    pub gate: String,
    pub cap: Option<i64>,
    pub spent: i64,
    pub set_by: String,
    pub set_at: jiff::Timestamp,
    pub note: Option<String>,
}
pub struct FindLastRetiredGatesBorrowed<'a> {
    pub gate: &'a str,
    pub cap: Option<i64>,
    pub spent: i64,
    pub set_by: &'a str,
    pub set_at: jiff::Timestamp,
    pub note: Option<&'a str>,
}
impl<'a> From<FindLastRetiredGatesBorrowed<'a>> for FindLastRetiredGates {
    fn from(
        FindLastRetiredGatesBorrowed {
            gate,
            cap,
            spent,
            set_by,
            set_at,
            note,
        }: FindLastRetiredGatesBorrowed<'a>,
    ) -> Self {
        Self {
            gate: gate.into(),
            cap,
            spent,
            set_by: set_by.into(),
            set_at,
            note: note.map(|v| v.into()),
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
pub struct LockEndedGraphsQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<LockEndedGraphs, tokio_postgres::Error>,
    mapper: fn(LockEndedGraphs) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> LockEndedGraphsQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(LockEndedGraphs) -> R,
    ) -> LockEndedGraphsQuery<'c, 'a, 's, C, R, N> {
        LockEndedGraphsQuery {
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
pub struct LockEndedStandaloneTasksQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<LockEndedStandaloneTasks, tokio_postgres::Error>,
    mapper: fn(LockEndedStandaloneTasks) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> LockEndedStandaloneTasksQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(LockEndedStandaloneTasks) -> R,
    ) -> LockEndedStandaloneTasksQuery<'c, 'a, 's, C, R, N> {
        LockEndedStandaloneTasksQuery {
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
pub struct FindRetiredGatesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor: fn(&tokio_postgres::Row) -> Result<FindRetiredGatesBorrowed, tokio_postgres::Error>,
    mapper: fn(FindRetiredGatesBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindRetiredGatesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindRetiredGatesBorrowed) -> R,
    ) -> FindRetiredGatesQuery<'c, 'a, 's, C, R, N> {
        FindRetiredGatesQuery {
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
pub struct FindLastRetiredGatesQuery<'c, 'a, 's, C: GenericClient, T, const N: usize> {
    client: &'c C,
    params: [&'a (dyn postgres_types::ToSql + Sync); N],
    query: &'static str,
    cached: Option<&'s tokio_postgres::Statement>,
    extractor:
        fn(&tokio_postgres::Row) -> Result<FindLastRetiredGatesBorrowed, tokio_postgres::Error>,
    mapper: fn(FindLastRetiredGatesBorrowed) -> T,
}
impl<'c, 'a, 's, C, T: 'c, const N: usize> FindLastRetiredGatesQuery<'c, 'a, 's, C, T, N>
where
    C: GenericClient,
{
    pub fn map<R>(
        self,
        mapper: fn(FindLastRetiredGatesBorrowed) -> R,
    ) -> FindLastRetiredGatesQuery<'c, 'a, 's, C, R, N> {
        FindLastRetiredGatesQuery {
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
pub struct FindNamespacesWithGatesOfGraphsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_namespaces_with_gates_of_graphs() -> FindNamespacesWithGatesOfGraphsStmt {
    FindNamespacesWithGatesOfGraphsStmt(
        "select distinct g.ns from workmill.gate g where starts_with(g.gate, concat('budget', chr(58), 'graph', chr(58))) or starts_with(g.gate, concat('pause', chr(58), 'graph', chr(58)))",
        None,
    )
}
impl FindNamespacesWithGatesOfGraphsStmt {
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
pub struct FindGatesOfGraphsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_gates_of_graphs() -> FindGatesOfGraphsStmt {
    FindGatesOfGraphsStmt(
        "select g.gate from workmill.gate g where g.ns = $1 and not g.is_removed and not g.has_waiters and g.used = g.spent and ( starts_with(g.gate, concat('budget', chr(58), 'graph', chr(58))) or starts_with(g.gate, concat('pause', chr(58), 'graph', chr(58))) )",
        None,
    )
}
impl FindGatesOfGraphsStmt {
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
    ) -> StringQuery<'c, 'a, 's, C, String, 1> {
        StringQuery {
            client,
            params: [ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it.into(),
        }
    }
}
pub struct LockEndedGraphsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_ended_graphs() -> LockEndedGraphsStmt {
    LockEndedGraphsStmt(
        "select g.graph, g.spent_micros from (select k.graph from unnest($1::uuid[]) as k (graph) order by k.graph) as u cross join lateral ( select t.graph, t.spent_micros from workmill.graph t where t.ns = $2 and t.graph = u.graph and t.status in ('completed', 'cancelled') for update ) as g limit $3",
        None,
    )
}
impl LockEndedGraphsStmt {
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
        graphs: &'a T1,
        ns: &'a i64,
        most: &'a i64,
    ) -> LockEndedGraphsQuery<'c, 'a, 's, C, LockEndedGraphs, 3> {
        LockEndedGraphsQuery {
            client,
            params: [graphs, ns, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor:
                |row: &tokio_postgres::Row| -> Result<LockEndedGraphs, tokio_postgres::Error> {
                    Ok(LockEndedGraphs {
                        graph: row.try_get(0)?,
                        spent_micros: row.try_get(1)?,
                    })
                },
            mapper: |it| LockEndedGraphs::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        LockEndedGraphsParams<T1>,
        LockEndedGraphsQuery<'c, 'a, 's, C, LockEndedGraphs, 3>,
        C,
    > for LockEndedGraphsStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a LockEndedGraphsParams<T1>,
    ) -> LockEndedGraphsQuery<'c, 'a, 's, C, LockEndedGraphs, 3> {
        self.bind(client, &params.graphs, &params.ns, &params.most)
    }
}
pub struct LockEndedStandaloneTasksStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn lock_ended_standalone_tasks() -> LockEndedStandaloneTasksStmt {
    LockEndedStandaloneTasksStmt(
        "select s.graph, s.spent_micros from (select k.graph from unnest($1::uuid[]) as k (graph) order by k.graph) as u cross join lateral ( select t.graph, t.spent_micros from workmill.state t where t.ns = $2 and t.task = u.graph and t.graph = u.graph and not t.in_graph and t.state = any($3::smallint[]) for update ) as s limit $4",
        None,
    )
}
impl LockEndedStandaloneTasksStmt {
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
        T2: crate::ArraySql<Item = i16>,
    >(
        &'s self,
        client: &'c C,
        graphs: &'a T1,
        ns: &'a i64,
        ended: &'a T2,
        most: &'a i64,
    ) -> LockEndedStandaloneTasksQuery<'c, 'a, 's, C, LockEndedStandaloneTasks, 4> {
        LockEndedStandaloneTasksQuery {
            client,
            params: [graphs, ns, ended, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<LockEndedStandaloneTasks, tokio_postgres::Error> {
                Ok(LockEndedStandaloneTasks {
                    graph: row.try_get(0)?,
                    spent_micros: row.try_get(1)?,
                })
            },
            mapper: |it| LockEndedStandaloneTasks::from(it),
        }
    }
}
impl<
    'c,
    'a,
    's,
    C: GenericClient,
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::ArraySql<Item = i16>,
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        LockEndedStandaloneTasksParams<T1, T2>,
        LockEndedStandaloneTasksQuery<'c, 'a, 's, C, LockEndedStandaloneTasks, 4>,
        C,
    > for LockEndedStandaloneTasksStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a LockEndedStandaloneTasksParams<T1, T2>,
    ) -> LockEndedStandaloneTasksQuery<'c, 'a, 's, C, LockEndedStandaloneTasks, 4> {
        self.bind(
            client,
            &params.graphs,
            &params.ns,
            &params.ended,
            &params.most,
        )
    }
}
pub struct InsertRetiredGatesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_retired_gates() -> InsertRetiredGatesStmt {
    InsertRetiredGatesStmt(
        "insert into workmill.retired_gate ( ns, graph, gate, cap, spent, graph_spent, set_by, set_at, note ) select a.ns, u.graph, u.gate, u.cap, u.spent, u.graph_spent, u.set_by, u.set_at, u.note from workmill.anchor a, unnest( $1::uuid[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::timestamptz[], $8::text[] ) as u (graph, gate, cap, spent, graph_spent, set_by, set_at, note) where a.ns = $9",
        None,
    )
}
impl InsertRetiredGatesStmt {
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
        T4: crate::ArraySql<Item = Option<i64>>,
        T5: crate::ArraySql<Item = i64>,
        T6: crate::ArraySql<Item = i64>,
        T7: crate::StringSql,
        T8: crate::ArraySql<Item = T7>,
        T9: crate::ArraySql<Item = jiff::Timestamp>,
        T10: crate::StringSql,
        T11: crate::ArraySql<Item = Option<T10>>,
    >(
        &'s self,
        client: &'c C,
        graphs: &'a T1,
        gates: &'a T3,
        caps: &'a T4,
        spent: &'a T5,
        graphs_spent: &'a T6,
        set_by: &'a T8,
        set_ats: &'a T9,
        notes: &'a T11,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[
                    graphs,
                    gates,
                    caps,
                    spent,
                    graphs_spent,
                    set_by,
                    set_ats,
                    notes,
                    ns,
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
    T4: crate::ArraySql<Item = Option<i64>>,
    T5: crate::ArraySql<Item = i64>,
    T6: crate::ArraySql<Item = i64>,
    T7: crate::StringSql,
    T8: crate::ArraySql<Item = T7>,
    T9: crate::ArraySql<Item = jiff::Timestamp>,
    T10: crate::StringSql,
    T11: crate::ArraySql<Item = Option<T10>>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertRetiredGatesParams<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertRetiredGatesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertRetiredGatesParams<T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.graphs,
            &params.gates,
            &params.caps,
            &params.spent,
            &params.graphs_spent,
            &params.set_by,
            &params.set_ats,
            &params.notes,
            &params.ns,
        ))
    }
}
pub struct FindRetiredGatesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_retired_gates() -> FindRetiredGatesStmt {
    FindRetiredGatesStmt(
        "select r.graph, r.gate, r.cap, r.spent, r.graph_spent, r.set_by, r.set_at, r.note, g.spent_micros from unnest($1::uuid[]) as u (graph) cross join lateral ( select t.graph, t.gate, t.cap, t.spent, t.graph_spent, t.set_by, t.set_at, t.note from workmill.retired_gate t where t.ns = $2 and t.graph = u.graph order by t.gate limit 2 ) as r cross join lateral ( select t.spent_micros from workmill.graph t where t.ns = $2 and t.graph = r.graph union all select t.spent_micros from workmill.state t where t.ns = $2 and t.task = r.graph and t.graph = r.graph and not t.in_graph limit 1 ) as g",
        None,
    )
}
impl FindRetiredGatesStmt {
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
        graphs: &'a T1,
        ns: &'a i64,
    ) -> FindRetiredGatesQuery<'c, 'a, 's, C, FindRetiredGates, 2> {
        FindRetiredGatesQuery {
            client,
            params: [graphs, ns],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindRetiredGatesBorrowed, tokio_postgres::Error> {
                Ok(FindRetiredGatesBorrowed {
                    graph: row.try_get(0)?,
                    gate: row.try_get(1)?,
                    cap: row.try_get(2)?,
                    spent: row.try_get(3)?,
                    graph_spent: row.try_get(4)?,
                    set_by: row.try_get(5)?,
                    set_at: row.try_get(6)?,
                    note: row.try_get(7)?,
                    spent_micros: row.try_get(8)?,
                })
            },
            mapper: |it| FindRetiredGates::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindRetiredGatesParams<T1>,
        FindRetiredGatesQuery<'c, 'a, 's, C, FindRetiredGates, 2>,
        C,
    > for FindRetiredGatesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindRetiredGatesParams<T1>,
    ) -> FindRetiredGatesQuery<'c, 'a, 's, C, FindRetiredGates, 2> {
        self.bind(client, &params.graphs, &params.ns)
    }
}
pub struct FindLastRetiredGatesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn find_last_retired_gates() -> FindLastRetiredGatesStmt {
    FindLastRetiredGatesStmt(
        "select r.gate, r.cap, r.spent, r.set_by, r.set_at, r.note from workmill.retired_gate r where r.ns = $1 order by r.graph desc, r.gate desc limit $2",
        None,
    )
}
impl FindLastRetiredGatesStmt {
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
    ) -> FindLastRetiredGatesQuery<'c, 'a, 's, C, FindLastRetiredGates, 2> {
        FindLastRetiredGatesQuery {
            client,
            params: [ns, most],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |
                row: &tokio_postgres::Row,
            | -> Result<FindLastRetiredGatesBorrowed, tokio_postgres::Error> {
                Ok(FindLastRetiredGatesBorrowed {
                    gate: row.try_get(0)?,
                    cap: row.try_get(1)?,
                    spent: row.try_get(2)?,
                    set_by: row.try_get(3)?,
                    set_at: row.try_get(4)?,
                    note: row.try_get(5)?,
                })
            },
            mapper: |it| FindLastRetiredGates::from(it),
        }
    }
}
impl<'c, 'a, 's, C: GenericClient>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        FindLastRetiredGatesParams,
        FindLastRetiredGatesQuery<'c, 'a, 's, C, FindLastRetiredGates, 2>,
        C,
    > for FindLastRetiredGatesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a FindLastRetiredGatesParams,
    ) -> FindLastRetiredGatesQuery<'c, 'a, 's, C, FindLastRetiredGates, 2> {
        self.bind(client, &params.ns, &params.most)
    }
}
pub struct HasGatesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn has_gates() -> HasGatesStmt {
    HasGatesStmt(
        "select exists ( select from workmill.gate g where g.ns = $1 and g.gate = any($2::text[]) ) or exists ( select from workmill.retired_gate r where r.ns = $1 and r.graph = any($3::uuid[]) ) as has_gates",
        None,
    )
}
impl HasGatesStmt {
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
        T1: crate::StringSql,
        T2: crate::ArraySql<Item = T1>,
        T3: crate::ArraySql<Item = uuid::Uuid>,
    >(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        gates: &'a T2,
        graphs: &'a T3,
    ) -> BoolQuery<'c, 'a, 's, C, bool, 3> {
        BoolQuery {
            client,
            params: [ns, gates, graphs],
            query: self.0,
            cached: self.1.as_ref(),
            extractor: |row| Ok(row.try_get(0)?),
            mapper: |it| it,
        }
    }
}
impl<
    'c,
    'a,
    's,
    C: GenericClient,
    T1: crate::StringSql,
    T2: crate::ArraySql<Item = T1>,
    T3: crate::ArraySql<Item = uuid::Uuid>,
>
    crate::client::async_::Params<
        'c,
        'a,
        's,
        HasGatesParams<T1, T2, T3>,
        BoolQuery<'c, 'a, 's, C, bool, 3>,
        C,
    > for HasGatesStmt
{
    fn params(
        &'s self,
        client: &'c C,
        params: &'a HasGatesParams<T1, T2, T3>,
    ) -> BoolQuery<'c, 'a, 's, C, bool, 3> {
        self.bind(client, &params.ns, &params.gates, &params.graphs)
    }
}
pub struct DeleteRetiredGatesStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_retired_gates() -> DeleteRetiredGatesStmt {
    DeleteRetiredGatesStmt(
        "delete from workmill.retired_gate where ns = $1 and graph = any($2::uuid[])",
        None,
    )
}
impl DeleteRetiredGatesStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::ArraySql<Item = uuid::Uuid>>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        graphs: &'a T1,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ns, graphs])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteRetiredGatesParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteRetiredGatesStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteRetiredGatesParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ns, &params.graphs))
    }
}
