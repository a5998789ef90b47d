//! Acting on a lease: `start`, `heartbeat`, `done`, `fail`, `release` and `block`.

use anyhow::Result;
use serde_json::Value;
use serde_json::value::RawValue;
use workmill_core::fields::no_such_field;
use workmill_core::ids::{LeaseId, TaskId};
use workmill_core::json_text::JsonText;
use workmill_core::plain_words::in_plain_words;
use workmill_protocol::leases::{
    BlockTask, CompleteTask, FailTask, LeaseAlive, MayWaitFor, SendHeartbeat, SettledTask, Usage,
};
use workmill_sdk::{Client, ClientError};

use super::input;
use crate::arguments::{
    BlockLeaseArguments, BlockedFor, DoneArguments, FailArguments, HeartbeatArguments,
    LeaseArguments, UsageArguments,
};
use crate::configuration::variable_as;
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::lease_memory::LeaseMemory;
use crate::render;

/// A lease, and what is needed to act on it.
pub(super) struct HeldLease {
    pub(super) client: Client,
    pub(super) memory: LeaseMemory,
    pub(super) lease: LeaseId,
}

impl HeldLease {
    pub(super) async fn find(context: &CommandContext, arguments: &LeaseArguments) -> Result<Self> {
        let client = context.client()?;
        let memory = LeaseMemory::new(&context.configuration);
        let agent = arguments
            .agent
            .as_deref()
            .or(context.configuration.agent.as_deref());
        let lease = match (arguments.lease, &arguments.task) {
            (Some(lease), _) => lease,
            (None, named) => of_environment(&client, &memory, agent, named.as_deref()).await?,
        };
        Ok(HeldLease {
            client,
            memory,
            lease,
        })
    }

    fn alive(
        &self,
        context: &CommandContext,
        answer: Result<LeaseAlive, ClientError>,
    ) -> Result<Exit> {
        let alive = answer?;
        self.memory.keep(self.lease);
        context.output.answer(&alive, render::alive)?;
        Ok(Exit::Done)
    }

    fn settled(
        &self,
        context: &CommandContext,
        answer: Result<SettledTask, ClientError>,
    ) -> Result<Exit> {
        let settled = answer?;
        self.memory.forget(self.lease);
        context.output.answer(&settled, render::settled)?;
        Ok(Exit::Done)
    }
}

pub(super) async fn start(context: &CommandContext, arguments: &LeaseArguments) -> Result<Exit> {
    let held = HeldLease::find(context, arguments).await?;
    held.alive(context, held.client.start(held.lease).await)
}

pub(super) async fn heartbeat(
    context: &CommandContext,
    arguments: &HeartbeatArguments,
) -> Result<Exit> {
    let held = HeldLease::find(context, &arguments.lease).await?;
    let usage = usage(&arguments.usage)?;
    let heartbeat = SendHeartbeat {
        progress: told("the progress", arguments.progress.as_deref())?,
        checkpoint: told("the checkpoint", arguments.checkpoint.as_deref())?,
        usage: (usage != Usage::default()).then_some(usage),
    };
    held.alive(context, held.client.heartbeat(held.lease, &heartbeat).await)
}

pub(super) async fn done(context: &CommandContext, arguments: &DoneArguments) -> Result<Exit> {
    let held = HeldLease::find(context, &arguments.lease).await?;
    let output = match &arguments.output {
        Some(argument) => input::json_value("the output", argument)?,
        None => RawValue::NULL.to_owned(),
    };
    let completion = CompleteTask {
        output,
        artifacts: arguments
            .artifacts
            .iter()
            .map(|one| one.as_str().into())
            .collect(),
        usage: usage(&arguments.usage)?,
        claim: None,
    };
    held.settled(context, held.client.complete(held.lease, &completion).await)
}

pub(super) async fn fail(context: &CommandContext, arguments: &FailArguments) -> Result<Exit> {
    let held = HeldLease::find(context, &arguments.lease).await?;
    let failure = FailTask {
        reason: arguments.reason,
        message: arguments.message.clone().unwrap_or_default(),
        details: None,
        retry_after_ms: arguments.retry_after_ms,
        usage: usage(&arguments.usage)?,
        claim: None,
    };
    held.settled(context, held.client.fail(held.lease, &failure).await)
}

pub(super) async fn release(context: &CommandContext, arguments: &LeaseArguments) -> Result<Exit> {
    let held = HeldLease::find(context, arguments).await?;
    held.settled(context, held.client.release(held.lease).await)
}

