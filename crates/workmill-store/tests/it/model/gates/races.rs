//! Agents on two servers that meet where there is little room, many times over real connections.
//!
//! As in [`super::super::races`], each answers with what is wrong afterwards.

use std::sync::Arc;

use anyhow::Result;
use futures_util::future::{join_all, try_join_all};
use serde_json::value::to_raw_value;
use tokio_postgres::Client;
use workmill_core::gate::{Gate, Limited, Purse};
use workmill_core::ids::{GraphId, LeaseId};
use workmill_core::money::Micros;
use workmill_core::policy::Profile;
use workmill_core::task::NewTask;
use workmill_store::StoreError;
use workmill_store::dispatch::claim::{Claim, ClaimRequest};
use workmill_store::gates::change::{ChangeGates, GateChange, PATIENCE};
use workmill_store::gates::keep::{KeepGates, Report};
use workmill_store::intake::{NewGraph, Submission};
use workmill_store::settlement::{Ending, Settlement, Settler};
use workmill_testkit::factory::{singles, task};

use super::super::arena::{Arena, KEY, Server};
use super::super::races::rounds;

impl Server {
    pub async fn change_gate(&self, change: GateChange) -> Result<(), StoreError> {
        let operation = ChangeGates {
            ns: self.ns,
            by: "race",
            changes: &[change],
            patience: PATIENCE,
        };
        let changed = self.store.change_gates(None, &operation).await?.0;
        changed.expect("the gate is there");
        Ok(())
    }

    pub async fn keep_gates(&self) -> Result<Report, StoreError> {
        let operation = KeepGates {
            ns: self.ns,
            reconciles: true,
        };
        Ok(self.store.run(&operation).await?.0)
    }

    /// Agents that ask in one moment are served together.
    pub async fn claim_for(&self, agents: &[String]) -> Result<Vec<(String, LeaseId)>, StoreError> {
        let requests: Vec<ClaimRequest> = agents
            .iter()
            .map(|agent| ClaimRequest {
                key: KEY,
                agent: agent.clone(),
                most: 1,
                start: true,
                request: None,
                selection: workmill_core::lane::Selection::default(),
                lease_ms: None,
            })
            .collect();
        let operation = Claim {
            ns: self.ns,
            requests: &requests,
        };
        let answers = self.store.run(&operation).await?.0;
        let given = agents.iter().zip(answers).flat_map(|(agent, answer)| {
            let claimed = answer.expect("the agent may claim");
            let leases = claimed.into_iter().map(|one| one.lease);
            leases
                .map(|lease| (agent.clone(), lease))
                .collect::<Vec<_>>()
        });
        Ok(given.collect())
    }
}

pub fn set(gate: Gate, cap: i64) -> GateChange {
    GateChange::Set {
        gate,
        cap,
        note: None,
        time_zone: None,
    }
}

/// What fails is ready again at once.
pub fn at_once(title: &str) -> NewTask {
    NewTask {
        profile: Profile::Task,
        ..task(title)
    }
}

const ONE: i64 = 1_000_000;
const AGENTS: usize = 100;

/// How many ask together.
const TOGETHER: usize = 10;

/// Whoever has the money gives it back in one of these ways.
const WAYS: u32 = 5;

