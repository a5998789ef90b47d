//! The demo of `workmill up --demo`: a sample graph, three agents that really work on it, and a
//! view to watch them.
//!
//! In comes a client of a running server; out come the drawing and a summary on standard output
//! and an [`Outcome`]. Everything goes through the API, as any program's work would. The state of
//! the demo is in the queue alone: after a crash the next run finds the graph and finishes it.

mod agents;
mod change_lines;
mod command;
mod first_line;
mod graph;
mod retries;
#[cfg(test)]
mod samples;
mod scripts;
mod summary;
mod table;
mod view;

use std::io;
use std::time::Instant;

use anyhow::Context;
use tokio::sync::watch;
use workmill_core::ids::GraphId;
use workmill_sdk::Client;

pub(crate) use summary::Outcome;

/// The name of the key that creates the demo's graph.
pub(crate) const CREATED_BY: &str = "admin";

/// Where to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct View {
    pub(crate) is_terminal: bool,
    pub(crate) colour: bool,
}

/// Runs the demo to its end.
///
/// Drop the future to stop earlier. The agents are part of it and not tasks of their own, so
/// that their commands are killed in the same moment.
pub(crate) async fn run(client: &Client, view: View) -> anyhow::Result<Outcome> {
    let began = Instant::now();
    crate::work_folder::remove_leftovers();
    let (id, is_resumed) = find_or_create(client).await?;
    for agent in &agents::AGENTS {
        agents::register(client, agent)
            .await
            .with_context(|| format!("cannot register the agent {}", agent.id))?;
    }
    let (stop, stopped) = watch::channel(false);
    let watching = async {
        let graph = view::watch(client, id, view, began)
            .await
            .context("cannot watch the demo")?;
        // From here on the agents finish what they hold and take nothing new.
        stop.send_replace(true);
        let outcome = Outcome::of(&graph, began.elapsed(), is_resumed);
        summary::print(&mut io::stdout().lock(), &graph, &outcome)
            .context("cannot print the summary")?;
        Ok(outcome)
    };
    let work = |agent: &'static agents::DemoAgent| {
        let stopped = stopped.clone();
        async move {
            agents::run(client, agent, id, stopped)
                .await
                .with_context(|| format!("the agent {} has to give up", agent.id))
        }
    };
    let [researcher, writer, reviewer] = &agents::AGENTS;
    let (outcome, (), (), ()) =
        tokio::try_join!(watching, work(researcher), work(writer), work(reviewer))?;
    Ok(outcome)
}

/// The demo graph of an earlier run that was interrupted.
pub(crate) async fn find_unfinished(client: &Client) -> anyhow::Result<Option<GraphId>> {
    let found = retries::until_answered(|| graph::find_unfinished(client)).await;
    found.context("cannot look for an unfinished demo")
}

/// The graph to work on, and whether an earlier run has left it behind.
async fn find_or_create(client: &Client) -> anyhow::Result<(GraphId, bool)> {
    if let Some(id) = find_unfinished(client).await? {
        return Ok((id, true));
    }
    let create = || async {
        // A call whose answer got lost may have created it: look before asking again.
        match graph::find_unfinished(client).await? {
            Some(id) => Ok(id),
            None => Ok(client.create_graph(&graph::sample()).await?.id),
        }
    };
    let id = retries::until_answered(create).await;
    Ok((id.context("cannot create the demo's graph")?, false))
}
