//! The context of a document, by which its entries are judged.

use url::Url;

/// The context of a document: its URL and the way it was served.
#[derive(Clone, Debug, Default)]
pub struct DocumentContext {
    /// The URL that it was served from. Its entries must then be on the same host, scheme and port, and pages in the
    /// directory of the sitemap or below. Without it, the first entry determines the host of all others.
    pub url: Option<Url>,
    /// The `charset` of the `Content-Type` that it was served with. For XML it takes precedence over the declaration,
    /// but not over a byte-order mark (RFC 7303, 3.2).
    pub charset: Option<String>,
    /// The permission to list the URLs of another host; applied only if `url` is known.
    pub cross_submit: CrossSubmit,
}

/// The permission of a sitemap to list the URLs of one other host: that host's robots.txt must name the sitemap
/// (sitemaps.org, "Sitemaps & Cross Submits").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CrossSubmit {
    /// No robots.txt is known to name the sitemap: entries on another host are faults.
    #[default]
    Unproven,
    /// No robots.txt could be requested: if all entries are on one other host, that is a remark.
    NotRequested,
    /// The robots.txt of the first entry's host names the sitemap: all entries must be on that host.
    Proven,
}
