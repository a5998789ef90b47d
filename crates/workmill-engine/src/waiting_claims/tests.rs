use super::*;
use std::pin::pin;
use tokio::time::{Duration, timeout};
use uuid::Uuid;
use workmill_store::dispatch::claim::ClaimRefusal;

const NS: Namespace = Namespace(1);
const PLAIN: LaneId = LaneId(1);
const GPU: LaneId = LaneId(2);

fn lanes() -> Lanes {
    let gpu = Lane {
        capabilities: vec!["gpu".to_owned()],
        ..Lane::default()
    };
    Arc::new(BTreeMap::from([(PLAIN, Lane::default()), (GPU, gpu)]))
}

fn offer(agent: &str, capabilities: &[&str]) -> Offer {
    Offer {
        agent: agent.to_owned(),
        capabilities: capabilities.iter().map(|&one| one.to_owned()).collect(),
        ..Offer::default()
    }
}

fn ready(lane: LaneId, tasks: usize) -> Ready {
    Ready::from([(lane, tasks)])
}

fn asks(agent: &str) -> ClaimRequest {
    ClaimRequest {
        key: Uuid::nil(),
        agent: agent.to_owned(),
        most: 1,
        start: true,
        request: None,
        selection: workmill_core::lane::Selection::default(),
        lease_ms: None,
    }
}

/// Somebody who has looked, found nothing, and sits down.
fn wait<'a>(all: &'a WaitingClaims, agent: &str, capabilities: &[&str]) -> WaitingClaim<'a> {
    let mut waiting = all.enter(NS, asks(agent));
    all.learn(
        NS,
        &BTreeMap::from([(agent.to_owned(), offer(agent, capabilities))]),
    );
    waiting.lanes = lanes();
    waiting.took(0);
    assert!(waiting.sit_down());
    waiting
}

async fn is_called(waiting: &WaitingClaim<'_>) -> bool {
    timeout(Duration::ZERO, waiting.bell.notified())
        .await
        .is_ok()
}

