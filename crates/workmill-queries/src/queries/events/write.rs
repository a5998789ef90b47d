// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct InsertEventsParams<T1: crate::JsonSql> {
    pub ns: i64,
    pub batch: uuid::Uuid,
    pub now: jiff::Timestamp,
    pub facts: T1,
    pub count: i32,
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct InsertEventsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_events() -> InsertEventsStmt {
    InsertEventsStmt(
        "with batch as ( insert into workmill.event (ns, batch, at, facts) values ($1, $2, $3, $4) ) insert into workmill.event_pending (ns, written_at, batch, facts) values ($1, clock_timestamp(), $2, $5)",
        None,
    )
}
impl InsertEventsStmt {
    pub async fn prepare<'a, C: GenericClient>(
        mut self,
        client: &'a C,
    ) -> Result<Self, tokio_postgres::Error> {
        self.1 = Some(client.prepare(self.0).await?);
        Ok(self)
    }
    pub async fn bind<'c, 'a, 's, C: GenericClient, T1: crate::JsonSql>(
        &'s self,
        client: &'c C,
        ns: &'a i64,
        batch: &'a uuid::Uuid,
        now: &'a jiff::Timestamp,
        facts: &'a T1,
        count: &'a i32,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[ns, batch, now, facts, count],
            )
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync, T1: crate::JsonSql>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertEventsParams<T1>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertEventsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertEventsParams<T1>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.ns,
            &params.batch,
            &params.now,
            &params.facts,
            &params.count,
        ))
    }
}
