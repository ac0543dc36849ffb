//! The dashboard as a server.

use crate::connection;
use crate::desk::{Desk, Shared};
use crate::door::{Door, DoorError};
use crate::guard::forms::Forms;
use crate::keeper::Keeper;
use crate::limits::Limits;
use crate::opened::Opened;
use crate::routes;
use crate::waiting_room::Turn;
use axum::Router;
use mapwright_jobs::service::Service;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Pause after a connection that could not be accepted, as where no file descriptor is left.
const PAUSE: Duration = Duration::from_millis(100);

/// A dashboard whose address is taken, and which answers once it runs.
pub struct Board {
    listener: TcpListener,
    asked: SocketAddr,
    address: SocketAddr,
    desk: Shared,
}

impl Board {
    /// Checks the door and takes its address.
    ///
    /// # Errors
    /// When the door is not safe, its certificate cannot be read, or its address cannot be had.
    pub async fn bind(door: Door, service: Arc<dyn Service>) -> Result<Self, DoorError> {
        Self::bind_within(door, service, Limits::default()).await
    }

    /// The same, with other bounds.
    ///
    /// # Errors
    /// As [`Board::bind`].
    pub async fn bind_within(door: Door, service: Arc<dyn Service>, limits: Limits) -> Result<Self, DoorError> {
        door.check()?;
        let asked = door.listen;
        let unlistened = |error: std::io::Error| {
            let what = format!("cannot listen ({error})");
            DoorError::of("listen", what, "choose another address or port").at(asked)
        };
        let listener = TcpListener::bind(asked).await.map_err(&unlistened)?;
        let address = listener.local_addr().map_err(&unlistened)?;
        let opened = Opened::at(address, door)?;
        let unsafe_forms = || DoorError::new("the dashboard", "the system gives no random bytes", "try again");
        let forms = Forms::new().ok_or_else(unsafe_forms)?;
        Ok(Self { listener, asked, address, desk: Arc::new(Desk::new(opened, forms, service, limits)) })
    }

    /// The address that was taken.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where to point a browser.
    #[must_use]
    pub fn url(&self) -> String {
        let opened = self.desk.door();
        let scheme = if opened.tls.is_some() { "https" } else { "http" };
        let own = || format!("{scheme}://{}/", self.address);
        let public = opened.door.behind_proxy.as_ref();
        public.map_or_else(own, |origin| format!("{}/", origin.trim_end_matches('/')))
    }

    /// What can give it another door while it runs.
    #[must_use]
    pub fn keeper(&self) -> Keeper {
        Keeper { desk: Arc::clone(&self.desk), asked: self.asked, address: self.address }
    }

    /// Answers until `stop` is cancelled and the answers that are under way have ended, or had their time.
    pub async fn run(self, stop: CancellationToken) {
        let Self { listener, desk, .. } = self;
        let routes = routes::routes(&desk);
        let places = Arc::new(Semaphore::new(desk.limits.connections));
        // As many again may wait for one.
        let room = Arc::new(Semaphore::new(desk.limits.connections.saturating_mul(2)));
        let tasks = TaskTracker::new();
        loop {
            let arrived = tokio::select! {
                () = stop.cancelled() => break,
                arrived = next(&listener, &room) => arrived,
            };
            if let Some(arrived) = arrived {
                tasks.spawn(serve_one(arrived, Turn::new(&places), routes.clone(), Arc::clone(&desk)));
            }
        }
        desk.stop.cancel();
        tasks.close();
        drop(tokio::time::timeout(desk.limits.ending + PAUSE, tasks.wait()).await);
    }
}

struct Arrived {
    stream: TcpStream,
    peer: SocketAddr,
    /// Given back when the connection ends.
    _room: OwnedSemaphorePermit,
}

/// The next connection, once there is room for it; until then it waits in the system's queue.
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

async fn serve_one(arrived: Arrived, turn: Turn, routes: Router, desk: Shared) {
    desk.connections.fetch_add(1, Ordering::Relaxed);
    let Arrived { stream, peer, _room } = arrived;
    // Answers are written at once; without it each small one would wait for an acknowledgement.
    drop(stream.set_nodelay(true));
    match desk.door().tls.clone() {
        None => connection::serve(stream, peer, turn, routes, &desk).await,
        Some(tls) => {
            if let Ok(Ok(stream)) = tokio::time::timeout(turn.head(desk.limits.head), tls.accept(stream)).await {
                connection::serve(stream, peer, turn, routes, &desk).await;
            }
        }
    }
    desk.connections.fetch_sub(1, Ordering::Relaxed);
}
