//! Bounds of what is kept of one page.

use crate::page_url::Identity;
use crate::select::{Content, Selection};
use std::time::Duration;

/// Bytes of URLs for each byte of a page: most references are not much shorter than what they lead to.
pub(crate) const RESOLVED_PER_BYTE: usize = 4;

/// Every bound of [`crate::page::read`], and the rules that links are resolved by.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Rules of identity for every URL found.
    pub identity: Identity,
    /// Parts of the page that links are taken from; `None`: all.
    pub links_in: Option<Selection>,
    /// Parts of the page whose text is its content; `None`: all.
    pub content: Option<Content>,
    /// Time that `links_in` and `content` may take on one page, each, measured by `clock`.
    pub selection_time: Duration,
    /// A monotonic clock for `selection_time`, handed in because this crate reads none. The default stands still, so
    /// that time does not bound the selection.
    pub clock: fn() -> Duration,
    /// Links and resources kept.
    pub links: usize,
    /// Headings kept.
    pub headings: usize,
    /// Identifiers kept.
    pub ids: usize,
    /// Hashes of text blocks kept.
    pub blocks: usize,
    /// Canonicals, robots directives, hreflang alternates and dates kept, each.
    pub annotations: usize,
    /// Bytes of a title, description, heading or anchor text kept.
    pub text_bytes: usize,
    /// Bytes of a URL as written; a longer one is no link.
    pub url_bytes: usize,
    /// Bytes of all URLs that the references of a page lead to, beside four for each byte of the page: what leads
    /// further is left out. A base of any length stands before each relative reference.
    pub resolved_bytes: usize,
    /// Bytes of one JSON-LD script that are read for dates.
    pub json_ld_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            identity: Identity::default(),
            links_in: None,
            content: None,
            selection_time: Duration::from_millis(500),
            clock: || Duration::ZERO,
            links: 200_000,
            headings: 500,
            ids: 10_000,
            blocks: 20_000,
            annotations: 1_000,
            text_bytes: 1_024,
            url_bytes: 65_536,
            resolved_bytes: 16 << 20,
            json_ld_bytes: 1 << 20,
        }
    }
}
