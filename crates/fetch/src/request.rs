//! The request for a document.

use mapwright_web::media::{Kinds, declared_kind};
use mapwright_web::{PageUrl, Spelling};

/// Number of bytes that are read of a document of which only the beginning is needed: small documents are read
/// completely, which keeps the connection usable.
const BEGINNING: u64 = 256 << 10;

/// One request.
#[derive(Clone, Debug)]
pub struct Request {
    /// The method: the document, or its head alone.
    pub method: Method,
    /// The requested URL, without credentials.
    pub url: PageUrl,
    /// The spelling of the URL to send, if it is not the canonical one.
    pub spelling: Option<Spelling>,
    /// The validators of an earlier visit, to which the server may answer 304 Not Modified (RFC 9110, section 13).
    pub conditions: Conditions,
    /// The expected kind of document, which decides the `Accept` header.
    pub accept: Accept,
    /// Maximum number of decoded bytes of the body.
    pub max_body: u64,
    /// The kinds of documents that are needed completely, up to `max_body`; of others the beginning is enough.
    pub full_body_kinds: Kinds,
    /// The page redirected to itself, possibly because a cookie was missing: the request carries all cookies that
    /// redirects of its origin set. If it is answered successfully, the origin gets them from then on.
    pub cookie_wall: bool,
}

/// The part of a response's body that is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// All of it: without it the attempt fails.
    Complete,
    /// As much as arrives: the head has the information that counts.
    Optional,
    /// At most this many bytes: the head has the information that counts.
    Prefix(u64),
}

impl Request {
    /// The part of the body that is needed of a response with this status and `Content-Type`. The head is enough for
    /// redirects and errors (RFC 9110, sections 15.4 to 15.6), and for the existence of a document that is not parsed.
    pub(crate) fn need(&self, is_success: bool, content_type: Option<&str>) -> Need {
        let kind = declared_kind(content_type);
        let is_read = kind.is_none_or(|kind| Kinds::PAGES.contains(kind)) || self.full_body_kinds == Kinds::ALL;
        match kind {
            _ if is_read && is_success => Need::Complete,
            Some(kind) if !self.full_body_kinds.contains(kind) => Need::Prefix(BEGINNING.min(self.max_body)),
            _ => Need::Optional,
        }
    }
}

/// The request method (RFC 9110, section 9.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// The document.
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

/// The kind of document that a request expects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Accept {
    /// A page, or any other target of a link.
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
