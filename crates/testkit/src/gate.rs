//! A gate that delays responses until the test opens it.

use tokio::sync::watch;

/// Delays responses until it is opened, which brings a crawl to a known point without waiting by the clock.
///
/// Clones share one gate.
#[derive(Debug, Clone)]
pub struct ResponseGate {
    open: watch::Sender<bool>,
}

impl ResponseGate {
    /// A closed gate.
    #[must_use]
    pub fn closed() -> ResponseGate {
        ResponseGate { open: watch::Sender::new(false) }
    }

    /// Releases all waiting and later responses.
    pub fn open(&self) {
        self.open.send_replace(true);
    }

    /// Closes the gate again for later responses.
    pub fn close(&self) {
        self.open.send_replace(false);
    }

    pub(crate) async fn passed(&self) {
        // The sender lives in `self`, so the channel cannot close while this waits.
        let _ = self.open.subscribe().wait_for(|open| *open).await;
    }
}
