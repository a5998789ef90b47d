// This file was generated with `cornucopia`. Do not modify.

#[derive(Clone, Copy, Debug)]
pub struct AddToDailySpendParams {
    pub day: jiff::Timestamp,
    pub spent: i64,
    pub ns: i64,
}
use crate::client::async_::GenericClient;
use futures::{self, StreamExt, TryStreamExt};
pub struct AddToDailySpendStmt(&'static str, Option<tokio_postgres::Statement>);
pub fn add_to_daily_spend() -> AddToDailySpendStmt {
    AddToDailySpendStmt(
        "insert into workmill.daily_spend as d (ns, day, spent_micros) select a.ns, $1, $2 from workmill.anchor a where a.ns = $3 on conflict (ns, day) do update set spent_micros = d.spent_micros + excluded.spent_micros",
        None,
    )
}
impl AddToDailySpendStmt {
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
        day: &'a jiff::Timestamp,
        spent: &'a i64,
        ns: &'a i64,
    ) -> Result<u64, tokio_postgres::Error> {
        client
            .execute(&client.prepare(self.0).await?, &[day, spent, ns])
            .await
    }
}
impl<'a, C: GenericClient + Send + Sync>
    crate::client::async_::Params<
        'a,
        'a,
        'a,
        AddToDailySpendParams,
        std::pin::Pin<
            Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
        >,
        C,
    > for AddToDailySpendStmt
{
    fn params(
        &'a self,
        client: &'a C,
        params: &'a AddToDailySpendParams,
    ) -> std::pin::Pin<
        Box<dyn futures::Future<Output = Result<u64, tokio_postgres::Error>> + Send + 'a>,
    > {
        Box::pin(self.bind(client, &params.day, &params.spent, &params.ns))
    }
}
