//! The attempt matrix tells a bad task from a bad agent from a bad provider.

use anyhow::Result;
use jiff::SignedDuration;
use serde_json::json;
use workmill_core::attempt_matrix::{AttemptMatrix, Count, KEPT, Suspect};
use workmill_core::explain::explain;
use workmill_core::failure::Reason;
use workmill_core::ids::{LeaseId, TaskId};
use workmill_core::price::PriceTable;
use workmill_core::usage::{ModelUsage, Usage};
use workmill_store::Store;
use workmill_store::clock::Clock;
use workmill_store::experience::tally::{RemoveOldTallies, kept_since};
use workmill_store::experience::{AttemptOutcome, RecordOutcomes};
use workmill_store::settlement::{Ending, Settle, Settlement, Settler, Spent};
use workmill_testkit::factory::task;

use crate::actors::{Agent, Queue};

const OPUS: &str = "claude-opus-5";
const OTHER: &str = "openai/gpt-5";

impl Agent<'_> {
    /// Ends an attempt with a model, and records that as the recorder of a server does.
    async fn end(&self, lease: LeaseId, model: &str, failed: Option<Reason>) -> Result<()> {
        let ending = match failed {
            None => Ending::Complete {
                output: serde_json::value::to_raw_value(&json!(1))?,
                artifacts: Vec::new(),
            },
            Some(reason) => Ending::Fail {
                reason,
                message: "it broke".to_owned(),
                details: None,
                retry_after_ms: None,
            },
        };
        let settlement = Settlement {
            settler: Settler::Key(self.key),
            lease,
            ending,
            spent: Spent::reported(match model {
                "" => Usage::default(),
                model => Usage::of_model(model, ModelUsage::default()),
            }),
            random: 0.5,
        };
        let (ns, store) = (self.queue.ns, &self.queue.store);
        let settle = Settle {
            ns,
            settlements: &[settlement],
        };
        let (answers, effects) = store.run(&settle).await?;
        for answer in answers {
            answer.expect("accepted");
        }
        let outcomes = effects.outcomes.as_slice();
        let record = RecordOutcomes { ns, outcomes };
        store.run(&record).await?;
        Ok(())
    }

    /// So many other tasks, each tried once and then out of the way.
    async fn work(&self, model: &str, times: usize, failed: Option<Reason>) -> Result<()> {
        for _ in 0..times {
            let other = self.queue.submit_task(&task("other")).await?;
            let lease = self.take_one().await?.lease;
            assert_eq!(lease.task, other);
            self.end(lease, model, failed).await?;
            if failed.is_some() {
                self.queue.cancel(other).await?.expect("cancelled");
            }
        }
        Ok(())
    }

    async fn fail_it(&self, wanted: TaskId, model: &str, reason: Reason) -> Result<()> {
        self.queue.pass(300);
        self.queue.promote().await?;
        let lease = self.take_one().await?.lease;
        assert_eq!(lease.task, wanted);
        self.end(lease, model, Some(reason)).await
    }
}

const CRASH: Option<Reason> = Some(Reason::Crash);

impl Queue {
    async fn matrix(&self, task: TaskId) -> Result<Option<AttemptMatrix>> {
        let facts = self.store.find_facts(self.ns, task).await?;
        let facts = facts.expect("the task is there");
        Ok(explain(&facts, &PriceTable::built_in()).attempt_matrix)
    }

    async fn suspect(&self, task: TaskId) -> Result<Suspect> {
        let matrix = self.matrix(task).await?.expect("it has failed");
        println!("{matrix:#?}");
        Ok(matrix.suspect)
    }

    async fn tallies(&self) -> Result<Vec<(String, String, i64, i64)>> {
        let client = self.test.database.client().await?;
        let tallies = "select agent, model, sum(completed)::bigint, sum(failed)::bigint
            from workmill.attempt_tally where ns = $1 group by agent, model order by agent, model";
        let rows = client.query(tallies, &[&self.ns.0]).await?;
        let read = |row: &tokio_postgres::Row| (row.get(0), row.get(1), row.get(2), row.get(3));
        Ok(rows.iter().map(read).collect())
    }
}

