//! Where `--namespace` has an effect.

use anyhow::Result;

use crate::arguments::{Command, KeyCommand};
use crate::exit::Exit;

/// Refuses the option where it would be ignored.
pub(super) fn check_takes_namespace(command: &Command) -> Result<()> {
    let name = match command {
        Command::Up(_) => "up",
        Command::Serve(_) => "serve",
        Command::Migrate => "migrate",
        Command::Doctor => "doctor",
        Command::Psql(_) => "psql",
        Command::Backup(_) => "backup",
        Command::Restore(_) => "restore",
        Command::Namespace(_) => "namespace",
        Command::Key(KeyCommand::List) => "key list",
        Command::Key(KeyCommand::Rotate { .. }) => "key rotate",
        Command::Key(KeyCommand::Revoke { .. }) => "key revoke",
        Command::Setup(_) => "setup",
        Command::Completions(_) => "completions",
        Command::Key(KeyCommand::Create { .. })
        | Command::Submit(_)
        | Command::Status(_)
        | Command::Top
        | Command::List(_)
        | Command::Show(_)
        | Command::Explain(_)
        | Command::Cancel(_)
        | Command::Adopt(_)
        | Command::Answer(_)
        | Command::Output { .. }
        | Command::Questions(_)
        | Command::Edit(_)
        | Command::Bulk(_)
        | Command::Graph(_)
        | Command::Agent(_)
        | Command::DeadLetter(_)
        | Command::Limits(_)
        | Command::Budget(_)
        | Command::Pause(_)
        | Command::Resume(_)
        | Command::Project(_)
        | Command::Audit(_)
        | Command::Retention(_)
        | Command::Events(_)
        | Command::Claim(_)
        | Command::Start(_)
        | Command::Heartbeat(_)
        | Command::Done(_)
        | Command::Fail(_)
        | Command::Release(_)
        | Command::Block(_)
        | Command::Spawn(_)
        | Command::Prime(_)
        | Command::Task(_) => return Ok(()),
    };
    let problem = format!("--namespace has no effect on `workmill {name}`: leave it out");
    Err(Exit::Usage.because(problem))
}
