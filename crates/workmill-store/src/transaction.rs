//! A transaction on a connection of the pool, and how its statements are sent.
//!
//! Statements are answered one after the other, but they need not be sent that way: what does not
//! depend on an answer goes out without waiting for it. That holds for the commit, too: it is sent
//! right behind the last writes, and if one of them fails, PostgreSQL makes a rollback of it.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use deadpool_postgres::Client;
use postgres_types::{BorrowToSql, ToSql};
use tokio_postgres::{Error, Row, RowStream, Statement, ToStatement};
use workmill_queries::client::GenericClient;

/// An open transaction. Its connection goes back to the pool when it is given back; dropped in the
/// middle, the connection is closed, and PostgreSQL rolls back.
pub(crate) struct Transaction {
    client: Option<Client>,
    sending: Mutex<Sending>,
    /// Statements that PostgreSQL is being told of for the first time on this connection.
    preparing: AtomicUsize,
}

/// What happens to a statement that is ready to be sent.
enum Sending {
    /// It is sent.
    AtOnce,
    /// It waits until all of the last writes are ready.
    Together(Vec<Waker>),
    /// There must be none: the commit has been sent.
    NoMore,
}

impl Transaction {
    /// Begins on the connection; to be polled before the first statement, so that it is sent
    /// before it.
    pub(crate) fn on(client: Client) -> Transaction {
        Transaction {
            client: Some(client),
            sending: Mutex::new(Sending::AtOnce),
            preparing: AtomicUsize::new(0),
        }
    }

    pub(crate) async fn begin(&self) -> Result<(), Error> {
        self.client().batch_execute("begin").await
    }

    pub(crate) async fn commit(&self) -> Result<(), Error> {
        self.client().batch_execute("commit").await
    }

    /// Where no transaction is open, this does nothing.
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

    /// Whether the commit was sent behind the last writes.
    pub(crate) fn is_committed(&self) -> bool {
        matches!(*self.lock(), Sending::NoMore)
    }

    /// Sends the last writes and the commit together. Answers what became of the commit, or why it
    /// was not made.
    ///
    /// The writes are polled until each of their statements is ready to be sent. Then all are
    /// sent in one poll, and the commit in the same one, so that nothing comes after it. A write
    /// that waits for the answer of another one would; it panics.
    pub(crate) async fn commit_behind<E>(
        &self,
        writes: impl Future<Output = Result<(), E>>,
    ) -> Result<Result<(), Error>, E> {
        *self.lock() = Sending::Together(Vec::new());
        let (mut writes, mut commit) = (pin!(writes), pin!(self.commit()));
        let (mut written, mut committed) = (None, None);
        poll_fn(|context| {
            if written.is_none() {
                written = ready(writes.as_mut().poll(context));
            }
            if self.is_gathering() {
                if written.is_none() && self.preparing.load(Ordering::SeqCst) > 0 {
                    return Poll::Pending;
                }
                self.let_go();
                if written.is_none() {
                    written = ready(writes.as_mut().poll(context));
                }
            }
            if matches!(written, Some(Err(_))) && committed.is_none() && !self.is_committed() {
                return Poll::Ready(());
            }
            if committed.is_none() {
                committed = ready(commit.as_mut().poll(context));
                *self.lock() = Sending::NoMore;
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

    fn is_gathering(&self) -> bool {
        matches!(*self.lock(), Sending::Together(_))
    }

    /// Whoever waits is to be sent with the next poll.
    fn let_go(&self) {
        let waiting = std::mem::replace(&mut *self.lock(), Sending::AtOnce);
        if let Sending::Together(waiting) = waiting {
            for waker in waiting {
                waker.wake();
            }
        }
    }

    /// Waits for the moment to send a statement.
    async fn turn(&self) {
        poll_fn(|context: &mut Context<'_>| match &mut *self.lock() {
            Sending::AtOnce => Poll::Ready(()),
            Sending::Together(waiting) => {
                waiting.push(context.waker().clone());
                Poll::Pending
            }
            Sending::NoMore => panic!("a statement comes after the commit of its transaction"),
        })
        .await;
    }

    fn client(&self) -> &Client {
        let client = self.client.as_ref();
        client.expect("it is there until it is given back")
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Sending> {
        self.sending.lock().unwrap_or_else(PoisonError::into_inner)
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

/// Counts a statement that is being prepared, also when its caller goes away.
struct Preparing<'a>(&'a AtomicUsize);

impl<'a> Preparing<'a> {
    fn one_of(all: &'a AtomicUsize) -> Self {
        all.fetch_add(1, Ordering::SeqCst);
        Preparing(all)
    }
}

impl Drop for Preparing<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl GenericClient for Transaction {
    async fn prepare(&self, query: &str) -> Result<Statement, Error> {
        let _preparing = Preparing::one_of(&self.preparing);
        self.client().prepare_cached(query).await
    }

    async fn execute<T>(&self, query: &T, params: &[&(dyn ToSql + Sync)]) -> Result<u64, Error>
    where
        T: ?Sized + ToStatement + Sync + Send,
    {
        self.turn().await;
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
        self.turn().await;
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
        self.turn().await;
        self.client().query_opt(statement, params).await
    }

    async fn query<T>(&self, query: &T, params: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>, Error>
    where
        T: ?Sized + ToStatement + Sync + Send,
    {
        self.turn().await;
        self.client().query(query, params).await
    }

    async fn query_raw<T, I>(&self, statement: &T, params: I) -> Result<RowStream, Error>
    where
        T: ?Sized + ToStatement + Sync + Send,
        I: IntoIterator + Sync + Send,
        I::IntoIter: ExactSizeIterator,
        I::Item: BorrowToSql,
    {
        self.turn().await;
        self.client().query_raw(statement, params).await
    }
}
