//! Gates while agents claim without a pause: budgets that graphs bring with them, and limits and budgets that
//! are set on one server while agents work on two.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::Result;
use futures_util::future::try_join_all;
use serde_json::value::RawValue;
use tokio::task::JoinHandle;
use tokio_postgres::Client;
use workmill_core::gate::{Gate, Limited, Purse};
use workmill_core::money::Micros;
use workmill_core::task::NewTask;
use workmill_core::usage::{ModelUsage, Usage};
use workmill_engine::dispatch::{ClaimRequest, Claimed};
use workmill_engine::intake::GraphRequest;
use workmill_engine::settlement::Ending;
use workmill_engine::{Caller, Engine, EngineError};
use workmill_testkit::database::TestDatabase;
use workmill_testkit::factory::task;
use workmill_testkit::invariants::violations;

use crate::{engine, register};

const ONE: Micros = Micros(1_000_000);
const AGENTS: usize = 10;
const SUBMITTERS: usize = 4;
const GRAPHS: usize = 12;
const CAP: i64 = 4;
/// Of each type.
const TASKS: usize = 100;

struct Workers {
    is_over: Arc<AtomicBool>,
    completed: Arc<AtomicUsize>,
    running: Vec<JoinHandle<Result<(), EngineError>>>,
}

impl Workers {
    /// Ten agents that claim on these servers, in turn, and complete what they get.
    async fn start(servers: &[Arc<Engine>], caller: &Caller) -> Result<Workers> {
        let (is_over, completed) = (Arc::default(), Arc::default());
        let mut workers = Workers {
            is_over,
            completed,
            running: Vec::new(),
        };
        for number in 0..AGENTS {
            let name = format!("agent {number}");
            register(&servers[0], caller, &name, 1).await?;
            let server = Arc::clone(&servers[number % servers.len()]);
            let (is_over, completed) =
                (Arc::clone(&workers.is_over), Arc::clone(&workers.completed));
            let caller = caller.clone();
            workers.running.push(tokio::spawn(async move {
                while !is_over.load(Ordering::Relaxed) {
                    for claimed in server.claim(&caller, &request(&name)).await? {
                        complete(&server, &caller, claimed).await?;
                        completed.fetch_add(1, Ordering::Relaxed);
                    }
                }
                Ok(())
            }));
        }
        Ok(workers)
    }

    async fn have_completed(&self, tasks: usize) {
        while self.completed.load(Ordering::Relaxed) < tasks {
            tokio::task::yield_now().await;
        }
    }

    async fn stop(self, servers: &[Arc<Engine>]) -> Result<()> {
        self.is_over.store(true, Ordering::Relaxed);
        for server in servers {
            server.stop_waiting();
        }
        for worker in self.running {
            worker.await??;
        }
        Ok(())
    }
}

fn request(agent: &str) -> ClaimRequest {
    ClaimRequest {
        agent: agent.to_owned(),
        most: 1,
        start: true,
        wait: Duration::from_secs(40),
        request_id: None,
        selection: workmill_core::lane::Selection::default(),
        lease: None,
    }
}

/// Each attempt costs one dollar.
async fn complete(engine: &Engine, caller: &Caller, claimed: Claimed) -> Result<(), EngineError> {
    let ending = Ending::Complete {
        output: RawValue::from_string("{}".to_owned()).expect("it is JSON"),
        artifacts: Vec::new(),
    };
    let whole = ModelUsage {
        cost_usd: Some(ONE),
        ..ModelUsage::default()
    };
    let usage = Usage {
        whole,
        ..Usage::default()
    };
    let settled = engine.settle(caller, claimed.lease, ending, usage).await;
    settled.map(drop)
}

fn costing_one(title: &str, task_type: &str) -> NewTask {
    let mut task = NewTask {
        task_type: task_type.to_owned(),
        ..task(title)
    };
    task.spec.constraints.max_cost_usd = Some(ONE);
    task
}

async fn servers(database: &TestDatabase, most: usize) -> Result<(Vec<Arc<Engine>>, Caller)> {
    let (first, caller) = engine(database).await?;
    let mut servers = vec![Arc::new(first)];
    while servers.len() < most {
        servers.push(Arc::new(engine(database).await?.0));
    }
    Ok((servers, caller))
}