pub(super) async fn block(
    context: &CommandContext,
    arguments: &BlockLeaseArguments,
) -> Result<Exit> {
    let held = HeldLease::find(context, &arguments.lease).await?;
    let block = BlockTask {
        waits_for: match arguments.waits_for {
            BlockedFor::Input => MayWaitFor::Input,
            BlockedFor::Approval => MayWaitFor::Approval,
            BlockedFor::OutsideEvent => MayWaitFor::OutsideEvent,
        },
        question: arguments.question.clone().map(Value::String),
        timeout_ms: arguments.timeout.map(|seconds| i64::from(seconds) * 1000),
        usage: usage(&arguments.usage)?,
    };
    held.settled(context, held.client.block(held.lease, &block).await)
}

/// The lease that `agent run` has given to this command, or the one that was claimed from here.
async fn of_environment(
    client: &Client,
    memory: &LeaseMemory,
    agent: Option<&str>,
    named: Option<&str>,
) -> Result<LeaseId> {
    let given = given_lease()?;
    match (given, named) {
        (Some(lease), None) => Ok(lease),
        (Some(lease), Some(task)) if is_of(client, lease, task).await => Ok(lease),
        (_, Some(task)) => remembered(memory, agent, task),
        (None, None) => match variable_as("WORKMILL_TASK_ID")? {
            Some(task) => memory.recall(agent, task),
            None => only_one(memory, agent),
        },
    }
}

/// The lease that `agent run` has given to this command.
pub(super) fn given_lease() -> Result<Option<LeaseId>> {
    variable_as("WORKMILL_LEASE")
}

/// Returns whether the name is that of the task of this lease: its id, or its planner's key.
pub(super) async fn is_of(client: &Client, lease: LeaseId, name: &str) -> bool {
    match name.parse::<TaskId>() {
        Ok(id) if id == lease.task => true,
        // A key may look like another id.
        Ok(_) | Err(_) => {
            let named = client.task(name).await;
            named.is_ok_and(|task| task.id == lease.task)
        }
    }
}

/// The lease of an agent that has claimed one task from here and not ended it.
fn only_one(memory: &LeaseMemory, agent: Option<&str>) -> Result<LeaseId> {
    let held = agent.map(|agent| memory.held_by(agent));
    let of_whom = agent.map_or(String::new(), |agent| format!(" for `{agent}`"));
    match held.unwrap_or_default()[..] {
        [lease] => Ok(lease),
        [] => Err(Exit::Usage.because(format!(
            "no lease is remembered{of_whom}: claim a task first, or give --lease"
        ))),
        [_, _, ..] => Err(Exit::Usage
            .because("which task? Several were claimed from here: name one, or give --lease")),
    }
}

/// The lease that was remembered of a task, by its id or by its planner's key.
fn remembered(memory: &LeaseMemory, agent: Option<&str>, task: &str) -> Result<LeaseId> {
    if let Some(lease) = memory.recall_named(agent, task)? {
        return Ok(lease);
    }
    match task.parse() {
        Ok(id) => memory.recall(agent, id),
        Err(_) => Err(Exit::NotFound.because(format!(
            "no lease of `{task}` is remembered here: claim it first, or give --lease"
        ))),
    }
}

fn told(what: &str, argument: Option<&str>) -> Result<Option<JsonText>> {
    let json = argument.map(|argument| input::json_value(what, argument));
    Ok(json.transpose()?.map(JsonText::from))
}

fn usage(arguments: &UsageArguments) -> Result<Usage> {
    let Some(argument) = &arguments.usage else {
        return Ok(Usage {
            cost_usd: arguments.cost_usd,
            input_tokens: arguments.input_tokens,
            output_tokens: arguments.output_tokens,
            cached_input_tokens: arguments.cached_input_tokens,
            model: arguments.model.clone(),
            ..Usage::default()
        });
    };
    let json = input::json_value("the usage", argument)?;
    let unreadable = |problem: String| {
        let example =
            r#"It looks like '{"models": {"NAME": {"input_tokens": 1, "cost_usd": 0.1}}}'"#;
        // A question needs no full stop.
        let stop = if problem.ends_with('?') { "" } else { "." };
        Exit::InvalidInput.because(format!(
            "the usage cannot be read: {problem}{stop} {example}"
        ))
    };
    let mut unknown = None;
    let mut json = serde_json::Deserializer::from_str(json.get());
    let usage = serde_ignored::deserialize(&mut json, |path| unknown = Some(path.to_string()))
        .map_err(|error: serde_json::Error| unreadable(in_plain_words(&error.to_string())))?;
    // Left out here, the server could not complain about it.
    match unknown {
        Some(field) => Err(unreadable(no_such_field::<Usage>(&field))),
        None => Ok(usage),
    }
}
