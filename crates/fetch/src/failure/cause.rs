//! The cause of a failed attempt, read from the chain of errors.

use std::error::Error;
use std::io;

use crate::address_guard::Refused;
use crate::connection_mode::{ConnectionFault, ConnectionMode};
use crate::open_files::out_of_files;
use crate::resolve::NoAddress;
use crate::tls_fault;
use mapwright_model::FailureKind;

/// Maximum length of the text of a cause, in characters: some of it comes from the server.
const MAX_TEXT: usize = 200;

/// The cause of an error of the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cause {
    pub(crate) kind: FailureKind,
    /// The message of the error that decided the kind.
    pub(crate) text: String,
}

impl Cause {
    fn new(kind: FailureKind, error: &dyn Error) -> Cause {
        Cause { kind, text: clean(&error.to_string()) }
    }

    /// Reads the cause from an error of the client.
    pub(crate) fn of(error: &reqwest::Error) -> Cause {
        let handshake = error.is_connect();
        if let Some(cause) = links(error).find_map(|link| known(link, handshake)) {
            return cause;
        }
        let kind = match () {
            () if error.is_timeout() => FailureKind::TimedOut,
            () if error.is_dns() => FailureKind::Dns,
            () if handshake => FailureKind::Unreachable,
            // The client passes on only the message of what happened to a connection.
            () if links(error).any(|link| link.is::<io::Error>()) => FailureKind::Reset,
            () => FailureKind::Internal,
        };
        Cause::new(kind, links(error).last().unwrap_or(error))
    }

    /// Reads the cause of an attempt through a proxy: an error before the tunnel to the site is open is the proxy's.
    pub(crate) fn behind_proxy(error: &reqwest::Error) -> Cause {
        let cause = Cause::of(error);
        let tunnel = links(error).find(|link| link.to_string().starts_with("tunnel error"));
        match cause.kind {
            FailureKind::Tls | FailureKind::Guarded => cause,
            _ if tunnel.is_some() || error.is_connect() => {
                let text = tunnel.map_or(cause.text, |link| clean(&link.to_string()));
                Cause { kind: FailureKind::ProxyFailed, text }
            }
            _ => cause,
        }
    }
}

/// The messages of the connection pool for requests that it gave up.
const UNSENT: [&str; 2] = ["client error (Canceled)", "checked out connection was closed"];

/// The client's message for a request that waited for its turn on a connection that has ended.
const UNTURNED: &str = "dispatch task is gone";

/// The reason why a server did not process a request, so that it may be sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unprocessed {
    /// The server refused the stream (RFC 9113, section 8.7).
    Refused,
    /// The server closed the connection in an orderly way, or the connection that the request was to share was closed
    /// before its turn.
    Closed,
}

/// The connection fault behind a request that got no response.
pub(crate) fn fault(error: &reqwest::Error, tried: ConnectionMode) -> Option<ConnectionFault> {
    if error.is_connect() {
        return (tried != ConnectionMode::Usual && Cause::of(error).kind == FailureKind::Tls)
            .then_some(ConnectionFault::NoHttp1);
    }
    let of_http2 = |error: &h2::Error| {
        let breach = error.is_go_away() && error.is_library();
        breach || error.reason() == Some(h2::Reason::HTTP_1_1_REQUIRED)
    };
    if links(error).filter_map(|link| link.downcast_ref::<h2::Error>()).any(of_http2) {
        return Some(ConnectionFault::Http2Broke);
    }
    (unprocessed(error).is_none() && Cause::of(error).kind == FailureKind::Reset).then_some(ConnectionFault::Closed)
}

/// The reason why the server did not process the request, if it did not.
pub(crate) fn unprocessed(error: &reqwest::Error) -> Option<Unprocessed> {
    links(error).find_map(|link| {
        let closed = is_unsent(link).then_some(Unprocessed::Closed);
        link.downcast_ref::<h2::Error>().and_then(declined).or(closed)
    })
}

fn declined(error: &h2::Error) -> Option<Unprocessed> {
    match error.reason() {
        _ if !error.is_remote() => None,
        Some(h2::Reason::REFUSED_STREAM) if error.is_reset() => Some(Unprocessed::Refused),
        Some(h2::Reason::NO_ERROR) if error.is_go_away() => Some(Unprocessed::Closed),
        _ => None,
    }
}

