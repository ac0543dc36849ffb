//! The dashboard as a server.

use crate::connection;
use crate::desk::{Desk, Shared};
use crate::door::{Door, DoorError};
use crate::guard::names::Names;
use crate::limits::Limits;
use crate::{routes, tls};
use axum::Router;
use mapwright_jobs::service::Service;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Pause after a connection that could not be accepted, as where no file descriptor is left.
const PAUSE: Duration = Duration::from_millis(100);

/// A dashboard whose address is taken, and which answers once it runs.
pub struct Board {
    listener: TcpListener,
    address: SocketAddr,
    tls: Option<TlsAcceptor>,
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
    pub async fn bind_within(mut door: Door, service: Arc<dyn Service>, limits: Limits) -> Result<Self, DoorError> {
        door.check()?;
        let tls = door.tls.as_ref().map(|(chain, key)| tls::acceptor(chain, key)).transpose()?;
        let unlistened = |error: std::io::Error| {
            let place = format!("flag --listen, {}", door.listen);
            DoorError::new(place, format!("cannot listen ({error})"), "choose another address or port")
        };
        let listener = TcpListener::bind(door.listen).await.map_err(&unlistened)?;
        let address = listener.local_addr().map_err(&unlistened)?;
        door.listen = address;
        let names = Names::of(&door, address)?;
        Ok(Self { listener, address, tls, desk: Arc::new(Desk::new(door, names, service, limits)) })
    }

    /// The address that was taken.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where to point a browser.
    #[must_use]
    pub fn url(&self) -> String {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        let own = || format!("{scheme}://{}/", self.address);
        let public = self.desk.door.behind_proxy.as_ref();
        public.map_or_else(own, |origin| format!("{}/", origin.trim_end_matches('/')))
    }

    /// Answers until `stop` is cancelled and the answers that are under way have ended, or had their time.
    pub async fn run(self, stop: CancellationToken) {
        let Self { listener, tls, desk, .. } = self;
        let routes = routes::routes(&desk);
        let room = Arc::new(Semaphore::new(desk.limits.connections));
        let tasks = TaskTracker::new();
        loop {
            let arrived = tokio::select! {
                () = stop.cancelled() => break,
                arrived = next(&listener, &room) => arrived,
            };
            if let Some(arrived) = arrived {
                tasks.spawn(serve_one(arrived, tls.clone(), routes.clone(), Arc::clone(&desk)));
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
    _place: OwnedSemaphorePermit,
}

/// The next connection, once there is room for it; until then it waits in the system's queue.
async fn next(listener: &TcpListener, room: &Arc<Semaphore>) -> Option<Arrived> {
    let place = Arc::clone(room).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, peer)) => Some(Arrived { stream, peer, _place: place }),
        Err(error) => {
            tracing::warn!(%error, "the dashboard could not accept a connection");
            tokio::time::sleep(PAUSE).await;
            None
        }
    }
}

async fn serve_one(arrived: Arrived, tls: Option<TlsAcceptor>, routes: Router, desk: Shared) {
    desk.connections.fetch_add(1, Ordering::Relaxed);
    let Arrived { stream, peer, _place } = arrived;
    // Answers are written at once; without it each small one would wait for an acknowledgement.
    drop(stream.set_nodelay(true));
    match tls {
        None => connection::serve(stream, peer, routes, &desk).await,
        Some(tls) => {
            if let Ok(Ok(stream)) = tokio::time::timeout(desk.limits.head, tls.accept(stream)).await {
                connection::serve(stream, peer, routes, &desk).await;
            }
        }
    }
    desk.connections.fetch_sub(1, Ordering::Relaxed);
}

/// Opens the dashboard and answers until `stop` is cancelled. To be told the address that was taken, use [`Board`].
///
/// # Errors
/// As [`Board::bind`].
pub async fn serve(door: Door, service: Arc<dyn Service>, stop: CancellationToken) -> Result<(), DoorError> {
    Board::bind(door, service).await?.run(stop).await;
    Ok(())
}
