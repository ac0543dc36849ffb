//! Alternates in other languages that the site's sitemaps name: with those of the page itself they are one set.

use super::said::Alternate;
use super::{File, Site, UrlNo};
use mapwright_store::{Record, StoreError};
use std::collections::{HashMap, HashSet};

/// Alternates of one page that are looked at, at most; no site speaks so many languages.
const MOST: usize = 2_000;

/// What sitemaps name as alternates of pages: code and URL of each.
#[derive(Debug, Default)]
pub(super) struct Named(HashMap<UrlNo, Vec<(String, UrlNo)>>);

impl Named {
    /// Takes what a sitemap names as alternates of a page.
    pub(super) fn add(&mut self, page: UrlNo, named: Vec<(String, UrlNo)>) {
        if !named.is_empty() {
            let all = self.0.entry(page).or_default();
            let room = MOST.saturating_sub(all.len());
            all.extend(named.into_iter().take(room));
        }
    }

    /// Gives each page those that it does not name itself, each once.
    pub(super) fn settle(self, site: &mut Site) {
        for (page, named) in self.0 {
            let said = site.nodes.get(page as usize).and_then(|node| node.said);
            let Some(said) = said.and_then(|said| site.said.get_mut(said as usize)) else { continue };
            let mut all = std::mem::take(&mut said.alternates).into_vec();
            let mut known: HashSet<Alternate> = all.iter().cloned().collect();
            let named = named.into_iter().map(|(code, url)| Alternate { code: code.into(), url: Some(url) });
            all.extend(named.filter(|alternate| known.insert(alternate.clone())));
            said.alternates = all.into();
        }
    }
}

/// Adds what sitemaps named that cannot be read today: a bad hour of theirs neither tears sets apart nor mends them.
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
