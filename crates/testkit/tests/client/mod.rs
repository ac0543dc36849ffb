//! A client on a plain socket that sees the raw bytes.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use mapwright_testkit::FakeSite;

/// Timeout of expected bytes.
const PATIENCE: Duration = Duration::from_secs(30);

/// One connection to a site.
pub(crate) struct Client {
    stream: TcpStream,
    host: String,
}

/// A response read to the end of its `Content-Length`.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn status(&self) -> &str {
        self.head.split(' ').nth(1).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let fields = self.head.lines().filter_map(|line| line.split_once(": "));
        fields.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
    }
}

impl Client {
    pub(crate) fn to(site: &FakeSite) -> Client {
        let stream = TcpStream::connect(site.address()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Client { stream, host: site.address().to_string() }
    }

    pub(crate) fn for_host(mut self, host: &str) -> Client {
        self.host = host.to_owned();
        self
    }

    pub(crate) fn request(&mut self, method: &str, target: &str) {
        write!(self.stream, "{method} {target} HTTP/1.1\r\nHost: {}\r\n\r\n", self.host).unwrap();
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).unwrap();
    }

    pub(crate) fn get(&mut self, target: &str) -> Reply {
        self.request("GET", target);
        self.reply()
    }

    /// Reads one response by its `Content-Length` and leaves the connection open.
    pub(crate) fn reply(&mut self) -> Reply {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            self.stream.read_exact(&mut byte).unwrap();
            head.push(byte[0]);
        }
        let mut reply = Reply { head: String::from_utf8(head).unwrap(), body: Vec::new() };
        let length = reply.header("Content-Length").map_or(0, |value| value.parse().unwrap());
        reply.body.resize(length, 0);
        self.stream.read_exact(&mut reply.body).unwrap();
        reply
    }

    /// Reads until the site closes.
    pub(crate) fn rest(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.stream.read_to_end(&mut bytes).unwrap();
        bytes
    }

    /// Reads exactly `count` bytes.
    pub(crate) fn take(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        self.stream.read_exact(&mut bytes).unwrap();
        bytes
    }

    /// Reads until the connection is reset, and returns the bytes before.
    pub(crate) fn rest_until_reset(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let error = self.stream.read_to_end(&mut bytes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ConnectionReset);
        bytes
    }

    /// Returns whether no bytes are available and the connection is open.
    pub(crate) fn is_silent(&mut self) -> bool {
        self.stream.set_nonblocking(true).unwrap();
        let read = self.stream.read(&mut [0]);
        self.stream.set_nonblocking(false).unwrap();
        read.is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
    }
}