/// A graph has money for one attempt. In each round a hundred agents ask for one while the last
/// attempt ends, and what that has cost is put into the purse again.
pub async fn room_for_one_more(rounds: u32, fault: Option<&'static str>) -> Result<Vec<String>> {
    let arena = Arena::new(2, fault).await?;
    let client = arena.database.client().await?;
    let agents: Vec<String> = (0..AGENTS)
        .map(|number| format!("agent {number}"))
        .collect();
    for agent in &agents {
        arena.server(0).register(agent, 1).await?;
    }
    let mut found = Vec::new();
    let (mut graph, mut left) = (fresh_graph(&arena).await?, TASKS);
    let mut running: Vec<LeaseId> = Vec::new();
    for round in 0..rounds {
        if left < 2 {
            finish(&arena, &running).await?;
            running.clear();
            (graph, left) = (fresh_graph(&arena).await?, TASKS);
        }
        let asking = async {
            let asking = agents.chunks(TOGETHER).enumerate();
            let asking = asking.map(|(number, some)| arena.server(number).claim_for(some));
            let given = try_join_all(asking).await?;
            Ok::<_, StoreError>(given.into_iter().flatten().map(|(_, lease)| lease))
        };
        let ending = end_in_a_way(&arena, graph, round, running.first().copied());
        let (given, ended) = tokio::join!(asking, ending);
        if ended? {
            left -= 1;
        }
        running = given?
            .chain(still_alive(&client, &running).await?)
            .collect();
        if running.is_empty() {
            // Room that nobody has used: those who wait are let in by now, or by the duty.
            let again = arena.server(1).claim_for(&agents[..1]).await?;
            running.extend(again.into_iter().map(|(_, lease)| lease));
        }
        if running.is_empty() {
            arena.server(0).keep_gates().await?;
            let again = arena.server(1).claim_for(&agents[..1]).await?;
            running.extend(again.into_iter().map(|(_, lease)| lease));
        }
        let room = "select used, cap from workmill.gate where ns = $1 and gate = $2";
        let gate = Gate::Budget(Purse::Graph(graph)).to_string();
        let room = client.query_one(room, &[&arena.ns.0, &gate]).await?;
        let (used, cap): (i64, i64) = (room.get(0), room.get(1));
        if running.len() != 1 || used > cap {
            found.push(format!(
                "round {round}: {} run, {used} of {cap} used",
                running.len()
            ));
            break;
        }
    }
    for server in &arena.servers {
        let report = server.keep_gates().await?;
        if report.mended > 0 {
            found.push(format!("the duty found {report:?}"));
        }
    }
    found.extend(arena.verdict().await?);
    Ok(found)
}

const TASKS: u32 = 40;

async fn fresh_graph(arena: &Arena) -> Result<GraphId> {
    let mut task = at_once("work");
    task.spec.constraints.max_cost_usd = Some(Micros(ONE));
    let submission = Submission {
        graph: Some(NewGraph {
            title: "graph".to_owned(),
            is_draft: false,
            budget: None,
            project: None,
        }),
        ..singles(&vec![task; usize::try_from(TASKS)?])
    };
    let graph = arena.server(0).submit(submission).await?.graph;
    let graph = graph.expect("a graph");
    let purse = Gate::Budget(Purse::Graph(graph));
    arena.server(1).change_gate(set(purse, ONE)).await?;
    // Both servers know of it.
    arena.pass(2);
    Ok(graph)
}

/// Takes what is left of a graph away, with its gate.
async fn finish(arena: &Arena, running: &[LeaseId]) -> Result<()> {
    arena.server(0).complete(running).await?;
    let open = arena.database.client().await?;
    let open = open
        .query(
            "select distinct graph from workmill.state where ns = $1 and state = 2",
            &[&arena.ns.0],
        )
        .await?;
    for row in open {
        let graph = GraphId(row.get(0));
        arena.server(0).drain(graph).await?;
        let gate = Gate::Budget(Purse::Graph(graph));
        arena
            .server(1)
            .change_gate(GateChange::Remove { gate })
            .await?;
    }
    arena.server(0).keep_gates().await?;
    arena.pass(2);
    Ok(())
}

/// The attempt ends, on one server or the other; what it has cost is put into the purse again.
/// Answers whether its task is done.
async fn end_in_a_way(
    arena: &Arena,
    graph: GraphId,
    round: u32,
    lease: Option<LeaseId>,
) -> Result<bool> {
    let Some(lease) = lease else {
        return Ok(false);
    };
    let number = usize::try_from(round)?;
    let (here, there) = (arena.server(number / 2), arena.server(number));
    let way = round % WAYS;
    if way == 0 {
        // Its agent has died.
        arena.pass(601);
        here.reap().await?;
        return Ok(false);
    }
    let cost = i64::from(round % 4) * ONE / 3;
    let ending = match way {
        1 => Ending::Release,
        2 => {
            here.cancel(lease.task).await?.expect("it runs");
            Ending::Release
        }
        _ => Ending::Complete {
            output: to_raw_value(&round)?,
            artifacts: Vec::new(),
        },
    };
    // What is not done has money of its own left: it may cost nothing here.
    let cost = if way == 1 { 0 } else { cost };
    let settlement = Settlement {
        settler: Settler::Key(KEY),
        lease,
        ending,
        spent: crate::gates::spent(cost),
        random: 0.5,
    };
    let raise = GateChange::Raise {
        gate: Gate::Budget(Purse::Graph(graph)),
        by: cost,
    };
    let settlements = [settlement];
    let (settled, raised) = tokio::join!(here.settle(&settlements), there.change_gate(raise));
    raised?;
    assert!(settled?[0].is_ok(), "it was alive");
    Ok(way > 1)
}

