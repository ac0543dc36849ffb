//! Titles that several indexable pages share.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Site, UrlNo};
use std::collections::BTreeMap;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let mut titles: BTreeMap<&str, Vec<UrlNo>> = BTreeMap::new();
    for (url, node, said) in site.pages() {
        let own = node.canonical.is_none_or(|canonical| canonical == url);
        if let Some(title) = said.title.as_deref().filter(|title| !title.is_empty() && own && node.is_indexable()) {
            titles.entry(title).or_default().push(url);
        }
    }
    found.extend(titles.into_iter().filter(|(_, urls)| urls.len() > 1).map(|(title, urls)| {
        let message = format!("{} pages have the title \u{201c}{title}\u{201d}.", urls.len());
        Finding::group(Code::DupTitle, urls).says(message)
    }));
}
