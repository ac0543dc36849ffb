//! The options of publishing.

use crate::entries::Extras;
use crate::rewrite::Rewrite;
use jiff::Timestamp;
use mapwright_sitemap::SeriesOptions;
use mapwright_store::{Listed, Record, StoreError};
use std::time::Duration;

/// The options of a publication.
#[derive(Debug, Clone)]
pub struct PublishOptions {
    /// Limits, compression, form, and base URL of the index.
    pub series: SeriesOptions,
    /// The optional elements of entries.
    pub extras: Extras,
    /// One series for each host, combined by one index, even if there is a single host (`--scope domain`). Several
    /// hosts always get one series each: a sitemap lists the URLs of a single host (sitemaps.org, "XML tag
    /// definitions").
    pub by_host: bool,
    /// Hosts to be published under other names than they were crawled under; the first rule that matches a URL applies.
    pub rewrite: Vec<Rewrite>,
    /// The grace period of parts and further indexes after the publication that dropped them; without it they stay
    /// until the next publication.
    pub grace: Option<Duration>,
    /// The instant of this publication.
    pub now: Timestamp,
}

impl PublishOptions {
    /// Yields every URL in its published form, in the order of the sitemap (by octets).
    ///
    /// # Errors
    /// When the record cannot be read, or when `take` fails, which ends the iteration.
    pub fn listed<E>(&self, record: &Record, take: impl FnMut(Listed) -> Result<(), E>) -> Result<(), E>
    where
        E: From<StoreError>,
    {
        if self.rewrite.is_empty() {
            return record.listed(take);
        }
        // Several hosts may swap their order or become one, so published URLs are sorted again.
        record.listed_as(&|url| self.rewrite.iter().find_map(|rewrite| rewrite.apply(url)), take)
    }
}