async fn still_alive(client: &Client, leases: &[LeaseId]) -> Result<Vec<LeaseId>> {
    let mut alive = Vec::new();
    for lease in leases {
        let found = "select 1 from workmill.lease where task = $1 and epoch = $2";
        let found = client
            .query_opt(found, &[&lease.task.0, &lease.epoch])
            .await?;
        alive.extend(found.map(|_| *lease));
    }
    Ok(alive)
}

/// F-18 F-37
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_agents_on_two_servers_never_spend_the_same_money_and_never_leave_it()
-> Result<()> {
    assert_eq!(room_for_one_more(rounds(100), None).await?, [""; 0]);
    Ok(())
}

const PLACES: i64 = 3;
const WORKERS: usize = 16;

/// Workers on two servers claim, complete and die at a limit of three, beside somebody who counts.
pub async fn many_at_a_limit(rounds: u32, fault: Option<&'static str>) -> Result<Vec<String>> {
    let arena = Arena::new(2, fault).await?;
    let client = arena.database.client().await?;
    for worker in 0..WORKERS {
        arena
            .server(0)
            .register(&format!("worker {worker}"), 1)
            .await?;
    }
    let limit = Gate::Limit(Limited::Type("code".to_owned()));
    arena
        .server(0)
        .change_gate(set(limit.clone(), PLACES))
        .await?;
    arena.pass(2);
    let mut found = Vec::new();
    for round in 0..rounds {
        let tasks = vec![at_once("work"); 60];
        arena.server(0).submit(singles(&tasks)).await?;
        let ended = work_until_done(&arena, &client, round).await?;
        found.extend(ended);
        if !found.is_empty() {
            break;
        }
    }
    let report = arena.server(1).keep_gates().await?;
    if report.mended > 0 {
        found.push(format!("the duty found {report:?}"));
    }
    found.extend(arena.verdict().await?);
    Ok(found)
}

/// More turns than this, and nobody gets anything any more.
const MOST_TURNS: u32 = 400;

async fn work_until_done(arena: &Arena, client: &Client, round: u32) -> Result<Vec<String>> {
    let open = "select count(*) from workmill.state where ns = $1 and state < 8";
    for turn in 0..MOST_TURNS {
        let open: i64 = client.query_one(open, &[&arena.ns.0]).await?.get(0);
        if open == 0 {
            return Ok(vec![]);
        }
        let workers = (0..WORKERS).map(|worker| {
            let server = Arc::clone(arena.server(worker));
            tokio::spawn(async move {
                let leases = server.claim(&format!("worker {worker}"), 1).await?;
                // One in a few dies with what it has.
                let number = usize::try_from(turn + round).unwrap_or(0) + worker;
                if !number.is_multiple_of(7) {
                    server.complete(&leases).await?;
                }
                Ok::<_, StoreError>(())
            })
        });
        let workers = join_all(workers.collect::<Vec<_>>());
        let (ended, counted) = tokio::join!(workers, count(arena, client));
        for one in ended {
            one??;
        }
        if let Some(wrong) = counted? {
            return Ok(vec![wrong]);
        }
        // The duties have their turn; those who died are found.
        if turn % 4 == 3 {
            arena.pass(601);
            let (here, there) = tokio::join!(arena.server(0).reap(), arena.server(1).reap());
            here?;
            there?;
        }
        if turn % 8 == 7 {
            arena.server(0).keep_gates().await?;
        }
    }
    Ok(vec![format!("round {round} is stuck")])
}

/// What the gate says, what attempts hold, and how many run, each in one moment.
async fn count(arena: &Arena, client: &Client) -> Result<Option<String>> {
    let counts = "select
            (select used from workmill.gate where ns = $1 and gate = 'limit:type:code'),
            (select count(*) from workmill.hold where ns = $1),
            (select count(*) from workmill.lease where ns = $1)";
    for _ in 0..5 {
        let row = client.query_one(counts, &[&arena.ns.0]).await?;
        let counts: [i64; 3] = [row.get(0), row.get(1), row.get(2)];
        let is_right = counts.iter().all(|count| *count == counts[0]) && counts[0] <= PLACES;
        if !is_right {
            return Ok(Some(format!("used, held and running: {counts:?}")));
        }
        tokio::task::yield_now().await;
    }
    Ok(None)
}

/// H-8 (part) A-11
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agents_on_two_servers_never_pass_a_limit_and_never_leave_a_place() -> Result<()> {
    assert_eq!(many_at_a_limit(rounds(2), None).await?, [""; 0]);
    Ok(())
}
