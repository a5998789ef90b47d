//! `workmill limits`, `budget`, `pause` and `resume`: what holds ready tasks back.

use anyhow::Result;
use serde_json::json;
use workmill_protocol::gates::{BudgetList, LimitList, PauseList, SetBudget, SetLimit, SetPause};

use crate::arguments::{BudgetCommand, LimitsCommand, PauseArguments, ResumeArguments};
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::plain_text::plain;
use crate::render;

pub(super) async fn limits(context: &CommandContext, command: &LimitsCommand) -> Result<Exit> {
    let client = context.client()?;
    match command {
        LimitsCommand::List => {
            let items = client.limits().await?;
            context.output.answer(
                &LimitList {
                    items,
                    next_cursor: None,
                },
                |list| render::limits(&list.items),
            )?;
        }
        LimitsCommand::Set {
            scope,
            max,
            shares,
            note,
        } => {
            let limit = SetLimit {
                max: *max,
                shares: *shares,
                note: note.clone(),
            };
            let limit = client.set_limit(scope, &limit).await?;
            context
                .output
                .answer(&limit, |limit| render::limits(std::slice::from_ref(limit)))?;
        }
        LimitsCommand::Remove { scope } => {
            client.remove_limit(scope).await?;
            gone(context, "limit", scope)?;
        }
    }
    Ok(Exit::Done)
}

pub(super) async fn budgets(context: &CommandContext, command: &BudgetCommand) -> Result<Exit> {
    let client = context.client()?;
    match command {
        BudgetCommand::List { ended } => {
            let items = if *ended {
                client.budgets_of_ended_graphs().await?
            } else {
                client.budgets().await?
            };
            context.output.answer(
                &BudgetList {
                    items,
                    next_cursor: None,
                },
                |list| render::budgets(&list.items),
            )?;
        }
        BudgetCommand::Set {
            scope,
            budget,
            time_zone,
            note,
        } => {
            let budget = SetBudget {
                budget_usd: *budget,
                time_zone: time_zone.clone(),
                note: note.clone(),
            };
            let budget = client.set_budget(scope, &budget).await?;
            context.output.answer(&budget, |budget| {
                render::budgets(std::slice::from_ref(budget))
            })?;
        }
        BudgetCommand::Remove { scope } => {
            client.remove_budget(scope).await?;
            gone(context, "budget", scope)?;
        }
    }
    Ok(Exit::Done)
}

pub(super) async fn pause(context: &CommandContext, arguments: &PauseArguments) -> Result<Exit> {
    let client = context.client()?;
    let Some(scope) = &arguments.scope else {
        let items = client.pauses().await?;
        context.output.answer(
            &PauseList {
                items,
                next_cursor: None,
            },
            |list| render::pauses(&list.items),
        )?;
        return Ok(Exit::Done);
    };
    let pause = SetPause {
        note: arguments.note.clone(),
    };
    let pause = client.pause(scope, &pause).await?;
    context
        .output
        .answer(&pause, |pause| render::pauses(std::slice::from_ref(pause)))?;
    Ok(Exit::Done)
}

pub(super) async fn resume(context: &CommandContext, arguments: &ResumeArguments) -> Result<Exit> {
    context.client()?.resume(&arguments.scope).await?;
    gone(context, "pause", &arguments.scope)?;
    Ok(Exit::Done)
}

fn gone(context: &CommandContext, what: &str, scope: &str) -> Result<()> {
    let answer = json!({ "scope": scope, "removed": true });
    context.output.answer(&answer, |_| {
        format!("The {what} of {} is removed", plain(scope))
    })
}
