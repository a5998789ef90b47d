//! The engine that is killed: this test binary, run again as a process of its own.
//!
//! It takes calls from its standard input and answers on its standard output, each as soon as it
//! has one. It ends with its input, so it does not outlive the test.

use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::value::to_raw_value;
use tokio::process::Command;
use workmill_core::ids::Namespace;
use workmill_core::lifecycle::State;
use workmill_core::money::Micros;
use workmill_core::task::NewTask;
use workmill_core::usage::Usage;
use workmill_engine::dispatch::{AgentChange, AgentStatus, ClaimRequest};
use workmill_engine::error::StoreError;
use workmill_engine::execution::Report;
use workmill_engine::intake::{GraphRequest, SpawnRequest};
use workmill_engine::settlement;
use workmill_engine::supervise::Supervisor;
use workmill_engine::{Caller, Engine, EngineError};
use workmill_store::Store;

use super::wire::{Answer, Call, Claimed, Ending};
use crate::{caller, register};

/// Holds the [`Order`] of a process that is to be an engine.
const ORDER: &str = "WORKMILL_CRASH_ENGINE";

/// Faults that can be planted.
pub const ANSWERED_BEFORE_IT_IS_ON_DISK: &str = "answered before it is on disk";
const FAULTS: [&str; 1] = [ANSWERED_BEFORE_IT_IS_ON_DISK];

/// Enough for two attempts at a time.
const BUDGET_OF_A_GRAPH: Micros = Micros(250_000);

/// A claim waits this long for something to do.
const WAIT: Duration = Duration::from_millis(100);

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Order {
    pub url: String,
    pub ns: i64,
    pub fault: Option<String>,
}

impl Order {
    pub fn command(&self) -> Result<Command> {
        let mut command = Command::new(std::env::current_exe()?);
        command
            .args(["--exact", "crash::engine_process::serve"])
            .args(["--ignored", "--nocapture"])
            .env(ORDER, serde_json::to_string(self)?)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        Ok(command)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "the engine that is killed; the tests start it themselves"]
async fn serve() -> Result<()> {
    let Ok(order) = std::env::var(ORDER) else {
        return Ok(());
    };
    let order: Order = serde_json::from_str(&order)?;
    // What an engine calls an error must not happen, whoever is killed; the parent reads it.
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::ERROR)
        .with_writer(std::io::stderr)
        .init();
    let store = Store::new(&order.url, 8)?;
    if let Some(fault) = &order.fault {
        let fault = FAULTS.iter().find(|known| *known == fault);
        store.test_points.switch_on(fault.context("a known fault")?);
    }
    let engine = Arc::new(Engine::new(Arc::new(store)));
    let _supervisor = Supervisor::start(Arc::clone(&engine));
    let caller = caller(Namespace(order.ns));
    // The test harness has begun a line of its own.
    println!();
    tokio::task::block_in_place(|| {
        for line in std::io::stdin().lines() {
            let (number, call): (u64, Call) = serde_json::from_str(&line?)?;
            let (engine, caller) = (Arc::clone(&engine), caller.clone());
            tokio::spawn(async move {
                let answer = match do_it(&engine, &caller, call).await {
                    Ok(answer) => answer,
                    Err(error) => in_words(&error),
                };
                let line = serde_json::to_string(&(number, answer)).expect("an answer is JSON");
                println!("{line}");
            });
        }
        Ok(())
    })
}

