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
        description: "A project is a label over graphs and tasks, with a reference to its name in another system.",
        calls: vec![
            Call::post("/v1/projects", "create_project", "Create a project")
                .needs(Steer)
                .repeatable()
                .taking::<CreateProject>()
                .answering::<Project>(201, "The project was created.")
                .answering::<Project>(
                    200,
                    "The project was created by an earlier call with the same key.",
                ),
            Call::get("/v1/projects", "list_projects", "List projects")
                .says("In the order of their creation.")
                .needs(Look)
                .asking::<Page>()
                .answering::<ProjectList>(200, "A page of projects."),
            Call::get("/v1/projects/{id}", "show_project", "Show a project")
                .says("With the number of its tasks by status.")
                .needs(Look)
                .naming::<ProjectId>("id", "The project.")
                .answering::<Project>(200, "The project."),
            Call::patch("/v1/projects/{id}", "change_project", "Change a project")
                .says("Given fields are replaced, null removes.")
                .needs(Steer)
                .naming::<ProjectId>("id", "The project.")
                .guarded()
                .taking::<ChangeProject>()
                .answering::<Project>(200, "The changed project."),
        ],
    }
}
