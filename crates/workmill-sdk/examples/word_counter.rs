//! An agent that counts words, as a whole program.
//!
//! ```text
//! workmill up                                                        # in another terminal
//! workmill submit --title words --cap count --prompt "to be or not to be"
//! WORKMILL_TOKEN=$(cat KEY) cargo run -p workmill-sdk --example word_counter
//! ```
//!
//! With an argument it stops after so many tasks.

use serde_json::{Value, json};
use workmill_sdk::Client;
use workmill_sdk::worker::{NotDone, TaskContext, Worker};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::var("WORKMILL_URL").unwrap_or_else(|_| "http://127.0.0.1:7070".to_owned());
    let client = Client::new(&url, &std::env::var("WORKMILL_TOKEN")?)?;
    let mut worker = worker(client);
    if let Some(most) = std::env::args().nth(1) {
        worker = worker.max_tasks(most.parse()?);
    }
    let stop = worker.stop();
    tokio::spawn(async move {
        // The first Ctrl-C finishes what runs, the second one gives it back.
        while tokio::signal::ctrl_c().await.is_ok() {
            stop.further();
        }
    });
    let tally = worker.run(count_words).await?;
    println!("completed {}, failed {}", tally.completed, tally.failed);
    Ok(())
}

pub fn worker(client: Client) -> Worker {
    Worker::new(client, "word-counter")
        .capability("count")
        .slots(2)
}

pub async fn count_words(context: TaskContext) -> Result<Value, NotDone> {
    context.progress("counting");
    let words = context.prompt().split_whitespace().count();
    context.cost(0.001);
    Ok(json!({ "words": words }))
}

#[cfg(test)]
mod tests {
    use workmill_sdk::worker::testkit::TestTask;

    use super::*;

    #[tokio::test]
    async fn it_counts_words_without_a_server() {
        let ran = TestTask::with_prompt("to be or not to be")
            .run(count_words)
            .await;
        assert_eq!(ran.output(), json!({"words": 6}));
        assert_eq!(ran.recording.usage.cost_usd, Some(0.001));
    }
}
