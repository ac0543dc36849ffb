//! The dashboard as a server.

use crate::access::AccessConfig;
use crate::access_error::AccessError;
use crate::active_access::ActiveAccess;
use crate::app_state::{AppState, Shared};
use crate::connection;
use crate::connection_slots::ConnectionSlot;
use crate::guard::csrf_token::CsrfTokens;
use crate::limits::ServerLimits;
use crate::reload_handle::ReloadHandle;
use crate::routes;
use axum::Router;
use mapwright_service::{JobControl, JobsFile};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Pause after a failure to accept a connection, for example because no file descriptor is left.
const PAUSE: Duration = Duration::from_millis(100);

/// A dashboard that is bound to its address, and answers once it runs.
pub struct Server {
    listener: TcpListener,
    requested: SocketAddr,
    address: SocketAddr,
    state: Shared,
}

impl Server {
    /// Checks the access configuration and binds its address. Operators edit the jobs of `jobs_file`.
    ///
    /// # Errors
    /// When the access configuration is not safe, its certificate cannot be read, or its address cannot be bound.
    pub async fn bind(
        access: AccessConfig,
        service: Arc<dyn JobControl>,
        jobs_file: Option<Arc<JobsFile>>,
    ) -> Result<Self, AccessError> {
        Self::bind_within(access, service, jobs_file, ServerLimits::default()).await
    }

    /// Does the same with other limits.
    ///
    /// # Errors
    /// As [`Server::bind`].
    pub async fn bind_within(
        access: AccessConfig,
        service: Arc<dyn JobControl>,
        jobs_file: Option<Arc<JobsFile>>,
        limits: ServerLimits,
    ) -> Result<Self, AccessError> {
        access.check()?;
        let requested = access.listen;
        let unlistened = |error: std::io::Error| {
            let what = format!("cannot listen ({error})");
            AccessError::of("listen", what, "choose another address or port").at(requested)
        };
        let listener = TcpListener::bind(requested).await.map_err(&unlistened)?;
        let address = listener.local_addr().map_err(&unlistened)?;
        let active = ActiveAccess::at(address, access)?;
        let unsafe_forms = || AccessError::new("the dashboard", "the system gives no random bytes", "try again");
        let csrf_tokens = CsrfTokens::new().ok_or_else(unsafe_forms)?;
        let state = AppState::new(active, csrf_tokens, service, jobs_file, limits);
        Ok(Self { listener, requested, address, state: Arc::new(state) })
    }

    /// The address that was bound.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL to open in a browser.
    #[must_use]
    pub fn url(&self) -> String {
        let active = self.state.access();
        let scheme = if active.tls.is_some() { "https" } else { "http" };
        let own = || format!("{scheme}://{}/", self.address);
        let public = active.access.behind_proxy.as_ref();
        public.map_or_else(own, |origin| format!("{}/", origin.trim_end_matches('/')))
    }

    /// The handle that replaces the access configuration while the dashboard runs.
    #[must_use]
    pub fn reload_handle(&self) -> ReloadHandle {
        ReloadHandle { state: Arc::clone(&self.state), requested: self.requested, address: self.address }
    }

    /// Serves until `stop` is cancelled and the open responses have ended or timed out.
    pub async fn run(self, stop: CancellationToken) {
        let Self { listener, state, .. } = self;
        let routes = routes::routes(&state);
        let places = Arc::new(Semaphore::new(state.limits.connections));
        // The same number of connections may wait for a slot.
        let room = Arc::new(Semaphore::new(state.limits.connections.saturating_mul(2)));
        let tasks = TaskTracker::new();
        loop {
            let arrived = tokio::select! {
                () = stop.cancelled() => break,
                arrived = next(&listener, &room) => arrived,
            };
            if let Some(arrived) = arrived {
                tasks.spawn(serve_one(arrived, ConnectionSlot::new(&places), routes.clone(), Arc::clone(&state)));
            }
        }
        state.stop.cancel();
        tasks.close();
        drop(tokio::time::timeout(state.limits.ending + PAUSE, tasks.wait()).await);
    }
}

struct Arrived {
    stream: TcpStream,
    peer: SocketAddr,
    /// Released when the connection ends.
    _room: OwnedSemaphorePermit,
}

/// Accepts the next connection once there is room for it; until then it waits in the system's queue.
async fn next(listener: &TcpListener, room: &Arc<Semaphore>) -> Option<Arrived> {
    let room = Arc::clone(room).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, peer)) => Some(Arrived { stream, peer, _room: room }),
        Err(error) => {
            tracing::warn!(%error, "the dashboard could not accept a connection");
            tokio::time::sleep(PAUSE).await;
            None
        }
    }
}

async fn serve_one(arrived: Arrived, turn: ConnectionSlot, routes: Router, state: Shared) {
    state.connections.fetch_add(1, Ordering::Relaxed);
    let Arrived { stream, peer, _room } = arrived;
    // Without `TCP_NODELAY`, each small response would wait for an acknowledgement.
    drop(stream.set_nodelay(true));
    match state.access().tls.clone() {
        None => connection::serve(stream, peer, turn, routes, &state).await,
        Some(tls) => {
            if let Ok(Ok(stream)) = tokio::time::timeout(turn.head(state.limits.head), tls.accept(stream)).await {
                connection::serve(stream, peer, turn, routes, &state).await;
            }
        }
    }
    state.connections.fetch_sub(1, Ordering::Relaxed);
}
