//! A well-formed HTTP/1.1 response, put together by hand.

use std::io::Write;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::gate::ResponseGate;

/// The framing of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Framing {
    ContentLength,
    Chunked,
    UntilClose,
}

/// A well-formed response. For anything malformed see [`crate::ServerAction::Raw`].
#[derive(Debug, Clone)]
pub struct Response {
    status: u16,
    headers: Vec<(String, Vec<u8>)>,
    body: Vec<u8>,
    framing: Framing,
    closing: bool,
    pub(crate) delay: Duration,
    pub(crate) gate: Option<ResponseGate>,
}

impl Response {
    /// A response of this status without a body or any header.
    #[must_use]
    pub fn new(status: u16) -> Response {
        Response {
            status,
            headers: Vec::new(),
            body: Vec::new(),
            framing: Framing::ContentLength,
            closing: false,
            delay: Duration::ZERO,
            gate: None,
        }
    }

    /// 200 with `text/html; charset=utf-8`.
    #[must_use]
    pub fn html(body: impl Into<Vec<u8>>) -> Response {
        Response::new(200).content_type("text/html; charset=utf-8").body(body)
    }

    /// 200 with `text/plain; charset=utf-8`.
    #[must_use]
    pub fn text(body: impl Into<Vec<u8>>) -> Response {
        Response::new(200).content_type("text/plain; charset=utf-8").body(body)
    }

    /// 200 with `application/xml`.
    #[must_use]
    pub fn xml(body: impl Into<Vec<u8>>) -> Response {
        Response::new(200).content_type("application/xml").body(body)
    }

    /// A redirect of this status to `location`, which is sent unchanged.
    #[must_use]
    pub fn redirect(status: u16, location: &str) -> Response {
        Response::new(status).header("Location", location)
    }

    /// Sets the status.
    #[must_use]
    pub fn status(mut self, status: u16) -> Response {
        self.status = status;
        self
    }

    /// Adds a header field; the same name may be added again.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl AsRef<[u8]>) -> Response {
        self.headers.push((name.to_owned(), value.as_ref().to_vec()));
        self
    }

    /// Sets the media type in place of any set before.
    #[must_use]
    pub fn content_type(self, value: &str) -> Response {
        self.without_header("Content-Type").header("Content-Type", value)
    }

    /// Removes a header field, for example the media type of [`Response::html`].
    #[must_use]
    pub fn without_header(mut self, name: &str) -> Response {
        self.headers.retain(|(key, _)| !key.eq_ignore_ascii_case(name));
        self
    }

    /// Sets the body.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Response {
        self.body = body.into();
        self
    }

    /// Compresses the current body with gzip and sets `Content-Encoding`.
    #[must_use]
    pub fn gzip(self) -> Response {
        let packed = gzip(&self.body);
        self.encoded("gzip", packed)
    }

    /// Replaces the body by bytes already encoded as `coding` (`br`, `zstd`, `deflate`, …) and sets `Content-Encoding`.
    #[must_use]
    pub fn encoded(self, coding: &str, bytes: impl Into<Vec<u8>>) -> Response {
        self.header("Content-Encoding", coding).body(bytes)
    }

    /// Sends the body with `Transfer-Encoding: chunked`.
    #[must_use]
    pub fn chunked(mut self) -> Response {
        self.framing = Framing::Chunked;
        self
    }

    /// Sends the body without a length and ends it by closing the connection.
    #[must_use]
    pub fn until_close(mut self) -> Response {
        self.framing = Framing::UntilClose;
        self
    }

    /// Closes the connection after this response, and sends `Connection: close`.
    #[must_use]
    pub fn closing(mut self) -> Response {
        self.closing = true;
        self
    }

    /// Waits this long before the first byte.
    #[must_use]
    pub fn delay(mut self, delay: Duration) -> Response {
        self.delay = delay;
        self
    }

    /// Waits before the first byte until the gate is open.
    #[must_use]
    pub fn held_by(mut self, gate: &ResponseGate) -> Response {
        self.gate = Some(gate.clone());
        self
    }

    /// The exact bytes of the response to a `GET`, for tests that then corrupt them.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.wire("GET")
    }

    pub(crate) fn closes(&self) -> bool {
        self.closing || self.framing == Framing::UntilClose
    }

    /// The bytes of the response to `method`: a `HEAD` gets no body, nor do 1xx, 204 and 304 (RFC 9110, section 6.4.1).
    pub(crate) fn wire(&self, method: &str) -> Vec<u8> {
        let bodiless = matches!(self.status, 100..=199 | 204 | 304);
        let mut wire = format!("HTTP/1.1 {} {}\r\n", self.status, reason(self.status)).into_bytes();
        for (name, value) in &self.headers {
            wire.extend_from_slice(name.as_bytes());
            wire.extend_from_slice(b": ");
            wire.extend_from_slice(value);
            wire.extend_from_slice(b"\r\n");
        }
        if !bodiless {
            self.frame(&mut wire);
        }
        if self.closes() {
            wire.extend_from_slice(b"Connection: close\r\n");
        }
        wire.extend_from_slice(b"\r\n");
        if !bodiless && method != "HEAD" {
            self.write_body(&mut wire);
        }
        wire
    }

    fn frame(&self, wire: &mut Vec<u8>) {
        match self.framing {
            Framing::ContentLength => {
                wire.extend_from_slice(format!("Content-Length: {}\r\n", self.body.len()).as_bytes());
            }
            Framing::Chunked => wire.extend_from_slice(b"Transfer-Encoding: chunked\r\n"),
            Framing::UntilClose => {}
        }
    }

    fn write_body(&self, wire: &mut Vec<u8>) {
        if self.framing != Framing::Chunked {
            wire.extend_from_slice(&self.body);
            return;
        }
        for chunk in self.body.chunks(CHUNK) {
            wire.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
            wire.extend_from_slice(chunk);
            wire.extend_from_slice(b"\r\n");
        }
        wire.extend_from_slice(b"0\r\n\r\n");
    }
}

/// Size of the chunks of a chunked body, in bytes: odd on purpose, so that chunks end inside tags and characters.
const CHUNK: usize = 1_021;

/// Compresses with gzip without a time stamp, so that equal input gives equal output.
#[must_use]
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(bytes).expect("writing into memory does not fail");
    packer.finish().expect("writing into memory does not fail")
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        204 => "No Content",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        304 => "Not Modified",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        410 => "Gone",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "Status",
    }
}
