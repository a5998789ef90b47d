//! Gathering: what waits while a batch is in flight goes out together as the next one.
//!
//! There is one queue for each operation and namespace. The first caller starts a batch at once,
//! so a lone caller waits for no timer; whoever comes while it is in flight shares the next
//! transaction and its commit. Each namespace has its own queue. One batch of a queue is in flight (two of
//! large submissions), and another one for each full batch that waits behind it, within a bound that
//! follows from the processors and the connections ([`batches_at_once`]); so a flood in one namespace
//! does not hold up another beyond its share of the pool. The queues are bounded: a caller beyond that is
//! told to come back later. A caller that goes away leaves its request to be removed.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use workmill_core::ids::{Namespace, TaskId};
use workmill_store::StoreError;

use crate::engine::Shared;
use crate::error::EngineError;

/// One kind of operation that takes many requests at a time.
pub(crate) trait Batch: Send + Sync + 'static {
    type Request: Send + Sync + 'static;
    type Answer: Send + 'static;

    /// The most requests in one transaction.
    const MOST: usize;

    /// Requests that wait in one queue before callers are turned away.
    const LONGEST_QUEUE: usize = 10_000;

    /// Batches of one namespace that may be in flight together, however few requests wait.
    const AT_ONCE: usize = 1;

    /// The least time between two batches. Nobody who comes alone waits for it; it is for
    /// operations whose callers do not wait for the answer, to make their batches larger.
    const SPACING: Duration = Duration::ZERO;

    /// The task that must not be in a batch twice, if there is one.
    fn only_once(_request: &Self::Request) -> Option<TaskId> {
        None
    }

    /// One answer for each request, in their order.
    fn run(
        shared: &Shared,
        ns: Namespace,
        requests: &[Self::Request],
    ) -> impl Future<Output = Result<Vec<Self::Answer>, StoreError>> + Send;
}

struct Waiting<B: Batch> {
    request: B::Request,
    reply: oneshot::Sender<Result<B::Answer, Arc<StoreError>>>,
}

struct Queue<B: Batch> {
    waiting: VecDeque<Waiting<B>>,
    /// Callers that have gone away since the queue was last rid of their requests.
    gone: usize,
    under_way: usize,
}

type Queues<B> = Mutex<HashMap<Namespace, Queue<B>>>;

pub(crate) struct Gatherer<B: Batch> {
    queues: Arc<Queues<B>>,
    /// The most batches of one namespace in flight, however many requests wait.
    most_at_once: usize,
}

/// Returns how many batches of one operation and namespace may be in flight: PostgreSQL needs about as
/// much processor time as the server, and the other operations need connections, too.
pub(crate) fn batches_at_once(processors: usize, connections: usize) -> usize {
    (processors / 2).min(connections / 4).max(1)
}

/// Returns how many batches of a queue are worth it while this many requests wait.
fn worth_it<B: Batch>(waiting: usize, most_at_once: usize) -> usize {
    (1 + waiting / B::MOST).min(most_at_once).max(B::AT_ONCE)
}

impl<B: Batch> fmt::Debug for Gatherer<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gatherer").finish_non_exhaustive()
    }
}

impl<B: Batch> Gatherer<B> {
    pub(crate) fn new(most_at_once: usize) -> Self {
        Gatherer {
            queues: Arc::default(),
            most_at_once,
        }
    }

    /// Requests that wait, of all namespaces.
    pub(crate) fn waiting(&self) -> usize {
        let queues = lock(&self.queues);
        queues.values().map(|queue| queue.waiting.len()).sum()
    }

