//! The sitemaps that the site publishes, as checks use them.

use super::urls::UrlNo;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The sitemaps that the site publishes.
#[derive(Debug, Default)]
pub struct SiteSitemaps {
    pub(super) named: Named,
    /// Sitemaps that were read.
    pub(super) read: Vec<UrlNo>,
    /// Sitemaps that the site names and that could not be read.
    pub(super) unread: Vec<UnreadSitemap>,
    /// There may be sitemaps that were not read, for any reason.
    pub(super) may_be_incomplete: bool,
}

/// The sitemaps that robots files name.
#[derive(Debug, Default)]
pub(super) struct Named {
    /// URLs that the site's robots files name, each with the first robots file that does.
    pub(super) by: BTreeMap<String, String>,
    /// The robots files, of any site, that name a requested sitemap, or an index or redirect that leads to it.
    pub(super) files: HashMap<UrlNo, BTreeSet<UrlNo>>,
    /// The origins of each robots file: the redirects of many robots files may end at the same one.
    pub(super) origins: HashMap<UrlNo, HashSet<Box<str>>>,
}

/// A sitemap that the site names and that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadSitemap {
    /// The named URL.
    pub url: UrlNo,
    /// The URLs that it redirects through, up to the final one.
    pub chain: Vec<UrlNo>,
    /// The redirects do not end at a requested URL.
    pub endless: bool,
}

impl SiteSitemaps {
    /// Returns the robots file that names a sitemap.
    #[must_use]
    pub fn named_by(&self, sitemap: &str) -> Option<&str> {
        self.named.by.get(sitemap).map(String::as_str)
    }

    /// Returns the sitemaps that the site names and that could not be read.
    #[must_use]
    pub fn unread(&self) -> &[UnreadSitemap] {
        &self.unread
    }

    /// Returns true if all sitemaps that the site publishes were read, as far as is known.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !self.may_be_incomplete
    }

    /// Returns true if the robots.txt of an origin names a requested sitemap, or an index or redirect that leads to it.
    /// Such a sitemap may list URLs of that origin (sitemaps.org, "Sitemaps & Cross Submits").
    #[must_use]
    pub fn may_list(&self, origin: &str, sitemap: UrlNo) -> bool {
        let names = |file: &UrlNo| self.named.origins.get(file).is_some_and(|origins| origins.contains(origin));
        self.named.files.get(&sitemap).is_some_and(|files| files.iter().any(names))
    }

    /// Returns the sitemaps that were read. A file at the usual place that is not a sitemap is not one of them, because
    /// the site does not name it.
    pub fn read(&self) -> impl Iterator<Item = UrlNo> {
        self.read.iter().copied()
    }
}
