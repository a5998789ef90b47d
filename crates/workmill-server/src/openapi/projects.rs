//! Projects.

use workmill_core::ids::ProjectId;
use workmill_protocol::projects::{ChangeProject, CreateProject, Project, ProjectList};
use workmill_protocol::role::Permission::{Look, Steer};

use super::Group;
use super::call::Call;
use crate::routes::projects::Page;

pub(super) fn group() -> Group {
    Group {
        name: "Projects",
        description: "A label over graphs and tasks, with a reference to what it is called elsewhere.",
        calls: vec![
            Call::post("/v1/projects", "create_project", "Make a project")
                .needs(Steer)
                .repeatable()
                .taking::<CreateProject>()
                .answering::<Project>(201, "It is made.")
                .answering::<Project>(200, "It was made by the same call before."),
            Call::get("/v1/projects", "list_projects", "List projects")
                .says("In the order they were made.")
                .needs(Look)
                .asking::<Page>()
                .answering::<ProjectList>(200, "A page of projects."),
            Call::get("/v1/projects/{id}", "show_project", "Show a project")
                .says("With how many tasks it has.")
                .needs(Look)
                .naming::<ProjectId>("id", "The project.")
                .answering::<Project>(200, "The project as it stands."),
            Call::patch("/v1/projects/{id}", "change_project", "Change a project")
                .says("What is named is replaced, null removes.")
                .needs(Steer)
                .naming::<ProjectId>("id", "The project.")
                .guarded()
                .taking::<ChangeProject>()
                .answering::<Project>(200, "How it stands now."),
        ],
    }
}
