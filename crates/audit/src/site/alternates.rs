//! Alternates in other languages that the site's sitemaps name. With those of the page itself they form one set.

use super::page_content::Alternate;
use super::{File, Site, UrlNo};
use mapwright_store::{Record, StoreError};
use std::collections::{HashMap, HashSet};

/// The most alternates of one page that are read; no site has so many languages.
const MAX_ALTERNATES: usize = 2_000;

/// The alternates that sitemaps name for pages, each a code and a URL.
#[derive(Debug, Default)]
pub(super) struct Named(HashMap<UrlNo, Vec<(String, UrlNo)>>);

impl Named {
    /// Adds the alternates that a sitemap names for a page.
    pub(super) fn add(&mut self, page: UrlNo, named: Vec<(String, UrlNo)>) {
        if !named.is_empty() {
            let all = self.0.entry(page).or_default();
            let room = MAX_ALTERNATES.saturating_sub(all.len());
            all.extend(named.into_iter().take(room));
        }
    }

    /// Adds to each page, once each, the alternates that it does not name itself.
    pub(super) fn settle(self, site: &mut Site) {
        for (page, named) in self.0 {
            let page_contents = site.nodes.get(page as usize).and_then(|node| node.content_index);
            let Some(page_contents) =
                page_contents.and_then(|page_contents| site.page_contents.get_mut(page_contents as usize))
            else {
                continue;
            };
            let mut all = std::mem::take(&mut page_contents.alternates).into_vec();
            let mut known: HashSet<Alternate> = all.iter().cloned().collect();
            let named = named.into_iter().map(|(code, url)| Alternate { code: code.into(), url: Some(url) });
            all.extend(named.filter(|alternate| known.insert(alternate.clone())));
            page_contents.alternates = all.into();
        }
    }
}

/// Adds the alternates of sitemaps that cannot be read in this run, so that a transient failure of a sitemap neither
/// breaks nor fixes sets.
///
/// # Errors
/// When the record cannot be read.
pub(super) fn recall(record: &Record, site: &Site, named: &mut Named) -> Result<(), StoreError> {
    let is_unread =
        |file: &File| file.is_unfinished() || !file.answered() && file.target.is_none() && !file.is_absent();
    let unread: Vec<UrlNo> = site.files.iter().filter(|(_, file)| is_unread(file)).map(|(url, _)| *url).collect();
    unread
        .into_iter()
        .try_for_each(|file| record.each_alternate_before(file, |page, alternates| named.add(page, alternates)))
}
