//! What was done by hand is recorded: who, what, to which thing, with before and after.

use anyhow::Result;
use serde_json::json;
use uuid::Uuid;
use workmill_core::audit::{Action, Actor};
use workmill_core::ids::Namespace;
use workmill_core::task::NewTask;
use workmill_store::access::{CreateKey, EnsureNamespace, RevokeKey};
use workmill_store::audit::{AuditFilter, Audited};
use workmill_store::operation::Operation;
use workmill_store::settlement::cancel::CancelTasks;
use workmill_testkit::factory::task;

use crate::actors::{KEY, Queue};

impl Queue {
    /// Does something on behalf of a person.
    pub async fn run_by<O: Operation>(&self, name: &str, operation: &O) -> Result<O::Answer> {
        let actor = Actor {
            name: name.to_owned(),
            key: Some(KEY),
        };
        Ok(self.store.run_by(&actor, operation).await?.0)
    }

    pub async fn audit(&self, filter: &AuditFilter) -> Result<Vec<Audited>> {
        let page = self.store.find_audit(self.ns, filter, None, 1000).await?;
        assert_eq!(page.next, None);
        Ok(page.entries)
    }

    pub async fn audited_actions(&self) -> Result<Vec<String>> {
        let entries = self.audit(&AuditFilter::default()).await?;
        Ok(entries
            .into_iter()
            .rev()
            .map(|entry| entry.action)
            .collect())
    }

    fn cancelling(&self, tasks: Vec<workmill_core::ids::TaskId>) -> CancelTasks {
        CancelTasks {
            ns: self.ns,
            tasks,
            cancelled_by: "somebody".to_owned(),
        }
    }
}

#[tokio::test]
async fn who_cancelled_a_task_is_recorded_with_what_it_was_before() -> Result<()> {
    let queue = Queue::new().await?;
    let id = queue.submit_task(&task("a")).await?;
    let answer = queue.run_by("ada", &queue.cancelling(vec![id, id])).await?;
    assert!(answer[0].is_ok());
    let entries = queue.audit(&AuditFilter::default()).await?;
    assert_eq!(entries.len(), 1, "once, though it was named twice");
    let entry = &entries[0];
    assert_eq!((entry.actor.as_str(), entry.actor_key), ("ada", Some(KEY)));
    assert_eq!(entry.action, Action::TaskCancelled.name());
    assert_eq!(
        (entry.subject_kind.as_str(), &entry.subject),
        ("task", &id.to_string())
    );
    assert_eq!(entry.before, Some(json!({"state": "ready"})));
    assert_eq!(entry.after, Some(json!({"state": "cancelled"})));
    assert_eq!(entry.at, queue.store.now().await?);
    Ok(())
}

#[tokio::test]
async fn what_changed_nothing_or_was_rolled_back_is_not_recorded() -> Result<()> {
    let queue = Queue::new().await?;
    let id = queue.submit_task(&task("a")).await?;
    let other = queue.submit_task(&task("b")).await?;
    queue.run_by("ada", &queue.cancelling(vec![id])).await?;
    queue.run_by("bob", &queue.cancelling(vec![id])).await?;
    assert_eq!(queue.audited_actions().await?, ["task.cancel"]);
    // Test points stop between the writes and the commit.
    queue.store.test_points.fail_at("commit", usize::MAX);
    let refused = queue.run_by("bob", &queue.cancelling(vec![other])).await;
    assert!(refused.is_err());
    queue.store.test_points.disarm("commit");
    assert_eq!(queue.audited_actions().await?, ["task.cancel"]);
    Ok(())
}

#[tokio::test]
async fn what_agents_do_all_day_is_not_recorded() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    queue.agent("agent").await?;
    queue.submit_task(&task("a")).await?;
    let lease = agent.take_one().await?.lease;
    agent.heartbeat(lease).await?.expect("alive");
    agent.complete(lease, json!(1)).await?.expect("completed");
    assert_eq!(
        queue.audited_actions().await?,
        ["agent.register"],
        "and registering only the first time"
    );
    Ok(())
}

