//! `workmill spawn`: more work, below the task that is held.

use anyhow::Result;

use super::lease::HeldLease;
use super::new_tasks::NewTasks;
use crate::arguments::SpawnArguments;
use crate::context::CommandContext;
use crate::exit::Exit;

pub(crate) async fn run(context: &CommandContext, arguments: &SpawnArguments) -> Result<Exit> {
    let tasks = NewTasks::read(&arguments.tasks)?;
    let body = tasks.spawned(arguments.wait)?;
    let held = HeldLease::find(context, &arguments.lease).await?;
    let spawned = held.client.spawn_json(held.lease, &body).await;
    let spawned = spawned.map_err(|error| tasks.place(error))?;
    if arguments.wait {
        // The task waits for them now, and nobody holds it.
        held.memory.forget(held.lease);
    }
    context.output.answer(&spawned, |spawned| {
        let ids = spawned.tasks.iter().map(ToString::to_string);
        ids.collect::<Vec<_>>().join("\n")
    })?;
    Ok(Exit::Done)
}
