//! Acting on a lease: `start`, `heartbeat`, `done`, `fail` and `release`.

use anyhow::Result;
use serde_json::value::RawValue;
use workmill_core::ids::LeaseId;
use workmill_protocol::error::ErrorCode;
use workmill_protocol::leases::{
    CompleteTask, FailTask, LeaseAlive, SendHeartbeat, SettledTask, Usage,
};
use workmill_sdk::{Client, ClientError};

use super::input;
use crate::arguments::{DoneArguments, FailArguments, LeaseArguments};
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::lease_memory::LeaseMemory;
use crate::render;

/// A lease, and what is needed to act on it.
struct HeldLease {
    client: Client,
    memory: LeaseMemory,
    lease: LeaseId,
}

impl HeldLease {
    fn find(context: &CommandContext, arguments: &LeaseArguments) -> Result<Self> {
        let memory = LeaseMemory::of_server(&context.configuration.url);
        let agent = arguments
            .agent
            .as_deref()
            .or(context.configuration.agent.as_deref());
        let lease = match (arguments.lease, arguments.task) {
            (Some(lease), _) => lease,
            (None, Some(task)) => memory.recall(agent, task)?,
            (None, None) => return Err(Exit::Usage.because("which task? Name it, or give --lease")),
        };
        Ok(HeldLease {
            client: context.client()?,
            memory,
            lease,
        })
    }

    fn alive(
        &self,
        context: &CommandContext,
        answer: Result<LeaseAlive, ClientError>,
    ) -> Result<Exit> {
        let alive = self.checked(answer)?;
        context.output.answer(&alive, render::alive)?;
        Ok(Exit::Done)
    }

    fn settled(
        &self,
        context: &CommandContext,
        answer: Result<SettledTask, ClientError>,
    ) -> Result<Exit> {
        let settled = self.checked(answer)?;
        self.memory.forget(self.lease);
        context.output.answer(&settled, render::settled)?;
        Ok(Exit::Done)
    }

    fn checked<T>(&self, answer: Result<T, ClientError>) -> Result<T> {
        if let Err(ClientError::Refused(problem)) = &answer
            && problem.code == ErrorCode::LeaseLost
        {
            self.memory.forget(self.lease);
        }
        Ok(answer?)
    }
}

pub(super) async fn start(context: &CommandContext, arguments: &LeaseArguments) -> Result<Exit> {
    let held = HeldLease::find(context, arguments)?;
    held.alive(context, held.client.start(held.lease).await)
}

pub(super) async fn heartbeat(
    context: &CommandContext,
    arguments: &LeaseArguments,
) -> Result<Exit> {
    let held = HeldLease::find(context, arguments)?;
    held.alive(
        context,
        held.client
            .heartbeat(held.lease, &SendHeartbeat::default())
            .await,
    )
}

pub(super) async fn done(context: &CommandContext, arguments: &DoneArguments) -> Result<Exit> {
    let held = HeldLease::find(context, &arguments.lease)?;
    let output = match &arguments.output {
        Some(argument) => input::json_value(argument)?,
        None => RawValue::NULL.to_owned(),
    };
    let completion = CompleteTask {
        output,
        artifacts: arguments
            .artifacts
            .iter()
            .map(|one| one.as_str().into())
            .collect(),
        usage: usage(arguments.cost_usd),
    };
    held.settled(context, held.client.complete(held.lease, &completion).await)
}

pub(super) async fn fail(context: &CommandContext, arguments: &FailArguments) -> Result<Exit> {
    let held = HeldLease::find(context, &arguments.lease)?;
    let failure = FailTask {
        reason: arguments.reason,
        message: arguments.message.clone().unwrap_or_default(),
        details: None,
        retry_after_ms: arguments.retry_after_ms,
        usage: usage(arguments.cost_usd),
    };
    held.settled(context, held.client.fail(held.lease, &failure).await)
}

pub(super) async fn release(context: &CommandContext, arguments: &LeaseArguments) -> Result<Exit> {
    let held = HeldLease::find(context, arguments)?;
    held.settled(context, held.client.release(held.lease).await)
}

fn usage(cost_usd: f64) -> Usage {
    Usage {
        cost_usd,
        ..Usage::default()
    }
}
