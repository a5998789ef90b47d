//! Two or more sides that meet in one moment, many times over real connections.
//!
//! Each race answers with what is wrong afterwards, so that the same race shows both that the
//! store passes and that a planted fault does not.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::Result;
use tokio::task::JoinHandle;
use tokio_postgres::Client;
use workmill_core::ids::LeaseId;
use workmill_core::priority::Priority;
use workmill_core::task::NewTask;
use workmill_store::StoreError;
use workmill_store::events::SequenceEvents;
use workmill_testkit::factory::{graph, singles, task};

use super::arena::{Answer, Arena, Server};
use super::setting;

pub fn rounds(of: u32) -> u32 {
    of * setting("WORKMILL_RACES", 1)
}

/// Two parents complete at once on two servers; the child waits for both. Every other time the
/// first is held back with its locks until the second has come as far as it can.
pub async fn last_two_parents(rounds: u32, fault: Option<&'static str>) -> Result<Vec<String>> {
    let arena = Arena::new(2, fault).await?;
    let (one, other) = (arena.server(0), arena.server(1));
    one.register("agent", 10).await?;
    let client = arena.database.client().await?;
    let mut stranded = 0;
    for round in 0..rounds {
        one.submit(graph(&[("a", &[]), ("b", &[]), ("c", &[0, 1])]))
            .await?;
        let parents = one.claim("agent", 2).await?;
        let mut pause = (round % 2 > 0).then(|| one.store.test_points.pause_at("settle.locked"));
        let first = complete_apart(one, parents[0]);
        let paused = match &mut pause {
            None => None,
            Some(pause) => Some(pause.arrival().await),
        };
        one.store.test_points.disarm("settle.locked");
        let second = complete_apart(other, parents[1]);
        if let Some(paused) = paused {
            while !second.is_finished() && !somebody_waits(&client).await? {
                tokio::task::yield_now().await;
            }
            paused.go_on();
        }
        assert!(first.await??[0].is_ok() && second.await??[0].is_ok());
        let child = other.claim("agent", 1).await?;
        stranded += usize::from(child.len() != 1);
        one.complete(&child).await?;
    }
    let mut found = arena.verdict().await?;
    if stranded > 0 {
        found.push(format!("{stranded} children were not freed"));
    }
    let open = "select count(*) from workmill.graph where status <> 'completed'";
    let open: i64 = client.query_one(open, &[]).await?.get(0);
    if open > 0 {
        found.push(format!("{open} graphs were not completed"));
    }
    Ok(found)
}

fn complete_apart(
    server: &Arc<Server>,
    lease: LeaseId,
) -> JoinHandle<Result<Vec<Answer>, StoreError>> {
    let server = Arc::clone(server);
    tokio::spawn(async move { server.complete(&[lease]).await })
}

pub async fn somebody_waits(client: &Client) -> Result<bool> {
    let waiting = "select count(*) from pg_stat_activity
                   where datname = current_database() and wait_event_type = 'Lock'";
    Ok(client.query_one(waiting, &[]).await?.get::<_, i64>(0) > 0)
}

/// F-9 (part)
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_two_parents_free_their_child_once_and_complete_the_graph() -> Result<()> {
    assert_eq!(last_two_parents(rounds(60), None).await?, [""; 0]);
    Ok(())
}

/// Two batches name the same tasks in opposite orders.
pub async fn crossing_batches(rounds: u32, fault: Option<&'static str>) -> Result<Vec<String>> {
    let arena = Arena::new(2, fault).await?;
    let (one, other) = (arena.server(0), arena.server(1));
    one.register("agent", 1000).await?;
    let mut found = Vec::new();
    for _ in 0..rounds {
        let tasks: Vec<_> = (0..20).map(|_| task("work")).collect();
        one.submit(singles(&tasks)).await?;
        let leases = one.claim("agent", 20).await?;
        let reversed: Vec<LeaseId> = leases.iter().rev().copied().collect();
        let (there, back) = tokio::join!(one.complete(&leases), other.complete(&reversed));
        // A circle is broken by the database and tried again, until it is given up.
        let (Ok(there), Ok(back)) = (there, back) else {
            found.push("a batch was given up".to_owned());
            break;
        };
        let firsts = there.iter().chain(&back).filter(|answer| is_new(answer));
        assert_eq!(firsts.count(), leases.len(), "each counts once");
        assert!(there.iter().chain(&back).all(Result::is_ok));
    }
    found.extend(arena.verdict().await?);
    Ok(found)
}

