//! Ctrl-C and SIGTERM: the first drains, the second stops at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use tokio_util::sync::CancellationToken;

/// A signal that asks the process to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// SIGTERM.
    Terminate,
}

impl Signal {
    fn exit_code(self) -> i32 {
        match self {
            Self::Interrupt => 130,
            Self::Terminate => 143,
        }
    }
}

/// What has come in so far.
#[derive(Debug, Clone)]
pub(crate) struct Received(Arc<AtomicU8>);

impl Received {
    /// The first signal that came in.
    pub(crate) fn received(&self) -> Option<Signal> {
        match self.0.load(Ordering::SeqCst) {
            1 => Some(Signal::Interrupt),
            2 => Some(Signal::Terminate),
            _ => None,
        }
    }
}

/// Cancels `stop` at the first signal; ends the process at the second. To be called inside a runtime.
pub(crate) fn watch(stop: CancellationToken) -> Received {
    let received = Received(Arc::new(AtomicU8::new(0)));
    let note = Arc::clone(&received.0);
    tokio::spawn(async move {
        let first = next().await;
        note.store(if first == Signal::Interrupt { 1 } else { 2 }, Ordering::SeqCst);
        crate::failure::say("stopping: requests in flight may end within 5 s (once more to stop at once)");
        stop.cancel();
        std::process::exit(next().await.exit_code());
    });
    received
}

/// The next signal. On systems that have no SIGTERM, Ctrl-C alone.
async fn next() -> Signal {
    #[cfg(unix)]
    if let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        tokio::select! {
            result = tokio::signal::ctrl_c() => return interrupted(result).await,
            _ = terminate.recv() => return Signal::Terminate,
        }
    }
    interrupted(tokio::signal::ctrl_c().await).await
}

/// A handler that cannot be installed never fires.
async fn interrupted(result: std::io::Result<()>) -> Signal {
    match result {
        Ok(()) => Signal::Interrupt,
        Err(_) => std::future::pending().await,
    }
}