#[tokio::test]
async fn a_task_that_three_healthy_agents_fail_is_suspected_itself() -> Result<()> {
    let queue = Queue::new().await?;
    let mut agents = Vec::new();
    for name in ["a", "b", "c"] {
        let agent = queue.agent(name).await?;
        agent.work(OPUS, 2, None).await?;
        agents.push(agent);
    }
    let bad = queue.submit_task(&task("bad")).await?;
    assert_eq!(queue.matrix(bad).await?, None, "nothing has failed yet");
    for agent in &agents {
        agent.fail_it(bad, OPUS, Reason::Timeout).await?;
    }
    let matrix = queue.matrix(bad).await?.expect("it has failed");
    assert_eq!(matrix.suspect, Suspect::Task, "{matrix:#?}");
    assert_eq!(
        matrix.because,
        "`a`, `b`, `c` failed it in the same way, and complete other tasks."
    );
    assert_eq!(matrix.lines.len(), 3);
    let line = &matrix.lines[0];
    assert_eq!(
        (line.agent.as_str(), line.model.as_deref()),
        ("a", Some(OPUS))
    );
    assert_eq!(json!(line.here), json!([{"ended": "timeout", "times": 1}]));
    let count = |completed, failed| Count { completed, failed };
    assert_eq!(line.agent_elsewhere, count(2, 0), "its own are not counted");
    assert_eq!(line.model_elsewhere, Some(count(6, 0)));
    Ok(())
}

#[tokio::test]
async fn an_agent_that_fails_everything_while_others_succeed_is_suspected() -> Result<()> {
    let queue = Queue::new().await?;
    let (sick, well) = (queue.agent("sick").await?, queue.agent("well").await?);
    sick.work(OPUS, 3, CRASH).await?;
    well.work(OPUS, 3, None).await?;
    let id = queue.submit_task(&task("innocent")).await?;
    sick.fail_it(id, OPUS, Reason::Crash).await?;
    assert_eq!(queue.suspect(id).await?, Suspect::Agent("sick".to_owned()));
    queue.cancel(id).await?.expect("cancelled");
    // A sick agent often breaks before it has used any model.
    let id = queue.submit_task(&task("innocent, too")).await?;
    sick.fail_it(id, "", Reason::Crash).await?;
    assert_eq!(queue.suspect(id).await?, Suspect::Agent("sick".to_owned()));
    Ok(())
}

#[tokio::test]
async fn an_outage_of_a_provider_is_told_from_bad_tasks_and_bad_agents() -> Result<()> {
    let queue = Queue::new().await?;
    let (one, two) = (queue.agent("one").await?, queue.agent("two").await?);
    for agent in [&one, &two] {
        agent.work(OPUS, 2, Some(Reason::Network)).await?;
        agent.work(OTHER, 2, None).await?;
    }
    let id = queue.submit_task(&task("innocent")).await?;
    one.fail_it(id, OPUS, Reason::Network).await?;
    two.fail_it(id, OPUS, Reason::Unknown).await?;
    let matrix = queue.matrix(id).await?.expect("it has failed");
    assert_eq!(matrix.suspect, Suspect::Model(OPUS.to_owned()));
    assert!(matrix.because.contains("`anthropic`"), "{}", matrix.because);
    // Another model of the provider fails as well.
    two.work("claude-opus-4-8", 2, Some(Reason::Network))
        .await?;
    let provider = Suspect::Provider("anthropic".to_owned());
    assert_eq!(queue.suspect(id).await?, provider);
    Ok(())
}

#[tokio::test]
async fn a_first_failure_says_that_it_cannot_be_told_yet() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("a").await?;
    let id = queue.submit_task(&task("work")).await?;
    agent.fail_it(id, OPUS, Reason::Crash).await?;
    let matrix = queue.matrix(id).await?.expect("it has failed");
    assert_eq!(matrix.suspect, Suspect::Unknown);
    assert_eq!(
        matrix.because,
        "`a` failed it, and too few other attempts were made around that time to compare with."
    );
    assert_eq!(matrix.lines[0].agent_elsewhere, Count::default());
    Ok(())
}