    /// Puts the request into the next batch and waits for its answer.
    pub(crate) async fn call(
        &self,
        shared: &Arc<Shared>,
        ns: Namespace,
        request: B::Request,
    ) -> Result<B::Answer, EngineError> {
        let mut presence = Presence {
            queues: &self.queues,
            ns,
            is_answered: false,
        };
        let (reply, answer) = oneshot::channel();
        let starts = {
            let mut queues = lock(&self.queues);
            let queue = queues.entry(ns).or_insert_with(|| Queue {
                waiting: VecDeque::new(),
                gone: 0,
                under_way: 0,
            });
            if queue.waiting.len() >= B::LONGEST_QUEUE {
                presence.is_answered = true;
                return Err(EngineError::Overloaded);
            }
            queue.waiting.push_back(Waiting { request, reply });
            let starts = queue.under_way < worth_it::<B>(queue.waiting.len(), self.most_at_once);
            queue.under_way += usize::from(starts);
            starts
        };
        if starts {
            tokio::spawn(work_through(
                Arc::clone(&self.queues),
                Arc::clone(shared),
                ns,
                self.most_at_once,
            ));
        }
        let answer = answer.await;
        presence.is_answered = true;
        match answer {
            Ok(answer) => answer.map_err(EngineError::Store),
            // The runtime is going down; nobody knows how far it got.
            Err(_) => Err(EngineError::Overloaded),
        }
    }
}

/// A caller that waits. When it goes away unanswered, the queue is rid of requests like its own as
/// soon as they are the larger part.
struct Presence<'a, B: Batch> {
    queues: &'a Queues<B>,
    ns: Namespace,
    is_answered: bool,
}

impl<B: Batch> Drop for Presence<'_, B> {
    fn drop(&mut self) {
        if self.is_answered {
            return;
        }
        if let Some(queue) = lock(self.queues).get_mut(&self.ns) {
            queue.gone += 1;
            if queue.gone * 2 > queue.waiting.len() {
                queue.waiting.retain(|waiting| !waiting.reply.is_closed());
                queue.gone = 0;
            }
        }
    }
}

fn lock<B: Batch>(queues: &Queues<B>) -> std::sync::MutexGuard<'_, HashMap<Namespace, Queue<B>>> {
    queues.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sends batches until the queue is empty, or until fewer of them in flight are enough.
async fn work_through<B: Batch>(
    queues: Arc<Queues<B>>,
    shared: Arc<Shared>,
    ns: Namespace,
    most_at_once: usize,
) {
    loop {
        // Whoever is about to ask joins this batch: above all those whom the last one answered.
        // Otherwise callers in a loop fall into two halves that take turns.
        tokio::task::yield_now().await;
        let batch = {
            let mut queues = lock(&queues);
            let Some(queue) = queues.get_mut(&ns) else {
                return;
            };
            let is_one_too_many =
                queue.under_way > worth_it::<B>(queue.waiting.len(), most_at_once);
            let batch = if is_one_too_many {
                Vec::new()
            } else {
                next_batch(queue)
            };
            if batch.is_empty() {
                queue.under_way -= 1;
                if queue.under_way == 0 {
                    queues.remove(&ns);
                }
                return;
            }
            batch
        };
        send::<B>(&shared, ns, batch).await;
        if !B::SPACING.is_zero() {
            tokio::time::sleep(B::SPACING).await;
        }
    }
}

/// Those whose callers have gone away are left out: nothing has happened for them yet. Another
/// request about a task that is in the batch opens the next one.
fn next_batch<B: Batch>(queue: &mut Queue<B>) -> Vec<Waiting<B>> {
    let mut batch = Vec::new();
    let mut tasks = HashSet::new();
    while batch.len() < B::MOST
        && let Some(waiting) = queue.waiting.pop_front()
    {
        if waiting.reply.is_closed() {
            queue.gone = queue.gone.saturating_sub(1);
            continue;
        }
        if B::only_once(&waiting.request).is_some_and(|task| !tasks.insert(task)) {
            queue.waiting.push_front(waiting);
            break;
        }
        batch.push(waiting);
    }
    batch
}

