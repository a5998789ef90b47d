//! Gates that change while agents on two servers claim: limits and budgets that are set and removed, and
//! graphs that bring a budget and are handed over to claims that wait.
//!
//! As in [`super::races`], each answers with what is wrong afterwards.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::Result;
use futures_util::future::{join_all, try_join_all};
use tokio_postgres::Client;
use uuid::Uuid;
use workmill_core::gate::{Gate, Limited, Purse};
use workmill_core::ids::LeaseId;
use workmill_core::money::Micros;
use workmill_core::task::NewTask;
use workmill_store::StoreError;
use workmill_store::dispatch::claim::ClaimRequest;
use workmill_store::dispatch::hand_over::HandOver;
use workmill_store::gates::change::GateChange;
use workmill_store::intake::{NewGraph, Submission};
use workmill_testkit::factory::singles;

use super::super::arena::{Arena, KEY, Server};
use super::super::races::rounds;
use super::races::{at_once, set};

const WORKERS: usize = 12;
const CAP: i64 = 3;
/// How many tasks are claimed before the limit is set.
const WARM: usize = 20;

/// Workers on two servers claim and complete without a pause, while a limit, or the budget of their graph,
/// is set, removed and set again. From each answer on everything that runs is counted, and no more is
/// claimed than fits.
pub async fn gates_change_beside_claims(
    rounds: u32,
    fault: Option<&'static str>,
) -> Result<Vec<String>> {
    let arena = Arena::new(2, fault).await?;
    let client = arena.database.client().await?;
    for worker in 0..WORKERS {
        let name = format!("worker {worker}");
        arena.server(0).register(&name, 1).await?;
    }
    for round in 0..rounds {
        let of_type = format!("type {round}");
        let submission = Submission {
            graph: Some(NewGraph {
                title: "graph".to_owned(),
                is_draft: false,
                budget: None,
                project: None,
            }),
            ..singles(&vec![costly(&of_type); 300])
        };
        let submitted = arena.server(0).submit(submission).await?;
        let graph = submitted.graph.expect("a graph");
        let (gate, unit) = if round % 2 == 0 {
            (Gate::Limit(Limited::Type(of_type)), 1)
        } else {
            (Gate::Budget(Purse::Graph(graph)), ONE)
        };
        // Of other types some may be left.
        let tasks: Vec<Uuid> = submitted.tasks.iter().map(|task| task.0).collect();
        let (is_over, claims) = (AtomicBool::new(false), AtomicUsize::new(0));
        let workers = (0..WORKERS).map(|worker| {
            let (is_over, claims) = (&is_over, &claims);
            work(arena.server(worker), worker, is_over, claims)
        });
        let changing = async {
            while claims.load(Ordering::Relaxed) < WARM {
                tokio::task::yield_now().await;
            }
            let changing = arena.server(1);
            changing.change_gate(set(gate.clone(), CAP * unit)).await?;
            let mut found = watch(&arena, &client, &gate, unit, &tasks).await?;
            if found.is_none() {
                let remove = GateChange::Remove { gate: gate.clone() };
                changing.change_gate(remove).await?;
                changing.change_gate(set(gate.clone(), CAP * unit)).await?;
                found = watch(&arena, &client, &gate, unit, &tasks).await?;
            }
            is_over.store(true, Ordering::Relaxed);
            anyhow::Ok(found)
        };
        let (workers, found) = tokio::join!(join_all(workers), changing);
        for worker in workers {
            worker?;
        }
        if let Some(found) = found? {
            return Ok(vec![format!("round {round}: {found}")]);
        }
    }
    let report = arena.server(0).keep_gates().await?;
    if report.mended > 0 {
        return Ok(vec![format!("the duty found {report:?}")]);
    }
    arena.verdict().await
}

async fn work(
    server: &Arc<Server>,
    worker: usize,
    is_over: &AtomicBool,
    claims: &AtomicUsize,
) -> Result<(), StoreError> {
    let name = format!("worker {worker}");
    while !is_over.load(Ordering::Relaxed) {
        let leases = server.claim(&name, 1).await?;
        claims.fetch_add(leases.len(), Ordering::Relaxed);
        server.complete(&leases).await?;
    }
    Ok(())
}

/// A task of which each attempt reserves [`ONE`].
fn costly(of_type: &str) -> NewTask {
    let mut task = at_once("work");
    task.spec.constraints.max_cost_usd = Some(Micros(ONE));
    NewTask {
        task_type: of_type.to_owned(),
        ..task
    }
}

