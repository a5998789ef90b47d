//! The inbox where letters and tasks are on different machines.

use anyhow::Result;
use workmill_store::intake::inbox::{HandleLetters, Letter, LetterRefusal, ReadLetters};
use workmill_store::intake::{Submission, SubmitRefusal};
use workmill_testkit::factory::{singles, task};

use crate::actors::Queue;

struct Reader;

impl ReadLetters for Reader {
    fn read(&self, letter: &Letter) -> Result<Submission, LetterRefusal> {
        Ok(singles(&[task(&letter.task)]))
    }

    fn refused(&self, refusal: SubmitRefusal) -> LetterRefusal {
        panic!("a letter was refused: {refusal:?}")
    }
}

#[tokio::test]
async fn a_letter_becomes_one_task_although_only_the_tasks_were_committed() -> Result<()> {
    let queue = Queue::new().await?;
    let client = queue.test.database.client().await?;
    let put = "insert into workmill.inbox (ns, task) values ('test', '{}') returning id";
    let letter = client.query_one(put, &[]).await?.get(0);
    let handle = async || {
        let operation = HandleLetters {
            ns: queue.ns,
            letters: &[letter],
            reader: &Reader,
            commits_apart: true,
        };
        let (handled, _) = queue.store.run(&operation).await?;
        assert_eq!((handled.accepted, handled.refused), (1, 0));
        let outcome = "select task_id from workmill.inbox";
        anyhow::Ok(client.query_one(outcome, &[]).await?.get::<_, String>(0))
    };
    let first = handle().await?;
    let lost = "update workmill.inbox set handled_at = null, outcome = null, task_id = null";
    client.execute(lost, &[]).await?;
    assert_eq!(handle().await?, first);
    let tasks = client.query("select from workmill.state", &[]).await?;
    assert_eq!(tasks.len(), 1);
    Ok(())
}