/// Returns whether the pool or the connection gave the request up before it was sent. (These errors have no public
/// types.)
fn is_unsent(link: &(dyn Error + 'static)) -> bool {
    let text = link.to_string();
    if link.is::<hyper::Error>() { text == UNTURNED } else { UNSENT.contains(&text.as_str()) }
}

/// The message that no connection was possible because the process may open no more files, if so: each connection is
/// one.
pub(crate) fn lacks_files(error: &reqwest::Error) -> Option<String> {
    links(error).find_map(of_files)
}

fn of_files(link: &(dyn Error + 'static)) -> Option<String> {
    let lookup = link.downcast_ref::<NoAddress>().and_then(|error| error.os_error);
    let socket = link.downcast_ref::<io::Error>().and_then(io::Error::raw_os_error);
    lookup.or(socket).and_then(out_of_files)
}

/// Every error of the chain from the outside in, including those inside `io::Error`s.
pub(crate) fn links<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&link| {
        let inner = link.downcast_ref::<io::Error>().and_then(|error| error.get_ref());
        // `source()` of an `io::Error` skips the error that it wraps.
        inner.map(|inner| inner as &(dyn Error + 'static)).or_else(|| link.source())
    })
}

/// The cause that one error of the chain indicates by itself, if any. `handshake`: there was no connection yet.
fn known(link: &(dyn Error + 'static), handshake: bool) -> Option<Cause> {
    if link.is::<Refused>() {
        return Some(Cause::new(FailureKind::Guarded, link));
    }
    if link.is::<NoAddress>() {
        return Some(Cause::new(FailureKind::Dns, link));
    }
    if is_unsent(link) {
        return Some(Cause::new(FailureKind::Reset, link));
    }
    if let Some(error) = link.downcast_ref::<rustls::Error>() {
        // After the handshake, a damaged connection is a broken one.
        let kind = if handshake { FailureKind::Tls } else { FailureKind::Reset };
        return Some(Cause { kind, text: clean(&tls_fault::in_words(error)) });
    }
    let kind = match (link.downcast_ref::<hyper::Error>(), link.downcast_ref::<h2::Error>()) {
        (Some(error), _) => of_http1(error),
        (_, Some(error)) => of_http2(error),
        _ => link.downcast_ref::<io::Error>().and_then(of_io),
    };
    kind.map(|kind| Cause::new(kind, link))
}

fn of_http1(error: &hyper::Error) -> Option<FailureKind> {
    match () {
        () if error.is_parse() => Some(FailureKind::Protocol),
        () if error.is_timeout() => Some(FailureKind::TimedOut),
        () if error.is_incomplete_message() || error.is_closed() => Some(FailureKind::Reset),
        // A request that was not sent because there was no connection; the cause, if there is one, says more.
        () if error.is_canceled() && error.source().is_none() => Some(FailureKind::Reset),
        () => None,
    }
}

fn of_http2(error: &h2::Error) -> Option<FailureKind> {
    if let Some(error) = error.get_io() {
        return of_io(error).or(Some(FailureKind::Reset));
    }
    // An error that our own side raised on the stream is a protocol breach of this response (RFC 9113, section 5.4.2).
    // One on the connection may be due to any stream (5.4.1), and all other resets are the server's decision.
    Some(if error.is_library() && error.is_reset() { FailureKind::Protocol } else { FailureKind::Reset })
}

fn of_io(error: &io::Error) -> Option<FailureKind> {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => Some(FailureKind::Refused),
        io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe
        | io::ErrorKind::NotConnected
        | io::ErrorKind::UnexpectedEof => Some(FailureKind::Reset),
        io::ErrorKind::TimedOut => Some(FailureKind::TimedOut),
        io::ErrorKind::HostUnreachable
        | io::ErrorKind::NetworkUnreachable
        | io::ErrorKind::NetworkDown
        | io::ErrorKind::AddrNotAvailable
        | io::ErrorKind::PermissionDenied => Some(FailureKind::Unreachable),
        _ => None,
    }
}

/// One short line without control characters.
fn clean(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).take(MAX_TEXT).collect()
}
