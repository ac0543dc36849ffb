//! One request as it arrived.

use std::time::Instant;

/// One request as the site read it.
#[derive(Debug, Clone)]
pub struct ReceivedRequest {
    /// The request line, as sent: method, target and version.
    pub line: String,
    /// The method, as sent.
    pub method: String,
    /// The request target, as sent: path and query, or an absolute URL when the client uses the site as a proxy.
    pub target: String,
    /// The header fields in the order they were sent; values are decoded leniently as UTF-8.
    pub headers: Vec<(String, String)>,
    /// The body, as far as `Content-Length` announced one.
    pub body: Vec<u8>,
    /// The time when the head had arrived completely.
    pub at: Instant,
    /// Serial number of its connection, from 1.
    pub connection: u64,
}

impl ReceivedRequest {
    /// The path without the query (also of an absolute target).
    #[must_use]
    pub fn path(&self) -> &str {
        path_of(self.origin_form())
    }

    /// The query without its question mark, or `None` when the target has none.
    #[must_use]
    pub fn query(&self) -> Option<&str> {
        self.origin_form().split_once('?').map(|(_, query)| query)
    }

    /// The value of the first header field of this name, in whatever case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The requested host without its port: that of an absolute target, otherwise that of the `Host` field; empty when
    /// missing.
    #[must_use]
    pub fn host(&self) -> &str {
        let authority = match self.target.split_once("://") {
            Some((_, rest)) if !self.target.starts_with('/') => rest.split(['/', '?']).next().unwrap_or_default(),
            _ => self.header("host").unwrap_or_default(),
        };
        match authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
            _ => authority,
        }
    }

    /// Path and query, without the scheme and host of an absolute target.
    #[must_use]
    pub fn origin_form(&self) -> &str {
        if self.target.starts_with('/') {
            return &self.target;
        }
        let after_scheme = self.target.split_once("://").map_or("", |(_, rest)| rest);
        after_scheme.find('/').and_then(|slash| after_scheme.get(slash..)).unwrap_or("/")
    }

    /// Returns whether this request is for `path`: the complete target if `path` has a query, otherwise the path with
    /// any query. A path that begins with `//host` also needs that host.
    #[must_use]
    pub fn is_for(&self, path: &str) -> bool {
        let wanted = match path.strip_prefix("//") {
            Some(rest) => match rest.split_once('/') {
                Some((host, below)) if host.eq_ignore_ascii_case(self.host()) => format!("/{below}"),
                _ => return false,
            },
            None => path.to_owned(),
        };
        let own = if wanted.contains('?') { self.origin_form() } else { self.path() };
        own == wanted
    }

    /// Parses a head (everything before the empty line); `None` when it is not an HTTP request.
    pub(crate) fn parse(head: &[u8], connection: u64) -> Option<ReceivedRequest> {
        let head = String::from_utf8_lossy(head);
        let mut lines = head.split("\r\n");
        let line = lines.next()?;
        let mut start = line.split(' ');
        let (method, target, version) = (start.next()?, start.next()?, start.next()?);
        if !version.starts_with("HTTP/1.") || start.next().is_some() {
            return None;
        }
        let headers = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
            .collect();
        Some(ReceivedRequest {
            line: line.to_owned(),
            method: method.to_owned(),
            target: target.to_owned(),
            headers,
            body: Vec::new(),
            at: Instant::now(),
            connection,
        })
    }

    pub(crate) fn content_length(&self) -> usize {
        self.header("content-length").and_then(|value| value.parse().ok()).unwrap_or(0)
    }

    pub(crate) fn wants_close(&self) -> bool {
        self.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"))
    }
}

fn path_of(target: &str) -> &str {
    target.split('?').next().unwrap_or_default()
}

#[cfg(test)]
mod tests;
