//! One connection: its bounds, and its end.

use crate::desk::Desk;
use crate::limits::{MOST_FIELDS, MOST_HEAD};
use crate::patient::Patient;
use axum::Router;
use axum::body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::net::SocketAddr;
use tokio::io::{AsyncRead, AsyncWrite};
use tower::ServiceExt;

/// Who is at the other end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// Answers the requests of a connection until it closes, is too slow, or the dashboard ends.
pub(crate) async fn serve(io: impl AsyncRead + AsyncWrite + Unpin, peer: SocketAddr, routes: Router, desk: &Desk) {
    let answer = service_fn(move |request: hyper::Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(Peer(peer));
        routes.clone().oneshot(request)
    });
    let io = TokioIo::new(Patient::new(io, desk.limits.write));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(desk.limits.head)
        .max_headers(MOST_FIELDS)
        .max_header_size(MOST_HEAD)
        .serve_connection(io, answer);
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        // What ends here is the visitor's: a connection that was cut, or no HTTP.
        _ = connection.as_mut() => {}
        () = desk.stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            drop(tokio::time::timeout(desk.limits.ending, connection).await);
        }
    }
}
