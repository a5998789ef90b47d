//! The file to which a command writes how far it is: a JSON object a line, with `progress`,
//! `checkpoint`, `usage` or `cost_usd`.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use workmill_protocol::leases::Usage;
use workmill_sdk::worker::TaskContext;

use super::result_file::open_plain;

/// How often somebody looks.
const INTERVAL: Duration = Duration::from_millis(250);

/// At a time; what is longer than this on one line is no progress.
const MOST: u64 = 256 * 1024;

/// When the command has ended; of more the end counts, which says all that was used and the last place.
const MOST_AT_THE_END: u64 = 4 * MOST;

#[derive(Debug)]
pub(super) struct ProgressFile {
    path: PathBuf,
    /// Up to where whole lines were read.
    read: u64,
    has_complained: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Line {
    progress: Option<Value>,
    checkpoint: Option<Value>,
    usage: Option<Usage>,
    cost_usd: Option<f64>,
}

impl ProgressFile {
    /// There from the start, so that a command can append to it.
    pub(super) fn create(path: PathBuf) -> std::io::Result<Self> {
        File::create_new(&path)?;
        Ok(ProgressFile {
            path,
            read: 0,
            has_complained: false,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Looks once more, a moment later. A command may write faster than this reads: who waits for its
    /// end is not held up by that.
    pub(super) async fn follow(&mut self, task: &TaskContext) {
        tokio::time::sleep(INTERVAL).await;
        self.read_on(task);
    }

    /// Tells what is left when the command has ended. Somebody who got away may write on.
    pub(super) fn read_to_the_end(&mut self, task: &TaskContext) {
        let Ok(end) = self.path.metadata().map(|file| file.len()) else {
            return;
        };
        if end.saturating_sub(self.read) > MOST_AT_THE_END {
            self.read = end - MOST_AT_THE_END;
        }
        while self.read < end && self.read_on(task) {}
    }

    /// Tells what was written since, up to a limit; answers whether that was anything.
    fn read_on(&mut self, task: &TaskContext) -> bool {
        // A command may have removed it; then it has nothing to tell.
        let text = self.next_lines().unwrap_or_default();
        for line in text.split(|byte| *byte == b'\n') {
            self.tell(task, line);
        }
        !text.is_empty()
    }

    fn tell(&mut self, task: &TaskContext, line: &[u8]) {
        if line.trim_ascii().is_empty() {
            return;
        }
        let Ok(line) = serde_json::from_slice::<Line>(line) else {
            if !self.has_complained {
                tracing::warn!(task = %task.task().id, "a line of progress is no JSON object");
            }
            self.has_complained = true;
            return;
        };
        if let Some(progress) = line.progress {
            task.progress(progress);
        }
        if let Some(checkpoint) = line.checkpoint {
            task.checkpoint(checkpoint);
        }
        match (line.usage, line.cost_usd) {
            (None, None) => {}
            (usage, cost_usd) => {
                let usage = usage.unwrap_or_default();
                task.usage(Usage {
                    cost_usd: cost_usd.or(usage.cost_usd),
                    ..usage
                });
            }
        }
    }

    /// Whole lines that were not read yet; empty when there are none.
    fn next_lines(&mut self) -> std::io::Result<Vec<u8>> {
        let mut file = open_plain(&self.path)?;
        file.seek(SeekFrom::Start(self.read))?;
        let mut text = Vec::new();
        let read = file.take(MOST).read_to_end(&mut text)?;
        let whole = text.iter().rposition(|byte| *byte == b'\n');
        let used = match whole {
            Some(last) => last + 1,
            // Too long for a line: left out.
            None if read as u64 == MOST => read,
            None => 0,
        };
        self.read += used as u64;
        text.truncate(used);
        Ok(text)
    }
}
