//! Working on the plan: `claim`, `renew`, `done`, `fail`.

use std::time::Duration;

use anyhow::Result;
use serde::Serialize;
use serde_json::value::RawValue;
use workmill_core::failure::Reason;
use workmill_core::ids::LeaseId;
use workmill_core::plan::PlanStatus;
use workmill_core::policy::Profile;
use workmill_protocol::agents::RegisterAgent;
use workmill_protocol::claims::ClaimTasks;
use workmill_protocol::error::ErrorCode;
use workmill_protocol::leases::{CompleteTask, Directive, FailTask, SendHeartbeat, Usage};
use workmill_protocol::tasks::Task;
use workmill_sdk::{Client, ClientError};

use super::row::PlanRow;
use crate::arguments::{
    ClaimTaskArguments, HeldTaskArguments, TaskDoneArguments, TaskFailArguments,
};
use crate::commands::claim::{claim_within, nothing_to_claim};
use crate::commands::input;
use crate::commands::lease::{given_lease, is_of};
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::lease_memory::LeaseMemory;

/// An agent that is not registered otherwise takes one task after the other, and nothing bounds how many:
/// its slots are not counted anywhere.
const SLOTS: i32 = 10_000;

pub(super) async fn claim(
    context: &CommandContext,
    arguments: &ClaimTaskArguments,
) -> Result<Exit> {
    let agent = agent(context, arguments.agent.as_deref())?;
    let client = context.client()?;
    let request = ClaimTasks {
        start: true,
        lease_sec: arguments.lease_sec,
        profile: (!arguments.any).then_some(Profile::Task),
        ..ClaimTasks::new(agent)
    };
    let wait = Duration::from_secs(arguments.wait);
    let claims = match claim_within(&client, request.clone(), wait).await {
        Err(error) if is_not_found(&error) => {
            let registration = RegisterAgent {
                max_concurrent_tasks: SLOTS,
                by_hand: true,
                ..RegisterAgent::new(agent)
            };
            client.register(&registration).await?;
            claim_within(&client, request, wait).await
        }
        claims => claims,
    };
    let Some(claim) = claims?.pop() else {
        if context.output.json {
            context.output.answer(&None::<PlanRow>, |_| String::new())?;
        } else {
            let why = nothing_to_claim(&client, agent, &[]).await;
            context.output.note(&why);
        }
        return Ok(Exit::NothingToClaim);
    };
    let memory = LeaseMemory::new(&context.configuration);
    let name = claim.task.asked.key.as_deref();
    if let Err(error) = memory.remember(agent, claim.lease, name) {
        // The claim stands: the agent's name is good for it.
        context.output.note(&format!("{error:#}"));
    }
    let row = PlanRow::of_claim(&client, agent, &claim).await;
    context.output.answer(&row, PlanRow::render)?;
    Ok(Exit::Done)
}

/// Whether the server does not know the agent that claims.
fn is_not_found(error: &anyhow::Error) -> bool {
    matches!(
        error.downcast_ref(),
        Some(ClientError::Refused(problem)) if problem.code == ErrorCode::NotFound
    )
}

/// A task that is held, and the lease to speak with.
struct HeldTask {
    client: Client,
    memory: LeaseMemory,
    /// What the planner calls it.
    name: String,
    lease: LeaseId,
}

impl HeldTask {
    /// The lease that `agent run` has given to this command, or the one that was remembered here; without one,
    /// whoever has the holder's name is the holder.
    async fn find(context: &CommandContext, arguments: &HeldTaskArguments) -> Result<HeldTask> {
        let client = context.client()?;
        let memory = LeaseMemory::new(&context.configuration);
        let agent = arguments.agent.as_deref();
        let agent = agent.or(context.configuration.agent.as_deref());
        if let Some(lease) = given_lease()?
            && is_of(&client, lease, &arguments.id).await
        {
            return Ok(HeldTask {
                client,
                memory,
                name: arguments.id.clone(),
                lease,
            });
        }
        let (name, lease) = match client.task(&arguments.id).await {
            Ok(task) => {
                let lease = lease_of(&memory, agent, &arguments.id, &task)?;
                let name = task.task.key.unwrap_or_else(|| task.id.to_string());
                (name, lease)
            }
            // A key for agents sees only what its agents hold. What was lost may still be ended, as long
            // as nobody has claimed it since: that is for the server to say.
            Err(ClientError::Refused(problem)) if problem.code == ErrorCode::Forbidden => {
                let lease = memory.recall_named(agent, &arguments.id)?;
                let unknown = || format!("{}: {}", arguments.id, problem.detail);
                let lease = lease.ok_or_else(|| Exit::Conflict.because(unknown()))?;
                (arguments.id.clone(), lease)
            }
            Err(error) => return Err(error.into()),
        };
        Ok(HeldTask {
            client,
            memory,
            name,
            lease,
        })
    }
}

