//! `workmill agent run`: a command works as an agent.

mod agent_name;
mod attempt;
mod ending;
mod environment;
mod kept;
mod preset;
mod process;
mod program;
mod progress_file;
mod prompt;
mod result_file;

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::signal::unix::{Signal, SignalKind};
use workmill_core::money::Micros;
use workmill_sdk::Client;
use workmill_sdk::worker::{Stop, Tally, TaskContext, Worker};

use self::agent_name::AgentName;
use self::attempt::Runner;
use self::program::Program;
use super::claim::nothing_to_claim;
use crate::arguments::AgentRunArguments;
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::stop_signal;
use crate::work_folder::{self, WorkFolder};

/// What a worker waits beyond the grace of a command, which is killed by then.
const TO_KILL: Duration = Duration::from_secs(5);

pub(super) async fn run(context: &CommandContext, arguments: &AgentRunArguments) -> Result<Exit> {
    let program = Program::find(arguments)?;
    let agent = arguments.agent.clone();
    let agent = agent.or_else(|| context.configuration.agent.clone());
    // Held while this runs: another one on this machine takes another name.
    let own_name = match &agent {
        Some(_) => None,
        None => Some(AgentName::take(
            &context.configuration.url,
            arguments.agent_type.as_deref(),
        )?),
    };
    let agent =
        agent.unwrap_or_else(|| own_name.as_ref().map_or_else(String::new, AgentName::name));
    let client = context.client()?;
    if let Err(error) = client.is_ready().await {
        // A service may come up before its server; who asks for one round wants to know.
        if arguments.once {
            return Err(error.into());
        }
        context.output.note(&format!("{error}; waiting for it"));
    }
    work_folder::remove_leftovers();
    // Otherwise each task would fail for want of it.
    WorkFolder::new().with_context(|| {
        let place = std::env::temp_dir();
        format!("cannot make a folder in {}", place.display())
    })?;
    let worker = worker(client.clone(), &agent, arguments)?.on_end(attempt::tell_end);
    stop_on_signals(&worker.stop())?;
    let runner = Arc::new(Runner {
        program,
        url: context.configuration.url.clone(),
        grace: Duration::from_secs(arguments.grace),
        has_own_folder: arguments.workdir_per_task,
    });
    tracing::info!(agent, slots = arguments.slots, "waiting for work");
    let handle = move |task: TaskContext| Arc::clone(&runner).attempt(task);
    let tally = worker.run(handle).await?;
    if arguments.once && tally == Tally::default() {
        let why = nothing_to_claim(&client, &agent, &arguments.task_types).await;
        context.output.note(&why);
    }
    context.output.answer(&tally, for_people)?;
    if arguments.once && tally == Tally::default() {
        return Ok(Exit::NothingToClaim);
    }
    Ok(Exit::Done)
}

fn worker(client: Client, agent: &str, arguments: &AgentRunArguments) -> Result<Worker> {
    let mut worker = Worker::new(client, agent)
        .agent_type(arguments.agent_type.clone().unwrap_or_default())
        .slots(arguments.slots)
        .poll_interval(Duration::from_secs(arguments.poll_interval))
        .grace(Duration::from_secs(arguments.grace) + TO_KILL);
    for capability in &arguments.capabilities {
        worker = worker.capability(capability);
    }
    for model in &arguments.models {
        worker = worker.model(model);
    }
    for task_type in &arguments.task_types {
        worker = worker.task_type(task_type);
    }
    if let Some(budget) = arguments.budget {
        let budget = Micros::from_dollars(budget);
        let budget = budget.map_err(|error| Exit::Usage.because(format!("--budget: {error}")))?;
        worker = worker.budget(budget);
    }
    if let Some(most) = arguments.max_tasks {
        worker = worker.max_tasks(most);
    }
    Ok(if arguments.once {
        worker.once()
    } else {
        worker
    })
}

/// The first signal drains, the next one releases. So does at once what would end the program without
/// a word: the commands, each in a group of its own, would be left behind.
fn stop_on_signals(stop: &Stop) -> Result<()> {
    for kind in [SignalKind::interrupt(), SignalKind::terminate()] {
        let signals = stop_signal::listen_for(kind)?;
        tokio::spawn(stop_on(signals, stop.clone()));
    }
    for kind in [SignalKind::hangup(), SignalKind::quit()] {
        // Who was started with `nohup` stays.
        if !stop_signal::is_ignored(kind) {
            let signals = stop_signal::listen_for(kind)?;
            tokio::spawn(release_on(signals, stop.clone()));
        }
    }
    Ok(())
}

async fn stop_on(mut signals: Signal, stop: Stop) {
    while signals.recv().await.is_some() {
        if stop.further() {
            tracing::info!("releasing the running tasks");
        } else {
            tracing::info!("finishing the running tasks; a second signal releases them");
        }
    }
}

async fn release_on(mut signals: Signal, stop: Stop) {
    while signals.recv().await.is_some() {
        stop.release();
        tracing::info!("releasing the running tasks");
    }
}

fn for_people(tally: &Tally) -> String {
    let mut text = format!("Completed {}, failed {}", tally.completed, tally.failed);
    for (what, count) in [
        ("timed out", tally.timed_out),
        ("over budget", tally.over_budget),
        ("blocked", tally.blocked),
        ("waiting for spawned tasks", tally.waiting),
        ("cancelled", tally.cancelled),
        ("released", tally.released),
        ("lease lost", tally.lost),
        ("not reported", tally.unreported),
    ] {
        if count > 0 {
            // Writing to a string cannot fail.
            let _ = write!(text, ", {what} {count}");
        }
    }
    text.push('.');
    text
}
