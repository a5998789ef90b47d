//! Arguments of the commands that make an agent or a shell feel at home here.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use clap_complete::Shell;

#[derive(Debug, Args)]
pub(crate) struct SetupArguments {
    /// The coding agent
    #[arg(value_enum)]
    pub(crate) tool: Tool,
    /// The project's folder
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub(crate) folder: PathBuf,
    /// Print the files without writing them
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tool {
    /// A skill in .claude/skills/workmill
    Claude,
    /// A block in AGENTS.md
    Codex,
}

#[derive(Debug, Args)]
pub(crate) struct PrimeArguments {
    #[arg(
        long,
        value_name = "NAME",
        help = "The agent's name [env: WORKMILL_AGENT]"
    )]
    pub(crate) agent: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}
