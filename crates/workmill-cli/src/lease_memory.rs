//! Leases that were claimed by hand, remembered between calls: one small file for each server,
//! agent and task.
//!
//! A lease that was lost stays remembered: forgotten, whoever lost it would be taken for the one who
//! holds the task now under the same name. It goes with the next claim of the task, or when it is old.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use workmill_core::ids::{LeaseId, TaskId};

use crate::configuration::Configuration;
use crate::database_address::short_hash;
use crate::exit::Exit;
use crate::user_folders;

/// How long a lease is remembered that nobody ends or keeps alive: nobody comes back later.
const LONGEST: Duration = Duration::from_hours(7 * 24);

/// The memory for one server.
#[derive(Debug)]
pub(crate) struct LeaseMemory {
    folder: PathBuf,
}

impl LeaseMemory {
    /// That of the server and the namespace that the configuration names.
    pub(crate) fn new(configuration: &Configuration) -> Self {
        let url = configuration.url.trim_end_matches('/');
        let server = match &configuration.namespace {
            Some(namespace) => short_hash(&format!("{url} {namespace}")),
            None => short_hash(url),
        };
        LeaseMemory {
            folder: user_folders::state().join("leases").join(server),
        }
    }

    /// `name` is what the planner calls the task.
    pub(crate) fn remember(&self, agent: &str, lease: LeaseId, name: Option<&str>) -> Result<()> {
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
            let name = name.map(|name| format!("\n{name}")).unwrap_or_default();
            file.write_all(format!("{lease}{name}").as_bytes())
        };
        self.remove_old();
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
            _ => Err(several_claimed(task)),
        }
    }

    /// The same by what the planner calls the task, or by its id. A planner may give a name again, and
    /// so may one of another namespace: then it is the one that was claimed last.
    pub(crate) fn recall_named(&self, agent: Option<&str>, name: &str) -> Result<Option<LeaseId>> {
        let agents = match agent {
            Some(agent) => vec![self.folder_of(agent)],
            None => self.agents(),
        };
        let newest_of = |agent: PathBuf| {
            let files = entries(&agent).into_iter();
            let fitting = files.filter_map(|file| {
                let remembered = Remembered::read(&file).filter(|one| one.is_called(name))?;
                Some((file.metadata().ok()?.modified().ok()?, remembered.lease))
            });
            fitting.max_by_key(|(claimed, _)| *claimed)
        };
        let found: Vec<_> = agents.into_iter().filter_map(newest_of).collect();
        match found[..] {
            [] => Ok(None),
            [(_, lease)] => Ok(Some(lease)),
            _ => Err(several_claimed(name)),
        }
    }

    /// All that this agent has claimed from here and not ended, by the ids of the tasks. It may have
    /// lost some.
    pub(crate) fn held_by(&self, agent: &str) -> Vec<LeaseId> {
        let files = entries(&self.folder_of(agent));
        let mut leases: Vec<LeaseId> = files.iter().filter_map(|file| read(file)).collect();
        leases.sort_by_key(|lease| lease.task);
        leases
    }

    /// After its holder has ended it; not when it was lost.
    pub(crate) fn forget(&self, lease: LeaseId) {
        for file in self.files_of(lease) {
            // What stays is refused by the server when it is used.
            let _ = std::fs::remove_file(file);
        }
    }

    /// After a sign of life: it is as good as new.
    pub(crate) fn keep(&self, lease: LeaseId) {
        for file in self.files_of(lease) {
            let touch = || File::open(file)?.set_modified(SystemTime::now());
            // It is remembered for a while all the same.
            let _ = touch();
        }
    }

    fn files_of(&self, lease: LeaseId) -> impl Iterator<Item = PathBuf> {
        let agents = self.agents().into_iter();
        let files = agents.map(move |agent| agent.join(lease.task.to_string()));
        files.filter(move |file| read(file) == Some(lease))
    }

    /// Of all agents: those that were killed do not come and tidy up.
    fn remove_old(&self) {
        for agent in self.agents() {
            for file in entries(&agent).into_iter().filter(|file| is_old(file)) {
                // The next claim tries again.
                let _ = std::fs::remove_file(file);
            }
            if is_old(&agent) {
                // Fails, as it should, while there is something in it.
                let _ = std::fs::remove_dir(agent);
            }
        }
    }

    fn file(&self, agent: &str, task: TaskId) -> PathBuf {
        self.folder_of(agent).join(task.to_string())
    }

    fn folder_of(&self, agent: &str) -> PathBuf {
        self.folder.join(short_hash(agent))
    }

    fn of_any_agent(&self, task: TaskId) -> Vec<LeaseId> {
        let files = self
            .agents()
            .into_iter()
            .map(|agent| agent.join(task.to_string()));
        files.filter_map(|file| read(&file)).collect()
    }

    fn agents(&self) -> Vec<PathBuf> {
        entries(&self.folder)
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect()
}

