//! One connection: its limits, and its end.

use crate::app_state::AppState;
use crate::connection_slots::ConnectionSlot;
use crate::limits::{MAX_FIELDS, MAX_HEAD};
use crate::write_timeout::WriteTimeout;
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

/// The address of the client.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// Serves the requests of a connection, each in its `turn`, until it closes, is too slow, or the dashboard ends.
pub(crate) async fn serve(
    io: impl AsyncRead + AsyncWrite + Unpin,
    peer: SocketAddr,
    turn: ConnectionSlot,
    routes: Router,
    state: &AppState,
) {
    let (head, patience, turn) = (turn.head(state.limits.head), state.limits.answer, Arc::new(turn));
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
    let io = TokioIo::new(WriteTimeout::new(io, state.limits.write));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head)
        .max_headers(MAX_FIELDS)
        .max_header_size(MAX_HEAD)
        .serve_connection(io, answer);
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        // An error here is the visitor's: a closed connection, or no HTTP.
        _ = connection.as_mut() => {}
        () = state.stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            drop(tokio::time::timeout(state.limits.ending, connection).await);
        }
    }
}
