//! Writes the crate `workmill-queries`; with `--check` only tells whether it is in step.

use anyhow::{Result, ensure};
use workmill_generate::{generated, queries};

#[tokio::main]
async fn main() -> Result<()> {
    let files = queries::queries().await?;
    if std::env::args().any(|argument| argument == "--check") {
        let wrong = generated::differences(&files)?;
        ensure!(
            wrong.is_empty(),
            "not in step with the .sql files, run `./dev sql`: {wrong:?}"
        );
    } else {
        generated::write(&files)?;
    }
    Ok(())
}
