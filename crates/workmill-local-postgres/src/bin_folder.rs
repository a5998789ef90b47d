//! In: a folder that may hold PostgreSQL programs. Out: [`BinFolder`], with the version it answers.
//!
//! Invariant: a `BinFolder` has all four programs; a client-only installation does not count.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::program::Program;
use crate::server_user::ServerUser;

const PROGRAMS: [&str; 4] = ["initdb", "pg_ctl", "postgres", "psql"];

/// The oldest major version Workmill's queries run on.
pub(crate) const OLDEST_MAJOR: u32 = 15;

/// The version of the PostgreSQL programs in use.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ServerVersion {
    /// E.g. 15.
    pub major: u32,
    /// E.g. 16 of `15.16`; 0 for a development version.
    pub minor: u32,
}

impl fmt::Display for ServerVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.major, self.minor)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct BinFolder {
    pub(crate) folder: PathBuf,
    pub(crate) version: ServerVersion,
}

impl BinFolder {
    /// `Err` says in a few words why the folder does not count.
    pub(crate) fn look_at(
        folder: &Path,
        user: &ServerUser,
        standing_in: &Path,
    ) -> Result<BinFolder, String> {
        let missing: Vec<&str> = PROGRAMS
            .into_iter()
            .filter(|program| !folder.join(program).is_file())
            .collect();
        if !missing.is_empty() {
            return Err(format!("it has no {}", missing.join(", ")));
        }
        let answer = Program::new(folder.join("postgres"), user, standing_in)
            .arg("--version")
            .run()
            .map_err(|failure| failure.to_string())?;
        let answer = String::from_utf8_lossy(&answer).trim().to_owned();
        let version = version_in(&answer)
            .ok_or_else(|| format!("`postgres --version` answers {answer:?}"))?;
        Ok(BinFolder {
            folder: folder.to_path_buf(),
            version,
        })
    }
}

/// `postgres (PostgreSQL) 15.16 (Debian 15.16-0+deb12u1)`, also `18beta2` and `19devel`.
fn version_in(answer: &str) -> Option<ServerVersion> {
    let number = answer.strip_prefix("postgres (PostgreSQL) ")?;
    let (major, rest) = leading_number(number)?;
    let minor = rest
        .strip_prefix('.')
        .and_then(leading_number)
        .map_or(0, |(minor, _)| minor);
    Some(ServerVersion { major, minor })
}

fn leading_number(text: &str) -> Option<(u32, &str)> {
    let end = text
        .find(|character: char| !character.is_ascii_digit())
        .unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn released_patched_and_unreleased_versions_are_read() {
        let read = |text: &str| version_in(text).map(|version| (version.major, version.minor));
        assert_eq!(
            read("postgres (PostgreSQL) 15.16 (Debian 15.16-0+deb12u1)"),
            Some((15, 16))
        );
        assert_eq!(read("postgres (PostgreSQL) 18beta2"), Some((18, 0)));
        assert_eq!(read("postgres (PostgreSQL) 9.6.24"), Some((9, 6)));
        assert_eq!(read("sh: not found"), None);
    }
}
