//! Dead letters by page, by filter and by what failed alike.

use anyhow::Result;
use jiff::SignedDuration;
use serde_json::Value;
use workmill_core::failure::Reason;
use workmill_core::ids::TaskId;
use workmill_core::task::NewTask;
use workmill_core::verdict::DeadLetterCause;
use workmill_store::events::SequenceEvents;
use workmill_store::look::dead_letters::{DeadLetterFilter, DeadLetterSummary, LONGEST_STRETCH};
use workmill_store::settlement::dead_letters::ReviewDeadLetters;
use workmill_testkit::burial::bury_ready_tasks;
use workmill_testkit::factory::{singles, task};

use crate::actors::Queue;

impl Queue {
    pub async fn letters(&self) -> Result<Vec<DeadLetterSummary>> {
        self.letters_that_fit(&DeadLetterFilter::default()).await
    }

    pub async fn letters_that_fit(
        &self,
        filter: &DeadLetterFilter,
    ) -> Result<Vec<DeadLetterSummary>> {
        let (mut letters, mut after) = (Vec::new(), None);
        loop {
            let page = self
                .store
                .summarise_dead_letters(self.ns, filter, after, 1000)
                .await?;
            letters.extend(page.letters);
            after = page.next;
            if after.is_none() {
                return Ok(letters);
            }
        }
    }

    /// What the events of one type say, in their order.
    pub async fn facts(&self, event_type: &str) -> Result<Vec<Value>> {
        let most = 100_000;
        let ns = self.ns;
        self.store.run(&SequenceEvents { ns, most }).await?;
        let batches = self.store.read_events(ns, 0, most).await?;
        let facts = batches.into_iter().flat_map(|batch| batch.facts);
        Ok(facts.filter(|fact| fact["type"] == event_type).collect())
    }

    /// Makes so many dead letters.
    pub async fn bury(&self, letters: usize) -> Result<Vec<TaskId>> {
        let tasks = vec![task("buried"); letters];
        let submitted = self.submit(singles(&tasks)).await?;
        let client = self.test.database.client().await?;
        bury_ready_tasks(&client, self.test.clock.now()).await?;
        Ok(submitted.tasks)
    }
}

/// F-26, A-6 (part)
#[tokio::test]
async fn dead_letters_are_listed_with_their_history_and_grouped_by_what_failed_alike() -> Result<()>
{
    let queue = Queue::new().await?;
    let agent = queue.agent("agent").await?;
    for (task_type, reason) in [
        ("code", Reason::InvalidInput),
        ("code", Reason::InvalidInput),
        ("review", Reason::PermissionDenied),
    ] {
        queue
            .submit_task(&NewTask {
                task_type: task_type.to_owned(),
                ..task("work")
            })
            .await?;
        let lease = agent.take_one().await?.lease;
        agent.fail(lease, reason).await?.expect("failed");
    }
    let all = DeadLetterFilter::default();
    let found = queue
        .store
        .find_dead_letters(queue.ns, &all, None, 10)
        .await?;
    assert_eq!((found.letters.len(), found.next), (3, None));
    assert!(
        found
            .letters
            .iter()
            .all(|letter| letter.task.attempts.len() == 1 && !letter.summary.is_reviewed)
    );
    let first = found.letters[0].task.id;
    let page = queue
        .store
        .find_dead_letters(queue.ns, &all, Some(first), 1)
        .await?;
    assert_eq!(page.letters[0].task.id, found.letters[1].task.id);
    assert_eq!(page.next, Some(found.letters[1].task.id));
    let groups = queue.store.group_dead_letters(queue.ns, 10).await?;
    let sizes: Vec<_> = groups
        .iter()
        .map(|group| (group.reason, group.letters))
        .collect();
    assert_eq!(
        sizes,
        [
            (Some(Reason::InvalidInput), 2),
            (Some(Reason::PermissionDenied), 1)
        ]
    );
    Ok(())
}

