//! What `workmill up` says when it is ready: where it listens and where everything is.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::Result;
use nix::unistd::{Uid, User, geteuid};
use serde::Serialize;

use crate::database::Database;
use crate::database_address::address;
use crate::key_file;
use crate::output::Output;

#[derive(Debug, Serialize)]
pub(super) struct Announcement {
    url: String,
    /// Who runs the database: `private`, `temporary` or `external`.
    database: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    database_address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    postgres_version: Option<String>,
    /// Who runs PostgreSQL, when it is not the user of this process.
    #[serde(skip_serializing_if = "Option::is_none")]
    postgres_user: Option<String>,
    data: PathBuf,
    key_file: PathBuf,
}

impl Announcement {
    pub(super) fn of(database: &Database, url: &str) -> Self {
        let (kind, database_address) = match database {
            Database::External { url, .. } => ("external", Some(address(url))),
            Database::Private { .. } => ("private", None),
            Database::Temporary(_) => ("temporary", None),
        };
        let cluster = database.cluster();
        Announcement {
            url: url.to_owned(),
            database: kind,
            database_address,
            postgres_version: cluster.map(|cluster| cluster.version().to_string()),
            postgres_user: cluster.and_then(|_| other_owner(&database.folder().join("postgres"))),
            data: database.folder().to_path_buf(),
            key_file: database.key_file(key_file::ADMIN),
        }
    }

    pub(super) fn print(&self, output: Output) -> Result<()> {
        output.answer(self, Announcement::for_people)
    }

    fn for_people(&self) -> String {
        let database = match (&self.database_address, &self.postgres_version) {
            (Some(address), _) => address.clone(),
            (None, version) => format!(
                "PostgreSQL {}{}{}",
                version.as_deref().unwrap_or_default(),
                self.postgres_user
                    .as_ref()
                    .map(|user| format!(", runs as the user `{user}`"))
                    .unwrap_or_default(),
                if self.database == "temporary" {
                    ", removed at the end"
                } else {
                    ""
                },
            ),
        };
        format!(
            "Workmill is ready at {}\n  database  {database}\n  data      {}\n  key       {}",
            self.url,
            self.data.display(),
            self.key_file.display(),
        )
    }
}

/// The owner of a folder, if it is not the user of this process.
fn other_owner(folder: &Path) -> Option<String> {
    let owner = Uid::from_raw(folder.metadata().ok()?.uid());
    if owner == geteuid() {
        return None;
    }
    let known = User::from_uid(owner).ok().flatten();
    Some(known.map_or_else(|| format!("uid {owner}"), |user| user.name))
}
