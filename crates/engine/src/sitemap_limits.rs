//! The limits of the number and the nesting of sitemaps and feeds.

use crate::options::EngineOptions;
use mapwright_model::{Discovery, Purpose};
use mapwright_web::UrlKey;
use std::collections::HashSet;

/// Counts the sitemaps and feeds of a crawl, and refuses those beyond the limits.
#[derive(Debug)]
pub(crate) struct SitemapLimits {
    max_files: u64,
    max_depth: u8,
    /// Sitemaps and feeds that were admitted.
    admitted: HashSet<UrlKey>,
    /// Number of sitemaps among them: feeds never take their places. In a resumed run, the number of all of them.
    sitemaps: u64,
    files_over: u64,
    feeds_over: bool,
}

impl SitemapLimits {
    pub(crate) fn new(options: &EngineOptions) -> Self {
        Self {
            max_files: options.max_sitemap_files,
            max_depth: options.max_sitemap_depth,
            admitted: HashSet::new(),
            sitemaps: 0,
            files_over: 0,
            feeds_over: false,
        }
    }

    /// Resumes an interrupted run, which had admitted these files.
    pub(crate) fn resume(&mut self, files: impl IntoIterator<Item = UrlKey>) {
        self.admitted.extend(files);
        self.sitemaps = self.admitted.len() as u64;
    }

    pub(crate) fn is_admitted(&self, key: UrlKey) -> bool {
        self.admitted.contains(&key)
    }

    /// Returns the number of sitemaps refused so far, and whether feeds were refused.
    pub(crate) fn refused(&self) -> (u64, bool) {
        (self.files_over, self.feeds_over)
    }

    /// Admits a file that was not admitted before; `is_near` says that it is within the limit of redirects.
    pub(crate) fn admit(&mut self, found: &Discovery, is_near: bool) -> bool {
        if self.is_admitted(found.key) {
            return false;
        }
        let within = is_near && found.route.level < self.max_depth;
        if found.purpose == Purpose::Feed {
            let room = (self.admitted.len() as u64) < self.max_files;
            self.feeds_over |= within && !room;
            return within && room && self.admitted.insert(found.key);
        }
        if !within || self.sitemaps >= self.max_files {
            self.files_over += 1;
            return false;
        }
        self.sitemaps += 1;
        self.admitted.insert(found.key)
    }
}
