// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct InsertReadyParams<
    T1: crate::ArraySql<Item = i64>,
    T2: crate::ArraySql<Item = i64>,
    T3: crate::ArraySql<Item = uuid::Uuid>,
> {
    pub lanes: T1,
    pub ranks: T2,
    pub tasks: T3,
    pub ns: i64,
}
#[derive(Debug)]
pub struct InsertDueParams<
    T1: crate::ArraySql<Item = jiff::Timestamp>,
    T2: crate::ArraySql<Item = uuid::Uuid>,
> {
    pub ats: T1,
    pub tasks: T2,
    pub ns: i64,
}
#[derive(Debug)]
pub struct InsertFinishedParams<T1: crate::ArraySql<Item = uuid::Uuid>> {
    pub now: jiff::Timestamp,
    pub tasks: T1,
    pub ns: i64,
}
#[derive(Debug)]
pub struct InsertDeadLettersParams<
    T1: crate::ArraySql<Item = uuid::Uuid>,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = T2>,
    T4: crate::ArraySql<Item = i64>,
> {
    pub now: jiff::Timestamp,
    pub tasks: T1,
    pub causes: T3,
    pub fingerprints: T4,
    pub ns: i64,
}
#[derive(Debug)]
pub struct DeleteReadyParams<
    T1: crate::ArraySql<Item = i64>,
    T2: crate::ArraySql<Item = i64>,
    T3: crate::ArraySql<Item = uuid::Uuid>,
> {
    pub lanes: T1,
    pub ranks: T2,
    pub tasks: T3,
    pub ns: i64,
}
#[derive(Debug)]
pub struct DeleteDueParams<
    T1: crate::ArraySql<Item = jiff::Timestamp>,
    T2: crate::ArraySql<Item = uuid::Uuid>,
> {
    pub ats: T1,
    pub tasks: T2,
    pub ns: i64,
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct InsertReadyStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_ready() -> InsertReadyStmt {
    InsertReadyStmt(
        "insert into workmill.ready (ns, lane, rank, task) select a.ns, u.lane, u.rank, u.task from workmill.anchor a, unnest($1::bigint[], $2::bigint[], $3::uuid[]) as u (lane, rank, task) where a.ns = $4",
        None,
    )
}
impl InsertReadyStmt {
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
        T2: crate::ArraySql<Item = i64>,
        T3: crate::ArraySql<Item = uuid::Uuid>,
    >(
        &'s self,
        client: &'c C,
        lanes: &'a T1,
        ranks: &'a T2,
        tasks: &'a T3,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[lanes, ranks, tasks, ns])
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = i64>,
    T2: crate::ArraySql<Item = i64>,
    T3: crate::ArraySql<Item = uuid::Uuid>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertReadyParams<T1, T2, T3>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertReadyStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertReadyParams<T1, T2, T3>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.lanes,
            &params.ranks,
            &params.tasks,
            &params.ns,
        ))
    }
}
pub struct InsertDueStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_due() -> InsertDueStmt {
    InsertDueStmt(
        "insert into workmill.due (ns, at, task) select a.ns, u.at, u.task from workmill.anchor a, unnest($1::timestamptz[], $2::uuid[]) as u (at, task) where a.ns = $3",
        None,
    )
}
impl InsertDueStmt {
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
        T2: crate::ArraySql<Item = uuid::Uuid>,
    >(
        &'s self,
        client: &'c C,
        ats: &'a T1,
        tasks: &'a T2,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ats, tasks, ns])
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = jiff::Timestamp>,
    T2: crate::ArraySql<Item = uuid::Uuid>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertDueParams<T1, T2>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertDueStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertDueParams<T1, T2>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ats, &params.tasks, &params.ns))
    }
}
pub struct InsertFinishedStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_finished() -> InsertFinishedStmt {
    InsertFinishedStmt(
        "insert into workmill.finished (ns, at, task) select a.ns, $1, u.task from workmill.anchor a, unnest($2::uuid[]) as u (task) where a.ns = $3",
        None,
    )
}
impl InsertFinishedStmt {
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
        now: &'a jiff::Timestamp,
        tasks: &'a T1,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[now, tasks, ns])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::ArraySql<Item = uuid::Uuid>>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertFinishedParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertFinishedStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertFinishedParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.now, &params.tasks, &params.ns))
    }
}
pub struct InsertDeadLettersStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_dead_letters() -> InsertDeadLettersStmt {
    InsertDeadLettersStmt(
        "insert into workmill.dead_letter (ns, task, at, cause, fingerprint) select a.ns, u.task, $1, u.cause, u.fingerprint from workmill.anchor a, unnest($2::uuid[], $3::text[], $4::bigint[]) as u (task, cause, fingerprint) where a.ns = $5",
        None,
    )
}
impl InsertDeadLettersStmt {
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
        T4: crate::ArraySql<Item = i64>,
    >(
        &'s self,
        client: &'c C,
        now: &'a jiff::Timestamp,
        tasks: &'a T1,
        causes: &'a T3,
        fingerprints: &'a T4,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[now, tasks, causes, fingerprints, ns],
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
    T4: crate::ArraySql<Item = i64>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertDeadLettersParams<T1, T2, T3, T4>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertDeadLettersStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertDeadLettersParams<T1, T2, T3, T4>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.now,
            &params.tasks,
            &params.causes,
            &params.fingerprints,
            &params.ns,
        ))
    }
}
pub struct DeleteReadyStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_ready() -> DeleteReadyStmt {
    DeleteReadyStmt(
        "delete from workmill.ready r using unnest($1::bigint[], $2::bigint[], $3::uuid[]) as u (lane, rank, task) where r.ns = $4 and r.lane = u.lane and r.rank = u.rank and r.task = u.task",
        None,
    )
}
impl DeleteReadyStmt {
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
        T2: crate::ArraySql<Item = i64>,
        T3: crate::ArraySql<Item = uuid::Uuid>,
    >(
        &'s self,
        client: &'c C,
        lanes: &'a T1,
        ranks: &'a T2,
        tasks: &'a T3,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[lanes, ranks, tasks, ns])
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = i64>,
    T2: crate::ArraySql<Item = i64>,
    T3: crate::ArraySql<Item = uuid::Uuid>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteReadyParams<T1, T2, T3>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteReadyStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteReadyParams<T1, T2, T3>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.lanes,
            &params.ranks,
            &params.tasks,
            &params.ns,
        ))
    }
}
pub struct DeleteDueStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn delete_due() -> DeleteDueStmt {
    DeleteDueStmt(
        "delete from workmill.due d using unnest($1::timestamptz[], $2::uuid[]) as u (at, task) where d.ns = $3 and d.at = u.at and d.task = u.task",
        None,
    )
}
impl DeleteDueStmt {
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
        T2: crate::ArraySql<Item = uuid::Uuid>,
    >(
        &'s self,
        client: &'c C,
        ats: &'a T1,
        tasks: &'a T2,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[ats, tasks, ns])
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = jiff::Timestamp>,
    T2: crate::ArraySql<Item = uuid::Uuid>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        DeleteDueParams<T1, T2>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for DeleteDueStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a DeleteDueParams<T1, T2>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.ats, &params.tasks, &params.ns))
    }
}