fn is_new(answer: &Answer) -> bool {
    answer.as_ref().is_ok_and(|settled| !settled.is_repeat)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn batches_that_cross_do_not_wait_for_each_other_in_a_circle() -> Result<()> {
    assert_eq!(crossing_batches(rounds(20), None).await?, [""; 0]);
    Ok(())
}

/// F-16 T-12
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agents_that_claim_at_once_on_several_servers_share_out_every_task_once() -> Result<()> {
    let arena = Arena::new(4, None).await?;
    for _ in 0..rounds(4) {
        let tasks: Vec<_> = (0..200).map(|_| task("work")).collect();
        let submitted = arena.server(0).submit(singles(&tasks)).await?;
        let mut claiming = Vec::new();
        for number in 0..8 {
            let server = Arc::clone(arena.server(number));
            claiming.push(tokio::spawn(async move {
                let agent = format!("agent {number}");
                server.register(&agent, 300).await?;
                let mut taken = Vec::new();
                // Nothing to claim while others hold the rest is no reason to stop.
                for _ in 0..50 {
                    taken.extend(server.claim(&agent, 7).await?);
                }
                server.complete(&taken).await?;
                anyhow::Ok(taken)
            }));
        }
        let mut taken = Vec::new();
        for one in claiming {
            taken.extend(one.await??);
        }
        let wanted: BTreeSet<_> = submitted.tasks.into_iter().collect();
        let got: BTreeSet<_> = taken.iter().map(|lease| lease.task).collect();
        assert_eq!(taken.len(), wanted.len(), "nobody got what another has");
        assert_eq!(got, wanted);
    }
    assert_eq!(arena.verdict().await?, [""; 0]);
    Ok(())
}

/// F-9 (part) F-21: the reaper finds the lease lost, somebody cancels the task, and the agent completes
/// it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_a_completion_an_expiry_and_a_cancellation_at_once_one_decides() -> Result<()> {
    let arena = Arena::new(3, None).await?;
    let [one, two, three] = [0, 1, 2].map(|number| Arc::clone(arena.server(number)));
    one.register("agent", 1000).await?;
    let mut outcomes = [0; 2];
    for round in 0..rounds(60) {
        let id = one.submit(singles(&[task("work")])).await?.tasks[0];
        let leases = one.claim("agent", 1).await?;
        arena.pass(90);
        // Whoever is started first has the best chance; each gets its turn.
        let completion = async {
            if round % 3 > 0 {
                tokio::task::yield_now().await;
            }
            one.complete(&leases).await
        };
        let cancellation = async {
            if round % 3 > 1 {
                tokio::task::yield_now().await;
            }
            three.cancel(id).await
        };
        let (completed, reaped, cancelled) = tokio::join!(completion, two.reap(), cancellation);
        reaped?;
        let (is_completed, is_cancelled) = (completed?[0].is_ok(), cancelled?.is_ok());
        assert!(
            is_completed != is_cancelled,
            "either the work counts or the cancellation"
        );
        outcomes[usize::from(is_completed)] += 1;
        three.reap().await?;
    }
    assert_eq!(arena.verdict().await?, [""; 0]);
    assert!(outcomes.iter().all(|often| *often > 0), "{outcomes:?}");
    Ok(())
}

