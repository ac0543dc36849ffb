//! One connection: its bounds, and its end.

use crate::desk::Desk;
use crate::limits::{MOST_FIELDS, MOST_HEAD};
use crate::patient::Patient;
use crate::waiting_room::Turn;
use axum::Router;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tower::ServiceExt;

/// Who is at the other end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// Answers the requests of a connection, each in its `turn`, until it closes, is too slow, or the dashboard ends.
pub(crate) async fn serve(
    io: impl AsyncRead + AsyncWrite + Unpin,
    peer: SocketAddr,
    turn: Turn,
    routes: Router,
    desk: &Desk,
) {
    let (head, patience, turn) = (turn.head(desk.limits.head), desk.limits.answer, Arc::new(turn));
    let answer = service_fn(move |request: hyper::Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(Peer(peer));
        let (turn, routes) = (Arc::clone(&turn), routes.clone());
        async move {
            if turn.comes(request.uri().path(), patience).await {
                return routes.oneshot(request).await;
            }
            Ok((StatusCode::SERVICE_UNAVAILABLE, "too many connections\n").into_response())
        }
    });
    let io = TokioIo::new(Patient::new(io, desk.limits.write));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head)
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
