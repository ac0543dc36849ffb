//! A URL and what became of it.

use super::UrlNo;
use mapwright_fetch::FailureKind;
use mapwright_frontier::{Unfetched, Via};
use mapwright_verdict::Reason;

/// What became of a URL.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Fate {
    /// Not met in this run.
    #[default]
    Unknown,
    /// Met, and not asked for: the crawl was cut, or its budget was spent.
    NotReached,
    /// Met, and not to be fetched.
    Refused(Unfetched),
    /// robots.txt disallows it.
    Blocked,
    /// robots.txt could not be had, which disallows all.
    RobotsUnavailable,
    /// The address guard refuses where it points.
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
    /// The server asked to be left alone.
    Throttled,
    /// A fault in mapwright.
    Failed,
}

impl Fate {
    /// Whether an answer of this status says that there is nothing: any client error but "too many requests", which is
    /// about the client (RFC 9309, section 2.3.1.3; RFC 6585, section 4).
    #[must_use]
    pub fn is_absent(self, status: u16) -> bool {
        self == Self::Status && (400..=499).contains(&status) && status != 429
    }
}

/// A URL and what became of it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Node {
    /// What became of it.
    pub fate: Fate,
    /// The status, where there was an answer.
    pub status: u16,
    /// How it first became known.
    pub via: Option<Via>,
    /// Where it first became known.
    pub found_on: Option<UrlNo>,
    /// Where a redirect or an instant refresh leads.
    pub target: Option<UrlNo>,
    /// The canonical that counts.
    pub canonical: Option<UrlNo>,
    /// Clicks from the start, where links lead there.
    pub depth: Option<u32>,
    /// Why it is not in the sitemap that a crawl would write; listed or unknown without.
    pub reason: Option<Reason>,
    /// It is in the sitemap that a crawl would write.
    pub listed: bool,
    /// The page says noindex.
    pub noindex: bool,
    /// The page says nofollow.
    pub nofollow: bool,
    /// Milliseconds of the whole request; none where an earlier run's answer stands in.
    pub millis: Option<u32>,
    /// Bytes of the decoded body.
    pub bytes: u64,
    /// It was read in part: the body was longer than is read, or links were left out.
    pub cut: bool,
    /// The body was longer than is read.
    pub body_cut: bool,
    /// Place of what it says in [`Site::said`].
    pub(super) said: Option<u32>,
}

impl Node {
    /// 200 with a page.
    #[must_use]
    pub fn is_page(&self) -> bool {
        self.fate == Fate::Page
    }

    /// It answered, and badly; or it did not answer at all. Throttling is neither.
    #[must_use]
    pub fn fails(&self) -> bool {
        match self.fate {
            Fate::Status => self.status >= 400,
            Fate::NoAnswer(_) | Fate::Broken => true,
            _ => false,
        }
    }

    /// Within what the crawl was asked for.
    #[must_use]
    pub fn in_scope(&self) -> bool {
        !matches!(self.fate, Fate::Unknown | Fate::Refused(Unfetched::OutOfScope | Unfetched::Excluded))
    }

    /// A page that gives way to no other, by a canonical or a refresh, and says no noindex: what it says counts.
    #[must_use]
    pub fn stands_for_itself(&self, url: UrlNo) -> bool {
        let own = self.canonical.is_none_or(|canonical| canonical == url);
        self.is_page() && !self.noindex && self.target.is_none() && own
    }

    /// A page that search engines may list. They know nothing of `--no-list`, which is about our sitemap alone.
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
        let page = Node { fate: Fate::Page, reason: Some(Reason::NoList), ..Node::default() };
        assert!(page.is_indexable());
        assert!(!Node { noindex: true, ..page }.is_indexable());
        assert!(!Node { reason: Some(Reason::Canonical), ..page }.is_indexable());
    }
}
