//! Running a handler without a server.
//!
//! ```
//! use serde_json::json;
//! use workmill_sdk::worker::TaskContext;
//! use workmill_sdk::worker::testkit::TestTask;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let shout = |context: TaskContext| async move {
//!     context.progress("half of it");
//!     Ok(json!(context.prompt().to_uppercase()))
//! };
//! let ran = TestTask::with_prompt("hello").run(shout).await;
//! assert_eq!(ran.output(), json!("HELLO"));
//! assert_eq!(ran.recording.progress, [json!("half of it")]);
//! # }
//! ```

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};
use workmill_core::lifecycle::State;
use workmill_core::task::NewTask;
use workmill_protocol::claims::{ClaimedTask, DependencyResult};
use workmill_protocol::leases::Usage;

use super::context::{Cancelled, TaskContext};
use super::handler::{self, Handled, NotDone};
use super::server::Server;
use super::stop::Stop;

/// What a handler has told while it ran.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recording {
    pub progress: Vec<Value>,
    pub checkpoints: Vec<Value>,
    pub spawned: Vec<NewTask>,
    pub artifacts: Vec<Value>,
    pub usage: Usage,
}

/// A task for a handler to try.
#[derive(Debug, Clone)]
pub struct TestTask {
    claim: ClaimedTask,
    cancelled: Option<Cancelled>,
}

/// What a handler has done with a task.
#[derive(Debug)]
pub struct Ran {
    pub handled: Handled,
    pub recording: Recording,
}

impl Ran {
    /// Panics, unless there is one.
    pub fn output(&self) -> Value {
        let output = self
            .handled
            .as_ref()
            .expect("the handler has put something out");
        serde_json::from_str(output.get()).expect("what was written as JSON is JSON")
    }
}

impl TestTask {
    pub fn new(task: &NewTask) -> Self {
        let mut asked = serde_json::to_value(task).expect("a task can be written as JSON");
        let about = json!({
            "id": "task_00000000000000000000000000",
            "dag_id": "dag_00000000000000000000000000",
            "created_at": "2026-01-01T00:00:00Z",
            "created_by": "testkit",
        });
        if let (Value::Object(asked), Value::Object(about)) = (&mut asked, about) {
            asked.extend(about);
        }
        let claim = json!({
            "lease": "lease_00000000000000000000000000_1",
            "epoch": 1,
            "attempt": 1,
            "status": "running",
            "expires_in_ms": 90_000,
            "heartbeat_ms": 30_000,
            "task": asked,
            "context": {},
        });
        TestTask {
            claim: serde_json::from_value(claim).expect("it has all that a claim has"),
            cancelled: None,
        }
    }

    pub fn with_prompt(prompt: &str) -> Self {
        let mut task = TestTask::new(&NewTask::default());
        prompt.clone_into(&mut task.claim.task.asked.spec.prompt);
        task
    }

    /// The claim, to change what it says.
    pub fn claim(&mut self) -> &mut ClaimedTask {
        &mut self.claim
    }

    /// Another task that it depends on has put this out.
    #[must_use]
    pub fn after(mut self, output: impl Into<Value>) -> Self {
        let result = DependencyResult {
            task: self.claim.task.id,
            name: None,
            title: String::new(),
            task_type: String::new(),
            status: State::Completed,
            output: output.into(),
            artifacts: Vec::new(),
            left_out: false,
            output_url: None,
            output_bytes: None,
        };
        self.claim.context.dependency_results.push(result);
        self
    }

    /// Cancelled before the handler has done anything.
    #[must_use]
    pub fn cancelled(mut self, why: Cancelled) -> Self {
        self.cancelled = Some(why);
        self
    }

    pub async fn run<Handle, Handling, Output>(self, handle: Handle) -> Ran
    where
        Handle: Fn(TaskContext) -> Handling,
        Handling: Future<Output = Result<Output, NotDone>> + Send + 'static,
        Output: Serialize + Send + 'static,
    {
        let recording = Arc::new(Mutex::new(Recording::default()));
        let server = Server::Recorded(Arc::clone(&recording));
        let context = TaskContext::new(self.claim, server);
        if let Some(why) = self.cancelled {
            context.cancel(why);
        }
        let handled = handler::run(&handle, &context, &Stop::default(), Duration::ZERO).await;
        let recording = recording.lock().unwrap_or_else(PoisonError::into_inner);
        Ran {
            handled,
            recording: Recording {
                artifacts: context.artifacts(),
                usage: context.used(),
                ..recording.clone()
            },
        }
    }
}
