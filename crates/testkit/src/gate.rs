//! A gate that holds answers back until the test opens it.

use tokio::sync::watch;

/// Holds answers back until it is opened: the way to bring a crawl to a known point without any waiting by the clock.
///
/// Clones are the same gate.
#[derive(Debug, Clone)]
pub struct Gate {
    open: watch::Sender<bool>,
}

impl Gate {
    /// A closed gate.
    #[must_use]
    pub fn closed() -> Gate {
        Gate { open: watch::Sender::new(false) }
    }

    /// Lets everything through that waits, and all that comes later.
    pub fn open(&self) {
        self.open.send_replace(true);
    }

    /// Closes the gate again for what comes later.
    pub fn close(&self) {
        self.open.send_replace(false);
    }

    pub(crate) async fn passed(&self) {
        // The sender lives in `self`, so the channel cannot close while this waits.
        let _ = self.open.subscribe().wait_for(|open| *open).await;
    }
}
