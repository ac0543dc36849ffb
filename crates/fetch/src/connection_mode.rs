//! The connection mode of an origin, where the usual one fails.
//!
//! Usually connections are kept alive, and shared by HTTP/2 where the server offers it. A response that breaks a shared
//! connection breaks all requests in flight on it, and a connection that falls silent blocks every further attempt. So
//! an origin whose connections break or fall silent is requested over HTTP/1.1 for a while, where each request has a
//! connection to itself; and where those are closed again and again before a response, no connection is reused.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mapwright_web::Origin;
use tokio::time::Instant;

/// The use of connections to an origin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ConnectionMode {
    /// The best protocol that the server offers.
    #[default]
    Usual,
    /// HTTP/1.1 (RFC 9112), whatever the server offers.
    Http1,
    /// HTTP/1.1, with a connection for each request.
    Single,
}

/// A fault of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConnectionFault {
    /// An HTTP/2 connection broke, due to any of its streams (RFC 9113, section 5.4.1), or the server requires HTTP/1.1
    /// (section 7).
    Http2Broke,
    /// No response came before the timeout.
    Silent,
    /// The connection was closed before a response came. A server may do so at any time (RFC 9112, section 9.5).
    Closed,
    /// The server does not support HTTP/1.1.
    NoHttp1,
}

/// Time after which an origin in another mode returns to the usual one.
const LASTING: Duration = Duration::from_secs(120);
/// Number of connections closed before a response that is more than chance.
const CLOSED_OFTEN: u32 = 3;
/// Maximum number of origins with a remembered state; later ones always use the usual mode.
const MAX_ORIGINS: usize = 10_000;

/// The connection modes of all origins.
#[derive(Debug, Default)]
pub(crate) struct ConnectionModes {
    /// The map has an entry. Usually it has none, and no request takes the lock.
    any: AtomicBool,
    known: Mutex<HashMap<Origin, OriginState>>,
}

#[derive(Debug, Default)]
struct OriginState {
    mode: ConnectionMode,
    until: Option<Instant>,
    closed: u32,
    no_http1: bool,
}

impl ConnectionModes {
    /// The connection mode of an origin now.
    pub(crate) fn of(&self, origin: &Origin) -> ConnectionMode {
        if !self.any.load(Ordering::Acquire) {
            return ConnectionMode::Usual;
        }
        self.known().get(origin).map_or(ConnectionMode::Usual, OriginState::now)
    }

    /// Records a connection fault of a request that was sent in the mode `tried`. Returns whether to send the request
    /// again at once in another mode: either that mode was chosen while the request was in flight, or the fault was not
    /// due to the request itself.
    pub(crate) fn note(&self, origin: &Origin, tried: ConnectionMode, fault: ConnectionFault) -> bool {
        let mut all = self.known();
        if all.len() >= MAX_ORIGINS && !all.contains_key(origin) {
            return false;
        }
        self.any.store(true, Ordering::Release);
        let known = all.entry(origin.clone()).or_default();
        let found_before = known.now() != tried;
        known.note(tried, fault);
        found_before || fault != ConnectionFault::Closed && known.now() != tried
    }

    fn known(&self) -> MutexGuard<'_, HashMap<Origin, OriginState>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OriginState {
    fn now(&self) -> ConnectionMode {
        let lasting = self.until.is_some_and(|until| Instant::now() < until);
        if lasting { self.mode } else { ConnectionMode::Usual }
    }

    fn note(&mut self, tried: ConnectionMode, fault: ConnectionFault) {
        let has_http1 = !self.no_http1;
        match (fault, tried) {
            (ConnectionFault::NoHttp1, _) => {
                (self.no_http1, self.until, self.mode) = (true, None, ConnectionMode::Usual)
            }
            (ConnectionFault::Http2Broke | ConnectionFault::Silent, ConnectionMode::Usual) if has_http1 => {
                self.turn_to(ConnectionMode::Http1)
            }
            (ConnectionFault::Closed, ConnectionMode::Usual | ConnectionMode::Http1) if has_http1 => {
                self.closed += 1;
                if self.closed >= CLOSED_OFTEN {
                    self.closed = 0;
                    self.turn_to(ConnectionMode::Single);
                }
            }
            _ => {}
        }
    }

    fn turn_to(&mut self, mode: ConnectionMode) {
        (self.mode, self.until) = (mode, Some(Instant::now() + LASTING));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_web::{PageUrl, UrlIdentity};

    fn origin() -> Origin {
        PageUrl::parse("https://a.example/", &UrlIdentity::default()).unwrap().origin()
    }

    #[tokio::test(start_paused = true)]
    async fn an_origin_is_spoken_to_otherwise_for_a_while() {
        let (modes, origin) = (ConnectionModes::default(), origin());
        assert_eq!(modes.of(&origin), ConnectionMode::Usual);
        assert!(modes.note(&origin, ConnectionMode::Usual, ConnectionFault::Silent));
        assert_eq!(modes.of(&origin), ConnectionMode::Http1);
        tokio::time::advance(LASTING).await;
        assert_eq!(modes.of(&origin), ConnectionMode::Usual);
    }

    #[tokio::test]
    async fn connections_that_are_closed_now_and_then_are_used_again() {
        let (modes, origin) = (ConnectionModes::default(), origin());
        for _ in 1..CLOSED_OFTEN {
            assert!(!modes.note(&origin, ConnectionMode::Usual, ConnectionFault::Closed));
        }
        assert!(
            !modes.note(&origin, ConnectionMode::Usual, ConnectionFault::Closed),
            "it may be the request's own fault"
        );
        assert_eq!(modes.of(&origin), ConnectionMode::Single);
        assert!(modes.note(&origin, ConnectionMode::Usual, ConnectionFault::Closed), "was on its way until then");
        assert!(!modes.note(&origin, ConnectionMode::Single, ConnectionFault::Closed));
    }

    #[tokio::test]
    async fn a_server_without_http_1_keeps_the_usual_mode() {
        let (modes, origin) = (ConnectionModes::default(), origin());
        assert!(modes.note(&origin, ConnectionMode::Usual, ConnectionFault::Http2Broke));
        assert!(modes.note(&origin, ConnectionMode::Http1, ConnectionFault::NoHttp1));
        assert!(!modes.note(&origin, ConnectionMode::Usual, ConnectionFault::Http2Broke));
        assert_eq!(modes.of(&origin), ConnectionMode::Usual);
    }
}
