//! A URL and its state in a run.

use super::UrlNo;
use mapwright_model::{FailureKind, Unfetched, Via};
use mapwright_verdict::Reason;

/// The fetch status of a URL.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum NodeStatus {
    /// Not discovered in this run.
    #[default]
    Unknown,
    /// Discovered, but not requested: the crawl was cut short, or its budget was spent.
    NotReached,
    /// Discovered, and not to be fetched.
    Refused(Unfetched),
    /// robots.txt disallows it.
    Blocked,
    /// robots.txt could not be fetched, which disallows everything.
    RobotsUnavailable,
    /// The address guard refuses its address.
    Guarded,
    /// 200 with a page.
    Page,
    /// 200 with anything else.
    File,
    /// A redirect that can be followed.
    Redirect,
    /// Any other status.
    Status,
    /// No answer.
    NoAnswer(FailureKind),
    /// The answer broke off, or cannot be decoded.
    Broken,
    /// The server throttles the crawl.
    Throttled,
    /// An internal failure of mapwright.
    Failed,
}

impl NodeStatus {
    /// Returns true if an answer of this status says that the URL does not exist: any client error except "too many
    /// requests", which is about the client (RFC 9309, section 2.3.1.3; RFC 6585, section 4).
    #[must_use]
    pub fn is_absent(self, status: u16) -> bool {
        self == Self::Status && (400..=499).contains(&status) && status != 429
    }
}

/// A URL and its state in a run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Node {
    /// Its fetch status.
    pub fetch_status: NodeStatus,
    /// The HTTP status, if there was an answer.
    pub status: u16,
    /// The way in which it was first discovered.
    pub via: Option<Via>,
    /// The URL on which it was first discovered.
    pub found_on: Option<UrlNo>,
    /// The target of its redirect or instant refresh.
    pub target: Option<UrlNo>,
    /// The canonical that counts.
    pub canonical: Option<UrlNo>,
    /// The clicks from the start, if links lead there.
    pub depth: Option<u32>,
    /// The reason why it is not in the sitemap that a crawl would write; none if it is listed or unknown.
    pub reason: Option<Reason>,
    /// It is in the sitemap that a crawl would write.
    pub listed: bool,
    /// The page says noindex.
    pub noindex: bool,
    /// The page says nofollow.
    pub nofollow: bool,
    /// Milliseconds of the complete request; none if the answer is from an earlier run.
    pub millis: Option<u32>,
    /// Bytes of the decoded body.
    pub bytes: u64,
    /// It was read in part: the body was longer than the limit, or links were left out.
    pub cut: bool,
    /// The body was longer than the limit.
    pub body_cut: bool,
    /// The index of its content in [`Site::page_contents`].
    pub(super) content_index: Option<u32>,
}

impl Node {
    /// A URL in this state, with the HTTP status of its answer, for tests.
    #[cfg(test)]
    pub(crate) fn answered(fetch_status: NodeStatus, status: u16) -> Self {
        Self { fetch_status, status, ..Self::default() }
    }

    /// Returns true if it answered 200 with a page.
    #[must_use]
    pub fn is_page(&self) -> bool {
        self.fetch_status == NodeStatus::Page
    }

    /// Returns true if it answered with an error, or did not answer. Throttling is neither.
    #[must_use]
    pub fn fails(&self) -> bool {
        match self.fetch_status {
            NodeStatus::Status => self.status >= 400,
            NodeStatus::NoAnswer(_) | NodeStatus::Broken => true,
            _ => false,
        }
    }

    /// Returns true if it is in scope and not excluded.
    #[must_use]
    pub fn in_scope(&self) -> bool {
        !matches!(
            self.fetch_status,
            NodeStatus::Unknown | NodeStatus::Refused(Unfetched::OutOfScope | Unfetched::Excluded)
        )
    }

    /// Returns true for a page without noindex, and without a canonical or refresh to another page: its own content
    /// counts.
    #[must_use]
    pub fn is_own_canonical(&self, url: UrlNo) -> bool {
        let own = self.canonical.is_none_or(|canonical| canonical == url);
        self.is_page() && !self.noindex && self.target.is_none() && own
    }

    /// Returns true for a page that search engines may list. `--no-list` does not matter, because it is only about the
    /// sitemap that mapwright writes.
    #[must_use]
    pub fn is_indexable(&self) -> bool {
        let passes = self.listed || matches!(self.reason, Some(Reason::Duplicate | Reason::NoList));
        self.is_page() && !self.noindex && passes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_no_list_keeps_out_of_the_sitemap_is_as_indexable_as_before() {
        let page = Node { fetch_status: NodeStatus::Page, reason: Some(Reason::NoList), ..Node::default() };
        assert!(page.is_indexable());
        assert!(!Node { noindex: true, ..page }.is_indexable());
        assert!(!Node { reason: Some(Reason::Canonical), ..page }.is_indexable());
    }
}
