//! A transaction on a connection of the pool, and the order in which its statements are sent.
//!
//! PostgreSQL answers statements one after the other, but they need not be sent that way: a statement that
//! depends on no earlier answer goes out without waiting for one (pipelining). This type keeps one promise
//! about that: **statements are sent in the order in which their futures are first polled**, so in the order
//! in which a `try_join!` names them. A statement that the connection must prepare first holds back those
//! behind it; otherwise they would overtake it.
//!
//! The commit is sent in the same way, right behind the last writes. If one of them fails, PostgreSQL makes
//! a rollback of the commit.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

use deadpool_postgres::Client;
use postgres_types::{BorrowToSql, ToSql};
use tokio_postgres::{Error, Row, RowStream, Statement, ToStatement};
use workmill_queries::client::GenericClient;

use crate::sending_order::SendingOrder;

/// An open transaction. Its connection goes back to the pool when it is given back; dropped in the
/// middle, the connection is closed, and PostgreSQL rolls back.
pub(crate) struct Transaction {
    client: Option<Client>,
    order: SendingOrder,
}

impl Transaction {
    /// Begins on the connection; to be polled before the first statement, so that it is sent
    /// before it.
    pub(crate) fn on(client: Client) -> Transaction {
        Transaction {
            client: Some(client),
            order: SendingOrder::default(),
        }
    }

    pub(crate) async fn begin(&self) -> Result<(), Error> {
        self.client().batch_execute("begin").await
    }

    pub(crate) async fn commit(&self) -> Result<(), Error> {
        self.client().batch_execute("commit").await
    }

    /// Does nothing if no transaction is open.
    pub(crate) async fn rollback(&self) -> Result<(), Error> {
        self.client().batch_execute("rollback").await
    }

    /// Runs a script, as tests do.
    pub(crate) async fn batch_execute(&self, script: &str) -> Result<(), Error> {
        self.client().batch_execute(script).await
    }

    /// No transaction is open on the connection any more.
    pub(crate) fn give_back(mut self) {
        drop(self.client.take());
    }

    /// Returns whether the commit was sent behind the last writes.
    pub(crate) fn is_committed(&self) -> bool {
        self.order.is_closed()
    }

    /// Sends the last writes and the commit without waiting in between. Returns the answer to the commit, or
    /// the error of a write. If a write fails before the commit is sent, the commit is not sent.
    ///
    /// All statements of the writes must stand in line at the first poll. One that comes later, because it
    /// waits for the answer of another one, panics.
    pub(crate) async fn commit_behind<E>(
        &self,
        writes: impl Future<Output = Result<(), E>>,
    ) -> Result<Result<(), Error>, E> {
        let commit = async {
            self.order.take_place().turn().await;
            self.order.close();
            self.commit().await
        };
        let (mut writes, mut commit) = (pin!(writes), pin!(commit));
        let (mut written, mut committed) = (None, None);
        poll_fn(|context| {
            if written.is_none() {
                written = ready(writes.as_mut().poll(context));
            }
            if matches!(written, Some(Err(_))) && !self.is_committed() {
                return Poll::Ready(());
            }
            if committed.is_none() {
                committed = ready(commit.as_mut().poll(context));
            }
            if written.is_some() && committed.is_some() {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
        match (written, committed) {
            (Some(Ok(())), Some(committed)) => Ok(committed),
            (Some(Err(error)), _) => Err(error),
            (None, _) | (_, None) => unreachable!("both have been waited for"),
        }
    }

    fn client(&self) -> &Client {
        let client = self.client.as_ref();
        client.expect("it is there until it is given back")
    }
}

fn ready<T>(poll: Poll<T>) -> Option<T> {
    match poll {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if let Some(client) = self.client.take() {
            drop(Client::take(client));
        }
    }
}

impl GenericClient for Transaction {
    /// The generated code prepares each statement and sends it in the same poll as this returns.
    async fn prepare(&self, query: &str) -> Result<Statement, Error> {
        let place = self.order.take_place();
        let statement = self.client().prepare_cached(query).await;
        place.turn().await;
        statement
    }

    async fn execute<T>(&self, query: &T, params: &[&(dyn ToSql + Sync)]) -> Result<u64, Error>
    where
        T: ?Sized + ToStatement + Sync + Send,
    {
        self.order.must_be_open();
        self.client().execute(query, params).await
    }

    async fn query_one<T>(
        &self,
        statement: &T,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Row, Error>
    where
        T: ?Sized + ToStatement + Sync + Send,
    {
        self.order.must_be_open();
        self.client().query_one(statement, params).await
    }

    async fn query_opt<T>(
        &self,
        statement: &T,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Option<Row>, Error>
    where
        T: ?Sized + ToStatement + Sync + Send,
    {
        self.order.must_be_open();
        self.client().query_opt(statement, params).await
    }

    async fn query<T>(&self, query: &T, params: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>, Error>
    where
        T: ?Sized + ToStatement + Sync + Send,
    {
        self.order.must_be_open();
        self.client().query(query, params).await
    }

    async fn query_raw<T, I>(&self, statement: &T, params: I) -> Result<RowStream, Error>
    where
        T: ?Sized + ToStatement + Sync + Send,
        I: IntoIterator + Sync + Send,
        I::IntoIter: ExactSizeIterator,
        I::Item: BorrowToSql,
    {
        self.order.must_be_open();
        self.client().query_raw(statement, params).await
    }
}