#[tokio::test]
async fn an_edit_is_recorded_with_the_fields_it_changed() -> Result<()> {
    let queue = Queue::new().await?;
    let secretive = NewTask {
        metadata: json!({"password": "hunter2", "team": "a"}),
        ..task("first")
    };
    let id = queue.submit_task(&secretive).await?;
    let edited = NewTask {
        metadata: json!({"password": "hunter3", "team": "a"}),
        ..task("second")
    };
    queue.edit(id, 1, &edited).await?.expect("edited");
    let entry = queue.audit(&AuditFilter::default()).await?.remove(0);
    assert_eq!(entry.actor, "workmill", "nobody was named");
    let hidden = json!({"password": "[hidden]"});
    assert_eq!(
        entry.before,
        Some(json!({"version": 1, "title": "first", "metadata": hidden}))
    );
    assert_eq!(
        entry.after,
        Some(json!({"version": 2, "title": "second", "metadata": hidden}))
    );
    Ok(())
}

#[tokio::test]
async fn keys_are_recorded_without_what_they_are_known_by() -> Result<()> {
    let queue = Queue::new().await?;
    let key = CreateKey {
        ns: queue.ns,
        name: "ci",
        role: "producer",
        hash: b"0123456789",
    };
    let id = queue.run_by("ada", &key).await?;
    let revoke = RevokeKey { ns: queue.ns, id };
    assert!(queue.run_by("ada", &revoke).await?);
    assert!(
        !queue.run_by("ada", &revoke).await?,
        "it is revoked already"
    );
    assert_eq!(queue.store.find_key(key.hash).await?, None);
    let entries = queue.audit(&AuditFilter::default()).await?;
    assert_eq!(queue.audited_actions().await?, ["key.create", "key.revoke"]);
    let known = Some(json!({"name": "ci", "role": "producer"}));
    assert_eq!((&entries[1].before, &entries[1].after), (&None, &known));
    assert_eq!((&entries[0].before, &entries[0].after), (&known, &None));
    Ok(())
}

#[tokio::test]
async fn the_record_is_searched_by_who_what_which_and_when_page_by_page() -> Result<()> {
    let queue = Queue::new().await?;
    let mut tasks = Vec::new();
    for who in ["ada", "bob", "ada", "bob", "ada"] {
        let id = queue.submit_task(&task("a")).await?;
        queue.run_by(who, &queue.cancelling(vec![id])).await?;
        tasks.push(id);
        queue.pass(60);
    }
    let by_ada = AuditFilter {
        actor: Some("ada".to_owned()),
        ..AuditFilter::default()
    };
    let (mut found, mut before): (Vec<String>, Option<Uuid>) = (Vec::new(), None);
    loop {
        let page = queue.store.find_audit(queue.ns, &by_ada, before, 1).await?;
        found.extend(page.entries.into_iter().map(|entry| entry.subject));
        before = page.next;
        if before.is_none() {
            break;
        }
    }
    assert_eq!(
        found,
        [tasks[4], tasks[2], tasks[0]].map(|id| id.to_string())
    );
    let of_one = AuditFilter {
        subject: Some(tasks[1].to_string()),
        ..AuditFilter::default()
    };
    assert_eq!(queue.audit(&of_one).await?.len(), 1);
    let lately = AuditFilter {
        since: Some(queue.store.now().await? - jiff::SignedDuration::from_secs(120)),
        ..AuditFilter::default()
    };
    assert_eq!(queue.audit(&lately).await?.len(), 2);
    let edits = AuditFilter {
        action: Some(Action::TaskEdited),
        ..AuditFilter::default()
    };
    assert_eq!(queue.audit(&edits).await?, []);
    let (other, _) = queue.store.run(&EnsureNamespace { name: "other" }).await?;
    assert_ne!(other, Namespace(queue.ns.0));
    let elsewhere = queue.store.find_audit(other, &lately, None, 10).await?;
    assert_eq!(
        elsewhere.entries,
        [],
        "another namespace has its own record"
    );
    Ok(())
}
