//! The state shared by all handlers.

use crate::active_access::ActiveAccess;
use crate::guard::attempts::Attempts;
use crate::guard::csrf_token::CsrfTokens;
use crate::guard::sessions::Sessions;
use crate::limits::ServerLimits;
use mapwright_service::{JobControl, JobsFile};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, PoisonError, RwLock};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// Maximum number of simultaneous password checks: each takes a core and 19 MiB for a while.
const HASHINGS: usize = 2;

/// The state shared by all handlers.
pub(crate) struct AppState {
    pub(crate) service: Arc<dyn JobControl>,
    /// The file whose jobs can be edited, if the service has one.
    pub(crate) jobs_file: Option<Arc<JobsFile>>,
    /// Replaced, never changed: a request keeps the configuration that it started with.
    access: RwLock<Arc<ActiveAccess>>,
    pub(crate) csrf_tokens: CsrfTokens,
    pub(crate) sessions: Sessions,
    pub(crate) attempts: Attempts,
    pub(crate) limits: ServerLimits,
    pub(crate) hash_permits: Arc<Semaphore>,
    pub(crate) read_permits: Arc<Semaphore>,
    pub(crate) stream_permits: Arc<Semaphore>,
    /// The number of open connections, for the metrics.
    pub(crate) connections: AtomicUsize,
    /// Cancelled when the dashboard shuts down.
    pub(crate) stop: CancellationToken,
}

/// The shared state in the form that handlers receive.
pub(crate) type Shared = Arc<AppState>;

impl AppState {
    pub(crate) fn new(
        active: ActiveAccess,
        csrf_tokens: CsrfTokens,
        service: Arc<dyn JobControl>,
        jobs_file: Option<Arc<JobsFile>>,
        limits: ServerLimits,
    ) -> Self {
        Self {
            service,
            jobs_file,
            access: RwLock::new(Arc::new(active)),
            csrf_tokens,
            sessions: Sessions::default(),
            attempts: Attempts::default(),
            limits,
            hash_permits: Arc::new(Semaphore::new(HASHINGS)),
            read_permits: Arc::new(Semaphore::new(limits.readings)),
            stream_permits: Arc::new(Semaphore::new(limits.streams)),
            connections: AtomicUsize::new(0),
            stop: CancellationToken::new(),
        }
    }

    /// The name of the jobs file; empty where there is none.
    pub(crate) fn jobs_file_name(&self) -> String {
        self.jobs_file.as_ref().map(|file| file.name().to_owned()).unwrap_or_default()
    }

    /// The access configuration in force.
    pub(crate) fn access(&self) -> Arc<ActiveAccess> {
        Arc::clone(&self.access.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the access configuration, and ends the sessions that it does not admit.
    pub(crate) fn replace_access(&self, mut active: ActiveAccess) {
        let mut access = self.access.write().unwrap_or_else(PoisonError::into_inner);
        active.take_over_streams(&access);
        let active = Arc::new(active);
        self.sessions.keep(|credential| active.access.admits(credential).is_some());
        *access = active;
    }
}
