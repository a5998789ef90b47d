//! In: what went wrong. Out: one paragraph that says what was attempted on what and what to do.
//!
//! Invariant: every message carries its fix; the technical cause is the source, not the message.

use std::path::{Path, PathBuf};

use crate::failure_explanation::{Reason, reason_of_io_error, reason_of_text};
use crate::program::ProgramFailure;

type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Everything that can go wrong while owning a private PostgreSQL cluster.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LocalPostgresError {
    /// Another process owns the folder.
    #[error(
        "the data folder {} is in use: {holder} holds it. Use that one, or stop it first (`kill {pid}`), \
         or give this one a data folder of its own.", .data.display()
    )]
    HeldByAnother {
        data: PathBuf,
        holder: String,
        pid: String,
    },

    /// The server's programs are there, a client's is not.
    #[error(
        "there is no {name} in {}: install the PostgreSQL client programs of that version beside it, or \
         name a folder with all of them with WORKMILL_PG_BIN.", .folder.display()
    )]
    NoClientProgram { name: &'static str, folder: PathBuf },

    /// The folder holds files of something else.
    #[error(
        "{} cannot become a data folder: it already holds other things ({example}), and Workmill would \
         change the folder's owner and permissions. Choose a folder that is empty or does not exist yet.",
        .data.display()
    )]
    FolderHoldsOtherThings { data: PathBuf, example: String },

    /// The disk is full.
    #[error(
        "could not {attempted} {}: the disk is full. Free some space there, or move the data folder to a \
         larger disk, and start again; nothing that was committed is lost.", .path.display()
    )]
    DiskFull {
        attempted: String,
        path: PathBuf,
        #[source]
        cause: Cause,
    },

    /// The file system is read-only.
    #[error(
        "could not {attempted} {}: the file system is read-only. Mount it writable, or choose a data folder \
         on a writable disk.", .path.display()
    )]
    ReadOnly {
        attempted: String,
        path: PathBuf,
        #[source]
        cause: Cause,
    },

    /// No permission.
    #[error(
        "could not {attempted} {}: permission denied for user {user}. Give the folder to that user \
         (`chown -R {user} <folder>`), or choose a data folder that user may write.", .path.display()
    )]
    NoPermission {
        attempted: String,
        path: PathBuf,
        user: String,
        #[source]
        cause: Cause,
    },

    /// Any other failure of a file operation.
    #[error(
        "could not {attempted} {}: {cause}. Check that the path is what you meant and that its disk is \
         healthy, then start again.", .path.display()
    )]
    File {
        attempted: String,
        path: PathBuf,
        #[source]
        cause: std::io::Error,
    },

    /// A PostgreSQL program failed for a reason without a better explanation.
    #[error(
        "could not {attempted} {}: {cause}. If the text above does not name the fix, run the same program \
         by hand as the same user.", .path.display()
    )]
    ProgramFailed {
        attempted: String,
        path: PathBuf,
        #[source]
        cause: Box<ProgramFailure>,
    },

    /// The server did not come up.
    #[error(
        "the PostgreSQL server of {} did not start. Its last log lines:\n{log_tail}\nFix what they name and \
         start again; the whole log is {}.", .cluster.display(), .log_file.display()
    )]
    ServerDidNotStart {
        cluster: PathBuf,
        log_file: PathBuf,
        log_tail: String,
        #[source]
        cause: Box<ProgramFailure>,
    },

    /// Server processes that lost their postmaster still use the folder.
    #[error(
        "the PostgreSQL server of {} cannot start: processes of its previous run are still busy{processes}. \
         They end by themselves when their current statement is done; wait a moment and start again, or end \
         them with a plain `kill`.", .cluster.display()
    )]
    OrphansStillRunning {
        cluster: PathBuf,
        processes: String,
        #[source]
        cause: Box<ProgramFailure>,
    },

    /// A live process stands where this folder's server should be, and it is not that server.
    #[error(
        "{} names process {pid} as its server, but {finding}. It was left alone. If that process is a server \
         of this folder (moved or copied while it ran), stop it with `kill -INT {pid}`; if it has nothing to \
         do with this folder, delete {}/postmaster.pid; then start again.",
        .cluster.display(), .cluster.display()
    )]
    ForeignServer {
        cluster: PathBuf,
        pid: u32,
        finding: String,
    },

    /// No PostgreSQL on this machine.
    #[error(
        "PostgreSQL 15 or newer was not found (looked at: {looked_at}){too_old}. Install it \
         (Debian/Ubuntu: `apt-get install postgresql`; Fedora: `dnf install postgresql-server`; macOS: `brew \
         install postgresql@17`), or set WORKMILL_PG_BIN to the folder with initdb, pg_ctl, postgres and \
         psql, or set DATABASE_URL to use a server of your own."
    )]
    NoPostgres { looked_at: String, too_old: String },

    /// `WORKMILL_PG_BIN` names a folder that cannot be used.
    #[error(
        "WORKMILL_PG_BIN is {}, but {problem}. Point it to a folder with initdb, pg_ctl, postgres and psql of \
         PostgreSQL 15 or newer, or unset it to let Workmill search.", .folder.display()
    )]
    ExplicitBinFolder { folder: PathBuf, problem: String },

    /// The cluster was made by a major version that is not here.
    #[error(
        "the data in {} was made by PostgreSQL {data_major}, but found only {found}. Install PostgreSQL \
         {data_major} (Debian/Ubuntu: `apt-get install postgresql-{data_major}`; macOS: `brew install \
         postgresql@{data_major}`), or move the data to the newer version with pg_upgrade. The data was not \
         touched.", .cluster.display()
    )]
    OtherMajorVersion {
        cluster: PathBuf,
        data_major: String,
        found: String,
    },

    /// The cluster folder exists but is not a cluster.
    #[error(
        "{} exists but is no PostgreSQL cluster (it has no readable PG_VERSION). It was left alone. Move it \
         away if it is not needed, or restore it from a backup, then start again.", .cluster.display()
    )]
    NotACluster { cluster: PathBuf },

    /// The cluster was made by another user of the machine.
    #[error(
        "the data in {} belongs to {owner}, but here PostgreSQL would run as {user}. Run Workmill as the user \
         who made the data, or give the data to {user} for good (`chown -R {user} {}`). The data was not \
         touched.", .cluster.display(), .cluster.parent().unwrap_or(.cluster).display()
    )]
    OtherUsersCluster {
        cluster: PathBuf,
        owner: String,
        user: String,
    },

    /// The unprivileged user cannot reach the data folder.
    #[error(
        "user {user}, who must run PostgreSQL because root may not, cannot enter {}. Let others pass through \
         it (`chmod o+x {}`), or choose a data folder below one that is open to all, such as \
         /var/lib/workmill.", .folder.display(), .folder.display()
    )]
    FolderUnreachable { user: String, folder: PathBuf },

    /// No user to run PostgreSQL as.
    #[error(
        "PostgreSQL cannot be run by {who}: {problem}. Run Workmill as an ordinary user with an entry in \
         /etc/passwd, or as root on a machine with a user `postgres` or `nobody`."
    )]
    NoServerUser { who: String, problem: String },

    /// The server listens on loopback, but its password is lost.
    #[error(
        "the file {} with the password of the private server is missing or unreadable, and no folder for a \
         Unix socket works. Restore the file from a backup, or make a short writable folder available (such \
         as /tmp), then start again.", .file.display()
    )]
    PasswordLost { file: PathBuf },

    /// Not found, and the download did not work either.
    #[error(
        "{not_found} Downloading PostgreSQL {version} into {} was tried and failed: {cause}. To let Workmill \
         download it, make github.com reachable and that folder writable, and start again.", .cache.display()
    )]
    Download {
        not_found: Box<LocalPostgresError>,
        version: String,
        cache: PathBuf,
        #[source]
        cause: Cause,
    },
}

