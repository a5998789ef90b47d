//! Arguments of the commands that work on the database itself.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

/// Where the private database lies.
#[derive(Debug, Args)]
pub(crate) struct DataArguments {
    #[arg(
        long,
        value_name = "DIR",
        help = "The data folder of the private database [env: WORKMILL_DATA]"
    )]
    pub(crate) data: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct PsqlArguments {
    #[command(flatten)]
    pub(crate) data: DataArguments,
    /// Arguments for psql, like `-c 'select 1'`
    #[arg(last = true, value_name = "ARGUMENT")]
    pub(crate) arguments: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct BackupArguments {
    /// The file to write
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) data: DataArguments,
    /// Replace the file if it exists
    #[arg(long)]
    pub(crate) overwrite: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RestoreArguments {
    /// A file that `workmill backup` has written
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) data: DataArguments,
    /// Restore into a temporary database, describe its content, and change nothing
    #[arg(long, conflicts_with = "overwrite")]
    pub(crate) dry_run: bool,
    /// Replace the content of the private database
    #[arg(long)]
    pub(crate) overwrite: bool,
}
