//! Ctrl-C and SIGTERM: the first signal drains, the second stops at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// A signal that ends the process.
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

/// The signal received so far.
#[derive(Debug, Clone)]
pub(crate) struct Received(Arc<AtomicU8>);

impl Received {
    /// The first signal that was received.
    pub(crate) fn received(&self) -> Option<Signal> {
        match self.0.load(Ordering::SeqCst) {
            1 => Some(Signal::Interrupt),
            2 => Some(Signal::Terminate),
            _ => None,
        }
    }
}

/// Cancels `stop` at the first signal; ends the process at the second. Listens from the moment of the call, which must
/// be inside a runtime.
pub(crate) fn watch(stop: CancellationToken) -> Received {
    let received = Received(Arc::new(AtomicU8::new(0)));
    let note = Arc::clone(&received.0);
    let mut signals = Signals::listen();
    tokio::spawn(async move {
        let first = signals.next().await;
        note.store(if first == Signal::Interrupt { 1 } else { 2 }, Ordering::SeqCst);
        crate::stderr::print_stderr("stopping: requests in flight may end within 5 s (once more to stop at once)");
        stop.cancel();
        std::process::exit(signals.next().await.exit_code());
    });
    received
}

/// Cancels `stop` at the first signal, after which the service has `drain` to save its state; ends the process at the
/// second. Listens from the moment of the call, which must be inside a runtime.
pub(crate) fn serve(stop: CancellationToken, drain: Duration) {
    let mut signals = Signals::listen();
    tokio::spawn(async move {
        signals.next().await;
        let seconds = drain.as_secs();
        tracing::info!("stopping: running jobs may save for up to {seconds} s (once more to stop at once)");
        stop.cancel();
        std::process::exit(signals.next().await.exit_code());
    });
}

/// Requests to reload the configuration: SIGHUP.
#[cfg(unix)]
pub(crate) struct Reloads(Option<tokio::signal::unix::Signal>);

#[cfg(unix)]
impl Reloads {
    /// Listens from now on.
    pub(crate) fn listen() -> Self {
        Self(tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup()).ok())
    }

    /// Waits for the next request.
    pub(crate) async fn next(&mut self) {
        come(&mut self.0).await;
    }
}

/// Without SIGHUP there are no reloads.
#[cfg(not(unix))]
pub(crate) struct Reloads;

#[cfg(not(unix))]
impl Reloads {
    pub(crate) fn listen() -> Self {
        Self
    }

    pub(crate) async fn next(&mut self) {
        std::future::pending().await
    }
}

/// The listeners for both signals. One that cannot be installed never fires.
#[cfg(unix)]
struct Signals {
    interrupt: Option<tokio::signal::unix::Signal>,
    terminate: Option<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
impl Signals {
    fn listen() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        // Once SIGXFSZ does not end the process, a file that reached its size limit (`ulimit -f`) is reported by a
        // write error.
        drop(signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw())));
        Self { interrupt: signal(SignalKind::interrupt()).ok(), terminate: signal(SignalKind::terminate()).ok() }
    }

    async fn next(&mut self) -> Signal {
        tokio::select! {
            () = come(&mut self.interrupt) => Signal::Interrupt,
            () = come(&mut self.terminate) => Signal::Terminate,
        }
    }
}

#[cfg(unix)]
async fn come(signal: &mut Option<tokio::signal::unix::Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
}

/// Ctrl-C only, where there is no SIGTERM.
#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn listen() -> Self {
        Self
    }

    async fn next(&mut self) -> Signal {
        match tokio::signal::ctrl_c().await {
            Ok(()) => Signal::Interrupt,
            Err(_) => std::future::pending().await,
        }
    }
}