async fn do_it(engine: &Engine, caller: &Caller, call: Call) -> Result<Answer, EngineError> {
    match call {
        Call::Register { agent, slots } => {
            register(engine, caller, &agent, slots).await?;
            Ok(Answer::Registered)
        }
        Call::LetWork { agent } => {
            let active = AgentChange {
                status: Some(AgentStatus::Active),
                ..AgentChange::default()
            };
            engine.change_agent(caller, &agent, active, None).await?;
            Ok(Answer::Registered)
        }
        Call::Submit {
            key,
            tasks,
            is_graph: false,
        } => {
            let submitted = engine.submit_tasks(caller, &tasks, Some(&key)).await?;
            Ok(Answer::Submitted {
                graph: None,
                tasks: submitted.tasks,
                is_repeat: submitted.is_repeat,
            })
        }
        Call::Submit {
            key,
            tasks,
            is_graph: true,
        } => submit_graph(engine, caller, &key, tasks).await,
        Call::Grow { key, graph, tasks } => {
            let grown = engine.grow_graph(caller, graph, &tasks, Some(&key)).await?;
            Ok(Answer::Submitted {
                graph: Some(graph),
                tasks: grown.tasks,
                is_repeat: grown.is_repeat,
            })
        }
        Call::Spawn { key, lease, tasks } => {
            let spawn = SpawnRequest {
                tasks: tasks.as_slice(),
                wait: false,
                key: Some(&key),
            };
            let spawned = engine.spawn(caller, lease, spawn).await?;
            Ok(Answer::Submitted {
                graph: None,
                tasks: spawned.tasks,
                is_repeat: spawned.is_repeat,
            })
        }
        Call::Claim {
            agent,
            most,
            start,
            request,
        } => {
            let request = ClaimRequest {
                agent,
                most,
                start,
                wait: WAIT,
                request_id: Some(request),
                selection: workmill_core::lane::Selection::default(),
                lease: None,
            };
            let claimed = engine.claim(caller, &request).await?;
            let leases = claimed.iter().map(|one| Claimed {
                lease: one.lease,
                is_started: one.state == State::Running,
            });
            Ok(Answer::Claimed {
                leases: leases.collect(),
            })
        }
        Call::Start { lease } => {
            engine.start(caller, lease).await?;
            Ok(Answer::Alive)
        }
        Call::Heartbeat { lease, checkpoint } => {
            let report = Report {
                checkpoint: Some(checkpoint.into()),
                ..Report::default()
            };
            engine.heartbeat(caller, lease, report).await?;
            Ok(Answer::Alive)
        }
        Call::Settle { lease, ending } => {
            let usage = Usage::default();
            let settled = engine.settle(caller, lease, ending.into(), usage).await?;
            Ok(Answer::Settled {
                is_repeat: settled.is_repeat,
            })
        }
    }
}

async fn submit_graph(
    engine: &Engine,
    caller: &Caller,
    key: &str,
    tasks: Vec<NewTask>,
) -> Result<Answer, EngineError> {
    let request = GraphRequest {
        title: "graph".to_owned(),
        draft: false,
        budget_usd: Some(BUDGET_OF_A_GRAPH),
        project_id: None,
        created_by: None,
        tasks,
    };
    let submitted = engine.submit_graph(caller, &request, Some(key)).await?;
    Ok(Answer::Submitted {
        graph: Some(submitted.id),
        tasks: submitted.tasks.into_iter().map(|(_, id)| id).collect(),
        is_repeat: submitted.is_repeat,
    })
}

impl From<Ending> for settlement::Ending {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Complete { output } => settlement::Ending::Complete {
                output: to_raw_value(&output).expect("an output is JSON"),
                artifacts: Vec::new(),
            },
            Ending::Fail { reason, message } => settlement::Ending::Fail {
                reason,
                message,
                details: None,
                retry_after_ms: None,
            },
            Ending::Release => settlement::Ending::Release,
        }
    }
}

fn in_words(error: &EngineError) -> Answer {
    match error {
        EngineError::LeaseLost { .. }
        | EngineError::LateOutput { .. }
        | EngineError::LateReport { .. } => Answer::LeaseGone,
        EngineError::Overloaded => Answer::Unavailable,
        EngineError::Store(cause) => match **cause {
            StoreError::Unavailable { .. } => Answer::Unavailable,
            StoreError::UnknownOutcome { .. } => Answer::Unknown,
            _ => Answer::Refused {
                why: format!("{cause:?}"),
            },
        },
        _ => Answer::Refused {
            why: error.to_string(),
        },
    }
}
