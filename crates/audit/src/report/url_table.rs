//! The URLs of the run: each is in the sitemap, or has one reason why not.

use crate::scripts_compared::{ComparedFact, compare};
use mapwright_store::{Record, StoreError, UrlFilter, UrlRow};
use mapwright_verdict::Reason;
use std::cmp::Reverse;

/// The most URLs that a report shows: the first that were found.
const MAX_URLS: u64 = 100_000;
/// The most bytes of their texts, so that a browser can open the report.
const MAX_BYTES: usize = 32 << 20;

/// The URLs of a run, as reports show them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UrlTable {
    /// At most 100,000 URLs, and 32 MiB of text, in the order in which they were found.
    pub rows: Vec<UrlRow>,
    /// The number of all URLs by their reasons for not being in the sitemap; those in it come first, without a reason.
    pub by_reason: Vec<(Option<Reason>, u64)>,
    /// The facts of the pages whose scripts ran, without scripts and with them, by their place in `rows`.
    pub scripts: Vec<(usize, [ComparedFact; 8])>,
}

impl UrlTable {
    /// Reads the URLs of the run of `record`.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn of(record: &Record) -> Result<Self, StoreError> {
        let mut table = Self { by_reason: record.urls_by_reason()?, ..Self::default() };
        let mut bytes = 0;
        record.each_url_row(&UrlFilter::default(), 0, MAX_URLS, |row| {
            bytes += size(&row);
            if bytes <= MAX_BYTES {
                table.rows.push(row);
            }
            Ok::<(), StoreError>(())
        })?;
        record.each_rendered_page(|page| {
            let place = table.rows.binary_search_by_key(&page.url, |row| row.id).ok();
            let facts = page.facts.before_scripts.as_deref().map(|before| compare(before, &page.facts));
            if let Some((place, facts)) = place.zip(facts) {
                bytes += facts.iter().map(|fact| fact.without.len() + fact.with.len()).sum::<usize>();
                if bytes <= MAX_BYTES {
                    table.scripts.push((place, facts));
                }
            }
        })?;
        Ok(table)
    }

    /// The reasons for which URLs are not in the sitemap, with their numbers, the most frequent first.
    #[must_use]
    pub fn left_out(&self) -> Vec<(Reason, u64)> {
        let mut left_out: Vec<_> =
            self.by_reason.iter().filter_map(|(reason, count)| Some(((*reason)?, *count))).collect();
        left_out.sort_by_key(|(reason, count)| (Reverse(*count), *reason));
        left_out
    }

    /// The number of all URLs.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.by_reason.iter().map(|(_, count)| count).sum()
    }
}

fn size(row: &UrlRow) -> usize {
    let UrlRow { url, evidence, title, lastmod, .. } = row;
    url.len() + [evidence, title, lastmod].into_iter().flatten().map(String::len).sum::<usize>()
}
