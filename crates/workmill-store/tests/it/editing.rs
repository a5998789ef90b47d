//! Editing tasks that do not run.

use anyhow::Result;
use workmill_core::failure::Reason;
use workmill_core::lifecycle::State;
use workmill_core::priority::Priority;
use workmill_core::task::{Constraints, NewTask, Spec};
use workmill_store::intake::edit::{EditRefusal, EditTask};
use workmill_testkit::factory::{draft, task};

use crate::actors::Queue;

impl Queue {
    pub async fn edit(
        &self,
        id: workmill_core::ids::TaskId,
        version: i32,
        to: &NewTask,
    ) -> Result<Result<(i32, State), EditRefusal>> {
        let operation = EditTask {
            ns: self.ns,
            task: id,
            version,
            draft: &draft(to),
            edited_by: "test",
        };
        Ok(self.store.run(&operation).await?.0)
    }
}

#[tokio::test]
async fn an_edited_task_moves_in_the_order_and_to_another_lane() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.submit_task(&task("first")).await?;
    let id = queue.submit_task(&task("second")).await?;
    let urgent = NewTask {
        priority: Priority::new(1)?,
        ..task("second, now urgent")
    };
    assert_eq!(queue.edit(id, 1, &urgent).await?, Ok((2, State::Ready)));
    let claim = agent.take_one().await?;
    assert_eq!(claim.lease.task, id);
    assert!(claim.body.get().contains("now urgent"));
    agent.release(claim.lease).await?.expect("released");

    let constraints = Constraints {
        required_capabilities: vec!["gpu".to_owned()],
        ..Constraints::default()
    };
    let picky = NewTask {
        spec: Spec {
            constraints,
            ..Spec::default()
        },
        ..urgent
    };
    queue.edit(id, 2, &picky).await?.expect("edited");
    assert_ne!(agent.take_one().await?.lease.task, id);
    let able = queue.agent_with("able", "", &["gpu"], 1).await?;
    assert_eq!(able.take_one().await?.lease.task, id);
    Ok(())
}

#[tokio::test]
async fn of_two_edits_of_one_version_the_second_is_refused() -> Result<()> {
    let queue = Queue::new().await?;
    let id = queue.submit_task(&task("work")).await?;
    queue.edit(id, 1, &task("one")).await?.expect("edited");
    let refused = queue.edit(id, 1, &task("other")).await?;
    assert_eq!(refused, Err(EditRefusal::OtherVersion { version: 2 }));
    Ok(())
}

#[tokio::test]
async fn what_runs_is_not_edited() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let id = queue.submit_task(&task("work")).await?;
    agent.take_one().await?;
    let refused = queue.edit(id, 1, &task("other")).await?;
    assert_eq!(refused, Err(EditRefusal::TooLate(State::Running)));
    Ok(())
}

/// F-24
#[tokio::test]
async fn an_edited_task_keeps_to_its_fallback_models() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    let constraints = Constraints {
        model_preferences: vec!["big".to_owned()],
        fallback_models: vec!["small".to_owned()],
        ..Constraints::default()
    };
    let work = NewTask {
        spec: Spec {
            constraints,
            ..Spec::default()
        },
        max_attempts: Some(9),
        ..task("work")
    };
    let id = queue.submit_task(&work).await?;
    for _ in 0..2 {
        let lease = agent.take_one().await?.lease;
        agent.fail(lease, Reason::Network).await?.expect("failed");
        queue.pass(300);
        queue.promote().await?;
    }
    let urgent = NewTask {
        priority: Priority::new(1)?,
        ..work
    };
    queue.edit(id, 1, &urgent).await?.expect("edited");
    assert_eq!(agent.take_one().await?.models, ["small"]);
    Ok(())
}
