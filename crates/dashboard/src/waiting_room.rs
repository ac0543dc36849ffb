//! Where connections wait that come while all places are taken. Whoever asks there whether the service lives is answered
//! at once; all others wait for a place.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// What is answered without a place: supervisors ask for it, and take silence for the service's end.
const WITHOUT_PLACE: [&str; 2] = ["/healthz", "/readyz"];
/// How long one who waits may take to say what it asks for.
const HEAD: Duration = Duration::from_secs(1);

/// The way of one connection to a place, which it keeps until it ends.
#[derive(Debug)]
pub(crate) struct Turn {
    places: Arc<Semaphore>,
    had: Mutex<Option<OwnedSemaphorePermit>>,
}

impl Turn {
    /// The turn of a connection that has just come: it has a place if one is free.
    pub(crate) fn new(places: &Arc<Semaphore>) -> Self {
        let had = Arc::clone(places).try_acquire_owned().ok();
        Self { places: Arc::clone(places), had: Mutex::new(had) }
    }

    /// How long its requests' heads may take, of those that may take so long where there is a place.
    pub(crate) fn head(&self, most: Duration) -> Duration {
        if self.is_had() { most } else { most.min(HEAD) }
    }

    fn is_had(&self) -> bool {
        self.had.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Whether a request for this path may be answered, once there is a place for it if it needs one; waits so long at most.
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
