//! The processes of a command: its own, and those that it has started and left in its group.

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// Killed when dropped, unless it has ended by itself.
#[derive(Debug)]
pub(crate) struct ProcessGroup {
    leader: Option<Pid>,
}

impl ProcessGroup {
    pub(crate) fn led_by(process: Option<u32>) -> Self {
        let leader = process.and_then(|id| i32::try_from(id).ok());
        ProcessGroup {
            leader: leader.map(Pid::from_raw),
        }
    }

    /// Asks all of them to end.
    pub(crate) fn terminate(&self) {
        self.signal(Signal::SIGTERM);
    }

    /// Kills whoever is left.
    pub(crate) fn kill(&self) {
        self.signal(Signal::SIGKILL);
    }

    /// Whether anybody is left in it.
    pub(crate) fn is_there(&self) -> bool {
        let leader = self.leader;
        leader.is_some_and(|leader| killpg(leader, None).is_ok())
    }

    pub(crate) fn has_ended(mut self) {
        self.leader = None;
    }

    fn signal(&self, signal: Signal) {
        if let Some(leader) = self.leader {
            // An error means that nobody is left in it.
            let _ = killpg(leader, signal);
        }
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.kill();
    }
}
