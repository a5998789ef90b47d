//! The duties while a part of the database cannot be reached: every other namespace is still served.
//!
//! A view in the place of `anchor` plays the distributed database: it refuses each statement that reads
//! the row of a namespace whose machine is away.

use anyhow::Result;
use jiff::SignedDuration;
use workmill_core::ids::Namespace;
use workmill_core::task::NewTask;
use workmill_store::access::EnsureNamespace;
use workmill_store::upkeep::agenda::Agenda;
use workmill_testkit::factory::task;

use crate::actors::Queue;

const LONGEST_SILENCE: SignedDuration = SignedDuration::from_secs(3);

/// A queue beside namespaces that can be cut off.
struct Spread {
    queue: Queue,
    other: Namespace,
}

impl Spread {
    async fn new() -> Result<Spread> {
        let queue = Queue::new().await?;
        let (other, _) = queue.store.run(&EnsureNamespace { name: "other" }).await?;
        let client = queue.test.database.client().await?;
        client
            .batch_execute(
                "alter table workmill.anchor rename to anchor_rows;
                 create table workmill.away (ns bigint primary key);
                 create function workmill.answers(asked bigint) returns boolean language plpgsql as $$
                 begin
                     if exists (select from workmill.away where ns = asked) then
                         raise exception 'the machine of namespace % is away', asked;
                     end if;
                     return true;
                 end $$;
                 create view workmill.anchor as
                 select ns, gates_version from workmill.anchor_rows where workmill.answers(ns)",
            )
            .await?;
        Ok(Spread { queue, other })
    }

    async fn cut_off(&self, ns: Namespace) -> Result<()> {
        let client = self.queue.test.database.client().await?;
        let cut_off = "insert into workmill.away values ($1)";
        client.execute(cut_off, &[&ns.0]).await?;
        Ok(())
    }

    async fn connect_all(&self) -> Result<()> {
        let client = self.queue.test.database.client().await?;
        client.execute("delete from workmill.away", &[]).await?;
        Ok(())
    }

    async fn agenda(&self) -> Result<Agenda> {
        Ok(self.queue.store.read_agenda(LONGEST_SILENCE, &[]).await?)
    }
}

#[tokio::test]
async fn duties_serve_the_namespaces_that_can_be_reached() -> Result<()> {
    let spread = Spread::new().await?;
    let (queue, store) = (&spread.queue, &spread.queue.store);
    let agent = queue.agent("agent").await?;
    queue.submit_task(&task("lost")).await?;
    let lost = agent.take_one().await?.lease;
    let scheduled = NewTask {
        scheduled_for: Some(store.now().await? + SignedDuration::from_secs(60)),
        ..task("scheduled")
    };
    queue.submit_task(&scheduled).await?;
    spread.agenda().await?;
    assert!(store.reaches_all());
    spread.cut_off(spread.other).await?;
    queue.pass(100);

    let agenda = spread.agenda().await?;
    assert_eq!(
        (store.reaches_all(), store.unreachable_namespaces()),
        (false, 1)
    );
    assert!(agenda.has_due_tasks && agenda.has_lost_leases);
    let now = agenda.now;
    let due = store.namespaces(store.find_namespaces_with_due_tasks(now));
    assert_eq!(due.await?, [queue.ns]);
    let leases = store.find_lost_leases(now, 10).await?;
    assert_eq!(leases.get(&queue.ns), Some(&vec![lost]));
    assert!(store.find_expired_blocks(now, 10).await?.is_empty());
    assert!(store.find_passed_deadlines(now, 10).await?.is_empty());
    let silent = store
        .find_restless_agents(now + SignedDuration::from_hours(1), 10)
        .await?;
    assert!(silent[&queue.ns].contains("agent"));
    assert_eq!(queue.promote().await?, 1);

    spread.connect_all().await?;
    spread.agenda().await?;
    assert_eq!(
        (store.reaches_all(), store.unreachable_namespaces()),
        (true, 0)
    );
    Ok(())
}

#[tokio::test]
async fn leases_on_a_machine_that_was_away_are_spared_when_it_is_back() -> Result<()> {
    let spread = Spread::new().await?;
    let queue = &spread.queue;
    assert!(!spread.agenda().await?.was_away);
    spread.cut_off(spread.other).await?;
    for _ in 0..3 {
        queue.pass(2);
        assert!(
            !spread.agenda().await?.was_away,
            "this part of the database was there"
        );
        queue.store.touch_liveness(queue.store.now().await?).await?;
    }
    spread.connect_all().await?;
    assert!(
        spread.agenda().await?.was_away,
        "no agent could renew its leases there"
    );
    Ok(())
}

#[tokio::test]
async fn leases_are_spared_when_one_of_two_machines_is_back() -> Result<()> {
    let spread = Spread::new().await?;
    let store = &spread.queue.store;
    let (third, _) = store.run(&EnsureNamespace { name: "third" }).await?;
    spread.agenda().await?;
    spread.cut_off(spread.other).await?;
    spread.cut_off(third).await?;
    assert!(!spread.agenda().await?.was_away);
    spread.connect_all().await?;
    spread.cut_off(third).await?;
    for _ in 0..2 {
        assert!(spread.agenda().await?.was_away, "the other machine was");
    }
    store.touch_liveness(store.now().await?).await?;
    assert!(!spread.agenda().await?.was_away);
    Ok(())
}

#[tokio::test]
async fn the_duties_are_postponed_if_no_namespace_can_be_reached() -> Result<()> {
    let spread = Spread::new().await?;
    spread.cut_off(spread.other).await?;
    spread.cut_off(spread.queue.ns).await?;
    let refused = spread.agenda().await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the database refused to look for pending work"
    );
    Ok(())
}