/// F-26
#[tokio::test]
async fn each_part_of_a_filter_finds_its_letters_and_no_others() -> Result<()> {
    let queue = Queue::new().await?;
    let agent = queue.agent("one").await?;
    queue.submit_task(&task("plain")).await?;
    let lease = agent.take_one().await?.lease;
    agent
        .fail(lease, Reason::InvalidInput)
        .await?
        .expect("failed");
    queue.pass(60);

    let other = queue.agent("other").await?;
    let special = NewTask {
        task_type: "review".to_owned(),
        tags: vec!["nightly".to_owned(), "slow".to_owned()],
        max_attempts: Some(1),
        ..task("special")
    };
    let mut submission = singles(&[special]);
    submission.created_by = "planner".to_owned();
    let wanted = queue.submit(submission).await?.tasks[0];
    let lease = other.take_one().await?.lease;
    other.fail(lease, Reason::Crash).await?.expect("failed");
    let review = ReviewDeadLetters {
        ns: queue.ns,
        tasks: vec![wanted],
        is_reviewed: true,
    };
    queue.store.run(&review).await?;

    let letters = queue.letters().await?;
    assert_eq!(letters.len(), 2);
    let letter = letters
        .iter()
        .find(|letter| letter.task == wanted)
        .expect("it is a dead letter");
    let minute = SignedDuration::from_secs(60);
    let any = DeadLetterFilter::default;
    let word = |text: &str| Some(text.to_owned());
    #[rustfmt::skip]
    let filters = [
        DeadLetterFilter { task_type: word("review"), ..any() },
        DeadLetterFilter { tag: word("slow"), ..any() },
        DeadLetterFilter { created_by: word("planner"), ..any() },
        DeadLetterFilter { graph: Some(wanted.into()), ..any() },
        DeadLetterFilter { agent: word("other"), ..any() },
        DeadLetterFilter { reason: Some(Reason::Crash), ..any() },
        DeadLetterFilter { cause: Some(DeadLetterCause::UsedUp), ..any() },
        DeadLetterFilter { fingerprint: Some(letter.fingerprint), ..any() },
        DeadLetterFilter { is_reviewed: Some(true), ..any() },
        DeadLetterFilter { since: Some(letter.at), ..any() },
        DeadLetterFilter { since: Some(letter.at), until: Some(letter.at), ..any() },
    ];
    for filter in filters {
        let found = queue.letters_that_fit(&filter).await?;
        let found: Vec<TaskId> = found.iter().map(|letter| letter.task).collect();
        assert_eq!(found, [wanted], "{filter:?}");
    }
    #[rustfmt::skip]
    let nothing = [
        DeadLetterFilter { tag: word("slo"), ..any() },
        DeadLetterFilter { until: Some(letter.at - minute - minute), ..any() },
        DeadLetterFilter { agent: word("one"), reason: Some(Reason::Crash), ..any() },
    ];
    for filter in nothing {
        assert!(
            queue.letters_that_fit(&filter).await?.is_empty(),
            "{filter:?}"
        );
    }
    Ok(())
}

/// F-26
#[tokio::test]
async fn what_the_attempts_have_cost_is_added_up_and_what_waits_is_counted() -> Result<()> {
    let queue = Queue::new().await?;
    queue.bury(3).await?;
    let letters = queue.letters().await?;
    let costs: Vec<i64> = letters.iter().map(|letter| letter.cost_micros).collect();
    assert_eq!(costs, [100, 100, 100]);
    let agent = queue.agent("agent").await?;
    let tasks: &[(&str, &[usize])] = &[("a", &[]), ("b", &[0]), ("c", &[0])];
    queue
        .submit(workmill_testkit::factory::graph(tasks))
        .await?;
    agent.bury_one().await?;
    let letters = queue.letters().await?;
    assert_eq!(letters.last().map(|letter| letter.dependents), Some(2));
    Ok(())
}

/// F-26
#[tokio::test]
async fn a_look_that_finds_nothing_ends_and_says_where_to_go_on() -> Result<()> {
    let queue = Queue::new().await?;
    let stretch = usize::try_from(LONGEST_STRETCH)?;
    let tasks = queue.bury(stretch + 1).await?;
    let filter = DeadLetterFilter {
        reason: Some(Reason::Network),
        ..DeadLetterFilter::default()
    };
    let look = async |after| {
        let store = &queue.store;
        store
            .summarise_dead_letters(queue.ns, &filter, after, 10)
            .await
    };
    let page = look(None).await?;
    assert_eq!(
        (page.letters.len(), page.next),
        (0, Some(tasks[stretch - 1]))
    );
    let page = look(page.next).await?;
    assert_eq!((page.letters.len(), page.next), (0, None));
    assert_eq!(
        queue.letters().await?.len(),
        stretch + 1,
        "none is left out"
    );
    Ok(())
}