/// Looks many times whether what the gate says is what runs, and whether more was claimed than fits.
async fn watch(
    arena: &Arena,
    client: &Client,
    gate: &Gate,
    unit: i64,
    tasks: &[Uuid],
) -> Result<Option<String>> {
    let counts = "select
            (select used / $4 from workmill.gate where ns = $1 and gate = $2),
            (select count(*) from workmill.lease where ns = $1 and task = any($3))";
    let mut most = i64::MAX;
    for _ in 0..60 {
        let row = client
            .query_one(counts, &[&arena.ns.0, &gate.to_string(), &tasks, &unit])
            .await?;
        let (used, running): (i64, i64) = (row.get(0), row.get(1));
        if used != running || running > most {
            return Ok(Some(format!(
                "{used} are counted, and {running} run, where {most} may"
            )));
        }
        most = most.min(running.max(CAP));
    }
    Ok(None)
}

const ONE: i64 = 1_000_000;
const SUBMITTERS: usize = 4;
/// Of each submitter.
const WAITING: usize = 3;

/// Graphs with money for one task are handed over to agents that wait, while other agents of the
/// process claim.
pub async fn graphs_with_money_for_one(
    rounds: u32,
    fault: Option<&'static str>,
) -> Result<Vec<String>> {
    let arena = Arena::new(2, fault).await?;
    let client = arena.database.client().await?;
    for number in 0..SUBMITTERS * WAITING {
        let name = format!("waiting {number}");
        arena.server(0).register(&name, 1).await?;
    }
    for number in 0..SUBMITTERS {
        let name = format!("beside {number}");
        arena.server(0).register(&name, 1).await?;
    }
    for round in 0..rounds {
        let submits = (0..SUBMITTERS).map(|number| hand_over(arena.server(number), number));
        let beside = (0..SUBMITTERS).map(|number| claim_beside(arena.server(number), number));
        let (handed, claimed) = tokio::join!(try_join_all(submits), try_join_all(beside));
        let overspent = "select gate from workmill.gate
            where ns = $1 and starts_with(gate, 'budget:graph:') and used > cap
            union all
            select s.graph::text from workmill.lease l
            join workmill.state s on s.ns = l.ns and s.task = l.task
            where l.ns = $1 and s.in_graph
            group by s.graph having count(*) > 1";
        let found = client.query(overspent, &[&arena.ns.0]).await?;
        if !found.is_empty() {
            return Ok(vec![format!(
                "round {round}: a graph has spent more than it has"
            )]);
        }
        let leases: Vec<LeaseId> = handed?
            .into_iter()
            .flatten()
            .chain(claimed?.into_iter().flatten())
            .collect();
        arena.server(0).complete(&leases).await?;
    }
    let report = arena.server(0).keep_gates().await?;
    if report.mended > 0 {
        return Ok(vec![format!("the duty found {report:?}")]);
    }
    arena.verdict().await
}

/// Claims a few times, for an agent of its own.
async fn claim_beside(server: &Arc<Server>, number: usize) -> Result<Vec<LeaseId>, StoreError> {
    let name = [format!("beside {number}")];
    let mut leases = Vec::new();
    for _ in 0..3 {
        leases.extend(server.claim_for(&name).await?);
    }
    Ok(leases.into_iter().map(|(_, lease)| lease).collect())
}

/// Submits a graph with money for one of its tasks, and claims for those who wait.
async fn hand_over(server: &Arc<Server>, number: usize) -> Result<Vec<LeaseId>, StoreError> {
    let submission = Submission {
        graph: Some(NewGraph {
            title: "graph".to_owned(),
            is_draft: false,
            budget: Some(Micros(ONE)),
            project: None,
        }),
        ..singles(&vec![costly("work"); WAITING])
    };
    let requests: Vec<ClaimRequest> = (0..WAITING)
        .map(|waiting| ClaimRequest {
            key: KEY,
            agent: format!("waiting {}", number * WAITING + waiting),
            most: 1,
            start: true,
            request: None,
            selection: workmill_core::lane::Selection::default(),
            lease_ms: None,
        })
        .collect();
    let operation = HandOver {
        ns: server.ns,
        submission: &submission,
        requests: &requests,
    };
    let ((entered, claimed), _) = server.store.run(&operation).await?;
    entered.expect("it breaks no rule");
    let claimed = claimed.into_iter().flatten().flatten();
    Ok(claimed.map(|one| one.lease).collect())
}

/// H-8 (part), F-37, A-11: what a limit or a budget counts is exact from its answer on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gate_that_changes_while_agents_on_two_servers_claim_is_never_exceeded() -> Result<()> {
    assert_eq!(gates_change_beside_claims(rounds(6), None).await?, [""; 0]);
    Ok(())
}

/// F-18, F-37: what a graph may cost holds in the transaction that creates it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_graph_that_is_handed_over_never_spends_more_than_it_has() -> Result<()> {
    assert_eq!(graphs_with_money_for_one(rounds(10), None).await?, [""; 0]);
    Ok(())
}