fn lease_of(memory: &LeaseMemory, agent: Option<&str>, id: &str, task: &Task) -> Result<LeaseId> {
    let unknown = match memory.recall(agent, task.id) {
        Ok(lease) => return Ok(lease),
        Err(unknown) => unknown,
    };
    let holder = task.claim.as_ref();
    let holder = holder.filter(|claim| agent == Some(claim.agent.as_str()));
    match holder {
        Some(claim) => Ok(LeaseId {
            task: task.id,
            epoch: claim.epoch,
        }),
        None if Exit::of(&unknown) == Exit::Usage => Err(unknown),
        None => Err(not_held(id, task, agent)),
    }
}

fn not_held(id: &str, task: &Task, name: Option<&str>) -> anyhow::Error {
    let status = PlanStatus::from(task.status).name();
    let who = match (&task.claim, name) {
        (Some(claim), Some(name)) => format!("{} holds it, not {name}", claim.agent),
        (Some(_), None) => "name the agent with --agent or WORKMILL_AGENT".to_owned(),
        (None, _) => format!("it is {status}, and no agent holds it"),
    };
    Exit::Conflict.because(format!("{id}: {who}"))
}

#[derive(Serialize)]
struct Moved {
    id: String,
    status: PlanStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    lease_expires_in_ms: Option<i64>,
}

impl Moved {
    fn render(&self) -> String {
        let (id, status) = (&self.id, self.status.name());
        match self.lease_expires_in_ms {
            Some(left) => format!("{id}  {status} for another {} s", left / 1000),
            None => format!("{id}  {status}"),
        }
    }
}

pub(super) async fn renew(context: &CommandContext, arguments: &HeldTaskArguments) -> Result<Exit> {
    let held = HeldTask::find(context, arguments).await?;
    let heartbeat = SendHeartbeat::default();
    let alive = held.client.heartbeat(held.lease, &heartbeat).await?;
    if alive.directive == Directive::Stop {
        let reason = alive
            .reason
            .as_deref()
            .unwrap_or("the server asked the agent to stop");
        let name = held.name;
        return Err(Exit::Conflict.because(format!("{name}: stop working on it: {reason}")));
    }
    held.memory.keep(held.lease);
    let moved = Moved {
        id: held.name,
        status: PlanStatus::Active,
        lease_expires_in_ms: Some(alive.expires_in_ms),
    };
    context.output.answer(&moved, Moved::render)?;
    Ok(Exit::Done)
}

pub(super) async fn done(context: &CommandContext, arguments: &TaskDoneArguments) -> Result<Exit> {
    let output = match &arguments.result {
        Some(argument) => input::json_value("the result", argument)?,
        None => RawValue::NULL.to_owned(),
    };
    let held = HeldTask::find(context, &arguments.held).await?;
    let completion = CompleteTask {
        output,
        artifacts: Vec::new(),
        usage: Usage::default(),
        claim: None,
    };
    let settled = held.client.complete(held.lease, &completion).await?;
    ended(context, held, settled.status.into())
}

pub(super) async fn fail(context: &CommandContext, arguments: &TaskFailArguments) -> Result<Exit> {
    let held = HeldTask::find(context, &arguments.held).await?;
    let failure = FailTask {
        reason: Reason::Unknown,
        message: arguments.reason.clone().unwrap_or_default(),
        details: None,
        retry_after_ms: None,
        usage: Usage::default(),
        claim: None,
    };
    let settled = held.client.fail(held.lease, &failure).await?;
    ended(context, held, settled.status.into())
}

fn ended(context: &CommandContext, held: HeldTask, status: PlanStatus) -> Result<Exit> {
    held.memory.forget(held.lease);
    let moved = Moved {
        id: held.name,
        status,
        lease_expires_in_ms: None,
    };
    context.output.answer(&moved, Moved::render)?;
    Ok(Exit::Done)
}

/// Who works: it must be said, since two who share a name share their leases.
fn agent<'a>(context: &'a CommandContext, named: Option<&'a str>) -> Result<&'a str> {
    let agent = named.or(context.configuration.agent.as_deref());
    agent.ok_or_else(|| Exit::Usage.because("name the agent with --agent or WORKMILL_AGENT"))
}
