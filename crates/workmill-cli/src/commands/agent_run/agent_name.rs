//! The name of an agent that was given none: the host, its type, and the folder that it runs in. It is
//! the same after a restart, so that the agent keeps its history and its budget. Those that run at
//! once have a number besides: each holds the lock of a file that is called after its name.

use std::fs::{DirBuilder, File, OpenOptions};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use nix::fcntl::{Flock, FlockArg};

use crate::database_address::short_hash;
use crate::user_folders;

/// So many run at once on one machine, in one folder and with one type.
const MOST: usize = 10_000;

/// Longer parts are cut.
const LONGEST_PART: usize = 40;

/// A name that nobody else on this machine uses for this server as long as this lives.
#[derive(Debug)]
pub(super) struct AgentName {
    name: String,
    _lock: Flock<File>,
}

impl AgentName {
    pub(super) fn take(url: &str, agent_type: Option<&str>) -> Result<AgentName> {
        let host = nix::unistd::gethostname().unwrap_or_default();
        let folder = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
        let name = usual_name(&host.to_string_lossy(), &folder, agent_type);
        let server = short_hash(url.trim_end_matches('/'));
        let locks = user_folders::state().join("agents").join(server);
        AgentName::take_in(&locks, &name).with_context(|| {
            format!(
                "cannot take a name in {}; give one with --agent",
                locks.display()
            )
        })
    }

    fn take_in(locks: &Path, name: &str) -> Result<AgentName> {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(locks)?;
        for number in 1..=MOST {
            let name = match number {
                1 => name.to_owned(),
                number => format!("{name}-{number}"),
            };
            let file = OpenOptions::new()
                .write(true)
                .create(true)
                .truncate(false)
                .mode(0o600)
                .open(locks.join(short_hash(&name)))?;
            match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
                Ok(lock) => return Ok(AgentName { name, _lock: lock }),
                Err((_, nix::errno::Errno::EWOULDBLOCK)) => {}
                Err((_, error)) => return Err(error.into()),
            }
        }
        anyhow::bail!("{MOST} agents run here already")
    }

    pub(super) fn name(&self) -> String {
        self.name.clone()
    }
}

/// The folder's own name is for people; the hash of its whole path tells folders of one name apart.
fn usual_name(host: &str, folder: &Path, agent_type: Option<&str>) -> String {
    let last = folder.file_name().unwrap_or_default().to_string_lossy();
    let hash = short_hash(&folder.to_string_lossy());
    let hash: String = hash.chars().take(6).collect();
    let parts = [Some(host), agent_type, Some(&*last), Some(&*hash)];
    let parts = parts.into_iter().flatten().map(plain);
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    parts.join("-")
}

/// Without what would have to be quoted in a shell or a path.
fn plain(part: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
    let plain = part.chars().filter(|letter| is_plain(*letter));
    plain.take(LONGEST_PART).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_the_same_after_a_restart_and_no_two_run_under_one() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let take = || AgentName::take_in(folder.path(), "host-work");
        let first = take()?;
        let second = take()?;
        assert_eq!(first.name(), "host-work");
        assert_eq!(second.name(), "host-work-2");
        drop(first);
        assert_eq!(take()?.name(), "host-work", "after a restart");
        Ok(())
    }

    #[test]
    fn folders_and_types_have_names_of_their_own() {
        let name = |folder: &str, agent_type| usual_name("my host", Path::new(folder), agent_type);
        let plain = name("/home/ada/site", None);
        assert!(plain.starts_with("myhost-site-"), "{plain}");
        assert_eq!(plain, name("/home/ada/site", None));
        assert_ne!(plain, name("/home/bob/site", None));
        let typed = name("/home/ada/site", Some("coder"));
        assert!(typed.starts_with("myhost-coder-site-"), "{typed}");
        assert!(!name("/", None).is_empty());
    }
}
