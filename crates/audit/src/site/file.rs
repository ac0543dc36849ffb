//! The site's sitemaps and feeds, and their entries.

use super::node::NodeStatus;
use super::urls::UrlNo;
use jiff::Timestamp;
use mapwright_model::UNFINISHED;

/// An entry of one of the site's sitemaps or feeds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedEntry {
    /// The file.
    pub file: UrlNo,
    /// The URL that it lists.
    pub url: UrlNo,
    /// Its date, as written.
    pub lastmod: Option<Box<str>>,
}

/// One of the site's sitemaps or feeds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct File {
    /// It is a feed, not a sitemap.
    pub is_feed: bool,
    /// It has the format of a feed, whether it is read as a feed or submitted as a sitemap, which the protocol allows
    /// (sitemaps.org, "Other Sitemap formats").
    pub has_feed_format: bool,
    /// Its fetch status.
    pub fetch_status: NodeStatus,
    /// The HTTP status, if there was an answer.
    pub status: u16,
    /// The target of its redirect.
    pub target: Option<UrlNo>,
    /// Bytes of the decoded body.
    pub bytes: u64,
    /// The time of its request.
    pub at: Timestamp,
    /// Milliseconds of the complete request.
    pub millis: u32,
    /// The protocol rules that it breaks: rule, line, detail, count.
    pub faults: Vec<(String, u64, String, u64)>,
}

impl File {
    /// Returns true if it answered 200.
    #[must_use]
    pub fn answered(&self) -> bool {
        self.fetch_status == NodeStatus::File
    }

    /// Returns true if it answered but was not read to its end, or is not such a file.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        self.answered() && self.faults.iter().any(|(rule, ..)| rule == UNFINISHED)
    }

    /// Returns true if it answered that there is no such file.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.fetch_status.is_absent(self.status)
    }
}