/// A writer takes its id, and before it commits another one takes the next id and commits. A
/// reader that reads on from where it was gets both.
pub async fn reader_beside_writers(fault: Option<&'static str>) -> Result<Vec<String>> {
    let arena = Arena::new(2, fault).await?;
    let (slow, fast) = (Arc::clone(arena.server(0)), arena.server(1));
    // Their lane is there, so that neither waits for the other to write it.
    slow.submit(singles(&[task("first")])).await?;
    let mut pause = slow.store.test_points.pause_at("commit");
    let waiting = tokio::spawn({
        let slow = Arc::clone(&slow);
        async move { slow.submit(singles(&[task("slow")])).await }
    });
    let paused = pause.arrival().await;
    slow.store.test_points.disarm("commit");
    // A later moment, so that its id is the greater one.
    arena.pass(1);
    fast.submit(singles(&[task("fast")])).await?;
    let mut read = Vec::new();
    let mut place = 0;
    read_on(&arena, &mut place, &mut read).await?;
    paused.go_on();
    waiting.await??;
    read_on(&arena, &mut place, &mut read).await?;
    let submitted = read.iter().filter(|fact| fact["type"] == "task.submitted");
    let told: BTreeSet<String> = submitted.map(|fact| fact["task_id"].to_string()).collect();
    Ok(if told.len() == 3 {
        vec![]
    } else {
        vec![format!("of three tasks the reader heard of {}", told.len())]
    })
}

/// What a reader does that comes again and again.
async fn read_on(arena: &Arena, place: &mut i64, read: &mut Vec<serde_json::Value>) -> Result<()> {
    let server = arena.server(1);
    let operation = SequenceEvents {
        ns: arena.ns,
        most: 1000,
    };
    server.store.run(&operation).await?;
    for batch in server.store.read_events(arena.ns, *place, 1000).await? {
        *place = batch.seq;
        read.extend(batch.facts);
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_misses_no_event_whose_commit_came_late() -> Result<()> {
    assert_eq!(reader_beside_writers(None).await?, [""; 0]);
    Ok(())
}

/// One server has just read the lanes; then another one adds a lane with the only work there is.
pub async fn work_in_a_new_lane(fault: Option<&'static str>) -> Result<Vec<String>> {
    let arena = Arena::new(2, fault).await?;
    let (one, other) = (arena.server(0), arena.server(1));
    one.register("agent", 10).await?;
    assert!(one.claim("agent", 1).await?.is_empty());
    let asked = NewTask {
        agent_type: Some(String::new()),
        ..task("work")
    };
    other.submit(singles(&[asked])).await?;
    Ok(if one.claim("agent", 1).await?.len() == 1 {
        vec![]
    } else {
        vec!["there was work and the server said there is nothing".to_owned()]
    })
}

#[tokio::test]
async fn a_server_never_says_nothing_from_memory() -> Result<()> {
    assert_eq!(work_in_a_new_lane(None).await?, [""; 0]);
    Ok(())
}

/// Claims begin where the last one ended, as they do in a lane whose head is littered; then more
/// urgent work comes in before that place.
pub async fn urgent_work_before_a_mark(fault: Option<&'static str>) -> Result<Vec<String>> {
    let arena = Arena::new(1, fault).await?;
    let server = arena.server(0);
    server.store.test_points.switch_on("every look is slow");
    server.register("agent", 10).await?;
    let urgent = NewTask {
        priority: Priority::new(0).expect("the most urgent"),
        ..task("urgent")
    };
    server
        .submit(singles(&[task("first"), task("second"), task("third")]))
        .await?;
    assert_eq!(server.claim("agent", 1).await?.len(), 1);
    let mut found = Vec::new();
    let first = server
        .submit(singles(std::slice::from_ref(&urgent)))
        .await?;
    arena.pass(1);
    let claimed = server.claim("agent", 1).await?;
    if claimed.first().map(|lease| lease.task) != first.tasks.first().copied() {
        found.push("urgent work was overlooked for more than a second".to_owned());
    }
    server.claim("agent", 3).await?;
    server.submit(singles(&[urgent])).await?;
    if server.claim("agent", 1).await?.is_empty() {
        found.push("there was work before the cursor, and the answer was nothing".to_owned());
    }
    Ok(found)
}

#[tokio::test]
async fn work_before_a_mark_is_found_within_a_second_and_before_the_answer_is_nothing() -> Result<()>
{
    assert_eq!(urgent_work_before_a_mark(None).await?, [""; 0]);
    Ok(())
}