/// Who failed long before tells nothing of this failure.
#[tokio::test]
async fn only_the_hours_around_the_last_failure_count() -> Result<()> {
    let queue = Queue::new().await?;
    let (sick, well) = (queue.agent("sick").await?, queue.agent("well").await?);
    sick.work(OPUS, 3, CRASH).await?;
    well.work(OPUS, 3, None).await?;
    queue.pass(3 * 3600);
    let id = queue.submit_task(&task("innocent")).await?;
    sick.fail_it(id, OPUS, Reason::Crash).await?;
    assert_eq!(queue.suspect(id).await?, Suspect::Unknown);
    queue.pass(2 * 3600);
    queue.cancel(id).await?.expect("cancelled");
    sick.work(OPUS, 2, CRASH).await?;
    well.work(OPUS, 1, None).await?;
    assert_eq!(queue.suspect(id).await?, Suspect::Agent("sick".to_owned()));
    Ok(())
}

fn outcome(queue: &Queue, agent: &str, model: Option<&str>, is_success: bool) -> AttemptOutcome {
    AttemptOutcome {
        task: TaskId(uuid::Uuid::from_u128(7)),
        task_type: None,
        agent: agent.to_owned(),
        is_success,
        is_failure: !is_success,
        cost: workmill_core::money::Micros::ZERO,
        duration_ms: 1,
        ended_at: queue.test.clock.now(),
        model: model.map(str::to_owned),
    }
}

#[tokio::test]
async fn the_tallies_of_two_servers_add_up() -> Result<()> {
    const TIMES: i64 = 50;
    let queue = Queue::new().await?;
    let clock = Clock::Manual(queue.test.clock.clone());
    let other = Store::with_clock(queue.test.database.url(), 2, clock)?;
    let outcomes = [
        outcome(&queue, "a", Some(OPUS), true),
        outcome(&queue, "b", Some(OPUS), false),
        outcome(&queue, "a", None, false),
        outcome(&queue, "a", Some(OPUS), true),
    ];
    let reversed: Vec<AttemptOutcome> = outcomes.iter().rev().cloned().collect();
    let record = async |store: &Store, outcomes: &[AttemptOutcome]| -> Result<()> {
        for _ in 0..TIMES {
            let ns = queue.ns;
            store.run(&RecordOutcomes { ns, outcomes }).await?;
        }
        Ok(())
    };
    tokio::try_join!(record(&queue.store, &outcomes), record(&other, &reversed))?;
    let row = |agent: &str, model: &str, completed, failed| {
        (agent.to_owned(), model.to_owned(), completed, failed)
    };
    assert_eq!(
        queue.tallies().await?,
        [
            row("a", "", 0, 2 * TIMES),
            row("a", OPUS, 4 * TIMES, 0),
            row("b", OPUS, 0, 2 * TIMES)
        ]
    );
    Ok(())
}

#[tokio::test]
async fn hours_of_long_ago_are_removed_in_batches_and_no_others() -> Result<()> {
    let queue = Queue::new().await?;
    let ns = queue.ns;
    for agent in ["a", "b", "c"] {
        let outcomes = &[outcome(&queue, agent, None, true)];
        queue.store.run(&RecordOutcomes { ns, outcomes }).await?;
    }
    queue.test.clock.advance(KEPT);
    let outcomes = &[outcome(&queue, "late", None, true)];
    queue.store.run(&RecordOutcomes { ns, outcomes }).await?;
    let now = queue.test.clock.now();
    let old = |before| queue.store.find_namespaces_with_old_tallies(before);
    assert_eq!(old(kept_since(now)).await?, [], "to the hour");
    let before = kept_since(now + SignedDuration::from_hours(1));
    assert_eq!(old(before).await?, [ns]);
    let most = 2;
    let remove = || async {
        let removal = RemoveOldTallies { ns, before, most };
        Ok::<u64, anyhow::Error>(queue.store.run(&removal).await?.0)
    };
    let mut removed = Vec::new();
    for _ in 0..3 {
        removed.push(remove().await?);
    }
    assert_eq!(removed, [2, 1, 0]);
    assert_eq!(old(before).await?, []);
    let left = queue.tallies().await?;
    assert_eq!(left, [("late".to_owned(), String::new(), 1, 0)]);
    Ok(())
}