impl LocalPostgresError {
    /// A failed file operation, in the words of the person who has to fix it.
    pub(crate) fn file(
        attempted: impl Into<String>,
        path: &Path,
        cause: std::io::Error,
    ) -> LocalPostgresError {
        let (attempted, path) = (attempted.into(), path.to_path_buf());
        match reason_of_io_error(&cause) {
            Reason::Other => LocalPostgresError::File {
                attempted,
                path,
                cause,
            },
            reason => explained(reason, attempted, path, Box::new(cause)),
        }
    }

    /// A failed program, in the same words as a failed file operation where its output tells.
    pub(crate) fn program(
        attempted: impl Into<String>,
        path: &Path,
        cause: ProgramFailure,
    ) -> LocalPostgresError {
        let (attempted, path) = (attempted.into(), path.to_path_buf());
        match reason_of_text(&cause.output) {
            Reason::Other => LocalPostgresError::ProgramFailed {
                attempted,
                path,
                cause: Box::new(cause),
            },
            reason => explained(reason, attempted, path, Box::new(cause)),
        }
    }
}

fn explained(reason: Reason, attempted: String, path: PathBuf, cause: Cause) -> LocalPostgresError {
    match reason {
        Reason::DiskFull => LocalPostgresError::DiskFull {
            attempted,
            path,
            cause,
        },
        Reason::ReadOnly => LocalPostgresError::ReadOnly {
            attempted,
            path,
            cause,
        },
        Reason::NoPermission | Reason::Other => LocalPostgresError::NoPermission {
            attempted,
            path,
            user: crate::server_user::name_for_messages(),
            cause,
        },
    }
}
