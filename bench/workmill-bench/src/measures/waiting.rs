//! Single submits while nobody waits, while 50 agents wait for other work, and while 50 other
//! servers have an agent waiting for other work.
//!
//! In short slices that take turns in one database, so that what else happens on the machine, and
//! the growth of the tables, meets all three alike.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use tokio::task::JoinHandle;
use tokio::time::sleep;
use workmill_engine::dispatch::{ClaimRequest, Claimed};
use workmill_engine::{Engine, EngineError};
use workmill_store::Store;

use super::submit::submit_from;
use super::{Numbers, Size, median, per_second};
use crate::scene::{Scene, wide_task};
use crate::server::Server;

const WAITING: usize = 50;
const SLICE: Duration = Duration::from_secs(1);
const SETTLE: Duration = Duration::from_millis(400);

#[derive(Clone, Copy)]
enum Who {
    Nobody,
    Agents,
    Servers,
}

const KINDS: [(Who, &str); 3] = [
    (Who::Nobody, "none"),
    (Who::Agents, "agents"),
    (Who::Servers, "servers"),
];

pub async fn measure(server: &Server, size: Size) -> Result<Numbers> {
    let scene = Arc::new(Scene::new(server).await?);
    for n in 0..WAITING {
        scene.agent(&format!("waiting{n}"), 1, &[]).await?;
    }
    let mut task = wide_task();
    task.spec.constraints.required_capabilities = vec!["rare".to_owned()];
    submit_from(&scene, 8, SLICE, &task).await?;

    let mut rates = [const { Vec::new() }; 3];
    for turn in 0..size.pick(3, 9) {
        for place in 0..KINDS.len() {
            // Each kind comes first, second and last equally often.
            let kind = (place + turn) % KINDS.len();
            let waiting = Waiting::start(&scene, KINDS[kind].0)?;
            sleep(SETTLE).await;
            let (count, took) = submit_from(&scene, 8, SLICE, &task).await?;
            rates[kind].push(per_second(count, took));
            waiting.end().await?;
        }
    }
    Scene::end_shared(scene, server).await?;

    let mut numbers = Numbers::new();
    for (kind, (_, name)) in KINDS.iter().enumerate() {
        let ratios = rates[kind]
            .iter()
            .zip(&rates[0])
            .map(|(rate, none)| rate / none);
        numbers.insert(format!("waiting_{name}_ratio"), median(ratios.collect()));
        numbers.insert(
            format!("submit_waiting_{name}"),
            median(rates[kind].clone()),
        );
    }
    numbers.remove("waiting_none_ratio");
    Ok(numbers)
}

struct Waiting {
    claims: Vec<JoinHandle<Result<Vec<Claimed>, EngineError>>>,
    servers: Vec<Arc<Engine>>,
}

impl Waiting {
    fn start(scene: &Arc<Scene>, who: Who) -> Result<Waiting> {
        let mut waiting = Waiting {
            claims: Vec::new(),
            servers: Vec::new(),
        };
        for n in 0..WAITING {
            let engine = match who {
                Who::Nobody => break,
                Who::Agents => scene.engine.clone(),
                Who::Servers => {
                    let engine = Arc::new(Engine::new(Arc::new(Store::new(&scene.url, 1)?)));
                    waiting.servers.push(engine.clone());
                    engine
                }
            };
            let caller = scene.caller.clone();
            waiting.claims.push(tokio::spawn(async move {
                let request = ClaimRequest {
                    agent: format!("waiting{n}"),
                    most: 1,
                    start: true,
                    // Somewhat longer than the slice, which the waiting must not outlive.
                    wait: SETTLE * 2 + SLICE,
                    request_id: None,
                    selection: workmill_core::lane::Selection::default(),
                    lease: None,
                };
                engine.claim(&caller, &request).await
            }));
        }
        Ok(waiting)
    }

    async fn end(self) -> Result<()> {
        for claim in self.claims {
            claim.await??;
        }
        for engine in self.servers {
            engine.stop_waiting();
            engine.store().close();
        }
        Ok(())
    }
}
