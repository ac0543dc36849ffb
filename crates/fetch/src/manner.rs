//! In which manner an origin is spoken to, where the usual one fails.
//!
//! Usually connections are kept, and shared by HTTP/2 where the server offers it. What one answer does to a shared
//! connection befalls all that are on their way over it, and a connection that falls silent takes every further try. So an
//! origin whose connections break or fall silent is spoken to over HTTP/1.1 for a while, where each request has a
//! connection to itself; and where those are closed again and again before an answer, none is used twice.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mapwright_web::Origin;
use tokio::time::Instant;

/// How connections to an origin are used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Manner {
    /// As the server offers.
    #[default]
    Usual,
    /// HTTP/1.1 (RFC 9112), whatever it offers.
    Http1,
    /// HTTP/1.1, and each connection for one request.
    Single,
}

/// What went wrong with a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mishap {
    /// A connection of HTTP/2 broke, by whatever stream (RFC 9113 section 5.4.1), or its server requires HTTP/1.1 (section
    /// 7).
    Http2Broke,
    /// Nothing came for as long as is waited.
    Silent,
    /// It was closed before an answer came. A server may do so at any time (RFC 9112 section 9.5).
    Closed,
    /// The server speaks no HTTP/1.1.
    NoHttp1,
}

/// So long another manner is kept up, before the usual one is tried again.
const LASTING: Duration = Duration::from_secs(120);
/// So many connections closed before an answer are more than chance.
const CLOSED_OFTEN: u32 = 3;
/// Origins about which something is remembered, at most; those met later are always spoken to as usual.
const MAX_ORIGINS: usize = 10_000;

/// The manners of all origins.
#[derive(Debug, Default)]
pub(crate) struct Manners {
    /// Something is known of some origin: as a rule nothing is, and nobody has to wait.
    any: AtomicBool,
    known: Mutex<HashMap<Origin, Known>>,
}

#[derive(Debug, Default)]
struct Known {
    manner: Manner,
    until: Option<Instant>,
    closed: u32,
    no_http1: bool,
}

impl Manners {
    /// How to speak to an origin now.
    pub(crate) fn of(&self, origin: &Origin) -> Manner {
        if !self.any.load(Ordering::Acquire) {
            return Manner::Usual;
        }
        self.known().get(origin).map_or(Manner::Usual, Known::now)
    }

    /// Takes note of a mishap of a request that was sent in the manner `tried`. Whether it is to be sent again at once, in
    /// another manner: where that was found to be better while it was on its way, and where the mishap says nothing of
    /// the request itself.
    pub(crate) fn note(&self, origin: &Origin, tried: Manner, mishap: Mishap) -> bool {
        let mut all = self.known();
        if all.len() >= MAX_ORIGINS && !all.contains_key(origin) {
            return false;
        }
        self.any.store(true, Ordering::Release);
        let known = all.entry(origin.clone()).or_default();
        let found_before = known.now() != tried;
        known.note(tried, mishap);
        found_before || mishap != Mishap::Closed && known.now() != tried
    }

    fn known(&self) -> MutexGuard<'_, HashMap<Origin, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn now(&self) -> Manner {
        let lasting = self.until.is_some_and(|until| Instant::now() < until);
        if lasting { self.manner } else { Manner::Usual }
    }

    fn note(&mut self, tried: Manner, mishap: Mishap) {
        let has_http1 = !self.no_http1;
        match (mishap, tried) {
            (Mishap::NoHttp1, _) => (self.no_http1, self.until, self.manner) = (true, None, Manner::Usual),
            (Mishap::Http2Broke | Mishap::Silent, Manner::Usual) if has_http1 => self.turn_to(Manner::Http1),
            (Mishap::Closed, Manner::Usual | Manner::Http1) if has_http1 => {
                self.closed += 1;
                if self.closed >= CLOSED_OFTEN {
                    self.closed = 0;
                    self.turn_to(Manner::Single);
                }
            }
            _ => {}
        }
    }

    fn turn_to(&mut self, manner: Manner) {
        (self.manner, self.until) = (manner, Some(Instant::now() + LASTING));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_web::{Identity, PageUrl};

    fn origin() -> Origin {
        PageUrl::parse("https://a.example/", &Identity::default()).unwrap().origin()
    }

    #[tokio::test(start_paused = true)]
    async fn an_origin_is_spoken_to_otherwise_for_a_while() {
        let (manners, origin) = (Manners::default(), origin());
        assert_eq!(manners.of(&origin), Manner::Usual);
        assert!(manners.note(&origin, Manner::Usual, Mishap::Silent));
        assert_eq!(manners.of(&origin), Manner::Http1);
        tokio::time::advance(LASTING).await;
        assert_eq!(manners.of(&origin), Manner::Usual);
    }

    #[tokio::test]
    async fn connections_that_are_closed_now_and_then_are_used_again() {
        let (manners, origin) = (Manners::default(), origin());
        for _ in 1..CLOSED_OFTEN {
            assert!(!manners.note(&origin, Manner::Usual, Mishap::Closed));
        }
        assert!(!manners.note(&origin, Manner::Usual, Mishap::Closed), "it may be the request's own fault");
        assert_eq!(manners.of(&origin), Manner::Single);
        assert!(manners.note(&origin, Manner::Usual, Mishap::Closed), "was on its way until then");
        assert!(!manners.note(&origin, Manner::Single, Mishap::Closed));
    }

    #[tokio::test]
    async fn who_speaks_no_http_1_is_left_as_usual() {
        let (manners, origin) = (Manners::default(), origin());
        assert!(manners.note(&origin, Manner::Usual, Mishap::Http2Broke));
        assert!(manners.note(&origin, Manner::Http1, Mishap::NoHttp1));
        assert!(!manners.note(&origin, Manner::Usual, Mishap::Http2Broke));
        assert_eq!(manners.of(&origin), Manner::Usual);
    }
}
