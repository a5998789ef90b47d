//! Ctrl-C and SIGTERM: asked once, the program stops in order; a Ctrl-C after that ends it at once.

use anyhow::{Context, Result};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::exit::Exit;

/// Cancelled by the first of the signals.
pub(crate) fn listen() -> Result<CancellationToken> {
    let mut interrupts = listen_for(SignalKind::interrupt())?;
    let mut terminations = listen_for(SignalKind::terminate())?;
    let stop = CancellationToken::new();
    let asked = stop.clone();
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupts.recv() => tracing::info!("stopping; Ctrl-C again stops at once"),
            _ = terminations.recv() => tracing::info!("stopping"),
        }
        asked.cancel();
        interrupts.recv().await;
        std::process::exit(i32::from(Exit::Interrupted as u8));
    });
    Ok(stop)
}

/// For commands that have nothing to put in order.
pub(crate) fn exit_when_interrupted() -> Result<()> {
    let mut interrupts = listen_for(SignalKind::interrupt())?;
    tokio::spawn(async move {
        interrupts.recv().await;
        std::process::exit(i32::from(Exit::Interrupted as u8));
    });
    Ok(())
}

pub(crate) fn listen_for(kind: SignalKind) -> Result<Signal> {
    signal(kind).context("cannot listen for signals")
}

/// Whether whoever started this program lets it ignore the signal, as `nohup` does; to listen for it
/// would end that. Only Linux tells without unsafe code.
pub(crate) fn is_ignored(kind: SignalKind) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    is_in_mask(&status, kind.as_raw_value())
}

fn is_in_mask(status: &str, signal: i32) -> bool {
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ignored_signal_is_known_by_its_place_in_the_mask() {
        let status = "Name:\tworkmill\nSigBlk:\tffffffffffffffff\nSigIgn:\t0000000000001001\n";
        assert!(is_in_mask(status, 1) && is_in_mask(status, 13));
        assert!(!is_in_mask(status, 2) && !is_in_mask(status, 64));
        assert!(!is_in_mask("", 1));
    }
}
