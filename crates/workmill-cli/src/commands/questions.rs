//! `workmill questions`: what waits for a person.

use anyhow::Result;
use workmill_protocol::questions::{ListQuestions, QuestionList};

use crate::arguments::QuestionsArguments;
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::render;

/// As many as a page may have.
const LARGEST_PAGE: usize = 100;

pub(crate) async fn run(context: &CommandContext, arguments: &QuestionsArguments) -> Result<Exit> {
    let client = context.client()?;
    let mut list = ListQuestions {
        limit: arguments.limit.map(usize::from),
        cursor: arguments.cursor.clone(),
    };
    if arguments.all {
        list.limit = Some(LARGEST_PAGE);
    }
    let mut all = QuestionList {
        items: Vec::new(),
        next_cursor: None,
    };
    loop {
        let some = client.questions(&list).await?;
        all.items.extend(some.items);
        all.next_cursor = some.next_cursor;
        if !arguments.all || all.next_cursor.is_none() {
            break;
        }
        list.cursor.clone_from(&all.next_cursor);
    }
    context.output.answer(&all, render::questions)?;
    if let Some(cursor) = &all.next_cursor {
        let note = format!("There are more: --all, or --cursor {cursor}");
        context.output.note(&note);
    }
    Ok(Exit::Done)
}
