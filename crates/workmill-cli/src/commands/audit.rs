//! `workmill audit`: what people and programs have done by hand.

use anyhow::Result;
use workmill_protocol::audit::{AuditList, ListAudit};

use crate::arguments::AuditArguments;
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::render;

pub(super) async fn run(context: &CommandContext, arguments: &AuditArguments) -> Result<Exit> {
    let client = context.client()?;
    let mut asked = ListAudit {
        actor: arguments.actor.clone(),
        action: arguments.action.clone(),
        subject_kind: arguments.kind.clone(),
        subject: arguments.subject.clone(),
        since: arguments.since,
        limit: arguments.page.limit.map(usize::from),
        cursor: arguments.page.cursor.clone(),
    };
    let mut list = client.audit(&asked).await?;
    while arguments.page.all
        && let Some(cursor) = list.next_cursor.take()
    {
        asked.cursor = Some(cursor);
        let page = client.audit(&asked).await?;
        list = AuditList {
            items: list.items.into_iter().chain(page.items).collect(),
            next_cursor: page.next_cursor,
        };
    }
    context.output.answer(&list, render::audit)?;
    if let Some(cursor) = &list.next_cursor {
        let note = format!("There is more: --all, or go on with --cursor {cursor}");
        context.output.note(&note);
    }
    Ok(Exit::Done)
}
