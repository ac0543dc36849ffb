//! Why an attempt failed, read off the chain of errors.

use std::error::Error;
use std::io;

use crate::failure::FailureKind;
use crate::guard::Refused;
use crate::manner::{Manner, Mishap};
use crate::open_files::out_of_files;
use crate::resolve::NoAddress;
use crate::tls_fault;

/// The text of a cause is cut after so many characters: some of it comes from the server.
const MAX_TEXT: usize = 200;

/// What lies beneath an error of the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cause {
    pub(crate) kind: FailureKind,
    /// The words of the error that decided.
    pub(crate) text: String,
}

impl Cause {
    fn new(kind: FailureKind, error: &dyn Error) -> Cause {
        Cause { kind, text: clean(&error.to_string()) }
    }

    /// Reads the cause off an error of the client.
    pub(crate) fn of(error: &reqwest::Error) -> Cause {
        let handshake = error.is_connect();
        if let Some(cause) = links(error).find_map(|link| known(link, handshake)) {
            return cause;
        }
        let kind = match () {
            () if error.is_timeout() => FailureKind::TimedOut,
            () if error.is_dns() => FailureKind::Dns,
            () if handshake => FailureKind::Unreachable,
            // The client passes on no more than the words of what befell a connection.
            () if links(error).any(|link| link.is::<io::Error>()) => FailureKind::Reset,
            () => FailureKind::Internal,
        };
        Cause::new(kind, links(error).last().unwrap_or(error))
    }

    /// Reads the cause of an attempt that a proxy stood in the way of: what went wrong before there was a way to the
    /// site is the proxy's.
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

/// What the pool says of requests that it gave up.
const UNSENT: [&str; 2] = ["client error (Canceled)", "checked out connection was closed"];

/// What the client says of a request that waited for its turn on a connection that has ended.
const UNTURNED: &str = "dispatch task is gone";

/// Why a server never saw a request, so that it may be sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unprocessed {
    /// It refused the stream (RFC 9113, section 8.7).
    Refused,
    /// It closed the connection in good order, or the connection that the request was to share was closed before its
    /// turn.
    Closed,
}

/// What befell the connection of a request that had no answer.
pub(crate) fn mishap(error: &reqwest::Error, tried: Manner) -> Option<Mishap> {
    if error.is_connect() {
        return (tried != Manner::Usual && Cause::of(error).kind == FailureKind::Tls).then_some(Mishap::NoHttp1);
    }
    let of_http2 = |error: &h2::Error| {
        let breach = error.is_go_away() && error.is_library();
        breach || error.reason() == Some(h2::Reason::HTTP_1_1_REQUIRED)
    };
    if links(error).filter_map(|link| link.downcast_ref::<h2::Error>()).any(of_http2) {
        return Some(Mishap::Http2Broke);
    }
    (unprocessed(error).is_none() && Cause::of(error).kind == FailureKind::Reset).then_some(Mishap::Closed)
}

/// Whether the server never saw a request.
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

/// A request was given up before it was sent, by the pool of connections or by the connection. (These errors have no
/// names that others may use.)
fn is_unsent(link: &(dyn Error + 'static)) -> bool {
    let text = link.to_string();
    if link.is::<hyper::Error>() { text == UNTURNED } else { UNSENT.contains(&text.as_str()) }
}

/// That there was no connection because no more files may be open, if so: each connection is one.
pub(crate) fn lacks_files(error: &reqwest::Error) -> Option<String> {
    links(error).find_map(of_files)
}

fn of_files(link: &(dyn Error + 'static)) -> Option<String> {
    let lookup = link.downcast_ref::<NoAddress>().and_then(|error| error.os_error);
    let socket = link.downcast_ref::<io::Error>().and_then(io::Error::raw_os_error);
    lookup.or(socket).and_then(out_of_files)
}

/// Every error of the chain from the outside in, those within `io::Error`s included.
pub(crate) fn links<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&link| {
        let inner = link.downcast_ref::<io::Error>().and_then(|error| error.get_ref());
        // An `io::Error` passes over what it wraps when asked for its source.
        inner.map(|inner| inner as &(dyn Error + 'static)).or_else(|| link.source())
    })
}

/// The meaning of one error of the chain, where it has one of its own. `handshake`: there was no connection yet.
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
        // Once it stands, a connection that is damaged is no more than broken.
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
        // A request that was never sent for want of a connection; the cause, if there is one, says more.
        () if error.is_canceled() && error.source().is_none() => Some(FailureKind::Reset),
        () => None,
    }
}

fn of_http2(error: &h2::Error) -> Option<FailureKind> {
    if let Some(error) = error.get_io() {
        return of_io(error).or(Some(FailureKind::Reset));
    }
    // What we took offence at ourselves is a breach of the protocol, by the answer where it is its stream that ended (RFC
    // 9113, section 5.4.2), by any where it is the connection (5.4.1); the rest is the server's will.
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
