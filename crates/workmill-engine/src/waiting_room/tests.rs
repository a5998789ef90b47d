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
fn wait<'a>(room: &'a WaitingRoom, agent: &str, capabilities: &[&str]) -> Seat<'a> {
    let mut seat = room.enter(NS, asks(agent));
    room.learn(
        NS,
        &BTreeMap::from([(agent.to_owned(), offer(agent, capabilities))]),
    );
    seat.lanes = lanes();
    seat.took(0);
    assert!(seat.sit_down());
    seat
}

async fn is_called(seat: &Seat<'_>) -> bool {
    timeout(Duration::ZERO, seat.bell.notified()).await.is_ok()
}

async fn who_is_called(seats: &[Seat<'_>]) -> Vec<usize> {
    let mut called = Vec::new();
    for (place, seat) in seats.iter().enumerate() {
        if is_called(seat).await {
            called.push(place);
        }
    }
    called
}

/// F-22: as many as there are tasks, of those who could take them, who came first.
#[tokio::test]
async fn as_many_are_called_as_there_are_tasks_and_the_others_sleep_on() {
    let room = WaitingRoom::default();
    let seats: Vec<Seat<'_>> = (0..2000)
        .map(|n| {
            wait(
                &room,
                &format!("agent{n}"),
                if n % 2 == 0 { &[] } else { &["gpu"] },
            )
        })
        .collect();
    room.call(NS, &ready(GPU, 50), &lanes(), Call::News);
    let expected: Vec<usize> = (0..50).map(|n| 2 * n + 1).collect();
    assert_eq!(who_is_called(&seats).await, expected);
    room.call(Namespace(2), &ready(GPU, 50), &lanes(), Call::News);
    assert_eq!(who_is_called(&seats).await, Vec::<usize>::new());
}

#[tokio::test]
async fn who_can_do_little_else_is_called_first() {
    let room = WaitingRoom::default();
    let seats = [
        wait(&room, "versatile", &["gpu"]),
        wait(&room, "plain", &[]),
    ];
    room.call(NS, &ready(PLAIN, 1), &lanes(), Call::News);
    assert_eq!(who_is_called(&seats).await, [1]);
    room.call(NS, &ready(PLAIN, 1), &lanes(), Call::News);
    assert_eq!(who_is_called(&seats).await, [0]);
}

#[tokio::test]
async fn what_somebody_is_called_for_and_does_not_take_is_passed_on() {
    let room = WaitingRoom::default();
    let mut seats = vec![
        wait(&room, "first", &[]),
        wait(&room, "second", &[]),
        wait(&room, "third", &[]),
    ];
    room.call(NS, &ready(PLAIN, 1), &lanes(), Call::News);
    assert_eq!(who_is_called(&seats).await, [0]);
    seats[0].took(0);
    assert_eq!(who_is_called(&seats).await, [1]);
    // Its request ends before it has looked.
    drop(seats.remove(1));
    assert_eq!(who_is_called(&seats).await, [1]);
    seats[1].took(1);
    assert_eq!(who_is_called(&seats).await, Vec::<usize>::new());
    // Who was called in vain is not the first one the next time.
    assert!(seats[0].sit_down() && seats[1].sit_down());
    room.call(NS, &ready(PLAIN, 1), &lanes(), Call::Overlooked);
    assert_eq!(who_is_called(&seats).await, [1]);
    seats[1].took(0);
    assert_eq!(
        who_is_called(&seats).await,
        Vec::<usize>::new(),
        "seen again soon"
    );
}

#[tokio::test]
async fn what_becomes_ready_while_somebody_looks_is_not_missed() {
    let room = WaitingRoom::default();
    let looking = wait(&room, "looking", &[]);
    room.call(NS, &ready(PLAIN, 1), &lanes(), Call::News);
    assert!(is_called(&looking).await);
    // It looks; meanwhile more comes, for others first.
    room.call(NS, &ready(GPU, 1), &lanes(), Call::News);
    looking.took(0);
    assert!(looking.sit_down(), "not for this one");
    room.call(NS, &ready(PLAIN, 1), &lanes(), Call::News);
    assert!(is_called(&looking).await);
    room.call(NS, &ready(PLAIN, 1), &lanes(), Call::FromElsewhere);
    looking.took(0);
    assert!(!looking.sit_down(), "it has to look again");
    assert!(looking.sit_down());
}

#[tokio::test]
async fn who_wants_many_is_called_for_many() {
    let room = WaitingRoom::default();
    let seats = [wait(&room, "one", &[]), wait(&room, "other", &[])];
    for sitting in room.lock().taken.get_mut(&NS).into_iter().flatten() {
        sitting.1.request.most = 10;
    }
    room.call(NS, &ready(PLAIN, 10), &lanes(), Call::News);
    assert_eq!(who_is_called(&seats).await, [0]);
    // It had room for three only.
    seats[0].took(3);
    assert_eq!(who_is_called(&seats).await, [1]);
}

#[test]
fn only_where_somebody_waits_are_the_lanes_looked_over() {
    let room = WaitingRoom::default();
    assert_eq!(room.waited_in(Duration::ZERO), []);
    let seat = wait(&room, "agent", &[]);
    assert_eq!(room.waited_in(Duration::from_mins(1)), [NS]);
    assert_eq!(room.waited_in(Duration::from_mins(1)), [], "not yet again");
    assert_eq!(room.waited_in(Duration::ZERO), [NS]);
    drop(seat);
    assert_eq!(room.waited_in(Duration::ZERO), []);
}

/// F-22: who is being served is called by nobody else, and is brought something or looks for itself.
#[tokio::test]
async fn who_is_served_is_called_by_nobody_else() {
    let room = WaitingRoom::default();
    let seat = wait(&room, "agent", &[]);
    assert!(room.invite(NS, &ready(GPU, 1), &lanes()).is_empty());
    let mut guests = room.invite(NS, &ready(PLAIN, 3), &lanes());
    assert_eq!(guests.len(), 1);
    assert!(room.invite(NS, &ready(PLAIN, 1), &lanes()).is_empty());
    room.call(NS, &ready(PLAIN, 1), &lanes(), Call::News);
    assert!(!is_called(&seat).await);
    drop(guests.pop());
    assert!(is_called(&seat).await, "it was brought nothing");
    assert!(matches!(seat.served(), Service::Failed));
    assert!(
        !seat.sit_down(),
        "it was not called for what came meanwhile"
    );

    assert!(seat.sit_down());
    let guests = room.invite(NS, &ready(PLAIN, 1), &lanes());
    for guest in guests {
        guest.bring(Ok(Vec::new()));
    }
    assert!(is_called(&seat).await);
    assert!(matches!(seat.served(), Service::Brought(Ok(_))));
    assert!(seat.sit_down(), "it has looked");
}

/// F-22: who leaves takes what it is brought; where that fails it is not told that there is nothing.
#[tokio::test]
async fn who_leaves_looks_once_more_if_it_may_have_been_given_something() {
    let room = WaitingRoom::default();
    let seat = wait(&room, "unserved", &[]);
    assert!(matches!(seat.leave().await, Some(Ok(nothing)) if nothing.is_empty()));

    let seat = wait(&room, "served", &[]);
    let mut guests = room.invite(NS, &ready(PLAIN, 1), &lanes());
    let mut leaving = pin!(seat.leave());
    assert!(timeout(Duration::ZERO, &mut leaving).await.is_err());
    guests.remove(0).bring(Err(ClaimRefusal::NotActive));
    assert!(matches!(leaving.await, Some(Err(ClaimRefusal::NotActive))));

    let seat = wait(&room, "left alone", &[]);
    let guests = room.invite(NS, &ready(PLAIN, 1), &lanes());
    let mut leaving = pin!(seat.leave());
    assert!(timeout(Duration::ZERO, &mut leaving).await.is_err());
    drop(guests);
    assert!(leaving.await.is_none());

    // The service ended between the end of its patience and its leaving.
    let seat = wait(&room, "late", &[]);
    drop(room.invite(NS, &ready(PLAIN, 1), &lanes()));
    assert!(seat.leave().await.is_none());
}
