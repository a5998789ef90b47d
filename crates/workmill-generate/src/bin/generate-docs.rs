//! Writes the pages that are drawn from the code; with `--check` only tells whether they are.

use anyhow::{Result, ensure};
use workmill_generate::{docs, generated};

fn main() -> Result<()> {
    let files = docs::docs();
    if std::env::args().any(|argument| argument == "--check") {
        let wrong = generated::differences(&files)?;
        ensure!(
            wrong.is_empty(),
            "not in step with the code, run `./dev docs`: {wrong:?}"
        );
    } else {
        generated::write(&files)?;
    }
    Ok(())
}
