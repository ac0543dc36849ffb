//! The request for a document.

use crate::response_headers::Headers;
use mapwright_web::media::Kinds;
use mapwright_web::{Origin, PageUrl, Spelling};

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
    /// The parts that a page determines whose scripts make the request; `None` for requests of the crawl itself.
    pub scripted: Option<Box<Scripted>>,
}

/// The parts of a request that the scripts of a page determine.
#[derive(Clone, Debug)]
pub struct Scripted {
    /// The origin of the page. The headers, credentials and cookies that the user gave go only where they may, and only
    /// for a page of a first-party origin.
    pub page: Origin,
    /// The header fields. Those of the connection, of credentials and of the crawler itself are not sent.
    pub headers: Headers,
    /// The body of a POST.
    pub body: Vec<u8>,
}

/// The request method (RFC 9110, section 9.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// The document.
    #[default]
    Get,
    /// Its head.
    Head,
    /// The answer to a message, which scripts send for the content of their page. No secret of the user goes with it.
    Post,
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
