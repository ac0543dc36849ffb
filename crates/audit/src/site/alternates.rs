//! Alternates in other languages that the site's sitemaps name: with those of the page itself they are one set.

use super::said::Alternate;
use super::{File, Site, UrlNo};
use mapwright_store::{Record, StoreError};

/// Adds what a sitemap names as alternates of a page: code and URL of each.
pub(super) fn add(site: &mut Site, page: UrlNo, named: Vec<(String, UrlNo)>) {
    let said = site.nodes.get(page as usize).and_then(|node| node.said);
    let Some(said) = said.and_then(|said| site.said.get_mut(said as usize)) else { return };
    let mut all = std::mem::take(&mut said.alternates).into_vec();
    for (code, url) in named {
        let alternate = Alternate { code: code.into(), url: Some(url) };
        if !all.contains(&alternate) {
            all.push(alternate);
        }
    }
    said.alternates = all.into();
}

/// Adds what sitemaps named that cannot be read today: a bad hour of theirs neither tears sets apart nor mends them.
///
/// # Errors
/// When the record cannot be read.
pub(super) fn recall(record: &Record, site: &mut Site) -> Result<(), StoreError> {
    let is_unread =
        |file: &File| file.is_unfinished() || !file.answered() && file.target.is_none() && !file.is_absent();
    let unread: Vec<UrlNo> = site.files.iter().filter(|(_, file)| is_unread(file)).map(|(url, _)| *url).collect();
    unread.into_iter().try_for_each(|file| record.each_alternate_before(file, |page, named| add(site, page, named)))
}