/// F-18, F-37: each graph has the money for one of its three tasks.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn graphs_that_meet_waiting_agents_never_spend_more_than_their_budget() -> Result<()> {
    let database = TestDatabase::new().await?;
    let (servers, caller) = servers(&database, 1).await?;
    let workers = Workers::start(&servers, &caller).await?;
    let submitters = (0..SUBMITTERS).map(|_| {
        let (engine, caller) = (Arc::clone(&servers[0]), caller.clone());
        tokio::spawn(async move {
            for _ in 0..GRAPHS {
                let request = GraphRequest {
                    title: "graph".to_owned(),
                    draft: false,
                    budget_usd: Some(ONE),
                    project_id: None,
                    created_by: None,
                    tasks: ["one", "two", "three"]
                        .map(|title| costing_one(title, "code"))
                        .to_vec(),
                };
                engine.submit_graph(&caller, &request, None).await?;
            }
            Ok::<_, EngineError>(())
        })
    });
    for submitted in try_join_all(submitters).await? {
        submitted?;
    }
    workers.have_completed(SUBMITTERS * GRAPHS).await;
    workers.stop(&servers).await?;

    let client = database.client().await?;
    let counts = "select
            count(*) filter (where used > cap), count(*) filter (where spent = cap), count(*)
        from workmill.gate where ns = $1 and starts_with(gate, 'budget:graph:')";
    let row = client.query_one(counts, &[&caller.ns.0]).await?;
    let graphs = i64::try_from(SUBMITTERS * GRAPHS)?;
    let counts: [i64; 3] = [row.get(0), row.get(1), row.get(2)];
    assert_eq!(counts, [0, graphs, graphs], "overspent, spent and all");
    assert_eq!(violations(&client, caller.ns.0).await?, [""; 0]);
    Ok(())
}

/// H-8 (part), F-37: agents work on two servers without a pause; from the moment that the call
/// which sets a limit or a budget is answered, no claim exceeds it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_claim_on_two_servers_exceeds_a_gate_from_its_answer_on() -> Result<()> {
    let database = TestDatabase::new().await?;
    let (servers, caller) = servers(&database, 2).await?;
    let client = database.client().await?;
    let workers = Workers::start(&servers, &caller).await?;
    for round in 0..4 {
        let task_type = format!("type {round}");
        let tasks = vec![costing_one("work", &task_type); TASKS];
        servers[round % 2]
            .submit_tasks(&caller, &tasks, None)
            .await?;
        workers.have_completed(round * TASKS + 20).await;
        let setter = &servers[(round + 1) % 2];

        let limited = Limited::Type(task_type);
        setter
            .set_limit(&caller, limited.clone(), CAP, None)
            .await?;
        let limit = Gate::Limit(limited);
        never_exceeds(&client, &caller, &limit, CAP).await?;
        setter.remove_gate(&caller, limit).await?;

        let (purse, few) = (Purse::Namespace, Micros(12 * ONE.0));
        setter
            .set_budget(&caller, purse.clone(), few, None, None)
            .await?;
        let budget = Gate::Budget(purse);
        never_exceeds(&client, &caller, &budget, few.0).await?;
        setter.remove_gate(&caller, budget).await?;
        workers.have_completed((round + 1) * TASKS).await;
    }
    workers.stop(&servers).await?;
    assert_eq!(violations(&client, caller.ns.0).await?, [""; 0]);
    Ok(())
}

/// Looks many times, each in one moment: a limit counts what runs, a budget at least what is reserved, and
/// what was more than the cap when it was answered only becomes less.
async fn never_exceeds(client: &Client, caller: &Caller, gate: &Gate, cap: i64) -> Result<()> {
    let look = "select g.used, (select count(*) from workmill.lease l where l.ns = g.ns)
        from workmill.gate g where g.ns = $1 and g.gate = $2";
    let gate_name = gate.to_string();
    let mut most = i64::MAX;
    for _ in 0..40 {
        let row = client.query_one(look, &[&caller.ns.0, &gate_name]).await?;
        let (used, running): (i64, i64) = (row.get(0), row.get(1));
        if matches!(gate, Gate::Limit(_)) {
            assert_eq!(used, running, "{gate}: what counts, and what runs");
        } else {
            let reserved = running * ONE.0;
            assert!(used >= reserved, "{gate}: {used} of {reserved} count");
        }
        assert!(used <= most, "{gate}: {used} are used of {most}");
        most = most.min(used.max(cap));
    }
    Ok(())
}
