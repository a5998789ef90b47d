//! Intake: tasks and graphs enter, and graphs that are there grow.
//!
//! What comes in has been checked by the engine: names are resolved, new tasks form no cycle among
//! themselves, sizes are within limits. What needs the database to be checked (keys that are
//! taken, tasks that are not there, cycles through what is there) is checked here, under the
//! graph's lock.

mod arrival;
pub mod draft;
pub mod edges;
pub mod edit;
pub mod grow;
pub mod inbox;
mod keys;
pub mod plan;
pub mod projects;
pub mod references;
pub mod spawn;
pub mod spawning;
pub mod submit;
mod urgency;

pub use arrival::{Dependency, TaskDraft};
pub use submit::{NewGraph, Submission, Submit, SubmitRefusal, Submitted};
