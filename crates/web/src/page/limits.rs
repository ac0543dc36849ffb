//! Limits of the facts kept of one page.

use crate::page_url::UrlIdentity;
use crate::select::{ContentSelector, Selection};
use std::time::Duration;

/// Bytes of URLs for each byte of a page: most references are not much shorter than their targets.
pub(crate) const RESOLVED_PER_BYTE: usize = 4;

/// The limits of [`crate::page::read`], and the rules for resolving links.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Rules of identity for every URL found.
    pub identity: UrlIdentity,
    /// Parts of the page that links are taken from; `None`: all.
    pub links_in: Option<Selection>,
    /// Parts of the page whose text is its content; `None`: all.
    pub content: Option<ContentSelector>,
    /// Time that `links_in` and `content` may take on one page, each, measured by `clock`.
    pub selection_time: Duration,
    /// A monotonic clock for `selection_time`, passed in because this crate reads none. The default is constant, so
    /// that time does not limit the selection.
    pub clock: fn() -> Duration,
    /// The maximum number of links and resources.
    pub links: usize,
    /// The maximum number of headings.
    pub headings: usize,
    /// The maximum number of identifiers.
    pub ids: usize,
    /// The maximum number of hashes of text blocks.
    pub blocks: usize,
    /// The maximum size of the text that is kept of the blocks, in bytes; 0: none.
    pub kept_text: usize,
    /// The maximum number of canonicals, robots directives, hreflang alternates and dates, each.
    pub annotations: usize,
    /// The maximum size of a title, description, heading or anchor text, in bytes.
    pub text_bytes: usize,
    /// The maximum size of a URL as written, in bytes; a longer one is no link.
    pub url_bytes: usize,
    /// The maximum total size of the resolved URLs of a page in bytes, besides four for each byte of the page; further
    /// URLs are left out. Each relative reference is prefixed by a base of any length.
    pub resolved_bytes: usize,
    /// The maximum size of one JSON-LD script that is read for dates, in bytes.
    pub json_ld_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            identity: UrlIdentity::default(),
            links_in: None,
            content: None,
            selection_time: Duration::from_millis(500),
            clock: || Duration::ZERO,
            links: 200_000,
            headings: 500,
            ids: 10_000,
            blocks: 20_000,
            kept_text: 0,
            annotations: 1_000,
            text_bytes: 1_024,
            url_bytes: 65_536,
            resolved_bytes: 16 << 20,
            json_ld_bytes: 1 << 20,
        }
    }
}
