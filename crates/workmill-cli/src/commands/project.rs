//! `workmill project`: a label over graphs and tasks.

use anyhow::Result;
use serde_json::{Map, Value};
use workmill_core::ids::ProjectId;
use workmill_core::project::ProjectStatus;
use workmill_protocol::projects::{ChangeProject, CreateProject, ProjectList};

use super::input;
use crate::arguments::{ProjectCommand, ProjectEditArguments, ProjectStatusWord};
use crate::context::CommandContext;
use crate::exit::Exit;
use crate::render;

pub(crate) async fn run(context: &CommandContext, command: &ProjectCommand) -> Result<Exit> {
    let client = context.client()?;
    let project = match command {
        ProjectCommand::List => return list(context).await,
        ProjectCommand::Show { id } => return show(context, *id).await,
        ProjectCommand::Create {
            name,
            description,
            external_ref,
            metadata,
        } => {
            let metadata = metadata.as_deref().map(object).transpose()?.flatten();
            let project = CreateProject {
                name: name.clone(),
                description: description.clone(),
                external_ref: external_ref.clone(),
                metadata,
                ..CreateProject::default()
            };
            client.create_project(&project).await?
        }
        ProjectCommand::Edit(arguments) => {
            let change = change(arguments)?;
            client.change_project(arguments.id, &change).await?
        }
    };
    context.output.answer(&project, render::project)?;
    Ok(Exit::Done)
}

pub(super) async fn show(context: &CommandContext, id: ProjectId) -> Result<Exit> {
    let project = context.client()?.project(id).await?;
    context.output.answer(&project, render::project)?;
    Ok(Exit::Done)
}

/// All of them, page after page.
async fn list(context: &CommandContext) -> Result<Exit> {
    let client = context.client()?;
    let mut items = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let page = client.projects(cursor.as_deref()).await?;
        items.extend(page.items);
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    let all = ProjectList {
        items,
        next_cursor: None,
    };
    context.output.answer(&all, render::projects)?;
    Ok(Exit::Done)
}

fn change(arguments: &ProjectEditArguments) -> Result<ChangeProject> {
    let metadata = arguments.metadata.as_deref();
    Ok(ChangeProject {
        name: arguments.name.clone(),
        description: arguments.description.as_deref().map(unless_empty),
        status: arguments.status.map(|status| match status {
            ProjectStatusWord::Active => ProjectStatus::Active,
            ProjectStatusWord::Archived => ProjectStatus::Archived,
        }),
        external_ref: arguments.external_ref.as_deref().map(unless_empty),
        metadata: metadata.map(object).transpose()?,
    })
}

fn unless_empty(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// Null is nothing.
fn object(json: &str) -> Result<Option<Map<String, Value>>> {
    let json = input::json_value("the metadata", json)?;
    serde_json::from_str(json.get())
        .map_err(|_| Exit::InvalidInput.because("the metadata is a JSON object, or null"))
}
