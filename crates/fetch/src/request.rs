//! What is asked for.

use mapwright_web::media::{Kinds, declared_kind};
use mapwright_web::{PageUrl, Spelling};

/// Bytes that are taken of a document of which no more than the beginning is needed: small ones are taken whole, which
/// keeps the connection.
const BEGINNING: u64 = 256 << 10;

/// One request.
#[derive(Clone, Debug)]
pub struct Request {
    /// Whether the document is asked for, or its head alone.
    pub method: Method,
    /// What is asked for. Credentials are never part of it.
    pub url: PageUrl,
    /// How it is to be spelt, if not canonically.
    pub spelling: Option<Spelling>,
    /// What is known from an earlier visit, to be told "304 Not Modified" (RFC 9110, section 13).
    pub conditions: Conditions,
    /// What kind of document is expected: it decides the `Accept` header.
    pub accept: Accept,
    /// How many decoded bytes of the body are kept at most.
    pub max_body: u64,
    /// The kinds of documents of which all is wanted, up to `max_body`; of others their beginning says enough.
    pub whole: Kinds,
    /// The page redirected to itself, maybe for want of a cookie: the request bears all cookies that redirects of its
    /// origin set. If it is answered well with them, the origin gets them from then on.
    pub cookie_wall: bool,
}

/// How much of the body of an answer is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// All of it: without it there is no answer.
    Whole,
    /// The head says what counts; of the body as much as comes.
    Welcome,
    /// The head says what counts; of the body this many bytes, at most.
    Beginning(u64),
}

impl Request {
    /// How much of the body of an answer with this status and `Content-Type` is needed. Redirects and refusals are what
    /// they are by their heads (RFC 9110, sections 15.4 to 15.6), and so is the existence of a document that is not
    /// read.
    pub(crate) fn need(&self, is_success: bool, content_type: Option<&str>) -> Need {
        let kind = declared_kind(content_type);
        let is_read = kind.is_none_or(|kind| Kinds::PAGES.contains(kind)) || self.whole == Kinds::ALL;
        match kind {
            _ if is_read && is_success => Need::Whole,
            Some(kind) if !self.whole.contains(kind) => Need::Beginning(BEGINNING.min(self.max_body)),
            _ => Need::Welcome,
        }
    }
}

/// What of a document is asked for (RFC 9110, section 9.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// All of it.
    #[default]
    Get,
    /// Its head.
    Head,
}

/// Validators of the copy that is already known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conditions {
    /// The `ETag` of the copy, as the server wrote it; sent as `If-None-Match`.
    pub etag: Option<String>,
    /// The `Last-Modified` of the copy, as the server wrote it; sent as `If-Modified-Since`.
    pub modified: Option<String>,
}

/// The kind of document that a request hopes for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Accept {
    /// A page, or whatever a link leads to.
    #[default]
    Page,
    /// A `robots.txt`.
    Robots,
    /// A sitemap or a feed.
    Sitemap,
}

impl Accept {
    /// The value of the `Accept` header (RFC 9110, section 12.5.1).
    pub fn header(self) -> &'static str {
        match self {
            Accept::Page => "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            Accept::Robots => "text/plain,*/*;q=0.8",
            Accept::Sitemap => {
                "application/xml,text/xml,application/rss+xml,application/atom+xml,text/plain;q=0.8,*/*;q=0.5"
            }
        }
    }
}