fn is_old(path: &Path) -> bool {
    let changed = path.metadata().and_then(|found| found.modified());
    // What was changed in the future is not old.
    let age = changed.map(|changed| changed.elapsed().unwrap_or_default());
    age.is_ok_and(|age| age > LONGEST)
}

/// What a file holds: the lease, and on the lines below it what the planner calls the task.
struct Remembered {
    lease: LeaseId,
    name: Option<String>,
}

impl Remembered {
    fn read(file: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(file).ok()?;
        let (lease, name) = match text.split_once('\n') {
            Some((lease, name)) => (lease, Some(name.to_owned())),
            None => (text.as_str(), None),
        };
        Some(Remembered {
            lease: lease.parse().ok()?,
            name,
        })
    }

    fn is_called(&self, name: &str) -> bool {
        self.name.as_deref() == Some(name) || self.lease.task.to_string() == name
    }
}

fn read(file: &Path) -> Option<LeaseId> {
    Some(Remembered::read(file)?.lease)
}

fn several_claimed(task: impl std::fmt::Display) -> anyhow::Error {
    Exit::Usage.because(format!(
        "several agents have claimed {task} from here: say which one with --agent"
    ))
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
    fn a_lease_is_found_by_what_the_planner_calls_its_task_and_the_last_one_counts() {
        let folder = tempfile::tempdir().unwrap();
        let memory = LeaseMemory {
            folder: folder.path().to_path_buf(),
        };
        let lease = |number| LeaseId {
            task: task(number),
            epoch: 1,
        };
        memory.remember("a", lease(1), Some("db-1")).unwrap();
        memory.remember("a", lease(2), None).unwrap();
        let named = |agent, name: &str| memory.recall_named(agent, name).unwrap();
        assert_eq!(named(Some("a"), "db-1"), Some(lease(1)));
        assert_eq!(named(None, "db-1"), Some(lease(1)));
        assert_eq!(named(Some("a"), &task(2).to_string()), Some(lease(2)));
        assert_eq!(named(Some("b"), "db-1"), None);
        assert_eq!(memory.recall(Some("a"), task(1)).unwrap(), lease(1));

        let long_ago = SystemTime::now() - Duration::from_mins(1);
        let file = File::open(memory.file("a", task(1))).unwrap();
        file.set_modified(long_ago).unwrap();
        memory.remember("a", lease(3), Some("db-1")).unwrap();
        assert_eq!(named(Some("a"), "db-1"), Some(lease(3)));
        memory.remember("b", lease(4), Some("db-1")).unwrap();
        let which = memory.recall_named(None, "db-1").unwrap_err();
        assert_eq!(Exit::of(&which), Exit::Usage);
    }

    #[test]
    fn what_is_neither_ended_nor_kept_alive_is_forgotten_after_a_week() {
        let folder = tempfile::tempdir().unwrap();
        let memory = LeaseMemory {
            folder: folder.path().to_path_buf(),
        };
        let lease = |number| LeaseId {
            task: task(number),
            epoch: 1,
        };
        let grow_old = |agent: &str, lease: LeaseId| {
            let week_ago = SystemTime::now() - LONGEST - Duration::from_mins(1);
            let file = File::open(memory.file(agent, lease.task)).unwrap();
            file.set_modified(week_ago).unwrap();
        };
        for number in 1..=3 {
            memory.remember("a", lease(number), None).unwrap();
        }
        grow_old("a", lease(1));
        grow_old("a", lease(2));
        memory.keep(lease(2));
        memory.remember("b", lease(4), None).unwrap();
        assert_eq!(memory.held_by("a"), [lease(2), lease(3)]);
        assert_eq!(memory.held_by("b"), [lease(4)]);
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
        memory.remember("a/../b", lease, None).unwrap();
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
        memory.remember("c", newer, None).unwrap();
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