async fn who_is_called(waiters: &[WaitingClaim<'_>]) -> Vec<usize> {
    let mut called = Vec::new();
    for (place, waiting) in waiters.iter().enumerate() {
        if is_called(waiting).await {
            called.push(place);
        }
    }
    called
}

/// F-22: as many as there are tasks, of those who could take them, who came first.
#[tokio::test]
async fn as_many_are_called_as_there_are_tasks_and_the_others_sleep_on() {
    let all = WaitingClaims::default();
    let waiters: Vec<WaitingClaim<'_>> = (0..2000)
        .map(|n| {
            wait(
                &all,
                &format!("agent{n}"),
                if n % 2 == 0 { &[] } else { &["gpu"] },
            )
        })
        .collect();
    all.call(NS, &ready(GPU, 50), &lanes(), Call::News);
    let expected: Vec<usize> = (0..50).map(|n| 2 * n + 1).collect();
    assert_eq!(who_is_called(&waiters).await, expected);
    all.call(Namespace(2), &ready(GPU, 50), &lanes(), Call::News);
    assert_eq!(who_is_called(&waiters).await, Vec::<usize>::new());
}

#[tokio::test]
async fn who_can_do_little_else_is_called_first() {
    let all = WaitingClaims::default();
    let waiters = [wait(&all, "versatile", &["gpu"]), wait(&all, "plain", &[])];
    all.call(NS, &ready(PLAIN, 1), &lanes(), Call::News);
    assert_eq!(who_is_called(&waiters).await, [1]);
    all.call(NS, &ready(PLAIN, 1), &lanes(), Call::News);
    assert_eq!(who_is_called(&waiters).await, [0]);
}

#[tokio::test]
async fn what_somebody_is_called_for_and_does_not_take_is_passed_on() {
    let all = WaitingClaims::default();
    let mut waiters = vec![
        wait(&all, "first", &[]),
        wait(&all, "second", &[]),
        wait(&all, "third", &[]),
    ];
    all.call(NS, &ready(PLAIN, 1), &lanes(), Call::News);
    assert_eq!(who_is_called(&waiters).await, [0]);
    waiters[0].took(0);
    assert_eq!(who_is_called(&waiters).await, [1]);
    // Its request ends before it has looked.
    drop(waiters.remove(1));
    assert_eq!(who_is_called(&waiters).await, [1]);
    waiters[1].took(1);
    assert_eq!(who_is_called(&waiters).await, Vec::<usize>::new());
    // Who was called in vain is not the first one the next time.
    assert!(waiters[0].sit_down() && waiters[1].sit_down());
    all.call(NS, &ready(PLAIN, 1), &lanes(), Call::Overlooked);
    assert_eq!(who_is_called(&waiters).await, [1]);
    waiters[1].took(0);
    assert_eq!(
        who_is_called(&waiters).await,
        Vec::<usize>::new(),
        "seen again soon"
    );
}

#[tokio::test]
async fn what_becomes_ready_while_somebody_looks_is_not_missed() {
    let all = WaitingClaims::default();
    let looking = wait(&all, "looking", &[]);
    all.call(NS, &ready(PLAIN, 1), &lanes(), Call::News);
    assert!(is_called(&looking).await);
    // It looks; meanwhile more comes, for others first.
    all.call(NS, &ready(GPU, 1), &lanes(), Call::News);
    looking.took(0);
    assert!(looking.sit_down(), "not for this one");
    all.call(NS, &ready(PLAIN, 1), &lanes(), Call::News);
    assert!(is_called(&looking).await);
    all.call(NS, &ready(PLAIN, 1), &lanes(), Call::FromElsewhere);
    looking.took(0);
    assert!(!looking.sit_down(), "it has to look again");
    assert!(looking.sit_down());
}

#[tokio::test]
async fn who_wants_many_is_called_for_many() {
    let all = WaitingClaims::default();
    let waiters = [wait(&all, "one", &[]), wait(&all, "other", &[])];
    for sitting in all.lock().taken.get_mut(&NS).into_iter().flatten() {
        sitting.1.request.most = 10;
    }
    all.call(NS, &ready(PLAIN, 10), &lanes(), Call::News);
    assert_eq!(who_is_called(&waiters).await, [0]);
    // It had room for three only.
    waiters[0].took(3);
    assert_eq!(who_is_called(&waiters).await, [1]);
}

#[test]
fn only_where_somebody_waits_are_the_lanes_looked_over() {
    let all = WaitingClaims::default();
    assert_eq!(all.waited_in(Duration::ZERO), []);
    let waiting = wait(&all, "agent", &[]);
    assert_eq!(all.waited_in(Duration::from_mins(1)), [NS]);
    assert_eq!(all.waited_in(Duration::from_mins(1)), [], "not yet again");
    assert_eq!(all.waited_in(Duration::ZERO), [NS]);
    drop(waiting);
    assert_eq!(all.waited_in(Duration::ZERO), []);
}

/// F-22: who is being served is called by nobody else, and is brought something or looks for itself.
#[tokio::test]
async fn who_is_served_is_called_by_nobody_else() {
    let all = WaitingClaims::default();
    let waiting = wait(&all, "agent", &[]);
    assert!(all.invite(NS, &ready(GPU, 1), &lanes()).is_empty());
    let mut invited = all.invite(NS, &ready(PLAIN, 3), &lanes());
    assert_eq!(invited.len(), 1);
    assert!(all.invite(NS, &ready(PLAIN, 1), &lanes()).is_empty());
    all.call(NS, &ready(PLAIN, 1), &lanes(), Call::News);
    assert!(!is_called(&waiting).await);
    drop(invited.pop());
    assert!(is_called(&waiting).await, "it was brought nothing");
    assert!(matches!(waiting.served(), Service::Failed));
    assert!(
        !waiting.sit_down(),
        "it was not called for what came meanwhile"
    );

    assert!(waiting.sit_down());
    let invited = all.invite(NS, &ready(PLAIN, 1), &lanes());
    for claim in invited {
        claim.bring(Ok(Vec::new()));
    }
    assert!(is_called(&waiting).await);
    assert!(matches!(waiting.served(), Service::Brought(Ok(_))));
    assert!(waiting.sit_down(), "it has looked");
}

/// F-22: who leaves takes what it is brought; where that fails it is not told that there is nothing.
#[tokio::test]
async fn who_leaves_looks_once_more_if_it_may_have_been_given_something() {
    let all = WaitingClaims::default();
    let waiting = wait(&all, "unserved", &[]);
    assert!(matches!(waiting.leave().await, Some(Ok(nothing)) if nothing.is_empty()));

    let waiting = wait(&all, "served", &[]);
    let mut invited = all.invite(NS, &ready(PLAIN, 1), &lanes());
    let mut leaving = pin!(waiting.leave());
    assert!(timeout(Duration::ZERO, &mut leaving).await.is_err());
    invited.remove(0).bring(Err(ClaimRefusal::NotActive));
    assert!(matches!(leaving.await, Some(Err(ClaimRefusal::NotActive))));

    let waiting = wait(&all, "left alone", &[]);
    let invited = all.invite(NS, &ready(PLAIN, 1), &lanes());
    let mut leaving = pin!(waiting.leave());
    assert!(timeout(Duration::ZERO, &mut leaving).await.is_err());
    drop(invited);
    assert!(leaving.await.is_none());

    // The service ended between the end of its patience and its leaving.
    let waiting = wait(&all, "late", &[]);
    drop(all.invite(NS, &ready(PLAIN, 1), &lanes()));
    assert!(waiting.leave().await.is_none());
}
