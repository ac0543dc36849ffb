//! What all answers are made from.

use crate::guard::attempts::Attempts;
use crate::guard::forms::Forms;
use crate::guard::sessions::Sessions;
use crate::limits::Limits;
use crate::opened::Opened;
use mapwright_jobs::service::Service;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, PoisonError, RwLock};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// Passwords that are checked at once: each takes a core and 19 MiB for a while.
const HASHINGS: usize = 2;

/// What all answers are made from.
pub(crate) struct Desk {
    pub(crate) service: Arc<dyn Service>,
    /// Replaced, never changed: who has looked it up goes on with the one that it was.
    door: RwLock<Arc<Opened>>,
    pub(crate) forms: Forms,
    pub(crate) sessions: Sessions,
    pub(crate) attempts: Attempts,
    pub(crate) limits: Limits,
    pub(crate) hashings: Arc<Semaphore>,
    pub(crate) readings: Arc<Semaphore>,
    pub(crate) streams: Arc<Semaphore>,
    /// Connections that are open, for the metrics.
    pub(crate) connections: AtomicUsize,
    /// Cancelled when the dashboard is to end.
    pub(crate) stop: CancellationToken,
}

/// The desk, as handlers are given it.
pub(crate) type Shared = Arc<Desk>;

impl Desk {
    pub(crate) fn new(opened: Opened, forms: Forms, service: Arc<dyn Service>, limits: Limits) -> Self {
        Self {
            service,
            door: RwLock::new(Arc::new(opened)),
            forms,
            sessions: Sessions::default(),
            attempts: Attempts::default(),
            limits,
            hashings: Arc::new(Semaphore::new(HASHINGS)),
            readings: Arc::new(Semaphore::new(limits.readings)),
            streams: Arc::new(Semaphore::new(limits.streams)),
            connections: AtomicUsize::new(0),
            stop: CancellationToken::new(),
        }
    }

    /// The door as it is now.
    pub(crate) fn door(&self) -> Arc<Opened> {
        Arc::clone(&self.door.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes another door, and ends the sessions of those that it does not let in.
    pub(crate) fn take(&self, mut opened: Opened) {
        let mut door = self.door.write().unwrap_or_else(PoisonError::into_inner);
        opened.succeed(&door);
        let opened = Arc::new(opened);
        self.sessions.keep(|pass| opened.door.admits(pass).is_some());
        *door = opened;
    }
}
