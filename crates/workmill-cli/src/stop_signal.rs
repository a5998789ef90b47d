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

fn listen_for(kind: SignalKind) -> Result<Signal> {
    signal(kind).context("cannot listen for signals")
}
