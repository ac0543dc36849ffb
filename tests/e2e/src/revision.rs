//! A page that has validators and answers conditional requests as RFC 9110 requires.

use mapwright_testkit::{FakeSite, ReceivedRequest, Response};

/// One revision of a page: its HTML and its validators.
///
/// A request whose condition matches is answered 304 (RFC 9110, 13.2.2: `If-Modified-Since` counts only without
/// `If-None-Match`; as on most servers, it must equal the date). Every other request gets the page.
#[derive(Debug, Clone, Default)]
pub struct Revision {
    html: String,
    etag: Option<String>,
    modified: Option<String>,
    headers: Vec<(String, String)>,
    headers_of_304: Vec<(String, String)>,
}

impl Revision {
    /// A page with this HTML and no validators yet.
    pub fn new(html: impl Into<String>) -> Revision {
        Revision { html: html.into(), ..Revision::default() }
    }

    /// With this entity tag, quotes included.
    pub fn etag(mut self, tag: &str) -> Revision {
        self.etag = Some(tag.to_owned());
        self
    }

    /// With this `Last-Modified`.
    pub fn modified(mut self, date: &str) -> Revision {
        self.modified = Some(date.to_owned());
        self
    }

    /// With a further header field on the 200 (a 304 need not repeat it: RFC 9110, 15.4.5).
    pub fn header(mut self, name: &str, value: &str) -> Revision {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// With a further header field on the 304, in place of a validator of that name.
    pub fn header_of_304(mut self, name: &str, value: &str) -> Revision {
        self.headers_of_304.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Publishes the revision at this path of the site, in place of the one before.
    pub fn publish(self, site: &FakeSite, path: &str) {
        site.handler(
            path,
            move |request: &ReceivedRequest| if self.holds(request) { self.unmodified() } else { self.complete() },
        );
    }

    fn holds(&self, request: &ReceivedRequest) -> bool {
        match (request.header("if-none-match"), request.header("if-modified-since")) {
            (Some(tags), _) => self.etag.as_deref() == Some(tags),
            (None, Some(date)) => self.modified.as_deref() == Some(date),
            (None, None) => false,
        }
    }

    fn complete(&self) -> Response {
        let response = with(Response::html(self.html.clone()), &self.validators());
        with(response, &self.headers)
    }

    fn unmodified(&self) -> Response {
        let replaced = |name: &str| self.headers_of_304.iter().any(|(other, _)| other.eq_ignore_ascii_case(name));
        let mut kept = self.validators();
        kept.retain(|(name, _)| !replaced(name));
        with(with(Response::new(304), &kept), &self.headers_of_304)
    }

    fn validators(&self) -> Vec<(String, String)> {
        let etag = self.etag.iter().map(|tag| ("ETag".to_owned(), tag.clone()));
        etag.chain(self.modified.iter().map(|date| ("Last-Modified".to_owned(), date.clone()))).collect()
    }
}

fn with(response: Response, headers: &[(String, String)]) -> Response {
    headers.iter().fold(response, |response, (name, value)| response.header(name, value))
}
