//! Queueing of connections while all places are taken. Health checks are answered at once; all other requests wait for
//! a place.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Paths that are answered without a place: supervisors request them, and restart a service that does not answer.
const WITHOUT_PLACE: [&str; 2] = ["/healthz", "/readyz"];
/// Timeout of the request head of a connection without a place.
const HEAD: Duration = Duration::from_secs(1);

/// The turn of one connection: its place, which it keeps until it ends, or its wait for one.
#[derive(Debug)]
pub(crate) struct ConnectionSlot {
    places: Arc<Semaphore>,
    had: Mutex<Option<OwnedSemaphorePermit>>,
}

impl ConnectionSlot {
    /// Creates the turn of a new connection, which has a place if one is free.
    pub(crate) fn new(places: &Arc<Semaphore>) -> Self {
        let had = Arc::clone(places).try_acquire_owned().ok();
        Self { places: Arc::clone(places), had: Mutex::new(had) }
    }

    /// The timeout of its requests' heads: `most` with a place, at most [`HEAD`] without.
    pub(crate) fn head(&self, most: Duration) -> Duration {
        if self.is_had() { most } else { most.min(HEAD) }
    }

    fn is_had(&self) -> bool {
        self.had.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Waits at most `patience` for a place if a request for this path needs one; returns whether it may be answered.
    pub(crate) async fn comes(&self, path: &str, patience: Duration) -> bool {
        if WITHOUT_PLACE.contains(&path) || self.is_had() {
            return true;
        }
        let place = tokio::time::timeout(patience, Arc::clone(&self.places).acquire_owned()).await;
        let Ok(Ok(place)) = place else { return false };
        *self.had.lock().unwrap_or_else(PoisonError::into_inner) = Some(place);
        true
    }
}
