//! Several runners work through chains of tasks while they and the server are stopped and killed:
//! everything gets done, in order, and nothing fails for it.

use std::time::Instant;

use anyhow::{Context, Result, ensure};
use nix::sys::signal::Signal;
use serde_json::json;
use workmill_core::attempt::Outcome;
use workmill_core::ids::GraphId;
use workmill_core::lifecycle::State;
use workmill_core::task::NewTask;
use workmill_protocol::graphs::CreateGraph;
use workmill_testkit::setting;

use super::{Mill, Runner, once, output};

/// Each adds one to what the one before it has put out.
const SCRIPT: &str = r#"before=$(sed -n 's/.*"dependency_results":\[{[^]]*"output":\([0-9]*\).*/\1/p')
    sleep 0.05; echo $((${before:-0} + 1))"#;

const LONGEST: usize = 4;

/// `WORKMILL_CREW_CHAINS` is how many chains there are.
#[tokio::test]
async fn runners_and_servers_come_and_go_and_everything_gets_done() -> Result<()> {
    let mut mill = Mill::start().await?;
    let mut graphs = Vec::new();
    for _ in 0..setting("WORKMILL_CREW_CHAINS", 30) {
        graphs.push(mill.admin.create_graph(&chain()).await?.id);
    }
    let all = graphs.len() * LONGEST;
    let mut crew = Crew::default();
    for _ in 0..3 {
        crew.hire(&mill).await?;
    }
    for fault in 0..8 {
        let enough = all * (fault + 1) / 10;
        until_done(&mill, &graphs, enough).await?;
        match fault % 4 {
            // Drained, and given back.
            0 => drop(crew.replace(&mill).await?.stopped(&[Signal::SIGTERM])?),
            1 => {
                let both = [Signal::SIGTERM, Signal::SIGINT];
                crew.replace(&mill).await?.stopped(&both)?;
            }
            // Gone without a word.
            2 => drop(crew.replace(&mill).await?),
            _ => {
                mill.take_away()?;
                mill.bring_back()?;
            }
        }
    }
    until_done(&mill, &graphs, all).await?;
    for runner in crew.runners {
        runner.stopped(&[Signal::SIGTERM])?;
    }
    for graph in graphs {
        let graph = mill.admin.graph(graph).await?;
        let mut results: Vec<_> = graph.tasks.iter().map(output).collect();
        results.sort_by_key(serde_json::Value::as_u64);
        assert_eq!(
            results,
            [json!(1), json!(2), json!(3), json!(4)],
            "in order"
        );
        let attempts = graph.tasks.iter().flat_map(|task| &task.attempts);
        for attempt in attempts.filter(|attempt| attempt.outcome == Outcome::Failed) {
            let reason = attempt.reason.context("a reason")?;
            ensure!(
                reason.is_expiry(),
                "only who was killed has lost: {attempt:?}"
            );
        }
    }
    Ok(())
}

fn chain() -> CreateGraph {
    let task = |place: usize| NewTask {
        name: Some(place.to_string()),
        depends_on: place
            .checked_sub(1)
            .iter()
            .map(ToString::to_string)
            .collect(),
        lease_sec: Some(2.0),
        max_attempts: Some(50),
        retry: serde_json::from_value(json!({"strategy": "immediate"})).expect("a strategy"),
        ..once(&place.to_string())
    };
    CreateGraph {
        title: "chain".to_owned(),
        project_id: None,
        created_by: None,
        draft: false,
        budget_usd: None,
        tasks: (0..LONGEST).map(task).collect(),
    }
}

#[derive(Default)]
struct Crew {
    runners: Vec<Runner>,
    hired: usize,
}

impl Crew {
    /// Returns when the server knows it: by then it hears signals, too.
    async fn hire(&mut self, mill: &Mill) -> Result<()> {
        let name = format!("crew-{}", self.hired);
        self.hired += 1;
        let arguments = [
            "--json", "--agent", &name, "--slots", "3", "--", "sh", "-c", SCRIPT,
        ];
        self.runners.push(mill.start_runner(&arguments)?);
        let began = Instant::now();
        while mill.admin.agent(&name).await.is_err() {
            ensure!(began.elapsed() < super::PATIENCE, "{name} does not come");
        }
        Ok(())
    }

    /// The one that has worked longest; somebody new has come for it.
    async fn replace(&mut self, mill: &Mill) -> Result<Runner> {
        self.hire(mill).await?;
        Ok(self.runners.remove(0))
    }
}

async fn until_done(mill: &Mill, graphs: &[GraphId], enough: usize) -> Result<()> {
    let began = Instant::now();
    loop {
        let mut done = 0;
        for graph in graphs {
            let tasks = mill.admin.graph(*graph).await?.tasks;
            done += tasks
                .iter()
                .filter(|task| task.status == State::Completed)
                .count();
        }
        if done >= enough {
            return Ok(());
        }
        ensure!(
            began.elapsed() < super::PATIENCE,
            "{done} of {enough} are done"
        );
    }
}
