//! The reply to a request.

use std::net::SocketAddr;
use std::time::Duration;

use crate::budget::MemoryPermit;
use crate::response_headers::Headers;

/// One response, bounded in every part.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The status code, 200 to 999; interim responses (1xx) are skipped.
    pub status: u16,
    /// The HTTP version of the response.
    pub version: Version,
    /// The header fields, in the order of arrival.
    pub headers: Headers,
    /// The decoded body, at most `max_body` bytes of it.
    pub body: Vec<u8>,
    /// The completeness of `body`, with the reason if it is incomplete.
    pub body_state: BodyState,
    /// Size of the body as received, in bytes, before its content codings were decoded.
    pub wire_bytes: u64,
    /// Time from sending the request to the end of the response's head, including connection setup.
    pub first_byte: Duration,
    /// Time from sending the request to the end of the body, excluding the wait for memory.
    pub total: Duration,
    /// The address of the server, or of the proxy where one was used.
    pub address: Option<SocketAddr>,
    /// The response set a cookie that was kept.
    pub set_cookie: bool,
    /// The names of the cookies that the request carried from the jar: those that sites set, and those of the cookie
    /// file.
    pub sent_cookies: Vec<String>,
    /// The share of the memory for bodies that this reply occupies until it is dropped. [`MemoryPermit::none`] in a
    /// reply that did not come from the network.
    pub memory_permit: MemoryPermit,
}

impl Reply {
    /// Builds a complete reply as a server might send it: HTTP/1.1, at once, from no address.
    pub fn of(status: u16, headers: Headers, body: Vec<u8>) -> Reply {
        Reply {
            status,
            version: Version::Http11,
            headers,
            wire_bytes: body.len() as u64,
            body,
            body_state: BodyState::Complete,
            first_byte: Duration::ZERO,
            total: Duration::ZERO,
            address: None,
            set_cookie: false,
            sent_cookies: Vec::new(),
            memory_permit: MemoryPermit::none(),
        }
    }
}

/// The completeness of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BodyState {
    /// The complete body.
    Complete,
    /// Its beginning, up to our limit.
    Cut,
    /// Its beginning: no more is needed, since the head has the information that counts.
    Enough,
    /// Its beginning: the connection or the content coding failed midway, for this reason.
    Broken(String),
}

impl BodyState {
    /// Returns whether the body is complete.
    pub fn is_complete(&self) -> bool {
        matches!(self, BodyState::Complete)
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
    /// The version as logs write it: `HTTP/1.0`, `HTTP/1.1` or `HTTP/2`.
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
