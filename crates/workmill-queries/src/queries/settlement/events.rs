// This file was generated with `cornucopia`. Do not modify.

#[derive(Debug)]
pub struct InsertEventsParams<
    T1: crate::ArraySql<Item = i32>,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = T2>,
    T4: crate::ArraySql<Item = Option<uuid::Uuid>>,
    T5: crate::ArraySql<Item = Option<uuid::Uuid>>,
    T6: crate::JsonSql,
    T7: crate::ArraySql<Item = T6>,
> {
    pub batch: uuid::Uuid,
    pub now: jiff::Timestamp,
    pub places: T1,
    pub types: T3,
    pub graphs: T4,
    pub tasks: T5,
    pub data: T7,
    pub ns: i64,
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct InsertEventsStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn insert_events() -> InsertEventsStmt {
    InsertEventsStmt(
        "insert into workmill.event (ns, batch, place, at, type, graph, task, data) select a.ns, $1, u.place, $2, u.type, u.graph, u.task, u.data from workmill.anchor a, unnest( $3::integer[], $4::text[], $5::uuid[], $6::uuid[], $7::jsonb[] ) as u (place, type, graph, task, data) where a.ns = $8",
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
    pub async fn bind<
        'c,
        'a,
        's,
        C: GenericClient,
        T1: crate::ArraySql<Item = i32>,
        T2: crate::StringSql,
        T3: crate::ArraySql<Item = T2>,
        T4: crate::ArraySql<Item = Option<uuid::Uuid>>,
        T5: crate::ArraySql<Item = Option<uuid::Uuid>>,
        T6: crate::JsonSql,
        T7: crate::ArraySql<Item = T6>,
    >(
        &'s self,
        client: &'c C,
        batch: &'a uuid::Uuid,
        now: &'a jiff::Timestamp,
        places: &'a T1,
        types: &'a T3,
        graphs: &'a T4,
        tasks: &'a T5,
        data: &'a T7,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(
                &client.prepare(self.0).await?,
                &[batch, now, places, types, graphs, tasks, data, ns],
            )
            .await
    }
}
impl<
    'a,
    C: GenericClient + Send + Sync,
    T1: crate::ArraySql<Item = i32>,
    T2: crate::StringSql,
    T3: crate::ArraySql<Item = T2>,
    T4: crate::ArraySql<Item = Option<uuid::Uuid>>,
    T5: crate::ArraySql<Item = Option<uuid::Uuid>>,
    T6: crate::JsonSql,
    T7: crate::ArraySql<Item = T6>,
>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        InsertEventsParams<T1, T2, T3, T4, T5, T6, T7>,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for InsertEventsStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a InsertEventsParams<T1, T2, T3, T4, T5, T6, T7>,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(
            client,
            &params.batch,
            &params.now,
            &params.places,
            &params.types,
            &params.graphs,
            &params.tasks,
            &params.data,
            &params.ns,
        ))
    }
}
