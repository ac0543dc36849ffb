//! What all answers are made from.

use crate::door::Door;
use crate::guard::attempts::Attempts;
use crate::guard::names::Names;
use crate::guard::sessions::Sessions;
use crate::limits::Limits;
use mapwright_jobs::service::Service;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// Passwords that are checked at once: each takes a core and 19 MiB for a while.
const HASHINGS: usize = 2;

/// What all answers are made from.
pub(crate) struct Desk {
    pub(crate) service: Arc<dyn Service>,
    pub(crate) door: Door,
    pub(crate) names: Names,
    pub(crate) sessions: Sessions,
    pub(crate) attempts: Attempts,
    pub(crate) limits: Limits,
    pub(crate) hashings: Semaphore,
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
    pub(crate) fn new(door: Door, names: Names, service: Arc<dyn Service>, limits: Limits) -> Self {
        Self {
            service,
            door,
            names,
            sessions: Sessions::default(),
            attempts: Attempts::default(),
            limits,
            hashings: Semaphore::new(HASHINGS),
            readings: Arc::new(Semaphore::new(limits.readings)),
            streams: Arc::new(Semaphore::new(limits.streams)),
            connections: AtomicUsize::new(0),
            stop: CancellationToken::new(),
        }
    }
}
