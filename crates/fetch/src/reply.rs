//! What came back.

use std::net::SocketAddr;
use std::time::Duration;

use crate::budget::Hold;
use crate::headers::Headers;

/// One answer, bounded in every part.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The status code, 200 to 999; interim answers (1xx) are passed over.
    pub status: u16,
    /// The version of the protocol that the answer came in.
    pub version: Version,
    /// The header fields, in the order of arrival.
    pub headers: Headers,
    /// The decoded body, at most `max_body` bytes of it.
    pub body: Vec<u8>,
    /// Whether `body` is all of it, and why not.
    pub body_state: BodyState,
    /// Bytes of the body as they came, before its content codings were undone.
    pub wire_bytes: u64,
    /// From sending the request to the end of the answer's head; a new connection's set-up is part of it.
    pub first_byte: Duration,
    /// From sending the request to the end of the body; waiting for memory is not part of it.
    pub total: Duration,
    /// Who answered; the proxy, where one was used.
    pub address: Option<SocketAddr>,
    /// The answer set a cookie that was kept.
    pub set_cookie: bool,
    /// The names of the cookies that the request bore, of those that sites set or the cookie file holds.
    pub sent_cookies: Vec<String>,
    /// The share of the memory for bodies that this reply occupies until it is dropped. [`Hold::none`] in a reply
    /// that came from nowhere.
    pub hold: Hold,
}

impl Reply {
    /// A whole reply as a server might have given it: HTTP/1.1, at once, from no address.
    pub fn of(status: u16, headers: Headers, body: Vec<u8>) -> Reply {
        Reply {
            status,
            version: Version::Http11,
            headers,
            wire_bytes: body.len() as u64,
            body,
            body_state: BodyState::Whole,
            first_byte: Duration::ZERO,
            total: Duration::ZERO,
            address: None,
            set_cookie: false,
            sent_cookies: Vec::new(),
            hold: Hold::none(),
        }
    }
}

/// How much of a body was had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BodyState {
    /// All of it.
    Whole,
    /// Its beginning: our limit was met.
    Cut,
    /// Its beginning: more is not needed, since the head says what counts.
    Enough,
    /// Its beginning: the connection or the content coding failed midway, for the reason told.
    Broken(String),
}

impl BodyState {
    /// Whether the whole body was had.
    pub fn is_whole(&self) -> bool {
        matches!(self, BodyState::Whole)
    }
}

/// A version of HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Version {
    /// HTTP/1.0
    Http10,
    /// HTTP/1.1
    Http11,
    /// HTTP/2
    Http2,
}

impl Version {
    /// As logs write it: `HTTP/1.0`, `HTTP/1.1` or `HTTP/2`.
    pub fn as_str(self) -> &'static str {
        match self {
            Version::Http10 => "HTTP/1.0",
            Version::Http11 => "HTTP/1.1",
            Version::Http2 => "HTTP/2",
        }
    }
}

impl From<reqwest::Version> for Version {
    fn from(version: reqwest::Version) -> Version {
        match version {
            reqwest::Version::HTTP_2 | reqwest::Version::HTTP_3 => Version::Http2,
            reqwest::Version::HTTP_09 | reqwest::Version::HTTP_10 => Version::Http10,
            _ => Version::Http11,
        }
    }
}
