//! `workmill status`: one screen.

use std::collections::BTreeMap;

use anyhow::Result;
use serde::Serialize;
use workmill_core::agent::AgentStatus;
use workmill_protocol::dead_letters::DeadLetterGroup;
use workmill_protocol::gates::{Budget, Limit, Pause};
use workmill_protocol::questions::{ListQuestions, Question};
use workmill_protocol::stats::Stats;
use workmill_sdk::Client;

use super::waiting;
use crate::arguments::StatusArguments;
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::render;

/// So many questions fit on a screen.
const MOST_QUESTIONS: usize = 5;

/// All that fits on a screen.
#[derive(Debug, Serialize)]
pub(crate) struct Status {
    pub(crate) url: String,
    pub(crate) version: String,
    pub(crate) is_ready: bool,
    pub(crate) tasks: Stats,
    pub(crate) agents: AgentCounts,
    /// What failed alike, the largest groups first.
    pub(crate) dead_letters: Vec<DeadLetterGroup>,
    /// What waits for a person, soonest expiry first.
    pub(crate) questions: Vec<Question>,
    pub(crate) budgets: Vec<Budget>,
    pub(crate) limits: Vec<Limit>,
    pub(crate) pauses: Vec<Pause>,
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct AgentCounts {
    pub(crate) by_status: BTreeMap<&'static str, usize>,
    /// How many tasks the active ones may hold, and how many all of them do.
    pub(crate) slots: i32,
    pub(crate) held: i32,
}

pub(crate) async fn run(context: &CommandContext, arguments: &StatusArguments) -> Result<Exit> {
    if arguments.watch {
        return watch(context).await;
    }
    let status = ask(&context.client()?).await?;
    context.output.answer(&status, render::status)?;
    Ok(Exit::Done)
}

/// Until it is interrupted.
pub(super) async fn watch(context: &CommandContext) -> Result<Exit> {
    let client = context.patient_client()?;
    let ask = async || ask(&client).await;
    waiting::watch(context, ask, render::status, |_| false).await?;
    Ok(Exit::Done)
}

async fn ask(client: &Client) -> Result<Status> {
    let soonest = ListQuestions {
        limit: Some(MOST_QUESTIONS),
        cursor: None,
    };
    let (health, is_ready, tasks, agents, dead_letters, questions, budgets, limits, pauses) = tokio::try_join!(
        client.health(),
        client.is_ready(),
        client.stats(),
        agents(client),
        client.dead_letter_groups(),
        client.questions(&soonest),
        client.budgets(),
        client.limits(),
        client.pauses(),
    )?;
    Ok(Status {
        url: client.url().to_owned(),
        version: health.version,
        is_ready,
        tasks,
        agents,
        dead_letters,
        questions: questions.items,
        budgets,
        limits,
        pauses,
    })
}

async fn agents(client: &Client) -> Result<AgentCounts, workmill_sdk::ClientError> {
    let mut counts = AgentCounts::default();
    let mut cursor: Option<String> = None;
    loop {
        let page = client.agents(cursor.as_deref()).await?;
        for agent in page.items {
            *counts.by_status.entry(agent.status.name()).or_default() += 1;
            counts.held += agent.current_tasks;
            // An agent that claims by hand or takes nothing new has only the slots that it uses.
            counts.slots += match agent.status {
                AgentStatus::Active if !agent.by_hand => agent.max_concurrent_tasks,
                AgentStatus::Active | AgentStatus::Draining | AgentStatus::Offline => {
                    agent.current_tasks
                }
            };
        }
        cursor = page.next_cursor;
        if cursor.is_none() {
            return Ok(counts);
        }
    }
}
