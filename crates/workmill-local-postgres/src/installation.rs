//! In: the programs, the user and the folder that were settled on. Out: runs of those programs.
//!
//! Invariant: everything done to one cluster is done with the same programs, as the same user.

use std::path::PathBuf;

use crate::bin_folder::BinFolder;
use crate::cluster_folder;
use crate::program::Program;
use crate::server_user::ServerUser;

#[derive(Clone, Debug)]
pub(crate) struct Installation {
    pub(crate) programs: BinFolder,
    pub(crate) user: ServerUser,
    pub(crate) data: PathBuf,
}

impl Installation {
    pub(crate) fn cluster(&self) -> PathBuf {
        cluster_folder::path(&self.data)
    }

    pub(crate) fn program(&self, name: &str) -> Program {
        Program::new(self.programs.folder.join(name), &self.user, &self.data)
    }

    /// `pg_ctl <action> -D <cluster>`, silent except for errors.
    pub(crate) fn pg_ctl(&self, action: &str) -> Program {
        self.program("pg_ctl")
            .args([action, "--silent", "--pgdata"])
            .arg(self.safe_for_the_shell(self.cluster()))
    }

    /// `pg_ctl start` puts its paths between double quotes in a shell command. A path in which the
    /// shell would find something to interpret is given relative to the data folder, where every
    /// program stands; all others in full, so that `ps` shows whose server it is.
    pub(crate) fn safe_for_the_shell(&self, path: PathBuf) -> PathBuf {
        let interpreted = |byte: &u8| b"\"\\$`\n".contains(byte);
        if path.as_os_str().as_encoded_bytes().iter().any(interpreted)
            && let Ok(relative) = path.strip_prefix(&self.data)
        {
            return relative.to_path_buf();
        }
        path
    }
}