async fn send<B: Batch>(shared: &Shared, ns: Namespace, batch: Vec<Waiting<B>>) {
    let (requests, replies): (Vec<_>, Vec<_>) = batch
        .into_iter()
        .map(|waiting| (waiting.request, waiting.reply))
        .unzip();
    match B::run(shared, ns, &requests).await {
        Ok(answers) => {
            for (reply, answer) in replies.into_iter().zip(answers) {
                let _ = reply.send(Ok(answer));
            }
        }
        // One of them is at fault, and the others shall not suffer for it.
        Err(error) if requests.len() > 1 && is_somebodys_fault(&error) => {
            tracing::warn!(%error, "a batch failed; its items are tried one by one");
            for (request, reply) in requests.iter().zip(replies) {
                let answer = B::run(shared, ns, std::slice::from_ref(request)).await;
                let _ = reply.send(only(answer).map_err(Arc::new));
            }
        }
        Err(error) => {
            let error = Arc::new(error);
            for reply in replies {
                let _ = reply.send(Err(Arc::clone(&error)));
            }
        }
    }
}

/// Nothing was changed, and trying it again would not help.
pub(crate) fn is_somebodys_fault(error: &StoreError) -> bool {
    matches!(
        error,
        StoreError::Refused { .. } | StoreError::Corrupt(_) | StoreError::TooManyLanes { .. }
    )
}

fn only<A>(answers: Result<Vec<A>, StoreError>) -> Result<A, StoreError> {
    answers?
        .pop()
        .ok_or_else(|| StoreError::Corrupt("a request was left without an answer".to_owned()))
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use futures_util::future::join_all;
    use tokio::sync::Barrier;
    use tokio::time::timeout;
    use workmill_store::Store;

    use super::*;
    use crate::engine::Engine;

    struct Tens;

    impl Batch for Tens {
        type Request = ();
        type Answer = ();
        const MOST: usize = 10;

        async fn run(_: &Shared, _: Namespace, requests: &[()]) -> Result<Vec<()>, StoreError> {
            Ok(requests.to_vec())
        }
    }

    #[test]
    fn a_second_batch_is_worth_it_only_when_a_full_one_waits() {
        let worth = |waiting| worth_it::<Tens>(waiting, 4);
        assert_eq!(
            [1, 9, 10, 19, 20, 30, 1000].map(worth),
            [1, 1, 2, 2, 3, 4, 4]
        );
        assert_eq!(worth_it::<Tens>(1000, 1), 1);
    }

    /// Two batches have to be in flight together.
    struct Pairs;

    static BOTH: LazyLock<Barrier> = LazyLock::new(|| Barrier::new(2));

    impl Batch for Pairs {
        type Request = ();
        type Answer = ();
        const MOST: usize = 10;

        async fn run(_: &Shared, _: Namespace, requests: &[()]) -> Result<Vec<()>, StoreError> {
            BOTH.wait().await;
            Ok(requests.to_vec())
        }
    }

    #[tokio::test]
    async fn a_full_batch_that_waits_is_sent_beside_the_one_in_flight() {
        // Nothing here asks the database.
        let store = Store::new("postgres://nowhere/nothing", 1).expect("settings");
        let shared = Engine::new(Arc::new(store)).shared;
        let gatherer = Gatherer::<Pairs>::new(2);
        let calls = (0..20).map(|_| gatherer.call(&shared, Namespace(1), ()));
        let answered = timeout(Duration::from_mins(1), join_all(calls)).await;
        let answers = answered.expect("each batch waits for the other one");
        assert!(answers.iter().all(Result::is_ok));
    }

    #[test]
    fn batches_in_flight_follow_processors_and_connections() {
        assert_eq!(batches_at_once(1, 20), 1);
        assert_eq!(batches_at_once(2, 20), 1);
        assert_eq!(batches_at_once(8, 20), 4);
        assert_eq!(batches_at_once(64, 20), 5);
        assert_eq!(batches_at_once(64, 2), 1);
    }
}
