//! Leases that were claimed by hand, remembered between calls: one small file for each server,
//! agent and task.
//!
//! Losing the memory loses nothing but convenience: the lease runs out, or `--lease` names it.

use std::fs::{DirBuilder, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use workmill_core::ids::{LeaseId, TaskId};

use crate::database_address::short_hash;
use crate::exit::Exit;
use crate::user_folders;

/// The memory for one server.
#[derive(Debug)]
pub(crate) struct LeaseMemory {
    folder: PathBuf,
}

impl LeaseMemory {
    pub(crate) fn of_server(url: &str) -> Self {
        let server = short_hash(url.trim_end_matches('/'));
        LeaseMemory {
            folder: user_folders::state().join("leases").join(server),
        }
    }

    pub(crate) fn remember(&self, agent: &str, lease: LeaseId) -> Result<()> {
        let path = self.file(agent, lease.task);
        let write = || {
            if let Some(folder) = path.parent() {
                DirBuilder::new()
                    .recursive(true)
                    .mode(0o700)
                    .create(folder)?;
            }
            let mut file = OpenOptions::new()
                .write(true)
                .create(true)
                .truncate(true)
                .mode(0o600)
                .open(&path)?;
            file.write_all(lease.to_string().as_bytes())
        };
        write().with_context(|| format!("cannot remember the lease in {}", path.display()))
    }

    /// The lease of this task: the agent's, or that of the only agent who has one.
    pub(crate) fn recall(&self, agent: Option<&str>, task: TaskId) -> Result<LeaseId> {
        let found = match agent {
            Some(agent) => read(&self.file(agent, task)).into_iter().collect(),
            None => self.of_any_agent(task),
        };
        match found[..] {
            [lease] => Ok(lease),
            [] => Err(Exit::NotFound.because(format!(
                "no lease of {task} is remembered here: claim it first, or give --lease"
            ))),
            _ => Err(Exit::Usage.because(format!(
                "several agents have claimed {task} from here: say which one with --agent"
            ))),
        }
    }

    /// All that this agent has claimed from here and not ended, by the ids of the tasks.
    pub(crate) fn held_by(&self, agent: &str) -> Vec<LeaseId> {
        let entries = std::fs::read_dir(self.folder.join(short_hash(agent)));
        let entries = entries.into_iter().flatten().filter_map(Result::ok);
        let mut leases: Vec<LeaseId> = entries.filter_map(|entry| read(&entry.path())).collect();
        leases.sort_by_key(|lease| lease.task);
        leases
    }

    /// After the lease has ended.
    pub(crate) fn forget(&self, lease: LeaseId) {
        for agent in self.agents() {
            let file = agent.join(lease.task.to_string());
            if read(&file) == Some(lease) {
                // What stays is refused by the server when it is used.
                let _ = std::fs::remove_file(file);
            }
        }
    }

    fn file(&self, agent: &str, task: TaskId) -> PathBuf {
        self.folder.join(short_hash(agent)).join(task.to_string())
    }

    fn of_any_agent(&self, task: TaskId) -> Vec<LeaseId> {
        let files = self
            .agents()
            .into_iter()
            .map(|agent| agent.join(task.to_string()));
        files.filter_map(|file| read(&file)).collect()
    }

    fn agents(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten();
        entries
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .collect()
    }
}

fn read(file: &Path) -> Option<LeaseId> {
    std::fs::read_to_string(file).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(number: u128) -> TaskId {
        format!("00000000-0000-0000-0000-{number:012}")
            .parse()
            .unwrap()
    }

    #[test]
    fn a_lease_is_found_by_its_task_and_forgotten_only_as_itself() {
        let folder = tempfile::tempdir().unwrap();
        let memory = LeaseMemory {
            folder: folder.path().to_path_buf(),
        };
        let lease = LeaseId {
            task: task(1),
            epoch: 1,
        };
        memory.remember("a/../b", lease).unwrap();
        assert_eq!(memory.recall(None, task(1)).unwrap(), lease);
        assert_eq!(
            Exit::of(&memory.recall(None, task(2)).unwrap_err()),
            Exit::NotFound
        );
        assert_eq!(
            Exit::of(&memory.recall(Some("c"), task(1)).unwrap_err()),
            Exit::NotFound
        );

        let newer = LeaseId { epoch: 2, ..lease };
        memory.remember("c", newer).unwrap();
        assert_eq!(memory.held_by("c"), [newer]);
        assert!(memory.held_by("nobody").is_empty());
        assert_eq!(
            Exit::of(&memory.recall(None, task(1)).unwrap_err()),
            Exit::Usage
        );
        memory.forget(lease);
        assert_eq!(memory.recall(None, task(1)).unwrap(), newer);
    }
}
